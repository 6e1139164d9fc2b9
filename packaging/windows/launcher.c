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
 */
#define _WIN32_WINNT 0x0A00
#include <windows.h>
#include <shellapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#define LONGEST 32768

typedef int (*PythonMain)(int, wchar_t **);

static wchar_t folder[LONGEST];

static int refuse(const wchar_t *what)
{
    static wchar_t words[LONGEST];
    _snwprintf(words, LONGEST - 1,
               L"Програм се не може покренути: %ls\nИнсталирајте га поново; подаци остају.\n\n"
               L"The program can't start: %ls\nInstall it again; the data are kept.", what, what);
#ifdef WINDOW
    MessageBoxW(NULL, words, L"pos-app", MB_OK | MB_ICONERROR);
#else
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
    const wchar_t *module = L"pos_app";

    if (!find_folder())
        return refuse(L"its folder is not known");
    SetEnvironmentVariableW(L"POS_APP_INSTALLED", folder);
    runtime = load_runtime();
    if (runtime == NULL)
        return refuse(PYTHON_DLL L" is missing or broken");
    python = (PythonMain)(void *)GetProcAddress(runtime, "Py_Main");
    words = calloc((size_t)count + 10, sizeof *words);
    if (python == NULL || words == NULL)
        return refuse(PYTHON_DLL L" is broken");
    if (count > 2 && wcscmp(given[1], L"-m") == 0) {
        if (wcsncmp(given[2], L"pos_app.", 8) != 0 &&
            wcscmp(given[2], L"compileall") != 0)
            return refuse(L"only modules of pos_app can be started");
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
    return given == NULL ? refuse(L"no memory") : run(count, given);
}
#else
int wmain(int count, wchar_t **given) { return run(count, given); }
#endif
