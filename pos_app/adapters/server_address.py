"""Where this installation's server answers: written by the server, read by the till."""

from __future__ import annotations

from pathlib import Path

from pos_app import log

_log = log.get(__name__)


def _file(data: Path) -> Path:
    return data / "journal" / "server.address"


def remember_address(data: Path, address: str) -> None:
    """The server answers at this address now."""
    try:
        _file(data).write_text(address, encoding="utf-8")
    except OSError as error:
        _log.warning("the server's address can't be kept: %s", error)


def forget_address(data: Path) -> None:
    """The server has stopped."""
    _file(data).unlink(missing_ok=True)


def last_address(data: Path) -> str | None:
    """Where a server of this folder was last seen to answer; None when it stopped by itself."""
    try:
        return _file(data).read_text(encoding="utf-8").strip() or None
    except OSError:
        return None
