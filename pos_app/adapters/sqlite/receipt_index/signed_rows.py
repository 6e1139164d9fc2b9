"""Reads the signed receipts of a journal in the order of its history, on a connection of its own:
the journal's writer goes on meanwhile.

Each signing is a row of the history, committed with its receipt, and rows never change: so number
and hash of the last read row show which receipts were read. The journal needs no index for that.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw

from pos_app import log
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.journal import packing
from pos_app.adapters.sqlite.journal.restores import JOURNAL_ID
from pos_app.adapters.sqlite.journal.rows import LINKS, chain_of_rows, kept_row, moment_of
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt import TaxItem
from pos_app.domain.receipt.receipt_list import HandOver, ReceiptFigures
from pos_app.domain.receipt.receipt_overview import PaidBy
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.domain.text.instant import as_utc
from pos_app.errors import DatabaseBusy, DatabaseDamaged, MachineError
from pos_app.fiscalization.jobs import hand_over_of
from pos_app.fiscalization.plans.chain import Chain
from pos_app.lazy_dataclass import dataclass
from pos_app.wire.strict_json import dumps

_PATIENCE = 200
"""Milliseconds that a read waits for a journal that another program holds whole."""
_CACHE_KIB = 256
"""A tenth of the usual cache, because nearly every row is read once."""
_LAST = "SELECT row, hash FROM attempts WHERE row = (SELECT max(row) FROM attempts)"
_SIGNED = """
SELECT attempts.row, requests.id, number, sdc_time, planned, origin, commands.id,
    coalesce(chain, requests.id), receipts.answer, commands.operation
FROM attempts LEFT JOIN commands ON commands.row = attempts.command
LEFT JOIN requests ON requests.command_id = commands.id AND requests.child = attempts.child
LEFT JOIN receipts ON receipts.request_id = requests.id
WHERE attempts.row BETWEEN ? AND ? AND attempts.state = 'signed' ORDER BY attempts.row
"""
_OF_PAIR = (
    "SELECT number FROM receipts WHERE request_id ="
    " (SELECT id FROM requests WHERE command_id = ? AND child = ?)"
)
_SIGNED_IN = """
SELECT (SELECT max(row) FROM attempts WHERE command = commands.row
    AND child = requests.child AND state = 'signed')
FROM requests JOIN commands ON commands.id = requests.command_id WHERE requests.id = ?
"""
_JOBS = (
    "SELECT jobs.request_id, method, state, trouble IS NOT NULL FROM json_each(?) AS asked"
    " CROSS JOIN jobs ON jobs.request_id = asked.value"
)
_CONTENT = (
    "SELECT planned, content FROM requests JOIN receipts ON receipts.request_id = requests.id"
    " JOIN answers ON answers.row = receipts.answer WHERE requests.id = ?"
)
_ANSWER = "SELECT content FROM answers WHERE row = ?"
_HANDED = "SELECT method FROM jobs WHERE request_id = ? AND state = 'done' ORDER BY id"
_OPERATION = (
    "SELECT operation FROM requests JOIN commands ON commands.id = command_id WHERE requests.id = ?"
)

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class SignedRow:
    """A signed receipt. row: the number of its row in the history. id: the id of its request.
    program: the origin of the request. referent: the number of the receipt that it refers to.
    chain: the request that its chain began with. is_closing: it is the refund with which an advance
    is closed. is_reversal: it undoes a refund. due: the amount to be paid with it, where that is
    not its total. taxes: the taxes as the processor sent them, or None if it sent none or they
    can't be read."""

    row: int
    id: uuid.UUID
    at_ms: int
    at: datetime
    number: str
    document: FiscalDocument
    program: str
    referent: str | None
    chain: uuid.UUID
    due: Money | None = None
    taxes: tuple[TaxItem, ...] | None = None
    is_closing: bool = False
    is_reversal: bool = False


class JournalAway(Exception):
    """The journal can't be read now; `fault` is the reason."""

    def __init__(self, fault: MachineError) -> None:
        super().__init__(str(fault))
        self.fault = fault


class SignedRows:
    """One connection to journal.db that only reads. Its methods raise JournalAway."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: apsw.Connection | None = None
        self.left_out = 0
        """Receipts that could not be read since this object was made."""

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def as_of_now(self) -> Iterator[None]:
        """Read everything inside as of one moment."""
        with self._reading() as connection:
            connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._connection is not None and self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def identity(self) -> str:
        """Return the journal's id, "" where nothing was ever written."""
        found = self._row(JOURNAL_ID)
        return "" if found is None else str(found[0])

    def receipts(self) -> int:
        return int(self._row("SELECT coalesce(max(row), 0) FROM answers")[0])

    def last(self) -> tuple[int, bytes | None]:
        """Return the last row of the history with its hash; 0 where there is none."""
        found = self._row(_LAST)
        return (0, None) if found is None else (found[0], found[1])

    def hash_of(self, row: int) -> bytes | None:
        found = self._row("SELECT hash FROM attempts WHERE row = ?", row)
        return None if found is None else found[0]

    def signed(self, first: int, last: int) -> list[SignedRow]:
        """Return the receipts signed in these rows. An unreadable one is logged and left out."""
        try:
            with self._reading() as connection:
                rows = connection.execute(_SIGNED, (first, last)).fetchall()
        except JournalAway as away:
            if not isinstance(away.fault, DatabaseDamaged) or self._connection is None:
                raise
            if first == last:
                self._leave_out(f"row {first} of the history", away.fault)
                return []
            middle = (first + last) // 2
            return [*self.signed(first, middle), *self.signed(middle + 1, last)]
        return [found for row in rows if (found := self._signed_row(row)) is not None]

    def chain(self, chain: str) -> Chain | None:
        """Return the receipts of a chain, or None where one can't be read, which is logged."""
        try:
            with self._reading() as connection:
                rows = connection.execute(LINKS, (chain, chain)).fetchall()
            return chain_of_rows(chain, rows)
        except DatabaseDamaged as error:
            fault: MachineError = error
        except JournalAway as away:
            if not isinstance(away.fault, DatabaseDamaged):
                raise
            fault = away.fault
        _log.error("%s It is left out of the open advances (%s).", fault.what, chain)
        return None

    def signed_in(self, request_id: str) -> int | None:
        """Return the row of the history that says that a request was signed, None without one."""
        found = self._row(_SIGNED_IN, request_id)
        return None if found is None else found[0]

    def handed_over(self, receipts: Sequence[tuple[str, ReceiptKind]]) -> dict[str, HandOver]:
        """Return, by request, how far its receipt was handed over."""
        jobs = dict[str, list[tuple[JobMethod, JobState, bool]]]()
        with self._reading() as connection, kept_row("a delivery job"):
            asked = dumps([request_id for request_id, _ in receipts]).decode()
            for request_id, method, state, has_trouble in connection.execute(_JOBS, (asked,)):
                job = (JobMethod(method), JobState(state), bool(has_trouble))
                jobs.setdefault(request_id, []).append(job)
        return {
            request_id: hand_over_of(
                jobs.get(request_id, ()),
                stays_here=request_id not in jobs and self._stays_here(request_id, kind),
            )
            for request_id, kind in receipts
        }

    def figures(self, request_id: str) -> ReceiptFigures | None:
        """Return a request's signed figures, or None where they can't be read, which is logged."""
        with self._reading() as connection:
            row: Any = connection.execute(_CONTENT, (request_id,)).fetchone()
            handed = [one[0] for one in connection.execute(_HANDED, (request_id,))]
        try:
            with kept_row("a receipt"):
                planned, receipt = (
                    packing.planned_from_json(packing.unpacked(row[0])),
                    packing.answer_of(row[1]),
                )
                document, closing = planned.document, planned.esir.advance
                due = document.total if closing is None else closing.remaining
                return ReceiptFigures(
                    counter=receipt.invoice_counter,
                    payments=_kept(document.payments, due),
                    taxes=receipt.tax_items or (),
                    lines=document.lines,
                    handed_by=tuple(map(JobMethod, handed)),
                )
        except DatabaseDamaged as error:
            _log.error("%s A sheet has no figures of it (%s).", error.what, request_id)
            return None

    def _stays_here(self, request_id: str, kind: ReceiptKind) -> bool:
        if kind.invoice_type is not InvoiceType.ADVANCE:
            return False
        found = self._row(_OPERATION, request_id)
        return found is not None and found[0] == Operation.CLOSE

    def _signed_row(self, row: Any) -> SignedRow | None:
        try:
            with kept_row("a receipt"):
                planned = packing.planned_from_json(packing.unpacked(row[4]))
                referent = planned.document.referent_number
                if planned.follows is not None:
                    pair = self._row(_OF_PAIR, row[6], planned.follows)
                    referent = referent if pair is None else str(pair[0])
                return SignedRow(
                    row=row[0],
                    id=uuid.UUID(row[1]),
                    at_ms=row[3],
                    at=as_utc(moment_of(row[3])),
                    number=str(row[2]),
                    document=planned.document,
                    program=str(row[5]),
                    referent=referent,
                    chain=uuid.UUID(row[7]),
                    due=None if planned.esir.advance is None else planned.esir.advance.remaining,
                    taxes=self._taxes(row[8]),
                    is_closing=row[9] == Operation.CLOSE
                    and planned.document.transaction_type is TransactionType.REFUND,
                    is_reversal=planned.is_reversal,
                )
        except DatabaseDamaged as error:
            self._leave_out(row[1] or f"row {row[0]} of the history", error)
            return None

    def _taxes(self, answer: int | None) -> tuple[TaxItem, ...] | None:
        """Read the taxes. A receipt is in the list even where its answer is damaged."""
        try:
            with self._reading() as connection, kept_row("an answer"):
                return packing.taxes_of(connection.execute(_ANSWER, (answer,)).get)
        except JournalAway as away:
            if not isinstance(away.fault, DatabaseDamaged):
                raise
            fault: MachineError = away.fault
        except DatabaseDamaged as error:
            fault = error
        _log.error("%s No report has the tax of it (answer %s).", fault.what, answer)
        return None

    def _leave_out(self, what: str, error: MachineError) -> None:
        self.left_out += 1
        _log.error("%s It is left out of the list of receipts (%s).", error.what, what)

    def _row(self, sql: str, *values: Any) -> Any:
        with self._reading() as connection:
            return connection.execute(sql, values).fetchone()

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        try:
            with translated_errors(self._path.name):
                if self._connection is None:
                    self._connection = open_reader(self._path, patience=_PATIENCE)
                    self._connection.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
                yield self._connection
        except MachineError as fault:
            if isinstance(fault, DatabaseBusy):
                self.close()
            raise JournalAway(fault) from fault


def _kept(payments: Sequence[tuple[PaymentMethod, Money]], due: Money) -> tuple[PaidBy, ...]:
    """Return the payments that the shop keeps: cash without the change.

    | due     | paid                | stays                |
    | 1674.72 | cash 2000           | cash 1674.72         |
    | 1674.72 | card 1600, cash 100 | card 1600, cash 74.72 |
    """
    change = max(Money.total(amount for _, amount in payments) - due, Money.ZERO)
    kept = list[PaidBy]()
    for method, amount in payments:
        back = min(change, amount) if method is PaymentMethod.CASH else Money.ZERO
        kept.append(PaidBy(method, amount - back))
        change -= back
    return tuple(kept)
