"""Compares the items of a refund by issue with the lines that will be signed.

The lines are taken from the refunded receipt, as in its refund operation; an item that contradicts
them is refused. Source: platform-contract.md 2.13 and 2.19.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from pos_app.domain.discount import line_total
from pos_app.domain.fiscal_document import FiscalLine
from pos_app.domain.money import Money
from pos_app.domain.request import IssueRequest, RequestedItem
from pos_app.errors import Invalid


def check_stated(request: IssueRequest, lines: Iterable[FiscalLine]) -> None:
    """Compare the totals, discount and tax labels of a request with what is refunded.

    lines: of the refund, planned for these items in their order. A unit price alone is ignored, as
    in the refund operation. Raises Invalid naming the member.
    """
    left = iter(lines)
    for index, item in enumerate(request.items):
        taken = tuple(_lines_for(left, item.quantity.amount))
        path = f"items[{index}]"
        _check_label(item, taken, path)
        _check_total(request, item, Money.total(line.total for line in taken), path)


def _lines_for(left: Iterator[FiscalLine], quantity: Decimal) -> Iterator[FiscalLine]:
    while quantity > 0:
        line = next(left)
        quantity -= line.quantity.amount
        yield line


def _check_label(item: RequestedItem, taken: tuple[FiscalLine, ...], path: str) -> None:
    label = None if item.article is None else item.article.label
    for line in taken:
        if label not in (None, line.label):
            field = f"{path}.article.taxRateLabel"
            raise Invalid(
                f'"{field}" {label} is not that of the receipt: {line.label}', field=field
            )


def _check_total(request: IssueRequest, item: RequestedItem, refunded: Money, path: str) -> None:
    """A stated total includes discounts; the receipt's discount applies to items without one."""
    if item.total is not None:
        stated, field = item.total, f"{path}.totalAmount"
    elif request.discount is not None:
        stated, field = line_total(item.unit_price, item.quantity, request.discount), "discount"
    else:
        return
    if stated != refunded:
        amounts = f"makes {stated} of {path}" if field == "discount" else str(stated)
        raise Invalid(f'"{field}" {amounts}, what is refunded is {refunded}', field=field)
