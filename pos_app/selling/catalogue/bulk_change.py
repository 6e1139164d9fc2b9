"""One change of many articles, as it is shown before it is made (`bulk_act` plans and makes it).

Source: till.md (Catalogue: bulk change).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Protocol

from pos_app.domain.article.product import Product, ProductFields
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import Catalogue
from pos_app.selling.synchronisation.catalogue_edits import Changes

LARGEST_PERCENT = Decimal(1000)


class Rounding(StrEnum):
    """The step to which a new price is rounded; a price stays above zero, and zero stays zero."""

    PARA = "para"
    DINAR = "dinar"
    NINETY_NINE = "ninety_nine"
    """The nearest price that ends in ,99."""
    TEN = "ten"


class BulkChange(Protocol):
    def changes_of(self, owner: ProductFields) -> Changes:
        """New values of a product or variant; none where nothing changes."""


@dataclass(frozen=True, slots=True)
class PriceByPercent:
    """percent: 10 makes each price a tenth higher, -10 a tenth lower."""

    percent: Decimal
    rounding: Rounding = Rounding.PARA

    def changes_of(self, owner: ProductFields) -> Changes:
        if owner.price is None:
            return {}
        new = self.price(owner.price)
        return {} if new == owner.price else {"price": new}

    def price(self, old: Money) -> Money:
        """The new price.

        | old    | percent | rounding    | new    |
        | 58.99  | 10      | para        | 64.89  |
        | 58.99  | 10      | dinar       | 65.00  |
        | 58.99  | 10      | ninety_nine | 64.99  |
        | 58.99  | 10      | ten         | 60.00  |
        | 0.40   | -10     | dinar       | 0.36: less than a step, so it is rounded to the para |
        """
        exact = old.amount * (100 + self.percent) / 100
        rounded = _rounded(exact, self.rounding)
        return Money.rounded(exact if rounded <= 0 else rounded)


def _rounded(exact: Decimal, rounding: Rounding) -> Decimal:
    match rounding:
        case Rounding.PARA:
            return exact
        case Rounding.DINAR:
            return exact.quantize(Decimal(1), rounding=ROUND_HALF_UP)
        case Rounding.NINETY_NINE:
            para = Decimal("0.01")
            return (exact + para).quantize(Decimal(1), rounding=ROUND_HALF_UP) - para
        case Rounding.TEN:
            return (exact / 10).quantize(Decimal(1), rounding=ROUND_HALF_UP) * 10


@dataclass(frozen=True, slots=True)
class LabelForAll:
    """instead_of: the labels that are changed; without any, all of them."""

    label: TaxLabel
    instead_of: tuple[TaxLabel, ...] = ()

    def changes_of(self, owner: ProductFields) -> Changes:
        if owner.tax_label is self.label:
            return {}
        if self.instead_of and owner.tax_label not in self.instead_of:
            return {}
        return {"tax_label": self.label}


@dataclass(frozen=True, slots=True)
class CategoryForAll:
    category_id: str
    is_added: bool = True

    def changes_of(self, owner: ProductFields) -> Changes:
        has = self.category_id in owner.categories
        if has is self.is_added:
            return {}
        if self.is_added:
            return {"categories": (*owner.categories, self.category_id)}
        return {"categories": tuple(one for one in owner.categories if one != self.category_id)}


def price_change(text: str, rounding: Rounding) -> PriceByPercent | None:
    """The change that a typed percentage means. It is None for no change, and while only its sign
    is typed. Raises Invalid."""
    typed = text.strip()
    if typed in ("", "-", "+", "−"):
        return None
    percent = _percent(typed)
    return PriceByPercent(percent, rounding) if percent else None


def _percent(text: str) -> Decimal:
    """A signed percentage as it is typed: "10", "+7,5", "−10 %". Raises Invalid."""
    typed = text.replace("−", "-").replace("%", "").replace(",", ".").replace("\u00a0", "").strip()
    try:
        percent = Decimal(typed)
    except ArithmeticError as error:
        raise Invalid("number.typed") from error
    if not percent.is_finite() or percent <= -100 or percent > LARGEST_PERCENT:
        raise Invalid("percent_range")
    return percent


class Stays(StrEnum):
    """Why a change leaves an article as it is."""

    NO_PRICE = "no_price"
    ZERO = "zero"
    TOO_LARGE = "too_large"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class BulkLine:
    """The outcome for one article; `changes` is empty where nothing changes. is_too_large: no
    article can have such a price."""

    product_id: str
    name: str
    before: ProductFields
    changes: Changes
    is_too_large: bool = False

    def stays(self, change: BulkChange) -> Stays | None:
        """Why the article stays as it is, or None where it changes."""
        if self.changes:
            return None
        if self.is_too_large:
            return Stays.TOO_LARGE
        if not isinstance(change, PriceByPercent):
            return Stays.SAME
        price = self.before.price
        if price is None:
            return Stays.NO_PRICE
        return Stays.SAME if price else Stays.ZERO


def preview(
    catalogue: Catalogue, product_ids: Iterable[str], change: BulkChange
) -> Iterator[BulkLine]:
    """Show what a change would make of each article, product by product. Reads only."""
    for product_id in product_ids:
        product = catalogue.product(product_id)
        if product is not None:
            for owner in owners(product):
                try:
                    changes, is_too_large = change.changes_of(owner), False
                except Invalid:
                    changes, is_too_large = {}, True
                yield BulkLine(product_id, owner.name, owner, changes, is_too_large)


def owners(product: Product) -> tuple[ProductFields, ...]:
    return (product, *product.variants)
