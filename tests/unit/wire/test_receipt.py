"""A processor's answer is read for its guaranteed parts; the rest may be missing or odd."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.errors import Invalid
from pos_app.wire.receipt import processor_receipt_from_json, signed_receipt_from_json
from tests.sweep import each

BARE: dict[str, Any] = {
    "sdcDateTime": "2026-11-20T13:00:00.1234567+01:00",
    "invoiceCounter": "1/42ПП",
    "invoiceNumber": "ABCD1234-ABCD1234-42",
    "signedBy": "ABCD1234",
    "encryptedInternalData": "AAAA",
}


@each(
    ("name", "odd"),
    [
        ("taxItems", [{"categoryType": "TaxOnNet", "categoryName": "ПДВ", "label": "Ђ"}]),
        ("taxItems", [{"categoryType": "TaxOnMoon", "categoryName": "ПДВ", "label": "Ђ",
         "rate": "20", "amount": "1.5"}]),
        ("taxItems", [{"categoryName": None}]),
        ("taxGroupRevision", "4."),
        ("messages", ["Успешно"]),
        ("totalCounter", "42nd"),
        ("address", 7),
    ],
)  # fmt: skip
def test_an_odd_member_that_is_not_guaranteed_is_not_told(name: str, odd: object) -> None:
    whole = processor_receipt_from_json(BARE | {name: odd, "tin": "100000008"})
    assert whole == processor_receipt_from_json(BARE | {"tin": "100000008"})
    with pytest.raises(Invalid):
        signed_receipt_from_json(BARE | {name: odd})


def test_a_number_that_is_written_as_a_text_is_read() -> None:
    tax = {"categoryType": "0", "categoryName": "О-ПДВ", "label": "Ђ", "rate": "20.00"}
    texts = {
        "totalCounter": " 42 ",
        "totalAmount": "120.00",
        "tin": 100000008,
        "taxItems": [tax | {"amount": "20.0000"}],
    }
    numbers = {
        "totalCounter": 42,
        "totalAmount": 120,
        "tin": "100000008",
        "taxItems": [tax | {"categoryType": 0, "rate": 20, "amount": 20}],
    }
    assert processor_receipt_from_json(BARE | texts) == processor_receipt_from_json(BARE | numbers)
    for beyond in ("1" + "0" * 30, "-1"):
        with pytest.raises(Invalid):  # a number that no receipt can have
            processor_receipt_from_json(BARE | {"totalCounter": beyond})


@each("name", sorted(BARE))
def test_a_guaranteed_member_must_be_there(name: str) -> None:
    for document in ({k: v for k, v in BARE.items() if k != name}, BARE | {name: 5}):
        with pytest.raises(Invalid):
            processor_receipt_from_json(document)
