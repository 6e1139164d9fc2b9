"""The labels of a shop's scales: EAN-13 codes that a scale prints, and what their digits are.

Each layout is written as the twelve digits before the check digit: the prefix, then a letter for
each digit. Source: till.md ("Weight and price codes"), GS1 General Specifications 2.1.11 and 7.9.2
(the verifier digit).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from enum import StrEnum

from pos_app.domain.money.money import Money, Quantity
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

DIGITS_OF_ARTICLE = (4, 5, 6)
DIGITS = 12
"""Of a label, without the check digit."""
_FORM = re.compile(r"(02|2[0-9])(A{4,6})(V?)(G{4,6}|K{4,6}|D{4,6}|P{4,6})")
USUAL_LAYOUTS = (
    *(f"{prefix}AAAAAGGGGG" for prefix in range(20, 26)),
    *(f"{prefix}AAAAADDDDD" for prefix in range(26, 29)),
)


def may_be_label(code: str) -> bool:
    """Whether a code is an EAN-13 of the numbers that shops give out themselves."""
    is_ean = len(code) == DIGITS + 1 and code.isascii() and code.isdigit()
    return is_ean and code.startswith(("02", "2"))


class LabelValue(StrEnum):
    """What the last digits of a label are, by their letter in the layout."""

    GRAMS = "G"
    PIECES = "K"
    DINARS = "D"
    PARA = "P"


@dataclass(frozen=True, slots=True)
class ScaleLayout:
    """prefix: the first two digits. article_digits, value_digits: how many digits the article and
    its value have. has_verifier: a digit between them proves the value.

    | layout       | label         | says                                     |
    | 21AAAAAGGGGG | 2100094014124 | article 94, 1412 grams                   |
    | 26AAAAADDDDD | 2600094003505 | article 94, 350 dinars                   |
    | 27AAAAVPPPPP | 2700944350997 | article 94, 350.99 dinars, verified by 4 |
    | 02AAAAAAKKKK | 0200009400036 | article 94, 3 pieces                     |
    """

    prefix: str
    article_digits: int
    value_digits: int
    value: LabelValue
    has_verifier: bool = False

    @classmethod
    def of(cls, text: str) -> ScaleLayout:
        """Raises Invalid for a text that is no layout."""
        form = _FORM.fullmatch(text)
        if form is None or len(text) != DIGITS:
            raise Invalid("scale_layout", layout=text)
        prefix, article, verifier, value = form.groups()
        meant = LabelValue(value[0])
        return cls(prefix, len(article), len(value), meant, has_verifier=bool(verifier))

    def __str__(self) -> str:
        verifier = "V" * self.has_verifier
        article, value = "A" * self.article_digits, self.value * self.value_digits
        return f"{self.prefix}{article}{verifier}{value}"


@dataclass(frozen=True, slots=True)
class ScaleRules:
    """The layouts of all scales of a shop, one for a prefix. verifier_of: the digit that proves a
    value of four or five digits. Raises Invalid."""

    layouts: tuple[ScaleLayout, ...] = tuple(map(ScaleLayout.of, USUAL_LAYOUTS))
    verifier_of: Callable[[str], int] | None = None

    def __post_init__(self) -> None:
        if len({one.prefix for one in self.layouts}) != len(self.layouts):
            raise Invalid("prefix_twice")

    def layout_of(self, code: str) -> ScaleLayout | None:
        """The layout of a label with that code, or None for a code that no scale prints."""
        if not may_be_label(code):
            return None
        return next((one for one in self.layouts if code.startswith(one.prefix)), None)

    def is_verified(self, layout: ScaleLayout, code: str) -> bool:
        if not layout.has_verifier or self.verifier_of is None:
            return True
        place = len(layout.prefix) + layout.article_digits
        return str(self.verifier_of(code[place + 1 : DIGITS])) == code[place]


@dataclass(frozen=True, slots=True)
class WeightCode:
    """An article by its scale number, with its weight in kilograms. ean: prefix and article digits,
    which a catalogue may hold instead of an EAN ("2100094"). is_count: the scale prints pieces,
    each as a thousandth here."""

    sku: int
    ean: str
    quantity: Quantity
    is_count: bool = False

    def amount_in(self, step: Decimal) -> Decimal:
        """What the digits of the label come to where the last one is `step` of the article's unit:
        a scale prints the count of goods that are sold by the piece."""
        return self.quantity.amount.scaleb(3) * (1 if self.is_count else step)


@dataclass(frozen=True, slots=True)
class PriceCode:
    """An article by its scale number with the total of the line; `ean` as in WeightCode."""

    sku: int
    ean: str
    total: Money


def read_label(code: str, layout: ScaleLayout) -> WeightCode | PriceCode | None:
    """What a label says; None for one that says nothing was weighed."""
    end = len(layout.prefix) + layout.article_digits
    value = Decimal(code[DIGITS - layout.value_digits : DIGITS])
    sku, ean = int(code[len(layout.prefix) : end]), code[:end]
    if not value:
        return None
    match layout.value:
        case LabelValue.DINARS:
            return PriceCode(sku, ean, Money(value))
        case LabelValue.PARA:
            return PriceCode(sku, ean, Money(value.scaleb(-2)))
        case _:
            is_count = layout.value is LabelValue.PIECES
            return WeightCode(sku, ean, Quantity(value.scaleb(-3)), is_count)
