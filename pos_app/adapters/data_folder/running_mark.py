"""Mutexes on Windows, by which an installer of any session and account sees that a program runs.

`Global\\pos-app-till` exists while any till runs; with the data folder's 24 hex digits behind it,
while one runs on that folder. The same holds for `server`. A mutex ends with its program, however
that ends. ERROR_ACCESS_DENIED means that the program runs. Each program has one handle of each of
its two mutexes, so that the handles tell how many programs there are.
Source: windows.md ("Layout and behaviour").
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pos_app import log
from pos_app.settings import folder_mark

Program = Literal["till", "server"]
_PROGRAMS: tuple[Program, ...] = ("till", "server")

_log = log.get(__name__)


def names_of(program: Program, data: Path) -> tuple[str, str]:
    """Return the names of two mutexes: of any such program, and of one on this folder."""
    every = f"Global\\pos-app-{program}"
    return every, f"{every}-{folder_mark(data)}"


def others_run(folders: Iterable[Path], *, count: Callable[[str], int] | None = None) -> bool:
    """Tell whether a till or a server runs on a folder that is none of these; False where the
    system has no such marks. count: returns how many programs hold a mutex.

    | tills | of them on these folders | servers | of them on these folders | others |
    | 1     | 1 (demo)                 | 2       | 2 (demo, and the shop's) | no     |
    | 2     | 1                        | 2       | 1                        | yes    |
    """
    counted = count or _holders
    own = tuple(folders)
    for program in _PROGRAMS:
        every = counted(f"Global\\pos-app-{program}")
        if every > sum(counted(names_of(program, folder)[1]) for folder in own):
            return True
    return False


if sys.platform == "win32":
    from ctypes import wintypes

    _ANYBODY_MAY_LOOK = "D:(A;;0x100000;;;WD)(A;;0x1F0001;;;BA)"
    """SYNCHRONIZE is allowed to all, so that a till of another account can hold the same mutex."""
    _SYNCHRONIZE = 0x100000
    _ACCESS_DENIED = 5

    class _Security(ctypes.Structure):
        _fields_ = (
            ("length", wintypes.DWORD),
            ("descriptor", ctypes.c_void_p),
            ("inherited", wintypes.BOOL),
        )

    def _made(name: str) -> int | None:
        """Make or open the mutex, and return its handle, or None where the system gives none."""
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

    class _ObjectInformation(ctypes.Structure):
        _fields_ = (
            ("attributes", wintypes.ULONG),
            ("access", wintypes.DWORD),
            ("handles", wintypes.ULONG),
            ("more", wintypes.ULONG * 11),
        )

    def _holders(name: str) -> int:
        """Return how many programs hold this mutex; 1 where the system does not tell."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenMutexW.restype = ctypes.c_void_p
        handle = kernel.OpenMutexW(_SYNCHRONIZE, False, ctypes.c_wchar_p(name))
        if not handle:
            return int(ctypes.get_last_error() == _ACCESS_DENIED)
        information = _ObjectInformation()
        query = ctypes.WinDLL("ntdll").NtQueryObject
        failed = query(
            ctypes.c_void_p(handle),
            0,
            ctypes.byref(information),
            ctypes.sizeof(information),
            ctypes.c_void_p(),
        )
        kernel.CloseHandle(ctypes.c_void_p(handle))
        return 1 if failed else int(information.handles) - 1  # without the handle of this look

    @contextmanager
    def marked(program: Program, data: Path) -> Iterator[None]:
        """Show other programs that this one runs, while inside."""
        # The folder's mutex is held longer, so that no other folder's is ever seen in its stead.
        handles = [_made(name) for name in reversed(names_of(program, data))]
        try:
            yield
        finally:
            for handle in filter(None, reversed(handles)):
                ctypes.windll.kernel32.CloseHandle(ctypes.c_void_p(handle))

else:

    def _holders(name: str) -> int:
        return 0

    @contextmanager
    def marked(program: Program, data: Path) -> Iterator[None]:
        yield
