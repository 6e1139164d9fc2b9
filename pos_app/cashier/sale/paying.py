"""One key ends a sale: exact cash, cash received, exact card (till.md, promise 2)."""

from __future__ import annotations

from pos_app.cashier.payment.delivery import DeliveryDraft, ways_here, ways_of
from pos_app.cashier.sale.carts import CartActs
from pos_app.cashier.sale.model import SaleModel
from pos_app.domain.money import Money
from pos_app.domain.payment import PaymentMethod, Payments
from pos_app.domain.store import ALL_METHODS
from pos_app.errors import NotAllowed
from pos_app.selling.basket import DocumentKind
from pos_app.selling.checkout import Confirmed, Papers, confirm, due, exact_card, exact_cash
from pos_app.selling.plausible import Unusual


class ExactPay:
    """The payments that need no window of their own."""

    def __init__(self, model: SaleModel, carts: CartActs) -> None:
        self._model = model
        self._carts = carts

    @property
    def is_possible(self) -> bool:
        """Whether the keys act now: not on an empty cart, during a question, or after a scan."""
        model = self._model
        return not (model.basket.cart.is_empty or model.is_asked or model.is_dead)

    def unusual(self, received: Money | None) -> Unusual | None:
        """What is odd about the cash received: it is asked about before it is taken."""
        if received is None or not self.is_possible:
            return None
        owed = due(self._model.basket, self._papers())
        return self._model.counter.limits.of_cash(received, owed)

    def cash(self, received: Money | None = None) -> Confirmed | None:
        """Cash, exactly or as received. None when the key is dead or it was refused, with why."""
        papers = self._papers()
        owed = due(self._model.basket, papers)
        if received is None:
            paid = exact_cash(owed, in_whole_dinars=self._model.counter.in_whole_dinars)
        else:
            paid = Payments.of({PaymentMethod.CASH: received})
        return self._confirm(paid, papers)

    def card(self) -> Confirmed | None:
        """The exact amount by card."""
        papers = self._papers()
        return self._confirm(exact_card(due(self._model.basket, papers)), papers)

    def _papers(self) -> Papers:
        """What a receipt carries when the cashier says nothing else: the store's usual way."""
        store, kind = self._model.store, self._model.basket.kind
        built = ways_here(self._model.counter.settings)
        ways = ways_of(store.handed_over_by if store else ALL_METHODS, built=built)
        unknown = store is not None and store.default_unknown_amount_advance
        return Papers(
            DeliveryDraft.usual(ways).delivery(),
            unknown_amount_advance=unknown and kind is DocumentKind.ADVANCE,
        )

    def _confirm(self, paid: Payments, papers: Papers) -> Confirmed | None:
        model = self._model
        if not self.is_possible:
            return None
        done = model.attempt(lambda: self._freeze(paid, papers))
        if done is not None:
            self._carts.take_over(done)
        return done

    def _freeze(self, paid: Payments, papers: Papers) -> Confirmed:
        model, counter = self._model, self._model.counter
        if (hindrance := counter.hindrance(model.basket.kind)) is not None:
            raise hindrance
        if paid.total and paid.cash == paid.total:
            _check_enough(due(model.basket, papers), paid.cash, model)
        return confirm(
            till=counter.till,
            basket=model.basket,
            tendered=paid,
            papers=papers,
            cashier=counter.cashier,
            in_whole_dinars=counter.in_whole_dinars,
        )


def _check_enough(owed: Money, received: Money, model: SaleModel) -> None:
    """Say in the cashier's words that the cash received does not cover the total."""
    exact = exact_cash(owed, in_whole_dinars=model.counter.in_whole_dinars).cash
    if received < min(exact, owed):
        raise NotAllowed(
            f"The cash received, {received}, does not cover {owed}.",
            safe="Nothing was issued; the cart is as it was.",
            do="Type what was received and press + again, or take the rest with F12.",
            kind="not_enough",
            received=received,
            owed=owed,
        )
