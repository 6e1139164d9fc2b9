"""The address of this installation's server: the server writes it, the till and the demo read it.

The file has two lines: the address, and who started the server.
"""

from __future__ import annotations

import re
from pathlib import Path

from pos_app import log
from pos_app.lazy_dataclass import dataclass

SERVER_LOCK = Path("journal", "server.lock")
"""Held by the one server of a data folder while it runs."""
_SEEN = re.compile(r"(http://[\w.:\[\]]+:\d{1,5})(?:\n(\w+))?\n?")
_FOR_TILL, _BY_HAND = "till", "hand"

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class SeenServer:
    """A server as it was last seen. by_hand: a person started it, not a till."""

    address: str
    by_hand: bool

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])


def _file(data: Path) -> Path:
    return data / "journal" / "server.address"


def remember_address(data: Path, address: str, *, by_hand: bool = False) -> None:
    """Keep the address at which the server answers now."""
    try:
        whose = _BY_HAND if by_hand else _FOR_TILL
        _file(data).write_text(f"{address}\n{whose}\n", encoding="utf-8")
    except OSError as error:
        _log.warning("the server's address can't be kept: %s", error)


def forget_address(data: Path) -> None:
    """Forget the address of a server that stopped. A remaining address does no harm."""
    try:
        _file(data).unlink(missing_ok=True)
    except OSError as error:
        _log.warning("the server's address can't be forgotten: %s", error)


def last_server(data: Path) -> SeenServer | None:
    """Return the folder's server as last seen to answer, or None when it stopped by itself."""
    try:
        seen = _SEEN.fullmatch(_file(data).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
    return SeenServer(seen[1], by_hand=seen[2] == _BY_HAND) if seen else None


def last_address(data: Path) -> str | None:
    seen = last_server(data)
    return seen.address if seen is not None else None
