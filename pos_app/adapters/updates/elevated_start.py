"""Has an installer checked and started by an administrator on Windows, where a person is asked for
consent, and checks before whether it would close the till.

Source: updates.md.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from pos_app.adapters.data_folder.first_start_file import shops_in
from pos_app.adapters.data_folder.running_mark import others_run
from pos_app.adapters.updates import elevated_install
from pos_app.adapters.updates.source import unusable
from pos_app.errors import NotAllowed, Refused
from pos_app.installed import command, launchers
from pos_app.settings import folder_mark

if sys.platform == "win32":
    import winreg

_ELEVATED = "pos_app.adapters.updates.elevated_install"
_NO_ASYNC = 0x100
"""The shell starts the program before the call returns."""
_WITH_PROCESS = 0x40
"""The shell returns the process that it started."""
_HIDDEN = 0
_FOR_EVER = 0xFFFFFFFF
_DECLINED = 1223
"""The error when the person who was asked for an administrator's consent declined."""


def main_shop() -> Path | None:
    """Return the data folder that the installer knows, or None where we were not installed."""
    if sys.platform == "win32" and launchers() is not None:
        access = winreg.KEY_READ | winreg.KEY_WOW64_64KEY
        try:
            with winreg.OpenKey(
                winreg.HKEY_LOCAL_MACHINE, r"Software\pos-app", 0, access
            ) as software:
                return Path(winreg.QueryValueEx(software, "Data")[0])
        except OSError:  # an installed program is registered
            return None
    return None


def check_installer_closes(
    data: Path,
    *,
    main: Callable[[], Path | None] = main_shop,
    is_another_open: Callable[[Iterable[Path]], bool] = others_run,
) -> None:
    """Raise NotAllowed where the installer would not close the till of `data`: it knows one shop of
    the computer, and closes nothing while a second one is open.

    | this till          | other shops | the installer      |
    | the main shop's    | closed      | closes it          |
    | its demo's         | closed      | closes it          |
    | the main shop's    | one is open | leaves all as it is |
    | another shop's     | any         | leaves all as it is |
    """
    shop = main()
    if shop is None:
        return
    own = shops_in(shop)
    if folder_mark(data) not in {folder_mark(one) for one in own}:
        raise NotAllowed("update_other_till", path=str(shop))
    if is_another_open(own):
        raise NotAllowed("update_second_shop")


def start_elevated(manifest: Path, installer: Path) -> None:
    """Have an installer checked and started by an administrator. Raises NotAllowed if nobody is an
    administrator, or the person declines; Refused if the installer is not what the manifest says
    and the maker signed."""
    if sys.platform == "win32" and launchers() is not None:
        program, *words = command(_ELEVATED)
        info = _ShellExecuteInfo(
            mask=_NO_ASYNC | _WITH_PROCESS,
            verb="runas",
            file=program,
            show=_HIDDEN,
            parameters=subprocess.list2cmdline([*words, str(manifest), str(installer)]),
        )
        info.size = ctypes.sizeof(info)
        shell = ctypes.WinDLL("shell32", use_last_error=True)
        if not shell.ShellExecuteExW(ctypes.byref(info)):
            raise _not_started(ctypes.get_last_error())
        check_ended_well(_exit_code(info.process))
        return
    raise NotAllowed("update_by_hand")


def _exit_code(process: int) -> int:
    """Return the exit code of a process that ends soon: it waits for nothing."""
    code = ctypes.c_uint32()
    if sys.platform == "win32":
        kernel, handle = ctypes.WinDLL("kernel32"), ctypes.c_void_p(process)
        kernel.WaitForSingleObject(handle, _FOR_EVER)
        kernel.GetExitCodeProcess(handle, ctypes.byref(code))
        kernel.CloseHandle(handle)
    return code.value


def check_ended_well(code: int) -> None:
    """Check the exit code of `elevated_install`. Raises Refused, NotAllowed."""
    if code == elevated_install.NOT_SIGNED:
        raise _exchanged()
    if code == elevated_install.NOT_NEWER:
        raise _not_newer()
    if code == elevated_install.NO_SOURCE:
        raise unusable("the program that an administrator started could not use it")
    if code != 0:
        raise NotAllowed("update_not_started", number=code)


def _exchanged() -> Refused:
    return Refused("update_exchanged")


def _not_newer() -> Refused:
    return Refused(elevated_install.NOT_NEWER_KIND)


def _not_started(number: int) -> NotAllowed:
    kind = "no_administrator.declined" if number == _DECLINED else "no_administrator.error"
    return NotAllowed(kind, number=number)


class _ShellExecuteInfo(ctypes.Structure):
    """SHELLEXECUTEINFOW."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("mask", ctypes.c_ulong),
        ("window", ctypes.c_void_p),
        ("verb", ctypes.c_wchar_p),
        ("file", ctypes.c_wchar_p),
        ("parameters", ctypes.c_wchar_p),
        ("folder", ctypes.c_wchar_p),
        ("show", ctypes.c_int),
        ("instance", ctypes.c_void_p),
        ("item_list", ctypes.c_void_p),
        ("class_name", ctypes.c_wchar_p),
        ("class_key", ctypes.c_void_p),
        ("hot_key", ctypes.c_uint32),
        ("icon", ctypes.c_void_p),
        ("process", ctypes.c_void_p),
    )
