"""The sale at the till, without widgets: the open cart, and the questions and notices about it.

The parts of the model are layers. Each knows the layers below it:

    confirmation    makes the cart a sale, and keeps the last sale
    entry           brings codes, articles and answers into the cart
    cart            the lines, and the suspended carts
    questions       the open question
    context         the listeners, the notices, and acts that may fail

Source: till.md ("Cart", "Keys", "Sale").
"""

from __future__ import annotations

from pos_app.cashier.sale.asking import Questions
from pos_app.cashier.sale.confirmation import Confirmation
from pos_app.cashier.sale.context import SaleContext
from pos_app.cashier.sale.entry import CodeEntry
from pos_app.cashier.sale.open_cart import OpenCart
from pos_app.cashier.services.till_services import TillServices


class SaleModel:
    """Joins the parts of the model. It lives as long as the window, for one sale after another."""

    def __init__(self, services: TillServices) -> None:
        self.context = context = SaleContext(services)
        self.questions = questions = Questions(context)
        self.cart = cart = OpenCart(context, questions)
        self.entry = entry = CodeEntry(context, questions, cart)
        self.confirmation = Confirmation(context, questions, cart, entry)
        questions.ticket = lambda: cart.ticket
        questions.leave_out = cart.forget_next_quantity
        questions.go_on = entry.enter_waiting
        cart.check_articles()

    def catalogue_changed(self) -> None:
        """Read the store and the cart's articles anew, after another program changed the
        catalogue."""
        self.context.store = self.context.services.catalogue.store()
        self.cart.check_articles()
