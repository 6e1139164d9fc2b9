"""Requests without a key, which only their body tells from a second sale.

Source: exactly-once.md, step 1 and "Restores, replacements, damage".
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class KeylessCommands(Protocol):
    """The part of the journal that recognises them. Raises MachineError."""

    def keyless_twin(self, origin: str, body_hash: bytes) -> str | None:
        """The id of an identical command that is open or half done, else of one that is signed
        without its answer having been delivered.

        Such an answer waits for 10 minutes of the server's running, from the last repeat or from
        when it was signed.
        """
        ...

    def repeated(self, command_id: str) -> None:
        """It was asked for again: its answer waits anew."""
        ...

    def mark_delivered(self, command_id: str, *, now: datetime) -> None:
        """Its answer reached a caller: the same body is another sale from now on."""
        ...
