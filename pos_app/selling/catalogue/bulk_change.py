"""One change of many articles, as it is shown before it is made (`bulk_act` plans and makes it).

Source: till.md (Catalogue: bulk change).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Protocol

from pos_app.domain.article.product import Product, ProductFields
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import Catalogue
from pos_app.selling.catalogue.planned_prices import PlannedPrice, PricePlans
from pos_app.selling.catalogue.product_draft import DraftField, price_doubt, read_period, read_price
from pos_app.selling.synchronisation.catalogue_edits import Changes

LARGEST_PERCENT = Decimal(1000)


class Rounding(StrEnum):
    """The step to which a new price is rounded; a price stays above zero, and zero stays zero."""

    PARA = "para"
    DINAR = "dinar"
    NINETY_NINE = "ninety_nine"
    """The nearest price that ends in ,99."""
    FIVE = "five"
    TEN = "ten"


_STEPS = {Rounding.DINAR: Decimal(1), Rounding.FIVE: Decimal(5), Rounding.TEN: Decimal(10)}


class OwnerChange(Protocol):
    def changes_of(self, owner: ProductFields) -> Changes:
        """New values of a product or variant; none where nothing changes."""


@dataclass(frozen=True, slots=True)
class PriceByPercent:
    """percent: 10 makes each price a tenth higher, -10 a tenth lower."""

    percent: Decimal
    rounding: Rounding = Rounding.PARA

    def changes_of(self, owner: ProductFields) -> Changes:
        new = None if owner.price is None else self.price(owner.price)
        return {} if new == owner.price else {"price": new}

    def price(self, old: Money) -> Money:
        """The new price.

        | old    | percent | rounding    | new    |
        | 58.99  | 10      | para        | 64.89  |
        | 58.99  | 10      | dinar       | 65.00  |
        | 58.99  | 10      | ninety_nine | 64.99  |
        | 58.99  | 10      | five        | 65.00  |
        | 58.99  | 10      | ten         | 60.00  |
        | 0.40   | -10     | dinar       | 0.36: less than a step, so it is rounded to the para |
        """
        exact = old.amount * (100 + self.percent) / 100
        rounded = _rounded(exact, self.rounding)
        return Money.rounded(exact if rounded <= 0 else rounded)


def _rounded(exact: Decimal, rounding: Rounding) -> Decimal:
    if rounding is Rounding.PARA:
        return exact
    if rounding is Rounding.NINETY_NINE:
        para = Decimal("0.01")
        return _rounded(exact + para, Rounding.DINAR) - para
    step = _STEPS[rounding]
    return (exact / step).quantize(Decimal(1), rounding=ROUND_HALF_UP) * step


@dataclass(frozen=True, slots=True)
class OnePrice:
    """The same price for all."""

    amount: Money

    def changes_of(self, owner: ProductFields) -> Changes:
        return {} if owner.price == self.amount else {"price": self.amount}


PriceRule = PriceByPercent | OnePrice


@dataclass(frozen=True, slots=True)
class PricePeriod:
    """When planned prices hold: from an instant (included) to another (excluded), or for good.
    replaces_plans: whether they take the place of plans that articles have already."""

    begins_at: datetime
    ends_at: datetime | None
    replaces_plans: bool = False


@dataclass(frozen=True, slots=True)
class NewPrices:
    """New prices of articles, at once or for a period. plans: the planned prices that there are.
    moment: when the change is shown.

    A planned price that has begun and has no end is what the article costs: the rule starts from
    it, and it becomes the article's own price. Otherwise a later plan in its place would bring
    back, until it begins, a price that held before both. A variant without a price of its own costs
    what its product costs: the rule starts from that, and a change at once reaches it by the
    product.
    """

    rule: PriceRule
    plans: PricePlans
    moment: datetime
    period: PricePeriod | None = None

    def line_of(self, owner: ProductFields, product: Product) -> BulkLine:
        plan, period = self.plans.plan_of(owner.id), self.period
        is_usual = plan is not None and plan.is_usual_at(self.moment)
        follows = owner.price is None and not is_usual and owner.id != product.id
        base = replace(owner, price=product.price) if follows else owner
        base = replace(owner, price=plan.price) if plan and is_usual else base
        rest = None if is_usual else plan
        line = BulkLine(
            product.id,
            owner.name,
            owner,
            {},
            plan=plan,
            new_plan=plan,
            price=base.price,
            other_plan=rest,
        )
        if period is not None and rest is not None and not period.replaces_plans:
            return replace(line, stays=Stays.HAS_PLAN)
        try:
            new = self.rule.changes_of(base).get("price")
        except Invalid:
            return replace(line, stays=Stays.TOO_LARGE)
        why = self._why_same(base.price)
        if new is None and period is not None and rest is not None and why is Stays.SAME:
            new = base.price  # planned in place of another price
        if new is None:
            return replace(line, stays=why)
        percent = self.rule.percent if isinstance(self.rule, PriceByPercent) else None
        line = replace(line, new_price=new, percent=percent)
        if period is None:
            return replace(line, changes={} if follows else {"price": new}, new_plan=rest)
        planned = PlannedPrice(owner.id, new, period.begins_at, period.ends_at)
        if planned == plan:
            return replace(line, stays=Stays.SAME, new_price=None)
        own = {"price": base.price} if is_usual else {}
        return replace(line, changes=own, new_plan=planned)

    def _why_same(self, price: Money | None) -> Stays:
        if isinstance(self.rule, OnePrice) or price:
            return Stays.SAME
        return Stays.NO_PRICE if price is None else Stays.ZERO


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

    @staticmethod
    def follows(owner: ProductFields, product: Product) -> bool:
        """Whether a variant without a category of its own has those of its product: one of its own
        would take it out of the others."""
        return not owner.categories and owner.id != product.id


BulkChange = OwnerChange | NewPrices


def price_change(text: str, rounding: Rounding) -> PriceByPercent | None:
    """The change that a typed percentage means. It is None for no change, and while only its sign
    is typed. Raises Invalid."""
    typed = text.strip()
    if typed in ("", "-", "+", "−"):
        return None
    percent = _percent(typed)
    return PriceByPercent(percent, rounding) if percent else None


def one_price(text: str) -> OnePrice | None:
    """The typed price for all, or None while none is typed. Raises Invalid."""
    amount = read_price(text)
    return None if amount is None else OnePrice(amount)


def price_period(
    begins: str, ends: str, moment: datetime, *, replaces_plans: bool
) -> PricePeriod | None:
    """The typed period, or None where nothing is typed: at once. It may begin today, and then the
    prices hold at once, but no earlier: a day of the past is a slip. Raises Invalid at its field.
    """
    if not (begins.strip() or ends.strip()):
        return None
    fields = {DraftField.PLANNED_FROM.value: begins, DraftField.PLANNED_UNTIL.value: ends}
    begins_at, ends_at = read_period(fields, today=day_of(moment))
    if begins_at < beginning_of(day_of(moment)):
        raise Invalid("plan_past", field=DraftField.PLANNED_FROM)
    if ends_at is not None and ends_at <= moment:
        raise Invalid("plan_over", field=DraftField.PLANNED_UNTIL)
    return PricePeriod(begins_at, ends_at, replaces_plans)


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
    HAS_PLAN = "has_plan"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class BulkLine:
    """The outcome for one article. changes: new values of its own fields; none where it follows its
    product. stays: why it stays as it is,
    None where it changes. plan, new_plan: its planned price, before and after. price, new_price:
    what it costs, and what it is to cost, of a change of prices; percent: of such a change.
    other_plan: the plan that stays beside a change at once, or in whose place another one comes."""

    product_id: str
    name: str
    before: ProductFields
    changes: Changes
    stays: Stays | None = None
    plan: PlannedPrice | None = None
    new_plan: PlannedPrice | None = None
    price: Money | None = None
    new_price: Money | None = None
    percent: Decimal | None = None
    other_plan: PlannedPrice | None = None

    @property
    def is_odd(self) -> bool:
        """Whether the new price is valid and perhaps not meant."""
        return price_doubt(self.new_price) is not None


def preview(
    catalogue: Catalogue, product_ids: Iterable[str], change: BulkChange
) -> Iterator[BulkLine]:
    """Show what a change would make of each article, product by product. Reads only."""
    for product_id in product_ids:
        product = catalogue.product(product_id)
        if product is not None:
            for owner in _changed_owners(product, change):
                yield _line_of(owner, product, change)


def _changed_owners(product: Product, change: BulkChange) -> Sequence[ProductFields]:
    """Return whose values change. A planned price is of what is sold, as an article."""
    is_planned = isinstance(change, NewPrices) and change.period is not None
    return product.variants if is_planned and product.variants else owners(product)


def _line_of(owner: ProductFields, product: Product, change: BulkChange) -> BulkLine:
    if isinstance(change, NewPrices):
        return change.line_of(owner, product)
    follows = isinstance(change, CategoryForAll) and change.follows(owner, product)
    reached = change.changes_of(product if follows else owner)
    changes = {} if follows else reached
    return BulkLine(product.id, owner.name, owner, changes, None if reached else Stays.SAME)


def owners(product: Product) -> tuple[ProductFields, ...]:
    return (product, *product.variants)
