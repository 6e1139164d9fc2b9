"""The judge of a history, apart from the product's rules.

It notes what people meant and what they were told, and reads what the processor signed. A document
that nobody meant, one that is lost, and a sum that differs are faults; so is an exception that the
window survived, and a line of level ERROR in the log.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Any

from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.reports import Grouping
from pos_app.pfr_emulator.ledger import LedgerEntry, read_entries
from pos_app.selling.sale.sale import LEFT_IN_FRONT, Sale
from pos_app.selling.sale.state import SaleState
from tests.proofs import Proof

NORMAL, TRAINING, ADVANCE, REFUND, CASH = 0, 3, 4, 1, 1
"""The processor's numbers of invoice types, of a refund, and of a payment in cash."""
METHODS = ("other", "cash", "card", "check", "wiretransfer", "voucher", "mobilemoney")
MOST_SALES = 2_000
_ENDED = (SaleState.DONE, SaleState.CANCELLED)


class Fault(AssertionError):
    """Something is wrong that no history may bring about. harm: what it did to a receipt, as
    `Proof` counts it; "" for nothing of that."""

    def __init__(self, words: str, harm: str = "") -> None:
        super().__init__(words)
        self.harm = harm

    def count(self, proof: Proof) -> None:
        """Count its harm, once however often it is shown again."""
        if self.harm:
            setattr(proof, self.harm, 1)


@dataclass
class Judge:
    """wishes: the keys of the sales that people meant, with the gesture by which each was made.
    overheard: exceptions and errors that the programs survived. called: the keys of other
    programs' sales, with the number that each was told at last. proof: the counts of a test's
    histories. expected: words of errors in the log that are no fault. asked: the
    keys of sales about which the server asks a person."""

    wishes: dict[str, str] = field(default_factory=dict)
    overheard: list[str] = field(default_factory=list)
    called: dict[str, str] = field(default_factory=dict)
    proof: Proof = field(default_factory=lambda: Proof("histories", "machines"))
    expected: tuple[str, ...] = ()
    asked: set[str] = field(default_factory=set)
    _warned: list[warnings.WarningMessage] | None = None

    # --- always ----------------------------------------------------------------------------------

    @contextmanager
    def listening(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Hear exceptions in slots and in tasks, and errors in the log."""
        hook, handler = sys.excepthook, _Errors(self)
        sys.excepthook = self._slot
        logging.getLogger().addHandler(handler)
        loop.set_exception_handler(self._task)
        try:
            with warnings.catch_warnings(record=True, action="always") as self._warned:
                yield
        finally:
            loop.set_exception_handler(None)
            logging.getLogger().removeHandler(handler)
            sys.excepthook = hook

    def _slot(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self.overheard.append(f"slot: {kind.__name__}: {error} at{_where(trace)}")

    def _task(self, _: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        error = context.get("exception")
        trace = _where(error.__traceback__) if isinstance(error, BaseException) else ""
        self.overheard.append(f"task: {context.get('message')}: {error!r} at{trace}")

    def hear(self) -> None:
        if self.overheard:
            raise Fault(self.overheard[0])
        for one in self._warned or ():
            if not issubclass(one.category, ResourceWarning):
                raise Fault(f"warning: {one.message}")

    def note(self, words: str, made: Sequence[Sale], *, is_wish: bool) -> None:
        """Note the sales that one gesture made. One gesture means one document, or the two that are
        frozen together. is_wish: whether the gesture could mean one at all."""
        if made and not is_wish:
            raise Fault(f"a document nobody asked for, by: {words}")
        alone = [one for one in made if one.follows is None]
        if len(alone) > 1:
            raise Fault(f"{len(alone)} documents of one gesture: {words}")
        for one in made:
            self.wishes[one.key] = words

    def compare(self, sales: Sequence[Sale]) -> None:
        """Compare the till's sales with the wishes: after a kill, and at rest."""
        told = {one.key for one in sales}
        if lost := self.wishes.keys() - told:
            raise Fault(f"{len(lost)} sales are lost: {[self.wishes[one] for one in lost]}", "lost")
        if strange := told - self.wishes.keys():
            raise Fault(f"{len(strange)} sales that nobody meant")

    # --- at rest ---------------------------------------------------------------------------------

    def judge(self, sales: Sequence[Sale], ledger: Path) -> None:
        """Compare wishes, sales and what was signed; nothing is under way any more."""
        told = self.judge_told(sales, ledger)
        signed = {one.number: one for one in read_entries(ledger)}
        for number, entry in signed.items():
            if entry.invoice_type == TRAINING:
                continue  # a manager tries the processor in the settings
            if number not in told and not _belongs(entry, told.keys() | signed.keys()):
                raise Fault(f"a receipt that no sale knows: {number}, {entry.total}", "doubled")

    def judge_told(self, sales: Sequence[Sale], ledger: Path) -> Counter[str]:
        """Compare wishes and sales with what was signed; returns the receipts that were told. There
        may be receipts besides, of sales that a till's older file does not know."""
        self.proof.tried += len(sales) + len(self.called)
        self.proof.person += sum(one.state not in _ENDED for one in sales)
        self.compare(sales)
        signed = {one.number: one for one in read_entries(ledger)}
        told = Counter(self.called.values())
        for sale in sales:
            if sale.state is SaleState.DONE:
                assert sale.receipt is not None
                told[sale.receipt.fiscal_number] += 1
                _agrees(sale, signed.get(sale.receipt.fiscal_number))
            elif not self.has_ended(sale):
                raise Fault(f"a sale never ends: {sale.state}, {sale.reason}", "stuck")
        if twice := [number for number, times in told.items() if times > 1]:
            raise Fault(f"several sales were told the same receipt: {twice}", "lost")
        if gone := set(self.called.values()) - signed.keys():
            raise Fault(f"another program was told a receipt that does not exist: {gone}", "lost")
        return told

    def has_ended(self, sale: Sale) -> bool:
        return waits_for_a_person(sale) or sale.key in self.asked

    def killed(self, sales: Sequence[Sale]) -> None:
        """Note that a program is killed now: count what is under way."""
        self.proof.in_flight += sum(not waits_for_a_person(one) for one in sales)


def given_back_once(ledger: Path) -> None:
    """Raise Fault where a receipt was refunded by more than it has, an advance closed twice, or one
    request signed twice."""
    entries = {one.number: one for one in read_entries(ledger)}
    if again := [one for one, many in Counter(one.request_id for one in entries.values()).items()
                 if many > 1]:  # fmt: skip
        raise Fault(f"a request was signed twice: {again}", "doubled")
    refunded, closed = defaultdict[str, Decimal](Decimal), Counter[str]()
    for one in entries.values():
        referent = entries.get(referent_of(json.loads(one.request)))
        if referent is None or one.invoice_type not in (NORMAL, ADVANCE):
            continue
        if one.transaction_type == REFUND:
            first = _first_advance(referent, entries)
            refunded[first.number] += one.total
        elif referent.transaction_type == REFUND:
            closed[referent.number] += 1
    for number, total in refunded.items():
        if total > (paid := _paid_in(number, entries)):
            raise Fault(f"{total} of {paid} was given back: {number}", "doubled")
    if twice := [number for number, many in closed.items() if many > 1]:
        raise Fault(f"several sales follow one refund: {twice}", "doubled")


def _first_advance(entry: LedgerEntry, entries: Mapping[str, LedgerEntry]) -> LedgerEntry:
    while entry.invoice_type == ADVANCE:
        before = entries.get(referent_of(json.loads(entry.request)))
        if before is None or before.invoice_type != ADVANCE:
            break
        entry = before
    return entry


def _paid_in(number: str, entries: Mapping[str, LedgerEntry]) -> Decimal:
    """What was paid by a receipt, and by the further advances of its chain."""
    return sum(
        (
            one.total
            for one in entries.values()
            if one.transaction_type != REFUND and _first_advance(one, entries).number == number
        ),
        Decimal(0),
    )


def turnover(ledger: Path) -> dict[Grouping, dict[str, Decimal]]:
    """Add up by hand what was signed: by label, and by method, where cash is without its change. A
    sale that refers to the refund of an advance is paid by that before anything else."""
    given_back = dict[str, Decimal]()
    labels, methods = defaultdict[str, Decimal](Decimal), defaultdict[str, Decimal](Decimal)
    for entry in read_entries(ledger):
        if entry.invoice_type not in (NORMAL, ADVANCE):
            continue
        body, sign = json.loads(entry.request, parse_float=Decimal), 1 - 2 * entry.transaction_type
        for item in body["items"]:
            labels[item["labels"][0]] += sign * Decimal(item["totalAmount"])
        if (entry.invoice_type, entry.transaction_type) == (ADVANCE, REFUND):
            given_back[entry.number] = entry.total
        in_advance = given_back.get(referent_of(body), Decimal(0))
        methods["advance"] += sign * in_advance
        for method, amount in _payments(body, Decimal(entry.total) - in_advance):
            methods[method] += sign * amount
    return {
        grouping: {key: amount for key, amount in sums.items() if amount}
        for grouping, sums in ((Grouping.LABEL, labels), (Grouping.METHOD, methods))
    }


def _payments(body: Mapping[str, Any], due: Decimal) -> Iterator[tuple[str, Decimal]]:
    """What was paid by each method: cash comes last, without its change."""
    for paid in sorted(body["payment"], key=lambda one: one["paymentType"] == CASH):
        amount = min(due, Decimal(paid["amount"]))
        yield METHODS[paid["paymentType"]], amount
        due -= amount


def owed_by_chain(ledger: Path) -> tuple[dict[str, Decimal], dict[str, str]]:
    """Add up by hand what buyers pay later, by the first receipt of each chain; returns this and
    the first receipt of each. The refund that closes an advance gives nothing back."""
    entries = {
        one.number: (one, json.loads(one.request, parse_float=Decimal))
        for one in read_entries(ledger)
        if one.invoice_type in (NORMAL, ADVANCE)
    }
    chain_of, owed = dict[str, str](), defaultdict[str, Decimal](Decimal)
    closing = {
        referent_of(body) for one, body in entries.values() if one.transaction_type != REFUND
    }
    for number, (entry, body) in entries.items():
        referent = entries.get(referent_of(body))
        chain = chain_of[number] = chain_of.get(referent_of(body), number)
        is_refund = entry.transaction_type == REFUND
        if is_refund and number in closing:
            continue
        left = Decimal(entry.total)
        if referent is not None and not is_refund and referent[0].transaction_type == REFUND:
            left -= Decimal(referent[0].total)
        for method, amount in _payments(body, left):
            if method in ("check", "wiretransfer"):
                owed[chain] += -amount if is_refund else amount
    return {chain: max(owed[chain], Decimal(0)) for chain in chain_of.values()}, chain_of


def waits_for_a_person(sale: Sale) -> bool:
    """Tell whether a sale has ended, or waits for what only a person decides."""
    if sale.state in _ENDED:
        return True
    is_left = sale.reason is not None and sale.reason.code == LEFT_IN_FRONT
    return sale.state is SaleState.REFUSED or is_left


def _agrees(sale: Sale, entry: LedgerEntry | None) -> None:
    if entry is None:
        raise Fault(f"a sale was told a receipt that does not exist: {sale.receipt}", "lost")
    if sale.operation is Operation.CLOSE:
        return  # its money is the buyer's last payment; its receipt has the whole
    if abs(entry.total) != abs(Decimal(str(sale.total.amount))):
        raise Fault(f"{sale.total} was told and {entry.total} was signed: {entry.number}")


def _belongs(entry: LedgerEntry, known: Any) -> bool:
    """Tell whether a receipt without a sale of its own belongs to one that was told: a copy, or the
    other half of a pair."""
    return referent_of(json.loads(entry.request)) in known


def referent_of(body: Mapping[str, Any]) -> str:
    """The number of the receipt to which a document refers, or ""."""
    return str(body.get("referentDocumentNumber") or body.get("ReferentDocumentNumber") or "")


class _Errors(logging.Handler):
    def __init__(self, judge: Judge) -> None:
        super().__init__(logging.ERROR)
        self._judge = judge

    def emit(self, record: logging.LogRecord) -> None:
        if any(words in record.getMessage() for words in self._judge.expected):
            return
        error = record.exc_info[1] if record.exc_info else None
        trace = f": {error!r} at{_where(error.__traceback__)}" if error is not None else ""
        self._judge.overheard.append(f"log: {record.getMessage()}{trace}")


def _where(trace: TracebackType | None) -> str:
    """Name the places of the product on the way of an exception."""
    places = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if "pos_app" in file:
            places += f" > {file.rpartition('pos_app/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return places
