/* In place of a program of Windows: does nothing of what it is asked, notes the words beside itself
 * in a file `.asked`, and ends with 5.
 */
#include <windows.h>
#include <stdio.h>
#include <wchar.h>

int wmain(void)
{
    static wchar_t name[32768];
    FILE *asked;
    GetModuleFileNameW(NULL, name, 32000);
    wcscat(name, L".asked");
    asked = _wfopen(name, L"a");
    if (asked != NULL) {
        fwprintf(asked, L"%ls\n", GetCommandLineW());
        fclose(asked);
    }
    printf("Access is denied.\n");
    return 5;
}
