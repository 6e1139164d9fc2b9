"""The JSON of the operations on an existing receipt, to and from the domain.

Source: platform-api.md (add advance payment, close advance, copy, refund), platform-contract.md
2.19. `line` of a refunded item is our own member: the index, from 0, of a line that no sku names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from pos_app.domain.buyer import BuyerId, CostCentre
from pos_app.domain.instant import from_text
from pos_app.domain.money import Quantity
from pos_app.domain.operations import (
    AdvancePayment,
    Closing,
    Copying,
    Operation,
    OperationRequest,
    RefundedItem,
    Refunding,
)
from pos_app.domain.request import MOST_ITEMS
from pos_app.errors import Invalid
from pos_app.wire.fiscal import (
    DeliveryShape,
    FreeText,
    ItemShape,
    Text,
    buyer_to_json,
    delivery_to_json,
    issue_request_from_json,
    issue_request_to_json,
    item_to_json,
    moment_to_json,
    optional,
    payments_from_json,
    receipt_delivery,
    requested_item,
    sku_of,
    specification,
    specification_to_json,
    without_absent,
)
from pos_app.wire.number import Number
from pos_app.wire.reading import WORDED, Shape, at, read
from pos_app.wire.strict_json import dumps

# --- shapes ------------------------------------------------------------------------------------


class AdvanceShape(Shape):
    buyer_id: Text | None = None
    buyer_cost_center_id: Text | None = None
    payments: dict[str, object]
    pos_time: Text | None = None
    advance_specification: dict[str, Number] | None = None
    additional_text: FreeText = ""
    receipt_delivery: DeliveryShape


class CloseShape(Shape):
    buyer_id: Text | None = None
    buyer_cost_center_id: Text | None = None
    payments: dict[str, object]
    items: Annotated[list[ItemShape] | None, Field(min_length=1, max_length=MOST_ITEMS)] = None
    additional_text: FreeText = ""
    receipt_delivery: DeliveryShape


class CopyShape(Shape):
    receipt_delivery: DeliveryShape


class RefundedItemShape(Shape):
    sku: Number | None = None
    line: Number | None = None
    quantity: Number


class RefundShape(Shape):
    buyer_id: Text
    buyer_cost_center_id: Text | None = None
    payments: dict[str, object]
    items: Annotated[list[RefundedItemShape] | None, Field(min_length=1, max_length=MOST_ITEMS)] = (
        None
    )
    advance_specification: dict[str, Number] | None = None
    additional_text: FreeText = ""
    receipt_delivery: DeliveryShape


# --- from a body to the domain -----------------------------------------------------------------


def advance_from_json(document: object) -> AdvancePayment:
    body = read(AdvanceShape, document)
    return AdvancePayment(
        payments=payments_from_json(body.payments),
        delivery=receipt_delivery(body.receipt_delivery),
        buyer=optional("buyerId", BuyerId.parse, body.buyer_id),
        cost_centre=optional("buyerCostCenterId", CostCentre.parse, body.buyer_cost_center_id),
        pos_time=optional("posTime", from_text, body.pos_time),
        specification=specification(body.advance_specification),
        additional_text=body.additional_text,
    )


def closing_from_json(document: object) -> Closing:
    """The body of "close advance"; payments may be {} where nothing remains. Raises Invalid."""
    body = read(CloseShape, document)
    return Closing(
        payments=payments_from_json(body.payments, may_be_empty=True),
        delivery=receipt_delivery(body.receipt_delivery),
        items=tuple(
            requested_item(item, f"items[{index}]") for index, item in enumerate(body.items or ())
        ),
        buyer=optional("buyerId", BuyerId.parse, body.buyer_id),
        cost_centre=optional("buyerCostCenterId", CostCentre.parse, body.buyer_cost_center_id),
        additional_text=body.additional_text,
    )


def copying_from_json(document: object) -> Copying:
    return Copying(delivery=receipt_delivery(read(CopyShape, document).receipt_delivery))


def refunding_from_json(document: object) -> Refunding:
    """The body of "refund"; a sent unitPrice is ignored. Raises Invalid naming the field."""
    body = read(RefundShape, document)
    return Refunding(
        payments=payments_from_json(body.payments, may_be_empty=True),
        delivery=receipt_delivery(body.receipt_delivery),
        buyer=at("buyerId", BuyerId.parse, body.buyer_id),
        items=tuple(_item(item, f"items[{index}]") for index, item in enumerate(body.items or ())),
        cost_centre=optional("buyerCostCenterId", CostCentre.parse, body.buyer_cost_center_id),
        specification=specification(body.advance_specification),
        additional_text=body.additional_text,
    )


def _item(item: RefundedItemShape, path: str) -> RefundedItem:
    if item.sku is None and item.line is None:
        raise Invalid(f'"{path}.sku" is required', field=f"{path}.sku")
    return RefundedItem(
        quantity=at(f"{path}.quantity", Quantity.without_float_noise, item.quantity),
        sku=optional(f"{path}.sku", sku_of, item.sku),
        line=optional(f"{path}.line", _place, item.line),
    )


def _place(value: Decimal) -> int:
    if value != value.to_integral_value() or not 0 <= value < MOST_ITEMS:
        raise Invalid("must be the place of a line, from 0", kind=WORDED)
    return int(value)


# --- which body each operation has -------------------------------------------------------------


READERS: Mapping[Operation, Callable[[object], OperationRequest]] = {
    Operation.ISSUE: issue_request_from_json,
    Operation.ADVANCE: advance_from_json,
    Operation.CLOSE: closing_from_json,
    Operation.COPY: copying_from_json,
    Operation.REFUND: refunding_from_json,
}
"""The reader of each operation's body; each raises Invalid naming the field."""

# --- from the domain to a body -----------------------------------------------------------------


def operation_to_json(request: OperationRequest) -> bytes:
    """The body of any of the operations; unset members are left out."""
    match request:
        case AdvancePayment():
            return dumps(without_absent(_advance_to_json(request)))
        case Closing():
            return dumps(without_absent(_closing_to_json(request)))
        case Copying():
            return dumps({"receiptDelivery": delivery_to_json(request.delivery)})
        case Refunding():
            return dumps(without_absent(_refunding_to_json(request)))
        case _:
            return issue_request_to_json(request)


def _advance_to_json(request: AdvancePayment) -> dict[str, object]:
    return {
        **_shared_to_json(request),
        "posTime": moment_to_json(request.pos_time),
        "advanceSpecification": specification_to_json(request.specification),
    }


def _closing_to_json(request: Closing) -> dict[str, object]:
    return {
        **_shared_to_json(request),
        "items": [item_to_json(one) for one in request.items] or None,
    }


def _refunding_to_json(request: Refunding) -> dict[str, object]:
    items = [
        without_absent({"sku": one.sku, "line": one.line, "quantity": one.quantity.amount})
        for one in request.items
    ]
    return {
        **_shared_to_json(request),
        "items": items or None,
        "advanceSpecification": specification_to_json(request.specification),
    }


def _shared_to_json(request: AdvancePayment | Closing | Refunding) -> dict[str, object]:
    return {
        **buyer_to_json(request.buyer, request.cost_centre),
        "payments": {method.value: paid.amount for method, paid in request.payments.by_method},
        "additionalText": request.additional_text or None,
        "receiptDelivery": delivery_to_json(request.delivery),
    }
