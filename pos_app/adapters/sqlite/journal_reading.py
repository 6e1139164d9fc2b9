"""Reading journal.db: what was asked for, its state, what was signed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import apsw

from pos_app.adapters.sqlite.journal_keyless import KeylessGuard
from pos_app.adapters.sqlite.journal_rows import (
    absent_of_row,
    asked_for,
    command_of_row,
    link_of_row,
    moment_of,
    receipt_of,
    request_of_row,
)
from pos_app.adapters.sqlite.readable_rows import ReadableRows
from pos_app.domain.esir_part import ReceiptReference
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.receipt_identity import receipt_id
from pos_app.domain.states import OPEN, RequestState
from pos_app.errors import DatabaseDamaged
from pos_app.fiscalization.lane_state import UNNAMED, LaneState
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.ports import Command, ReleasedAttempt, Request
from pos_app.fiscalization.receipt_status import ReceiptStatus

COMMAND_COLUMNS = (
    "id, origin, key, keyless, operation, cashier, body, body_hash, facts, accepted_at,"
    " till_sequence, target"
)
"""What `command_of_row` reads."""
_COMMAND = (
    f"SELECT {COMMAND_COLUMNS} FROM commands WHERE row = (SELECT row FROM commands WHERE id = ?)"
)
"""By its row: found by the index on the id, the id told would be the index's own."""
_RECEIPTS = "SELECT receipts FROM commands WHERE id = ?"
_ITS_COMMAND = (
    " CROSS JOIN commands ON commands.row = (SELECT row FROM commands AS named"
    " WHERE named.id = requests.command_id) AND child < receipts "
)
REQUEST_COLUMNS = (
    "requests.id, command_id, child, lane, state, pfr_request_id, planned, attempt,"
    " changed_at, sent_at, baseline, sent_clock, reason_class, reason_code, reason_words,"
    " coalesce(chain, requests.id), reason_pfr_code, commands.id"
)
"""What `request_of_row` reads, of requests beside their commands."""
_REQUEST = f"SELECT {REQUEST_COLUMNS} FROM requests {_ITS_COMMAND}"
_OPEN = (
    "SELECT id FROM requests INDEXED BY open_requests"
    " WHERE state IN ('queued', 'sending', 'unknown', 'needs_human')"
)
_OF_COMMAND = (
    "WHERE requests.id IN (SELECT id FROM requests AS named WHERE named.command_id = ?)"
    " ORDER BY child"
)
"""By their ids: found by the index on the command, the command told would be the index's own."""
_HALF_DONE = (
    "SELECT command_id, commands.id, follows_signed, state"
    f" FROM requests {_ITS_COMMAND} WHERE requests.id IN"
    " (SELECT id FROM requests AS named INDEXED BY half_done"
    "  WHERE named.follows_signed = 1 AND named.state = 'released')"
)
_IN_LANE = (
    "SELECT id FROM requests INDEXED BY one_in_lane"
    " WHERE lane = ? AND state IN ('sending', 'unknown')"
)
_WHEREABOUTS = (
    "SELECT requests.id, command_id, state, number, body_hash, commands.id, changed_at"
    f" FROM requests {_ITS_COMMAND} LEFT JOIN receipts ON request_id = requests.id "
)
_LINK = (
    "SELECT requests.id, command_id, operation, child, state, planned, content, number,"
    f" coalesce(chain, requests.id), commands.id FROM requests {_ITS_COMMAND}"
    " LEFT JOIN receipts ON request_id = requests.id LEFT JOIN answers ON answers.row = answer"
    " WHERE requests.id IN (SELECT ? UNION ALL SELECT id FROM requests AS named"
    "  INDEXED BY requests_of_chain WHERE named.chain = ?)"
    " ORDER BY commands.row, child"
)
_ABSENT = (
    "SELECT request_id, min(attempt), pfr_request_id, planned, baseline, sent_clock,"
    " alarmed_number, lane FROM absent"
)


class JournalReading(KeylessGuard):
    """The reading half of the journal, on the connection of its one writer."""

    def __init__(self, connection: apsw.Connection, seconds: Callable[[], float]) -> None:
        super().__init__(connection, seconds)
        self._readable = ReadableRows()

    def command(self, command_id: str) -> Command | None:
        row = self._one(_COMMAND, command_id)
        if row is None:
            return None
        asked_for(command_id, row[0])
        return command_of_row(row)

    def command_by_key(self, origin: str, key: str) -> Command | None:
        found = self.command(receipt_id(origin=origin, key=key))
        if found is not None:
            asked_for((origin, key), (found.origin, found.key))
        return found

    def request_of_number(self, number: str) -> Request | None:
        found = self.status_by_reference(number)
        return None if found is None else self.request(found.id)

    def has_number(self, number: str) -> bool:
        return self._one("SELECT 1 FROM receipts WHERE number = ?", number) is not None

    def chain(self, chain: str) -> Chain:
        rows = self._rows(_LINK, chain, chain)
        for row in rows:
            asked_for((chain, row[1]), (row[8], row[9]))
        return Chain(tuple(map(link_of_row, rows)))

    def half_done(self) -> tuple[str, ...]:
        return self._readable.of(_half_done_of_row, self._rows(_HALF_DONE))

    def statuses_of(self, command_id: str) -> tuple[ReceiptStatus, ...]:
        found = self._whereabouts(_OF_COMMAND, command_id)
        asked_for({command_id}, {one.command_id for one in found} | {command_id})
        return found

    def status_by_reference(self, reference: str) -> ReceiptStatus | None:
        where = "WHERE requests.id = ? OR requests.id = "
        of_number = "(SELECT request_id FROM receipts WHERE number = ?)"
        found = next(iter(self._whereabouts(where + of_number, reference, reference)), None)
        if found is not None and reference != found.id:
            asked_for(reference, found.number)
        return found

    def corrected_hash(self, command_id: str) -> bytes | None:
        row = self._one(
            "SELECT body_hash FROM corrections WHERE command_id = ? ORDER BY attempt DESC LIMIT 1",
            command_id,
        )
        return None if row is None else bytes(row[0])

    def requests_of(self, command_id: str) -> tuple[Request, ...]:
        found = self._requests(_OF_COMMAND, command_id)
        row = self._one(_RECEIPTS, command_id)
        children = [(command_id, child) for child in range(0 if row is None else row[0])]
        asked_for(children, [(one.command_id, one.child) for one in found])
        return found

    def request(self, request_id: str) -> Request | None:
        found = next(iter(self._requests("WHERE requests.id = ?", request_id)), None)
        if found is not None:
            asked_for(request_id, found.id)
        return found

    def in_lane(self, lane: str) -> Request | None:
        found = next(iter(self._requests(f"WHERE requests.id = ({_IN_LANE})", lane)), None)
        if found is not None:
            under_way = found.state in (RequestState.SENDING, RequestState.UNKNOWN)
            asked_for((lane, True), (found.lane, under_way))
        return found

    def open_requests(self) -> tuple[Request, ...]:
        rows = self._rows(f"{_REQUEST} WHERE requests.id IN ({_OPEN}) ORDER BY changed_at")
        return self._readable.of(_open_of_row, rows)

    def is_in_doubt(self, lane: str) -> bool:
        return bool(self._rows(f"{_IN_LANE} AND state = 'unknown'", lane))

    def absent_in(self, lane: str) -> tuple[ReleasedAttempt, ...]:
        rows = self._rows(
            f"{_ABSENT} INDEXED BY absent_in_lane WHERE lane = ? AND settled = 0"
            " GROUP BY pfr_request_id ORDER BY at DESC",
            lane,
        )
        return self._readable.of(absent_of_row, rows)

    def absent_of(self, request_id: str) -> tuple[ReleasedAttempt, ...]:
        rows = self._rows(f"{_ABSENT} WHERE request_id = ? GROUP BY pfr_request_id", request_id)
        return tuple(absent_of_row(row) for row in rows)

    def asked_of_person(self, lane: str) -> tuple[Request, ...]:
        """What the processor refused is surely not signed: it waits for another reason."""
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

    def receipt(self, request_id: str) -> SignedReceipt | None:
        row = self._one(
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
        row = self._one(
            "SELECT number, sdc_time, request_id FROM receipts WHERE request_id = ?", request_id
        )
        if row is None:
            return None
        asked_for(request_id, row[2])
        try:
            receipt = self.receipt(request_id)
        except DatabaseDamaged:  # both are kept beside it, the time in milliseconds
            return ReceiptReference(row[0], moment_of(row[1]))
        assert receipt is not None
        return ReceiptReference(receipt.invoice_number, receipt.sdc_time)

    def lane(self, name: str) -> LaneState:
        row = self._one(
            "SELECT uid, tin, counter, is_counted, place FROM lanes WHERE name = ?", name
        )
        if row is None:
            return LaneState(name)
        return LaneState(name, row[0], row[1], row[2], is_counted=bool(row[3]), place=row[4])

    def element(self) -> str:
        row = self._one("SELECT value FROM meta WHERE name = 'element'")
        return UNNAMED if row is None else str(row[0])

    def lanes_in_doubt(self) -> tuple[str, ...]:
        rows = self._rows(
            "SELECT DISTINCT lane FROM requests INDEXED BY open_requests"
            " WHERE state IN ('queued', 'sending', 'unknown', 'needs_human')"
            " AND state <> 'queued'"
        )
        return tuple(row[0] for row in rows)

    # --- rows -------------------------------------------------------------------------------

    def _whereabouts(self, where: str, *values: Any) -> tuple[ReceiptStatus, ...]:
        rows = self._rows(_WHEREABOUTS + where, *values)
        for row in rows:
            asked_for(row[1], row[5])
        return tuple(
            ReceiptStatus(
                row[0], row[1], RequestState(row[2]), row[3], bytes(row[4]), moment_of(row[6])
            )
            for row in rows
        )

    def _requests(self, where: str, *values: Any) -> tuple[Request, ...]:
        return tuple(request_of_row(row) for row in self._rows(_REQUEST + where, *values))


def _open_of_row(row: Any) -> Request:
    found = request_of_row(row)
    asked_for(True, found.state in OPEN)
    return found


def _half_done_of_row(row: Any) -> str:
    command_id, named, follows_signed, state = row
    asked_for((command_id, 1, "released"), (named, follows_signed, state))
    return str(command_id)
