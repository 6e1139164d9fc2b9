"""The warnings beside a signed receipt: stable codes, and the same words each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from pos_app.domain.receipt.states import JobMethod
from pos_app.errors import MachineError
from pos_app.fiscalization.handover.handover_options import AvailableHandover
from tests.fakes.no_tls import NO_TLS
from tests.integration.local_api.test_receipts import KEYED, SALE, keyed
from tests.integration.local_api.wires import running
from tests.integration.test_server_program import program

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


# --- an address where nothing can be mailed ------------------------------------------------------


FIELD = "receiptDelivery.email"
NO_ADDRESSES = (
    "", "   ", "kupac", "kupac@", "kupac@shop", "kupac@shop.rs, drugi@shop.rs",
    "a@example.rs\nBcc: b@example.rs", "x" * 5000 + "@shop.rs",
)  # fmt: skip


class Everything:
    def print_methods(self) -> frozenset[str]:
        return frozenset({"thermal", "a4", "email"})


def mailing(*, refuses: bool) -> AvailableHandover:
    here = frozenset({JobMethod.EMAIL})
    return AvailableHandover(Everything(), here, refuses_without_mail=refuses)


def mailless(*, refuses: bool) -> AvailableHandover:
    return AvailableHandover(Everything(), frozenset(), refuses_without_mail=refuses)


def asking(address: str, **more: Any) -> dict[str, Any]:
    return SALE | {"receiptDelivery": {"pdf": False, "email": address}} | more


async def test_without_mail_it_is_signed_with_a_warning(folder: Path) -> None:
    async with running(folder, store=mailless(refuses=False)) as server:
        answer = await server.issue(asking("kupac@example.rs"), headers=KEYED)
        assert answer.status_code == 200
        assert told(answer) == [("email_not_sent", FIELD)]
        assert "is not offered by this store" in answer.json()["warnings"][0]["message"]
        again = await server.issue(asking("kupac@example.rs"), headers=KEYED)
        assert again.content == answer.content
        assert server.shop.journal.jobs.not_done() == ()
    async with running(folder, store=mailing(refuses=False)) as server:
        later = await server.ask("GET", f"/fiscalization/receipts/{answer.json()['id']}")
        assert later.content == answer.content  # as the order was accepted


async def test_an_address_that_mail_cannot_take_is_no_refusal(folder: Path) -> None:
    async with running(folder, store=mailing(refuses=False)) as server:
        for address in NO_ADDRESSES:
            answer = await server.issue(asking(address))
            assert answer.status_code == 200, address
            assert told(answer) == [("email_not_sent", FIELD)]
            assert "must be a valid email" in answer.json()["warnings"][0]["message"]
            assert len(answer.content) < 20_000
        answer = await server.issue(asking("kupac@пример.срб"))
        assert (answer.status_code, "warnings" in answer.json()) == (200, False)


async def test_a_shop_may_refuse_what_it_cannot_mail(folder: Path) -> None:
    for store, address, words in (
        (mailless(refuses=True), "kupac@example.rs", "is not offered by this store"),
        (mailing(refuses=True), "kupac@", "must be a valid email"),
        (mailing(refuses=True), "", "must be a valid email"),
    ):
        async with running(folder, store=store) as server:
            answer = await server.issue(asking(address), headers=KEYED)
            assert answer.status_code == 400
            assert answer.json()["message"] == f'"{FIELD}" {words}'
            assert answer.json()["validation"]["body"]["keys"] == [FIELD]
            assert server.shop.ledger() == []


async def test_each_operation_is_signed_though_nothing_can_be_mailed(folder: Path) -> None:
    delivery = {"receiptDelivery": {"email": "kupac@example.rs"}}
    table = {"name": "Сто", "taxRateLabel": "Ђ", "unit": "ком"}
    async with running(folder, store=mailless(refuses=False)) as server:

        async def act(number: str, operation: str, body: dict[str, Any]) -> list[tuple[str, str]]:
            path = f"/fiscalization/receipts/{number}/{operation}"
            answer = await server.ask("POST", path, json=body | delivery)
            assert answer.status_code == 200, answer.text
            found = answer.json()
            first = found[0] if isinstance(found, list) else found
            return [(one["code"], one["field"]) for one in first["warnings"]]

        sold = (await server.issue(SALE)).json()["invoiceNumber"]
        advance = SALE | {
            "invoiceType": "advance",
            "payments": {"cash": 40},
            "items": [{"quantity": 1, "unitPrice": 100, "article": table}],
        }
        paid = (await server.issue(advance)).json()["invoiceNumber"]
        back = {"buyerId": "10:123456788", "payments": {"cash": 117.98}}
        not_sent = [("email_not_sent", FIELD)]
        assert await act(sold, "copy", {}) == not_sent
        assert await act(sold, "refund", back) == not_sent
        assert await act(paid, "advance", {"payments": {"card": 20}}) == not_sent
        assert await act(paid, "close", {"payments": {"card": 40}}) == not_sent


def test_the_setting_decides_at_a_real_server(folder: Path) -> None:
    (folder / "settings.toml").write_text('[mail]\nwhen_missing = "refuse"\n', "utf-8")
    bread = {"quantity": 1, "unitPrice": 58.99, "article": {"name": "Хлеб", "taxRateLabel": "Е"}}
    with program("server", "--data", str(folder), "--port", "0") as (_, address):
        body = asking("kupac@example.rs", items=[bread])
        path = f"{address}/fiscalization/receipts"
        answer = httpx.post(path, json=body, trust_env=False, verify=NO_TLS, timeout=30)
        assert answer.status_code == 400, answer.text
        assert answer.json()["validation"]["body"]["keys"] == [FIELD]
