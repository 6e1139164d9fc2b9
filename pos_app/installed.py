"""The product is installed with launchers of its own, or as a package of some Python.

A launcher of the Windows installer (`packaging/windows/launcher.c`) puts its folder into the
environment, for itself and the programs that it starts, and the handle of an event for the till. If
the till ends before it has set the event, the launcher reports how the till ended.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

import platformdirs

VARIABLE = "POS_APP_INSTALLED"
_CONSOLE = "pos-app.exe"
_FIRST_WINDOW = "POS_APP_FIRST_WINDOW"


def launchers() -> Path | None:
    """The folder of the launchers, or None where a Python of the user's own runs the product."""
    folder = os.environ.get(VARIABLE, "")
    return Path(folder) if folder else None


def command(module: str = "pos_app") -> tuple[str, ...]:
    """The first words of a command line that runs a module of the product as a program."""
    path = launchers()
    if path is None:
        return (sys.executable, "-P", "-m", module)  # nothing of the current folder is imported
    program = str(path / _CONSOLE)
    return (program,) if module == "pos_app" else (program, "-m", module)


def data_folder() -> Path | None:
    """The data folder of an installed product, the same for all accounts of the computer, or
    None."""
    shared = os.environ.get("PROGRAMDATA", "")
    if sys.platform == "win32" and shared and launchers() is not None:
        return Path(shared) / "pos-app"
    return None


def default_data_folder() -> Path:
    """The folder for this product's data: the installation's folder, else the user's own."""
    return data_folder() or Path(platformdirs.user_data_dir("pos-app", appauthor=False))


def first_window_stood() -> None:
    """Tell the launcher that a person saw the till, or the till's message why it can't open. The
    launcher then reports nothing."""
    event = os.environ.pop(_FIRST_WINDOW, "")
    if event and sys.platform == "win32":
        handle = ctypes.c_void_p(int(event))
        ctypes.windll.kernel32.SetEvent(handle)
        ctypes.windll.kernel32.CloseHandle(handle)
