"""What is added to a receipt as the screens edit it, made of what the cart keeps, and back.

The payment and the keys of exact payment read the same drafts, so neither can forget what the
other was told. Sources: till.md ("Payment", Promises 1 and 2), fiscal.md 5, 6.2, 6.8, 6.12.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from pos_app.cashier.payment.advance import AdvanceDraft
from pos_app.cashier.payment.buyer import BuyerDraft
from pos_app.cashier.payment.delivery import DeliveryDraft, DeliveryWay, ways_of
from pos_app.cashier.payment.faults import FaultPlace, PaymentFault
from pos_app.domain.money import Money
from pos_app.domain.payment import PaymentMethod, Payments, excess_of
from pos_app.domain.store import ALL_METHODS, Store
from pos_app.domain.tax import TaxLabel
from pos_app.selling.checkout import ReceiptDetails
from pos_app.selling.ticket import DocumentKind, Ticket
from pos_app.selling.typed_details import TypedDetails

LONGEST_TEXT = 4000
"""Characters of the additional text that a request may carry."""


@dataclass(frozen=True, slots=True)
class Drafts:
    """Buyer, delivery, advance and text, finished or not."""

    buyer: BuyerDraft
    delivery: DeliveryDraft
    advance: AdvanceDraft
    text: str = ""

    @classmethod
    def usual(cls, store: Store | None, *, built: Iterable[DeliveryWay]) -> Drafts:
        """What a receipt carries when the cashier says nothing: the store's usual way."""
        methods = store.handed_over_by if store else ALL_METHODS
        unknown = store is not None and store.default_unknown_amount_advance
        delivery = DeliveryDraft.usual(ways_of(methods, built=built))
        return cls(BuyerDraft(), delivery, AdvanceDraft(unknown=unknown))

    def with_added(self, added: TypedDetails) -> Drafts:
        """These usual drafts, with what a cart keeps."""
        return Drafts(
            buyer=BuyerDraft.of(added),
            delivery=self.delivery.with_added(added),
            advance=self.advance.with_added(added.advance),
            text=added.text,
        )

    def additions(self, usual: Drafts) -> TypedDetails:
        """As a cart keeps it; what is as `usual` is not kept, so that it may change meanwhile."""
        buyer = self.buyer.added()
        return replace(
            buyer,
            text=self.text,
            ways=self.delivery.added(usual.delivery),
            email=self.delivery.email,
            advance=self.advance.added(usual.advance),
        )

    def due(self, ticket: Ticket) -> Money:
        """What is to be paid now: the cart's total, or what is asked of an advance."""
        total = ticket.cart.total
        return self.advance.paid_now(total) if _is_advance(ticket) else total

    def allows(self, method: PaymentMethod) -> bool:
        """Whether a method may pay: a corporate card is paid by voucher alone (fiscal.md 6.7)."""
        return not self.buyer.by_corporate_card or method is PaymentMethod.VOUCHER

    def faults(self, ticket: Ticket, given: Payments, now: datetime) -> tuple[PaymentFault, ...]:
        """What keeps the receipt from being asked for, in the order in which it is shown."""
        buyer = self.buyer
        found = [buyer.fault(), buyer.centre_fault(), buyer.doubt(), self.delivery.fault()]
        if _is_advance(ticket):
            found.append(self.advance.fault(labels_of(ticket)))
            found.append(self.advance.wire_fault(given, now))
        if len(self.text) > LONGEST_TEXT:
            found.append(PaymentFault(FaultPlace.TEXT, "length", {"longest": LONGEST_TEXT}))
        if any(not self.allows(method) for method, _ in given.by_method):
            found.append(PaymentFault(FaultPlace.LINES, "corporate_card"))
        if excess := excess_of(self.due(ticket), given):
            found.append(PaymentFault(FaultPlace.LINES, "above_total", {"excess": excess}))
        return tuple(fault for fault in found if fault is not None)

    def papers(self, ticket: Ticket, now: datetime) -> ReceiptDetails:
        """What goes on the receipt beside the cart. Raises Invalid while something is wrong."""
        usual = ReceiptDetails(
            delivery=self.delivery.delivery(),
            buyer=self.buyer.buyer(),
            cost_centre=self.buyer.cost_centre(),
            additional_text=self.text.strip(),
        )
        if not _is_advance(ticket):
            return usual
        return replace(
            usual,
            pos_time=self.advance.arrived(now),
            advance=self.advance.asked(),
            unknown_amount_advance=self.advance.unknown,
            advance_specification=self.advance.split(labels_of(ticket)),
        )


def labels_of(ticket: Ticket) -> dict[TaxLabel, Money]:
    """What the cart costs by tax label, in the order of first appearance."""
    totals: dict[TaxLabel, Money] = {}
    cart = ticket.cart
    for line, total in zip(cart.active, cart.totals(), strict=True):
        label = line.article.frozen.label
        totals[label] = totals.get(label, Money.ZERO) + total
    return totals


def _is_advance(ticket: Ticket) -> bool:
    return ticket.kind is DocumentKind.ADVANCE
