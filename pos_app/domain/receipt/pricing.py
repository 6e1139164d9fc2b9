"""Prices a request. Till and server use this same code, so that their totals never differ.

Sources: platform-contract.md 2.12, 2.13, 2.15; fiscal.md 6.2 (advances), 6.10 (printed price).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from pos_app.domain.money.advance_split import Shares, split
from pos_app.domain.money.discount import Percent, line_total
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import check_cover, check_remainder
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import label_totals
from pos_app.domain.receipt.request import InvoiceType, IssueRequest, RequestedItem
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

ADVANCE_NAMES: Mapping[TaxLabel, str] = {
    TaxLabel.DJ: "10: Аванс",
    TaxLabel.E: "11: Аванс",
    TaxLabel.G: "12: Аванс",
    TaxLabel.A: "13: Аванс",
}
"""Item names of an advance receipt by label (LAW, fiscal.md 6.2)."""


@dataclass(frozen=True, slots=True)
class PricedLine:
    """A line as it is signed. total is exact; unit_price is rounded to 2 decimals."""

    name: str
    label: TaxLabel
    quantity: Quantity
    unit_price: Money
    total: Money
    before_discount: Money
    gtin: str | None = None
    sku: int | None = None


@dataclass(frozen=True, slots=True)
class PricedRequest:
    """goods: the total of the goods, which for an advance is not the receipt's total."""

    lines: tuple[PricedLine, ...]
    total: Money
    change: Money
    goods: Money

    @property
    def by_label(self) -> dict[TaxLabel, Money]:
        return label_totals(self.lines)


def part_of_line(
    quantity: Decimal, *, sold: Decimal, total: Money, left_quantity: Decimal, left_total: Money
) -> Money:
    """The amount of a part of a sold line: its share of the line's total, half up. The last part
    takes all that is left of the total (fiscal.md 6.4).

    | sold  | total  | left_quantity | left_total | quantity | part   |
    | 1.560 | 296.38 | 1.560         | 296.38     | 0.750    | 142.49 |
    | 3     | 10.00  | 3             | 10.00      | 1        | 3.33   |
    | 3     | 10.00  | 1             | 3.34       | 1        | 3.34   |
    """
    if quantity == left_quantity:
        return left_total
    return min(Money.rounded(total.amount * quantity / sold), left_total)


def price(request: IssueRequest, *, in_advance: Money = Money.ZERO) -> PricedRequest:
    """Price a request whose items all know their article.

    in_advance: an earlier payment at another system; the request's payments are the rest.

    Raises Invalid on "totalAmount" when the stated total differs from the sum of the lines,
    on "payments" when they do not cover it, on "advanceSpecification" as fiscal.md 6.2 says.
    """
    goods = priced_goods(request.items, request.discount)
    goods_total = Money.total(line.total for line in goods)
    if request.total is not None and request.total != goods_total:
        raise Invalid(
            "total_differs", field="totalAmount", stated=request.total, goods_total=goods_total
        )
    if request.invoice_type is InvoiceType.ADVANCE:
        lines = _advance_lines(request, goods)
        total = Money.total(line.total for line in lines)
        return PricedRequest(lines, total, Money.ZERO, goods_total)
    if request.advance_specification:
        raise Invalid("of_advance_only", field="advanceSpecification")
    if in_advance:
        change = check_remainder(goods_total, request.payments, in_advance=in_advance)
    else:
        change = check_cover(goods_total, request.payments)
    return PricedRequest(goods, goods_total, change, goods_total)


def priced_goods(
    items: Sequence[RequestedItem], discount: Percent | None = None
) -> tuple[PricedLine, ...]:
    return tuple(_line(item, discount, index) for index, item in enumerate(items))


def _line(item: RequestedItem, discount: Percent | None, index: int) -> PricedLine:
    article = item.article
    if article is None:
        raise Invalid("article_required", field=f"items[{index}].article", index=index)
    full = line_total(item.unit_price, item.quantity)
    stated = item.total is not None
    total = item.total if stated else line_total(item.unit_price, item.quantity, discount)
    assert total is not None
    return PricedLine(
        name=article.printed_name,
        label=article.label,
        quantity=item.quantity,
        unit_price=item.unit_price.printed if total == full else total.per(item.quantity),
        total=total,
        before_discount=max(full, total),
        gtin=article.gtin,
        sku=item.sku,
    )


def _advance_lines(request: IssueRequest, goods: tuple[PricedLine, ...]) -> tuple[PricedLine, ...]:
    """One line for each label, with quantity 1; together they equal the payment (fiscal.md 6.2)."""
    paid = request.payments.total
    if not paid:
        raise Invalid("advance_payment", field="payments")
    parts = _advance_parts(request, label_totals(goods), paid)
    return tuple(
        PricedLine(ADVANCE_NAMES[label], label, Quantity.ONE, part, part, part)
        for label, part in parts.items()
        if part
    )


def _advance_parts(request: IssueRequest, by_label: dict[TaxLabel, Money], paid: Money) -> Shares:
    final = Money.total(by_label.values())
    if not request.unknown_amount_advance and paid > final:
        raise Invalid("advance_exceeds", field="payments", paid=paid, final=final)
    at_most = None if request.unknown_amount_advance else by_label
    return split(paid, by_label, given=request.advance_specification, at_most=at_most)
