/* Starts the product's Python in this process. Compiled twice: with a window (the till, WINDOW
 * defined) and for a console. PYTHON_DLL names the runtime's library, as L"python313.dll".
 *
 * pos-app-till.exe [OPTION ...]           the till
 * pos-app.exe [PROGRAM] [OPTION ...]      the whole command line
 * pos-app.exe -m pos_app.MODULE [...]     a part of the product that it starts as a process
 * pos-app.exe -m compileall [...]         for the installer: nobody may write here later
 *
 * Where modules are found is said by the file beside the runtime's library (pythonNNN._pth), which
 * also keeps the environment and the user's own packages out.
 *
 * A till that was started by its icon has nobody who reads its end. So the till starts this program
 * once more, to watch it until its first window stands, and that one says how it ended before. It is
 * a process of its own, because a crash may leave nothing to run in the one that crashed: the ends
 * of abort() and of a damaged heap pass by each handler there. The till itself stays the process
 * that the user started, so that who waits for it, closes it or counts its mutex meets the one it
 * always met.
 */
#define _WIN32_WINNT 0x0A00
#include <windows.h>
#include <shellapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#define LONGEST 32768
#define FIRST_WINDOW L"POS_APP_FIRST_WINDOW" /* names an event, as pos_app/installed.py takes it */

typedef int (*PythonMain)(int, wchar_t **);

static wchar_t folder[LONGEST];

#ifdef WINDOW

#define WATCH L"--watch-start"

static HANDLE stands; /* set once a person sees a window of the till, or words why there is none */

typedef struct {
    const wchar_t *language, *kept, *again, *read;
} Words;

static const Words WORDS[] = {
    {L"sr-Cyrl", L"Каса се није отворила. Потврђене продаје су сачуване.",
     L"Отворите је поново. Ако се опет не отвори, инсталирајте програм још једном: подаци остају.",
     L"Ако ни то не помогне, прочитајте подршци:"},
    {L"sr-Latn", L"Kasa se nije otvorila. Potvrđene prodaje su sačuvane.",
     L"Otvorite je ponovo. Ako se opet ne otvori, instalirajte program još jednom: podaci ostaju.",
     L"Ako ni to ne pomogne, pročitajte podršci:"},
    {L"en", L"The till did not open. Confirmed sales are kept.",
     L"Open it again. If it still does not open, install the program once more: the data are kept.",
     L"If that does not help either, read this to support:"},
};

/* As pos_app.settings finds it: what --data says, else the place that all accounts share. */
static const wchar_t *data_folder(int count, wchar_t **given)
{
    static wchar_t said[LONGEST], whole[LONGEST];
    if (!GetEnvironmentVariableW(L"PROGRAMDATA", said, LONGEST - 10))
        wcscpy(said, L"C:\\ProgramData");
    wcscat(said, L"\\pos-app");
    for (int i = 1; i < count; i++)
        if (wcsncmp(given[i], L"--data=", 7) == 0)
            wcsncpy(said, given[i] + 7, LONGEST - 1);
        else if (wcscmp(given[i], L"--data") == 0 && i + 1 < count)
            wcsncpy(said, given[i + 1], LONGEST - 1);
    return GetFullPathNameW(said, LONGEST, whole, NULL) ? whole : said;
}

/* By `till.language` of the settings, the only one of that name; else as the till is at first. */
static const Words *words_of(const wchar_t *data)
{
    static wchar_t path[LONGEST], line[1024];
    const Words *found = WORDS;
    FILE *file;
    _snwprintf(path, LONGEST - 1, L"%ls\\settings.toml", data);
    file = _wfopen(path, L"r");
    while (file != NULL && fgetws(line, 1024, file) != NULL) {
        const wchar_t *key = wcsstr(line, L"language");
        const wchar_t *value = key == NULL ? NULL : wcschr(key, L'=');
        if (value == NULL || line[wcsspn(line, L" \t")] == L'#')
            continue;
        value += 1 + wcsspn(value + 1, L" \t\"'");
        for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
            if (wcsncmp(value, WORDS[i].language, wcslen(WORDS[i].language)) == 0)
                found = &WORDS[i];
    }
    if (file != NULL)
        fclose(file);
    return found;
}

/* Setup, which the box asks for, must find the program's files free. */
static DWORD WINAPI leave_for_setup(void *nothing)
{
    (void)nothing;
    for (;;) {
        HANDLE setup = OpenMutexW(SYNCHRONIZE, FALSE, L"Global\\pos-app-setup");
        if (setup != NULL || GetLastError() == ERROR_ACCESS_DENIED)
            ExitProcess(0);
        Sleep(200);
    }
}

/* what: is at fault, where that is known. */
static void tell(DWORD code, const wchar_t *what, int count, wchar_t **given)
{
    static wchar_t words[3 * LONGEST];
    const wchar_t *data = data_folder(count, given);
    const Words *are = words_of(data);
    _snwprintf(words, 3 * LONGEST - 1,
               L"%ls\n\n%ls %ls\n\n%ls%ls0x%08lX, pos-app %ls\n%ls\\logs\\till.log", are->kept,
               are->again, are->read, what, *what ? L"\n" : L"", code, VERSION, data);
    CreateThread(NULL, 0, leave_for_setup, NULL, 0, NULL);
    MessageBoxW(NULL, words, L"pos-app", MB_OK | MB_ICONERROR | MB_SETFOREGROUND | MB_TOPMOST);
}

/* pos-app-till.exe --watch-start TILL STANDS [OPTION ...], by the till's handles. */
static int watch(int count, wchar_t **given)
{
    HANDLE till = (HANDLE)(INT_PTR)_wcstoi64(given[2], NULL, 10);
    HANDLE either[] = {(HANDLE)(INT_PTR)_wcstoi64(given[3], NULL, 10), till};
    DWORD code = 0;
    if (WaitForMultipleObjects(2, either, FALSE, INFINITE) == WAIT_OBJECT_0 + 1 &&
        GetExitCodeProcess(till, &code) && code != 0)
        tell(code, L"", count, given);
    return 0;
}

/* What follows the name of the program on the command line. */
static const wchar_t *options(void)
{
    const wchar_t *line = GetCommandLineW();
    const wchar_t *end = *line == L'"' ? wcschr(line + 1, L'"') : wcschr(line, L' ');
    return end == NULL ? L"" : end + 1;
}

/* By its icon, or as the command line of all programs is read. */
static int is_till(int count, wchar_t **given)
{
    return count < 2 || wcscmp(given[1], L"till") == 0 ||
           (given[1][0] == L'-' && wcscmp(given[1], L"-m") != 0);
}

/* Without such a process the till starts all the same. */
static void start_watch(void)
{
    static wchar_t line[LONGEST], program[LONGEST], number[32];
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    HANDLE us = GetCurrentProcess();
    HANDLE handles[] = {NULL, CreateEventW(&inherited, TRUE, FALSE, NULL)};
    STARTUPINFOEXW how = {.StartupInfo = {.cb = sizeof how, .dwFlags = STARTF_FORCEOFFFEEDBACK}};
    PROCESS_INFORMATION started;
    SIZE_T size = 0;
    int length;
    stands = handles[1];
    DuplicateHandle(us, us, us, &handles[0], SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, TRUE,
                    0);
    length = _snwprintf(line, LONGEST - 1, L"pos-app-till " WATCH L" %lld %lld %ls",
                        (long long)(INT_PTR)handles[0], (long long)(INT_PTR)handles[1], options());
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    how.lpAttributeList = malloc(size);
    if (length < 0 || how.lpAttributeList == NULL || !GetModuleFileNameW(NULL, program, LONGEST) ||
        !InitializeProcThreadAttributeList(how.lpAttributeList, 1, 0, &size))
        return;
    UpdateProcThreadAttribute(how.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles,
                              sizeof handles, NULL, NULL);
    if (CreateProcessW(program, line, NULL, NULL, TRUE, EXTENDED_STARTUPINFO_PRESENT, NULL, NULL,
                       &how.StartupInfo, &started)) {
        CloseHandle(started.hThread);
        CloseHandle(started.hProcess);
        _snwprintf(number, 31, L"%lld", (long long)(INT_PTR)stands);
        SetEnvironmentVariableW(FIRST_WINDOW, number);
    }
    CloseHandle(handles[0]);
    SetHandleInformation(stands, HANDLE_FLAG_INHERIT, 0); /* not the server's, which goes on */
}

#endif

static int refuse(const wchar_t *what, int count, wchar_t **given)
{
#ifdef WINDOW
    DWORD code = GetLastError();
    if (stands != NULL)
        SetEvent(stands);
    tell(code, what, count, given);
#else
    (void)count, (void)given;
    fwprintf(stderr, L"The program can't start: %ls. Install it again; the data are kept.\n", what);
#endif
    return 1;
}

static int find_folder(void)
{
    DWORD length = GetModuleFileNameW(NULL, folder, LONGEST);
    wchar_t *end = length && length < LONGEST ? wcsrchr(folder, L'\\') : NULL;
    if (end == NULL)
        return 0;
    *end = 0;
    return 1;
}

static HMODULE load(const wchar_t *name)
{
    static wchar_t path[LONGEST];
    if (_snwprintf(path, LONGEST - 1, L"%ls\\python\\%ls", folder, name) < 0)
        return NULL;
    return LoadLibraryExW(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
}

/* Extension modules look for these by name; the working folder is not among the places. */
static HMODULE load_runtime(void)
{
    static wchar_t place[LONGEST];
    HMODULE python;
    SetDllDirectoryW(L"");
    _snwprintf(place, LONGEST - 1, L"%ls\\python", folder);
    AddDllDirectory(place);
    load(L"vcruntime140.dll");
    load(L"vcruntime140_1.dll");
    python = load(PYTHON_DLL);
    if (python != NULL)
        load(L"python3.dll");
    return python;
}

static int run(int count, wchar_t **given)
{
    HMODULE runtime;
    PythonMain python;
    wchar_t **words;
    int used = 0, first = 1;
    UINT mode;
    const wchar_t *module = L"pos_app";

    SetEnvironmentVariableW(FIRST_WINDOW, NULL);
#ifdef WINDOW
    if (is_till(count, given))
        start_watch();
#endif
    if (!find_folder())
        return refuse(L"its folder is not known", count, given);
    SetEnvironmentVariableW(L"POS_APP_INSTALLED", folder);
    mode = SetErrorMode(SEM_FAILCRITICALERRORS); /* what is missing is told once, by us */
    runtime = load_runtime();
    SetErrorMode(mode);
    if (runtime == NULL)
        return refuse(PYTHON_DLL L" is missing or broken", count, given);
    python = (PythonMain)(void *)GetProcAddress(runtime, "Py_Main");
    words = calloc((size_t)count + 10, sizeof *words);
    if (python == NULL || words == NULL)
        return refuse(PYTHON_DLL L" is broken", count, given);
    if (count > 2 && wcscmp(given[1], L"-m") == 0) {
        if (wcsncmp(given[2], L"pos_app.", 8) != 0 &&
            wcscmp(given[2], L"compileall") != 0)
            return refuse(L"only modules of pos_app can be started", count, given);
        module = given[2];
        first = 3;
    }
    words[used++] = given[0];
    words[used++] = L"-I"; /* nothing of the user's environment or folders */
    words[used++] = L"-B"; /* what is installed is compiled already */
    words[used++] = L"-u"; /* who reads through a pipe gets each line at once */
    words[used++] = L"-X";
    words[used++] = L"utf8";
#ifndef SCRIPT /* tests of the installed tree run scripts of their own */
    words[used++] = L"-m";
    words[used++] = (wchar_t *)module;
#endif
    while (first < count)
        words[used++] = given[first++];
    return python(used, words);
}

#ifdef WINDOW
int WINAPI wWinMain(HINSTANCE self, HINSTANCE before, LPWSTR line, int show)
{
    int count;
    wchar_t **given = CommandLineToArgvW(GetCommandLineW(), &count);
    (void)self, (void)before, (void)line, (void)show;
    if (given == NULL)
        return refuse(L"no memory", 0, NULL);
    if (count > 3 && wcscmp(given[1], WATCH) == 0)
        return watch(count, given);
    return run(count, given);
}
#else
int wmain(int count, wchar_t **given) { return run(count, given); }
#endif
