"""What a cashier does with whole carts: hold, recall, drop, and make it another document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.open_sale import Part
from pos_app.cashier.sale.questions import CartsSetAside, SaleDropped, SuspendedCarts, VoidQuestion
from pos_app.errors import NotAllowed, PosError
from pos_app.selling import sell
from pos_app.selling.checkout import ConfirmedSale
from pos_app.selling.sale import Sale
from pos_app.selling.scan import ScanPurpose
from pos_app.selling.ticket import DocumentKind, Ticket


class CartActs:
    """Acts on carts."""

    def __init__(self, model: SaleModel) -> None:
        self._model = model
        self.held_count = len(self.suspended())

    def suspended(self) -> Sequence[Ticket]:
        """The carts set aside of the present sort (training apart), the oldest first."""
        return self._held_with(self._model.ticket)

    def suspend_or_recall(self) -> None:
        """F6: set the cart aside; with an empty one, show those that are."""
        if self._model.ticket.cart.is_empty:
            self._model.ask(SuspendedCarts())
        else:
            self.suspend()

    def suspend(self) -> None:
        """Set the cart aside and open the next."""
        model = self._model
        self._replace(lambda: sell.suspend(till=model.services.till, ticket=model.ticket))

    def recall(self, cart_id: int) -> None:
        """Take a held cart back; the present one is held if anything is in it."""
        model = self._model
        till = model.services.till

        def recall() -> None:
            self._replace(lambda: sell.recall(till=till, ticket=model.ticket, cart_id=cart_id))

        model.answered(recall)

    def ask_void(self) -> None:
        """Ask why the sale is dropped; an empty one has nothing to drop."""
        if self._model.ticket.cart.lines:
            self._model.ask(VoidQuestion())
        else:
            self._model.attempt(_nothing_to_drop)

    def void(self, reason: str) -> None:
        """End the cart without a sale."""
        model = self._model
        till, total = model.services.till, model.total

        def drop() -> None:
            act = partial(sell.void, till=till, ticket=model.ticket, reason=reason)
            if self._replace(act):
                model.notify(SaleDropped(total))

        model.answered(drop)

    def set_kind(self, kind: DocumentKind) -> None:
        """Make it another document; training has a cart of its own and needs a manager."""
        model, services = self._model, self._model.services
        if kind.is_training and not services.is_manager:
            model.attempt(_managers_only)
            model.tell(Part.CART)
            return
        self._replace(
            lambda: sell.set_kind(
                till=services.till, ticket=model.ticket, kind=kind, cashier=services.cashier
            )
        )

    def take_back(self, sale: Sale) -> None:
        """The lines of a cancelled sale in a new cart, to be corrected.

        Raises PosError, for the screen where it was asked for to tell it; nothing was
        changed then.
        """
        model = self._model
        if model.is_asked:
            _answer_first()
        if model.held_by is not None:
            raise model.held_by
        self._show(sell.take_back(till=model.services.till, ticket=model.ticket, sale=sale))

    def begin_anew(self) -> None:
        """A copy was put back, so the cart that was open was set aside: another one is open now,
        and the cashier is told."""
        model = self._model
        services, training = model.services, model.ticket.kind.is_training
        try:
            found = sell.start(till=services.till, cashier=services.cashier, training=training)
            aside = len(services.till.carts.set_aside())
        except PosError as error:
            model.refuse(error)
            return
        self._show(found)
        if aside:
            model.notify(CartsSetAside(aside), "attention")

    def take_over(self, confirmed: ConfirmedSale) -> None:
        """A sale was confirmed: it is the last one now, and its successor is the open cart."""
        model = self._model
        model.was_confirmed(confirmed.sale)
        model.notices = ()
        self._show(confirmed.ticket)
        model.tone("done")
        model.tell(Part.LAST, Part.NOTICE)
        model.services.outbox.wake()

    def _replace(self, act: Callable[[], Ticket]) -> bool:
        """Whether it was done."""
        model = self._model
        # The question is about this cart, and scans wait for it: they never move to another.
        ticket = model.attempt(_answer_first if model.is_asked else act)
        if ticket is None:
            model.tell(Part.CART)
            return False
        self._show(ticket)
        return True

    def _held_with(self, ticket: Ticket) -> Sequence[Ticket]:
        """The carts set aside that can take the place of this one."""
        carts = sell.suspended(till=self._model.services.till)
        return [cart for cart in carts if cart.kind.is_training is ticket.kind.is_training]

    def _show(self, ticket: Ticket) -> None:
        """Another cart, with nothing left of what was under way in the one before."""
        model = self._model
        active = ticket.cart.active
        model.struck = frozenset()
        model.next_quantity = None
        model.purpose = ScanPurpose.ADD
        model.new_prices = {}
        self.held_count = len(self._held_with(ticket))
        parts = (Part.NEXT, Part.NOTICE) if model.forget_told() else (Part.NEXT,)
        model.show(ticket, touched=active[-1].id if active else None)
        model.tell(*parts)


def _answer_first() -> Ticket:
    raise NotAllowed(
        "Answer the question first.",
        do="Or go back with Esc.",
        kind="question",
    )


def _managers_only() -> None:
    raise NotAllowed(
        "Training is started by a manager.",
        safe="The cart is unchanged.",
        kind="manager_only",
    )


def _nothing_to_drop() -> None:
    raise NotAllowed("The cart is empty.", kind="nothing_to_drop")
