"""The JSON of receipts on the local and the platform's API, to and from the domain.

Source: platform-api.md (issue request, fiscal receipt response), platform-contract.md 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, TypeVar

from pos_app.domain.buyer import BuyerId, CostCentre
from pos_app.domain.discount import Percent
from pos_app.domain.instant import from_text
from pos_app.domain.money import Money, Quantity
from pos_app.domain.payment import PaymentMethod, Payments
from pos_app.domain.receipt_number import FiscalNumber
from pos_app.domain.request import (
    FrozenArticle,
    InvoiceType,
    IssueRequest,
    ReceiptDelivery,
    RequestedItem,
    TransactionType,
)
from pos_app.domain.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.wire.issue_shape import ArticleShape, DeliveryShape, IssueShape, ItemShape
from pos_app.wire.reading import at, read
from pos_app.wire.strict_json import dumps

_LONGEST_EMAIL = 254
_LARGEST_SKU = 10**15
_EMAIL = re.compile(r"[^@\s<>,;:\"()\[\]\\]+@[^@\s<>,;:\"()\[\]\\.]+(\.[^@\s<>,;:\"()\[\]\\.]+)+")

T = TypeVar("T")
V = TypeVar("V")
E = TypeVar("E", bound=StrEnum)


def issue_request_from_json(document: object) -> IssueRequest:
    """The request in a received document. Raises Invalid naming the field."""
    body = read(IssueShape, document)
    return IssueRequest(
        invoice_type=at("invoiceType", _invoice_type, body.invoice_type),
        transaction_type=at("transactionType", _transaction_type, body.transaction_type),
        items=tuple(_item(item, f"items[{index}]") for index, item in enumerate(body.items)),
        payments=payments_from_json(body.payments),
        delivery=_delivery(body.receipt_delivery),
        buyer=_optional("buyerId", BuyerId.parse, body.buyer_id),
        cost_centre=_optional("buyerCostCenterId", CostCentre.parse, body.buyer_cost_center_id),
        referent_number=_optional(
            "referentDocumentNumber", _referent, body.referent_document_number
        ),
        referent_time=_optional("referentDocumentDT", from_text, body.referent_document_dt),
        pos_time=_optional("posTime", from_text, body.pos_time),
        unknown_amount_advance=body.unknown_amount_advance,
        advance_specification=_specification(body.advance_specification),
        discount=_optional("discount", Percent, body.discount),
        additional_text=body.additional_text,
        total=_optional("totalAmount", _not_negative, body.total_amount),
    )


def payments_from_json(members: Mapping[str, object]) -> Payments:
    """Payments by method in the order given; other members are ignored, one must be there."""
    known = {method.value for method in PaymentMethod}
    amounts = {
        PaymentMethod(name): at(f"payments.{name}", _amount, value)
        for name, value in members.items()
        if name in known
    }
    if not amounts:
        raise Invalid('"payments" must have at least 1 key', field="payments")
    return Payments.of(amounts)


def _amount(value: object) -> Money:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise Invalid("must be a number")
    return Money(value)


def _optional(path: str, build: Callable[[V], T], value: V | None) -> T | None:
    return None if value is None else at(path, build, value)


def _invoice_type(text: str) -> InvoiceType:
    return _one_of(text, [kind for kind in InvoiceType if kind is not InvoiceType.COPY])


def _transaction_type(text: str) -> TransactionType:
    return _one_of(text, list(TransactionType))


def _one_of(text: str, kinds: list[E]) -> E:
    for kind in kinds:
        if kind.value == text:
            return kind
    raise Invalid(f"must be one of [{', '.join(kind.value for kind in kinds)}]")


def _referent(text: str) -> str:
    return str(FiscalNumber.parse(text))


def _item(item: ItemShape, path: str) -> RequestedItem:
    sku, article = item.sku, item.article
    if sku is None and article is None:
        raise Invalid(f'"{path}.sku" is required', field=f"{path}.sku")
    return RequestedItem(
        quantity=at(f"{path}.quantity", Quantity, item.quantity),
        unit_price=at(f"{path}.unitPrice", _price, item.unit_price),
        sku=None if sku is None else at(f"{path}.sku", _sku, sku),
        article=None if article is None else _article(article, f"{path}.article"),
        total=_optional(f"{path}.totalAmount", _not_negative, item.total_amount),
    )


def _price(value: Decimal) -> Money:
    """Further decimals of a unit price are rounded half up, as accreditation asks (fiscal.md 2)."""
    return _checked_sign(Money.rounded(value))


def _not_negative(value: Decimal) -> Money:
    return _checked_sign(Money(value))


def _checked_sign(amount: Money) -> Money:
    if amount < Money.ZERO:
        raise Invalid("must be greater than or equal to 0")
    return amount


def _sku(value: Decimal) -> int:
    if value != value.to_integral_value() or value < 1 or value > _LARGEST_SKU:
        raise Invalid("must be a positive integer")
    return int(value)


def _article(article: ArticleShape, path: str) -> FrozenArticle:
    return FrozenArticle(
        name=article.name,
        label=at(f"{path}.taxRateLabel", _label, article.tax_rate_label),
        unit=article.unit,
        gtin=_optional(f"{path}.gtin", _gtin, article.gtin),
    )


def _label(text: str) -> TaxLabel:
    return _one_of(text, list(TaxLabel))


def _gtin(text: str) -> str:
    if not (text.isascii() and text.isdecimal() and 8 <= len(text) <= 14):
        raise Invalid("must be 8 to 14 digits")
    return text


def _specification(members: Mapping[str, Decimal] | None) -> dict[TaxLabel, Money]:
    amounts: dict[TaxLabel, Money] = {}
    for name, value in (members or {}).items():
        path = f"advanceSpecification.{name}"
        try:
            label = TaxLabel(name)
        except ValueError:
            raise Invalid(f'"{path}" is not allowed', field=path) from None
        if amount := at(path, _not_negative, value):
            amounts[label] = amount
    return amounts


def _delivery(given: DeliveryShape) -> ReceiptDelivery:
    if not given.model_fields_set:
        raise Invalid('"receiptDelivery" must have at least 1 key', field="receiptDelivery")
    return ReceiptDelivery(
        thermal=bool(given.thermal_printer),
        a4=bool(given.a4_printer),
        email=_optional("receiptDelivery.email", _email, given.email),
        pdf=bool(given.pdf),
        base64_pdf=bool(given.base64pdf),
    )


def _email(text: str) -> str:
    if not _EMAIL.fullmatch(text) or len(text) > _LONGEST_EMAIL:
        raise Invalid("must be a valid email")
    return text


def issue_request_to_json(request: IssueRequest) -> bytes:
    """The body of the issue request; what is not set is left out."""
    return dumps(
        _without_absent(
            {
                "invoiceType": request.invoice_type.value,
                "transactionType": request.transaction_type.value,
                "buyerId": str(request.buyer) if request.buyer else None,
                "buyerCostCenterId": str(request.cost_centre) if request.cost_centre else None,
                "payments": payments_to_json(request.payments),
                "referentDocumentNumber": request.referent_number,
                "referentDocumentDT": _iso(request.referent_time),
                "posTime": _iso(request.pos_time),
                "items": [_item_to_json(item) for item in request.items],
                "unknownAmountAdvance": request.unknown_amount_advance or None,
                "advanceSpecification": {
                    label.value: amount.amount
                    for label, amount in request.advance_specification.items()
                }
                or None,
                "discount": request.discount.value if request.discount else None,
                "additionalText": request.additional_text or None,
                "receiptDelivery": _delivery_to_json(request.delivery),
                "totalAmount": request.total.amount if request.total is not None else None,
            }
        )
    )


def payments_to_json(payments: Payments) -> dict[str, Decimal]:
    """Amounts by method; a payment of nothing is a cash entry of 0."""
    members = {method.value: amount.amount for method, amount in payments.by_method}
    return members or {PaymentMethod.CASH.value: Money.ZERO.amount}


def _item_to_json(item: RequestedItem) -> dict[str, Any]:
    article = item.article
    return _without_absent(
        {
            "sku": item.sku,
            "quantity": item.quantity.amount,
            "unitPrice": item.unit_price.amount,
            "totalAmount": item.total.amount if item.total is not None else None,
            "article": article
            and _without_absent(
                {
                    "name": article.name,
                    "taxRateLabel": article.label.value,
                    "unit": article.unit or None,
                    "gtin": article.gtin,
                }
            ),
        }
    )


def _delivery_to_json(delivery: ReceiptDelivery) -> dict[str, Any]:
    return _without_absent(
        {
            "thermalPrinter": delivery.thermal,
            "a4Printer": delivery.a4,
            "email": delivery.email,
            "pdf": delivery.pdf,
            "base64pdf": delivery.base64_pdf,
        }
    )


def _without_absent(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
