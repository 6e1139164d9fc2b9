"""Whether an article's price would be the price of something else, because its unit is changed to
one that measures otherwise.

Source: till.md (Catalogue: units and categories).
"""

from __future__ import annotations

from collections.abc import Iterable

from pos_app.domain.article.product import Unit
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.units import is_measured_alike
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.editing import Edited
from pos_app.selling.catalogue.product_draft import DraftField, TypedFields


@dataclass(frozen=True, slots=True)
class OtherMeasure:
    """The price of an article that stays as it is while its unit becomes another one. symbol: that
    of the new unit, "" for none."""

    article_id: str
    price: Money
    symbol: str


def other_measure(
    edited: Edited, typed_fields: TypedFields, units: Iterable[Unit]
) -> OtherMeasure | None:
    """Return what the price would be of, or None where the article is measured as before, has no
    price, or gets another price too."""
    before = edited.typed_fields
    unit_id = typed_fields.get(DraftField.UNIT, before[DraftField.UNIT])
    typed_price = typed_fields.get(DraftField.PRICE, before[DraftField.PRICE])
    if unit_id == before[DraftField.UNIT] or typed_price != before[DraftField.PRICE]:
        return None
    of_product = (edited.product.sale_unit_id or "") if edited.is_variant else ""
    symbols = {one.id: one.symbol for one in units}
    was, symbol = (symbols.get(one or of_product, "") for one in (before[DraftField.UNIT], unit_id))
    price = _price_of(edited)
    if price is None or is_measured_alike(was, symbol):
        return None
    return OtherMeasure(edited.owner.id, price, symbol)


def _price_of(edited: Edited) -> Money | None:
    """The price that stays: that of the article, or of its first variant that has its unit."""
    if edited.owner.price is not None:
        return edited.owner.price
    if edited.is_variant:
        return edited.product.price
    prices = (one.price for one in edited.product.variants if one.sale_unit_id is None)
    return next((one for one in prices if one is not None), None)
