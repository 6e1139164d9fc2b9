"""Windows' functions for sealed secrets at the border of ctypes: crypt32, advapi32 and kernel32
with the pointers they are given.

Written from Microsoft's documentation; it takes the libraries' place where there is no Windows.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

from pos_app.adapters.secrets.dpapi import Blob
from tests.fakes.pointed import pointed


class FakeWindows:
    """The three libraries in one. rights: the rights of files, as SDDL."""

    def __init__(self, *, session: int = 0) -> None:
        self.session = session
        self.crypt = self.security = self.kernel = self
        self.rights: dict[str, str] = {}
        self.freed = 0
        self._kept: list[Any] = []

    def CryptProtectData(self, given: Any, words: None, salt: Any, *rest: Any) -> int:
        *_, flags, made = rest
        assert flags == 0x1 | 0x4
        return self._fill(
            made,
            b"machine:" + pointed(salt, Blob).content() + b":" + pointed(given, Blob).content(),
        )

    def CryptUnprotectData(self, given: Any, words: None, salt: Any, *rest: Any) -> int:
        begin = b"machine:" + pointed(salt, Blob).content() + b":"
        sealed: bytes = pointed(given, Blob).content()
        return sealed.startswith(begin) and self._fill(rest[-1], sealed.removeprefix(begin))

    def LocalFree(self, place: Any) -> None:
        self.freed += 1

    def ConvertStringSecurityDescriptorToSecurityDescriptorW(
        self, text: str, revision: int, made: Any, size: None
    ) -> int:
        buffer = ctypes.create_unicode_buffer(text)
        self._kept.append(buffer)
        pointed(made, ctypes.c_void_p).value = ctypes.addressof(buffer)
        return revision

    def SetFileSecurityW(self, path: str, what: Any, descriptor: Any) -> int:
        assert what.value == 0x80000004
        assert Path(path).read_bytes() == b""  # the rights are set before the content is written
        self.rights[path] = ctypes.wstring_at(descriptor.value)
        return 1

    def ProcessIdToSessionId(self, process: int, made: Any) -> int:
        pointed(made, ctypes.c_uint32).value = self.session
        return 1

    def _fill(self, made: Any, content: bytes) -> int:
        blob = Blob.of(content)
        self._kept.append(blob)
        filled = pointed(made, Blob)
        filled.size, filled.pointer = blob.size, blob.pointer
        return 1
