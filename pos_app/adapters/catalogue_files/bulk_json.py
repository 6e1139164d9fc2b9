"""A change of many articles as the till hands it to the process that makes it, and its end."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pos_app import errors, wire
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.bulk_act import ActDone, BulkAct
from pos_app.selling.catalogue.bulk_change import (
    BulkChange,
    CategoryForAll,
    LabelForAll,
    PriceByPercent,
    Rounding,
)


def change_to_json(change: BulkChange) -> dict[str, Any]:
    match change:
        case PriceByPercent(percent, rounding):
            return {"percent": str(percent), "rounding": rounding.value}
        case LabelForAll(label, instead_of):
            return {"label": label.value, "instead_of": [one.value for one in instead_of]}
        case CategoryForAll(category_id, is_added):
            return {"category": category_id, "is_added": is_added}
    raise TypeError(change)


def change_from_json(members: Mapping[str, Any]) -> BulkChange:
    if "percent" in members:
        return PriceByPercent(Decimal(members["percent"]), Rounding(members["rounding"]))
    if "label" in members:
        return LabelForAll(
            TaxLabel(members["label"]), tuple(map(TaxLabel, members.get("instead_of", ())))
        )
    return CategoryForAll(members["category"], members["is_added"])


def done_to_json(done: ActDone) -> list[Any]:
    act = None if done.act is None else wire.records.to_json(BulkAct, done.act)
    error = None if done.error is None else errors.as_members(done.error)
    return [act, list(done.kept), error]
