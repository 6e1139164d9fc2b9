"""The discount on the whole receipt while it is typed; the cart takes it when it is done."""

from __future__ import annotations

from dataclasses import dataclass

from pos_app.domain.cart import ReceiptDiscount
from pos_app.domain.discount import Percent
from pos_app.domain.number_text import amount_text, parse_amount
from pos_app.errors import Invalid


@dataclass(slots=True)
class DiscountDraft:
    """What stands in the field of the discount."""

    text: str = ""
    in_percent: bool = True

    @classmethod
    def of(cls, discount: ReceiptDiscount) -> DiscountDraft:
        """The discount that the cart has."""
        if discount is None:
            return cls()
        if isinstance(discount, Percent):
            return cls(f"{discount.value.normalize():f}".replace(".", ","))
        return cls(amount_text(discount), in_percent=False)

    def discount(self) -> ReceiptDiscount:
        """As the cart takes it; None for none. Raises Invalid."""
        if not self.text.strip():
            return None
        typed = parse_amount(self.text)
        if not typed:
            raise Invalid("a discount is above 0", kind="range")
        return Percent(typed.amount) if self.in_percent else typed
