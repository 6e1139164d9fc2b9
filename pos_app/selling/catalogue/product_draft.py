"""Reads what a manager typed for a product or a variant, finished or not.

Everything is kept as it was typed, by the names of `DraftField`. Only saving reads it, and then
each fault is shown at its field.
Source: till.md (Catalogue), platform-contract.md 2.1–2.4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from functools import partial
from typing import Any

from pos_app.characters import is_blank
from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.article.barcodes import (
    GTIN_LENGTHS,
    CodeRules,
    EditionCode,
    is_gtin,
    may_be_stored,
    other_meaning,
)
from pos_app.domain.article.fields import KINDS, FieldKind
from pos_app.domain.article.gs1 import Gs1Message
from pos_app.domain.article.product import ProductFields, ProductType, parse_dimensions
from pos_app.domain.article.scale_labels import PriceCode, WeightCode
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import parse_amount, parse_quantity, plain_amount_text
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import LONGEST_NAME
from pos_app.domain.text.instant import (
    BELGRADE,
    clock_typed,
    day_of,
    day_typed,
    in_belgrade,
    is_day_written,
)
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.planned_prices import PlannedPrice

TypedFields = Mapping[str, str]
"""The texts of the fields, by the names of `DraftField`; several values are lines of one text."""

MOST_SKU = 999_999_999_999_999
LARGE_PRICE = Money(1_000_000)
"""From here on the till asks whether a price is meant."""


class DraftField(StrEnum):
    """A field that a manager fills in. Those of the platform have the names of ProductFields."""

    NAME = "name"
    SUBTITLE = "subtitle"
    SKU = "sku"
    EAN = "ean"
    BARCODES = "barcodes"
    """Further barcodes, one on each line: "code" or "code quantity"."""
    MANUFACTURER_SKU = "manufacturer_sku"
    VARIANT_NAME = "variant_name"
    PRICE = "price"
    UNIT = "sale_unit_id"
    PRODUCT_TYPE = "product_type"
    TAX_LABEL = "tax_label"
    CATEGORIES = "categories"
    BASE_UNIT = "base_unit_id"
    PER_BASE_UNIT = "quantity_per_base_unit"
    PLANNED_PRICE = "planned_price"
    PLANNED_FROM = "planned_from"
    PLANNED_UNTIL = "planned_until"
    DESCRIPTION = "description"
    WEIGHT = "weight"
    DIMENSIONS = "dimensions"
    OPEN_PRICE = "open_price"
    PINNED = "pinned"


_F = DraftField
_FIELDS = tuple(DraftField)
GIVEN_BY_PLATFORM = (DraftField.SKU, DraftField.PRODUCT_TYPE)
"""The platform fills in these fields of an article that came without them."""
OF_SHOP = frozenset({_F.BARCODES, _F.OPEN_PRICE, _F.PINNED})
"""The shop's own marks, for which no platform has a field."""
OF_PLAN = frozenset({_F.PLANNED_PRICE, _F.PLANNED_FROM, _F.PLANNED_UNTIL})
PLAN_PERCENT, PLAN_UNIT = "planned_percent", "planned_unit"
"""Beside the texts of a plan that is put back: by which percentage it was made, and its unit."""
YES = "1"


def more_of_plan(plan: PlannedPrice | None) -> dict[str, str]:
    """The texts of a plan that has been, which stand in no field."""
    more = {} if plan is None else {PLAN_PERCENT: plan.percent, PLAN_UNIT: plan.unit}
    return {name: str(value) for name, value in more.items() if value is not None}


def with_plan(changed: Iterable[str]) -> set[str]:
    """The fields of a change; with another unit the plan, which is the price of that unit: whoever
    takes the change back sees whether it was planned anew."""
    fields = set(changed)
    return fields | OF_PLAN if _F.UNIT in fields else fields


@dataclass(frozen=True, slots=True)
class Drafted:
    """The changes of a draft. marks, plan: None if unchanged. drops_plan: a plan is taken off."""

    changes: Mapping[str, Any]
    marks: Marks | None
    plan: PlannedPrice | None = None
    drops_plan: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.changes and self.marks is None and self.plan is None and not self.drops_plan


def as_seen(owner: ProductFields, marks: Marks, plan: PlannedPrice | None) -> dict[str, str]:
    """The texts of `as_typed` that tell one look of an article from another: without those that a
    platform fills in."""
    typed = as_typed(owner, marks, plan)
    return {field: text for field, text in typed.items() if field not in GIVEN_BY_PLATFORM}


def as_typed(owner: ProductFields, marks: Marks, plan: PlannedPrice | None) -> dict[str, str]:
    return {
        _F.NAME: owner.name,
        _F.SUBTITLE: owner.subtitle or "",
        _F.SKU: "" if owner.sku is None else str(owner.sku),
        _F.EAN: owner.ean or "",
        _F.BARCODES: "\n".join(_barcode_text(one) for one in marks.barcodes),
        _F.MANUFACTURER_SKU: owner.manufacturer_sku or "",
        _F.VARIANT_NAME: owner.variant_name or "",
        _F.PRICE: amount_typed(owner.price),
        _F.UNIT: owner.sale_unit_id or "",
        _F.PRODUCT_TYPE: owner.product_type.value if owner.product_type else "",
        _F.TAX_LABEL: owner.tax_label.value,
        _F.CATEGORIES: "\n".join(owner.categories),
        _F.BASE_UNIT: owner.base_unit_id or "",
        _F.PER_BASE_UNIT: _number_typed(owner.quantity_per_base_unit),
        _F.PLANNED_PRICE: amount_typed(plan.price if plan else None),
        _F.PLANNED_FROM: moment_typed(plan.begins_at if plan else None),
        _F.PLANNED_UNTIL: end_typed(plan.ends_at if plan else None),
        _F.DESCRIPTION: owner.description or "",
        _F.WEIGHT: _number_typed(owner.weight),
        _F.DIMENSIONS: owner.dimensions or "",
        _F.OPEN_PRICE: YES if marks.open_price else "",
        _F.PINNED: YES if marks.pinned else "",
    }


def read_draft(
    typed_fields: TypedFields,
    before: TypedFields,
    marks: Marks,
    *,
    article_id: str,
    at: datetime | None = None,
    has_years: bool = False,
) -> Drafted:
    """Read the typed fields that differ from `before`. at: when they are typed; a planned price
    that is over by then is a fault. has_years: whether each day needs its year all the same.

    Raises DraftFaults with the fault of each field.
    """
    today = None if at is None or has_years else day_of(at)
    touched = [
        field
        for field in _FIELDS
        if field in typed_fields
        and not _means_same(field, typed_fields[field], before[field], today)
    ]
    whole = {**before, **typed_fields}
    faults: dict[str, Invalid] = {}
    values: dict[str, Any] = {}
    for field in touched:
        if field in OF_PLAN:
            continue
        try:
            values[field.value] = _READERS[field](whole[field])
        except Invalid as error:
            faults[field] = error.at(field)
    of_shop = {name: values.pop(name) for name in sorted(values.keys() & OF_SHOP)}
    new_marks = replace(marks, **of_shop) if of_shop else marks
    plan, drops = None, False
    if OF_PLAN.intersection(touched):
        try:
            plan = read_plan(whole, article_id=article_id, today=today)
            drops = plan is None
            if plan and at and plan.is_over_at(at):
                raise Invalid("plan_over", field=_F.PLANNED_UNTIL)
        except Invalid as error:
            faults[error.field] = error
    if faults:
        raise DraftFaults(faults)
    return Drafted(values, None if new_marks == marks else new_marks, plan, drops)


class DraftFaults(Invalid):
    """Several fields are wrong at once; `by_field` names each fault."""

    def __init__(self, by_field: Mapping[str, Invalid]) -> None:
        first = next(iter(by_field.values()))
        given = first.given.what
        super().__init__(first.full_kind, field=first.field, what=given, **first.values)
        self.by_field = by_field


def changed_meanwhile(
    typed_fields: TypedFields,
    shown_fields: TypedFields,
    now: TypedFields,
    *,
    today: date | None = None,
) -> dict[DraftField, str]:
    """Return the present texts of typed fields that somebody else changed; a person decides.

    shown_fields: the earlier texts of the typed fields.

    | shown_fields | typed_fields | now   | becomes                     |
    | 10,00        | 12           | 10,00 | saved                       |
    | 10,00        | 12           | 12,00 | nothing is left to be saved |
    | 10,00        | 12           | 11,00 | reported, a person decides  |
    """
    return {
        field: now[field]
        for field in _FIELDS
        if field in typed_fields
        and shown_fields.get(field, now[field]) != now[field]
        and not _means_same(field, typed_fields[field], now[field], today)
    }


def _means_same(field: DraftField, text: str, other: str, today: date | None) -> bool:
    read = _READERS[field]
    if field in _MOMENTS:
        read = partial(_MOMENTS[field], today=today)
    try:
        return text == other or bool(read(text) == read(other))
    except (Invalid, ValueError):
        return False


def read_plan(
    typed_fields: TypedFields, *, article_id: str, today: date | None
) -> PlannedPrice | None:
    """The planned price of the fields, or None where none is typed. Raises Invalid."""
    if not typed_fields[_F.PLANNED_PRICE].strip():
        days = [
            _at(field, partial(read, today=today), typed_fields[field])
            for field, read in _MOMENTS.items()
        ]
        if any(days):
            raise Invalid("plan_price", field=_F.PLANNED_PRICE)
        return None
    price = _at(_F.PLANNED_PRICE, parse_amount, typed_fields[_F.PLANNED_PRICE])
    percent, unit = (typed_fields.get(name) for name in (PLAN_PERCENT, PLAN_UNIT))
    exact = None if percent is None else Decimal(percent)
    return PlannedPrice(article_id, price, *read_period(typed_fields, today=today), exact, unit)


def without_ended_plan(typed_fields: TypedFields, at: datetime) -> TypedFields:
    """Return texts that an article had, with no planned price where theirs is over by now."""
    ends = parse_end(typed_fields.get(_F.PLANNED_UNTIL, ""))
    if ends is None or at < ends:
        return typed_fields
    return {**typed_fields, **{name: "" for name in OF_PLAN if name in typed_fields}}


def read_period(
    typed_fields: TypedFields, *, today: date | None
) -> tuple[datetime, datetime | None]:
    """The begin (included) and the end (excluded) of a planned price; None for no end. Raises
    Invalid."""
    begins = _at(_F.PLANNED_FROM, partial(parse_moment, today=today), typed_fields[_F.PLANNED_FROM])
    if begins is None:
        raise Invalid("plan_day", field=_F.PLANNED_FROM)
    ends = _at(_F.PLANNED_UNTIL, partial(parse_end, today=today), typed_fields[_F.PLANNED_UNTIL])
    if ends is not None and ends <= begins:
        raise Invalid("plan_ends", field=_F.PLANNED_UNTIL)
    return begins, ends


def _at(field: DraftField, read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except Invalid as error:
        raise error.at(field) from error


# --- days and hours ------------------------------------------------------------------------------


def moment_typed(moment: datetime | None) -> str:
    """An instant as it is typed, in Belgrade: "24.12.2026. 08:00", midnight without the hour."""
    if moment is None:
        return ""
    local = in_belgrade(moment)
    day = local.strftime("%d.%m.%Y.")
    return day if (local.hour, local.minute) == (0, 0) else f"{day} {local:%H:%M}"


def parse_moment(text: str, *, today: date | None = None) -> datetime | None:
    """The instant of a typed day, with an hour or without, or None for an empty text. Raises
    Invalid.

    | typed            | instant in Belgrade |
    | 24.12.2026       | 24.12.2026 00:00    |
    | 24.12.2026. 8:30 | 24.12.2026 08:30    |
    | 24.12.2026. 0830 | 24.12.2026 08:30    |
    | 1.3.2027. 17     | 01.03.2027 17:00    |
    | 24.12. 8:30      | the next one from `today` on; refused where `today` is None |
    """
    words = text.split()
    if not words:
        return None
    before_hour = " ".join(words[:-1])
    day = day_typed(before_hour, today=today, is_ahead=True)
    clock = None if day is None else _hour_typed(words[-1])
    is_none = today is not None and is_day_written(text if day else before_hour or text)
    if clock is None:
        day, clock = day_typed(text, today=today, is_ahead=True), time()
    if day is None:
        raise Invalid("day_that_is_none") if is_none else _no_day()
    return datetime.combine(day, clock, tzinfo=BELGRADE)


def _hour_typed(text: str) -> time | None:
    """A time of day, also as its hour alone."""
    with suppress(ValueError):
        return clock_typed(text) or time(int(text))
    return None


def end_typed(end: datetime | None) -> str:
    """Return an end (excluded) as it is typed. An end at midnight is typed as the day before it,
    which is the last day."""
    if end is None:
        return ""
    local = in_belgrade(end)
    is_midnight = (local.hour, local.minute) == (0, 0)
    return moment_typed(local - timedelta(days=1) if is_midnight else end)


def parse_end(text: str, *, today: date | None = None) -> datetime | None:
    """The instant of a typed end; a day without an hour is the last one, and is included.

    | typed             | instant in Belgrade, excluded |
    | 26.12.2026.       | 27.12.2026 00:00              |
    | 26.12.2026. 20:00 | 26.12.2026 20:00              |

    It is None for an empty text. Raises Invalid.
    """
    end = parse_moment(text, today=today)
    if end is None or day_typed(text, today=today, is_ahead=True) != end.date():
        return end
    try:
        return end + timedelta(days=1)  # a calendar day may have 23 hours
    except OverflowError as error:
        raise _no_day() from error


def _no_day() -> Invalid:
    return Invalid("day")


# --- one field -----------------------------------------------------------------------------------


def amount_typed(amount: Money | None) -> str:
    return "" if amount is None else plain_amount_text(amount)


def _number_typed(number: Decimal | None) -> str:
    return "" if number is None else f"{number.normalize():f}".replace(".", ",")


def _barcode_text(barcode: Barcode) -> str:
    amount = _number_typed(barcode.quantity.amount)
    return barcode.code if amount == "1" else f"{barcode.code} {amount}"


def _name(text: str) -> str:
    if is_blank(text):
        raise Invalid("article_name.article")
    if len(name := text.strip()) > LONGEST_NAME:
        raise Invalid("name_too_long", longest=LONGEST_NAME)
    if len(name.splitlines()) > 1:
        raise Invalid("several_lines")
    return name


def _optional(text: str) -> str | None:
    return text.strip() or None


def read_sku(text: str) -> int | None:
    """An article code, or None for an empty text. Raises Invalid."""
    typed = text.strip()
    if not typed:
        return None
    if not (typed.isascii() and typed.isdigit()) or not 1 <= int(typed) <= MOST_SKU:
        raise Invalid("sku")
    return int(typed)


def read_ean(text: str) -> str | None:
    """An EAN, or a shorter code of the shop's scale, or None for an empty text. Raises Invalid."""
    code = text.strip()
    if not code:
        return None
    if not (code.isascii() and code.isdigit()):
        raise Invalid("ean")
    if len(code) in GTIN_LENGTHS and not is_gtin(code):
        raise Invalid("ean_check")
    return code


def _barcodes(text: str) -> tuple[Barcode, ...]:
    found: dict[str, Barcode] = {}
    for text_line in text.splitlines():
        code, _, amount = text_line.strip().partition(" ")
        if not code:
            continue
        if not may_be_stored(code):
            raise Invalid("no_code")
        if code in found:
            raise Invalid("barcode_twice", barcode=code)
        found[code] = Barcode(code, parse_quantity(amount)) if amount.strip() else Barcode(code)
    return tuple(found.values())


_BETWEEN = re.compile(r"[;\n]|,\s|(?<=\d{6}),")
"""The signs between barcodes in one line, but not the comma between the digits of a quantity."""


def barcodes_in_line(typed_text: str) -> str:
    return "; ".join(typed_text.splitlines())


def barcodes_of_line(text_line: str) -> str:
    """The reverse of `barcodes_in_line`; commas may separate the barcodes, too."""
    return "\n".join(part.strip() for part in _BETWEEN.split(text_line) if part.strip())


def read_price(text: str) -> Money | None:
    """A price with tax, or None for an empty text. Raises Invalid."""
    return parse_amount(text) if text.strip() else None


def price_doubt(price: Money | None) -> Invalid | None:
    """The reason why a valid price is perhaps not meant, or None.

    | price           | doubt                             |
    | none            | –                                 |
    | 0.00            | price_zero: it is given away      |
    | 64.90           | –                                 |
    | 1,000,000.00 …  | price_large                       |

    `read_price` refuses more than 12 digits before the point, which no receipt can carry.
    """
    if price == Money.ZERO:
        return Invalid("price_zero")
    if price is not None and price >= LARGE_PRICE:
        return Invalid("price_large")
    return None


def label_doubts(typed_fields: TypedFields, rules: CodeRules) -> dict[DraftField, Invalid]:
    """The doubt about the first code of each field that the till would otherwise read as a scale's
    label, a GS1 message or an issue of another article. It stays the article's: what is stored
    wins."""
    found: dict[DraftField, Invalid] = {}
    for field in (_F.EAN, _F.BARCODES):
        codes = (
            text_line.split(maxsplit=1) for text_line in typed_fields.get(field, "").splitlines()
        )
        for code in (parts[0] for parts in codes if parts):
            meant = other_meaning(code, rules)
            if meant is not None and field not in found:
                found[field] = _claimed(code, meant)
    return found


def _claimed(code: str, meant: WeightCode | PriceCode | EditionCode | Gs1Message) -> Invalid:
    match meant:
        case EditionCode(ean):
            return Invalid("edition_code", barcode=code, ean=ean)
        case Gs1Message():
            return Invalid("gs1_code", barcode=code, ean=meant.code)
        case _:
            return Invalid("scale_code", barcode=code, sku=meant.sku)


def doubts(typed_fields: TypedFields, rules: CodeRules) -> dict[DraftField, Invalid]:
    """The texts that are valid and perhaps not meant, by field. rules: how the till reads codes.

    An invalid EAN that is saved came from a platform, because no till accepts one that is typed.
    """
    found = label_doubts(typed_fields, rules)
    for field in (_F.PRICE, _F.PLANNED_PRICE):
        with suppress(Invalid):
            doubt = price_doubt(read_price(typed_fields[field]))
            if doubt is not None:
                found[field] = doubt
    try:
        read_ean(typed_fields[_F.EAN])
    except Invalid as why:
        found[_F.EAN] = why
    return found


def _number(text: str) -> Decimal | None:
    return parse_quantity(text).amount if text.strip() else None


def _dimensions(text: str) -> str | None:
    typed = text.strip().replace(",", ".").replace("×", "x").replace(" ", "").lower()
    if typed:
        parse_dimensions(typed)
    return typed or None


def _product_type(text: str) -> ProductType | None:
    return ProductType(text) if text else None


def _categories(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()


_OF_KIND: Mapping[FieldKind, Callable[[str], Any]] = {
    FieldKind.NAME: _name,
    FieldKind.TEXT: _optional,
    FieldKind.CODE: _optional,
    FieldKind.SKU: read_sku,
    FieldKind.EAN: read_ean,
    FieldKind.UNIT: _optional,
    FieldKind.NUMBER: _number,
    FieldKind.PRICE: read_price,
    FieldKind.TAX_LABEL: TaxLabel,
    FieldKind.PRODUCT_TYPE: _product_type,
    FieldKind.DIMENSIONS: _dimensions,
    FieldKind.CATEGORIES: _categories,
}
_OURS: Mapping[DraftField, Callable[[str], Any]] = {
    _F.BARCODES: _barcodes,
    _F.OPEN_PRICE: bool,
    _F.PINNED: bool,
    _F.PLANNED_PRICE: read_price,
}
_MOMENTS: Mapping[DraftField, Callable[..., Any]] = {
    _F.PLANNED_FROM: parse_moment,
    _F.PLANNED_UNTIL: parse_end,
}
_READERS = {
    field: _MOMENTS.get(field) or _OURS.get(field) or _OF_KIND[KINDS[field]] for field in DraftField
}
