"""Starts an installer as administrator on Windows, which asks a person for the word.

Source: updates.md.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

from pos_app.errors import NotAllowed

SWITCHES = "/S /CLOSE /RESTART"
"""Without a question, closing the till first and opening it afterwards."""
_NO_ASYNC = 0x100
"""The shell starts it before the call returns."""
_DECLINED = 1223
"""Whoever was asked for an administrator's word said no."""


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
