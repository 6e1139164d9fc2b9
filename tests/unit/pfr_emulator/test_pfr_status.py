"""Status, environment, request headers and the fault program."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from pos_app.pfr_emulator import json_text
from pos_app.pfr_emulator.app import check_pac, negotiate_language, read_request_id
from pos_app.pfr_emulator.codes import Refusal
from pos_app.pfr_emulator.faults import Fault, FaultProgram
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.processor import Processor
from pos_app.pfr_emulator.rates import SANDBOX_RATES
from tests.sweep import each

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


def test_an_lpfr_tells_all_of_itself(processor: Processor) -> None:
    status = status_of(processor)
    assert status["sdcDateTime"] == "2026-01-05T09:07:03.125+01:00"
    assert status["supportedLanguages"] == ["sr-Cyrl-RS", "en-US"]
    assert status["uid"] == processor.uid
    assert status["isPinRequired"] is False
    assert status["auditRequired"] is False
    assert status["protocolVersion"].startswith("3")
    assert status["gsc"] == ["0000", "0210"]
    assert status["mssc"] == []
    wanted = {
        "lastInvoiceNumber",
        "secureElementVersion",
        "hardwareVersion",
        "softwareVersion",
        "deviceSerialNumber",
        "make",
        "model",
        "taxCoreApi",
    }
    assert wanted <= status.keys()


def test_a_vpfr_reports_no_counter_and_nothing_of_a_device(open_processor: Open) -> None:
    assert set(status_of(open_processor(mode="vpfr"))) == {
        "sdcDateTime",
        "supportedLanguages",
        "uid",
        "taxCoreApi",
        "currentTaxRates",
        "allTaxRates",
    }


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


def test_the_sandbox_has_its_own_labels(open_processor: Open) -> None:
    status = status_of(open_processor(options=Options(rates=SANDBOX_RATES)))
    assert rates(status["currentTaxRates"]) == {
        "F": 11,
        "N": 0,
        "P": 0.5,
        "E": 6,
        "T": 2,
        "A": 9,
        "B": 0,
        "Ж": 19,
        "C": 0,
    }
    kinds = {
        category["name"]: category["categoryType"]
        for category in status["currentTaxRates"]["taxCategories"]
    }
    assert (kinds["ECAL"], kinds["TOTL"], kinds["PBL"]) == (0, 1, 2)


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


def test_the_environment_names_its_endpoints(processor: Processor) -> None:
    environment = processor.environment()
    assert set(environment) == {
        "organizationName",
        "serverTimeZone",
        "street",
        "city",
        "country",
        "endpoints",
        "environmentName",
        "logo",
        "ntpServer",
        "supportedLanguages",
    }
    endpoints = environment["endpoints"]
    assert isinstance(endpoints, dict)
    assert set(endpoints) == {"taxpayerAdminPortal", "taxCoreApi", "vsdc", "root"}


@each(
    ("header", "language"),
    [
        (None, "sr-Cyrl-RS"),
        ("", "sr-Cyrl-RS"),
        ("sr-Cyrl-RS", "sr-Cyrl-RS"),
        ("en-US;sr-Cyrl-RS", "en-US"),
        ("en-us, sr;q=0.8", "en-US"),
        ("de-DE;en", "en-US"),
        ("sr", "sr-Cyrl-RS"),
        ("fr;*", "sr-Cyrl-RS"),
        ("de-DE", None),
        ("sr-Latn-RS", None),
        ("srp", None),
        ("e", None),
        ("q=0.8", None),
        (";", None),
    ],
)
def test_language_negotiation(header: str | None, language: str | None) -> None:
    assert negotiate_language(header) == language


@pytest.mark.parametrize(
    ("pac", "code"), [(None, "2800"), ("", "2800"), ("DEV12", "2803"), ("DEV999", "2805")]
)
def test_a_pac_that_does_not_fit(pac: str | None, code: str) -> None:
    with pytest.raises(Refusal, match=f"PAC: {code}"):
        check_pac(pac, pac="DEV123")


def test_a_request_id_has_at_most_32_characters() -> None:
    assert read_request_id("a" * 32) == "a" * 32
    assert read_request_id(None) is None
    with pytest.raises(Refusal, match="RequestId: 2801"):
        read_request_id("a" * 33)


def test_faults_come_in_the_order_they_were_programmed() -> None:
    program = FaultProgram()
    program.add(Fault(kind="drop", count=2))
    program.add(Fault(kind="refuse", code="2220", count=None))
    taken = [program.take() for _ in range(4)]
    assert [fault.kind for fault in taken if fault] == ["drop", "drop", "refuse", "refuse"]
    assert [fault.kind for fault in program.pending()] == ["refuse"]
    program.clear()
    assert program.take() is None


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "explode"},
        {"kind": "drop", "count": 0},
        {"kind": "slow", "seconds": -1},
        {"kind": "refuse"},
        {"kind": "refuse", "code": "13"},
        {"kind": "drop", "code": "1300"},
        {"kind": "drop", "often": True},
    ],
)
def test_a_fault_that_makes_no_sense_is_refused(fault: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Fault.model_validate(fault)


def test_a_condition_that_is_not_known_is_refused_and_changes_nothing(processor: Processor) -> None:
    before = processor.condition
    for changes in ({"card": "lost"}, {"weather": "fine"}, {"delay_ms": -1}, {"warnings": ["1"]}):
        with pytest.raises(ValidationError):
            processor.change(**changes)
    assert processor.condition == before
