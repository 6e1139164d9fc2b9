"""A shop that is not in the system of VAT signs no new label of VAT.

A receipt that repeats what was signed before keeps the labels of that time: a refund, a copy, a
correction, a further advance and the closing. Source: fiscal.md 2.
"""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.domain.money.tax import TaxLabel, is_of_vat
from pos_app.domain.receipt.request import IssueRequest, RequestedItem
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.basis import Basis
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt
from pos_app.fiscalization.plans.foreign_advance import FINISHES
from pos_app.fiscalization.plans.reversal import UNDOES

Labels = frozenset[TaxLabel]


def labels_repeated(request: IssueRequest, referent: ChainReceipt | None) -> Labels:
    """The labels that a sale takes over from the refund that it undoes or finishes."""
    if referent is None or (request.kind, referent.kind) not in (FINISHES, UNDOES):
        return frozenset()
    return frozenset(line.label for line in referent.planned.document.lines)


def labels_of(chain: Chain) -> Labels:
    """The labels of an advance's order and of what was paid for it; none where the chain did not
    begin here, and the closing is refused anyway."""
    if not chain.began_here:
        return frozenset()
    return frozenset(line.label for line in chain.order.lines) | chain.paid_by_label.keys()


def check_vat(request: IssueRequest, repeated: Labels, basis: Basis) -> None:
    """Check a new sale, advance, proforma or training sale. repeated: labels that it takes over
    from an earlier receipt. Raises Invalid naming the field."""
    if basis.in_vat:
        return
    check_items_vat(request.items, repeated, basis)
    for label in request.advance_specification:
        _check(label, repeated, field="advanceSpecification")


def check_items_vat(items: Sequence[RequestedItem], repeated: Labels, basis: Basis) -> None:
    """items: each has its article. Raises Invalid naming the field."""
    if basis.in_vat:
        return
    for index, item in enumerate(items):
        if item.article is not None:
            member = "sku" if item.sku is not None else "article.taxRateLabel"
            _check(item.article.label, repeated, field=f"items[{index}].{member}")


def _check(label: TaxLabel, repeated: Labels, *, field: str) -> None:
    if is_of_vat(label) and label not in repeated:
        raise Invalid("outside_vat", field=field, label=label.value)
