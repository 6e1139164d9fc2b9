"""The sale at the till, without a widget: the open cart, and all questions and notices around it.

Its parts are layers; each knows those below it:

    confirmation    the cart becomes a sale, the last one
    entry           codes, articles and answers on their way into the cart
    cart            lines, and the suspended carts
    questions       the open question
    context         listeners, acts that may fail, notices

Source: till.md ("Cart", "Keys", "Sale").
"""

from __future__ import annotations

from pos_app.cashier.sale.asking import Questions
from pos_app.cashier.sale.confirmation import Confirmation
from pos_app.cashier.sale.context import SaleContext
from pos_app.cashier.sale.entry import CodeEntry
from pos_app.cashier.sale.open_cart import OpenCart
from pos_app.cashier.services import TillServices


class SaleModel:
    """It joins the parts of one sale after another."""

    def __init__(self, services: TillServices) -> None:
        self.context = context = SaleContext(services)
        self.questions = questions = Questions(context)
        self.cart = cart = OpenCart(context, questions)
        self.entry = entry = CodeEntry(context, questions, cart)
        self.confirmation = Confirmation(context, questions, cart, entry)
        questions.ticket = lambda: cart.ticket
        questions.go_on = entry.enter_waiting
        cart.check_articles()

    def catalogue_changed(self) -> None:
        """Read the store and the cart's articles anew: another program changed the catalogue."""
        self.context.store = self.context.services.catalogue.store()
        self.cart.check_articles()
