"""The journal's chain of rows and its restores: implements fiscalization.ports.Restores."""

from __future__ import annotations

import hashlib
import uuid
from datetime import datetime
from typing import Any

import apsw

from pos_app.adapters.clock import awake_seconds
from pos_app.adapters.sqlite.journal.rows import JournalFile, moment_of, ms
from pos_app.adapters.sqlite.journal.running_time import LIVES_MS, RunningTime
from pos_app.adapters.sqlite.journal.schema import READ_ALIKE
from pos_app.domain.receipt.server_status import JournalMark, JournalRestored
from pos_app.domain.receipt.states import RestoreFound
from pos_app.errors import MachineError
from pos_app.fiscalization.refusals import VOUCHED

JOURNAL_ID = "SELECT value FROM meta WHERE name = 'journal_id'"
_HASH_BYTES = 16
_LAST_RESTORE = "FROM restores WHERE number = (SELECT max(number) FROM restores)"
_OF_REQUEST = (
    "(command, child) = ("
    "  SELECT commands.row, child FROM requests JOIN commands ON commands.id = command_id"
    "  WHERE requests.id = ?)"
)
_ROW = f"(SELECT {{0}}(row) FROM attempts WHERE {_OF_REQUEST})"
"""The first row (min) or the last (max) of a request's history."""
_LAST = "SELECT row, hash FROM attempts WHERE row = (SELECT max(row) FROM attempts)"


class SqliteRestores(JournalFile):
    """Uses the journal's own connection; each method is one durable transaction."""

    def __init__(self, connection: apsw.Connection, journal_id: str, running: RunningTime) -> None:
        super().__init__(connection)
        self._journal_id = journal_id
        self._running = running
        self._known = JournalMark(journal_id, 0, "")
        self._has_moved = True
        self._rows_at_start = self.tip.rows

    @property
    def tip(self) -> JournalMark:
        """The last row of the history. While the file can't be read, it is the last row that is
        known, because the health route must not wait."""
        if self._has_moved:
            try:
                row = self._row(_LAST)
            except MachineError:
                return self._known
            self._known = self._known if row is None else self._tip(row[0], row[1])
            self._has_moved = False
        return self._known

    def tip_moved(self) -> None:
        self._has_moved = True

    def holds(self, mark: JournalMark) -> bool:
        if mark.id != self._journal_id:
            return False
        if mark.rows == 0:
            return True
        row = self._row("SELECT row, hash FROM attempts WHERE row = ?", mark.rows)
        return row is not None and self._tip(row[0], row[1]) == mark

    def restored(self) -> JournalRestored | None:
        row = self._row(
            "SELECT epoch, at, why FROM restores WHERE closed_at IS NULL"
            " ORDER BY number DESC LIMIT 1"
        )
        return (
            None
            if row is None
            else JournalRestored(row[0], moment_of(row[1]), RestoreFound(row[2]))
        )

    def last_epoch(self) -> str | None:
        row = self._row(f"SELECT epoch {_LAST_RESTORE}")
        return None if row is None else str(row[0])

    def knows(self, epoch: str | None) -> bool:
        if epoch is None:
            return True
        return self._row("SELECT 1 FROM restores WHERE epoch = ?", epoch) is not None

    def is_later_known(self, epoch: str | None) -> bool:
        if epoch is None:
            return self.last_epoch() is not None
        known = "(SELECT number FROM restores WHERE epoch = ?)"
        return self._row(f"SELECT 1 FROM restores WHERE number > {known}", epoch) is not None

    def is_from_before(self, request_id: str) -> bool:
        return self._is_before("max", request_id)

    def began_before(self, request_id: str) -> bool:
        return self._is_before("min", request_id)

    def _is_before(self, which: str, request_id: str) -> bool:
        known = f"SELECT 1 WHERE {_ROW.format(which)} <= (SELECT row {_LAST_RESTORE})"
        return self._row(known, request_id) is not None

    def began_now(self, request_id: str) -> bool:
        known = f"SELECT 1 WHERE {_ROW.format('min')} > ?"
        return self._row(known, request_id, self._rows_at_start) is not None

    def was_found_since(self, moment: datetime) -> bool:
        return self._row(f"SELECT 1 WHERE (SELECT at {_LAST_RESTORE}) >= ?", ms(moment)) is not None

    def forgets_keyless(self) -> bool:
        row = self._row(f"SELECT running {_LAST_RESTORE}")
        return row is not None and self._running.now - int(row[0]) < LIVES_MS

    def mark_restored(self, why: RestoreFound, *, now: datetime) -> JournalRestored:
        found = JournalRestored(str(uuid.uuid4()), now, why)
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO restores (epoch, at, why, row, running)"
                " VALUES (?, ?, ?, (SELECT coalesce(max(row), 0) FROM attempts), ?)",
                (found.epoch, ms(now), why.value, self._running.now),
            )
            self._note("restored", None, now, why.value)
        return found

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

    def was_vouched(self, request_id: str) -> bool:
        row = self._row(
            f"SELECT 1 FROM attempts WHERE {_OF_REQUEST} AND reason_code = ?"
            f" AND row > coalesce((SELECT row {_LAST_RESTORE}), 0)",
            request_id,
            VOUCHED,
        )
        return row is not None

    def last_of_till(self, origin: str) -> tuple[int, str] | None:
        row = self._row(
            "SELECT till_sequence, key FROM commands"
            " WHERE origin = ? AND till_sequence IS NOT NULL ORDER BY till_sequence DESC LIMIT 1",
            origin,
        )
        return None if row is None else (int(row[0]), str(row[1]))

    def key_of_till(self, origin: str, sequence: int) -> str | None:
        row = self._row(
            "SELECT key FROM commands WHERE origin = ? AND till_sequence = ?", origin, sequence
        )
        return None if row is None else str(row[0])

    def _tip(self, row: int, chained: bytes) -> JournalMark:
        return JournalMark(self._journal_id, row, chained.hex())


def restores_of(connection: apsw.Connection) -> SqliteRestores | None:
    """Return the restores of a journal that is only read; None if empty, or another version's."""
    if connection.pragma("user_version") not in READ_ALIKE:
        return None
    row = connection.execute(JOURNAL_ID).fetchone()
    if row is None:
        return None
    return SqliteRestores(connection, str(row[0]), RunningTime(connection, awake_seconds))


def teach_chain(connection: apsw.Connection) -> None:
    connection.create_scalar_function(
        "chained", _chained, deterministic=True, flags=apsw.SQLITE_INNOCUOUS
    )


def _chained(*row: Any) -> bytes:
    """Return the hash over the previous row's (None for the first row) and the row's columns."""
    before, *entries = row
    text = "\0".join(map(str, entries)).encode()
    return hashlib.sha256((before or b"") + text).digest()[:_HASH_BYTES]
