"""The customer's money: any acts in a row end in the arithmetic of the domain."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.cashier.payment.tender import NOTES, Tender
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod as By
from pos_app.domain.money.payment import Payments, settle
from pos_app.errors import Invalid

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
