"""How long the server has run, from start to start: a time that never jumps.

How long an answer waits for its caller is counted in it: `commands.heard` is when a caller asked
last, or when it was signed since, and a start goes on from the last of them.
Source: exactly-once.md, step 1 and "Restores, replacements, damage".
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import apsw

from pos_app.adapters.sqlite.journal.rows import read

LIVES = timedelta(minutes=10)
"""How long a receipt that did not reach its caller waits for a repeat."""
LIVES_MS = LIVES // timedelta(milliseconds=1)
_LAST_HEARD = (
    "SELECT max("
    " coalesce((SELECT heard FROM commands"
    "  WHERE row = (SELECT max(row) FROM commands)), 0),"
    " coalesce((SELECT max(heard) FROM commands INDEXED BY commands_undelivered"
    "  WHERE guards = 'undelivered'), 0))"
)


class RunningTime:
    """Goes on where the journal was left. seconds: a clock that does not jump."""

    def __init__(self, connection: apsw.Connection, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        row = read(connection, lambda found: found.fetchone(), _LAST_HEARD)
        assert row is not None
        self._before = int(row[0]) - self._ticks()

    @property
    def now(self) -> int:
        """Milliseconds."""
        return self._before + self._ticks()

    def _ticks(self) -> int:
        return round(self._seconds() * 1000)
