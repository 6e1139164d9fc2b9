"""A cashier puts together a further payment on an advance, or its closing.

The screen shows beforehand what the server will plan: how much of the customer's money is kept, its
split by tax label, the refund and the remainder. Source: fiscal.md 6.2, 6.13; till.md ("Advances").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from pos_app.domain.money.advance_split import split
from pos_app.domain.money.money import Money, Quantity, UnitPrice
from pos_app.domain.money.payment import Payments, excess_of, settle
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import label_totals
from pos_app.domain.receipt.pricing import priced_goods
from pos_app.domain.receipt.receipt_overview import AdvanceOverview, OrderedLine, ReceiptOverview
from pos_app.domain.receipt.request import FrozenArticle, RequestedItem
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.checkout import on_receipt
from pos_app.selling.sale.sale import MoneyTaken
from pos_app.selling.sale.ticket import DocumentKind

NOTHING_GIVEN = Payments()
Piece = tuple[int, str]
"""The code of an article, and the serial number of the piece."""


def advance_of(overview: ReceiptOverview) -> AdvanceOverview:
    """The advance of this journal to which a receipt belongs. Raises Invalid."""
    if overview.advance is None:
        raise Invalid("no_advance")
    return overview.advance


@dataclass(frozen=True, slots=True)
class FurtherPayment:
    """tendered: the customer's money. amounts_by_label: its split by tax label; empty where the
    split is in proportion, or there is one label."""

    overview: ReceiptOverview
    tendered: Payments = NOTHING_GIVEN
    amounts_by_label: Mapping[TaxLabel, Money] = field(default_factory=dict)
    in_whole_dinars: bool = True

    @property
    def advance(self) -> AdvanceOverview:
        return advance_of(self.overview)

    @property
    def labels(self) -> dict[TaxLabel, Money]:
        return label_totals(self.advance.lines)

    @property
    def needs_split(self) -> bool:
        return self.advance.total is None and len(self.labels) > 1

    @property
    def left_by_label(self) -> dict[TaxLabel, Money] | None:
        """The unpaid amount of each label. It is None when the final amount is unknown."""
        if self.advance.total is None:
            return None
        paid = {one.label: one.amount for one in self.advance.by_label}
        return {label: total - paid.get(label, Money.ZERO) for label, total in self.labels.items()}

    @property
    def amount(self) -> Money:
        """The part of the customer's money that pays the advance: all, but no more than remains.

        Cash in whole dinars pays all that remains, even if it is some para more or less.

        | remains  | given           | amount  |
        | 1674.72  | nothing         | 0       |
        | 1674.72  | card 500        | 500.00  |
        | 1674.72  | cash 1675       | 1674.72 |
        | 1674.30  | cash 1674       | 1674.30 |
        | 1674.72  | cash 2000       | 1674.72 |
        | 1674.72  | card 2000       | 1674.72 |
        | unknown  | cash 2000       | 2000.00 |
        """
        remaining, given = self.advance.remaining, self.tendered
        if remaining is None or not given.total:
            return given.total
        if excess_of(remaining, given):
            return remaining
        settled = settle(remaining, given, in_whole_dinars=self.in_whole_dinars)
        return given.total if settled.on_receipt is None else remaining

    @property
    def shares(self) -> Mapping[TaxLabel, Money]:
        """The paid amounts on the receipt, by tax label. Raises Invalid naming the member."""
        found = split(
            self.amount, self.labels, given=self.amounts_by_label, at_most=self.left_by_label
        )
        return {label: share for label, share in found.items() if share}

    def money_taken(self) -> MoneyTaken:
        """Raises Invalid where nothing is given, or too much by other methods than cash."""
        if not self.amount:
            raise Invalid("nothing", field="payments")
        return _taken(
            self.amount, self.tendered, DocumentKind.ADVANCE, in_whole_dinars=self.in_whole_dinars
        )


@dataclass(frozen=True, slots=True)
class ClosingDraft:
    """tendered: the customer's money for the rest. items: the goods that are sold in the end, if
    the final amount was unknown. There are none if the amount is known, and none for an order of
    one line, whose price is the amount paid for it. pieces: those that were scanned."""

    overview: ReceiptOverview
    tendered: Payments = NOTHING_GIVEN
    items: tuple[RequestedItem, ...] = ()
    in_whole_dinars: bool = True
    pieces: frozenset[Piece] = frozenset()

    @classmethod
    def of(cls, overview: ReceiptOverview, *, in_whole_dinars: bool) -> ClosingDraft:
        """A closing with the ordered items, where they have to be named."""
        draft = cls(overview, in_whole_dinars=in_whole_dinars)
        if not draft.names_items:
            return draft
        items = tuple(map(item_of, draft.advance.lines))
        return cls(overview, items=items, in_whole_dinars=in_whole_dinars)

    @property
    def advance(self) -> AdvanceOverview:
        return advance_of(self.overview)

    @property
    def names_items(self) -> bool:
        """Whether a person names the items: the total is unknown, and several lines are ordered."""
        return self.advance.total is None and len(self.advance.lines) > 1

    @property
    def takes_what_is_given(self) -> bool:
        """Whether any sum pays the rest, and the price of the one line follows from it."""
        return self.advance.total is None and not self.items

    @property
    def total(self) -> Money:
        """The total of the buyer's sale. Raises Invalid for sums beyond 12 digits."""
        if self.advance.total is not None:
            return self.advance.total
        if self.takes_what_is_given:
            return self.advance.paid + self.tendered.total
        return Money.total(line.total for line in priced_goods(self.items))

    @property
    def too_much_paid(self) -> Money:
        """The amount by which the advances exceed the sale; it has to be refunded first."""
        return max(self.advance.paid - self.total, Money.ZERO)

    @property
    def due(self) -> Money:
        return max(self.total - self.advance.paid, Money.ZERO)

    def money_taken(self) -> MoneyTaken:
        """Raises Invalid where the money does not cover the rest, or exceeds it by other methods
        than cash, and where the items cost less than was paid."""
        if self.names_items and not self.items:
            raise Invalid("empty.advance", field="items")
        if self.too_much_paid:
            raise Invalid("below_paid", field="items", excess=self.too_much_paid)
        return _taken(
            self.due, self.tendered, DocumentKind.SALE, in_whole_dinars=self.in_whole_dinars
        )


def item_of(line: OrderedLine) -> RequestedItem:
    """A line as it was ordered. Its name contains the unit already."""
    return RequestedItem(
        quantity=Quantity(line.quantity),
        unit_price=UnitPrice(line.unit_price.amount),
        sku=line.sku,
        article=FrozenArticle(line.name, line.label, gtin=line.gtin),
        total=line.total,
    )


def _taken(
    owed: Money, tendered: Payments, kind: DocumentKind, *, in_whole_dinars: bool
) -> MoneyTaken:
    settled = settle(owed, tendered, in_whole_dinars=in_whole_dinars)
    shown = on_receipt(kind, owed, settled)
    return MoneyTaken(tendered, shown, settled.change, settled.rounding)
