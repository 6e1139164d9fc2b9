"""The cart of a sale at the till: lines, merging, removal, discounts.

Source: till.md, "Cart". A price is the one at the moment an article was entered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_DOWN, Decimal
from functools import cached_property
from typing import TypeVar

from pos_app.domain.money.discount import (
    FINEST,
    LineDiscount,
    Percent,
    amount_off,
    line_total,
    share_of,
)
from pos_app.domain.money.free_supply import names_gift
from pos_app.domain.money.money import Money, Quantity, UnitPrice
from pos_app.domain.receipt.request import FrozenArticle, RequestedItem
from pos_app.errors import Invalid, NotFound
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class CartArticle:
    """An article as it was when it was entered into the cart; its name, tax label and EAN follow
    the catalogue until the sale is confirmed.

    unknown_code: the scanned code, where an article of open price is sold in place of one that the
    catalogue lacks; else "". batch, serial: of the scanned piece, where the shop keeps them.
    """

    article_id: str
    sku: int | None
    frozen: FrozenArticle
    price: Money
    by_weight: bool = False
    unknown_code: str = ""
    batch: str = ""
    serial: str = ""


@dataclass(frozen=True)
class CartLine:
    """The amounts are computed once. price: the present price of one piece, which differs from
    article.price after a change. stated_total: the total that a price code states; such a line
    never merges."""

    id: int
    article: CartArticle
    quantity: Quantity
    price: Money
    discount: LineDiscount = None
    stated_total: Money | None = None
    removed: bool = False

    @cached_property
    def full(self) -> Money:
        return self.less()

    @cached_property
    def total(self) -> Money:
        return self.less(self.discount)

    def less(self, *discounts: LineDiscount) -> Money:
        """The line's total after the given discounts, rounded once."""
        if self.stated_total is None:
            return line_total(self.price, self.quantity, *discounts)
        return line_total(self.stated_total, Quantity.ONE, *discounts)

    @property
    def each(self) -> Money:
        """The price of one piece after the line's own discount, as on the receipt."""
        if isinstance(self.discount, Money):
            return self.total.per(self.quantity)
        return line_total(self.price, Quantity.ONE, self.discount)

    def of_quantity(self, quantity: Quantity) -> CartLine:
        """The line with a quantity. Only a changed quantity drops the stated total, which is on the
        label of the goods. Raises Invalid for another count of what has a serial number."""
        if quantity == self.quantity:
            return self
        if not self.article.by_weight:
            check_single(self.article.frozen.name, self.article.serial)
        return replace(self, quantity=quantity, stated_total=None)

    def at_price(self, price: Money) -> CartLine:
        """The line at a price. Only a changed price drops the stated total."""
        return self if price == self.price else replace(self, price=price, stated_total=None)

    def fitting(self, before: CartLine) -> CartLine:
        """The line without an amount off that no longer fits. before: the line that it was."""
        is_meant = self.discount != before.discount or not before.total
        is_fit = _fits(self.discount, self.full, or_all=is_meant)
        return self if is_fit else replace(self, discount=None)

    def merges_with(self, other: CartLine) -> bool:
        return (
            not self.removed
            and not other.removed
            and self.stated_total is None
            and other.stated_total is None
            and (self.article, self.price, self.discount)
            == (other.article, other.price, other.discount)
        )


def _fits(discount: LineDiscount, cost: Money, *, or_all: bool) -> bool:
    """Tell whether a discount may be taken off an amount: no more than that, and with `or_all` the
    whole of it."""
    if not isinstance(discount, Money):
        return True
    return discount <= cost if or_all else discount < cost


def check_single(name: str, serial: str) -> None:
    """Raise Invalid for several of what has a serial number, which is one piece."""
    if serial:
        raise Invalid("serial_one", name=name, serial=serial)


ReceiptDiscount = Percent | Money | None
"""A discount of the whole receipt: a percentage of each line, or an amount spread over them."""


def _pack_of(own: Sequence[CartLine], stated_total: Money) -> Mapping[int, Quantity]:
    """The line of a pack with this total. An article of open price has it as the price of one."""
    for line in own:
        if line.stated_total == stated_total:
            return {line.id: line.quantity}
    for line in own:
        if line.article.price == stated_total and line.quantity >= Quantity.ONE:
            return {line.id: Quantity.ONE}
    return {}


def _portions(
    own: Sequence[CartLine], quantity: Quantity, *, is_pack: bool
) -> Mapping[int, Quantity]:
    """How much of which line makes up a quantity; empty where the lines hold less. own: the last
    line first. A line with a label's total is taken whole or not at all; only a count is spread
    over several lines."""
    whole = next((line for line in own if line.quantity == quantity), None)
    if is_pack and whole is not None:
        return {whole.id: quantity}
    plain = [line for line in own if line.stated_total is None]
    line = next((line for line in plain if line.quantity >= quantity), whole)
    if line is not None:
        return {line.id: quantity}
    found: dict[int, Quantity] = {}
    missing = quantity.amount
    for line in (one for one in plain if missing and not one.article.by_weight):
        found[line.id] = Quantity(min(missing, line.quantity.amount))
        missing -= found[line.id].amount
    return {} if missing else found


@dataclass(frozen=True, slots=True)
class TakenOff:
    """A cart after an article was taken off. quantity, full: how much, and its price before
    discounts."""

    cart: Cart
    quantity: Quantity
    full: Money


@dataclass(frozen=True, slots=True)
class LostDiscount:
    """An amount off that a change ended. name: the article of its line, "" for the whole cart."""

    amount: Money
    name: str = ""


@dataclass(frozen=True)
class Cart:
    """Lines in the order shown. An added line, or one that an article was merged into, goes to the
    end. The amounts are computed once."""

    lines: tuple[CartLine, ...] = ()
    discount: ReceiptDiscount = None
    next_id: int = 1

    @cached_property
    def active(self) -> tuple[CartLine, ...]:
        return tuple(line for line in self.lines if not line.removed)

    @property
    def is_empty(self) -> bool:
        return not self.active

    def line(self, line_id: int) -> CartLine:
        """Raises NotFound."""
        for line in self.lines:
            if line.id == line_id:
                return line
        raise NotFound("line")

    @property
    def given_away(self) -> Money:
        """The part of the total for goods that are given away."""
        lines = zip(self.active, self.totals, strict=True)
        return Money.total(
            total for line, total in lines if names_gift(line.article.frozen.printed_name)
        )

    @cached_property
    def totals(self) -> tuple[Money, ...]:
        """The total of each active line after all discounts, in order; their sum is the cart's
        total."""
        if isinstance(self.discount, Percent):
            return tuple([line.less(line.discount, self.discount) for line in self.active])
        own = [line.total for line in self.active]
        return tuple(amount_off(own, self.discount) if self.discount else own)

    @cached_property
    def total(self) -> Money:
        return Money.total(self.totals)

    @cached_property
    def full(self) -> Money:
        return Money.total([line.full for line in self.active])

    @property
    def _own_total(self) -> Money:
        """The total before the discount of the whole receipt."""
        return Money.total([line.total for line in self.active])

    @cached_property
    def _shares(self) -> Mapping[int, Decimal]:
        """The percentage by which the discounts lower each active line, by the line's id, rounded
        up to 4 decimals."""
        left = 100 - share_of(self.discount, self._own_total)
        return {
            line.id: 100
            - ((100 - share_of(line.discount, line.full)) * left / 100).quantize(
                FINEST, rounding=ROUND_DOWN
            )
            for line in self.active
        }

    def lowered_from(self, before: Cart) -> Decimal:
        """The largest percentage of a line's discounts, among the lines that are lowered more than
        before, or of which a percentage is off more, be it by a new line of the same article; 0
        where none is.

        A line less 5 % on a receipt that is now less 10 % -> 14.5; 50.00 off ten pieces of 100.00,
        nine of them removed -> 50; forty pieces less 50 %, in place of one -> 50; the first piece
        of another article on a receipt less 50 % -> 0.
        """
        shares, were = before._shares, {line.id: line.full for line in before.active}
        articles = {line.article.article_id for line in before.active}
        by_percent = isinstance(self.discount, Percent)

        def is_more(line: CartLine) -> bool:
            is_of_percent = by_percent or isinstance(line.discount, Percent)
            if line.id not in were:
                return is_of_percent and line.article.article_id in articles
            is_lower = self._shares[line.id] > shares[line.id]
            return is_lower or (is_of_percent and line.full > were[line.id])

        more = (self._shares[line.id] for line in self.active if is_more(line))
        return max(more, default=Decimal(0))

    def add(
        self, article: CartArticle, quantity: Quantity, *, stated_total: Money | None = None
    ) -> Cart:
        """Add the article at its present price, or merge it into an equal line, which moves to the
        end."""
        new = CartLine(self.next_id, article, quantity, article.price, stated_total=stated_total)
        for line in self.lines:
            if line.merges_with(new):
                merged = replace(line, quantity=line.quantity + quantity)
                return replace(self, lines=(*self._without(line.id), merged))
        return replace(self, lines=(*self.lines, new), next_id=self.next_id + 1)

    def change(self, line: CartLine) -> Cart:
        """The cart with a line as it is now, without the amounts off that no longer fit: they are
        more than what is left, or would leave nothing to pay where something was to be paid. Raises
        NotFound, and Invalid for an impossible line."""
        line = line.fitting(self.line(line.id))
        lines = tuple(line if old.id == line.id else old for old in self.lines)
        return replace(self, lines=lines).fitting(self)

    def fitting(self, before: Cart) -> Cart:
        """The cart without an amount off all of it that no longer fits."""
        if not isinstance(self.discount, Money):
            return self
        is_meant = self.discount != before.discount or before._costs_nothing
        is_fit = _fits(self.discount, self._own_total, or_all=is_meant)
        return self if is_fit else replace(self, discount=None)

    @property
    def _costs_nothing(self) -> bool:
        return bool(self.active) and not self.total

    def lost_since(self, before: Cart) -> tuple[LostDiscount, ...]:
        """The amounts off that are gone because they no longer fit, and not because somebody took
        them back: those of lines in order, then that of the whole cart."""
        earlier = {line.id: line for line in before.lines}
        pairs = [(line, earlier.get(line.id, line)) for line in self.active]
        lost = [
            LostDiscount(amount, line.article.frozen.name)
            for line, was in pairs
            if (amount := _amount_lost(line, was)) is not None
        ]
        amount = _amount_lost(self, before)
        return tuple(lost if amount is None else [*lost, LostDiscount(amount)])

    def has_piece(self, article_id: str, serial: str) -> bool:
        pieces = ((line.article.article_id, line.article.serial) for line in self.active)
        return (article_id, serial) in pieces

    def lines_of(self, article_id: str, *, batch: str = "", serial: str = "") -> list[CartLine]:
        """The lines of an article, the last one first; of a code that names a batch or a serial
        number those that such a code puts on, else all of them."""
        own = [line for line in reversed(self.active) if line.article.article_id == article_id]
        if not (batch or serial):
            return own
        same = [line for line in own if line.article.serial == serial]
        return [line for line in same if batch in ("", line.article.batch)]

    def take_off(
        self,
        own: Sequence[CartLine],
        quantity: Quantity | None,
        *,
        stated_total: Money | None = None,
        is_pack: bool = False,
    ) -> TakenOff:
        """Take goods off some lines again (`lines_of`), exactly as much as was put on. An empty
        line is marked removed.

        quantity: None for goods whose weight nobody stated: their last line goes whole.
        stated_total: what the label of a pack says; the last line with that total goes. is_pack: a
        line of just this quantity goes before any other. Raises NotFound where the lines hold less.
        """
        if stated_total is not None:
            return self._less(own, _pack_of(own, stated_total))
        if quantity is None:
            return self._less(own, {line.id: line.quantity for line in own[:1]})
        return self._less(own, _portions(own, quantity, is_pack=is_pack))

    def _less(self, own: Sequence[CartLine], portions: Mapping[int, Quantity]) -> TakenOff:
        if not portions:
            raise NotFound("article_in_cart")
        left, total = self, Money.ZERO
        for line in (one for one in own if one.id in portions):
            gone = portions[line.id]
            if gone == line.quantity:
                left = left.change(replace(line, removed=True))
                total += line.full
            else:
                left = left.change(replace(line, quantity=line.quantity - gone))
                total += line.price.times(gone)
        return TakenOff(left, Quantity(sum(one.amount for one in portions.values())), total)

    def _without(self, line_id: int) -> tuple[CartLine, ...]:
        return tuple(line for line in self.lines if line.id != line_id)

    def items(self) -> tuple[RequestedItem, ...]:
        return tuple(
            RequestedItem(
                quantity=line.quantity,
                unit_price=UnitPrice(line.price.amount),
                sku=line.article.sku,
                article=line.article.frozen,
                total=total,
            )
            for line, total in zip(self.active, self.totals, strict=True)
        )


Discounted = TypeVar("Discounted", Cart, CartLine)


def _amount_lost(now: Discounted, before: Discounted) -> Money | None:
    """The amount off that is gone since, and would not fit any more; None where there is none."""
    amount = before.discount
    if now.discount is not None or not isinstance(amount, Money):
        return None
    return None if replace(now, discount=amount).fitting(before).discount else amount
