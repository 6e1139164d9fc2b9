"""The draft of a refund: which lines go back, how much of each, and the way the money goes back.

Amounts are computed with the receipt's prices. Source: fiscal.md 6.4, 6.7, 6.13; till.md
("Receipts").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from pos_app.domain.money.money import Money, Quantity, handed
from pos_app.domain.money.number_text import parse_amount, parse_quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel, TaxRates, rates_at, tax_total
from pos_app.domain.receipt.operations import RefundedItem
from pos_app.domain.receipt.pricing import ADVANCE_NAMES, part_of_line
from pos_app.domain.receipt.receipt_overview import ReceiptOverview, SoldLine
from pos_app.domain.receipt.request import InvoiceType
from pos_app.errors import Invalid, NotFound
from pos_app.lazy_dataclass import dataclass


class WayFault(StrEnum):
    VOUCHER_ALONE = "voucher_alone"
    """A corporate card paid a part of the receipt, and that part can go back only by voucher."""
    LESS_WAS_PAID = "less_was_paid"
    """Less was paid by this method than would go back by it."""


_MONEY_OF_THE_SHOP = (PaymentMethod.CASH, PaymentMethod.WIRE_TRANSFER)
"""The shop can give money back by these methods, however the receipt was paid."""
_ALWAYS_TOLD = (*_MONEY_OF_THE_SHOP, PaymentMethod.VOUCHER)


@dataclass(frozen=True, slots=True)
class RefundWay:
    """A way for the money to go back. method: None if several methods each take a part."""

    payments: Payments
    method: PaymentMethod | None = None
    fault: WayFault | None = None


def refundable(overview: ReceiptOverview) -> ReceiptOverview:
    """Return the receipt with lines that can be refunded. An advance is refunded by amounts, out of
    all payments of its chain. So each of its tax labels becomes a line: its quantity is the number
    of dinars, at a price of 1,00.

    | paid                 | lines                                           |
    | Ђ 4000.00, Е 1000.50 | 10: Аванс, 4000 × 1.00; 11: Аванс, 1000.5 × 1.00 |
    """
    advance = overview.advance
    if overview.invoice_type is not InvoiceType.ADVANCE or advance is None:
        return overview
    paid = {one.label: one.amount for one in advance.by_label}
    lines = tuple(
        _of_label(index, label, paid.get(label, Money.ZERO))
        for index, label in enumerate(dict.fromkeys(line.label for line in advance.lines))
    )
    return replace(overview, lines=lines)


def _of_label(index: int, label: TaxLabel, paid: Money) -> SoldLine:
    return SoldLine(
        index=index,
        name=ADVANCE_NAMES[label],
        label=label,
        quantity=paid.amount,
        unit_price=Money(1),
        total=paid,
        left_quantity=paid.amount,
        left_total=paid,
        is_given_away=False,
    )


@dataclass(frozen=True, slots=True)
class RefundDraft:
    """A refund as it is being put together.

    taken: the quantity that goes back, by the number of the line. narrowed: an article was scanned,
    and with the first scan all other lines were left out. method: the chosen way, or None for the
    first possible one.
    """

    overview: ReceiptOverview
    taken: Mapping[int, Decimal] = field(default_factory=dict)
    narrowed: bool = False
    method: PaymentMethod | None = None

    @classmethod
    def whole(cls, overview: ReceiptOverview) -> RefundDraft:
        """Return a draft of all that is left of the receipt. overview: from `refundable`."""
        left = {line.index: line.left_quantity for line in overview.lines if line.left_quantity}
        return cls(overview, left)

    def on(self, overview: ReceiptOverview) -> RefundDraft:
        """Return the draft for the present receipt, with no more of a line than is left."""
        left = {line.index: line.left_quantity for line in overview.lines}
        taken = {index: min(of, left[index]) for index, of in self.taken.items() if left[index]}
        return replace(self, overview=overview, taken=taken)

    # --- lines -----------------------------------------------------------------------------------

    def ticked(self, index: int, *, on: bool) -> RefundDraft:
        """Take all that is left of a line, or leave it out. Raises NotFound if nothing is left."""
        line = self._line(index)
        if not on:
            return self._with({one: of for one, of in self.taken.items() if one != index})
        return self._with({**self.taken, index: line.left_quantity})

    def with_typed(self, index: int, text: str) -> RefundDraft:
        """Take a typed quantity of a line; of an advance it is an amount, which has para and no
        thousandths. Raises Invalid for a text that is none, or if less is left."""
        if self.is_of_advance:
            return self.with_quantity(index, Quantity(parse_amount(text).amount))
        return self.with_quantity(index, parse_quantity(text))

    def with_quantity(self, index: int, quantity: Quantity) -> RefundDraft:
        """Take this quantity of a line. Raises Invalid if less is left."""
        line = self._line(index)
        if quantity.amount > line.left_quantity:
            raise Invalid(
                "more_than_left",
                field="quantity",
                left=Quantity(line.left_quantity),
                most=Quantity(line.left_quantity),
            )
        return self._with({**self.taken, index: quantity.amount})

    def scanned(
        self,
        *,
        gtin: str | None,
        sku: int | None,
        quantity: Quantity | None = None,
        price: Money | None = None,
    ) -> RefundDraft:
        """Take back what a scanned code stands for; the first scan leaves out all other articles.

        quantity: what the code states; without one it is one piece, or all that is left of a
        weighed line. price: what a label states; of several lines the one with this quantity or
        price is taken. Raises NotFound if no line has the article, or nothing of it is left."""
        taken = dict(self.taken) if self.narrowed else {}
        of_article = [line for line in self.overview.lines if _is_of(line, gtin, sku)]
        if not of_article:
            raise NotFound("not_on_receipt")
        fitting = [line for line in of_article if line.left_quantity > taken.get(line.index, 0)]
        if not fitting:
            raise NotFound("used_up")
        own = (one for one in fitting if _is_pack(one, quantity, price))
        line = next(own, fitting[0])
        has = taken.get(line.index, Decimal(0)) + _more(line, quantity, price)
        taken[line.index] = min(has, line.left_quantity)
        return replace(self, taken=taken, narrowed=True)

    def _with(self, taken: Mapping[int, Decimal]) -> RefundDraft:
        return replace(self, taken=taken)

    def _line(self, index: int) -> SoldLine:
        line = self.overview.lines[index]
        if not line.left_quantity:
            raise NotFound("used_up")
        return line

    # --- money -----------------------------------------------------------------------------------

    def part(self, index: int) -> Money:
        line = self.overview.lines[index]
        return part_of_line(
            self.taken.get(index, Decimal(0)),
            sold=line.quantity,
            total=line.total,
            left_quantity=line.left_quantity,
            left_total=line.left_total,
        )

    @property
    def total(self) -> Money:
        return Money.total(self.part(index) for index in self.taken)

    @property
    def left_total(self) -> Money:
        return Money.total(line.left_total for line in self.overview.lines)

    @property
    def stays(self) -> Money:
        return self.left_total - self.total

    def tax(self, rates: Iterable[TaxRates], now: datetime) -> Money | None:
        """Return the tax in the refund, or None while a rate is unknown. now: UTC."""
        valid, by_label = rates_at(rates, now), dict[str, Money]()
        for index in self.taken:
            label = self.overview.lines[index].label.value
            by_label[label] = by_label.get(label, Money.ZERO) + self.part(index)
        return None if valid is None else tax_total(by_label, valid)

    @property
    def is_whole(self) -> bool:
        taken = self.taken
        return bool(taken) and all(
            taken.get(line.index, 0) == line.left_quantity for line in self.overview.lines
        )

    @property
    def given_away(self) -> Money:
        """The part of the refund for goods that were given away; it is always booked as "other"."""
        lines = self.overview.lines
        return Money.total(self.part(index) for index in self.taken if lines[index].is_given_away)

    @property
    def ways(self) -> tuple[RefundWay, ...]:
        """All ways for the money to go back: the likeliest first, impossible ones last."""
        free, left = self.given_away, self._left_beside_gifts()
        paid = self.total - free
        if not paid:
            return (self._way({}, free, None, left),)
        as_paid = _as_paid(paid, left)
        methods = dict.fromkeys((*left, *_ALWAYS_TOLD))
        ways = [self._way({method: paid}, free, method, left) for method in methods]
        if len(as_paid) > 1:
            ways.append(self._way(as_paid, free, None, left))
        likely = self._way(as_paid, free, None, left).payments
        return tuple(sorted(ways, key=lambda way: (way.fault is not None, way.payments != likely)))

    def _left_beside_gifts(self) -> dict[PaymentMethod, Money]:
        """Return the amounts by method that did not go back yet, without goods given away."""
        left = {one.method: one.amount for one in self.overview.left_by_method}
        gifts = Money.total(one.left_total for one in self.overview.lines if one.is_given_away)
        other = left.pop(PaymentMethod.OTHER, Money.ZERO)
        return left | ({PaymentMethod.OTHER: other - gifts} if other > gifts else {})

    @property
    def way(self) -> RefundWay:
        """The chosen way, if it is possible, else the first one."""
        ways = self.ways
        return next(
            (one for one in ways if one.method is self.method is not None and one.fault is None),
            ways[0],
        )

    def possible_way(self) -> RefundWay:
        """Return the chosen way, else the first one. Raises Invalid if no way is possible."""
        way = self.way
        if way.fault is not None:
            raise Invalid(way.fault.value, field="payments")
        return way

    def hand_gives(self, *, in_whole_dinars: bool) -> Money:
        """Return the cash that is handed over; the receipt has the exact amount."""
        cash = self.way.payments.cash
        return handed(cash, in_whole_dinars=in_whole_dinars)

    def _way(
        self,
        paid: Mapping[PaymentMethod, Money],
        free: Money,
        method: PaymentMethod | None,
        left_by_method: Mapping[PaymentMethod, Money],
    ) -> RefundWay:
        """Return a way, with its fault if it is impossible. paid: the refund for goods that were
        sold, by method. free: the refund for goods that were given away. left_by_method: what did
        not go back yet, by method."""
        payments = Payments.summed([*paid.items(), (PaymentMethod.OTHER, free)])
        most = self.overview.most_in_money
        if most is not None and payments.total - payments.amount(PaymentMethod.VOUCHER) > most:
            return RefundWay(payments, method, WayFault.VOUCHER_ALONE)
        is_more = method is not None and paid.get(method, Money.ZERO) > left_by_method.get(
            method, Money.ZERO
        )
        if is_more and method not in _MONEY_OF_THE_SHOP:
            return RefundWay(payments, method, WayFault.LESS_WAS_PAID)
        return RefundWay(payments, method)

    def items(self) -> tuple[RefundedItem, ...]:
        """Return the items of the request; there are none if all that is left is refunded, or for
        an advance. Raises Invalid if no line is taken, because an empty list would ask for all."""
        if not self.taken:
            raise Invalid("empty.refund", field="items")
        if self.is_whole or self.is_of_advance:
            return ()
        return tuple(
            RefundedItem(Quantity(quantity), line=index)
            for index, quantity in sorted(self.taken.items())
        )

    def specification(self) -> Mapping[TaxLabel, Money]:
        """Return the refund of an advance by tax label. It is empty if all that is left is
        refunded, and for a sale."""
        if self.is_whole or not self.is_of_advance:
            return {}
        lines = self.overview.lines
        return {lines[index].label: self.part(index) for index in sorted(self.taken)}

    @property
    def is_of_advance(self) -> bool:
        return self.overview.invoice_type is InvoiceType.ADVANCE


def _is_of(line: SoldLine, gtin: str | None, sku: int | None) -> bool:
    return (gtin is not None and line.gtin == gtin) or (sku is not None and line.sku == sku)


def _is_pack(line: SoldLine, quantity: Quantity | None, price: Money | None) -> bool:
    return (
        quantity is not None and line.left_quantity == quantity.amount
    ) or line.left_total == price


def _more(line: SoldLine, quantity: Quantity | None, price: Money | None) -> Decimal:
    if quantity is not None:
        return quantity.amount
    return line.left_quantity if line.by_weight or line.left_total == price else Decimal(1)


def _as_paid(
    total: Money, left_by_method: Mapping[PaymentMethod, Money]
) -> dict[PaymentMethod, Money]:
    """Return the refund by the methods that paid. All of it goes in cash if enough was paid in
    cash; otherwise the method with the largest amount left comes first. "Other" comes last, because
    it is no money. A rest that no method covers was paid in another system, and goes in cash."""
    by_size = sorted(left_by_method, key=lambda method: left_by_method[method], reverse=True)
    by_size.sort(
        key=lambda method: method is not PaymentMethod.CASH or left_by_method[method] < total
    )
    by_size.sort(key=lambda method: method is PaymentMethod.OTHER)
    paid: dict[PaymentMethod, Money] = {}
    for method in by_size:
        paid[method] = min(left_by_method[method], total - Money.total(paid.values()))
    rest = total - Money.total(paid.values())
    if rest:
        paid[PaymentMethod.CASH] = paid.get(PaymentMethod.CASH, Money.ZERO) + rest
    return {method: amount for method, amount in paid.items() if amount}
