"""What keeps the key that opens the sealed secrets."""

from __future__ import annotations

from typing import Protocol

KEY_FILE = "secrets.key"
"""In the data folder, where the key is kept in a file."""


class KeyLost(Exception):
    """The key that opens the sealed secrets can't be had. Its words are for people."""


class KeyKeeper(Protocol):
    """Keeps one key of 32 bytes. name: told in the sealed file, so that it is found again."""

    @property
    def name(self) -> str: ...

    @property
    def words(self) -> str:
        """Who can read it, in a sentence."""
        ...

    def keep(self, key: bytes, *, owner: str) -> None:
        """owner: of these secrets, random. Raises KeyLost where it can't be kept."""
        ...

    def key(self, *, owner: str) -> bytes:
        """Raises KeyLost, SettingsBroken."""
        ...
