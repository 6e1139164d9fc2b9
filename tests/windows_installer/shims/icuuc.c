/* For wine 8 alone: Windows has ICU of its own, which Qt asks for rare character sets. None is found
 * here. */
#define NONE_FOUND 4

typedef void *Converter;

__declspec(dllexport) Converter ucnv_open(const char *name, int *error)
{
    (void)name;
    *error = NONE_FOUND;
    return 0;
}
__declspec(dllexport) void ucnv_close(Converter one) { (void)one; }
__declspec(dllexport) void ucnv_reset(Converter one) { (void)one; }
__declspec(dllexport) signed char ucnv_getMaxCharSize(Converter one) { return (void)one, 1; }
__declspec(dllexport) int ucnv_countAvailable(void) { return 0; }
__declspec(dllexport) const char *ucnv_getAvailableName(int number) { return (void)number, (char *)0; }

#define NOTHING(NAME)                                                                             \
    __declspec(dllexport) void *NAME(void) { return 0; }

NOTHING(UCNV_FROM_U_CALLBACK_SUBSTITUTE)
NOTHING(UCNV_TO_U_CALLBACK_SUBSTITUTE)
NOTHING(ucnv_getName)
NOTHING(ucnv_getStandardName)
NOTHING(ucnv_getToUCallBack)
NOTHING(ucnv_getFromUCallBack)
NOTHING(ucnv_setToUCallBack)
NOTHING(ucnv_setFromUCallBack)
NOTHING(ucnv_cbToUWriteUChars)
NOTHING(ucnv_cbFromUWriteUChars)
NOTHING(ucnv_toUnicode)
NOTHING(ucnv_fromUnicode)
NOTHING(ucnv_toUCountPending)
NOTHING(ucnv_fromUCountPending)
