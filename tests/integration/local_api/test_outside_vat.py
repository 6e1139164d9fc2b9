"""Shops with rules of their own: half-done pairs are corrected and undone by them, nothing of a
pair is signed where its tax label ended, and outside the system of VAT no label of VAT is.

Source: exactly-once.md step 9; fiscal.md 6.2, 6.4 and 6.7; the settings `esir.*`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.integration.local_api import test_pairs
from tests.integration.local_api.test_half_done_pairs import sent
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import DELIVERED, error_of

SALE, BACK, REST = test_pairs.SALE, test_pairs.BACK, test_pairs.REST
BY_CARD, BY_CHECK, BY_VOUCHER = (
    BACK | {"payments": {method: 589.9}} for method in ("card", "check", "voucher")
)


_METHODS = {1: "cash", 2: "card"}


def paid(server: Running, since: int) -> list[str]:
    places = range(since, len(server.shop.ledger()))
    asked = [sent(server, place)["payment"] for place in places]
    return [_METHODS[one["paymentType"]] for payments in asked for one in payments]


# --- a shop that is not in the system of VAT -----------------------------------------------------
OUTSIDE = "[esir]\nin_vat = false\n"
KINDS = ("normal", "advance", "proforma", "training")
TABLE: dict[str, Any] = {"name": "Сто", "unit": "ком"}


def leave_vat(folder: Path) -> None:
    (folder / "settings.toml").write_text(OUTSIDE, "utf-8")


def sale(label: str, **members: Any) -> dict[str, Any]:
    item = {"quantity": 1, "unitPrice": 100, "article": TABLE | {"taxRateLabel": label}}
    body: dict[str, Any] = {
        "invoiceType": "normal",
        "transactionType": "sale",
        "payments": {"cash": 100},
        "items": [item],
    }
    return body | DELIVERED | members


async def test_nothing_with_a_label_of_vat_is_signed(folder: Path) -> None:
    split = {"unknownAmountAdvance": True, "advanceSpecification": {"Ђ": 100}}
    named = '"items[0].article.taxRateLabel" has the tax label {}'
    leave_vat(folder)
    async with running(folder) as server:
        for body, words in (
            *[(sale("Ђ", invoiceType=kind), named.format("Ђ")) for kind in KINDS],
            *[(sale(label), named.format(label)) for label in "ЕГ"],
            (test_pairs.SALE, '"items[0].sku" has the tax label Е'),
            (sale("А", invoiceType="advance", **split), "advanceSpecification"),
        ):
            answer = await server.issue(body)
            told = error_of(answer)
            assert (answer.status_code, told["class"]) == (400, "fix")
            assert words in told["message"]
        assert server.shop.ledger() == []
        for kind in KINDS:
            assert labels(await server.issue(sale("А", invoiceType=kind))) == [["А"]]


def labels(answer: Any) -> list[list[str]]:
    assert answer.status_code == 200, answer.text
    body = answer.json()
    return [
        [one["label"] for one in each["taxItems"]]
        for each in (body if isinstance(body, list) else [body])
    ]
