"""What the ESIR will say on a receipt's paper, frozen when the receipt is planned. Pure.

Source: fiscal.md 6.10 (a discount is told outside the fiscal part only).
"""

from __future__ import annotations

from collections.abc import Iterator

from pos_app.domain.esir_part import EsirPart, LoweredLine
from pos_app.domain.pricing import PricedRequest
from pos_app.domain.request import InvoiceType, IssueRequest


def esir_part(request: IssueRequest, worth: PricedRequest) -> EsirPart:
    """The part of an issue request, with its price.

    An advance has achieved no discount yet: its lines are amounts, not articles.
    """
    is_advance = request.invoice_type is InvoiceType.ADVANCE
    return EsirPart(
        lowered=() if is_advance else tuple(_lowered(request, worth)),
        additional_text=request.additional_text,
    )


def _lowered(request: IssueRequest, worth: PricedRequest) -> Iterator[LoweredLine]:
    """Lines below their unit price; a line total that was stated has no percentage to tell."""
    for item, line in zip(request.items, worth.lines, strict=True):
        if line.total < line.before_discount:
            percent = request.discount if item.total is None else None
            yield LoweredLine(line.name, line.before_discount, line.total, percent)
