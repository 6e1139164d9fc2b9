"""On Windows: mutexes by which an installer of any session and account sees that a program runs.

`Global\\pos-app-till` while any till runs, and with the data folder's 24 hex digits behind it while
one runs on that folder; likewise `server`. They end with the program, however it ends. Whoever asks
takes ERROR_ACCESS_DENIED for "it runs".
Source: windows.md ("Layout and behaviour").
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pos_app import log
from pos_app.settings import folder_mark

Program = Literal["till", "server"]

_log = log.get(__name__)


def names_of(program: Program, data: Path) -> tuple[str, str]:
    """The mutex of any such program, and that of the one on this folder."""
    every = f"Global\\pos-app-{program}"
    return every, f"{every}-{folder_mark(data)}"


if sys.platform == "win32":
    from ctypes import wintypes

    _ANYBODY_MAY_LOOK = "D:(A;;0x100000;;;WD)(A;;0x1F0001;;;BA)"
    """SYNCHRONIZE for all, so that a till of another account can hold the same mutex."""
    _SYNCHRONIZE = 0x100000

    class _Security(ctypes.Structure):
        _fields_ = (
            ("length", wintypes.DWORD),
            ("descriptor", ctypes.c_void_p),
            ("inherited", wintypes.BOOL),
        )

    def _made(name: str) -> int | None:
        """A handle of the mutex, made or opened; None where the system gives none."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        advapi = ctypes.WinDLL("advapi32", use_last_error=True)
        kernel.CreateMutexW.restype = kernel.OpenMutexW.restype = ctypes.c_void_p
        descriptor = ctypes.c_void_p()
        read = advapi.ConvertStringSecurityDescriptorToSecurityDescriptorW
        read(ctypes.c_wchar_p(_ANYBODY_MAY_LOOK), 1, ctypes.byref(descriptor), None)
        security = _Security(ctypes.sizeof(_Security), descriptor, False)
        handle: int | None = kernel.CreateMutexW(
            ctypes.byref(security), False, ctypes.c_wchar_p(name)
        )
        kernel.LocalFree(descriptor)
        handle = handle or kernel.OpenMutexW(_SYNCHRONIZE, False, ctypes.c_wchar_p(name))
        if not handle:
            _log.warning("no mutex %s: error %d", name, ctypes.get_last_error())
        return handle

    @contextmanager
    def marked(program: Program, data: Path) -> Iterator[None]:
        """While inside, other programs see that this one runs."""
        handles = [_made(name) for name in names_of(program, data)]
        try:
            yield
        finally:
            for handle in filter(None, handles):
                ctypes.windll.kernel32.CloseHandle(ctypes.c_void_p(handle))

else:

    @contextmanager
    def marked(program: Program, data: Path) -> Iterator[None]:
        """Other systems have no use for it."""
        yield
