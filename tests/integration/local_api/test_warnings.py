"""The warnings beside a signed receipt: stable codes, and the same words each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pos_app.errors import MachineError
from tests.integration.local_api.test_receipts import KEYED, SALE, keyed
from tests.integration.local_api.wires import running

ITEM = SALE["items"][0]


def told(answer: Any) -> list[tuple[str, str]]:
    return [(one["code"], one["field"]) for one in answer.json().get("warnings", [])]


async def test_a_member_that_looks_misspelt_is_told_once(folder: Path) -> None:
    """`tests/unit/wire/test_spelling.py` has all of them; a body full of strange names is no
    burden."""
    strange = {f"quantit{index}": 1 for index in range(20_000)}
    async with running(folder) as server:
        for more, field, meant in (
            ({"payments": {"cash": 200, "mobileMoney": 5}}, "payments.mobileMoney", "mobilemoney"),
            ({"items": [ITEM | {"Discount": 10}]}, "items[0].Discount", "totalAmount"),
        ):
            answer = await server.issue(SALE | more)
            assert (answer.status_code, told(answer)) == (200, [("unknown_member", field)])
            (warning,) = answer.json()["warnings"]
            assert f'"{field}"' in warning["message"]
            assert f'"{meant}"' in warning["message"]
        on_purpose = {"orderNumber": 5, "meta": {"discount": 3}, "Discount": None, "clientId": "1"}
        assert "warnings" not in await server.done(SALE | on_purpose)
        answer = await server.issue(SALE | strange, within=5)
        assert answer.status_code == 200
        assert len(answer.json().get("warnings", [])) <= 20


async def test_the_same_answer_later_has_the_same_warnings(folder: Path) -> None:
    async with running(folder) as server:
        first = await server.issue(SALE | {"dicsount": 5}, headers=KEYED)
        number = first.json()["invoiceNumber"]
    async with running(folder) as server:
        again = await server.issue(SALE | {"dicsount": 5}, headers=KEYED)
        found = await server.ask("GET", f"/fiscalization/receipts/{number}")
    assert told(first) == [("unknown_member", "dicsount")]
    assert first.content == again.content == found.content


async def test_each_operation_tells_what_it_ignored(folder: Path) -> None:
    delivery = {"receiptDelivery": {"pdf": False}}
    async with running(folder) as server:
        number = (await server.issue(SALE)).json()["invoiceNumber"]
        path = f"/fiscalization/receipts/{number}"
        copy = await server.ask("POST", f"{path}/copy", json=delivery | {"email": "a@b.rs"})
        assert told(copy) == [("unknown_member", "email")]
        back = {
            "buyerId": "10:123456788",
            "payments": {"card": 58.99},
            "items": [{"sku": 1, "quantity": 1, "unitPrice": 58.99, "totalAmount": 58.99}],
        }
        refund = await server.ask("POST", f"{path}/refund", json=delivery | back | {"discount": 5})
        assert [one.get("warnings", [{}])[0].get("field") for one in refund.json()] == ["discount"]


async def test_a_pdf_that_is_not_made_is_told(folder: Path) -> None:
    async with running(folder) as server:
        server.pdf.fault = MachineError(what="no letter for it")
        wanted = {"receiptDelivery": {"pdf": True, "base64pdf": True}}
        answer = await server.issue(SALE | wanted, headers=KEYED)
        assert (answer.json()["pdf"], answer.json()["base64pdf"]) == (None, None)
        assert told(answer) == [
            ("pdf_not_made", "receiptDelivery.pdf"),
            ("pdf_not_made", "receiptDelivery.base64pdf"),
        ]
        server.pdf.fault = None
        path = f"/fiscalization/receipts/{answer.json()['id']}"
        later = await server.ask("GET", path)
        assert later.json()["base64pdf"] is not None
        assert "warnings" not in later.json()


def fails(*_: object) -> None:
    raise OSError("a file of the library can not be read")


async def test_a_receipt_is_told_without_its_qr_code_where_no_picture_can_be_drawn(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(folder) as server:
        whole = await server.issue(SALE, headers=KEYED)
        path = f"/fiscalization/receipts/{whole.json()['id']}"
        for place in range(2):
            with monkeypatch.context() as broken:
                if place:
                    broken.delitem(Image.SAVE, "GIF")
                else:
                    broken.setitem(Image.SAVE, "GIF", fails)
                answers = [
                    await server.ask("GET", path),
                    await server.issue(SALE, headers=KEYED),
                    await server.issue(SALE, headers=keyed(f"another-sale-of-{place}")),
                ]
            for answer in answers:
                assert answer.status_code == 200, answer.text
                assert answer.json()["verificationQRCode"] is None
                assert answer.json()["verificationUrl"]
        assert (await server.ask("GET", path)).content == whole.content


async def test_a_sign_that_no_font_has_is_told_with_its_pdf(folder: Path) -> None:
    doughnut = {"items": [ITEM | {"article": {"name": "Крофна 🍩", "taxRateLabel": "Е"}}]}
    async with running(folder) as server:
        for base64 in (True, False):
            wanted = SALE | doughnut | {"receiptDelivery": {"pdf": True, "base64pdf": base64}}
            key = keyed(f"doughnuts-of-{base64!s:k>5}")
            server.pdf.boxed = frozenset("🍩")
            answer = await server.issue(wanted, headers=key)
            assert answer.status_code == 200
            assert answer.json()["pdf"]
            assert told(answer) == [("glyph", "items")]
            assert "🍩" in answer.json()["warnings"][0]["message"]
            assert "🍩" in answer.json()["journal"]
            server.pdf.boxed = frozenset()  # now a font has the sign
            assert told(await server.issue(wanted, headers=key)) == []
