"""Contradictions between the fields of an issue request (fiscal.md 6, contract 2)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from pos_app.errors import Invalid
from pos_app.fiscalization.plan import check
from pos_app.wire.fiscal import issue_request_from_json
from tests.unit.fiscalization.test_doubt import NOON

YESTERDAY = (NOON - timedelta(days=1)).isoformat()
NUMBER = "ABCD1234-ABCD1234-8652"
ITEM = {"sku": 1, "quantity": 1, "unitPrice": 100}
SALE: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"wiretransfer": 100},
    "items": [ITEM],
    "receiptDelivery": {"pdf": True},
}
ADVANCE = SALE | {"invoiceType": "advance"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (SALE | {"transactionType": "refund"}, "transactionType"),
        (SALE | {"posTime": YESTERDAY}, "posTime"),
        (ADVANCE | {"posTime": YESTERDAY, "payments": {"cash": 100}}, "posTime"),
        (ADVANCE | {"posTime": (NOON + timedelta(days=1)).isoformat()}, "posTime"),
        (ADVANCE | {"posTime": NOON.isoformat()}, "posTime"),
        (SALE | {"unknownAmountAdvance": True}, "unknownAmountAdvance"),
        (SALE | {"referentDocumentDT": YESTERDAY}, "referentDocumentDT"),
        (SALE | {"referentDocumentNumber": NUMBER}, "referentDocumentDT"),
        (
            SALE
            | {
                "invoiceType": "proforma",
                "referentDocumentNumber": NUMBER,
                "referentDocumentDT": YESTERDAY,
            },
            "referentDocumentNumber",
        ),
        (SALE | {"buyerCostCenterId": "20:AB"}, "buyerCostCenterId"),
        (
            SALE | {"buyerId": "10:123456788", "buyerCostCenterId": "50:1"},
            "buyerCostCenterId",
        ),
    ],
)
def test_a_contradiction_names_its_field(body: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as refusal:
        check(issue_request_from_json(body), now=NOON)
    assert refusal.value.field == field


@pytest.mark.parametrize(
    "body",
    [
        SALE,
        ADVANCE | {"posTime": YESTERDAY},
        ADVANCE | {"unknownAmountAdvance": True},
        SALE | {"referentDocumentNumber": NUMBER, "referentDocumentDT": YESTERDAY},
        SALE
        | {
            "buyerId": "10:123456788",
            "buyerCostCenterId": "50:1",
            "payments": {"voucher": 100},
        },
    ],
)
def test_what_fits_together_is_taken(body: dict[str, Any]) -> None:
    check(issue_request_from_json(body), now=NOON)
