"""The JSON of a fiscal receipt response, to and from the domain.

Source: platform-api.md (fiscal receipt response); `id` is our own member.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.receipt import SignedReceipt, TaxItem, Warnings
from pos_app.errors import Invalid
from pos_app.wire import bounds
from pos_app.wire.number import number_in_text
from pos_app.wire.reading import Shape, read
from pos_app.wire.records import list_from_json, to_json

_GUARANTEED = frozenset(
    {"sdcDateTime", "invoiceCounter", "invoiceNumber", "signedBy", "encryptedInternalData"}
)

_PROOFS = frozenset({"totalCounter", "totalAmount"})
"""These members identify the receipt."""


class TaxItemShape(Shape):
    category_type: bounds.Counter
    category_name: str
    label: str
    rate: bounds.Rate
    amount: bounds.Amount


class _Receipt(Shape):
    """Members in the order of the answer; absent ones are null."""

    requested_by: str | None = None
    sdc_date_time: str
    invoice_counter: str
    invoice_counter_extension: str | None = None
    invoice_number: bounds.InvoiceNumber
    tax_items: list[TaxItemShape] | None = None
    verification_url: str | None = None
    verification_qr_code: str | None = Field(default=None, alias="verificationQRCode")
    journal: str | None = None
    messages: str | None = None
    signed_by: str
    encrypted_internal_data: str
    signature: str | None = None
    total_counter: bounds.Counter | None = None
    transaction_type_counter: bounds.Counter | None = None
    total_amount: bounds.Amount | None = None
    tax_group_revision: bounds.Counter | None = None
    business_name: str | None = None
    tin: str | None = None
    location_name: str | None = None
    address: str | None = None
    district: str | None = None
    mrc: str | None = None


_SAME = _Receipt.model_fields.keys() & {field.name for field in fields(SignedReceipt)} - {
    "tax_items",
    "total_amount",
}
"""Members that need no conversion."""
_SAME_BY_NAME = {_Receipt.model_fields[name].alias: name for name in _SAME}
_WRITTEN = [
    str(field.alias) for name, field in _Receipt.model_fields.items() if "qr_code" not in name
]
"""All members except the image, in the order of the answer."""


class WarningShape(Shape):
    code: str
    message: str
    field: str


class NamedCopyShape(Shape):
    id: str
    invoice_number: str


class _Issued(_Receipt):
    id: str


class _Warned(Shape):
    warnings: list[WarningShape] = []


class IssuedShape(_Issued):
    """An answer as it is described; `_Issued` and, apart, `_Warned` read it."""

    warnings: list[WarningShape] | None = None
    named_copy: NamedCopyShape | None = Field(default=None, alias="copy")


_FROM_TEXT = BeforeValidator(number_in_text)
_KINDS_OF_TAX = {"taxonnet": 0, "taxontotal": 1, "amountperquantity": 2}


def _kind_of_tax(value: object) -> object:
    """The number of a kind of tax, also from its name (fiscal.md 1)."""
    named = _KINDS_OF_TAX.get(value.strip().lower()) if isinstance(value, str) else None
    return number_in_text(value) if named is None else named


def _text_of(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class _AnsweredTax(TaxItemShape):
    category_type: Annotated[bounds.Counter, BeforeValidator(_kind_of_tax)]
    rate: Annotated[bounds.Rate, _FROM_TEXT]
    amount: Annotated[bounds.Amount, _FROM_TEXT]


class _Answered(_Receipt):
    """A receipt as processors write it: a number may be written as a text, and an identification
    number as a number."""

    tax_items: list[_AnsweredTax] | None = None  # type: ignore[assignment]
    total_counter: Annotated[bounds.Counter, _FROM_TEXT] | None = None
    transaction_type_counter: Annotated[bounds.Counter, _FROM_TEXT] | None = None
    total_amount: Annotated[bounds.Amount, _FROM_TEXT] | None = None
    tax_group_revision: Annotated[bounds.Counter, _FROM_TEXT] | None = None
    tin: Annotated[str, BeforeValidator(_text_of)] | None = None
    mrc: Annotated[str, BeforeValidator(_text_of)] | None = None


def signed_receipt_from_json(document: object) -> SignedReceipt:
    """Read a signed receipt of our API. Raises Invalid naming the member."""
    return _to_domain(read(_Receipt, document))


def processor_receipt_from_json(document: object) -> SignedReceipt:
    """Read a processor's answer. Only five members are guaranteed (fiscal.md 1): another one that
    is unreadable counts as absent, because a signed receipt must not be doubted for it.

    Raises Invalid when a guaranteed member is missing or unreadable, and for a total or a total
    counter that no receipt can have: such an answer was damaged, and is requested again.
    """
    try:
        return _to_domain(read(_Answered, document))
    except Invalid as error:
        unread = {re.split(r"[.\[]", key)[0] for key in _keys(error)}
        if not isinstance(document, Mapping) or not unread or unread & _GUARANTEED:
            raise
        if any(_is_number(number_in_text(document.get(name))) for name in unread & _PROOFS):
            raise
        readable = {name: value for name, value in document.items() if name not in unread}
        return _to_domain(read(_Answered, readable))


def _is_number(value: object) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _keys(error: Invalid) -> tuple[str, ...]:
    keys = error.values.get("keys", ())
    return tuple(map(str, keys)) if isinstance(keys, tuple) else ()


def receipt_from_json(document: object) -> tuple[str, SignedReceipt]:
    """Our receipt id and the signed receipt of an API answer. Raises Invalid."""
    body = read(_Issued, document)
    return body.id, _to_domain(body)


def warnings_from_json(document: object) -> list[WarningShape]:
    """The warnings of an API answer beside its receipt; none where they are unreadable, because a
    signed receipt is never doubted for them."""
    try:
        return read(_Warned, document).warnings
    except Invalid:
        return []


def _to_domain(body: _Receipt) -> SignedReceipt:
    same = {name: getattr(body, name) for name in _SAME}
    return SignedReceipt(
        sdc_time=bounds.moment(body.sdc_date_time),
        sdc_time_text=body.sdc_date_time,
        tax_items=None if body.tax_items is None else tuple(map(_tax_item, body.tax_items)),
        total_amount=None if body.total_amount is None else Money(body.total_amount),
        **same,
    )


def _tax_item(item: TaxItemShape) -> TaxItem:
    return TaxItem(int(item.category_type), item.category_name, item.label, item.rate, item.amount)


def receipt_to_json(
    receipt: SignedReceipt, *, receipt_id: str, qr_code: str | None
) -> dict[str, Any]:
    """The members of the response without `pdf` and `base64pdf`. qr_code: base64 of a GIF."""
    return {"id": receipt_id, **signed_receipt_to_json(receipt), "verificationQRCode": qr_code}


def copy_to_json(copy: SignedReceipt, *, receipt_id: str) -> dict[str, Any]:
    return {"id": receipt_id, "invoiceNumber": copy.invoice_number}


def warnings_to_json(warnings: Warnings) -> dict[str, Any]:
    """The member `warnings`, or {} without any."""
    entries = [{"code": one.code, "message": one.message, "field": one.field} for one in warnings]
    return {"warnings": entries} if entries else {}


def taxes_from_json(document: Any) -> tuple[TaxItem, ...] | None:
    """The taxes alone of a stored receipt, or None where the processor sent none. Raises
    Invalid."""
    items = document.get("taxItems")
    return None if items is None else list_from_json(TaxItem, items)


def signed_receipt_to_json(receipt: SignedReceipt) -> dict[str, Any]:
    """A signed receipt without its image, as it is stored and answered."""
    items = receipt.tax_items
    members = {
        "sdcDateTime": receipt.sdc_time_text,
        "taxItems": None if items is None else [to_json(TaxItem, item) for item in items],
        "totalAmount": None if receipt.total_amount is None else receipt.total_amount.amount,
    }
    return {
        name: members[name] if name in members else getattr(receipt, _SAME_BY_NAME[name])
        for name in _WRITTEN
    }
