"""What was typed into a question that was left unanswered: it stands there when it is asked again.

Esc goes back one step and destroys nothing (till.md, Keys). It belongs to the cart and to the line
as it was: once either has changed, or the question was answered, it is forgotten.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping

from pos_app.cashier.sale.asking import (
    HowMuch,
    IsRight,
    LinePrice,
    LineQuantity,
    NewArticle,
    NextQuantity,
    Question,
    WhatPrice,
    WhyDrop,
)
from pos_app.selling.basket import Basket

Entries = Mapping[str, str]
"""Texts by the names of their fields."""
MOST = 50
TEXT = "text"
"""Name of the one field of most questions."""


class TypedBefore:
    """What was typed, by what it was typed for; the oldest is forgotten first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Entries] = OrderedDict()

    def of(self, question: Question, basket: Basket) -> Entries:
        """What was typed for this question; nothing for one that was answered.

        Whether a number is right is asked about what was typed a moment ago, not before.
        """
        if isinstance(question, IsRight):
            return {}
        return self._kept.get(place_of(question, basket), {})

    def keep(self, question: Question, basket: Basket, typed: Entries) -> None:
        """It is being typed."""
        place = place_of(question, basket)
        if place is not None:
            self._kept[place] = dict(typed)
            self._kept.move_to_end(place)
            if len(self._kept) > MOST:
                self._kept.popitem(last=False)

    def forget(self, place: Hashable) -> None:
        """It was answered."""
        self._kept.pop(place, None)


def place_of(question: Question | None, basket: Basket) -> Hashable:
    """What a question is about: cart, and line or article as it is; None where nothing is typed."""
    kind = type(question).__name__
    match question:
        case HowMuch(article) | WhatPrice(article):
            return kind, basket.key, article.id
        case LineQuantity(line_id):
            return kind, basket.key, line_id, basket.cart.line(line_id).quantity
        case LinePrice(line_id):
            line = basket.cart.line(line_id)
            return kind, basket.key, line_id, line.price, line.discount
        case NextQuantity() | WhyDrop():
            return kind, basket.key
        case NewArticle(code):
            return kind, code
        case IsRight(before=before):
            return place_of(before, basket)
        case _:
            return None
