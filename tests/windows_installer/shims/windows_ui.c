/* For wine 8 alone: the settings of Windows's own look, as Qt asks for them through WinRT. Each
 * colour is white, and no change is ever told. */
#include <windows.h>

typedef struct Object {
    void *const *methods;
} Object;

static HRESULT WINAPI ask(Object *, const GUID *, void **);
static ULONG WINAPI count(Object *one) { return (void)one, 2; }
static HRESULT WINAPI no_ids(Object *one, ULONG *number, GUID **ids)
{
    (void)one;
    *number = 0;
    *ids = NULL;
    return S_OK;
}
static HRESULT WINAPI no_name(Object *one, void **name)
{
    (void)one;
    *name = NULL;
    return S_OK;
}
static HRESULT WINAPI base_trust(Object *one, int *level)
{
    (void)one;
    *level = 0;
    return S_OK;
}
static HRESULT WINAPI missing(Object *one) { return (void)one, E_NOTIMPL; }

#define INSPECTABLE ask, count, count, no_ids, no_name, base_trust

static HRESULT WINAPI colour(Object *one, int kind, DWORD *value)
{
    (void)one, (void)kind;
    *value = 0xFFFFFFFF;
    return S_OK;
}
static HRESULT WINAPI watch(Object *one, void *handler, INT64 *token)
{
    (void)one, (void)handler;
    *token = 1;
    return S_OK;
}
static HRESULT WINAPI forget(Object *one, INT64 token) { return (void)one, (void)token, S_OK; }

static void *const general[] = {
    INSPECTABLE, missing, missing, missing, missing, missing, missing, missing, missing,
    missing,     missing, missing, missing, missing, missing, missing, missing, missing,
};
static void *const coloured[] = {INSPECTABLE, colour, watch, forget};
static Object settings = {general}, colours = {coloured};

static HRESULT WINAPI activate(Object *one, void **made)
{
    (void)one;
    *made = &settings;
    return S_OK;
}
static void *const factory_methods[] = {INSPECTABLE, activate};
static Object factory = {factory_methods};

static const GUID unknown = {0, 0, 0, {0xC0, 0, 0, 0, 0, 0, 0, 0x46}};
static const GUID inspectable = {
    0xAF86E2E0, 0xB12D, 0x4C6A, {0x9C, 0x5A, 0xD7, 0xAA, 0x65, 0x10, 0x1E, 0x90}};
static const GUID activation = {
    0x00000035, 0, 0, {0xC0, 0, 0, 0, 0, 0, 0, 0x46}};
static const GUID first = {
    0x85361600, 0x1C63, 0x4627, {0xBC, 0xB1, 0x3A, 0x89, 0xE0, 0xBC, 0x9C, 0x55}};
static const GUID third = {
    0x03021BE4, 0x5254, 0x4781, {0x81, 0x94, 0x51, 0x68, 0xF7, 0xD0, 0x6D, 0x7B}};

static HRESULT WINAPI ask(Object *one, const GUID *wanted, void **found)
{
    *found = NULL;
    if (IsEqualGUID(wanted, &third))
        *found = &colours;
    else if (IsEqualGUID(wanted, &first))
        *found = &settings;
    else if (IsEqualGUID(wanted, &unknown) || IsEqualGUID(wanted, &inspectable) ||
             (one == &factory && IsEqualGUID(wanted, &activation)))
        *found = one;
    return *found == NULL ? E_NOINTERFACE : S_OK;
}

__declspec(dllexport) HRESULT WINAPI DllGetActivationFactory(void *name, void **found)
{
    (void)name;
    *found = &factory;
    return S_OK;
}
