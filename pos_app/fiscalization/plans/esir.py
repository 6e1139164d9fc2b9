"""What the ESIR will say on a receipt's paper, frozen when the receipt is planned. Pure.

Source: fiscal.md 6.10 (a discount is told outside the fiscal part only).
"""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.domain.discount import Percent
from pos_app.domain.esir_part import EsirPart, LoweredLine, total_saved
from pos_app.domain.pricing import PricedLine, PricedRequest
from pos_app.domain.request import InvoiceType, IssueRequest, RequestedItem
from pos_app.fiscalization.plans.basis import sums_told_of


def esir_part(request: IssueRequest, worth: PricedRequest) -> EsirPart:
    """The part of an issue request, with its price.

    An advance has achieved no discount yet: its lines are amounts, not articles. Those that its
    goods will have achieved are kept with its order, for the closing.
    """
    is_advance = request.invoice_type is InvoiceType.ADVANCE
    return EsirPart(
        lowered=() if is_advance else lowered_lines(request.items, worth.lines, request.discount),
        additional_text=request.additional_text,
    )


def lowered_lines(
    items: Sequence[RequestedItem], goods: Sequence[PricedLine], discount: Percent | None = None
) -> tuple[LoweredLine, ...]:
    """Lines below their unit price; a line total that was stated has no percentage to tell.

    goods: the items as they are priced, one by one. Raises Invalid on "items" when what they save
    has more than 12 digits: else the receipt would be signed and no paper could tell it.
    """
    lowered = tuple(
        LoweredLine(
            line.name, line.before_discount, line.total, discount if item.total is None else None
        )
        for item, line in zip(items, goods, strict=True)
        if line.total < line.before_discount
    )
    with sums_told_of("items"):
        _ = total_saved(lowered)
    return lowered
