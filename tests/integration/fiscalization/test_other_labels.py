"""A processor that spells tax labels otherwise, as the tax administration's sandbox does."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.money.tax import TaxRates
from pos_app.fiscalization.refusals import NotSigned
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.rates import SANDBOX_RATES
from tests.integration.fiscalization.shop import SALE, Shop, opened

SANDBOX = Options(rates=SANDBOX_RATES)
LABELS = {"Ђ": "Ж", "Е": "A"}  # to Latin A
BACK: dict[str, Any] = {
    "payments": {"cash": Decimal("117.98")},
    "buyerId": "10:123456788",
    "receiptDelivery": {"pdf": False},
}


def labels_sent(shop: Shop) -> list[str]:
    requests = [json.loads(entry.request) for entry in shop.ledger()]
    return [item["labels"][0] for request in requests for item in request["items"]]


async def test_its_rates_are_told_under_our_labels_and_pairs_pass(folder: Path) -> None:
    """Its label for who is not in VAT becomes ours once it is mapped."""
    for more, outside in (({}, "C"), ({"А": "C"}, "А")):
        place = folder / outside
        async with opened(place, options=SANDBOX, labels={**LABELS, **more}) as shop:
            sold = await shop.sell()
            await shop.act("refund", sold.receipt_id, BACK)
            assert labels_sent(shop) == ["A", "A", "A"]
            status = shop.lane.status
            (rates,) = status.rates
            assert (rates.percent["Ђ"], rates.percent["Е"]) == (19, 9)
            assert rates.percent["F"] == 11  # a label to which none of ours is mapped
            assert rates.percent[outside] == 0
            assert (rates.outside_vat, rates.label_outside_vat) == ((outside,), outside)


@pytest.mark.parametrize(
    ("percent", "outside_vat", "label"),
    [
        ("ЂЕГА", ("А",), "А"), ("ЂЕГА", (), "А"), ("ЂА", ("А", "C"), "А"),
        ("FAC", ("C",), "C"), ("FAC", (), None), ("FACB", ("C", "B"), None),
        ("ЂЕГ", ("Г",), None), ("", (), None),
    ],
)  # fmt: skip
def test_a_label_for_who_is_not_in_vat_is_never_guessed(
    percent: str, outside_vat: tuple[str, ...], label: str | None
) -> None:
    rates = TaxRates(datetime(2026, 1, 1, tzinfo=UTC), dict.fromkeys(percent, Decimal(0)))
    assert replace(rates, outside_vat=outside_vat).label_outside_vat == label


async def test_without_a_map_its_labels_are_others_although_they_look_alike(folder: Path) -> None:
    """Labels differ by code point: the processor's E is Latin, ours is Cyrillic."""
    async with opened(folder, options=SANDBOX) as shop:
        with pytest.raises(NotSigned) as refusal:
            await shop.sell(SALE)
        assert refusal.value.pfr_code == "2310"
        assert shop.ledger() == []
