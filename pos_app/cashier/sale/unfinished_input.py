"""What was typed into a question that was left unanswered: it stands there when it is asked again.

Esc goes back one step and destroys nothing (till.md, Keys). It belongs to the cart and to the line
as it was: once either has changed, or the question was answered, it is forgotten.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping

from pos_app.cashier.sale.questions import (
    LinePrice,
    LineQuantity,
    NewArticle,
    NextQuantity,
    PriceQuestion,
    Question,
    UnusualAmountQuestion,
    VoidQuestion,
    WeightQuestion,
)
from pos_app.selling.ticket import Ticket

Entries = Mapping[str, str]
"""Texts by the names of their fields."""
MOST = 50
TEXT = "text"
"""Name of the one field of most questions."""


class UnfinishedInput:
    """What was typed, by what it was typed for; the oldest is forgotten first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Entries] = OrderedDict()

    def of(self, question: Question, ticket: Ticket) -> Entries:
        """What was typed for this question; nothing for one that was answered.

        Whether a number is right is asked about what was typed a moment ago, not before.
        """
        if isinstance(question, UnusualAmountQuestion):
            return {}
        return self._kept.get(place_of(question, ticket), {})

    def keep(self, question: Question, ticket: Ticket, typed: Entries) -> None:
        """It is being typed."""
        place = place_of(question, ticket)
        if place is not None:
            self._kept[place] = dict(typed)
            self._kept.move_to_end(place)
            if len(self._kept) > MOST:
                self._kept.popitem(last=False)

    def forget(self, place: Hashable) -> None:
        """It was answered."""
        self._kept.pop(place, None)


def place_of(question: Question | None, ticket: Ticket) -> Hashable:
    """What a question is about: cart, and line or article as it is; None where nothing is typed."""
    kind = type(question).__name__
    match question:
        case WeightQuestion(article) | PriceQuestion(article):
            return kind, ticket.key, article.id
        case LineQuantity(line_id):
            return kind, ticket.key, line_id, ticket.cart.line(line_id).quantity
        case LinePrice(line_id):
            line = ticket.cart.line(line_id)
            return kind, ticket.key, line_id, line.price, line.discount
        case NextQuantity() | VoidQuestion():
            return kind, ticket.key
        case NewArticle(code):
            return kind, code
        case UnusualAmountQuestion(before=before):
            return place_of(before, ticket)
        case _:
            return None
