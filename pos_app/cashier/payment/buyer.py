"""The buyer while it is typed: kind and number from the codebook, cost centre beside it.

Nothing of it is logged; it stays with the cart it was typed for (`selling.typed_details`).
Sources: till.md ("Payment"), fiscal.md 5.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pos_app.cashier.payment.faults import FaultPlace, PaymentFault
from pos_app.domain.buyer import (
    BUYER_KINDS,
    CORPORATE_CARD,
    PERIOD,
    BuyerId,
    CostCentre,
)
from pos_app.domain.verification import Verification
from pos_app.errors import Invalid
from pos_app.selling.typed_details import TypedDetails

USUAL_KIND = "10"
"""PIB: firms are the buyers that are asked for by number."""
REFUND_ONLY = frozenset({PERIOD})
"""Kinds of cost centre that no sale has."""


@dataclass(frozen=True, slots=True)
class BuyerDraft:
    """What stands in the fields. centre_code: "" for no cost centre. Values never show in logs.

    sure: the cashier confirmed this very number though it looks mistyped.
    """

    code: str = USUAL_KIND
    value: str = field(default="", repr=False)
    centre_code: str = ""
    centre_value: str = field(default="", repr=False)
    sure: bool = False

    @classmethod
    def of(cls, added: TypedDetails) -> BuyerDraft:
        """What a cart keeps."""
        code = added.buyer_code if added.buyer_code in BUYER_KINDS else USUAL_KIND
        centre = (added.centre_code, added.centre_value)
        return cls(code, added.buyer_value, *centre, sure=added.buyer_sure)

    def added(self) -> TypedDetails:
        """As a cart keeps it."""
        code = "" if self.code == USUAL_KIND else self.code
        centre = (self.centre_code, self.centre_value)
        return TypedDetails(code, self.value, *centre, buyer_sure=self.sure)

    def typed(self, *, code: str | None = None, value: str | None = None) -> BuyerDraft:
        """With another kind or number, of which nobody was sure yet."""
        code = self.code if code is None else code
        value = self.value if value is None else value
        return replace(self, code=code, value=value, sure=False)

    @property
    def is_empty(self) -> bool:
        """Whether there is neither buyer nor cost centre."""
        return not self.value and not self.centre_code

    @property
    def by_corporate_card(self) -> bool:
        """Whether it is a corporate card, which voucher alone pays."""
        return self.centre_code == CORPORATE_CARD

    def buyer(self) -> BuyerId | None:
        """The buyer; None without one. Raises Invalid (see BuyerId)."""
        typed = _tidy(self.value)
        return BuyerId(self.code, typed) if typed else None

    def cost_centre(self) -> CostCentre | None:
        """The cost centre; None without one. Raises Invalid (see CostCentre)."""
        if not self.centre_code:
            return None
        return CostCentre(self.centre_code, self.centre_value.strip())

    def fault(self) -> PaymentFault | None:
        """What is surely wrong with the buyer."""
        try:
            buyer = self.buyer()
        except Invalid as error:
            return PaymentFault.of(FaultPlace.BUYER, error)
        if buyer is None and self.centre_code:
            return PaymentFault(FaultPlace.BUYER, "without_buyer")
        return None

    def centre_fault(self) -> PaymentFault | None:
        """What is surely wrong with the cost centre."""
        try:
            self.cost_centre()
        except Invalid as error:
            return PaymentFault.of(FaultPlace.COST_CENTRE, error)
        return None

    def warnings(self) -> tuple[str, ...]:
        """What looks mistyped but may be right; nothing while something is surely wrong."""
        try:
            buyer = self.buyer()
        except Invalid:
            return ()
        return tuple(buyer.warnings()) if buyer else ()

    def doubt(self) -> PaymentFault | None:
        """What looks mistyped and nobody confirmed: no receipt carries such a number."""
        warnings = () if self.sure else self.warnings()
        return PaymentFault(FaultPlace.BUYER, warnings[0]) if warnings else None

    def corporate_card(self, on: bool) -> BuyerDraft:
        """With the cost centre of a corporate card, or without one."""
        return replace(self, centre_code=CORPORATE_CARD if on else "", centre_value="")

    def from_receipt(self, receipt: Verification) -> BuyerDraft | None:
        """The buyer of an earlier receipt; None when that receipt has none that can be read."""
        try:
            buyer = BuyerId.parse(receipt.buyer_id)
        except Invalid:
            return None
        return self.typed(code=buyer.code, value=buyer.value)


def _tidy(typed: str) -> str:
    """A number without the blanks that people write into it; of a text, without those around."""
    bare = "".join(typed.split())
    return bare if bare.replace(":", "").isdigit() else typed.strip()
