"""How the product is there: installed with launchers of its own, or as a package of some Python.

A launcher of the Windows installer (`packaging/windows/launcher.c`) names its folder in the
environment, for itself and for what it starts, and for the till an event: it says how the till
ended unless the event was set before.
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
    """The folder of the launchers, None where a Python of the user's own runs the product."""
    told = os.environ.get(VARIABLE, "")
    return Path(told) if told else None


def command(module: str = "pos_app") -> tuple[str, ...]:
    """The first words of a command line that runs a module of the product as a program."""
    place = launchers()
    if place is None:
        return (sys.executable, "-P", "-m", module)  # nothing of the current folder is imported
    program = str(place / _CONSOLE)
    return (program,) if module == "pos_app" else (program, "-m", module)


def data_folder() -> Path | None:
    """Where an installed product keeps its data: one place for all accounts of the computer."""
    shared = os.environ.get("PROGRAMDATA", "")
    if sys.platform == "win32" and shared and launchers() is not None:
        return Path(shared) / "pos-app"
    return None


def default_data_folder() -> Path:
    """The place for this product's data: the installation's, else the user's own."""
    return data_folder() or Path(platformdirs.user_data_dir("pos-app", appauthor=False))


def first_window_stood() -> None:
    """A person saw the till, or its own words why it can't open: the launcher says nothing more."""
    event = os.environ.pop(_FIRST_WINDOW, "")
    if event and sys.platform == "win32":
        handle = ctypes.c_void_p(int(event))
        ctypes.windll.kernel32.SetEvent(handle)
        ctypes.windll.kernel32.CloseHandle(handle)
