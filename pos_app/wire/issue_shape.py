"""The shape of an issue request: members, types and lengths. What they mean is `wire.fiscal`'s.

Source: platform-api.md (issue request), platform-contract.md 2.13.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from pos_app.characters import has_controls
from pos_app.domain.request import (
    LONGEST_ADDITIONAL_TEXT,
    LONGEST_NAME,
    LONGEST_UNIT,
    MOST_ITEMS,
)
from pos_app.wire.number import Number
from pos_app.wire.reading import Shape, seen

Text = Annotated[str, Field(min_length=1)]


def _one_line(text: str) -> str:
    """Text in a line of a receipt: no control characters, and something visible."""
    return _printable(seen(text))


def _printable(text: str) -> str:
    if has_controls(text):
        raise PydanticCustomError("control", "must not contain control characters")
    return text


def _lines(text: str) -> str:
    """Text of several lines: line breaks and tabs apart, no control characters."""
    _printable(text.replace("\r\n", " ").replace("\n", " ").replace("\t", " "))
    return text


FreeText = Annotated[str, Field(max_length=LONGEST_ADDITIONAL_TEXT), AfterValidator(_lines)]


class ArticleShape(Shape):
    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_one_line)]
    tax_rate_label: Text
    unit: Annotated[str, Field(max_length=LONGEST_UNIT), AfterValidator(_printable)] = ""
    gtin: Text | None = None


class ItemShape(Shape):
    sku: Number | None = None
    quantity: Number
    unit_price: Number
    article: ArticleShape | None = None
    total_amount: Number | None = None


class DeliveryShape(Shape):
    thermal_printer: bool | None = None
    a4_printer: Annotated[bool | None, Field(alias="a4Printer")] = None
    email: str | None = None
    pdf: bool | None = None
    base64pdf: Annotated[bool | None, Field(alias="base64pdf")] = None


class IssueShape(Shape):
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
