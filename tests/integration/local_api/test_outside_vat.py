"""A shop that is not in the system of VAT signs no label of VAT but on receipts that repeat what
was signed before.

Source: fiscal.md 2.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.integration.local_api import test_pairs
from tests.integration.local_api.wires import running
from tests.integration.local_api.wronged import BUYER, DELIVERED, error_of

OUTSIDE = "[esir]\nin_vat = false\n"
KINDS = ("normal", "advance", "proforma", "training")
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


async def test_what_was_signed_in_vat_goes_on_with_its_labels(folder: Path) -> None:
    """Copies, refunds, further payments and closings; a closing adds no other label of VAT, and a
    refund by hand repeats the labels of its receipt."""
    unknown = sale("Е", invoiceType="advance", unknownAmountAdvance=True)
    of_another = {
        "transactionType": "refund",
        "referentDocumentNumber": "AAAAAAAA-BBBBBBBB-17",
        "referentDocumentDT": "2024-05-05T10:00:00+02:00",
    }
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.SALE)
        advance = await test_pairs.begun(server, test_pairs.ADVANCE)
        other = await test_pairs.begun(server, unknown)
        leave_vat(folder)
        copy = await test_pairs.act(server, "copy", number, DELIVERED, headers=None)
        assert labels(copy) == [["Е"]]
        back = await test_pairs.act(server, "refund", number, WHOLE, headers=None)
        assert labels(back) == [["Е"]]
        paid = {"payments": {"cash": 50}} | DELIVERED
        more = await test_pairs.act(server, "advance", advance, paid, headers=None)
        assert labels(more) == [["Е"]]
        rest = {"payments": {"card": 439.9}} | DELIVERED
        last = more.json()["invoiceNumber"]
        assert labels(await test_pairs.act(server, "close", last, rest)) == [["Е"], ["Е"]]
        goods, before = sale("Ђ")["items"], len(server.shop.ledger())
        added = {"items": goods, "payments": {}} | DELIVERED
        refused = await test_pairs.act(server, "close", other, added, headers=None)
        assert '"items[0].article.taxRateLabel"' in error_of(refused)["message"]
        assert len(server.shop.ledger()) == before
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
