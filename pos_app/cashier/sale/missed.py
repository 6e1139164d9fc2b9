"""Codes that were scanned or typed for a sale and came to nothing: goods that may leave unpaid."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pos_app.cashier.sale.asking import NoSuchCode
from pos_app.domain.cart import CartLine
from pos_app.selling.basket import Basket


@dataclass(frozen=True, slots=True)
class Missed:
    """Of one sale. is_told: the cashier was told of all of them before paying."""

    basket_id: int | None = None
    codes: tuple[NoSuchCode, ...] = ()
    is_told: bool = False

    def with_code(self, missed: NoSuchCode, basket: Basket) -> Missed:
        """With one more; the same code again is the same goods."""
        others = self.codes if self.basket_id == basket.id else ()
        others = tuple(one for one in others if one.code != missed.code)
        return Missed(basket.id, (*others, missed))

    def without(self, line: CartLine) -> Missed:
        """After a line was entered: it may be what the code stood for, and what was misread just
        now was scanned once more."""
        article = line.article
        entered = {article.unknown_code, article.frozen.gtin}
        left = (one for one in self.codes if one.why is None and one.code not in entered)
        return replace(self, codes=tuple(left))

    def count(self, basket: Basket) -> int:
        """How many of that sale there are."""
        return len(self.codes) if self.basket_id == basket.id else 0

    def untold(self, basket: Basket) -> int:
        """The same, 0 once they were told."""
        return 0 if self.is_told else self.count(basket)

    def told(self) -> Missed:
        """The cashier knows of all of them."""
        return replace(self, is_told=True)
