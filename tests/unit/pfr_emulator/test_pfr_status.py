"""Status, environment, request headers and the fault program."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from pos_app.pfr_emulator import json_text
from pos_app.pfr_emulator.codes import Refusal
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.processor import Processor
from pos_app.pfr_emulator.rates import SANDBOX_RATES

Sale = Callable[..., bytes]
Open = Callable[..., Processor]


def status_of(processor: Processor) -> dict[str, Any]:
    status: dict[str, Any] = json.loads(json_text.encode(processor.status()))
    return status


def rates(group: dict[str, Any]) -> dict[str, float]:
    return {
        rate["label"]: rate["rate"]
        for category in group["taxCategories"]
        for rate in category["taxRates"]
    }


def test_a_vpfr_reports_no_counter_and_nothing_of_a_device(open_processor: Open) -> None:
    assert set(status_of(open_processor(mode="vpfr"))) == {
        "sdcDateTime", "supportedLanguages", "uid", "taxCoreApi", "currentTaxRates", "allTaxRates",
    }  # fmt: skip


def test_the_rates_in_force_and_those_still_to_come(processor: Processor) -> None:
    status = status_of(processor)
    assert rates(status["currentTaxRates"]) == {"Ђ": 20, "Е": 10, "Г": 0, "А": 0}
    groups = status["allTaxRates"]
    assert status["currentTaxRates"] in groups
    future = [group for group in groups if group["validFrom"] > status["sdcDateTime"]]
    assert [rates(group)["Ђ"] for group in future] == [22]
    assert [category["name"] for category in groups[1]["taxCategories"]] == [
        "О-ПДВ",
        "П-ПДВ",
        "Без ПДВ",
        "Није у ПДВ",
    ]


def test_some_lpfrs_send_the_name_of_a_category_type(open_processor: Open) -> None:
    options = Options(rates=SANDBOX_RATES, category_type_form="name")
    categories = status_of(open_processor(options=options))["currentTaxRates"]["taxCategories"]
    assert {category["categoryType"] for category in categories} == {
        "TaxOnNet",
        "TaxOnTotal",
        "AmountPerQuantity",
    }


def test_without_the_card_neither_uid_nor_rates_are_known(processor: Processor) -> None:
    processor.change(card="out")
    status = status_of(processor)
    assert status["uid"] is None
    assert status["lastInvoiceNumber"] is None
    assert status["gsc"][0] == "1300"
    assert {"currentTaxRates", "allTaxRates"}.isdisjoint(status)
    with pytest.raises(Refusal, match="1300"):
        processor.environment()
