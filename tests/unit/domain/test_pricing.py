"""The one function that prices a request (platform-contract.md 2.12–2.15, fiscal.md 6.2, 6.10)."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money.discount import Percent, line_total
from pos_app.domain.money.money import Money, Quantity, UnitPrice
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.pricing import price
from pos_app.domain.receipt.request import (
    FrozenArticle,
    InvoiceType,
    IssueRequest,
    ReceiptDelivery,
    RequestedItem,
    TransactionType,
)
from pos_app.errors import Invalid
from tests.sweep import each

BREAD = FrozenArticle("Хлеб бели", TaxLabel.E, "ком")
COFFEE = FrozenArticle("Кафа", TaxLabel.DJ, "ком")


def paid(**amounts: str) -> Payments:
    return Payments.of({PaymentMethod(name): Money(value) for name, value in amounts.items()})


def item(
    unit_price: str,
    quantity: str = "1",
    *,
    article: FrozenArticle = BREAD,
    total: str | None = None,
) -> RequestedItem:
    return RequestedItem(
        Quantity(quantity),
        UnitPrice(unit_price),
        sku=1,
        article=article,
        total=None if total is None else Money(total),
    )


def sale(*items: RequestedItem, payments: Payments) -> IssueRequest:
    return IssueRequest(
        InvoiceType.NORMAL, TransactionType.SALE, items, payments, ReceiptDelivery()
    )


def advance(*items: RequestedItem, payments: Payments) -> IssueRequest:
    return replace(sale(*items, payments=payments), invoice_type=InvoiceType.ADVANCE)


def test_lines_change_and_a_discount_that_is_rounded_line_by_line() -> None:
    worth = price(sale(item("58.99", "2"), item("9.95", "0.123"), payments=paid(cash="200")))
    assert [str(line.total) for line in worth.lines] == ["117.98", "1.22"]
    assert (worth.total, worth.change) == (Money("119.20"), Money("80.80"))
    three = sale(item("0.99"), item("0.99"), item("0.99"), payments=paid(card="2.67"))
    lowered = price(replace(three, discount=Percent(Decimal(10))))
    assert [str(line.total) for line in lowered.lines] == ["0.89", "0.89", "0.89"]


def test_a_stated_line_total_is_taken_as_it_is() -> None:
    worth = price(sale(item("189.99", "1.560", total="296.38"), payments=paid(cash="296.38")))
    assert worth.total == Money("296.38")
    assert worth.lines[0].unit_price == Money("189.99")
    lowered = price(sale(item("349.99", total="279.99"), payments=paid(cash="279.99")))
    assert lowered.lines[0].unit_price == Money("279.99")
    assert lowered.lines[0].before_discount == Money("349.99")


@each(
    ("request_", "field"),
    [
        (sale(item("10"), payments=paid(cash="9.99")), "payments"),
        (sale(item("10"), payments=paid(card="10.01")), "payments"),
        (sale(item("10"), payments=paid(card="10", voucher="0.01")), "payments"),
        (advance(item("100"), payments=paid(card="100.01")), "payments"),
        (replace(sale(item("10"), payments=paid(cash="10")), total=Money("10.01")), "totalAmount"),
        (
            replace(
                sale(item("10"), payments=paid(cash="10")),
                advance_specification={TaxLabel.E: Money(10)},
            ),
            "advanceSpecification",
        ),
        (
            sale(item("1"), replace(item("10"), article=None), payments=paid(cash="11")),
            "items[1].article",
        ),
    ],
)
def test_what_does_not_fit_is_named(request_: IssueRequest, field: str) -> None:
    with pytest.raises(Invalid) as refusal:
        price(request_)
    assert refusal.value.field == field


def test_an_advance_is_one_line_a_label_over_what_is_paid() -> None:
    worth = price(
        advance(item("100"), item("300", article=COFFEE), payments=paid(wiretransfer="100"))
    )
    told = [(line.name, str(line.total)) for line in worth.lines]
    assert told == [("11: Аванс", "25.00"), ("10: Аванс", "75.00")]
    assert worth.total == Money(100)
    assert worth.goods == Money(400)


def test_unknown_amount_with_two_labels_needs_the_specification() -> None:
    request = replace(
        advance(item("1"), item("1", article=COFFEE), payments=paid(card="50")),
        unknown_amount_advance=True,
    )
    with pytest.raises(Invalid) as refusal:
        price(request)
    assert refusal.value.field == "advanceSpecification"
    split = {TaxLabel.E: Money(20), TaxLabel.DJ: Money(30)}
    assert price(replace(request, advance_specification=split)).total == Money(50)


@each(
    ("split", "field"),
    [
        ({TaxLabel.E: "20", TaxLabel.DJ: "31"}, "advanceSpecification"),
        ({TaxLabel.G: "50"}, "advanceSpecification.Г"),
        ({TaxLabel.E: "40", TaxLabel.DJ: "10"}, "advanceSpecification.Е"),
    ],
)
def test_a_wrong_specification_is_refused(split: dict[TaxLabel, str], field: str) -> None:
    request = replace(
        advance(item("30"), item("30", article=COFFEE), payments=paid(card="50")),
        advance_specification={label: Money(value) for label, value in split.items()},
    )
    with pytest.raises(Invalid) as refusal:
        price(request)
    assert refusal.value.field == field


items = st.builds(
    item,
    st.decimals("0.01", 10**5, places=2).map(str),
    st.decimals("0.001", 999, places=3).map(str),
    article=st.sampled_from([BREAD, COFFEE]),
)


@given(lines=st.lists(items, min_size=1, max_size=30), percent=st.none() | st.integers(1, 100))
def test_the_total_is_the_sum_of_its_lines_and_of_its_labels(
    lines: list[RequestedItem], percent: int | None
) -> None:
    enough = paid(cash="99999999999")
    request = replace(
        sale(*lines, payments=enough), discount=Percent(Decimal(percent)) if percent else None
    )
    worth = price(request)
    assert Money.total(line.total for line in worth.lines) == worth.total
    assert Money.total(worth.by_label.values()) == worth.total
    assert worth.total + worth.change == enough.total
    # Computed totals that are sent as stated ones are priced to the same para again.
    stated = [replace(old, total=line.total) for old, line in zip(lines, worth.lines, strict=True)]
    again = price(replace(sale(*stated, payments=enough), total=worth.total))
    assert again.total == worth.total


@given(lines=st.lists(items, min_size=1, max_size=10), share=st.decimals("0.01", "1.00", places=2))
def test_advance_lines_add_up_to_what_is_paid(lines: list[RequestedItem], share: Decimal) -> None:
    goods = price(sale(*lines, payments=paid(cash="99999999999"))).total
    amount = Money.rounded(goods.amount * share)
    if not amount:
        return
    worth = price(advance(*lines, payments=Payments.of({PaymentMethod.WIRE_TRANSFER: amount})))
    assert worth.total == amount


# --- prices out of a binary float -----------------------------------------------------------------


def as_sent(amount: Decimal, quantity: Decimal) -> str:
    """amount / quantity as a client sends its float: the shortest digits, or PHP's 17."""
    return repr(float(amount) / float(quantity))


PARA = st.integers(1, 10**10).map(lambda count: Decimal(count).scaleb(-2))
GRAMS = st.integers(1, 10**6).map(lambda count: Decimal(count).scaleb(-3))


@given(PARA, GRAMS)
def test_an_amount_that_was_divided_by_grams_comes_back(amount: Decimal, quantity: Decimal) -> None:
    for digits in (as_sent(amount, quantity), f"{float(amount) / float(quantity):.17g}"):
        unit_price = UnitPrice(digits)
        assert line_total(unit_price, Quantity(quantity)) == Money(amount)


@given(PARA, GRAMS)
def test_noise_of_floats_is_the_para_and_the_gram_that_it_means(
    amount: Decimal, quantity: Decimal
) -> None:
    third = float(amount) / 3
    assert Money.without_float_noise(repr(third + third + third)) == Money(amount)
    assert Money.without_float_noise(f"{float(amount):.17g}") == Money(amount)
    assert Quantity.without_float_noise(repr(float(quantity) * 3 / 3)) == Quantity(quantity)


@each("value", ["0.3002", "0.305", "0.29989", "1e-3"])
def test_what_is_more_than_noise_is_no_amount(value: str) -> None:
    with pytest.raises(Invalid) as refusal:
        Money.without_float_noise(value)
    assert refusal.value.kind == "decimals"


def test_no_digit_of_a_price_is_lost_before_its_line_is_rounded() -> None:
    longest = UnitPrice("0.00499999999999999999999999999999999999")
    assert line_total(longest, Quantity.ONE) == Money.ZERO
    assert line_total(longest, Quantity.ONE, Percent(Decimal("0.0001"))) == Money.ZERO
