"""What is open of receipts that are paid later, and how money is shared out among them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.reports import Receivable
from pos_app.errors import Invalid
from pos_app.selling.reports import receivables
from pos_app.selling.reports.receivables import OpenReceivable, check_day

TODAY = date(2026, 11, 20)


def receivable(number: str, day: int, amount: int, buyer: int | None = 1) -> Receivable:
    named = None if buyer is None else f"10:10000000{buyer}"
    methods = (PaymentMethod.WIRE_TRANSFER,)
    day_of = date(2026, 11, day)
    return Receivable(number, day_of, methods, Decimal(amount), buyer=named, buyer_key=buyer)


def came(number: str, amount: int) -> receivables.CollectedPayment:
    at = datetime(2026, 11, 20, tzinfo=UTC)
    return receivables.CollectedPayment(1, number, "", TODAY, Money(amount), "", "Ана", at)


def opened(number: str, day: int, rest: int) -> OpenReceivable:
    return OpenReceivable(receivable(number, day, max(rest, 0)), Decimal(max(-rest, 0)))


def test_a_part_leaves_the_rest_and_the_buyer_with_the_oldest_receipt_comes_first() -> None:
    receipts = [
        receivable("a", 1, 100, 2), receivable("b", 2, 50), receivable("c", 3, 70, 2),
        receivable("d", 4, 10, None), receivable("e", 5, 30),
    ]  # fmt: skip
    paid = [came("a", 40), came("b", 50), came("e", 10), came("e", 20), came("e", 5)]
    found = receivables.open_receivables(receipts, paid)
    assert [(one.number, int(one.rest_due)) for one in found] == [
        ("a", 60), ("c", 70), ("d", 10), ("e", -5),
    ]  # fmt: skip
    rows = receivables.table_by_buyer(found, on=TODAY, unfolded={found[0].group}, ticked={"a", "d"})
    assert [(line.key, line.cells[0]) for line in rows.lines] == [
        ("buyer 2", False), ("a", True), ("c", False), ("buyer ", True), ("buyer 1", False),
    ]  # fmt: skip
    assert rows.lines[0].cells[1:5] == ("10:100000002", 2, None, 19)
    name, count = rows.lines[1].cells[1:3]
    assert (str(name).split()[:2], count) == (["receipt", "a"], None), "a count is of buyers alone"
    assert rows.total is not None
    assert (rows.total[2], rows.total[-1]) == (4, Decimal(135))


@pytest.mark.parametrize(
    ("paid", "new", "rests"),
    [
        ({"a": 100}, {"b": (100, 0)}, {}),  # another buyer: all of it goes along
        ({"a": 40}, {"b": (100, 0)}, {"b": 60}),
        ({"a": 100}, {}, {"a": -100}),  # paid in cash by now: the transfer goes back
        ({"a": 100}, {"b": (30, 0)}, {"a": -70}),
        ({"a": 100}, {"b": (100, 100), "c": (100, 0)}, {}),  # corrected twice
        # The new receipt is refunded too: its buyer gets the money, whoever it came from.
        ({"a": 100}, {"b": (100, 100)}, {"b": -100}),
        ({"a": 100, "b": -100}, {"b": (100, 100)}, {}),
        ({"a": 100}, {"b": (100, 30)}, {"b": -30}),
        ({"a": 40}, {"b": (100, 100)}, {"b": -40}),
        ({"a": 40, "b": 60}, {"b": (100, 100)}, {"b": -100}),
        ({"b": 100}, {"b": (100, 100)}, {"b": -100}),
        ({"a": 100, "b": 100}, {"b": (100, 100)}, {"a": -100, "b": -100}),  # both paid
        ({}, {"b": (100, 100)}, {}),
        ({"a": 100}, {"b": (100, 100), "c": (100, 100)}, {"c": -100}),
        ({"a": 100}, {"b": (60, 0), "c": (40, 40)}, {"c": -40}),  # two exchanges
        ({"a": 50}, {"b": (60, 0), "c": (40, 40)}, {"b": 10}),
    ],
)
def test_what_came_in_for_a_receipt_that_was_replaced_is_of_the_one_in_its_place(
    paid: dict[str, int], new: dict[str, tuple[int, int]], rests: dict[str, int]
) -> None:
    """new: what each receipt in the place of `a` is paid later, and what was refunded of it."""
    came_in = [came(number, amount) for number, amount in paid.items()]
    receipts = [
        replace(receivable(number, day, amount, day), given_back=Decimal(back))
        for day, (number, (amount, back)) in enumerate({"a": (100, 100), **new}.items(), start=1)
    ]
    assert ("a" in receivables.overpaid(receipts, came_in)) is ("a" in paid)
    found = receivables.open_receivables(receipts, came_in, {"a": ["b", "c"]} if paid else {})
    assert {one.number: int(one.rest_due) for one in found} == rests


@pytest.mark.parametrize(
    ("rests", "amount", "shares"),
    [
        ((60, 70), 130, {"0": 60, "1": 70}),
        ((60, 70), 100, {"0": 60, "1": 40}),
        ((60, 70), 60, {"0": 60}),
        ((-5, -10), 12, {"0": -5, "1": -7}),
        ((60, 70), "130.01", ("above_rest", "amount")),
        ((-5,), 6, ("above_rest", "amount")),
        ((60,), 0, ("no_payment", "amount")),
        ((60, -5), 10, ("owed_and_given_back", "receipts")),
    ],
)
def test_money_is_shared_out_with_the_oldest_receipt_first_and_no_more_than_is_owed(
    rests: tuple[int, ...], amount: int | str, shares: dict[str, int] | tuple[str, str]
) -> None:
    """shares: by receipt, or the kind and the field of the refusal."""
    receipts = [opened(str(place), place + 1, rest) for place, rest in enumerate(rests)]
    if isinstance(shares, dict):
        found = receivables.shared_out(receipts[::-1], Money(amount))
        assert {one.number: int(one.amount.amount) for one in found} == shares
        return
    with pytest.raises(Invalid) as refused:
        receivables.shared_out(receipts, Money(amount))
    assert (refused.value.kind, refused.value.field) == shares


def test_a_payment_is_of_today_or_before_and_not_before_its_receipt() -> None:
    assert check_day(TODAY, today=TODAY, since=TODAY) == TODAY
    for day in (None, date(2026, 11, 21), date(2026, 11, 19)):
        with pytest.raises(Invalid) as refused:
            check_day(day, today=TODAY, since=TODAY)
        assert refused.value.field == "day"
