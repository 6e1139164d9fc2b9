"""The server's durable memory in journal.db: implements fiscalization.ports.Journal."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw

from pos_app.adapters.clock import awake_seconds
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.sqlite.database import open_database
from pos_app.adapters.sqlite.integrity import look_over
from pos_app.adapters.sqlite.journal.contents import journal_contents
from pos_app.adapters.sqlite.journal.findings import SqliteFindings
from pos_app.adapters.sqlite.journal.fiscal_mark import is_fiscal, keep_kind
from pos_app.adapters.sqlite.journal.jobs import SqliteJobs
from pos_app.adapters.sqlite.journal.packing import answer_packed, packed
from pos_app.adapters.sqlite.journal.restores import JOURNAL_ID, SqliteRestores, teach_chain
from pos_app.adapters.sqlite.journal.rows import (
    COMMAND_COLUMNS,
    ITS_COMMAND,
    LINKS,
    REQUEST_COLUMNS,
    JournalFile,
    absent_of_row,
    asked_for,
    chain_of_rows,
    command_of_row,
    facts_packed,
    moment_of,
    ms,
    planned_row,
    reason_row,
    receipt_of,
    request_of_row,
    translated_row_errors,
)
from pos_app.adapters.sqlite.journal.running_time import LIVES_MS, RunningTime
from pos_app.adapters.sqlite.journal.schema import MIGRATIONS
from pos_app.adapters.sqlite.owner import is_kept, keep_owner
from pos_app.adapters.sqlite.readable_rows import ReadableRows
from pos_app.domain.receipt.esir_part import ReceiptReference
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.domain.receipt.states import OPEN, AnswerClass, RequestState
from pos_app.errors import DatabaseDamaged
from pos_app.fiscalization import ports
from pos_app.fiscalization.outcomes.pfr_request_id import reversal_request_id
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.plans.planned import PlannedReceipt

_COMMAND = (
    f"SELECT {COMMAND_COLUMNS} FROM commands WHERE row = (SELECT row FROM commands WHERE id = ?)"
)
"""The command is read by its row number, so that its id comes from the row. An id that SQLite reads
from the index always equals the one asked for, even if a damaged index leads to another row."""
_RECEIPTS = "SELECT receipts FROM commands WHERE id = ?"
_REQUEST = f"SELECT {REQUEST_COLUMNS} FROM requests {ITS_COMMAND}"
_OPEN = (
    "SELECT id FROM requests INDEXED BY open_requests"
    " WHERE state IN ('queued', 'sending', 'unknown', 'needs_human')"
)
_OF_COMMAND = (
    "WHERE requests.id IN (SELECT id FROM requests AS named WHERE named.command_id = ?)"
    " ORDER BY child"
)
"""The requests are read by their ids, so that their command's id comes from the rows and not from
the index on it (see `_COMMAND`)."""
_HALF_DONE = (
    "SELECT command_id, commands.id, follows_signed, state"
    f" FROM requests {ITS_COMMAND} WHERE requests.id IN"
    " (SELECT id FROM requests AS named INDEXED BY half_done"
    "  WHERE named.follows_signed = 1 AND named.state = 'released')"
)
_IN_LANE = (
    "SELECT id FROM requests INDEXED BY one_in_lane"
    " WHERE lane = ? AND state IN ('sending', 'unknown')"
)
_WHEREABOUTS = (
    "SELECT requests.id, command_id, state, number, body_hash, commands.id, changed_at,"
    " origin, key, child, pfr_request_id"
    f" FROM requests {ITS_COMMAND} LEFT JOIN receipts ON request_id = requests.id "
)
_ABSENT = (
    "SELECT request_id, min(attempt), pfr_request_id, planned, baseline, sent_clock,"
    " alarmed_number, lane FROM absent"
)
_AFRESH = (
    "state = ?, attempt = attempt + 1, changed_at = ?, sent_at = NULL, baseline = NULL,"
    " sent_clock = NULL, reason_class = ?, reason_code = ?, reason_words = ?, reason_pfr_code = ?"
)
"""Sets the columns of a request for a new attempt. The previous attempt is kept in `attempts`."""
_OF_NUMBER = (
    "coalesce((SELECT request_id FROM receipts WHERE number = ?),"
    " (SELECT request_id FROM receipts WHERE number = upper(?)),"
    " (SELECT request_id FROM receipts INDEXED BY receipts_in_small_letters"
    "  WHERE number <> upper(number) AND upper(number) = upper(?)))"
)
"""The request of a receipt's number, in letters of either case; the number is bound three times."""
PATIENCE = 50
"""Milliseconds for which the server's loop waits for a journal that another program has locked. A
caller that can wait longer tries again, so that the loop goes on meanwhile."""


def _keep_chosen(connection: apsw.Connection, chosen: tuple[bool, Mapping[str, str]]) -> None:
    real, owner = chosen
    keep_kind(connection, real=real)
    if not is_kept(connection):
        keep_owner(connection, owner)


class ReadJournal(JournalFile):
    """Reads receipts and their chains over a connection to a journal, which may be one that is only
    read."""

    def command(self, command_id: str) -> ports.Command | None:
        row = self._row(_COMMAND, command_id)
        if row is None:
            return None
        asked_for(command_id, row[0])
        return command_of_row(row)

    def command_by_key(self, origin: str, key: str) -> ports.Command | None:
        found = self.command(receipt_id(origin=origin, key=key))
        if found is not None:
            asked_for((origin, key), (found.origin, found.key))
        return found

    def request_of_number(self, number: str) -> ports.Request | None:
        found = self.status_by_reference(number)
        return None if found is None else self.request(found.id)

    def has_number(self, number: str) -> bool:
        return self._row(f"SELECT {_OF_NUMBER}", *(number,) * 3)[0] is not None

    def chain(self, chain: str) -> Chain:
        return chain_of_rows(chain, self._rows(LINKS, chain, chain))

    def statuses_of(self, command_id: str) -> tuple[ports.ReceiptStatus, ...]:
        found = self._statuses(_OF_COMMAND, command_id)
        asked_for({command_id}, {one.command_id for one in found} | {command_id})
        return found

    def status_by_reference(self, reference: str) -> ports.ReceiptStatus | None:
        where = f"WHERE requests.id = ? OR requests.id = {_OF_NUMBER}"
        found = next(iter(self._statuses(where, *(reference,) * 4)), None)
        if found is not None and reference != found.id:
            asked_for(reference.upper(), found.number and found.number.upper())
        return found

    def corrected_hash(self, command_id: str) -> bytes | None:
        row = self._row(
            "SELECT body_hash FROM corrections WHERE command_id = ? ORDER BY attempt DESC LIMIT 1",
            command_id,
        )
        return None if row is None else bytes(row[0])

    def requests_of(self, command_id: str) -> tuple[ports.Request, ...]:
        found = self._requests(_OF_COMMAND, command_id)
        row = self._row(_RECEIPTS, command_id)
        children = [(command_id, child) for child in range(0 if row is None else row[0])]
        asked_for(children, [(one.command_id, one.child) for one in found])
        return found

    def request(self, request_id: str) -> ports.Request | None:
        found = next(iter(self._requests("WHERE requests.id = ?", request_id)), None)
        if found is not None:
            asked_for(request_id, found.id)
        return found

    def receipt(self, request_id: str) -> SignedReceipt | None:
        row = self._row(
            "SELECT content, request_id, number FROM receipts"
            " LEFT JOIN answers ON answers.row = answer WHERE request_id = ?",
            request_id,
        )
        if row is None:
            return None
        receipt = receipt_of(row[0])
        asked_for((request_id, row[2]), (row[1], receipt.invoice_number))
        return receipt

    def reference(self, request_id: str) -> ReceiptReference | None:
        row = self._row(
            "SELECT number, sdc_time, request_id FROM receipts WHERE request_id = ?", request_id
        )
        if row is None:
            return None
        asked_for(request_id, row[2])
        try:
            receipt = self.receipt(request_id)
        except DatabaseDamaged:  # number and time (in milliseconds) stand beside the answer, too
            return ReceiptReference(row[0], moment_of(row[1]))
        assert receipt is not None
        return ReceiptReference(receipt.invoice_number, receipt.sdc_time)

    def lane(self, name: str) -> ports.LaneState:
        row = self._row(
            "SELECT uid, tin, counter, is_counted, place FROM lanes WHERE name = ?", name
        )
        if row is None:
            return ports.LaneState(name)
        return ports.LaneState(
            name, row[0], row[1], row[2], is_counted=bool(row[3]), address=row[4]
        )

    def _statuses(self, where: str, *values: Any) -> tuple[ports.ReceiptStatus, ...]:
        rows = self._rows(_WHEREABOUTS + where, *values)
        for row in rows:
            asked_for(row[1], row[5])
        return tuple(
            ports.ReceiptStatus(
                id=row[0],
                command_id=row[1],
                state=RequestState(row[2]),
                number=row[3],
                body_hash=bytes(row[4]),
                changed_at=moment_of(row[6]),
                is_reversal=_is_reversal(bytes(row[4]), *row[7:11]),
            )
            for row in rows
        )

    def _requests(self, where: str, *values: Any) -> tuple[ports.Request, ...]:
        return tuple(request_of_row(row) for row in self._rows(_REQUEST + where, *values))


class SqliteJournal(ReadJournal):
    """The one writing connection to journal.db; each method that writes is one durable transaction.
    looks_whole: False if the check at the opening found damage that it could not repair."""

    def __init__(
        self,
        path: Path,
        *,
        seconds: Callable[[], float] = awake_seconds,
        lock: FolderLock | None = None,
    ) -> None:
        """Open the journal. seconds: a clock without jumps, which began at an unknown time. lock:
        held by the one program that may write the journal."""
        connection = open_database(
            path, migrations=MIGRATIONS, contents=journal_contents, lock=lock
        )
        super().__init__(connection)
        self._running_time = RunningTime(self._connection, seconds)
        teach_chain(self._connection)
        self._readable = ReadableRows()
        self._chosen: tuple[bool, Mapping[str, str]] | None = None
        self.looks_whole = look_over(self._connection, path)
        self.findings = SqliteFindings(self._connection)
        self.jobs = SqliteJobs(self._connection)
        self.identity = self._identity()
        self.restores = SqliteRestores(self._connection, self.identity, self._running_time)

    def close(self) -> None:
        self._connection.close()

    # --- reading ----------------------------------------------------------------------------

    def half_done(self) -> tuple[str, ...]:
        return self._readable.of(_half_done_of_row, self._rows(_HALF_DONE))

    def in_lane(self, lane: str) -> ports.Request | None:
        found = next(iter(self._requests(f"WHERE requests.id = ({_IN_LANE})", lane)), None)
        if found is not None:
            under_way = found.state in (RequestState.SENDING, RequestState.UNKNOWN)
            asked_for((lane, True), (found.lane, under_way))
        return found

    def open_requests(self) -> tuple[ports.Request, ...]:
        rows = self._rows(f"{_REQUEST} WHERE requests.id IN ({_OPEN}) ORDER BY changed_at")
        return self._readable.of(_open_of_row, rows)

    def is_in_doubt(self, lane: str) -> bool:
        return bool(self._rows(f"{_IN_LANE} AND state = 'unknown'", lane))

    def absent_in(self, lane: str) -> tuple[ports.ReleasedAttempt, ...]:
        rows = self._rows(
            f"{_ABSENT} INDEXED BY absent_in_lane WHERE lane = ? AND settled = 0"
            " GROUP BY pfr_request_id ORDER BY at DESC",
            lane,
        )
        return self._readable.of(absent_of_row, rows)

    def absent_of(self, request_id: str) -> tuple[ports.ReleasedAttempt, ...]:
        rows = self._rows(f"{_ABSENT} WHERE request_id = ? GROUP BY pfr_request_id", request_id)
        return tuple(absent_of_row(row) for row in rows)

    def asked_of_person(self, lane: str) -> tuple[ports.Request, ...]:
        """Return the requests that may be signed and that a person has to decide. A request that
        the processor refused is none of them, because it is surely not signed."""
        rows = self._rows(
            f"{_REQUEST} WHERE requests.id IN ({_OPEN} AND state = 'needs_human'"
            " AND reason_class = 'unknown' AND lane = ?) ORDER BY changed_at",
            lane,
        )
        return self._readable.of(request_of_row, rows)

    def queued(self) -> tuple[tuple[str, str], ...]:
        rows = self._rows(
            "SELECT id, command_id FROM requests INDEXED BY open_requests"
            " WHERE state IN ('queued', 'sending', 'unknown', 'needs_human') AND state = 'queued'"
        )
        return tuple((row[0], row[1]) for row in rows)

    def element(self) -> str:
        row = self._row("SELECT value FROM meta WHERE name = 'element'")
        return ports.UNNAMED if row is None else str(row[0])

    def is_fiscal(self) -> bool:
        with translated_row_errors():
            return is_fiscal(self._connection)

    def lanes_in_doubt(self) -> tuple[str, ...]:
        rows = self._rows(
            "SELECT DISTINCT lane FROM requests INDEXED BY open_requests"
            " WHERE state IN ('queued', 'sending', 'unknown', 'needs_human')"
            " AND state <> 'queued'"
        )
        return tuple(row[0] for row in rows)

    # --- writing ----------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[apsw.Connection]:
        with super()._transaction() as connection:
            if self._chosen is not None:
                _keep_chosen(connection, self._chosen)
            yield connection
        self._chosen = None
        self.restores.tip_moved()

    def add_command(self, command: ports.Command, requests: Sequence[ports.Request]) -> None:
        with self._transaction():
            self._insert_command(command, len(requests))
            for request in requests:
                self._insert_request(request)

    def requeue(self, command: ports.Command, requests: Sequence[ports.Request]) -> None:
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO superseded SELECT id, ?, body, body_hash FROM commands"
                " WHERE id = ? AND body_hash <> ?",
                (ms(requests[0].changed_at), command.id, command.body_hash),
            )
            connection.execute(
                "UPDATE commands SET operation = ?, target = ?, body = ?, body_hash = ?, facts = ?,"
                " receipts = ?, delivered_at = NULL WHERE id = ?",
                (
                    command.operation.value,
                    command.target,
                    packed(command.body),
                    command.body_hash,
                    facts_packed(command),
                    len(requests),
                    command.id,
                ),
            )
            known = {
                row[0]
                for row in connection.execute(
                    "SELECT id FROM requests WHERE command_id = ?", (command.id,)
                )
            }
            for request in requests:
                if request.id in known:
                    self._begin_afresh(request)
                else:
                    self._insert_request(request)

    def queue_next(self, request_id: str, planned: PlannedReceipt, *, now: datetime) -> None:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE requests SET planned = ? WHERE id = ?", (planned_row(planned), request_id)
            )
            connection.execute(
                f"UPDATE requests SET {_AFRESH} WHERE id = ? AND state <> 'queued'",
                ("queued", ms(now), *reason_row(None), request_id),
            )

    def queue_decided(
        self,
        request: ports.Request,
        *,
        what: str,
        by: str,
        now: datetime,
        correction: ports.Correction | None = None,
    ) -> None:
        with self._transaction() as connection:
            if correction is not None:
                connection.execute(
                    "INSERT INTO corrections SELECT command_id, id, attempt + 1, ?, ?"
                    " FROM requests WHERE id = ?",
                    (packed(correction.body), correction.body_hash, request.id),
                )
            self._begin_afresh(
                replace(request, state=RequestState.QUEUED, reason=None, changed_at=now)
            )
            self._note(what, request.id, now, by)

    def send(
        self, request_id: str, *, lane: ports.LaneState, clock: datetime | None, now: datetime
    ) -> None:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE requests SET state = 'sending', lane = ?, sent_at = ?, changed_at = ?,"
                " baseline = ?, sent_clock = ? WHERE id = ?",
                (lane.name, ms(now), ms(now), lane.counter, clock and ms(clock), request_id),
            )
            self._keep_lane(lane)

    def sign(
        self,
        request_id: str,
        receipt: SignedReceipt,
        *,
        lane: ports.LaneState,
        now: datetime,
        differs: Sequence[str] = (),
    ) -> None:
        request = self.request(request_id)
        assert request is not None
        with self._transaction() as connection:
            if request.state is RequestState.QUEUED:
                connection.execute(
                    "UPDATE requests SET state = 'released', changed_at = ? WHERE id = ?",
                    (ms(now), request_id),
                )
            connection.execute(
                "UPDATE requests SET state = 'signed', changed_at = ?, reason_class = NULL,"
                " reason_code = NULL, reason_words = NULL, reason_pfr_code = NULL WHERE id = ?",
                (ms(now), request_id),
            )
            connection.execute(
                "INSERT INTO answers (content) VALUES (?)", (answer_packed(receipt),)
            )
            connection.execute(
                "INSERT INTO receipts VALUES (?, ?, ?, ?)",
                (
                    request_id,
                    receipt.invoice_number,
                    ms(receipt.sdc_time),
                    connection.last_insert_rowid(),
                ),
            )
            self._heard(request.command_id)
            self.jobs.insert_for(request_id, request.planned.delivery, now=now)
            if differs:
                self.findings.insert_echo(request_id, receipt, differs, now=now)
            if request.state is not RequestState.SENDING:
                uid = self._element_uid()
                self.findings.explain_traffic(request_id, receipt, element=uid, now=now)
            self._keep_lane(lane)

    def settle(
        self,
        request_id: str,
        state: RequestState,
        *,
        reason: ports.StateReason,
        now: datetime,
        taken_as_absent: bool = False,
        lane: ports.LaneState | None = None,
        then: RequestState | None = None,
        by: str | None = None,
    ) -> None:
        with self._transaction() as connection:
            for step in (state, then):
                if step is not None:
                    connection.execute(
                        "UPDATE requests SET state = ?, changed_at = ?, reason_class = ?,"
                        " reason_code = ?, reason_words = ?, reason_pfr_code = ? WHERE id = ?",
                        (step.value, ms(now), *reason_row(reason), request_id),
                    )
            if by is not None:
                self._note(reason.code, request_id, now, by)
            if taken_as_absent:
                connection.execute(
                    "INSERT INTO absent SELECT id, attempt, lane, pfr_request_id, planned,"
                    " baseline, sent_clock, changed_at, NULL, 0 FROM requests WHERE id = ?",
                    (request_id,),
                )
            if lane is not None:
                self._keep_lane(lane)

    def cancel(self, command_id: str, *, reason: ports.StateReason, now: datetime) -> None:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE requests SET state = 'cancelled', changed_at = ?, reason_class = ?,"
                " reason_code = ?, reason_words = ?, reason_pfr_code = ?"
                " WHERE command_id = ? AND state <> 'cancelled'"
                " AND child < (SELECT receipts FROM commands WHERE id = command_id)",
                (ms(now), *reason_row(reason), command_id),
            )

    def not_found_again(self, pfr_request_id: str, *, long_ago: datetime) -> None:
        which = (
            "FROM absent WHERE pfr_request_id = ? AND settled = 0 AND (at <= ? OR"
            " (SELECT state FROM requests WHERE id = request_id) IN ('signed', 'cancelled'))"
        )
        if self._row(f"SELECT 1 {which}", pfr_request_id, ms(long_ago)) is None:
            return  # nothing to write: most look-ups concern open requests
        with self._transaction() as connection:
            connection.execute(
                "UPDATE absent SET settled = 1 WHERE (request_id, attempt) IN"
                f" (SELECT request_id, attempt {which})",
                (pfr_request_id, ms(long_ago)),
            )

    def note(self, what: str, *, request_id: str | None, now: datetime, words: str) -> None:
        with self._transaction():
            self._note(what, request_id, now, words)

    def recover(self, *, now: datetime) -> None:
        cut = ports.StateReason(
            AnswerClass.UNKNOWN, "restart", "The server stopped while it was sending."
        )
        left = ports.StateReason(
            AnswerClass.WAIT, "restart", "The server stopped before it was sent."
        )
        with self._transaction() as connection:
            for old, new, reason in (("sending", "unknown", cut), ("queued", "released", left)):
                connection.execute(
                    "UPDATE requests INDEXED BY open_requests SET state = ?, changed_at = ?,"
                    " reason_class = ?, reason_code = ?, reason_words = ?, reason_pfr_code = ?"
                    " WHERE state IN ('queued', 'sending', 'unknown', 'needs_human')"
                    " AND state = ?",
                    (new, ms(now), *reason_row(reason), old),
                )
            connection.execute(
                "UPDATE requests INDEXED BY refused_receipts"
                " SET state = 'needs_human', changed_at = ? WHERE state = 'rejected' AND child > 0",
                (ms(now),),
            )
            self._begin_anew()
            self.jobs.recover(now=now)
        # From now on the loop serves callers too, who would wait for the journal with it.
        self._connection.set_busy_timeout(PATIENCE)

    # --- requests without a key, told apart by their body ------------------------------------
    # An identical body is taken for a repetition of the earlier command, not for a new sale, while
    # that command's receipts are open or half done, or are signed and no caller has their answer.
    # An answer that reached nobody counts for `running_time.LIVES`.

    def keyless_twin(
        self, origin: str, body_hash: bytes, *, besides: Collection[str] = ()
    ) -> str | None:
        rows = self._rows(
            "SELECT id, origin, body_hash, guards IS NOT NULL FROM (SELECT row AS found"
            "  FROM commands INDEXED BY commands_guarding"
            "  WHERE origin = ? AND body_hash = ? AND guards = 'open'"
            "  UNION ALL SELECT row FROM commands INDEXED BY commands_guarding"
            "  WHERE origin = ? AND body_hash = ? AND guards = 'undelivered' AND heard >= ?"
            "  LIMIT ?) LEFT JOIN commands ON row = found",
            *(origin, body_hash) * 2,
            *(self._running_time.now - LIVES_MS, len(besides) + 1),
        )
        for found, *value in rows:
            asked_for((origin, body_hash, 1), tuple(value))
            if found not in besides:
                return str(found)
        return None

    def keyless_vouched(self, origin: str, body_hash: bytes, *, lane: str) -> str | None:
        rows = self._rows(
            "SELECT commands.id FROM absent INDEXED BY absent_in_lane"
            " JOIN requests ON requests.id = request_id JOIN commands ON commands.id = command_id"
            " WHERE absent.lane = ? AND settled = 0 AND requests.state = 'released'"
            " AND keyless = 1 AND origin = ? AND body_hash = ?",
            lane,
            origin,
            body_hash,
        )
        return next((str(row[0]) for row in rows if self.restores.was_vouched(row[0])), None)

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

    def _heard(self, command_id: str) -> None:
        """Restart a command's time for repetitions: a caller asked, or it has just been signed."""
        self._connection.execute(
            "UPDATE commands SET heard = ? WHERE id = ? AND guards IS NOT NULL",
            (self._running_time.now, command_id),
        )

    def _begin_anew(self) -> None:
        """Restart the running waiting times: nobody knows how long the server was away."""
        now = self._running_time.now
        self._connection.execute(
            "UPDATE commands INDEXED BY commands_undelivered SET heard = ?"
            " WHERE guards = 'undelivered' AND heard >= ?",
            (now, now - LIVES_MS),
        )

    # --- elements ---------------------------------------------------------------------------

    def mark_chosen(self, *, real: bool, owner: Mapping[str, str]) -> None:
        """Store the chosen kind of processor, and the journal's owner. If that fails, the next
        transaction stores them, so that no command or step of a receipt is stored before them."""
        self._chosen = real, owner
        with self._transaction():
            pass

    def keep_lane(self, lane: ports.LaneState) -> None:
        with self._transaction():
            self._keep_lane(lane)

    def was_sent(self) -> bool:
        return self._row("SELECT 1 FROM lanes WHERE place IS NOT NULL LIMIT 1") is not None

    def name_element(self, uid: str) -> None:
        with self._transaction() as connection:
            before = self.element()
            connection.execute("UPDATE lanes SET name = ?, uid = ? WHERE name = ''", (uid, uid))
            for table, which in (
                ("requests", "state NOT IN ('signed', 'cancelled')"),
                ("absent", "1"),
            ):
                connection.execute(
                    f"UPDATE {table} SET lane = ? WHERE lane = ? AND {which}", (uid, before)
                )
            connection.execute(  # a cancelled request never changes, and may be in the earlier lane
                "INSERT OR IGNORE INTO lanes (name, uid, is_counted)"
                " SELECT lane, lane, 0 FROM requests WHERE lane = ? AND lane <> '' LIMIT 1",
                (before,),
            )
            self._keep_element(uid)

    def accept_element(self, uid: str, *, by: str, now: datetime) -> None:
        with self._transaction() as connection:
            before = self._element_uid()
            connection.execute(
                "INSERT INTO lanes (name, uid, is_counted) VALUES (?, ?, 0)"
                " ON CONFLICT (name) DO NOTHING",
                (uid, uid),
            )
            self._keep_element(uid)
            self._note("element_accepted", None, now, f"{by}: {uid}, before {before or 'none'}")

    def _element_uid(self) -> str:
        """Return the element's UID, or its lane's name where the lane has no UID yet."""
        return self.lane(self.element()).uid or self.element()

    def _keep_element(self, uid: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('element', ?)", (uid,))

    # --- rows -------------------------------------------------------------------------------

    def _insert_command(self, command: ports.Command, receipts: int) -> None:
        self._connection.execute(
            "INSERT INTO commands (id, origin, key, keyless, operation, cashier, till_sequence,"
            " body, body_hash, facts, accepted_at, target, receipts, heard, guards)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                command.id,
                command.origin,
                command.key,
                int(command.keyless),
                command.operation.value,
                command.cashier,
                command.till_sequence,
                packed(command.body),
                command.body_hash,
                facts_packed(command),
                ms(command.accepted_at),
                command.target,
                receipts,
                self._running_time.now,
                "open" if command.keyless else None,
            ),
        )

    def _insert_request(self, request: ports.Request) -> None:
        self._connection.execute(
            "INSERT INTO requests (id, command_id, child, lane, state, pfr_request_id, planned,"
            " chain, attempt, changed_at, reason_class, reason_code, reason_words,"
            " reason_pfr_code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                request.id,
                request.command_id,
                request.child,
                request.lane,
                request.state.value,
                request.pfr_request_id,
                planned_row(request.planned),
                _other_chain(request),
                request.attempt,
                ms(request.changed_at),
                *reason_row(request.reason),
            ),
        )

    def _begin_afresh(self, request: ports.Request) -> None:
        self._connection.execute(
            f"UPDATE requests SET {_AFRESH}, lane = ?, pfr_request_id = ?, planned = ?, chain = ?"
            " WHERE id = ?",
            (
                request.state.value,
                ms(request.changed_at),
                *reason_row(request.reason),
                request.lane,
                request.pfr_request_id,
                planned_row(request.planned),
                _other_chain(request),
                request.id,
            ),
        )

    def _identity(self) -> str:
        """Return the journal's id, and make one for a new file. Later it is only read, so that a
        journal on a full disk still opens."""
        if (row := self._row(JOURNAL_ID)) is None:
            with super()._transaction() as connection:
                new = (str(uuid.uuid4()),)
                connection.execute("INSERT INTO meta VALUES ('journal_id', ?)", new)
            row = self._row(JOURNAL_ID)
        return str(row[0])


def _other_chain(request: ports.Request) -> str | None:
    return None if request.chain == request.id else request.chain


def _is_reversal(body_hash: bytes, origin: str, key: str, child: int, name: str) -> bool:
    return child > 0 and name == reversal_request_id(
        origin=origin, key=key, child=child, body_hash=body_hash
    )


def _open_of_row(row: Any) -> ports.Request:
    found = request_of_row(row)
    asked_for(True, found.state in OPEN)
    return found


def _half_done_of_row(row: Any) -> str:
    command_id, named, follows_signed, state = row
    asked_for((command_id, 1, "released"), (named, follows_signed, state))
    return str(command_id)
