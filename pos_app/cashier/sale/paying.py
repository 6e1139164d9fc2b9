"""One key ends a sale: exact cash, cash received, exact card (till.md, promise 2)."""

from __future__ import annotations

from pos_app.cashier.payment.drafts import Drafts, FaultPlace, PaymentFault, ways_here
from pos_app.cashier.sale.carts import CartActs
from pos_app.cashier.sale.model import SaleModel
from pos_app.domain.money import Money
from pos_app.domain.number_text import amount_text
from pos_app.domain.payment import PaymentMethod, Payments
from pos_app.errors import NotAllowed
from pos_app.selling.checkout import ConfirmedSale, confirm, exact_card, exact_cash
from pos_app.selling.ticket import DocumentKind
from pos_app.selling.unusual_amounts import Unusual

_MENDED_AT = {FaultPlace.COST_CENTRE: FaultPlace.BUYER, FaultPlace.WIRE_TIME: FaultPlace.ADVANCE}
"""Places whose page is another's."""
_UNFINISHED = {
    FaultPlace.BUYER: ("The buyer's details are not right.", "Correct or remove the buyer (F5)."),
    FaultPlace.DELIVERY: (
        "How the buyer gets the receipt is not right.",
        "Correct it in the payment (F12).",
    ),
    FaultPlace.ADVANCE: ("The advance is not right.", "Correct it in the payment (F12)."),
    FaultPlace.TEXT: ("The text on the receipt is too long.", "Shorten it in the payment (F12)."),
    FaultPlace.LINES: ("A corporate card is paid by voucher alone.", "Take the payment (F12)."),
}
"""What is said of a place, and what to do."""


class ExactPay:
    """The payments that need no window of their own."""

    def __init__(self, model: SaleModel, carts: CartActs) -> None:
        self._model = model
        self._carts = carts

    @property
    def is_possible(self) -> bool:
        """Whether the keys act now: not on an empty cart, during a question, after a scan, or
        while scans wait to be entered."""
        model = self._model
        is_unfinished = model.is_asked or model.held_by is not None
        return not (model.ticket.cart.is_empty or is_unfinished or model.is_dead)

    def unusual(self, received: Money | None) -> Unusual | None:
        """What is odd about the cash received: it is asked about before it is taken."""
        if received is None or not self.is_possible:
            return None
        return self._model.services.limits.of_cash(received, self.due)

    @property
    def due(self) -> Money:
        """What is to be paid now."""
        model = self._model
        is_advance = model.ticket.kind is DocumentKind.ADVANCE
        return self._drafts.due(model.ticket) if is_advance else model.total

    @property
    def cash_due(self) -> Money:
        """The cash that exact cash takes."""
        whole = self._model.services.in_whole_dinars
        return exact_cash(self.due, in_whole_dinars=whole).cash

    def cash(self, received: Money | None = None) -> ConfirmedSale | None:
        """Cash, exactly or as received. None when the key is dead or it was refused, with why."""
        cash = self.cash_due if received is None else received
        return self._confirm(Payments.of({PaymentMethod.CASH: cash}))

    def card(self) -> ConfirmedSale | None:
        """The exact amount by card."""
        return self._confirm(exact_card(self.due))

    @property
    def _drafts(self) -> Drafts:
        """What the cart keeps beside its lines, over the store's usual way."""
        model = self._model
        usual = Drafts.usual(model.store, built=ways_here(model.services.settings))
        return usual.with_added(model.ticket.additions)

    def _confirm(self, paid: Payments) -> ConfirmedSale | None:
        model = self._model
        if not self.is_possible:
            model.tone("no")
            return None
        if model.asks_for_missed():
            return None
        done = model.attempt(lambda: self._freeze(paid))
        if done is not None:
            self._carts.take_over(done)
        return done

    def _freeze(self, paid: Payments) -> ConfirmedSale:
        model, services = self._model, self._model.services
        if (hindrance := services.hindrance(model.ticket.kind)) is not None:
            raise hindrance
        if model.ticket.kind.takes_money and not self.due:
            raise _nothing_to_pay()
        begun = model.ticket.additions.paid_otherwise
        if begun and not self._drafts.buyer.by_corporate_card:  # which has words of its own
            raise _payment_begun(begun)
        if paid.total and paid.cash == paid.total:
            _check_enough(self.due, paid.cash, model)
        now, drafts = services.till.clock.now(), self._drafts
        _check_finished(drafts.faults(model.ticket, paid, now), doubt=drafts.buyer.doubt())
        return confirm(
            till=services.till,
            ticket=model.ticket,
            tendered=paid,
            papers=drafts.papers(model.ticket, now),
            cashier=services.cashier,
            in_whole_dinars=services.in_whole_dinars,
        )


def _nothing_to_pay() -> NotAllowed:
    """A sale for nothing is no sale of one key: it is looked at first."""
    return NotAllowed(
        f"The total is {amount_text(Money.ZERO)}: nothing is paid.",
        safe="Nothing was issued; the cart is unchanged.",
        do="Look at prices and discounts; if it is right, issue it in the payment (F12).",
        kind="nothing_to_pay",
    )


def _payment_begun(given: Money) -> NotAllowed:
    """What was taken on a card's terminal is not taken a second time in silence."""
    return NotAllowed(
        f"{amount_text(given)} is paid already, and not in cash.",
        safe="Nothing was issued; the cart and what was paid are kept.",
        do="Go on with the payment (F12), or remove that payment there.",
        kind="payment_begun",
        given=given,
    )


def _check_finished(faults: tuple[PaymentFault, ...], *, doubt: PaymentFault | None) -> None:
    """Say what was begun for the receipt and is not right: it is never left out in silence."""
    if faults and faults[0] == doubt:
        raise NotAllowed(
            "The buyer's number looks mistyped and was not confirmed.",
            safe="Nothing was issued; the cart is unchanged.",
            do="Check it (F5): confirm, correct or remove it.",
            kind="doubted_buyer",
        )
    if faults:
        place = _MENDED_AT.get(faults[0].place, faults[0].place)
        what, do = _UNFINISHED[place]
        raise NotAllowed(
            what,
            safe="Nothing was issued; the cart is unchanged.",
            do=do,
            kind=f"unfinished_{place}",
        )


def _check_enough(owed: Money, received: Money, model: SaleModel) -> None:
    """Say in the cashier's words that the cash received does not cover the total."""
    exact = exact_cash(owed, in_whole_dinars=model.services.in_whole_dinars).cash
    if received < min(exact, owed):
        raise NotAllowed(
            f"{amount_text(owed)} is to be paid, {amount_text(received)} was received.",
            safe="Nothing was issued; the cart is unchanged.",
            do="Type what was received, then +; or take the rest in another way (F12).",
            kind="not_enough",
            received=received,
            owed=owed,
        )
