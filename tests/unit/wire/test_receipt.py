"""A processor's answer is read for what it guarantees; the rest may be missing or odd."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.errors import Invalid
from pos_app.wire.receipt import processor_receipt_from_json, signed_receipt_from_json

BARE: dict[str, Any] = {
    "sdcDateTime": "2026-11-20T13:00:00.1234567+01:00",
    "invoiceCounter": "1/42ПП",
    "invoiceNumber": "ABCD1234-ABCD1234-42",
    "signedBy": "ABCD1234",
    "encryptedInternalData": "AAAA",
}


@pytest.mark.parametrize(
    ("name", "odd"),
    [
        ("taxItems", [{"categoryType": "TaxOnNet", "categoryName": "ПДВ", "label": "Ђ"}]),
        ("taxItems", [{"categoryName": None}]),
        ("taxGroupRevision", "4"),
        ("messages", ["Успешно"]),
        ("totalCounter", "42"),
        ("address", 7),
    ],
)
def test_an_odd_member_that_is_not_guaranteed_is_not_told(name: str, odd: object) -> None:
    whole = processor_receipt_from_json(BARE | {name: odd, "tin": "100000008"})
    assert whole == processor_receipt_from_json(BARE | {"tin": "100000008"})
    with pytest.raises(Invalid):
        signed_receipt_from_json(BARE | {name: odd})


@pytest.mark.parametrize("name", sorted(BARE))
def test_a_guaranteed_member_must_be_there(name: str) -> None:
    for document in ({k: v for k, v in BARE.items() if k != name}, BARE | {name: 5}):
        with pytest.raises(Invalid):
            processor_receipt_from_json(document)
