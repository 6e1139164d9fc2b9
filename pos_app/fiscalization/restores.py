"""A journal that was put back, replaced or cloned: how it is found, and what holds until a manager
has looked.

The journal is a chain of rows, so whoever remembers its last row and hash can tell whether this
one continues it: the till, a file beside the journal, and by its counter the processor. What was
signed after the copy was made is not known here, so until a manager closes the mark no key is
denied, and none is sent that is not provably newer.
Source: exactly-once.md, step 8 and "Restores, replacements, damage".
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pos_app.domain.states import RestoreFound

RESTORED = "restored"
"""The code of what is asked of a person because of a restore, and the word of a look-up."""


@dataclass(frozen=True, slots=True)
class Tip:
    """The last row of a journal's history. rows: its number, 0 when there is none yet. hash: hex.

    It stands for all rows before it.
    """

    journal_id: str
    rows: int
    hash: str


@dataclass(frozen=True, slots=True)
class Restore:
    """One time at which the journal was found to be an older or another one.

    epoch: names it; what is frozen by a till that knows it is newer. since: UTC.
    """

    epoch: str
    since: datetime
    why: RestoreFound


class Restores(Protocol):
    """The part of the journal that remembers them. Errors are MachineError."""

    @property
    def tip(self) -> Tip: ...

    def holds(self, told: Tip) -> bool:
        """Whether this journal continues the one that ended so."""
        ...

    def restored(self) -> Restore | None:
        """The restore that no manager has closed yet."""
        ...

    def last_epoch(self) -> str | None:
        """Of the last restore, closed or not; None when there never was one."""
        ...

    def mark_restored(self, why: RestoreFound, *, now: datetime) -> Restore:
        """Keep that it was found; the open one where there is one."""
        ...

    def close_restored(self, *, by: str, now: datetime) -> bool:
        """A manager has looked; False when none was open."""
        ...

    def last_of_till(self, origin: str) -> tuple[int, str] | None:
        """The highest sequence number that came from a till, and its key."""
        ...

    def key_of_till(self, origin: str, sequence: int) -> str | None:
        """The key under which that sequence number came from a till."""
        ...
