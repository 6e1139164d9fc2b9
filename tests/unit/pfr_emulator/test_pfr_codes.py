"""Every code of protocol v3 (2809 has no known meaning) is raised by the fault it belongs to."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.pfr_emulator.codes import Refusal
from pos_app.pfr_emulator.processor import Processor
from tests.sweep import each
from tests.unit.pfr_emulator.sales import sale


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
