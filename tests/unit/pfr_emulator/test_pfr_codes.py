"""Every code of protocol v3 (2809 has no known meaning) is raised by the fault it belongs to."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.pfr_emulator import json_text
from pos_app.pfr_emulator.codes import Refusal
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.processor import Processor
from pos_app.pfr_emulator.rates import SANDBOX_RATES
from tests.sweep import each
from tests.unit.pfr_emulator.sales import sale

Open = Callable[..., Processor]


def refusal_of(processor: Processor, body: bytes) -> dict[str, str]:
    """The code reported for each property; signing must fail and leave no trace."""
    with pytest.raises(Refusal) as caught:
        processor.sign(body)
    assert processor.entries() == []
    return {problem.where: problem.code for problem in caught.value.problems}


def item(**changes: Any) -> list[dict[str, Any]]:
    line = {"name": "x", "quantity": 1, "unitPrice": 241, "totalAmount": 241, "labels": ["Ђ"]}
    return [{name: value for name, value in {**line, **changes}.items() if value != "absent"}]


def paid(**changes: Any) -> list[dict[str, Any]]:
    part = {"amount": 241, "paymentType": 1, **changes}
    return [{name: value for name, value in part.items() if value != "absent"}]


REFUND = {
    "transactionType": "Refund",
    "referentDocumentNumber": "ABCD1234-ABCD1234-7",
    "referentDocumentDT": "2026-01-04T10:00:00",
}

PROPERTY_FAULTS: list[tuple[dict[str, Any], str, str]] = [
    # missing
    ({"invoiceType": None}, "invoiceType", "2800"),
    ({"transactionType": None}, "transactionType", "2800"),
    ({"payment": None}, "payment", "2800"),
    ({"items": None}, "items", "2800"),
    ({"items": item(name="absent")}, "items[0].name", "2800"),
    ({"items": item(name="")}, "items[0].name", "2800"),
    ({"items": item(quantity=None)}, "items[0].quantity", "2800"),
    ({"items": item(unitPrice="absent")}, "items[0].unitPrice", "2800"),
    ({"items": item(totalAmount="absent")}, "items[0].totalAmount", "2800"),
    ({"items": item(labels="absent")}, "items[0].labels", "2800"),
    ({"payment": paid(amount="absent")}, "payment[0].amount", "2800"),
    ({"payment": paid(paymentType="absent")}, "payment[0].paymentType", "2800"),
    ({**REFUND, "referentDocumentNumber": None}, "referentDocumentNumber", "2800"),
    ({**REFUND, "referentDocumentDT": None}, "referentDocumentDT", "2800"),
    ({"invoiceType": "Copy", "referentDocumentNumber": "ABCD1234-ABCD1234-7"},
     "referentDocumentDT", "2800"),
    # length
    ({"buyerCostCenterId": "1" * 51}, "buyerCostCenterId", "2801"),
    ({"buyerId": "10:" + "1" * 18}, "buyerId", "2801"),
    ({"invoiceNumber": "1" * 61}, "invoiceNumber", "2801"),
    ({**REFUND, "referentDocumentNumber": "1" * 51}, "referentDocumentNumber", "2801"),
    ({"items": item(gtin="1" * 15)}, "items[0].gtin", "2801"),
    ({"items": item(gtin="1234567")}, "items[0].gtin", "2802"),
    ({"cashier": "п" * 51}, "cashier", "2803"),
    ({"items": item(name="x" * 2049)}, "items[0].name", "2803"),
    ({"items": item(labels=["ЂЕ"])}, "items[0].labels[0]", "2803"),
    # range
    ({"items": item(quantity=0)}, "items[0].quantity", "2804"),
    ({"items": item(quantity=0.0001)}, "items[0].quantity", "2804"),
    ({"items": item(unitPrice=-0.01)}, "items[0].unitPrice", "2804"),
    ({"items": item(totalAmount=1_000_000_000_000)}, "items[0].totalAmount", "2804"),
    ({"payment": paid(amount=-1)}, "payment[0].amount", "2804"),
    ({"payment": paid(amount=1_000_000_000_000)}, "payment[0].amount", "2804"),
    ({**REFUND, "referentDocumentNumber": "ABCD1234-ABCD1234-07"},
     "referentDocumentNumber", "2804"),
    # value
    ({"invoiceType": 5}, "invoiceType", "2805"),
    ({"invoiceType": "Invoice"}, "invoiceType", "2805"),
    ({"invoiceType": "0"}, "invoiceType", "2805"),
    ({"invoiceType": 0.5}, "invoiceType", "2805"),
    ({"transactionType": True}, "transactionType", "2805"),
    ({"payment": paid(paymentType=7)}, "payment[0].paymentType", "2805"),
    ({"payment": paid(amount="241.00")}, "payment[0].amount", "2805"),
    ({"payment": {}}, "payment", "2805"),
    ({"payment": [241]}, "payment[0]", "2805"),
    ({"items": item(quantity="1")}, "items[0].quantity", "2805"),
    ({"items": item(name=7)}, "items[0].name", "2805"),
    ({"items": item(labels=[7])}, "items[0].labels[0]", "2805"),
    ({"items": item(labels="Ђ")}, "items[0].labels", "2805"),
    ({"cashier": 7}, "cashier", "2805"),
    ({"options": {"omitQRCodeGen": "2"}}, "options.omitQRCodeGen", "2805"),
    ({"options": {"omitTextualRepresentation": True}}, "options.omitTextualRepresentation", "2805"),
    ({"options": "none"}, "options", "2805"),
    # format
    ({**REFUND, "referentDocumentNumber": "ABCD1234-7"}, "referentDocumentNumber", "2806"),
    ({**REFUND, "referentDocumentNumber": "abcd1234-ABCD1234-7"}, "referentDocumentNumber", "2806"),
    ({**REFUND, "referentDocumentDT": "05.01.2026."}, "referentDocumentDT", "2806"),
    ({**REFUND, "referentDocumentDT": "2026-13-01T10:00:00"}, "referentDocumentDT", "2806"),
    ({**REFUND, "referentDocumentDT": "9999-12-31T23:30:00Z"}, "referentDocumentDT", "2806"),
    ({**REFUND, "referentDocumentDT": "0001-01-01T00:00:00"}, "referentDocumentDT", "2806"),
    ({"dateAndTimeOfIssue": "9999-12-31T23:30:00Z"}, "dateAndTimeOfIssue", "2806"),
    ({"dateAndTimeOfIssue": 20260105}, "dateAndTimeOfIssue", "2806"),
    ({"items": item(gtin="12345678x")}, "items[0].gtin", "2806"),
    ({"items": item(quantity=1.0001)}, "items[0].quantity", "2806"),
    ({"items": item(totalAmount=241.001)}, "items[0].totalAmount", "2806"),
    ({"payment": paid(amount=0.30000000000000004)}, "payment[0].amount", "2806"),
    # lists
    ({"items": []}, "items", "2807"),
    ({"payment": []}, "payment", "2807"),
    ({"items": item(labels=[])}, "items[0].labels", "2807"),
    ({"items": item() * 501}, "items", "2808"),
    ({"payment": paid() * 51}, "payment", "2808"),
    ({"items": item(labels=list("ЂЕГАЂ"))}, "items[0].labels", "2808"),
    # labels
    ({"items": item(labels=["A"])}, "items[0].labels[0]", "2310"),
    ({"items": item(labels=["Ђ", "Ђ"])}, "items[0].labels[1]", "2310"),
]  # fmt: skip


@each(("changes", "where", "code"), PROPERTY_FAULTS)
def test_a_fault_of_a_property_has_its_code(
    processor: Processor, changes: dict[str, Any], where: str, code: str
) -> None:
    assert refusal_of(processor, sale(**changes)) == {where: code}


@pytest.mark.parametrize(
    ("body", "code"),
    [(b"", "2800"), (b"null", "2800"), (b"[]", "2805"), (b"{", "2806"), (b'{"a":NaN}', "2806")],
)
def test_a_body_that_is_no_request(processor: Processor, body: bytes, code: str) -> None:
    assert refusal_of(processor, body) == {"": code}


CONDITIONS: list[tuple[dict[str, Any], str]] = [
    ({"card": "out"}, "1300"),
    ({"pin": "required"}, "1500"),
    ({"pin": "blocked"}, "2110"),
    ({"audit": "locked"}, "2210"),
    ({"element": "unreachable"}, "2220"),
    ({"element": "mismatch"}, "2230"),
    ({"configured": False}, "2400"),
]


@pytest.mark.parametrize(("condition", "code"), CONDITIONS)
def test_a_condition_that_blocks_signing(
    processor: Processor, condition: dict[str, Any], code: str
) -> None:
    processor.change(**condition)
    assert refusal_of(processor, sale()) == {"": code}
    assert code in gsc(processor)


def gsc(processor: Processor) -> list[str]:
    codes = processor.status()["gsc"]
    assert isinstance(codes, list)
    return codes


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ({"storage_full": True}, "1100"),
        ({"audit": "needed"}, "1400"),
        ({"warnings": ["1999"]}, "1999"),
        ({"internet": False}, "0220"),
        ({"internet": True}, "0210"),
        ({}, "0000"),
    ],
)
def test_a_warning_shows_in_the_status_and_does_not_block(
    processor: Processor, condition: dict[str, Any], code: str
) -> None:
    processor.change(**condition)
    processor.sign(sale())
    assert code in gsc(processor)


def test_the_audit_limit_warns_at_75_percent_and_locks_when_reached(open_processor: Open) -> None:
    processor = open_processor(options=Options(audit_limit=Decimal(900)))
    processor.change(internet=False)
    seen = []
    for _ in range(4):
        processor.sign(sale())
        seen.append((processor.status()["auditRequired"], gsc(processor)[0]))
    assert seen == [(False, "0000"), (False, "0000"), (True, "1400"), (True, "2210")]
    with pytest.raises(Refusal, match="2210"):
        processor.sign(sale())
    processor.audit()
    processor.sign(sale())
    assert len(processor.entries()) == 5


def test_every_name_and_number_of_the_enumerations_is_understood(open_processor: Open) -> None:
    processor = open_processor(options=Options(rates=SANDBOX_RATES))
    names = ["Other", "cash", "CARD", "Check", "WireTransfer", "Voucher", "MobileMoney"]
    payment = [{"amount": 1, "paymentType": name} for name in names]
    payment += [{"amount": 1, "paymentType": number} for number in range(7)]
    kinds = ["Normal", "ProForma", "Copy", "training", "Advance", 0, 1, 2, 3, 4]
    for kind in kinds:
        processor.sign(
            sale(**REFUND | {"invoiceType": kind, "payment": payment, "items": item(labels=["A"])})
        )
    assert [entry.invoice_type for entry in processor.entries()] == [0, 1, 2, 3, 4] * 2
    assert {entry.transaction_type for entry in processor.entries()} == {1}


def test_what_a_pfr_does_not_check(open_processor: Open, tmp_path: Path) -> None:
    """It does not compare payments or price x quantity with the total, nor a buyer's id; surplus
    decimals can be rounded instead."""
    processor = open_processor(folder=tmp_path / "strict")
    for amount in (0, 100, 5000):
        items = item(quantity=3, unitPrice=5)
        body = sale(buyerId="99:није", items=items, payment=paid(amount=amount))
        processor.sign(body)
    assert len(processor.entries()) == 3
    rounds = open_processor(options=Options(surplus_decimals="round"))
    body = sale(items=item(unitPrice=10.267, totalAmount=20.143), payment=paid(amount=20.145))
    answer = json.loads(rounds.sign(body))
    assert answer["totalAmount"] == 20.14
    assert "        10,27          1           20,14\r\n" in answer["journal"]
    assert "Готовина:" + "20,15".rjust(31) in answer["journal"]


def status_of(processor: Processor) -> dict[str, Any]:
    status: dict[str, Any] = json.loads(json_text.encode(processor.status()))
    return status


def rates(group: dict[str, Any]) -> dict[str, float]:
    return {
        rate["label"]: rate["rate"]
        for category in group["taxCategories"]
        for rate in category["taxRates"]
    }


def test_the_rates_in_force_and_those_still_to_come(open_processor: Open, tmp_path: Path) -> None:
    status = status_of(open_processor())
    assert rates(status["currentTaxRates"]) == {"Ђ": 20, "Е": 10, "Г": 0, "А": 0}
    groups = status["allTaxRates"]
    assert status["currentTaxRates"] in groups
    future = [group for group in groups if group["validFrom"] > status["sdcDateTime"]]
    assert [rates(group)["Ђ"] for group in future] == [22]
    names = [category["name"] for category in groups[1]["taxCategories"]]
    assert names == ["О-ПДВ", "П-ПДВ", "Без ПДВ", "Није у ПДВ"]
    assert set(status_of(open_processor(mode="vpfr", folder=tmp_path / "vpfr"))) == {
        "sdcDateTime", "supportedLanguages", "uid", "taxCoreApi", "currentTaxRates", "allTaxRates",
    }, "a V-PFR reports no counter and nothing of a device"  # fmt: skip
    options = Options(rates=SANDBOX_RATES, category_type_form="name")
    named = status_of(open_processor(options=options, folder=tmp_path / "named"))
    kinds = {one["categoryType"] for one in named["currentTaxRates"]["taxCategories"]}
    assert kinds == {"TaxOnNet", "TaxOnTotal", "AmountPerQuantity"}


def test_without_the_card_neither_uid_nor_rates_are_known(processor: Processor) -> None:
    processor.change(card="out")
    status = status_of(processor)
    assert status["uid"] is None
    assert status["lastInvoiceNumber"] is None
    assert status["gsc"][0] == "1300"
    assert {"currentTaxRates", "allTaxRates"}.isdisjoint(status)
    with pytest.raises(Refusal, match="1300"):
        processor.environment()
