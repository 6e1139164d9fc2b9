"""Receipts that belong together: an advance with its payments and its closing, or a sale with its
refunds and copies. This module computes from them what is left to be refunded or paid.

Source: fiscal.md 6.2 to 6.5, exactly-once.md step 1 (a request takes its share when accepted).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel, printed_total
from pos_app.domain.receipt.esir_part import ReceiptReference
from pos_app.domain.receipt.fiscal_document import FiscalLine
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.pricing import part_of_line
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.receipt_number import same_number
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.receipt.states import OPEN, RequestState
from pos_app.fiscalization.plans.advance_tax import GivenRates, taxes_of
from pos_app.fiscalization.plans.planned import AdvanceOrder, PlannedReceipt
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainReceipt:
    """One receipt of a chain, signed or requested. child: its index in the plan, from 0."""

    id: str
    command_id: str
    operation: Operation
    child: int
    state: RequestState
    planned: PlannedReceipt
    receipt: SignedReceipt | None = None

    @property
    def kind(self) -> ReceiptKind:
        return self.planned.document.kind

    @property
    def is_signed(self) -> bool:
        return self.state is RequestState.SIGNED

    @property
    def holds(self) -> bool:
        """Whether the receipt counts as done: it is signed or may still be."""
        return self.is_signed or self.state in OPEN

    def taxes(self, rates: GivenRates) -> Mapping[str, Decimal]:
        assert self.receipt is not None
        return taxes_of(self.receipt, self.planned.document, rates)

    @property
    def reference(self) -> ReceiptReference:
        assert self.receipt is not None
        return ReceiptReference(self.receipt.invoice_number, self.receipt.sdc_time)


@dataclass(frozen=True, slots=True)
class LineRest:
    """The unrefunded part of a sold line: its index in the receipt, quantity, gross."""

    index: int
    line: FiscalLine
    quantity: Decimal
    total: Money

    def part(self, quantity: Decimal) -> Money:
        sold, whole = self.line.quantity.amount, self.line.total
        return part_of_line(
            quantity, sold=sold, total=whole, left_quantity=self.quantity, left_total=self.total
        )

    def less(self, quantity: Decimal) -> LineRest:
        left = self.total - self.part(quantity)
        return LineRest(self.index, self.line, self.quantity - quantity, left)


@dataclass(frozen=True, slots=True)
class Chain:
    """The receipts that belong together, in the order in which they were accepted."""

    links: tuple[ChainReceipt, ...]

    def without(self, command_id: str) -> Chain:
        return Chain(tuple(link for link in self.links if link.command_id != command_id))

    def numbered(self, number: str) -> ChainReceipt | None:
        found = (link for link in self.links if link.receipt is not None)
        return next((link for link in found if _names(number, link)), None)

    def meant_by(self, named: ChainReceipt) -> ChainReceipt:
        if named.kind[0] is not InvoiceType.COPY:
            return named
        return self.numbered(named.planned.document.referent_number or "") or named

    # --- pairs -----------------------------------------------------------------------------

    @property
    def half_done(self) -> tuple[ChainReceipt, ...]:
        unsigned = {link.command_id for link in self.links if not link.is_signed}
        return tuple(link for link in self.links if link.is_signed and link.command_id in unsigned)

    @property
    def reversed_commands(self) -> frozenset[str]:
        """The commands whose refund was undone; their receipts don't count. A refund is undone by
        the second receipt of its pair, or later by a sale with a command of its own."""
        undone = [link for link in self.links if link.is_signed and link.planned.is_reversal]
        of_pairs = {link.command_id for link in undone if link.operation is not Operation.ISSUE}
        named = (one for one in self.links if any(self.undoes(link, one) for link in undone))
        return frozenset(of_pairs | {link.command_id for link in named})

    def undoes(self, link: ChainReceipt, refund: ChainReceipt) -> bool:
        return link.planned.is_reversal and _names(link.planned.document.referent_number, refund)

    @property
    def under_way(self) -> bool:
        return any(link.state in OPEN for link in self.links)

    # --- advances --------------------------------------------------------------------------

    @property
    def began_here(self) -> bool:
        """Whether the chain's first advance is in this journal, with the order that the advances
        pay for."""
        return any(link.planned.order is not None for link in self.links)

    @property
    def order(self) -> AdvanceOrder:
        """The order that the advances pay for; only where `began_here`."""
        return next(link.planned.order for link in self.links if link.planned.order is not None)

    @property
    def advances(self) -> tuple[ChainReceipt, ...]:
        """The signed advance sales, reversals of their refund included. There are none where the
        advance was paid in another system."""
        return self._signed(InvoiceType.ADVANCE, TransactionType.SALE)

    @property
    def advance_refunds(self) -> tuple[ChainReceipt, ...]:
        return self._signed(InvoiceType.ADVANCE, TransactionType.REFUND)

    @property
    def paid_advances(self) -> tuple[ChainReceipt, ...]:
        """The signed advances that a buyer paid; not reversals, which only undo a refund."""
        return tuple(link for link in self.advances if not link.planned.is_reversal)

    @property
    def given_back(self) -> tuple[ChainReceipt, ...]:
        undone = self.reversed_commands
        return tuple(link for link in self.advance_refunds if link.command_id not in undone)

    @property
    def buyer(self) -> str | None:
        documents = (link.planned.document for link in reversed(self.paid_advances))
        return next((document.buyer for document in documents if document.buyer), None)

    @property
    def paid_by_label(self) -> dict[TaxLabel, Money]:
        """The amounts paid in advance and not refunded, by tax label, without zeros."""
        paid: dict[TaxLabel, Money] = {}
        for link in self.paid_advances:
            for label, amount in link.planned.document.by_label.items():
                paid[label] = paid.get(label, Money.ZERO) + amount
        for link in self.given_back:
            for label, amount in link.planned.document.by_label.items():
                paid[label] = paid.get(label, Money.ZERO) - amount
        return {label: amount for label, amount in paid.items() if amount}

    @property
    def paid_in_advance(self) -> Money:
        return Money.total(self.paid_by_label.values())

    @property
    def paid_by_method(self) -> tuple[tuple[PaymentMethod, Money], ...]:
        """The methods by which the advances were paid, less refunds.

        A refund by a method that has nothing left is taken from the method with the largest amount
        left. It is taken from "other", which may be goods given away free, only if nothing else is
        left.
        """
        return _left_by_method(self.paid_advances, self.given_back)

    def paid_by(self, method: PaymentMethod) -> Money:
        return Money.total(amount for paid_by, amount in self.paid_by_method if paid_by is method)

    def vat_in_advance(self, rates: GivenRates) -> Money:
        """The tax in the unrefunded advances, by `taxes_of`; rounded by label."""
        left: dict[str, Decimal] = {}
        for sign, links in ((1, self.paid_advances), (-1, self.given_back)):
            for label, amount in (pair for link in links for pair in link.taxes(rates).items()):
                left[label] = left.get(label, Decimal(0)) + sign * amount
        return printed_total(left.values())

    @property
    def closing(self) -> tuple[ChainReceipt, ...]:
        undone = self.reversed_commands
        closings = (link for link in self.links if link.operation is Operation.CLOSE)
        return tuple(link for link in closings if link.is_signed and link.command_id not in undone)

    @property
    def before_half_closing(self) -> Chain:
        """The chain without a closing of which only the refund is signed: until its sale is signed
        too, or the refund undone, what was paid counts as paid."""
        half = {link.command_id for link in self.half_done if link.operation is Operation.CLOSE}
        return Chain(tuple(link for link in self.links if link.command_id not in half))

    # --- refunds ---------------------------------------------------------------------------

    def refunds_of(self, sold: ChainReceipt, *, firmly: bool = False) -> tuple[ChainReceipt, ...]:
        """The refunds of a receipt, without reversed ones; for an advance the signed refunds of its
        chain. firmly: only signed refunds, not those that are still open."""
        if sold.kind[0] is InvoiceType.ADVANCE:
            return self.given_back
        undone = self.reversed_commands
        return tuple(
            link
            for link in self.links
            if (link.is_signed if firmly else link.holds)
            and link.command_id not in undone
            and _refunds(link, sold)
        )

    def left_by_method(self, sold: ChainReceipt) -> tuple[tuple[PaymentMethod, Money], ...]:
        """The payments for a receipt that were not refunded, as `paid_by_method` returns them. For
        the sale of a closing the payments of its advances are included."""
        if sold.kind[0] is InvoiceType.ADVANCE:
            return self.paid_by_method
        refund = [link for link in self.closing if sold in self.closing and link is not sold]
        return _left_by_method(
            (*refund, sold), self.refunds_of(sold), total=sold.planned.document.total
        )

    def rest_of(self, sold: ChainReceipt, *, firmly: bool = False) -> tuple[LineRest, ...]:
        """The refundable rest of each line that has one. firmly: as in `refunds_of`."""
        refunds = self.refunds_of(sold, firmly=firmly)
        taken = [line for link in refunds for line in link.planned.document.lines]
        rests = (
            _line_rest(index, line, [refunded for refunded in taken if refunded.origin == index])
            for index, line in enumerate(sold.planned.document.lines)
        )
        return tuple(rest for rest in rests if rest.quantity > 0)

    def _signed(self, kind: InvoiceType, transaction: TransactionType) -> tuple[ChainReceipt, ...]:
        return tuple(
            link for link in self.links if link.is_signed and link.kind == (kind, transaction)
        )


def _names(number: str | None, link: ChainReceipt) -> bool:
    if number is None or link.receipt is None:
        return False
    return same_number(number, link.receipt.invoice_number)


def _refunds(link: ChainReceipt, sold: ChainReceipt) -> bool:
    document = link.planned.document
    kind = sold.kind[0], TransactionType.REFUND
    return link.kind == kind and _names(document.referent_number, sold)


def _line_rest(index: int, line: FiscalLine, taken: Iterable[FiscalLine]) -> LineRest:
    quantity, total = line.quantity.amount, line.total
    for refunded in taken:
        quantity, total = quantity - refunded.quantity.amount, total - refunded.total
    return LineRest(index, line, quantity, total)


def _left_by_method(
    paid_with: Iterable[ChainReceipt],
    given_back: Iterable[ChainReceipt],
    *,
    total: Money | None = None,
) -> tuple[tuple[PaymentMethod, Money], ...]:
    """The payments that were not refunded. total: the total of a sale, or None; cash above the
    total went back as change."""
    paid: dict[PaymentMethod, Money] = {}
    for link in paid_with:
        for method, amount in link.planned.document.payments:
            paid[method] = paid.get(method, Money.ZERO) + amount
    if total is not None and (change := Money.total(paid.values()) - total) > Money.ZERO:
        _take(paid, PaymentMethod.CASH, change)
    for link in given_back:
        for method, amount in link.planned.document.payments:
            _take(paid, method, amount)
    return tuple((method, amount) for method, amount in paid.items() if amount)


def _take(paid: dict[PaymentMethod, Money], method: PaymentMethod, amount: Money) -> None:
    while amount and any(paid.values()):  # a part may have been paid in another system
        if not paid.get(method):
            method = _largest(paid, in_money=method is not PaymentMethod.OTHER)
        part = min(amount, paid[method])
        paid[method] -= part
        amount -= part


def _largest(paid: dict[PaymentMethod, Money], *, in_money: bool) -> PaymentMethod:
    return max(
        (method for method in paid if paid[method]),
        key=lambda method: (not in_money or method is not PaymentMethod.OTHER, paid[method]),
    )
