"""An address where nothing can be mailed: the receipt is signed, and says that it was not sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from pos_app.domain.receipt.states import JobMethod
from pos_app.fiscalization.handover.handover_options import AvailableHandover
from tests.fakes.no_tls import NO_TLS
from tests.integration.local_api.test_receipts import KEYED, SALE
from tests.integration.local_api.test_warnings import told
from tests.integration.local_api.wires import running
from tests.integration.test_server_program import program

FIELD = "receiptDelivery.email"
NO_ADDRESSES = (
    "",
    "   ",
    "kupac",
    "kupac@",
    "kupac@shop",
    "kupac@shop.rs, drugi@shop.rs",
    "a@example.rs\nBcc: b@example.rs",
    "x" * 5000 + "@shop.rs",
)


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
