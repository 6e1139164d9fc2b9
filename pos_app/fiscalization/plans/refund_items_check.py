"""Compares the items of a refund by issue with the receipt to be signed: lines, or an advance's
amounts.

The lines are taken from the refunded receipt, as in its refund operation; an item that contradicts
them is refused. Source: platform-contract.md 2.13 and 2.19.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from pos_app.domain.money.advance_split import SPECIFICATION
from pos_app.domain.money.discount import line_total
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalLine, label_totals
from pos_app.domain.receipt.request import IssueRequest, RequestedItem
from pos_app.errors import Invalid


def check_stated(request: IssueRequest, lines: Iterable[FiscalLine]) -> None:
    """Compare the totals, discount and tax labels of a request with those of the refund.

    lines: the lines of the refund, planned for these items in their order. A unit price alone is
    ignored, as in the refund operation. Raises Invalid naming the member.
    """
    left = iter(lines)
    for index, item in enumerate(request.items):
        taken = tuple(_lines_for(left, item.quantity.amount))
        path = f"items[{index}]"
        _check_label(item, taken, path)
        _check_total(request, item, Money.total(line.total for line in taken), path)


def _lines_for(left_lines: Iterator[FiscalLine], quantity: Decimal) -> Iterator[FiscalLine]:
    while quantity > 0:
        line = next(left_lines)
        quantity -= line.quantity.amount
        yield line


def _check_label(item: RequestedItem, taken: tuple[FiscalLine, ...], path: str) -> None:
    label = None if item.article is None else item.article.label
    for line in taken:
        if label not in (None, line.label):
            field = f"{path}.article.taxRateLabel"
            raise Invalid("label_of_receipt", field=field, label=label, signed_label=line.label)


def _check_total(request: IssueRequest, item: RequestedItem, refunded: Money, path: str) -> None:
    """Check the amount of one item. A stated total includes discounts; the receipt's discount
    applies to items without a stated total."""
    if item.total is not None:
        stated, field = item.total, f"{path}.totalAmount"
    elif request.discount is not None:
        stated, field = line_total(item.unit_price, item.quantity, request.discount), "discount"
    else:
        return
    if stated != refunded:
        amounts = f"makes {stated} of {path}" if field == "discount" else str(stated)
        raise Invalid("refunded_differs", field=field, amounts=amounts, refunded=refunded)


# --- items of an advance -----------------------------------------------------------------------
# The receipt has amounts by tax label, while its items may be the whole order. Without an
# `advanceSpecification` the amounts are computed, so the items must state those labels: no label is
# signed that the caller did not mean. Source: platform-contract.md 2.13 and 2.19.


_ByLabel = Mapping[TaxLabel, Money]
_Stated = Sequence[frozenset[TaxLabel]]
"""The labels of each item; for one that has only a sku, those that the order has for it."""


def check_stated_of_advance(
    request: IssueRequest,
    *,
    order: Iterable[FiscalLine],
    lines: Iterable[FiscalLine],
    left_total: Money,
) -> None:
    """Compare the items of an advance's refund. order: the goods that the advance pays for. lines:
    the lines of the refund. left_total: what was paid in advance and not refunded before. Raises
    Invalid naming the member."""
    order = tuple(order)
    _check_labels_of_order(request, label_totals(order))
    stated = [_labels_of(item, order) for item in request.items]
    signed = {label: amount for label, amount in label_totals(lines).items() if amount}
    if request.advance_specification:
        _check_specified(stated, signed)
        return
    given = frozenset(label for label, amount in label_totals(order).items() if not amount)
    asked = [labels - given for labels in stated if not labels or labels - given]
    _check_computed(asked, signed, is_all=Money.total(signed.values()) == left_total)
    _check_totals(request, stated, signed)


def _check_labels_of_order(request: IssueRequest, ordered: _ByLabel) -> None:
    for index, item in enumerate(request.items):
        if item.article is not None and item.article.label not in ordered:
            field, allowed = f"items[{index}].article.taxRateLabel", ", ".join(ordered)
            raise Invalid(
                "label_of_advance", field=field, label=item.article.label, allowed=allowed
            )


def _labels_of(item: RequestedItem, order: Iterable[FiscalLine]) -> frozenset[TaxLabel]:
    """The labels of an item, empty where the order does not have its sku."""
    if item.article is not None:
        return frozenset({item.article.label})
    return frozenset(line.label for line in order if line.sku == item.sku)


def _check_specified(stated: _Stated, signed: _ByLabel) -> None:
    if not all(stated):
        return
    for label in signed:
        if label not in frozenset().union(*stated):
            field = f"{SPECIFICATION}.{label}"
            raise Invalid("split_label", field=field)


def _check_computed(stated: _Stated, signed: _ByLabel, *, is_all: bool) -> None:
    """Check the labels: where each item states its label, all signed labels must be stated too.

    stated: without the labels ordered for nothing. is_all: all that is left is refunded, so further
    stated labels do no harm.
    """
    labels: frozenset[TaxLabel] = frozenset().union(*stated)
    too_many = not is_all and not labels <= signed.keys()
    if too_many or (all(stated) and not signed.keys() <= labels):
        raise _specification_required(signed)


def _check_totals(request: IssueRequest, stated: _Stated, signed: _ByLabel) -> None:
    """Check the totals by label. Totals that add up to the refund must be the refund's amounts;
    others are taken for totals of the order, and are not checked."""
    totals: dict[TaxLabel, Money] = {}
    for item, labels in zip(request.items, stated, strict=True):
        if item.total is None or len(labels) != 1:
            return
        (label,) = labels
        totals[label] = totals.get(label, Money.ZERO) + item.total
    totals = {label: amount for label, amount in totals.items() if amount}
    if Money.total(totals.values()) != Money.total(signed.values()) or totals == signed:
        return
    raise _specification_required(signed)


def _specification_required(signed: _ByLabel) -> Invalid:
    return Invalid("goods_required", field=SPECIFICATION, signed_goods=_amounts_text(signed))


def _amounts_text(amounts: _ByLabel) -> str:
    return ", ".join(f"{label} {amount}" for label, amount in amounts.items())
