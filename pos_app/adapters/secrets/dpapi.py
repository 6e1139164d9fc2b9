"""Keeps the key of sealed secrets on Windows, sealed for this machine, in a protected file.

The key has machine scope, because a service has no lasting Credential Locker. So every account of
the machine can decrypt the file if it can read it: the file's rights protect the key here, and
DPAPI protects copies elsewhere. Source: Microsoft, "CryptProtectData" (dpapi.h), "SetFileSecurityW"
(securitybaseapi.h); exactly-once.md, "Other holes".
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import byref
from pathlib import Path
from typing import Any

from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.secrets.key_keeper import KEY_FILE, KeyLost

_UI_FORBIDDEN, _LOCAL_MACHINE = 0x1, 0x4
_DACL_INFORMATION, _PROTECTED = 0x4, 0x80000000
_SDDL_REVISION = 1
RIGHTS = "D:P(A;;FA;;;OW)(A;;FA;;;SY)(A;;FA;;;BA)"
"""Nothing is inherited; the owner, the system and administrators have full access."""


class Blob(ctypes.Structure):
    """DATA_BLOB."""

    _fields_ = (("size", ctypes.c_uint32), ("pointer", ctypes.POINTER(ctypes.c_char)))

    @classmethod
    def of(cls, content: bytes) -> Blob:
        """Make a blob. The buffer lives as long as the blob does."""
        buffer = ctypes.create_string_buffer(content, len(content))
        return cls(len(content), ctypes.cast(buffer, ctypes.POINTER(ctypes.c_char)))

    def content(self) -> bytes:
        return ctypes.string_at(self.pointer, self.size)


class WindowsCalls:
    """The libraries as Windows has them; tests give others."""

    crypt: Any
    security: Any
    kernel: Any

    def __init__(self) -> None:
        if sys.platform == "win32":
            self.crypt = ctypes.WinDLL("crypt32", use_last_error=True)
            self.security = ctypes.WinDLL("advapi32", use_last_error=True)
            self.kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            self.kernel.LocalFree.argtypes = [ctypes.c_void_p]


class MachineKey:
    """Implements KeyKeeper with DPAPI in machine scope."""

    name = "machine"
    words = "Their key is sealed for this machine, in a file that the server's account can read."

    def __init__(self, data: Path, calls: Any = None) -> None:
        self._path = data / KEY_FILE
        self._calls = calls or WindowsCalls()

    def store(self, key: bytes, *, owner: str) -> None:
        """Write the key. The rights are set before the content: nobody can read it in between."""
        sealed = self._transformed("CryptProtectData", key, owner)
        write_private(self._path, b"")
        self._take_rights_away()
        with self._path.open("r+b") as file:
            file.write(sealed)
            file.flush()
            os.fsync(file.fileno())

    def key(self, *, owner: str) -> bytes:
        try:
            sealed = self._path.read_bytes()
        except OSError as error:
            raise KeyLost(f"Their key can't be read: {self._path}.") from error
        return self._transformed("CryptUnprotectData", sealed, owner)

    def _transformed(self, name: str, content: bytes, owner: str) -> bytes:
        given, salt, made = Blob.of(content), Blob.of(owner.encode()), Blob()
        flags = _UI_FORBIDDEN | _LOCAL_MACHINE
        call = getattr(self._calls.crypt, name)
        if not call(byref(given), None, byref(salt), None, None, flags, byref(made)):
            raise KeyLost("Windows can't seal or open their key on this machine.")
        try:
            return made.content()
        finally:
            self._calls.kernel.LocalFree(made.pointer)

    def _take_rights_away(self) -> None:
        security, descriptor = self._calls.security, ctypes.c_void_p()
        made = security.ConvertStringSecurityDescriptorToSecurityDescriptorW(
            RIGHTS, _SDDL_REVISION, byref(descriptor), None
        )
        try:
            what = ctypes.c_uint32(_DACL_INFORMATION | _PROTECTED)
            if not made or not security.SetFileSecurityW(str(self._path), what, descriptor):
                raise KeyLost(f"Windows refused to keep others from {self._path}.")
        finally:
            if made:
                self._calls.kernel.LocalFree(descriptor)


def is_service(calls: Any = None) -> bool:
    """Tell whether this process runs in session 0, where Windows keeps its services."""
    kernel, session = (calls or WindowsCalls()).kernel, ctypes.c_uint32()
    asked = kernel.ProcessIdToSessionId(os.getpid(), byref(session))
    return bool(asked) and session.value == 0
