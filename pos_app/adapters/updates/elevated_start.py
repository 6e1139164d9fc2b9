"""Starts an installer as administrator on Windows, which asks a person for the word; and tells
whether it would close the till that asks.

Source: updates.md.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from pos_app.adapters.data_folder.first_start_file import shops_in
from pos_app.adapters.data_folder.running_mark import others_run
from pos_app.errors import NotAllowed
from pos_app.installed import launchers
from pos_app.settings import folder_mark

if sys.platform == "win32":
    import winreg

SWITCHES = "/S /CLOSE /RESTART"
"""Without a question, closing the till first and opening it afterwards."""
_NO_ASYNC = 0x100
"""The shell starts it before the call returns."""
_DECLINED = 1223
"""Whoever was asked for an administrator's word said no."""


def main_shop() -> Path | None:
    """The data folder that this computer's installer knows; None where none installed us."""
    if sys.platform == "win32" and launchers() is not None:
        access = winreg.KEY_READ | winreg.KEY_WOW64_64KEY
        try:
            with winreg.OpenKey(
                winreg.HKEY_LOCAL_MACHINE, r"Software\pos-app", 0, access
            ) as software:
                return Path(winreg.QueryValueEx(software, "Data")[0])
        except OSError:  # what is not registered was not installed
            return None
    return None


def check_installer_closes(
    data: Path,
    *,
    main: Callable[[], Path | None] = main_shop,
    is_another_open: Callable[[Iterable[Path]], bool] = others_run,
) -> None:
    """Raises NotAllowed where the installer would not close the till of `data`: it knows one shop
    of the computer, and closes nothing while a second one is open.

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
        raise NotAllowed(
            f"The till of the shop in {shop} installs new versions on this computer.",
            safe="Nothing was changed.",
            do="Close this till, open that one, and install there.",
            kind="update_other_till",
            path=str(shop),
        )
    if is_another_open(own):
        raise NotAllowed(
            "A second shop is open on this computer.",
            safe="Nothing was changed.",
            do="Close its till, then install.",
            kind="update_second_shop",
        )


def start_elevated(installer: Path) -> None:
    """Start an installer as administrator. Raises NotAllowed where nobody is one, or says no."""
    if sys.platform == "win32":
        told = _ShellExecuteInfo(
            mask=_NO_ASYNC, verb="runas", file=str(installer), parameters=SWITCHES, show=1
        )
        told.size = ctypes.sizeof(told)
        shell = ctypes.WinDLL("shell32", use_last_error=True)
        if shell.ShellExecuteExW(ctypes.byref(told)):
            return
        raise _not_started(ctypes.get_last_error())
    raise NotAllowed("This system has its own way of installing.", kind="update_by_hand")


def _not_started(number: int) -> NotAllowed:
    """number: of the Windows error."""
    return NotAllowed(
        "The installer was not started: Windows wants an administrator's word."
        if number == _DECLINED
        else f"The installer was not started: Windows error {number}.",
        safe="The till goes on as it is.",
        do="Call somebody who is an administrator of this computer, then install.",
        kind="no_administrator",
        number=number,
    )


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
