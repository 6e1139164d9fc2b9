"""A version of this product that its maker offers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Self

from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

_VERSION = re.compile(r"(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """Three numbers: 3.10.0 is newer than 3.9.9."""

    major: int
    minor: int
    patch: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read three numbers with points between. Raises Invalid for any other text."""
        if (found := _VERSION.fullmatch(text)) is None:
            raise Invalid("no_version", field="version", text=text)
        return cls(*map(int, found.groups()))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


@dataclass(frozen=True, slots=True)
class InstallerFile:
    """The file that installs a release on one kind of system. size: bytes. sha256: 64 hex."""

    url: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Release:
    """notes: the changes by language of the till. page: the address where a person reads about it
    and gets it. installers: by system ("windows", "linux"). manifest: the signed bytes that it was
    read from, or empty."""

    version: Version
    published_at: datetime
    notes: Mapping[str, str]
    page: str
    installers: Mapping[str, InstallerFile]
    manifest: bytes = b""
