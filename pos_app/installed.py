"""The product is installed with launchers of its own, or as a package of some Python.

A launcher of the Windows installer (`packaging/windows/launcher.c`) puts its folder into the
environment, for itself and the programs that it starts, and the handle of an event for the till. If
the till ends before it has set the event, the launcher reports how the till ended.
"""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from pathlib import Path

import platformdirs

from pos_app.errors import MachineError

VARIABLE = "POS_APP_INSTALLED"
_CONSOLE = "pos-app.exe"
_PRODUCT = Path(__file__).parent
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


_Files = dict[str, tuple[int, int]]
"""The size and the time of each source file of the product."""
_noted: _Files = {}
_is_service = False


def note_files(*, is_service: bool = False) -> None:
    """Note the files of this program, which a package may exchange while it runs. Windows exchanges
    no file of an open program, and a checkout is edited. is_service: nobody sees a window of this
    program."""
    global _is_service  # noqa: PLW0603
    _is_service = is_service
    if sys.platform != "win32" and not (_PRODUCT.parent / "pyproject.toml").exists():
        _noted.update(_present_files())


def is_replaced() -> bool:
    """Tell whether the noted files are others now. It takes some milliseconds."""
    return bool(_noted) and _present_files() != _noted


def check_own() -> None:
    """Raise MachineError where a process that is started now would be of another version than this
    one: the two do not fit each other, and their files may not even be the same set."""
    if is_replaced():
        raise MachineError("service_replaced" if _is_service else "program_replaced")


def _present_files() -> _Files:
    found = {}
    for folder, _, names in os.walk(_PRODUCT):
        for name in names:
            if name.endswith(".py"):
                with suppress(OSError):  # it went meanwhile, so the files are others
                    about = (path := Path(folder, name)).stat()
                    found[str(path)] = (about.st_size, about.st_mtime_ns)
    return found


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
