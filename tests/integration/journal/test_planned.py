"""A plan comes back from the journal as it was, whatever its numbers look like in JSON."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from pos_app.adapters.sqlite.journal.packing import planned_from_json, planned_to_json
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.receipt import esir_part
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.fiscalization.plans.basis import Basis
from pos_app.fiscalization.plans.issue import priced, receipt_of
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.plans.shop_choices import USUAL
from tests.sweep import each
from tests.unit.documents.papers import NOON, item, request

PERCENTS = st.integers(1, 1_000_000).map(lambda count: Percent(Decimal(count).scaleb(-4)))
AMOUNTS = st.integers(0, 10**10).map(lambda paras: Money(Decimal(paras).scaleb(-2)))
LOWERED = st.builds(
    esir_part.LoweredLine,
    name=st.text(min_size=1, max_size=20),
    before=AMOUNTS,
    after=AMOUNTS,
    percent=st.none() | PERCENTS,
)
PARTS = st.builds(
    esir_part.EsirPart,
    lowered=st.lists(LOWERED, max_size=3).map(tuple),
    additional_text=st.text(max_size=20),
    advance=st.none()
    | st.builds(esir_part.AdvanceFigures, paid=AMOUNTS, vat=AMOUNTS, remaining=AMOUNTS),
    last_advance=st.none()
    | st.just(esir_part.ReceiptReference("A-B-1", NOON + timedelta(seconds=1))),
    is_unchecked=st.booleans(),
    is_reversal=st.booleans(),
)


def kept(planned: PlannedReceipt) -> PlannedReceipt:
    return planned_from_json(planned_to_json(planned))


def planned(price: str = "354.10", percent: Percent | None = None) -> PlannedReceipt:
    asked = request(item("Хлеб", price), cash="1000.00", discount=percent)
    return receipt_of(asked, priced(asked), Basis(now=NOON, cashier="Ана", rules=USUAL))


@each("percent", ["1", "10", "100", "12.5", "10.0", "0.0001", "99.9999"])
@each("price", ["100.00", "99.90", "0.01"])
def test_a_sale_with_a_discount(percent: str, price: str) -> None:
    plan = planned(price, Percent(Decimal(percent)))
    assert kept(plan) == plan


@given(part=PARTS)
def test_what_the_esir_says(part: esir_part.EsirPart) -> None:
    plan = replace(planned(), esir=part)
    assert kept(plan) == plan


@given(
    delivery=st.builds(
        ReceiptDelivery,
        thermal=st.booleans(),
        a4=st.booleans(),
        email=st.none() | st.just("kupac@primer.rs"),
        pdf=st.booleans(),
        base64_pdf=st.booleans(),
    )
)
def test_how_it_is_handed_over(delivery: ReceiptDelivery) -> None:
    plan = replace(planned(), delivery=delivery)
    assert kept(plan) == plan
