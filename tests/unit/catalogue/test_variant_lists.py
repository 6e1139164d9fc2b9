"""Lists of a product's variants of two sides: what arrived of a sent list is no change of
theirs."""

from __future__ import annotations

from typing import Any

from pos_app.domain.article.product import Variant
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.synchronisation import variant_lists


def variant(id_: str, price: str, **fields: Any) -> Variant:
    told = {"name": "Сок", "tax_label": TaxLabel.E, **fields}
    return Variant(id=id_, price=Money(price), **told)


def test_what_arrived_of_a_sent_list_is_no_change_of_theirs() -> None:
    base = (variant("мали", "11"), variant("велики", "12"), variant("дупли", "19"))
    sent = (variant("мали", "13"), variant("велики", "14"), variant("средњи", "15"))
    theirs = (variant("мали", "13"), variant("велики", "16"), variant("средњи", "17"))
    known = (variant("мали", "13"), variant("велики", "12"), variant("средњи", "15"))
    assert variant_lists.arrived(base, sent, theirs) == known
    assert variant_lists.arrived(base, sent, base) == base, "it did not arrive"
