"""The server's durable memory in journal.db: implements fiscalization.ports.Journal."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw

from pos_app.adapters.sqlite.database import open_database, transaction
from pos_app.adapters.sqlite.journal_findings import SqliteFindings
from pos_app.adapters.sqlite.journal_rows import (
    absent_of_row,
    command_of_row,
    facts_packed,
    ms,
    packed,
    para,
    reason_row,
    receipt_of,
    request_of_row,
    told_as_ours,
)
from pos_app.adapters.sqlite.journal_schema import MIGRATIONS
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.fiscalization.ports import Absent, Command, LaneFacts, Reason, Request
from pos_app.wire.pfr import invoice_request_to_json
from pos_app.wire.receipt import signed_receipt_to_json
from pos_app.wire.strict_json import dumps

_COMMAND = (
    "SELECT id, origin, key, keyless, operation, cashier, body, body_hash, facts, accepted_at,"
    " till_sequence FROM commands "
)
_REQUEST = (
    "SELECT id, command_id, child, lane, state, pfr_request_id, document, attempt, changed_at,"
    " sent_at, baseline, sent_clock, reason_class, reason_code, reason_words FROM requests "
)
_MOST_ABSENT = 50


class SqliteJournal:
    """One writer connection to journal.db; each method is one durable transaction."""

    def __init__(self, path: Path) -> None:
        self._connection = open_database(path, migrations=MIGRATIONS)
        self.findings = SqliteFindings(self._connection)
        self.identity = self._identity()

    def close(self) -> None:
        """Close the file; nothing is pending, every method has committed."""
        self._connection.close()

    # --- reading ----------------------------------------------------------------------------

    def rows(self) -> int:
        return int(self._one("SELECT coalesce(max(row), 0) FROM commands")[0])

    def command(self, command_id: str) -> Command | None:
        return self._command("WHERE id = ?", command_id)

    def command_by_key(self, origin: str, key: str) -> Command | None:
        return self._command("WHERE origin = ? AND key = ?", origin, key)

    def command_of_number(self, number: str) -> Command | None:
        return self._command(
            "WHERE id = (SELECT command_id FROM requests JOIN receipts"
            " ON receipts.request_id = requests.id WHERE number = ?)",
            number,
        )

    def keyless_twin(
        self, origin: str, body_hash: bytes, *, undelivered_since: datetime
    ) -> Command | None:
        return self._command(
            "WHERE keyless = 1 AND origin = ? AND body_hash = ? AND EXISTS ("
            " SELECT 1 FROM requests WHERE command_id = commands.id AND ("
            "  state IN ('queued', 'sending', 'unknown', 'needs_human')"
            "  OR state = 'signed' AND delivered_at IS NULL AND changed_at >= ?))",
            origin,
            body_hash,
            ms(undelivered_since),
        )

    def requests_of(self, command_id: str) -> tuple[Request, ...]:
        return self._requests("WHERE command_id = ? ORDER BY child", command_id)

    def request(self, request_id: str) -> Request | None:
        return next(iter(self._requests("WHERE id = ?", request_id)), None)

    def in_lane(self, lane: str) -> Request | None:
        found = self._requests("WHERE lane = ? AND state IN ('sending', 'unknown')", lane)
        return next(iter(found), None)

    def open_requests(self) -> tuple[Request, ...]:
        return self._requests(
            "WHERE state IN ('queued', 'sending', 'unknown', 'needs_human') ORDER BY changed_at"
        )

    def proven_absent(self, lane: str) -> tuple[Absent, ...]:
        rows = self._rows(
            "SELECT request_id, min(attempt), pfr_request_id, document, baseline, sent_clock,"
            " alarmed_number"
            " FROM absent WHERE lane = ? GROUP BY pfr_request_id ORDER BY at DESC LIMIT ?",
            lane,
            _MOST_ABSENT,
        )
        return tuple(absent_of_row(row) for row in rows)

    def receipt(self, request_id: str) -> SignedReceipt | None:
        row = self._one("SELECT answer FROM receipts WHERE request_id = ?", request_id)
        return None if row is None else receipt_of(row[0])

    def lane(self, name: str) -> LaneFacts:
        row = self._one("SELECT uid, tin, counter FROM lanes WHERE name = ?", name)
        return LaneFacts(name, *row) if row else LaneFacts(name)

    # --- writing ----------------------------------------------------------------------------

    def accept(self, command: Command, requests: Sequence[Request]) -> None:
        with self._transaction():
            self._insert_command(command)
            for request in requests:
                self._insert_request(request)

    def begin_again(self, command: Command, requests: Sequence[Request]) -> None:
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO superseded SELECT id, ?, body, body_hash FROM commands"
                " WHERE id = ? AND body_hash <> ?",
                (ms(requests[0].changed_at), command.id, command.body_hash),
            )
            connection.execute(
                "UPDATE commands SET body = ?, body_hash = ?, facts = ?, delivered_at = NULL"
                " WHERE id = ?",
                (packed(command.body), command.body_hash, facts_packed(command), command.id),
            )
            for request in requests:
                connection.execute(
                    "UPDATE requests SET state = 'queued', lane = ?, pfr_request_id = ?,"
                    " document = ?, total = ?, attempt = attempt + 1, changed_at = ?,"
                    " sent_at = NULL, baseline = NULL, sent_clock = NULL, reason_class = NULL,"
                    " reason_code = NULL, reason_words = NULL WHERE id = ?",
                    (
                        request.lane,
                        request.pfr_request_id,
                        packed(invoice_request_to_json(request.document)),
                        para(request.document.total.amount),
                        ms(request.changed_at),
                        request.id,
                    ),
                )

    def send(
        self, request_id: str, *, lane: LaneFacts, clock: datetime | None, now: datetime
    ) -> None:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE requests SET state = 'sending', sent_at = ?, changed_at = ?,"
                " baseline = ?, sent_clock = ? WHERE id = ?",
                (ms(now), ms(now), lane.counter, clock and ms(clock), request_id),
            )
            self._keep_lane(lane)

    def sign(
        self, request_id: str, receipt: SignedReceipt, *, lane: LaneFacts, now: datetime
    ) -> None:
        request = self.request(request_id)
        assert request is not None
        document, total = request.document, receipt.total_amount
        with self._transaction() as connection:
            connection.execute(
                "UPDATE requests SET state = 'signed', changed_at = ?, reason_class = NULL,"
                " reason_code = NULL, reason_words = NULL WHERE id = ?",
                (ms(now), request_id),
            )
            connection.execute(
                "INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    request_id,
                    receipt.invoice_number,
                    document.invoice_type.value,
                    document.transaction_type.value,
                    para((total or document.total).amount),
                    receipt.total_counter,
                    receipt.tin,
                    ms(receipt.sdc_time),
                    ms(now),
                    packed(dumps(signed_receipt_to_json(receipt))),
                ),
            )
            self._keep_lane(lane)

    def settle(
        self,
        request_id: str,
        state: RequestState,
        *,
        reason: Reason,
        now: datetime,
        proven_absent: bool = False,
        lane: LaneFacts | None = None,
    ) -> None:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE requests SET state = ?, changed_at = ?, reason_class = ?,"
                " reason_code = ?, reason_words = ? WHERE id = ?",
                (state.value, ms(now), *reason_row(reason), request_id),
            )
            if proven_absent:
                connection.execute(
                    "INSERT INTO absent SELECT id, attempt, lane, pfr_request_id, document,"
                    " baseline, sent_clock, changed_at, NULL FROM requests WHERE id = ?",
                    (request_id,),
                )
            if lane is not None:
                self._keep_lane(lane)

    def mark_delivered(self, command_id: str, *, now: datetime) -> None:
        with self._transaction() as connection:
            connection.execute(
                "UPDATE commands SET delivered_at = ? WHERE id = ? AND delivered_at IS NULL",
                (ms(now), command_id),
            )

    def note(self, what: str, *, request_id: str | None, now: datetime, words: str) -> None:
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO notes VALUES (?, ?, ?, ?)", (ms(now), what, request_id, words)
            )

    def recover(self, *, now: datetime) -> None:
        cut = Reason(AnswerClass.UNKNOWN, "restart", "The server stopped while it was sending.")
        left = Reason(AnswerClass.WAIT, "restart", "The server stopped before it was sent.")
        with self._transaction() as connection:
            for old, new, reason in (("sending", "unknown", cut), ("queued", "released", left)):
                connection.execute(
                    "UPDATE requests SET state = ?, changed_at = ?, reason_class = ?,"
                    " reason_code = ?, reason_words = ? WHERE state = ?",
                    (new, ms(now), *reason_row(reason), old),
                )

    # --- rows -------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[apsw.Connection]:
        with told_as_ours(), transaction(self._connection) as connection:
            yield connection

    def _one(self, sql: str, *values: Any) -> Any:
        with told_as_ours():
            return self._connection.execute(sql, values).fetchone()

    def _rows(self, sql: str, *values: Any) -> list[Any]:
        with told_as_ours():
            return self._connection.execute(sql, values).fetchall()

    def _command(self, where: str, *values: Any) -> Command | None:
        row = self._one(_COMMAND + where, *values)
        return None if row is None else command_of_row(row)

    def _requests(self, where: str, *values: Any) -> tuple[Request, ...]:
        return tuple(request_of_row(row) for row in self._rows(_REQUEST + where, *values))

    def _insert_command(self, command: Command) -> None:
        self._connection.execute(
            "INSERT INTO commands (id, origin, key, keyless, operation, cashier, till_sequence,"
            " body, body_hash, facts, accepted_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                command.id,
                command.origin,
                command.key,
                int(command.keyless),
                command.operation,
                command.cashier,
                command.till_sequence,
                packed(command.body),
                command.body_hash,
                facts_packed(command),
                ms(command.accepted_at),
            ),
        )

    def _insert_request(self, request: Request) -> None:
        self._connection.execute(
            "INSERT INTO requests (id, command_id, child, lane, state, pfr_request_id, document,"
            " total, attempt, changed_at, reason_class, reason_code, reason_words)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                request.id,
                request.command_id,
                request.child,
                request.lane,
                request.state.value,
                request.pfr_request_id,
                packed(invoice_request_to_json(request.document)),
                para(request.document.total.amount),
                request.attempt,
                ms(request.changed_at),
                *reason_row(request.reason),
            ),
        )

    def _keep_lane(self, lane: LaneFacts) -> None:
        self._connection.execute(
            "INSERT INTO lanes VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET"
            " uid = excluded.uid, tin = excluded.tin, counter = excluded.counter",
            (lane.name, lane.uid, lane.tin, lane.counter),
        )

    def _identity(self) -> str:
        with transaction(self._connection) as connection:
            connection.execute(
                "INSERT OR IGNORE INTO meta VALUES ('journal_id', ?)", (str(uuid.uuid4()),)
            )
        return str(self._one("SELECT value FROM meta WHERE name = 'journal_id'")[0])
