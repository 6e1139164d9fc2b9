"""Random operations on receipts, and checks that the processor's ledger must pass after any of
them.

The model knows only the requests and the ledger; it shares no rule with the plans.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Any

from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from tests.fakes.simulated_processor import Entry

DELIVERED = {"receiptDelivery": {"pdf": False}}
BUYER = {"buyerId": "10:123456788"}
ARTICLES = {1: ("Хлеб", "Е", Decimal("58.99")), 2: ("Сто", "Ђ", Decimal("100.10"))}
_SALE, _REFUND = TransactionType.SALE, TransactionType.REFUND
_KIND = tuple[InvoiceType, TransactionType]


@dataclass(frozen=True)
class Move:
    """One operation. on: the number of its receipt among those it may have, counted round; with
    astray, among all receipts. paid: part of what could be paid, in thousandths, also above it.
    method: the method of payment.

    way: a person's decision where the second receipt of a pair is refused. kill_in: writes until
    the server is killed, right before that commit or right after it, or None.
    """

    operation: str
    on: int = 0
    sku: int = 1
    quantity: int = 1
    paid: int = 500
    method: str = "card"
    second_article: bool = False
    is_known: bool = True
    again: bool = False
    astray: bool = False
    way: str = "again"
    kill_in: int | None = None
    kill_after: bool = False


def item(sku: int, quantity: int) -> dict[str, Any]:
    name, label, price = ARTICLES[sku]
    article = {"name": name, "taxRateLabel": label}
    return {"sku": sku, "quantity": quantity, "unitPrice": price, "article": article}


@dataclass
class Book:
    """The ledger, read as chains of receipts that refer to one another."""

    entries: Sequence[Entry]
    documents: dict[str, FiscalDocument] = field(default_factory=dict)
    finals: dict[str, Decimal] = field(default_factory=dict)
    """The final amount of an advance, by the number of its first receipt, where the amount is
    known."""

    def read(self) -> Book:
        """Add the receipts that were signed meanwhile."""
        for entry in self.entries[len(self.documents) :]:
            assert entry.document is not None
            self.documents[entry.receipt.invoice_number] = entry.document
        return self

    def root(self, number: str) -> str:
        """The first receipt of the chain that this receipt belongs to."""
        while (referent := self.documents[number].referent_number) is not None:
            number = referent
        return number

    def kind(self, number: str) -> _KIND:
        document = self.documents[number]
        return document.invoice_type, document.transaction_type

    def meant_for(self, move: Move) -> list[str]:
        """The receipts among which a move chooses its own."""
        kinds = {
            "advance": {(InvoiceType.ADVANCE, _SALE), (InvoiceType.ADVANCE, _REFUND)},
            "close": {(InvoiceType.ADVANCE, _SALE), (InvoiceType.ADVANCE, _REFUND)},
            "refund": {(InvoiceType.ADVANCE, _SALE), (InvoiceType.NORMAL, _SALE)},
        }
        among = kinds.get(move.operation)
        if move.astray or among is None:
            return list(self.documents)
        return [number for number in self.documents if self.kind(number) in among]

    def of(self, root: str, invoice_type: InvoiceType, transaction: TransactionType) -> list[str]:
        """The receipts of one kind that belong to a chain."""
        kind = (invoice_type, transaction)
        return [one for one in self.documents if self.kind(one) == kind and self.root(one) == root]

    def undone_by(self, number: str) -> str | None:
        """The sale that undid a refund: it refers to the refund and is not the sale of its
        closing."""
        kind = (self.kind(number)[0], _SALE)
        found = (
            one
            for one, document in self.documents.items()
            if document.referent_number == number and self.kind(one) == kind
        )
        return next(found, None)

    def is_reversal(self, number: str) -> bool:
        referent = self.documents[number].referent_number
        if referent is None or self.kind(referent)[1] is not _REFUND:
            return False
        return self.undone_by(referent) == number

    def paid(self, root: str) -> Decimal:
        """The sum that was paid on an advance and not given back."""
        sales = self.of(root, InvoiceType.ADVANCE, _SALE)
        back = self.of(root, InvoiceType.ADVANCE, _REFUND)
        return sum(map(self.total, sales), Decimal(0)) - sum(map(self.total, back), Decimal(0))

    def total(self, number: str) -> Decimal:
        return self.documents[number].total.amount

    # --- what must hold ------------------------------------------------------------------------

    def check(self) -> None:
        """Raise AssertionError for a ledger that no shop may have, while no operation is under
        way."""
        for number in self.documents:
            if self.kind(number) == (InvoiceType.NORMAL, _SALE):
                self._check_refunds(number)
            if self.kind(number) == (InvoiceType.ADVANCE, _SALE) and self.root(number) == number:
                self._check_advance(number)
        self._check_copies()
        self._check_reversals()

    def _check_refunds(self, number: str) -> None:
        """No more of a line or of a label comes back than was sold."""
        refunds = [
            document
            for one, document in self.documents.items()
            if self.kind(one) == (InvoiceType.NORMAL, _REFUND)
            and document.referent_number == number
            and self.undone_by(one) is None
        ]
        for sold, back in (
            (_quantities([self.documents[number]]), _quantities(refunds)),
            (_labels([self.documents[number]]), _labels(refunds)),
        ):
            assert all(amount <= sold[name] for name, amount in back.items()), (number, sold, back)

    def _check_advance(self, root: str) -> None:
        sales = self.of(root, InvoiceType.ADVANCE, _SALE)
        backs = self.of(root, InvoiceType.ADVANCE, _REFUND)
        sold = self.of(root, InvoiceType.NORMAL, _SALE)
        closings = [one for one in sold if not self.is_reversal(one)]
        paid = _labels([self.documents[one] for one in sales])
        for label, amount in _labels([self.documents[one] for one in backs]).items():
            paid[label] = paid.get(label, Decimal(0)) - amount
        assert min(paid.values()) >= 0, (root, paid)
        assert len(closings) <= 1, closings
        if root in self.finals:
            assert self.paid(root) <= self.finals[root]
        for before, after in pairwise(sales):
            refers_to = self.documents[after].referent_number
            if self.is_reversal(after):  # through the refund that it undoes
                refers_to = self.documents[refers_to or ""].referent_number
            assert refers_to == before
        for closing in closings:
            refund = self.documents[closing].referent_number
            assert refund in backs
            assert not any(paid.values()), "what was paid in advance is given back with the closing"
            due = self.total(closing) - self.total(refund or "")
            assert sum(amount.amount for _, amount in self.documents[closing].payments) == due
            assert self.finals.get(root, self.total(closing)) == self.total(closing)

    def _check_reversals(self) -> None:
        """A refund is undone once, whole, and no receipt refers again to it or to the sale that
        undid it."""
        for number in self.documents:
            if not self.is_reversal(number):
                continue
            undone = self.documents[number].referent_number or ""
            assert self.kind(undone)[1] is _REFUND
            assert self.total(undone) == self.total(number)
            assert _labels([self.documents[undone]]) == _labels([self.documents[number]])
            followers = [
                one for one, other in self.documents.items() if other.referent_number == undone
            ]
            fiscal = [one for one in followers if self.kind(one)[0] is not InvoiceType.COPY]
            assert fiscal == [number], fiscal
            back = [
                one
                for one, other in self.documents.items()
                if other.referent_number == number
                and self.kind(one) == (InvoiceType.NORMAL, _REFUND)
            ]
            assert back == [], "what undid a refund was refunded"

    def _check_copies(self) -> None:
        """Each cash refund is followed by its copy, by the sale of its closing, or by the sale that
        undid it."""
        followed = {document.referent_number for document in self.documents.values()}
        for number, document in self.documents.items():
            in_cash = any(method == "cash" and amount for method, amount in document.payments)
            is_refund = document.transaction_type is _REFUND
            if is_refund and in_cash and document.invoice_type is not InvoiceType.COPY:
                assert number in followed, number


def _quantities(documents: list[FiscalDocument]) -> dict[str, Decimal]:
    told: dict[str, Decimal] = {}
    for document in documents:
        for line in document.lines:
            told[line.name] = told.get(line.name, Decimal(0)) + line.quantity.amount
    return told


def _labels(documents: list[FiscalDocument]) -> dict[str, Decimal]:
    told: dict[str, Decimal] = {}
    for document in documents:
        for label, amount in document.by_label.items():
            told[label] = told.get(label, Decimal(0)) + amount.amount
    return told


def body_of(move: Move, book: Book, number: str) -> dict[str, Any]:
    """The body of an operation on the receipt of that number; often it asks for more than there
    is."""
    root = book.root(number)
    made: dict[str, Any] = dict(DELIVERED)
    match move.operation:
        case "advance":
            rest = book.finals.get(root, Decimal(1000)) - book.paid(root)
            made["payments"] = {move.method: _part(rest, move)}
        case "close":
            order = book.finals.get(root)
            if order is None:
                made["items"] = [item(1, 3), item(2, 3)]
                order = 3 * ARTICLES[1][2] + 3 * ARTICLES[2][2]
            made["payments"] = {move.method: max(Decimal(0), order - book.paid(root))}
        case "refund":
            made |= BUYER
            if book.kind(number)[0] is InvoiceType.ADVANCE:
                made["payments"] = {move.method: _part(book.paid(root), move)}
            else:
                price = ARTICLES[move.sku][2]
                made["items"] = [{"sku": move.sku, "quantity": move.quantity}]
                made["payments"] = {move.method: price * move.quantity}
    return made


def _part(of: Decimal, move: Move) -> Decimal:
    return max(Decimal("0.01"), (of * move.paid / 1000).quantize(Decimal("0.01")))
