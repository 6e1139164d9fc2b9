"""The customer's money: acts in a row, and the settlement they end in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.cashier.payment.tender import NOTES, AmountEntry, EnterEffect, Tender
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod as By
from pos_app.domain.money.payment import Payments, settle
from pos_app.errors import Invalid
from tests.sweep import each

TOTAL = Money("1674.72")
METHODS = {
    "cash": By.CASH, "card": By.CARD, "check": By.CHECK, "instant": By.MOBILE_MONEY,
    "wire": By.WIRE_TRANSFER, "voucher": By.VOUCHER, "other": By.OTHER,
}  # fmt: skip


def begun(total: Money = TOTAL, *, whole: bool = True, first: By = By.CASH) -> Tender:
    return Tender.begin(total, first=first, in_whole_dinars=whole)


def after(acts: str, tender: Tender | None = None) -> Tender:
    """The tender after acts such as `card 1000 cash 2000 note:500 exact enter remove:1 up back`."""
    now = tender or begun()
    for act in acts.split():
        name, _, value = act.partition(":")
        if name in METHODS:
            now = now.choose(METHODS[name])
        elif name == "note":
            now = now.note(Money(value))
        elif name == "exact":
            now = now.exact()
        elif name == "enter":
            now, _ = now.enter()
        elif name == "remove":
            now = now.remove(int(value))
        elif name in {"up", "down"}:
            now = now.step(-1 if name == "up" else 1)
        elif name in {"back", "clear"}:
            now = now.key(name)
        else:
            for key in name:
                now = now.key(key)
    return now


def lines(tender: Tender) -> str:
    return " ".join(f"{line.method}={line.entry.field_text or '-'}" for line in tender.lines)


def test_gifts_alone_are_paid_by_other() -> None:
    """A customer who brings dearer goods back pays nothing else."""
    tender = replace(begun(Money(50)), for_gifts=Money(50))
    filled, effect = tender.enter()
    assert (lines(filled), effect) == ("other=50,00", EnterEffect.FILLED)
    assert filled.enter()[1] is EnterEffect.COVERED
    for acts, too_much in (
        ("1000", ["1000"]),
        ("other 50 cash 1000", ["1000"]),
        ("other 60", ["10"]),
        ("1000 card 20 other 60", ["1000", "20", "10"]),
    ):
        given = after(acts, tender)
        assert given.enter()[1] is EnterEffect.TOO_MUCH
        told = [given.too_much.get(line.id) for line in given.lines]
        assert [str(one) for one in told if one] == [str(Money(one)) for one in too_much]


@each(
    ("acts", "expected", "remaining", "change"),
    [
        ("", "cash=-", "1675", "0"),
        ("enter", "cash=1.675,00", "0", "0"),
        ("2000", "cash=2.000", "0", "325"),
        ("500", "cash=500", "1175", "0"),
        ("card", "card=1.674,72", "0", "0"),
        ("card 1000", "card=1.000", "675", "0"),
        ("card 1000 enter", "card=1.000 cash=675,00", "0", "0"),
        ("card 1000 cash 1000", "card=1.000 cash=1.000", "0", "325"),
        ("cash 1000 card", "cash=1.000 card=674,72", "0", "0"),
        ("card cash", "cash=1.675,00", "0", "0"),
        ("card voucher 674,72 cash", "voucher=674,72 cash=1.000,00", "0", "0"),
        ("card 1000 card", "card=1.000 card=674,72", "0", "0"),
        ("2000 cash", "cash=2.000", "0", "325"),
        ("2000 card 500", "cash=2.000 card=500", "0", "825"),
        ("note:1000 note:500 note:200", "cash=1.700,00", "0", "25"),
        ("card 1000 note:1000", "card=1.000 cash=1.000,00", "0", "325"),
        ("card note:2000", "cash=2.000,00", "0", "325"),
        ("card 1000 cash up note:1000", "card=1.000 cash=1.000,00", "0", "325"),
        ("card 1000 cash 500 remove:1", "cash=500", "1175", "0"),
        ("card remove:1", "cash=-", "1675", "0"),
        ("card 1000 cash 500 up 2 down 30", "card=2 cash=30", "1643", "0"),
        ("card 1000 cash 500 up down 5 0", "card=1.000 cash=50", "625", "0"),
        ("card 1000 cash 500 up back 5", "card=1.005 cash=500", "170", "0"),
        ("card 1000 cash 500 remove:2 7", "card=7", "1668", "0"),
        ("2000 clear", "cash=-", "1675", "0"),
        ("500 exact", "cash=1.675,00", "0", "0"),
    ],
)
def test_acts_end_in_lines(acts: str, expected: str, remaining: str, change: str) -> None:
    tender = after(acts)
    settled = tender.settlement()
    assert lines(tender) == expected
    assert (settled.remaining, settled.change) == (Money(remaining), Money(change))


@each(
    ("acts", "means", "expected"),
    [
        ("", EnterEffect.FILLED, "cash=1.675,00"),
        ("2000", EnterEffect.COVERED, "cash=2.000"),
        ("card", EnterEffect.COVERED, "card=1.674,72"),
        ("500", EnterEffect.SHORT, "cash=500"),
        ("card 500", EnterEffect.FILLED, "card=500 cash=1.175,00"),
        ("card 2000", EnterEffect.TOO_MUCH, "card=2.000"),
        ("cash 2000 card clear", EnterEffect.COVERED, "cash=2.000 card=-"),
    ],
)
def test_enter_fills_the_rest_or_means_confirm(
    acts: str, means: EnterEffect, expected: str
) -> None:
    tender, meant = after(acts).enter()
    assert (meant, lines(tender)) == (means, expected)


def test_what_fills_the_whole_amount() -> None:
    for total, cash in (("0.30", "0,30"), ("0.50", "0,50"), ("0.51", "1,00")):
        assert lines(after("enter", begun(Money(total)))) == f"cash={cash}"
    assert lines(after("enter", begun(whole=False))) == "cash=1.674,72"
    assert lines(after("card 500 cash").only(By.VOUCHER)) == "voucher=1.674,72"


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


def typed(keys: str, start: AmountEntry | None = None) -> AmountEntry:
    """Type keys that are separated by blanks, or have one character each."""
    entry = start or AmountEntry()
    for key in keys.split() if " " in keys else keys:
        entry = entry.key(key)
    return entry


@each(
    ("keys", "shown", "amount"),
    [
        ("", "", "0"),
        ("1", "1", "1"),
        ("1000", "1.000", "1000"),
        ("1 00 0", "1.000", "1000"),
        ("1000,5", "1.000,5", "1000.50"),
        ("1000.5", "1.000,5", "1000.50"),
        ("1000,505", "1.000,50", "1000.50"),
        (",5", "0,5", "0.50"),
        ("12,,3", "12,3", "12.30"),
        ("007", "7", "7"),
        ("0 00", "0", "0"),
        ("1 2 back", "1", "1"),
        ("1 , 5 back back", "1", "1"),
        ("1 2 clear", "", "0"),
        ("back", "", "0"),
        ("a-+5", "5", "5"),
        ("123456789", "123.456.789", "123456789"),
        ("1234567890", "123.456.789", "123456789"),
    ],
)
def test_keys_become_an_amount(keys: str, shown: str, amount: str) -> None:
    entry = typed(keys)
    assert (entry.field_text, entry.amount) == (shown, Money(amount))


def test_notes_add_up_and_typing_replaces_what_was_filled_in() -> None:
    given = AmountEntry().note(Money(1000)).note(Money(500))
    assert given.field_text == "1.500,00"
    assert given.key("2").field_text == "2"
    assert given.key("2").note(Money(200)).field_text == "200,00"
    exact = AmountEntry.exact(Money("1674.72"))
    assert exact.field_text == "1.674,72"
    assert [typed(keys, exact).field_text for keys in ("20", ",")] == ["20", "0,"]
