/* What a person at the computer is needed for.
 *
 * person.exe user PROGRAM WORDS    runs it without the rights of an administrator; its exit code
 * person.exe cancel PROGRAM WORDS  runs it and cancels the first dialog that it opens; its exit code
 * person.exe LANGUAGE PROGRAM WORDS  runs it, chooses "latin" or "english" where it asks for a language,
 *                                  writes the words of the box that follows to C:\\said.txt, and
 *                                  closes it; its exit code
 * person.exe quote PROGRAM WORDS   runs it with quotes around each word, as tools that deploy do
 * person.exe read PROGRAM WORDS    runs it and closes each message box that opens, with its words to
 *                                  C:\told.txt, until it and what it started of itself have ended
 * person.exe close PROGRAM WORDS   likewise, and closes its own window too
 * person.exe walk=LANGUAGE,TICKS PROGRAM WORDS  runs an installer page by page. LANGUAGE is as above, or
 *                                  "cyrillic"; TICKS are the parts, counted from 0, that it ticks or
 *                                  unticks, or "x" to cancel on the first page. It writes what each
 *                                  page says to C:\\pages\\N.txt, waits until that file is gone, and
 *                                  goes on; it answers a box with Retry or Yes. Its exit code
 */
#define _WIN32_WINNT 0x0A00
#include <windows.h>
#include <commctrl.h>
#include <tlhelp32.h>
#include <stdio.h>
#include <wchar.h>

static BOOL CALLBACK cancel(HWND window, LPARAM process)
{
    DWORD owner = 0;
    wchar_t kind[64] = L"";
    GetWindowThreadProcessId(window, &owner);
    GetClassNameW(window, kind, 64);
    if (owner == (DWORD)process && wcscmp(kind, L"#32770") == 0 && IsWindowVisible(window))
        PostMessageW(window, WM_COMMAND, IDCANCEL, 0);
    return TRUE;
}

static BOOL CALLBACK read(HWND window, LPARAM process)
{
    static wchar_t words[4096];
    static char told[4 * 4096];
    wchar_t kind[64] = L"", title[64] = L"";
    DWORD owner = 0;
    FILE *file;
    GetWindowThreadProcessId(window, &owner);
    GetClassNameW(window, kind, 64);
    GetWindowTextW(window, title, 64);
    if (!IsWindowVisible(window))
        return TRUE;
    if (wcscmp(kind, L"#32770") == 0 && wcscmp(title, L"pos-app") == 0) {
        SendMessageW(GetDlgItem(window, 0xFFFF), WM_GETTEXT, 4096, (LPARAM)words);
        WideCharToMultiByte(CP_UTF8, 0, words, -1, told, sizeof told, NULL, NULL);
        file = fopen("C:\\told.txt", "ab");
        if (file != NULL) {
            fputs(told, file);
            fclose(file);
        }
        PostMessageW(window, WM_CLOSE, 0, 0);
    } else if (owner == (DWORD)process) {
        PostMessageW(window, WM_CLOSE, 0, 0);
    }
    return TRUE;
}

static const wchar_t *language; /* as it is written in the list */

static void note(HWND words)
{
    static wchar_t said[2048];
    DWORD written;
    HANDLE file = CreateFileW(L"C:\\said.txt", GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
    GetWindowTextW(words, said, 2048);
    SendMessageW(words, WM_GETTEXT, 2048, (LPARAM)said);
    WriteFile(file, said, (DWORD)(wcslen(said) * sizeof *said), &written, NULL);
    CloseHandle(file);
}

static BOOL CALLBACK answer(HWND window, LPARAM process)
{
    DWORD owner = 0;
    HWND list;
    wchar_t kind[64] = L"";
    GetWindowThreadProcessId(window, &owner);
    GetClassNameW(window, kind, 64);
    if (owner != (DWORD)process || wcscmp(kind, L"#32770") != 0 || !IsWindowVisible(window))
        return TRUE;
    list = FindWindowExW(window, NULL, L"ComboBox", NULL);
    if (list != NULL) {
        SendMessageW(list, CB_SELECTSTRING, (WPARAM)-1, (LPARAM)language);
        PostMessageW(window, WM_COMMAND, IDOK, 0);
    } else if (GetDlgItem(window, 0xFFFF) != NULL) { /* the words of a box */
        note(GetDlgItem(window, 0xFFFF));
        PostMessageW(window, WM_COMMAND, IDOK, 0);
    }
    return TRUE;
}

static const wchar_t *ticks;
static int page;          /* how many were written */
static HWND written;      /* what is on that page */
static BOOL has_finished; /* its button was pressed */

static void put(FILE *file, const char *head, const wchar_t *words)
{
    static char told[4 * 2048];
    WideCharToMultiByte(CP_UTF8, 0, words, -1, told, sizeof told, NULL, NULL);
    fprintf(file, "%s%s\n", head, told);
}

/* A part of the list of an installer; 0 where there is no such. */
static HTREEITEM part_of(HWND tree, int number)
{
    HTREEITEM item = (HTREEITEM)SendMessageW(tree, TVM_GETNEXTITEM, TVGN_ROOT, 0);
    while (item != NULL && number-- > 0)
        item = (HTREEITEM)SendMessageW(tree, TVM_GETNEXTITEM, TVGN_NEXT, (LPARAM)item);
    return item;
}

static BOOL CALLBACK tell(HWND part, LPARAM file)
{
    static wchar_t words[2048];
    wchar_t kind[64] = L"";
    HTREEITEM item;
    GetClassNameW(part, kind, 64);
    if (!IsWindowVisible(part))
        return TRUE;
    if (_wcsicmp(kind, L"SysTreeView32") == 0) {
        for (int i = 0; (item = part_of(part, i)) != NULL; i++)
            fprintf((FILE *)file, "part %d: %d\n", i,
                    (int)SendMessageW(part, TVM_GETITEMSTATE, (WPARAM)item, TVIS_STATEIMAGEMASK) >> 12);
        return TRUE;
    }
    SendMessageW(part, WM_GETTEXT, 2048, (LPARAM)words);
    if (words[0] != 0)
        put((FILE *)file, _wcsicmp(kind, L"Button") == 0 ? "button: " : "", words);
    return TRUE;
}

static void tick(HWND inner)
{
    HWND tree = FindWindowExW(inner, NULL, L"SysTreeView32", NULL);
    for (const wchar_t *one = ticks; tree != NULL && *one != 0; one++) {
        SendMessageW(tree, TVM_SELECTITEM, TVGN_CARET, (LPARAM)part_of(tree, *one - L'0'));
        SendMessageW(tree, WM_CHAR, VK_SPACE, 0);
        Sleep(200);
    }
}

/* The page of an installer lies within its window as a window of its own, anew for each page. */
static void turn(HWND window)
{
    HWND inner = FindWindowExW(window, NULL, L"#32770", NULL), next = GetDlgItem(window, IDOK);
    HWND run = inner == NULL ? NULL : FindWindowExW(inner, NULL, L"Button", NULL);
    wchar_t name[64];
    FILE *file;
    if (inner == NULL || !IsWindowVisible(inner) || !IsWindowEnabled(next) || has_finished)
        return;
    _snwprintf(name, 64, L"C:\\pages\\%d.txt", page);
    if (inner != written) {
        Sleep(500); /* until it is painted */
        page++;
        written = inner;
        tick(inner);
        Sleep(200);
        _snwprintf(name, 64, L"C:\\pages\\half.txt");
        file = _wfopen(name, L"wb");
        EnumChildWindows(window, tell, (LPARAM)file);
        fclose(file);
        _snwprintf(name, 64, L"C:\\pages\\%d.txt", page);
        MoveFileExW(L"C:\\pages\\half.txt", name, MOVEFILE_REPLACE_EXISTING);
    } else if (GetFileAttributesW(name) == INVALID_FILE_ATTRIBUTES) {
        if (!IsWindowEnabled(GetDlgItem(window, IDCANCEL))) { /* the last one: the till stays closed */
            SendMessageW(run, BM_SETCHECK, BST_UNCHECKED, 0);
            has_finished = TRUE;
        }
        PostMessageW(window, WM_COMMAND, *ticks == L'x' ? IDCANCEL : IDOK, 0);
    }
}

static BOOL CALLBACK walk(HWND window, LPARAM process)
{
    DWORD owner = 0;
    HWND list;
    wchar_t kind[64] = L"";
    GetWindowThreadProcessId(window, &owner);
    GetClassNameW(window, kind, 64);
    if (owner != (DWORD)process || wcscmp(kind, L"#32770") != 0 || !IsWindowVisible(window))
        return TRUE;
    list = FindWindowExW(window, NULL, L"ComboBox", NULL);
    if (list != NULL) {
        SendMessageW(list, CB_SELECTSTRING, (WPARAM)-1, (LPARAM)language);
        PostMessageW(window, WM_COMMAND, IDOK, 0);
    } else if (GetDlgItem(window, 0xFFFF) != NULL) { /* a box */
        note(GetDlgItem(window, 0xFFFF));
        PostMessageW(window, WM_COMMAND,
                     GetDlgItem(window, IDRETRY) ? IDRETRY : GetDlgItem(window, IDYES) ? IDYES : IDOK, 0);
    } else {
        turn(window);
    }
    return TRUE;
}

/* Whether a program of this name runs that was started by that process. */
static BOOL has_child(DWORD process, const wchar_t *name)
{
    PROCESSENTRY32W one = {.dwSize = sizeof one};
    HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    BOOL is_there = FALSE;
    for (BOOL more = Process32FirstW(all, &one); more; more = Process32NextW(all, &one))
        is_there |= one.th32ParentProcessID == process && _wcsicmp(one.szExeFile, name) == 0;
    CloseHandle(all);
    return is_there;
}

static HANDLE token_of_a_user(void)
{
    HANDLE ours, made;
    BYTE administrators[SECURITY_MAX_SID_SIZE];
    DWORD size = sizeof administrators;
    SID_AND_ATTRIBUTES denied = {administrators, 0};
    CreateWellKnownSid(WinBuiltinAdministratorsSid, NULL, administrators, &size);
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_ALL_ACCESS, &ours) ||
        !CreateRestrictedToken(ours, 0, 1, &denied, 0, NULL, 0, NULL, &made))
        return NULL;
    return made;
}

static wchar_t *quoted(int count, wchar_t **given)
{
    static wchar_t line[4096];
    for (int i = 2; i < count; i++)
        _snwprintf(line + wcslen(line), 4095 - wcslen(line), L"\"%ls\" ", given[i]);
    return line;
}

int wmain(int count, wchar_t **given)
{
    wchar_t *line = GetCommandLineW();
    STARTUPINFOW how = {.cb = sizeof how};
    PROCESS_INFORMATION started;
    DWORD code = 99;
    BOOL is_user, is_cancel, is_read, is_close, is_started;
    int length;
    if (count < 3)
        return 98;
    is_user = wcscmp(given[1], L"user") == 0;
    is_cancel = wcscmp(given[1], L"cancel") == 0;
    is_close = wcscmp(given[1], L"close") == 0;
    is_read = is_close || wcscmp(given[1], L"read") == 0;
    if (wcsncmp(given[1], L"walk=", 5) == 0) {
        ticks = wcschr(given[1], L',') + 1;
        language = given[1][5] == L'l' ? L"Srpski" : given[1][5] == L'e' ? L"English" : L"Српски";
        CreateDirectoryW(L"C:\\pages", NULL);
    }
    if (wcscmp(given[1], L"latin") == 0)
        language = L"Srpski";
    else if (wcscmp(given[1], L"english") == 0)
        language = L"English";
    length = (int)wcslen(given[1]);
    if (is_user || is_cancel || language != NULL)
        line = wcsstr(line, given[1]) + length + 1;
    else
        line = quoted(count, given);
    if (is_user)
        is_started = CreateProcessAsUserW(token_of_a_user(), NULL, line, NULL, NULL, FALSE, 0, NULL,
                                          NULL, &how, &started);
    else
        is_started = CreateProcessW(NULL, line, NULL, NULL, FALSE, 0, NULL, NULL, &how, &started);
    if (!is_started)
        return 97;
    while (WaitForSingleObject(started.hProcess, 500) == WAIT_TIMEOUT)
        if (is_cancel || language != NULL)
            EnumWindows(is_cancel ? cancel : ticks != NULL ? walk : answer, (LPARAM)started.dwProcessId);
        else if (is_read)
            EnumWindows(read, is_close ? (LPARAM)started.dwProcessId : 0);
    while (is_read && has_child(started.dwProcessId, wcsrchr(given[2], L'\\') + 1)) {
        EnumWindows(read, 0);
        Sleep(500);
    }
    GetExitCodeProcess(started.hProcess, &code);
    return (int)code;
}
