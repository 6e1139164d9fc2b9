"""One typed settings object for all programs: its shapes, how it is read, what is wrong with it."""

from __future__ import annotations

from pos_app.settings.faults import check_folder
from pos_app.settings.reading import (
    FILE_NAME,
    check_text,
    default_data_folder,
    folder_mark,
    from_environment,
    load,
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
    "LOOPBACK",
    "PlatformOperation",
    "PlatformSettings",
    "PrinterSettings",
    "ScannerSettings",
    "Settings",
    "check_folder",
    "check_text",
    "default_data_folder",
    "folder_mark",
    "from_environment",
    "is_platform_address",
    "load",
    "names",
    "refused",
    "variable_that_sets",
]
