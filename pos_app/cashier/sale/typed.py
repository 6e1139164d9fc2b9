"""The meaning of the cashier's text, in the search or as the answer to a question.

In the search:

| typed     | means                                             |
|-----------|---------------------------------------------------|
| (nothing) | nothing                                           |
| 3*        | the quantity of the next item, at the star        |
| 0,412*    | the same; comma and point are both decimal        |
| 2088      | an article code or EAN, at Enter                  |
| 2000      | cash received, when numpad + follows              |
| sir       | a search, at each letter                             |
| sir 250   | a search                                          |
"""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum

from pos_app.cashier.sale import questions
from pos_app.domain.money.discount import Percent, line_total
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.number_text import parse_amount, parse_multiplier, parse_quantity
from pos_app.domain.receipt.cart import Cart, CartLine
from pos_app.errors import Invalid


class PricePart(IntEnum):
    """The meaning of a number in the question for a line's price."""

    PERCENT = 0
    AMOUNT_OFF = 1
    NEW_PRICE = 2


def multiplier(text: str) -> Quantity | None:
    """Return the quantity in "3*", or None for other text. Raises Invalid for "0*" and "0*1"."""
    return parse_multiplier(text)


def is_code(text: str) -> bool:
    """Tell whether Enter looks the text up as a code, instead of taking the first hit of a
    search."""
    typed = text.strip()
    return typed.isascii() and typed.isdigit()


def has_words(text: str) -> bool:
    """Tell whether Enter may take the first hit. A text without a letter names no article."""
    return any(sign.isalpha() for sign in text)


def amount(text: str) -> Money | None:
    """Return the typed amount, or None for nothing or for words."""
    typed = text.strip()
    if not typed:
        return None
    try:
        return parse_amount(typed)
    except Invalid:
        return None


def is_number(text: str) -> bool:
    """Tell whether the text is a number, or the beginning of one ("0,"), and thus no search."""
    typed = text.strip()
    return bool(typed) and all(sign in "0123456789.," for sign in typed)


def quantity_total(question: questions.QuantityQuestion, text: str, cart: Cart) -> Money | None:
    """Return the total for a typed quantity, or None if it is unknown. Raises Invalid."""
    quantity = parse_quantity(text)
    match question:
        case questions.WeightQuestion(article) if article.price is not None:
            return line_total(article.price, quantity)
        case questions.LineQuantity(line_id):
            return cart.change(with_quantity(cart.line(line_id), text)).line(line_id).total
        case _:
            return None


def with_quantity(line: CartLine, text: str) -> CartLine:
    """Return the line with a typed quantity. Raises Invalid."""
    return line.of_quantity(parse_quantity(text))


def price_total(question: questions.PriceQuestion, text: str) -> Money:
    """Return the article's total at this price. Raises Invalid."""
    return line_total(parse_amount(text), question.quantity or Quantity.ONE)


def line_at(line: CartLine, part: PricePart, text: str) -> CartLine:
    """Return the line with a typed discount or price. Raises Invalid."""
    typed = parse_amount(text)
    match part:
        case PricePart.PERCENT:
            changed = replace(line, discount=Percent(typed.amount))
        case PricePart.AMOUNT_OFF:
            changed = replace(line, discount=typed)
        case _:
            changed = line.at_price(typed).fitting(line)
    _ = changed.total
    return changed
