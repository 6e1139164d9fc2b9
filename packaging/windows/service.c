/* The Windows service "pos-app": keeps `pos-app.exe server` running on one data folder.
 *
 * pos-app-service.exe --data DIR       as the service manager starts it
 * pos-app-service.exe --install DIR    registers it, to start with Windows, on that data folder
 * pos-app-service.exe --start          waits until it runs
 * pos-app-service.exe --stop           waits until it has stopped; status 3 where it did not run
 * pos-app-service.exe --remove         stops it and takes it out
 *
 * The log of its server is DIR\logs\\service.log; beyond 8 MB it is kept as service.old.log.
 * The server is started again when it ends, after 1 s and then each time twice as long, up to 30 s.
 * To stop it the service runs `pos-app.exe stop --service`, which lets it finish what it is at; one that does
 * not end within 20 s is ended. All processes share a job, so that none outlives the service.
 */
#define _WIN32_WINNT 0x0A00
#include <windows.h>
#include <stdio.h>
#include <wchar.h>

#define LONGEST 32768
#define STOP_MS 20000
#define LONGEST_PAUSE_MS 30000
#define STEADY_MS 30000
#define LONGEST_LOG (8 * 1024 * 1024)

static SERVICE_STATUS_HANDLE manager;
static SERVICE_STATUS status = {.dwServiceType = SERVICE_WIN32_OWN_PROCESS};
static HANDLE stopping, job;
static wchar_t folder[LONGEST], data[LONGEST];

static void tell(DWORD state, DWORD wait_ms)
{
    status.dwCurrentState = state;
    status.dwWaitHint = wait_ms;
    status.dwCheckPoint = wait_ms ? status.dwCheckPoint + 1 : 0;
    status.dwControlsAccepted =
        state == SERVICE_RUNNING ? SERVICE_ACCEPT_STOP | SERVICE_ACCEPT_SHUTDOWN : 0;
    SetServiceStatus(manager, &status);
}

static DWORD WINAPI on_control(DWORD control, DWORD event, void *more, void *context)
{
    (void)event, (void)more, (void)context;
    if (control == SERVICE_CONTROL_STOP || control == SERVICE_CONTROL_SHUTDOWN) {
        tell(SERVICE_STOP_PENDING, STOP_MS + 5000);
        SetEvent(stopping);
        return NO_ERROR;
    }
    return control == SERVICE_CONTROL_INTERROGATE ? NO_ERROR : ERROR_CALL_NOT_IMPLEMENTED;
}

/* Where the words of a child go; an old file that has grown long is put aside. */
static HANDLE open_log(void)
{
    static wchar_t name[LONGEST], old[LONGEST];
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    WIN32_FILE_ATTRIBUTE_DATA told;
    _snwprintf(name, LONGEST - 1, L"%ls\\logs", data);
    CreateDirectoryW(name, NULL);
    _snwprintf(name, LONGEST - 1, L"%ls\\logs\\service.log", data);
    _snwprintf(old, LONGEST - 1, L"%ls\\logs\\service.old.log", data);
    if (GetFileAttributesExW(name, GetFileExInfoStandard, &told) && told.nFileSizeLow > LONGEST_LOG)
        MoveFileExW(name, old, MOVEFILE_REPLACE_EXISTING);
    return CreateFileW(name, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                       OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
}

/* `pos-app.exe WORDS --data DATA`; its process, or NULL. */
static HANDLE start(const wchar_t *words)
{
    static wchar_t line[LONGEST];
    HANDLE log = open_log();
    STARTUPINFOW how = {.cb = sizeof how, .dwFlags = STARTF_USESTDHANDLES, .hStdError = log};
    PROCESS_INFORMATION started;
    BOOL is_started;
    if (_snwprintf(line, LONGEST - 1, L"\"%ls\\pos-app.exe\" %ls --data \"%ls\"", folder, words,
                   data) < 0)
        return NULL;
    is_started = CreateProcessW(NULL, line, NULL, NULL, TRUE, CREATE_NO_WINDOW | CREATE_SUSPENDED,
                                NULL, folder, &how, &started);
    if (log != INVALID_HANDLE_VALUE)
        CloseHandle(log);
    if (!is_started)
        return NULL;
    AssignProcessToJobObject(job, started.hProcess);
    ResumeThread(started.hThread);
    CloseHandle(started.hThread);
    return started.hProcess;
}

static void end(HANDLE server)
{
    HANDLE asking = start(L"stop --service --wait 15");
    if (asking != NULL) {
        WaitForSingleObject(asking, STOP_MS);
        CloseHandle(asking);
    }
    if (WaitForSingleObject(server, asking == NULL ? 0 : 2000) != WAIT_OBJECT_0)
        TerminateProcess(server, 1);
    WaitForSingleObject(server, 2000);
}

static void keep_server(void)
{
    DWORD pause = 1000;
    for (;;) {
        HANDLE server = start(L"server");
        DWORD began = GetTickCount();
        if (server != NULL) {
            HANDLE either[] = {stopping, server};
            DWORD which = WaitForMultipleObjects(2, either, FALSE, INFINITE);
            if (which == WAIT_OBJECT_0)
                end(server);
            CloseHandle(server);
        }
        if (GetTickCount() - began > STEADY_MS)
            pause = 1000;
        if (WaitForSingleObject(stopping, pause) == WAIT_OBJECT_0)
            return;
        pause = pause * 2 < LONGEST_PAUSE_MS ? pause * 2 : LONGEST_PAUSE_MS;
    }
}

static void WINAPI serve(DWORD count, wchar_t **given)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {0};
    (void)count, (void)given;
    manager = RegisterServiceCtrlHandlerExW(L"pos-app", on_control, NULL);
    if (manager == NULL)
        return;
    stopping = CreateEventW(NULL, TRUE, FALSE, NULL);
    job = CreateJobObjectW(NULL, NULL);
    limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit);
    tell(SERVICE_RUNNING, 0);
    keep_server();
    tell(SERVICE_STOPPED, 0);
}


/* --- what the installer asks ------------------------------------------------------------------ */

static int wait_for(SC_HANDLE service, DWORD state)
{
    SERVICE_STATUS now;
    for (int turn = 0; turn < 400; turn++) {
        if (!QueryServiceStatus(service, &now))
            return 1;
        if (now.dwCurrentState == state)
            return 0;
        Sleep(100);
    }
    return 1;
}

static int stop_service(SC_HANDLE service)
{
    SERVICE_STATUS now;
    if (!ControlService(service, SERVICE_CONTROL_STOP, &now))
        return GetLastError() == ERROR_SERVICE_NOT_ACTIVE ? 3 : 1;
    return wait_for(service, SERVICE_STOPPED);
}

static int start_service(SC_HANDLE service)
{
    if (!StartServiceW(service, 0, NULL) && GetLastError() != ERROR_SERVICE_ALREADY_RUNNING)
        return 1;
    return wait_for(service, SERVICE_RUNNING);
}

/* Registers the service anew, or the one that is there with this program and data folder. */
static int install_service(SC_HANDLE services)
{
    static wchar_t line[LONGEST];
    SERVICE_DESCRIPTIONW about = {L"Локални фискални API / the local fiscal API of pos-app"};
    SC_HANDLE service;
    _snwprintf(line, LONGEST - 1, L"\"%ls\\pos-app-service.exe\" --data \"%ls\"", folder, data);
    service = OpenServiceW(services, L"pos-app", SERVICE_ALL_ACCESS);
    if (service == NULL)
        service = CreateServiceW(services, L"pos-app", L"pos-app", SERVICE_ALL_ACCESS,
                                 SERVICE_WIN32_OWN_PROCESS, SERVICE_AUTO_START,
                                 SERVICE_ERROR_NORMAL, line, NULL, NULL, NULL,
                                 L"NT AUTHORITY\\LocalService", L"");
    else if (!ChangeServiceConfigW(service, SERVICE_NO_CHANGE, SERVICE_AUTO_START,
                                   SERVICE_NO_CHANGE, line, NULL, NULL, NULL, NULL, NULL, NULL))
        return 1;
    if (service == NULL)
        return 1;
    ChangeServiceConfig2W(service, SERVICE_CONFIG_DESCRIPTION, &about);
    CloseServiceHandle(service);
    return 0;
}

static int asked(const wchar_t *word)
{
    SC_HANDLE services = OpenSCManagerW(NULL, NULL, SC_MANAGER_ALL_ACCESS), service;
    int result;
    if (services == NULL)
        return 2;
    if (wcscmp(word, L"--install") == 0)
        return install_service(services);
    service = OpenServiceW(services, L"pos-app", SERVICE_ALL_ACCESS);
    if (service == NULL)
        return 3;
    if (wcscmp(word, L"--start") == 0)
        return start_service(service);
    result = stop_service(service);
    if (wcscmp(word, L"--remove") == 0 && result != 1)
        result = DeleteService(service) ? 0 : 1;
    return result;
}

int wmain(int count, wchar_t **given)
{
    SERVICE_TABLE_ENTRYW services[] = {{L"pos-app", serve}, {NULL, NULL}};
    wchar_t *last;
    if (count < 2 || count > 3 || (count == 3 && wcslen(given[2]) > LONGEST / 2)) {
        fwprintf(stderr, L"usage: pos-app-service.exe --install DIR | --start | --stop | --remove\n");
        return 2;
    }
    if (GetModuleFileNameW(NULL, folder, LONGEST) == 0 || (last = wcsrchr(folder, L'\\')) == NULL)
        return 1;
    *last = 0;
    wcscpy(data, count == 3 ? given[2] : L"");
    if (wcscmp(given[1], L"--data") != 0)
        return asked(given[1]);
    if (!StartServiceCtrlDispatcherW(services)) {
        fwprintf(stderr, L"Only the service manager of Windows can start this program.\n");
        return 1;
    }
    return 0;
}
