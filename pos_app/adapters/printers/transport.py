"""Carries bytes to a receipt printer and its answers back, over any connection."""

from __future__ import annotations

from typing import Protocol

from pos_app.fiscalization.device_ports import DeviceTrouble


class Stopped(Exception):
    """The connection to the printer failed. taken: whether a byte of the last write may have
    reached the printer. It is False only where surely none did."""

    def __init__(self, trouble: DeviceTrouble, words: str, *, taken: bool = False) -> None:
        super().__init__(words)
        self.trouble = trouble
        self.words = words
        self.taken = taken


class PrinterChannel(Protocol):
    """An open connection to one printer. Times are in seconds."""

    async def write(self, chunk: bytes) -> None:
        """Hand a chunk over. Raises Stopped, also when the printer takes nothing for too long."""
        ...

    async def read(self, seconds: float) -> bytes:
        """Return the bytes that came in time, or b"". Raises Stopped when the connection ends."""
        ...

    async def flush(self) -> None:
        """Return when the other end holds all bytes, as far as that can be known."""
        ...

    async def close(self) -> None:
        """Close without losing the bytes that the printer was given. Never raises Stopped."""
        ...


class Transport(Protocol):
    """Opens channels to one printer."""

    async def open(self) -> PrinterChannel:
        """Open a new channel. Raises Stopped with taken=False."""
        ...
