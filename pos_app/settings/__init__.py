"""One typed settings object for all programs: its shapes, its reading, its faults."""

from pos_app.installed import default_data_folder
from pos_app.settings.faults import LAST_GOOD, PUT_BACK, check_folder, is_empty
from pos_app.settings.reading import (
    FILE_NAME,
    check_text,
    file_text,
    folder_mark,
    from_environment,
    load,
    named,
    names,
    refused,
    variable_that_sets,
)
from pos_app.settings.shapes import (
    EVERYWHERE,
    LOOPBACK,
    PlatformOperation,
    PlatformSettings,
    PrinterSettings,
    ScannerSettings,
    Settings,
    is_platform_address,
)

__all__ = [
    "EVERYWHERE",
    "FILE_NAME",
    "LAST_GOOD",
    "LOOPBACK",
    "PUT_BACK",
    "PlatformOperation",
    "PlatformSettings",
    "PrinterSettings",
    "ScannerSettings",
    "Settings",
    "check_folder",
    "check_text",
    "default_data_folder",
    "file_text",
    "folder_mark",
    "from_environment",
    "is_empty",
    "is_platform_address",
    "load",
    "named",
    "names",
    "refused",
    "variable_that_sets",
]
