"""The law as a model (fiscal.md 6), with nothing of the product's own code, so that one mistake
can't be in both."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Any

PARA = Decimal("0.01")
RATES = {"Ђ": 20, "Е": 10, "Г": 0, "А": 0}
ADVANCE_NAMES = {"Ђ": "10: Аванс", "Е": "11: Аванс", "Г": "12: Аванс", "А": "13: Аванс"}
METHODS = ("cash", "card", "check", "wiretransfer", "voucher", "mobilemoney", "other")
ZERO = Decimal(0)
Amounts = Mapping[str, Decimal]


def half_up(value: Decimal, unit: Decimal = PARA) -> Decimal:
    return value.quantize(unit, rounding=ROUND_HALF_UP)


def spread(amount: Decimal, weights: Sequence[Decimal]) -> list[Decimal]:
    """Spread by largest remainder; of equals the earlier gets the odd para."""
    exact = [amount * weight / sum(weights) for weight in weights]
    parts = [value.quantize(PARA, rounding=ROUND_FLOOR) for value in exact]
    order = sorted(range(len(parts)), key=lambda place: (parts[place] - exact[place], place))
    for place in order[: int((amount - sum(parts)) / PARA)]:
        parts[place] += PARA
    return parts


def split(amount: Decimal, order: Amounts, left: Amounts) -> dict[str, Decimal]:
    """Split a payment by the order; where that is too much, by what is left."""
    shares = dict(zip(order, spread(amount, list(order.values())), strict=True))
    if any(share > left.get(label, ZERO) for label, share in shares.items()):
        shares = dict(zip(left, spread(amount, list(left.values())), strict=True))
    return shares


@dataclass
class Good:
    """A line, and the part of it not given back yet. stated: the total of its request."""

    name: str
    label: str
    quantity: Decimal
    price: Decimal
    sku: int | None = None
    stated: Decimal | None = None
    total: Decimal = ZERO
    quantity_left: Decimal = ZERO
    left_total: Decimal = ZERO

    def priced(self, discount: Decimal | None) -> None:
        full = self.price * self.quantity * (100 - (discount or ZERO)) / 100
        self.total = half_up(full) if self.stated is None else self.stated
        self.quantity_left, self.left_total = self.quantity, self.total

    @property
    def printed_price(self) -> Decimal:
        """The price asked for, or that of a total which was lowered."""
        is_full = self.total == half_up(self.price * self.quantity)
        return self.price if is_full else half_up(self.total / self.quantity)

    def worth(self, quantity: Decimal) -> Decimal:
        """The value of that quantity in a refund; the last one takes what rounding left."""
        if quantity == self.quantity_left:
            return self.left_total
        return min(half_up(self.total * quantity / self.quantity), self.left_total)

    def asked(self) -> dict[str, Any]:
        members: dict[str, Any] = {
            "quantity": self.quantity,
            "unitPrice": self.price,
            "article": {"name": self.name, "taxRateLabel": self.label, "unit": "kg"},
        }
        if self.sku is not None:
            members["sku"] = self.sku
        if self.stated is not None:
            members["totalAmount"] = self.stated
        return members


def goods(drawn: random.Random, count: int, labels: Sequence[str] = tuple(RATES)) -> list[Good]:
    """Draw lines of every sort: whole pieces and grams, long names, the same article twice."""
    return [
        Good(
            name=f"Роба {place} {drawn.choice(['a', 'b' * 45, 'ц'])}",
            label=drawn.choice(labels),
            quantity=drawn.choice([Decimal(1), Decimal(3), cents(drawn, 9000) / 10]),
            price=cents(drawn, 300_000),
            sku=drawn.choice([None, 1, 2, 777]),
        )
        for place in range(count)
    ]


def cents(drawn: random.Random, most: int, least: int = 1) -> Decimal:
    """Draw from `least` to `most` para; from 100 para on a third are whole dinars."""
    para = drawn.randint(least, most)
    if drawn.random() < 1 / 3 and para >= 100:
        para -= para % 100
    return Decimal(para) * PARA


def paid(drawn: random.Random, total: Decimal, *, change: bool = False) -> dict[str, Decimal]:
    """Split the total over one to three methods; with change, sometimes more in cash."""
    if not total:
        return {}
    methods = drawn.sample(METHODS, drawn.choice([1, 1, 2, 3]))
    cuts = sorted(cents(drawn, int(total * 100), 0) for _ in methods[1:])
    ends = [*cuts, total]
    amounts = {
        method: end - start
        for method, start, end in zip(methods, [ZERO, *cuts], ends, strict=True)
        if end > start
    }
    if change and drawn.random() < 0.3:
        amounts["cash"] = amounts.get("cash", ZERO) + cents(drawn, 50_000)
    return amounts
