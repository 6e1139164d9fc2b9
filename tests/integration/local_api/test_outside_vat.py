"""A shop that is not in the system of VAT signs no label of VAT but on receipts that repeat what
was signed before.

Source: fiscal.md 2.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.integration.local_api import test_pairs
from tests.integration.local_api.wires import running
from tests.integration.local_api.wronged import BUYER, DELIVERED, error_of

OUTSIDE = "[esir]\nin_vat = false\n"
TABLE: dict[str, Any] = {"name": "Сто", "unit": "ком"}
WHOLE = {"payments": {"card": 589.9}} | BUYER | DELIVERED


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


@pytest.mark.parametrize("kind", ["normal", "advance", "proforma", "training"])
@pytest.mark.parametrize("label", ["Ђ", "Е", "Г"])
async def test_nothing_with_a_label_of_vat_is_signed(folder: Path, label: str, kind: str) -> None:
    leave_vat(folder)
    async with running(folder) as server:
        answer = await server.issue(sale(label, invoiceType=kind))
        told = error_of(answer)
        assert (answer.status_code, told["class"]) == (400, "fix")
        assert f'"items[0].article.taxRateLabel" has the tax label {label}' in told["message"]
        assert server.shop.ledger() == []
        signed = await server.issue(sale("А", invoiceType=kind))
        assert signed.status_code == 200, signed.text
        assert [one["label"] for one in signed.json()["taxItems"]] == ["А"]


async def test_an_article_of_the_catalogue_is_named_by_its_code(folder: Path) -> None:
    leave_vat(folder)
    async with running(folder) as server:
        told = error_of(await server.issue(test_pairs.SALE))
        assert '"items[0].sku" has the tax label Е' in told["message"]
        assert server.shop.ledger() == []


async def test_the_split_of_an_advance_has_no_label_of_vat(folder: Path) -> None:
    leave_vat(folder)
    split = {"unknownAmountAdvance": True, "advanceSpecification": {"Ђ": 100}}
    async with running(folder) as server:
        told = error_of(await server.issue(sale("А", invoiceType="advance", **split)))
        assert "advanceSpecification" in told["message"]
        assert server.shop.ledger() == []


async def test_who_leaves_vat_while_the_server_runs_signs_no_vat_from_then_on(folder: Path) -> None:
    async with running(folder) as server:
        assert (await server.issue(sale("Ђ"))).status_code == 200
        leave_vat(folder)
        assert (await server.issue(sale("Ђ"))).status_code == 400
        (folder / "settings.toml").write_text("[esir]\nin_vat = true\n", "utf-8")
        assert (await server.issue(sale("Ђ"))).status_code == 200


def labels(answer: Any) -> list[list[str]]:
    assert answer.status_code == 200, answer.text
    body = answer.json()
    return [
        [one["label"] for one in each["taxItems"]]
        for each in (body if isinstance(body, list) else [body])
    ]


async def test_what_was_signed_in_vat_is_refunded_and_copied_with_its_labels(folder: Path) -> None:
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.SALE)
        leave_vat(folder)
        copy = await test_pairs.act(server, "copy", number, DELIVERED, headers=None)
        assert labels(copy) == [["Е"]]
        back = await test_pairs.act(server, "refund", number, WHOLE, headers=None)
        assert labels(back) == [["Е"]]


async def test_an_advance_of_the_time_in_vat_goes_on_and_is_closed(folder: Path) -> None:
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.ADVANCE)
        leave_vat(folder)
        paid = {"payments": {"cash": 50}} | DELIVERED
        more = await test_pairs.act(server, "advance", number, paid, headers=None)
        assert labels(more) == [["Е"]]
        rest = {"payments": {"card": 439.9}} | DELIVERED
        last = more.json()["invoiceNumber"]
        assert labels(await test_pairs.act(server, "close", last, rest)) == [["Е"], ["Е"]]


async def test_a_closing_adds_no_other_label_of_vat(folder: Path) -> None:
    unknown = sale("Е", invoiceType="advance", unknownAmountAdvance=True)
    async with running(folder) as server:
        number = await test_pairs.begun(server, unknown)
        leave_vat(folder)
        goods = sale("Ђ")["items"]
        refused = await test_pairs.act(
            server, "close", number, {"items": goods, "payments": {}} | DELIVERED
        )
        assert '"items[0].article.taxRateLabel"' in error_of(refused)["message"]
        assert len(server.shop.ledger()) == 1


async def test_a_refund_by_hand_repeats_the_labels_of_its_receipt(folder: Path) -> None:
    leave_vat(folder)
    of_another = {
        "transactionType": "refund",
        "referentDocumentNumber": "AAAAAAAA-BBBBBBBB-17",
        "referentDocumentDT": "2024-05-05T10:00:00+02:00",
    }
    async with running(folder) as server:
        back = await server.issue(sale("Ђ", **of_another) | BUYER)
        assert labels(back)[0] == ["Ђ"]


async def test_a_correction_sells_the_lines_of_its_refund_once_more(folder: Path) -> None:
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.SALE)
        leave_vat(folder)
        key = {"Idempotency-Key": "refund-0123456789"}
        back = await test_pairs.act(server, "refund", number, WHOLE, headers=key | server.till)
        assert back.status_code == 200, back.text
        after = server.till | {"X-Corrects-After": key["Idempotency-Key"]}
        again = {"Idempotency-Key": "again-0123456789a"}
        assert (await server.issue(test_pairs.SALE, headers=server.till | again)).status_code == 400
        assert labels(await server.issue(test_pairs.SALE, headers=after | again)) == [["Е"]]
        other = sale("Ђ")
        told = await server.issue(other, headers=after | {"Idempotency-Key": "other-0123456789a"})
        assert told.status_code == 400
        # a program that is no till can't say that
        assert (await server.issue(test_pairs.SALE, headers=key)).status_code == 400
