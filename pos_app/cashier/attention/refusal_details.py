"""Why the server refused a sale: which field, and what the processor's code means.

Source: platform-contract.md 3; codes: fiscal.md 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pos_app.selling.sale import PendingReason

_ITEM = re.compile(r"items\[(\d+)\]\.?(.*)", re.IGNORECASE)
_BY_KIND = frozenset({"1300", "1500", "2100", "2110", "2210", "2230", "2310", "2400"}) | {
    str(code) for code in range(2800, 2810)
}
"""Codes of the processor that have words of their own."""
_FIELDS = {
    "sku": "sku",
    "unitprice": "price",
    "price": "price",
    "quantity": "quantity",
    "totalamount": "total",
    "name": "name",
    "article": "article",
    "article.name": "name",
    "article.taxratelabel": "label",
    "labels": "label",
    "article.gtin": "gtin",
    "gtin": "gtin",
    "buyerid": "buyer",
    "buyercostcenterid": "cost_centre",
    "payments": "payments",
    "payment": "payments",
    "cashier": "cashier",
    "additionaltext": "text",
    "receiptdelivery": "delivery",
    "referentdocumentnumber": "reference",
    "referentdocumentdt": "reference",
    "postime": "pos_time",
    "advancespecification": "split",
    "discount": "discount",
}


@dataclass(frozen=True, slots=True)
class RefusalDetails:
    """What was wrong. item: number of the line, from 1. field: stable name, "" where unknown.

    code: the processor's, where it has words. text: what the server wrote, English.
    """

    item: int | None
    field: str
    code: str
    text: str


def refusal_of(reason: PendingReason | None) -> RefusalDetails:
    """The refusal that a sale's reason tells: "items[0].sku" is item 1, field "sku"."""
    if reason is None:
        return RefusalDetails(None, "", "", "")
    item, field = _place(reason.field)
    pfr = reason.pfr_code or reason.code[-4:]
    return RefusalDetails(item, field, pfr if pfr in _BY_KIND else "", reason.text)


def _place(path: str) -> tuple[int | None, str]:
    of_item = _ITEM.fullmatch(path)
    if of_item:
        return int(of_item[1]) + 1, _FIELDS.get(of_item[2].lower(), "")
    whole = path.lower()
    return None, _FIELDS.get(whole) or _FIELDS.get(whole.partition(".")[0].partition("[")[0], "")
