"""The JSON of receipts on the local and the platform's API, to and from the domain.

Source: platform-api.md (issue request, fiscal receipt response), platform-contract.md 2.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from pos_app.domain.buyer import BuyerId, CostCentre
from pos_app.domain.discount import Percent
from pos_app.domain.instant import from_text
from pos_app.domain.payment import NOTHING_PAID, Payments
from pos_app.domain.request import IssueRequest, ReceiptDelivery, RequestedItem
from pos_app.wire.fiscal_parts import (
    invoice_type,
    not_negative,
    optional,
    payments_from_json,
    receipt_delivery,
    referent_number,
    requested_item,
    specification,
    transaction_type,
)
from pos_app.wire.issue_shape import IssueShape
from pos_app.wire.reading import at, read
from pos_app.wire.strict_json import dumps


def issue_request_from_json(document: object) -> IssueRequest:
    """The request in a received document. Raises Invalid naming the field."""
    body = read(IssueShape, document)
    return IssueRequest(
        invoice_type=at("invoiceType", invoice_type, body.invoice_type),
        transaction_type=at("transactionType", transaction_type, body.transaction_type),
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
    entries = payments.by_method or NOTHING_PAID
    return {method.value: amount.amount for method, amount in entries}


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
