"""The keeper of the key that opens the sealed secrets, as a port."""

from __future__ import annotations

from typing import Protocol

KEY_FILE = "secrets.key"
"""The file in the data folder that may have the key."""


class KeyLost(Exception):
    """The key that opens the sealed secrets can't be read. Its words are for people."""


class KeyKeeper(Protocol):
    """Keeps one key of 32 bytes. name: the name by which the sealed file records this keeper."""

    @property
    def name(self) -> str: ...

    @property
    def words(self) -> str:
        """A sentence that says who can read the key."""
        ...

    def store(self, key: bytes, *, owner: str) -> None:
        """Keep the key. owner: the random id of these secrets. Raises KeyLost if that fails."""
        ...

    def key(self, *, owner: str) -> bytes:
        """Return the key. Raises KeyLost, SettingsBroken."""
        ...
