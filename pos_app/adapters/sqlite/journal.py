"""The server's durable memory in journal.db: implements fiscalization.ports.Journal."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import apsw

from pos_app.adapters.sqlite.database import open_database
from pos_app.adapters.sqlite.integrity import look_over
from pos_app.adapters.sqlite.journal_answers import answer_packed
from pos_app.adapters.sqlite.journal_contents import journal_contents
from pos_app.adapters.sqlite.journal_findings import SqliteFindings
from pos_app.adapters.sqlite.journal_jobs import SqliteJobs
from pos_app.adapters.sqlite.journal_packing import packed
from pos_app.adapters.sqlite.journal_reading import JournalReading
from pos_app.adapters.sqlite.journal_restores import SqliteRestores, teach_chain
from pos_app.adapters.sqlite.journal_rows import (
    facts_packed,
    ms,
    planned_row,
    reason_row,
)
from pos_app.adapters.sqlite.journal_schema import MIGRATIONS
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.fiscalization.lane_state import LaneState
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.ports import Command, Correction, Request, StateReason

_AFRESH = (
    "state = ?, attempt = attempt + 1, changed_at = ?, sent_at = NULL, baseline = NULL,"
    " sent_clock = NULL, reason_class = ?, reason_code = ?, reason_words = ?, reason_pfr_code = ?"
)
"""A new attempt of a request: what is known of the one before it is in `attempts`."""


PATIENCE = 50
"""Milliseconds that the server's loop waits for a journal that another program holds: who
can wait longer tries again, and lets the loop go on meanwhile."""


class SqliteJournal(JournalReading):
    """One writer connection to journal.db; each method is one durable transaction.

    looks_whole: whether what was looked at when it was opened shows no damage.
    """

    def __init__(self, path: Path, *, seconds: Callable[[], float] = time.monotonic) -> None:
        """seconds: a clock that does not jump, of no known beginning."""
        super().__init__(
            open_database(path, migrations=MIGRATIONS, contents=journal_contents), seconds
        )
        teach_chain(self._connection)
        self.looks_whole = look_over(self._connection, path)
        self.findings = SqliteFindings(self._connection)
        self.jobs = SqliteJobs(self._connection)
        self.identity = self._identity()
        self.restores = SqliteRestores(self._connection, self.identity, self._running)

    def close(self) -> None:
        """Close the file; nothing is pending, every method has committed."""
        self._connection.close()

    # --- writing ----------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[apsw.Connection]:
        with super()._transaction() as connection:
            yield connection
        self.restores.tip_moved()

    def add_command(self, command: Command, requests: Sequence[Request]) -> None:
        with self._transaction():
            self._insert_command(command, len(requests))
            for request in requests:
                self._insert_request(request)

    def requeue(self, command: Command, requests: Sequence[Request]) -> None:
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
                "UPDATE requests SET planned = ? WHERE id = ?",
                (planned_row(planned), request_id),
            )
            connection.execute(
                f"UPDATE requests SET {_AFRESH} WHERE id = ? AND state <> 'queued'",
                ("queued", ms(now), *reason_row(None), request_id),
            )

    def queue_decided(
        self,
        request: Request,
        *,
        what: str,
        by: str,
        now: datetime,
        correction: Correction | None = None,
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
        self, request_id: str, *, lane: LaneState, clock: datetime | None, now: datetime
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
        lane: LaneState,
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
            self._keep_lane(lane)

    def settle(
        self,
        request_id: str,
        state: RequestState,
        *,
        reason: StateReason,
        now: datetime,
        taken_as_absent: bool = False,
        lane: LaneState | None = None,
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

    def cancel(self, command_id: str, *, reason: StateReason, now: datetime) -> None:
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
        if self._one(f"SELECT 1 {which}", pfr_request_id, ms(long_ago)) is None:
            return  # nothing to write: most look-ups are of what is still open
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
        cut = StateReason(
            AnswerClass.UNKNOWN, "restart", "The server stopped while it was sending."
        )
        left = StateReason(AnswerClass.WAIT, "restart", "The server stopped before it was sent.")
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
        self._connection.set_busy_timeout(PATIENCE)  # from here on others wait for the loop

    # --- elements ---------------------------------------------------------------------------

    def keep_lane(self, lane: LaneState) -> None:
        with self._transaction():
            self._keep_lane(lane)

    def name_element(self, uid: str) -> None:
        with self._transaction() as connection:
            connection.execute("UPDATE lanes SET name = ?, uid = ? WHERE name = ''", (uid, uid))
            for table, which in (
                ("requests", "state NOT IN ('signed', 'cancelled')"),
                ("absent", "1"),
            ):
                connection.execute(
                    f"UPDATE {table} SET lane = ? WHERE lane = '' AND {which}", (uid,)
                )
            self._keep_element(uid)

    def accept_element(self, uid: str, *, by: str, now: datetime) -> None:
        with self._transaction() as connection:
            before = self.element()
            connection.execute(
                "INSERT INTO lanes (name, uid, is_counted) VALUES (?, ?, 0)"
                " ON CONFLICT (name) DO NOTHING",
                (uid, uid),
            )
            self._keep_element(uid)
            self._note("element_accepted", None, now, f"{by}: {uid}, before {before or 'none'}")

    def _keep_element(self, uid: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('element', ?)", (uid,))

    # --- rows -------------------------------------------------------------------------------

    def _insert_command(self, command: Command, receipts: int) -> None:
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
                self._running(),
                "open" if command.keyless else None,
            ),
        )

    def _insert_request(self, request: Request) -> None:
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

    def _begin_afresh(self, request: Request) -> None:
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
        """Kept once, when the file is made: a journal on a full disk can still be read."""
        known = "SELECT value FROM meta WHERE name = 'journal_id'"
        if (row := self._one(known)) is None:
            with super()._transaction() as connection:
                new = (str(uuid.uuid4()),)
                connection.execute("INSERT INTO meta VALUES ('journal_id', ?)", new)
            row = self._one(known)
        return str(row[0])


def _other_chain(request: Request) -> str | None:
    return None if request.chain == request.id else request.chain
