"""Changed fields of a product or variant as JSON, for stored edits and for PATCH.

Source: platform-contract.md 2.4 (PATCH requires nothing), 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pos_app.domain.product import Product
from pos_app.domain.tax import TaxLabel
from pos_app.wire.catalogue import WIRE_NAMES, product_from_json, product_to_json

_BLANK = Product(id="-", name="-", tax_label=TaxLabel.A)
_BLANK_DOCUMENT = {"id": "-", "name": "-", "taxRateLabel": TaxLabel.A.value}
_FIELDS = {wire: name for name, wire in WIRE_NAMES.items()}


def changes_to_json(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Domain values by field name of ProductFields, as members of the wire.

    {"price": Money("58.99"), "tax_label": TaxLabel.E} -> {"price": 58.99, "taxRateLabel": "Е"}.
    """
    document = product_to_json(replace(_BLANK, **changes))
    return {WIRE_NAMES[name]: document[WIRE_NAMES[name]] for name in changes}


def changes_from_json(document: Mapping[str, Any]) -> dict[str, Any]:
    """The changes that `changes_to_json` wrote. Raises Invalid naming the field."""
    if not document:
        return {}
    product = product_from_json({**_BLANK_DOCUMENT, **document})
    return {_FIELDS[name]: getattr(product, _FIELDS[name]) for name in document}
