"""A shop's own notes about an article beside the platform's fields, as JSON members of our own.

A foreign platform refuses them (platform-contract.md 2.3): they travel between our own programs
only.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any

from pydantic import Field

from pos_app.domain.article.article import Barcode, Marks
from pos_app.domain.money.money import Quantity
from pos_app.wire.number import Number
from pos_app.wire.reading import Shape, at


class _BarcodeShape(Shape):
    code: Annotated[str, Field(min_length=1)]
    quantity: Number = Decimal(1)


class MarksShape(Shape):
    """The members of ours that a product or variant may carry."""

    pinned: bool = False
    open_price: bool = False
    by_weight: bool | None = None
    barcodes: list[_BarcodeShape] = Field(default_factory=list)

    @property
    def states_marks(self) -> bool:
        """Whether any of these members was present."""
        return not _MEMBERS.isdisjoint(self.model_fields_set)


_MEMBERS = frozenset(MarksShape.model_fields)


def marks_of(shape: MarksShape, path: str = "") -> Marks:
    """The marks that a read shape describes; `path` goes before a name at fault."""
    return Marks(
        pinned=shape.pinned,
        open_price=shape.open_price,
        by_weight=shape.by_weight,
        barcodes=tuple(
            Barcode(
                one.code,
                at(f"{path}barcodes[{index}].quantity", Quantity.without_float_noise, one.quantity),
            )
            for index, one in enumerate(shape.barcodes)
        ),
    )


def marks_to_json(marks: Marks) -> dict[str, Any]:
    """The shop's own notes about an article, as members of ours."""
    return {
        "pinned": marks.pinned,
        "openPrice": marks.open_price,
        "byWeight": marks.by_weight,
        "barcodes": [{"code": one.code, "quantity": one.quantity.amount} for one in marks.barcodes],
    }
