"""The shapes of the requests on a receipt that exists. What they mean is `wire.operations`'.

Source: platform-api.md (add advance payment, close advance, copy, refund).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from pos_app.domain.request import MOST_ITEMS
from pos_app.wire.issue_shape import DeliveryShape, FreeText, ItemShape, Text
from pos_app.wire.number import Number
from pos_app.wire.reading import Shape


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
