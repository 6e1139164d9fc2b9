"""The payment of one cart: figure, papers, and the frozen sale, over a till in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.cashier.payment.tender import NOTES, Tender
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments, settle
from pos_app.domain.money.payment import PaymentMethod as By
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.selling.sale import receipt_drafts, sell
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from tests.fakes.memory_till import MemoryTill
from tests.fakes.till import CASHIER, article, till_of
from tests.fakes.till_clock import StandingClock
from tests.sweep import each


@pytest.fixture
def till() -> Till:
    return till_of(MemoryTill().carts, StandingClock())


def sold(till: Till, *prices: str, kind: DocumentKind = DocumentKind.SALE) -> Ticket:
    """A cart with one article for each price; the second has another tax label."""
    basket = sell.start(till=till, cashier=CASHIER)
    if kind is not DocumentKind.SALE:
        basket = sell.set_kind(till=till, ticket=basket, kind=kind, cashier=CASHIER)
    for number, price in enumerate(prices):
        label = TaxLabel.DJ if number == 1 else TaxLabel.E
        basket = added(till, basket, f"Роба {number}", price, label)
    return basket


def added(
    till: Till, ticket: Ticket, name: str, price: str, label: TaxLabel = TaxLabel.E
) -> Ticket:
    what = replace(article(name, price), label=label)
    done = sell.add_item(till=till, ticket=ticket, article=what, quantity=Quantity.ONE)
    assert isinstance(done, sell.ItemAdded)
    return done.ticket


NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
BOTH = {TaxLabel.E: Money("1000"), TaxLabel.DJ: Money("674.72")}
WIRE = Payments.of({PaymentMethod.WIRE_TRANSFER: Money(1000)})
CASH = Payments.of({PaymentMethod.CASH: Money(1000)})


@each(
    ("amount", "unknown", "parts", "fault"),
    [
        ("", False, {}, None),
        ("1000", False, {}, None),
        ("2000", False, {}, "above_total"),
        ("2000", True, {TaxLabel.E: "1500", TaxLabel.DJ: "500"}, None),
        ("0", False, {}, "nothing"),
        ("x", False, {}, "number"),
        ("1000", True, {}, "split_needed"),
        ("1000", True, {TaxLabel.E: "600", TaxLabel.DJ: "300"}, "split_sum"),
        ("1000", True, {TaxLabel.E: "600", TaxLabel.DJ: "400"}, None),
        ("1100", False, {TaxLabel.E: "1100"}, "split_above"),
        ("1000", False, {TaxLabel.E: "x"}, "number"),
    ],
)
def test_an_advance_and_its_split(
    amount: str, unknown: bool, parts: Mapping[TaxLabel, str], fault: str | None
) -> None:
    found = receipt_drafts.AdvanceDraft(amount, unknown, parts).fault(BOTH)
    assert (found.kind if found else None) == fault
    one_label = receipt_drafts.AdvanceDraft("100", unknown=True)
    assert one_label.fault({TaxLabel.E: Money(50)}) is None, "it needs no split"


@each(
    ("day", "time", "given", "fault"),
    [
        ("", "", CASH, None),
        ("19.11.2026", "", WIRE, None),
        ("19.11.", "14:30", WIRE, None),
        ("19.11.2026.", "", CASH, "no_transfer"),
        ("31.2.2026", "", WIRE, "date"),
        ("19.11.2026", "1430", WIRE, None),
        ("19.11.2026", "25:00", WIRE, "time"),
        ("31.2.2026", "25:00", WIRE, "date"),
        ("yesterday", "", WIRE, "date"),
        ("20.11.2026", "10:31", WIRE, "future"),
        ("31.12.9999", "23:59", WIRE, "date"),
        ("1.1.0001", "0:10", WIRE, "date"),
        ("31.10.2021", "23:59", WIRE, "too_early"),
        ("1.11.2021", "0:00", WIRE, None),
        ("20.11.2026", "10:30", WIRE, None),
    ],
)
def test_the_time_of_a_transfer(day: str, time: str, given: Payments, fault: str | None) -> None:
    """A day is a day in Belgrade."""
    arrived = receipt_drafts.AdvanceDraft(day="19.11.2026", time="14:30").arrived(NOW)
    assert arrived == datetime(2026, 11, 19, 13, 30, tzinfo=UTC)
    found = receipt_drafts.AdvanceDraft(day=day, time=time).wire_fault(given, NOW)
    assert (found.kind if found else None) == fault


TOTAL = Money("1674.72")


def begun(total: Money = TOTAL, *, whole: bool = True, first: By = By.CASH) -> Tender:
    return Tender.begin(total, first=first, in_whole_dinars=whole)


ACTS = st.one_of(
    st.sampled_from(list(By)).map(lambda method: lambda t: t.choose(method)),
    st.sampled_from(NOTES).map(lambda note: lambda t: t.note(note)),
    st.sampled_from(["0", "1", "7", "00", ",", ".", "back", "clear"]).map(
        lambda key: lambda t: t.key(key)
    ),
    st.just(lambda t: t.exact()),
    st.just(lambda t: t.enter()[0]),
    st.just(lambda t: t.step(-1)),
    st.just(lambda t: t.step(1)),
    st.integers(0, 9).map(lambda n: lambda t: t.remove(t.lines[n % len(t.lines)].id)),
    st.sampled_from([Money("0.30"), Money(1), Money("999.51")]).map(
        lambda due: lambda t: t.owing(due)
    ),
)


@given(
    total=st.decimals("0", "99999.99", places=2).map(Money),
    whole=st.booleans(),
    acts=st.lists(ACTS, max_size=25),
)
def test_any_acts_end_in_the_arithmetic_of_the_domain(
    total: Money, whole: bool, acts: list[Callable[[Tender], Tender]]
) -> None:
    tender = begun(total, whole=whole)
    for act in acts:
        tender = act(tender)
        assert tender.active in {line.id for line in tender.lines}
        assert len({line.id for line in tender.lines}) == len(tender.lines)
    given_now = Payments.of(
        {method: Money.total(_of(tender, method)) for method in {x.method for x in tender.lines}}
    )
    assert given_now.total == tender.payments.total
    if tender.excess:
        with pytest.raises(Invalid):
            settle(tender.due, given_now, in_whole_dinars=whole)
        return
    expected = settle(tender.due, given_now, in_whole_dinars=whole)
    settled = tender.settlement()
    told = (settled.remaining, settled.change, settled.rounding)
    assert told == (expected.remaining, expected.change, expected.rounding)
    assert tender.is_covered == (expected.remaining == Money.ZERO)
    if not tender.is_covered:
        assert all(tender.choose(method).is_covered for method in By)


def _of(tender: Tender, method: By) -> list[Money]:
    return [line.entry.amount for line in tender.lines if line.method is method]
