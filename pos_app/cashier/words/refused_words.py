"""Why the server refused a request, in our own words: the item, its field and the code."""

from __future__ import annotations

import re

from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.setup import processor
from pos_app.selling.sale.sale import PendingReason

_ITEM = re.compile(r"items\[(\d+)\]\.?(.*)", re.IGNORECASE)
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
"""Text ids by the path of the member in small letters."""


def refused_words(reason: PendingReason | None, texts: Texts) -> str:
    """Words for the refused field and for the processor's code; "" where neither is known. The
    server's own sentence is English: it stands behind "Details" or in the log alone."""
    if reason is None:
        return ""
    item, field = item_and_field(reason.field)
    parts = []
    name = texts(f"att.field.{field}") if field else ""
    if item is not None:
        text_id = "att.refused.item" if name else "att.refused.item_alone"
        parts.append(texts(text_id, item=item, field=name))
    elif name:
        parts.append(texts("att.refused.field", field=name))
    parts.append(code_words(reason.pfr_code or reason.code[-4:], texts))
    return " ".join(filter(None, parts))


def code_words(code: str, texts: Texts) -> str:
    """Words for the processor's code; "" for a code without words."""
    return texts(f"att.pfr.{code}") if code in processor.CURABLE | processor.WRONG_DOCUMENT else ""


def item_and_field(path: str) -> tuple[int | None, str]:
    """The number of an item, from 1, and the name of a field or "": "items[0].sku" is 1, "sku"."""
    of_item = _ITEM.fullmatch(path)
    if of_item:
        return int(of_item[1]) + 1, _FIELDS.get(of_item[2].lower(), "")
    whole = path.lower()
    return None, _FIELDS.get(whole) or _FIELDS.get(whole.partition(".")[0].partition("[")[0], "")
