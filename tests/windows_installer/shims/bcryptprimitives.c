/* For wine 8 alone: chance, as Rust asks Windows for it. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(void *bytes, SIZE_T count)
{
    return RtlGenRandom(bytes, (ULONG)count);
}
