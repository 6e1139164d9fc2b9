"""Measures how long the server has run, over all its starts: a time that never jumps.

It tells how long an answer waits for its caller: `commands.heard` is the running time of a caller's
last question, or of the signing after it, and a start continues from the latest of these.
Source: exactly-once.md, step 1 and "Restores, replacements, damage".
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import apsw

from pos_app.adapters.sqlite.journal.rows import read

LIVES = timedelta(minutes=10)
"""The time that a receipt which did not reach its caller waits for a repeat."""
LIVES_MS = LIVES // timedelta(milliseconds=1)
_LAST_HEARD = (
    "SELECT max("
    " coalesce((SELECT heard FROM commands"
    "  WHERE row = (SELECT max(row) FROM commands)), 0),"
    " coalesce((SELECT max(heard) FROM commands INDEXED BY commands_undelivered"
    "  WHERE guards = 'undelivered'), 0))"
)


class RunningTime:
    """Continues the journal's last value. seconds: a clock without jumps."""

    def __init__(self, connection: apsw.Connection, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        row = read(connection, lambda cursor: cursor.fetchone(), _LAST_HEARD)
        assert row is not None
        self._before = int(row[0]) - self._ticks()

    @property
    def now(self) -> int:
        """The running time in milliseconds."""
        return self._before + self._ticks()

    def _ticks(self) -> int:
        return round(self._seconds() * 1000)
