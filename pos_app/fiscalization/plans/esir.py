"""What the ESIR prints beside a receipt's journal, fixed when the receipt is planned. Pure.

Source: fiscal.md 6.10 (a discount is printed outside the fiscal part only).
"""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.domain.discount import Percent
from pos_app.domain.esir_part import EsirPart, LoweredLine, total_saved
from pos_app.domain.pricing import PricedLine, PricedRequest
from pos_app.domain.request import InvoiceType, IssueRequest, RequestedItem
from pos_app.fiscalization.plans.basis import sums_named


def esir_part(request: IssueRequest, priced: PricedRequest) -> EsirPart:
    """An advance shows no discounts: its order stores those of its goods, for the closing."""
    is_advance = request.invoice_type is InvoiceType.ADVANCE
    return EsirPart(
        lowered=() if is_advance else lowered_lines(request.items, priced.lines, request.discount),
        additional_text=request.additional_text,
    )


def lowered_lines(
    items: Sequence[RequestedItem], goods: Sequence[PricedLine], discount: Percent | None = None
) -> tuple[LoweredLine, ...]:
    """Lines below their unit price, with the percentage unless the caller stated the line's total.

    goods: the priced items, one by one. Raises Invalid on "items" when the sum saved has more than
    12 digits: else the receipt would be signed but could not be printed.
    """
    lowered = tuple(
        LoweredLine(
            line.name, line.before_discount, line.total, discount if item.total is None else None
        )
        for item, line in zip(items, goods, strict=True)
        if line.total < line.before_discount
    )
    with sums_named("items"):
        _ = total_saved(lowered)
    return lowered
