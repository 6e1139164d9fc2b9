"""Whether prices of an article would be those of something else, because its unit is changed to one
that measures otherwise.

Source: till.md (Catalogue: units and categories).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pos_app.domain.article.product import ProductFields
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.units import is_measured_alike
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.editing import Edited
from pos_app.selling.catalogue.planned_prices import PricePlans
from pos_app.selling.catalogue.product_draft import DraftField, TypedFields


@dataclass(frozen=True, slots=True)
class OtherMeasure:
    """The prices of an article that stay as they are while its unit becomes another one. price: its
    own; planned: the planned one; None for one that does not stay. symbol: that of the new unit, ""
    for none."""

    article_id: str
    price: Money | None
    planned: Money | None
    symbol: str


def other_measure(
    edited: Edited, typed_fields: TypedFields, symbols: Mapping[str, str], plans: PricePlans
) -> OtherMeasure | None:
    """Return what the prices would be of, or None where the article is measured as before, has no
    price, or gets others too. symbols: those of the units, by id."""
    before = edited.typed_fields
    unit_id = typed_fields.get(DraftField.UNIT, before[DraftField.UNIT])
    of_product = (edited.product.sale_unit_id or "") if edited.is_variant else ""
    was, symbol = (symbols.get(one or of_product, "") for one in (before[DraftField.UNIT], unit_id))
    if is_measured_alike(was, symbol):
        return None
    stays = {name for name in before if typed_fields.get(name, before[name]) == before[name]}
    variants = () if edited.is_variant else edited.product.variants
    others = [one for one in variants if one.sale_unit_id is None]
    price = edited.product.price if edited.is_variant else None
    price = price if edited.owner.price is None else edited.owner.price
    own = price if DraftField.PRICE in stays else None
    plan = edited.plan.price if edited.plan and DraftField.PLANNED_PRICE in stays else None
    price = next((one for one in (own, *_prices(others)) if one is not None), None)
    planned = next((one for one in (plan, *_planned(others, plans)) if one is not None), None)
    if price is None and planned is None:
        return None
    return OtherMeasure(edited.owner.id, price, planned, symbol)


def _prices(owners: Sequence[ProductFields]) -> Iterator[Money | None]:
    return (one.price for one in owners)


def _planned(owners: Sequence[ProductFields], plans: PricePlans) -> Iterator[Money | None]:
    found = (plans.plan_of(one.id) for one in owners)
    return (None if plan is None else plan.price for plan in found)
