"""Reading journal.db: what was asked, where it stands, what was signed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import apsw

from pos_app.adapters.sqlite.journal_keyless import KeylessGuard
from pos_app.adapters.sqlite.journal_rows import (
    absent_of_row,
    command_of_row,
    link_of_row,
    moment_of,
    receipt_of,
    request_of_row,
)
from pos_app.adapters.sqlite.readable_rows import ReadableRows
from pos_app.domain.esir_part import ReceiptReference
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import RequestState
from pos_app.errors import DatabaseDamaged
from pos_app.fiscalization.lane_facts import LaneFacts
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.ports import Absent, Command, Request
from pos_app.fiscalization.whereabouts import Whereabouts

_COMMAND = (
    "SELECT id, origin, key, keyless, operation, cashier, body, body_hash, facts, accepted_at,"
    " till_sequence, target FROM commands "
)
_REQUEST = (
    "SELECT requests.id, command_id, child, lane, state, pfr_request_id, planned, attempt,"
    " changed_at, sent_at, baseline, sent_clock, reason_class, reason_code, reason_words,"
    " chain, reason_pfr_code"
    " FROM requests CROSS JOIN commands ON commands.id = command_id AND child < receipts "
)
_OPEN = (
    "SELECT id FROM requests INDEXED BY open_requests"
    " WHERE state IN ('queued', 'sending', 'unknown', 'needs_human')"
)
_IN_LANE = (
    "SELECT id FROM requests INDEXED BY one_in_lane"
    " WHERE lane = ? AND state IN ('sending', 'unknown')"
)
_WHEREABOUTS = (
    "SELECT requests.id, command_id, state, number, body_hash"
    " FROM requests CROSS JOIN commands ON commands.id = command_id AND child < receipts"
    " LEFT JOIN receipts ON request_id = requests.id "
)
_LINK = (
    "SELECT requests.id, command_id, operation, child, state, planned, answer"
    " FROM requests INDEXED BY requests_of_chain"
    " CROSS JOIN commands ON commands.id = command_id AND child < receipts"
    " LEFT JOIN receipts ON request_id = requests.id"
    " WHERE chain = ? ORDER BY commands.row, child"
)
_ABSENT = (
    "SELECT request_id, min(attempt), pfr_request_id, planned, baseline, sent_clock,"
    " alarmed_number FROM absent"
)
_MOST_ABSENT = 50


class JournalReading(KeylessGuard):
    """The reading half of the journal, on the connection of its one writer."""

    def __init__(self, connection: apsw.Connection, seconds: Callable[[], float]) -> None:
        super().__init__(connection, seconds)
        self._readable = ReadableRows()

    def rows(self) -> int:
        return int(self._one("SELECT coalesce(max(row), 0) FROM commands")[0])

    def command(self, command_id: str) -> Command | None:
        return self._command("WHERE id = ?", command_id)

    def command_by_key(self, origin: str, key: str) -> Command | None:
        return self._command("WHERE origin = ? AND key = ?", origin, key)

    def request_of_number(self, number: str) -> Request | None:
        found = self._requests(
            "WHERE requests.id = (SELECT request_id FROM receipts WHERE number = ?)", number
        )
        return next(iter(found), None)

    def chain(self, chain: str) -> Chain:
        return Chain(tuple(link_of_row(row) for row in self._rows(_LINK, chain)))

    def half_done(self, lane: str) -> tuple[str, ...]:
        rows = self._rows(
            "SELECT command_id FROM requests INDEXED BY half_done"
            " CROSS JOIN commands ON commands.id = command_id AND child < receipts"
            " WHERE follows_signed = 1 AND state = 'released' AND lane = ?",
            lane,
        )
        return tuple(row[0] for row in rows)

    def whereabouts_of(self, command_id: str) -> tuple[Whereabouts, ...]:
        return self._whereabouts("WHERE command_id = ? ORDER BY child", command_id)

    def whereabouts(self, reference: str) -> Whereabouts | None:
        where = "WHERE requests.id = ? OR requests.id = "
        of_number = "(SELECT request_id FROM receipts WHERE number = ?)"
        found = self._whereabouts(where + of_number, reference, reference)
        return next(iter(found), None)

    def corrected_hash(self, command_id: str) -> bytes | None:
        row = self._one(
            "SELECT body_hash FROM corrections WHERE command_id = ? ORDER BY attempt DESC LIMIT 1",
            command_id,
        )
        return None if row is None else bytes(row[0])

    def requests_of(self, command_id: str) -> tuple[Request, ...]:
        return self._requests("WHERE command_id = ? ORDER BY child", command_id)

    def request(self, request_id: str) -> Request | None:
        return next(iter(self._requests("WHERE requests.id = ?", request_id)), None)

    def in_lane(self, lane: str) -> Request | None:
        found = self._requests(f"WHERE requests.id = ({_IN_LANE})", lane)
        return next(iter(found), None)

    def open_requests(self) -> tuple[Request, ...]:
        rows = self._rows(f"{_REQUEST} WHERE requests.id IN ({_OPEN}) ORDER BY changed_at")
        return self._readable.of(request_of_row, rows)

    def is_in_doubt(self, lane: str) -> bool:
        return bool(self._rows(f"{_IN_LANE} AND state = 'unknown'", lane))

    def absent_in(self, lane: str) -> tuple[Absent, ...]:
        rows = self._rows(
            f"{_ABSENT} WHERE lane = ? GROUP BY pfr_request_id ORDER BY at DESC LIMIT ?",
            lane,
            _MOST_ABSENT,
        )
        return self._readable.of(absent_of_row, rows)

    def absent_of(self, request_id: str) -> tuple[Absent, ...]:
        rows = self._rows(f"{_ABSENT} WHERE request_id = ? GROUP BY pfr_request_id", request_id)
        return tuple(absent_of_row(row) for row in rows)

    def receipt(self, request_id: str) -> SignedReceipt | None:
        row = self._one("SELECT answer FROM receipts WHERE request_id = ?", request_id)
        return None if row is None else receipt_of(row[0])

    def reference(self, request_id: str) -> ReceiptReference | None:
        row = self._one("SELECT number, sdc_time FROM receipts WHERE request_id = ?", request_id)
        if row is None:
            return None
        try:
            receipt = self.receipt(request_id)
        except DatabaseDamaged:  # both stand beside it, the time in milliseconds
            return ReceiptReference(row[0], moment_of(row[1]))
        assert receipt is not None
        return ReceiptReference(receipt.invoice_number, receipt.sdc_time)

    def lane(self, name: str) -> LaneFacts:
        row = self._one("SELECT uid, tin, counter, is_counted FROM lanes WHERE name = ?", name)
        if row is None:
            return LaneFacts(name)
        return LaneFacts(name, row[0], row[1], row[2], is_counted=bool(row[3]))

    # --- rows -------------------------------------------------------------------------------

    def _command(self, where: str, *values: Any) -> Command | None:
        row = self._one(_COMMAND + where, *values)
        return None if row is None else command_of_row(row)

    def _whereabouts(self, where: str, *values: Any) -> tuple[Whereabouts, ...]:
        rows = self._rows(_WHEREABOUTS + where, *values)
        return tuple(
            Whereabouts(row[0], row[1], RequestState(row[2]), row[3], bytes(row[4])) for row in rows
        )

    def _requests(self, where: str, *values: Any) -> tuple[Request, ...]:
        return tuple(request_of_row(row) for row in self._rows(_REQUEST + where, *values))
