"""The JSON of the operations on an existing receipt, to and from the domain.

Source: platform-api.md (add advance payment, close advance, copy, refund), platform-contract.md
2.19. `line` of a refunded item is our own member: the index, from 0, of a line that no sku names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from pos_app.domain.money.money import Quantity
from pos_app.domain.receipt import operations
from pos_app.domain.receipt.buyer import BuyerId, CostCentre
from pos_app.domain.receipt.request import MOST_ITEMS
from pos_app.domain.text.instant import from_text
from pos_app.errors import Invalid
from pos_app.wire import fiscal, reading
from pos_app.wire.number import Number
from pos_app.wire.strict_json import dumps

# --- shapes ------------------------------------------------------------------------------------


class AdvanceShape(reading.Shape):
    buyer_id: fiscal.Text | None = None
    buyer_cost_center_id: fiscal.Text | None = None
    payments: dict[str, object]
    pos_time: fiscal.Text | None = None
    advance_specification: dict[str, Number] | None = None
    additional_text: fiscal.FreeText = ""
    receipt_delivery: fiscal.DeliveryShape


class CloseShape(reading.Shape):
    buyer_id: fiscal.Text | None = None
    buyer_cost_center_id: fiscal.Text | None = None
    payments: dict[str, object]
    items: Annotated[list[fiscal.ItemShape] | None, Field(min_length=1, max_length=MOST_ITEMS)] = (
        None
    )
    additional_text: fiscal.FreeText = ""
    receipt_delivery: fiscal.DeliveryShape


class CopyShape(reading.Shape):
    receipt_delivery: fiscal.DeliveryShape


class RefundedItemShape(reading.Shape):
    sku: Number | None = None
    line: Number | None = None
    quantity: Number


class RefundShape(reading.Shape):
    buyer_id: fiscal.Text
    buyer_cost_center_id: fiscal.Text | None = None
    payments: dict[str, object]
    items: Annotated[list[RefundedItemShape] | None, Field(min_length=1, max_length=MOST_ITEMS)] = (
        None
    )
    advance_specification: dict[str, Number] | None = None
    additional_text: fiscal.FreeText = ""
    receipt_delivery: fiscal.DeliveryShape


# --- from a body to the domain -----------------------------------------------------------------


def advance_from_json(document: object) -> operations.AdvancePayment:
    body = reading.read(AdvanceShape, document)
    return operations.AdvancePayment(
        payments=fiscal.payments_from_json(body.payments),
        delivery=fiscal.receipt_delivery(body.receipt_delivery),
        buyer=fiscal.optional("buyerId", BuyerId.parse, body.buyer_id),
        cost_centre=fiscal.optional(
            "buyerCostCenterId", CostCentre.parse, body.buyer_cost_center_id
        ),
        pos_time=fiscal.optional("posTime", from_text, body.pos_time),
        specification=fiscal.specification(body.advance_specification),
        additional_text=body.additional_text,
    )


def closing_from_json(document: object) -> operations.Closing:
    """The body of "close advance"; payments may be {} where nothing remains. Raises Invalid."""
    body = reading.read(CloseShape, document)
    return operations.Closing(
        payments=fiscal.payments_from_json(body.payments, may_be_empty=True),
        delivery=fiscal.receipt_delivery(body.receipt_delivery),
        items=tuple(
            fiscal.requested_item(item, f"items[{index}]")
            for index, item in enumerate(body.items or ())
        ),
        buyer=fiscal.optional("buyerId", BuyerId.parse, body.buyer_id),
        cost_centre=fiscal.optional(
            "buyerCostCenterId", CostCentre.parse, body.buyer_cost_center_id
        ),
        additional_text=body.additional_text,
    )


def copying_from_json(document: object) -> operations.Copying:
    return operations.Copying(
        delivery=fiscal.receipt_delivery(reading.read(CopyShape, document).receipt_delivery)
    )


def refunding_from_json(document: object) -> operations.Refunding:
    """The body of "refund"; a sent unitPrice is ignored. Raises Invalid naming the field."""
    body = reading.read(RefundShape, document)
    return operations.Refunding(
        payments=fiscal.payments_from_json(body.payments, may_be_empty=True),
        delivery=fiscal.receipt_delivery(body.receipt_delivery),
        buyer=reading.at("buyerId", BuyerId.parse, body.buyer_id),
        items=tuple(_item(item, f"items[{index}]") for index, item in enumerate(body.items or ())),
        cost_centre=fiscal.optional(
            "buyerCostCenterId", CostCentre.parse, body.buyer_cost_center_id
        ),
        specification=fiscal.specification(body.advance_specification),
        additional_text=body.additional_text,
    )


def _item(item: RefundedItemShape, path: str) -> operations.RefundedItem:
    if item.sku is None and item.line is None:
        raise Invalid("sku_required", field=f"{path}.sku", path=path)
    return operations.RefundedItem(
        quantity=reading.at(f"{path}.quantity", Quantity.without_float_noise, item.quantity),
        sku=fiscal.optional(f"{path}.sku", fiscal.sku_of, item.sku),
        line=fiscal.optional(f"{path}.line", _line_index, item.line),
    )


def _line_index(value: Decimal) -> int:
    if value != value.to_integral_value() or not 0 <= value < MOST_ITEMS:
        raise Invalid("worded.line")
    return int(value)


# --- which body each operation has -------------------------------------------------------------


READERS: Mapping[operations.Operation, Callable[[object], operations.OperationRequest]] = {
    operations.Operation.ISSUE: fiscal.issue_request_from_json,
    operations.Operation.ADVANCE: advance_from_json,
    operations.Operation.CLOSE: closing_from_json,
    operations.Operation.COPY: copying_from_json,
    operations.Operation.REFUND: refunding_from_json,
}
"""The reader of each operation's body; each raises Invalid naming the field."""

# --- from the domain to a body -----------------------------------------------------------------


def operation_to_json(request: operations.OperationRequest) -> bytes:
    """The body of any of the operations; unset members are left out."""
    match request:
        case operations.AdvancePayment():
            return dumps(fiscal.without_absent(_advance_to_json(request)))
        case operations.Closing():
            return dumps(fiscal.without_absent(_closing_to_json(request)))
        case operations.Copying():
            return dumps({"receiptDelivery": fiscal.delivery_to_json(request.delivery)})
        case operations.Refunding():
            return dumps(fiscal.without_absent(_refunding_to_json(request)))
        case _:
            return fiscal.issue_request_to_json(request)


def _advance_to_json(request: operations.AdvancePayment) -> dict[str, object]:
    return {
        **_shared_to_json(request),
        "posTime": fiscal.moment_to_json(request.pos_time),
        "advanceSpecification": fiscal.specification_to_json(request.specification),
    }


def _closing_to_json(request: operations.Closing) -> dict[str, object]:
    return {
        **_shared_to_json(request),
        "items": [fiscal.item_to_json(one) for one in request.items] or None,
    }


def _refunding_to_json(request: operations.Refunding) -> dict[str, object]:
    items = [
        fiscal.without_absent({"sku": one.sku, "line": one.line, "quantity": one.quantity.amount})
        for one in request.items
    ]
    return {
        **_shared_to_json(request),
        "items": items or None,
        "advanceSpecification": fiscal.specification_to_json(request.specification),
    }


def _shared_to_json(
    request: operations.AdvancePayment | operations.Closing | operations.Refunding,
) -> dict[str, object]:
    return {
        **fiscal.buyer_to_json(request.buyer, request.cost_centre),
        "payments": {method.value: paid.amount for method, paid in request.payments.by_method},
        "additionalText": request.additional_text or None,
        "receiptDelivery": fiscal.delivery_to_json(request.delivery),
    }
