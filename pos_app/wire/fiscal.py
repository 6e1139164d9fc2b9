"""The JSON of receipts on the local and the platform's API, to and from the domain.

Source: platform-api.md (issue request, fiscal receipt response), platform-contract.md 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from pos_app.characters import has_controls
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity, UnitPrice
from pos_app.domain.money.payment import NOTHING_PAID, PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import BuyerId, CostCentre
from pos_app.domain.receipt.receipt_number import FiscalNumber
from pos_app.domain.receipt.request import (
    LONGEST_ADDITIONAL_TEXT,
    LONGEST_NAME,
    LONGEST_UNIT,
    MOST_ITEMS,
    FrozenArticle,
    InvoiceType,
    IssueRequest,
    ReceiptDelivery,
    RequestedItem,
    TransactionType,
    free_text_fault,
    is_sku,
)
from pos_app.domain.text.instant import from_text
from pos_app.errors import Invalid
from pos_app.wire import reading
from pos_app.wire.number import Number
from pos_app.wire.strict_json import dumps
from pos_app.wire.tax_labels import latin_letter, tax_label

# --- the shape of a request: members, types and lengths ----------------------------------------
# Source: platform-api.md (issue request), platform-contract.md 2.13.


Text = Annotated[str, Field(min_length=1)]


def _one_line(text: str) -> str:
    """Text for a line of a receipt: without control characters, and with something visible."""
    return _printable(reading.seen(text))


def _printable(text: str) -> str:
    return _without_controls(text, has_some=has_controls(text))


def _without_controls(text: str, *, has_some: bool) -> str:
    if has_some:
        raise PydanticCustomError("control", "must not contain control characters")
    return text


def _lines(text: str) -> str:
    """Text of several lines: without control characters other than line breaks and tabs."""
    return _without_controls(text, has_some=free_text_fault(text) == "signs")


FreeText = Annotated[str, Field(max_length=LONGEST_ADDITIONAL_TEXT), AfterValidator(_lines)]


class ArticleShape(reading.Shape):
    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_one_line)]
    tax_rate_label: Text
    unit: Annotated[str, Field(max_length=LONGEST_UNIT), AfterValidator(_printable)] = ""
    gtin: Text | None = None


class ItemShape(reading.Shape):
    sku: Number | None = None
    quantity: Number
    unit_price: Number
    article: ArticleShape | None = None
    total_amount: Number | None = None


class DeliveryShape(reading.Shape):
    thermal_printer: bool | None = None
    a4_printer: Annotated[bool | None, Field(alias="a4Printer")] = None
    email: str | None = None
    pdf: bool | None = None
    base64pdf: Annotated[bool | None, Field(alias="base64pdf")] = None


class IssueShape(reading.Shape):
    invoice_type: Text
    transaction_type: Text
    buyer_id: Text | None = None
    buyer_cost_center_id: Text | None = None
    payments: dict[str, object]
    referent_document_number: Text | None = None
    referent_document_dt: Annotated[Text | None, Field(alias="referentDocumentDT")] = None
    pos_time: Text | None = None
    items: Annotated[list[ItemShape], Field(min_length=1, max_length=MOST_ITEMS)]
    unknown_amount_advance: bool = False
    advance_specification: dict[str, Number] | None = None
    discount: Number | None = None
    additional_text: FreeText = ""
    receipt_delivery: DeliveryShape
    total_amount: Number | None = None


# --- parts that bodies of several operations share ---------------------------------------------
# Source: platform-api.md (fiscal receipt request building blocks), platform-contract.md 2.


T = TypeVar("T")
V = TypeVar("V")
E = TypeVar("E", bound=StrEnum)


def payments_from_json(members: Mapping[str, object], *, may_be_empty: bool = False) -> Payments:
    """Payments by method in the order given; other members are ignored. At least one is required,
    except where nothing may remain to be paid (closing an advance)."""
    known = {method.value for method in PaymentMethod}
    amounts = {
        PaymentMethod(name): reading.at(f"payments.{name}", _amount, value)
        for name, value in members.items()
        if name in known
    }
    if not amounts and not may_be_empty:
        raise Invalid("one_key", field="payments")
    payments = Payments.of(amounts)
    reading.at(
        "payments", lambda paid: paid.total, payments
    )  # each may fit although their sum does not
    return payments


def _amount(value: object) -> Money:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise Invalid("worded.number")
    return Money.without_float_noise(value)


def optional(path: str, build: Callable[[V], T], value: V | None) -> T | None:
    """`build(value)` with errors naming its field, or None for an absent member."""
    return None if value is None else reading.at(path, build, value)


def invoice_type(text: str) -> InvoiceType:
    """A kind that a caller may request; a copy has an operation of its own."""
    return _one_of(text, [kind for kind in InvoiceType if kind is not InvoiceType.COPY])


def transaction_type(text: str) -> TransactionType:
    return _one_of(text, list(TransactionType))


def _one_of(text: str, kinds: list[E]) -> E:
    for kind in kinds:
        if kind.value == text:
            return kind
    raise Invalid("worded.one_of", allowed=", ".join(kind.value for kind in kinds))


def referent_number(text: str) -> str:
    """A receipt's number in its canonical spelling."""
    return str(FiscalNumber.parse(text))


def requested_item(item: ItemShape, path: str) -> RequestedItem:
    sku, article = item.sku, item.article
    if sku is None and article is None:
        raise Invalid("sku_required", field=f"{path}.sku", path=path)
    return RequestedItem(
        quantity=reading.at(f"{path}.quantity", Quantity.without_float_noise, item.quantity),
        unit_price=reading.at(f"{path}.unitPrice", UnitPrice, item.unit_price),
        sku=None if sku is None else reading.at(f"{path}.sku", sku_of, sku),
        article=None if article is None else _article(article, f"{path}.article"),
        total=optional(f"{path}.totalAmount", not_negative, item.total_amount),
    )


def not_negative(value: Decimal) -> Money:
    amount = Money.without_float_noise(value)
    if amount < Money.ZERO:
        raise Invalid("worded.not_negative")
    return amount


def sku_of(value: Decimal) -> int:
    if value != value.to_integral_value() or not is_sku(value):
        raise Invalid("worded.positive")
    return int(value)


def _article(article: ArticleShape, path: str) -> FrozenArticle:
    return FrozenArticle(
        name=article.name,
        label=reading.at(f"{path}.taxRateLabel", tax_label, article.tax_rate_label),
        unit=article.unit,
        gtin=optional(f"{path}.gtin", _gtin, article.gtin),
    )


def _gtin(text: str) -> str:
    if not (text.isascii() and text.isdecimal() and 8 <= len(text) <= 14):
        raise Invalid("worded.gtin")
    return text


def specification(members: Mapping[str, Decimal] | None) -> dict[TaxLabel, Money]:
    """Amounts by tax label, zeros left out. Raises Invalid naming the member."""
    amounts: dict[TaxLabel, Money] = {}
    for name, value in (members or {}).items():
        path = f"advanceSpecification.{name}"
        try:
            label = TaxLabel(name)
        except ValueError:
            raise Invalid("label_not_allowed", field=path, latin=latin_letter(name)) from None
        if amount := reading.at(path, not_negative, value):
            amounts[label] = amount
    return amounts


def receipt_delivery(given: DeliveryShape) -> ReceiptDelivery:
    """The delivery of the receipt; one member is required, all may be false. The address is kept as
    sent; it is checked only where mail is set up."""
    if not given.model_fields_set:
        raise Invalid("one_key", field="receiptDelivery")
    return ReceiptDelivery(
        thermal=bool(given.thermal_printer),
        a4=bool(given.a4_printer),
        email=given.email,
        pdf=bool(given.pdf),
        base64_pdf=bool(given.base64pdf),
    )


# --- an issue request --------------------------------------------------------------------------


def issue_request_from_json(document: object) -> IssueRequest:
    """The request in a received document. Raises Invalid naming the field."""
    body = reading.read(IssueShape, document)
    return IssueRequest(
        invoice_type=reading.at("invoiceType", invoice_type, body.invoice_type),
        transaction_type=reading.at("transactionType", transaction_type, body.transaction_type),
        items=tuple(
            requested_item(item, f"items[{index}]") for index, item in enumerate(body.items)
        ),
        payments=payments_from_json(body.payments),
        delivery=receipt_delivery(body.receipt_delivery),
        buyer=optional("buyerId", BuyerId.parse, body.buyer_id),
        cost_centre=optional("buyerCostCenterId", CostCentre.parse, body.buyer_cost_center_id),
        referent_number=optional(
            "referentDocumentNumber", referent_number, body.referent_document_number
        ),
        referent_time=optional("referentDocumentDT", from_text, body.referent_document_dt),
        pos_time=optional("posTime", from_text, body.pos_time),
        unknown_amount_advance=body.unknown_amount_advance,
        advance_specification=specification(body.advance_specification),
        discount=optional("discount", Percent.without_float_noise, body.discount),
        additional_text=body.additional_text,
        total=optional("totalAmount", not_negative, body.total_amount),
    )


def issue_request_to_json(request: IssueRequest) -> bytes:
    """The body of the issue request; unset members are left out."""
    return dumps(
        without_absent(
            {
                "invoiceType": request.invoice_type.value,
                "transactionType": request.transaction_type.value,
                **buyer_to_json(request.buyer, request.cost_centre),
                "payments": payments_to_json(request.payments),
                "referentDocumentNumber": request.referent_number,
                "referentDocumentDT": moment_to_json(request.referent_time),
                "posTime": moment_to_json(request.pos_time),
                "items": [item_to_json(item) for item in request.items],
                "unknownAmountAdvance": request.unknown_amount_advance or None,
                "advanceSpecification": specification_to_json(request.advance_specification),
                "discount": request.discount.value if request.discount else None,
                "additionalText": request.additional_text or None,
                "receiptDelivery": delivery_to_json(request.delivery),
                "totalAmount": request.total.amount if request.total is not None else None,
            }
        )
    )


def buyer_to_json(buyer: BuyerId | None, centre: CostCentre | None) -> dict[str, str | None]:
    return {
        "buyerId": str(buyer) if buyer else None,
        "buyerCostCenterId": str(centre) if centre else None,
    }


def specification_to_json(by_label: Mapping[TaxLabel, Money]) -> dict[str, Decimal] | None:
    return {label.value: amount.amount for label, amount in by_label.items()} or None


def payments_to_json(payments: Payments) -> dict[str, Decimal]:
    """Amounts by method; a payment of nothing becomes a cash entry of 0."""
    entries = payments.by_method or NOTHING_PAID
    return {method.value: amount.amount for method, amount in entries}


def item_to_json(item: RequestedItem) -> dict[str, Any]:
    article = item.article
    return without_absent(
        {
            "sku": item.sku,
            "quantity": item.quantity.amount,
            "unitPrice": item.unit_price.amount,
            "totalAmount": item.total.amount if item.total is not None else None,
            "article": article
            and without_absent(
                {
                    "name": article.name,
                    "taxRateLabel": article.label.value,
                    "unit": article.unit or None,
                    "gtin": article.gtin,
                }
            ),
        }
    )


def delivery_to_json(delivery: ReceiptDelivery) -> dict[str, Any]:
    return without_absent(
        {
            "thermalPrinter": delivery.thermal,
            "a4Printer": delivery.a4,
            "email": delivery.email,
            "pdf": delivery.pdf,
            "base64pdf": delivery.base64_pdf,
        }
    )


def without_absent(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def moment_to_json(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
