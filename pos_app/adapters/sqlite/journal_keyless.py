"""How journal.db tells two identical requests without a key apart.

Such a request is recognised by its body alone: as long as its first one is open, half done, or
signed without its answer having reached a caller, it is no new sale. The last of these ends with
time, and that is counted in the running time of the server, which never jumps: `commands.heard` is
when a caller asked last, or when it was signed since, and a start goes on from the last of them.
Source: exactly-once.md, step 1 and "Restores, replacements, damage".
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import apsw

from pos_app.adapters.sqlite.journal_rows import JournalFile, asked_for, ms, translated_row_errors

LIVES = timedelta(minutes=10)
"""How long a receipt that did not reach its caller waits for a repeat."""
LIVES_MS = LIVES // timedelta(milliseconds=1)


class KeylessGuard(JournalFile):
    """The part of the journal that recognises them; `seconds` is a clock that never jumps."""

    def __init__(self, connection: apsw.Connection, seconds: Callable[[], float]) -> None:
        super().__init__(connection)
        self._seconds = seconds
        with translated_row_errors():
            self._before = self._last_heard() - self._ticks()

    def keyless_twin(self, origin: str, body_hash: bytes) -> str | None:
        row = self._one(
            "SELECT id, origin, body_hash, guards IS NOT NULL FROM (SELECT row AS found"
            "  FROM commands INDEXED BY commands_guarding"
            "  WHERE origin = ? AND body_hash = ? AND guards = 'open'"
            "  UNION ALL SELECT row FROM commands INDEXED BY commands_guarding"
            "  WHERE origin = ? AND body_hash = ? AND guards = 'undelivered' AND heard >= ?"
            "  LIMIT 1) LEFT JOIN commands ON row = found",
            *(origin, body_hash) * 2,
            self._running() - LIVES_MS,
        )
        if row is None:
            return None
        asked_for((origin, body_hash, 1), row[1:])
        return str(row[0])

    def repeated(self, command_id: str) -> None:
        with self._transaction():
            self._heard(command_id)

    def mark_delivered(self, command_id: str, *, now: datetime) -> None:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE commands SET delivered_at = ?, guards = NULL"
                " WHERE id = ? AND delivered_at IS NULL",
                (ms(now), command_id),
            )

    # --- within a transaction of the journal ----------------------------------------------------

    def _heard(self, command_id: str) -> None:
        """Its time counts from now on: a caller asked for it, or it has been signed only now."""
        self._connection.execute(
            "UPDATE commands SET heard = ? WHERE id = ? AND guards IS NOT NULL",
            (self._running(), command_id),
        )

    def _begin_anew(self) -> None:
        """At start: nobody knows how long it was off, so what still waits waits anew."""
        now = self._running()
        self._connection.execute(
            "UPDATE commands INDEXED BY commands_undelivered SET heard = ?"
            " WHERE guards = 'undelivered' AND heard >= ?",
            (now, now - LIVES_MS),
        )

    # --- running time, in milliseconds ----------------------------------------------------------

    def _running(self) -> int:
        return self._before + self._ticks()

    def _ticks(self) -> int:
        return round(self._seconds() * 1000)

    def _last_heard(self) -> int:
        row = self._connection.execute(
            "SELECT max("
            " coalesce((SELECT heard FROM commands"
            "  WHERE row = (SELECT max(row) FROM commands)), 0),"
            " coalesce((SELECT max(heard) FROM commands INDEXED BY commands_undelivered"
            "  WHERE guards = 'undelivered'), 0))"
        ).fetchone()
        assert row is not None
        return int(row[0])
