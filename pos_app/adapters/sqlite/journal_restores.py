"""The journal's chain of rows and its restores: implements fiscalization.restores.Restores."""

from __future__ import annotations

import hashlib
import uuid
from datetime import datetime
from typing import Any

import apsw

from pos_app.adapters.sqlite.journal_file import JournalFile
from pos_app.adapters.sqlite.journal_rows import moment_of, ms
from pos_app.domain.states import RestoreFound
from pos_app.errors import MachineError
from pos_app.fiscalization.restores import Restore, Tip

_HASH_BYTES = 16
_LAST = "SELECT row, hash FROM attempts WHERE row = (SELECT max(row) FROM attempts)"


class SqliteRestores(JournalFile):
    """Works on the journal's own connection; each method is one durable transaction."""

    def __init__(self, connection: apsw.Connection, journal_id: str) -> None:
        super().__init__(connection)
        self._journal_id = journal_id
        self._known = Tip(journal_id, 0, "")
        self._has_moved = True

    @property
    def tip(self) -> Tip:
        """While the file can't be read, as it was known last: health waits for nobody."""
        if self._has_moved:
            try:
                row = self._one(_LAST)
            except MachineError:
                return self._known
            self._known = self._known if row is None else self._tip(row[0], row[1])
            self._has_moved = False
        return self._known

    def tip_moved(self) -> None:
        """The journal was written."""
        self._has_moved = True

    def holds(self, told: Tip) -> bool:
        if told.journal_id != self._journal_id:
            return False
        if told.rows == 0:
            return True
        row = self._one("SELECT row, hash FROM attempts WHERE row = ?", told.rows)
        return row is not None and self._tip(row[0], row[1]) == told

    def restored(self) -> Restore | None:
        row = self._one("SELECT epoch, at, why FROM restores WHERE closed_at IS NULL")
        return None if row is None else Restore(row[0], moment_of(row[1]), RestoreFound(row[2]))

    def last_epoch(self) -> str | None:
        row = self._one("SELECT epoch FROM restores ORDER BY rowid DESC LIMIT 1")
        return None if row is None else str(row[0])

    def mark_restored(self, why: RestoreFound, *, now: datetime) -> Restore:
        known = self.restored()
        if known is not None:
            return known
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO restores (epoch, at, why) VALUES (?, ?, ?)",
                (str(uuid.uuid4()), ms(now), why.value),
            )
            self._note("restored", None, now, why.value)
        made = self.restored()
        assert made is not None
        return made

    def close_restored(self, *, by: str, now: datetime) -> bool:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE restores SET closed_at = ?, closed_by = ? WHERE closed_at IS NULL",
                (ms(now), by),
            )
            closed = connection.changes() > 0
            if closed:
                self._note("restore_closed", None, now, by)
        return closed

    def last_of_till(self, origin: str) -> tuple[int, str] | None:
        row = self._one(
            "SELECT till_sequence, key FROM commands"
            " WHERE origin = ? AND till_sequence IS NOT NULL ORDER BY till_sequence DESC LIMIT 1",
            origin,
        )
        return None if row is None else (int(row[0]), str(row[1]))

    def key_of_till(self, origin: str, sequence: int) -> str | None:
        row = self._one(
            "SELECT key FROM commands WHERE origin = ? AND till_sequence = ?", origin, sequence
        )
        return None if row is None else str(row[0])

    def _tip(self, row: int, chained: bytes) -> Tip:
        return Tip(self._journal_id, row, chained.hex())


def teach_chain(connection: apsw.Connection) -> None:
    """Give the triggers of the history their function."""
    connection.create_scalar_function(
        "chained", _chained, deterministic=True, flags=apsw.SQLITE_INNOCUOUS
    )


def _chained(*row: Any) -> bytes:
    """The hash of a row: over the one before it, None at first, and what the row says."""
    before, *told = row
    text = "\0".join(map(str, told)).encode()
    return hashlib.sha256((before or b"") + text).digest()[:_HASH_BYTES]
