"""Numbers as other programs write them: PHP's 17 digits, JavaScript's 0.1 + 0.2, C#'s decimals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from pos_app.domain.receipt.states import JobMethod
from pos_app.fiscalization.handover.handover_options import AvailableHandover
from tests.fakes.no_tls import NO_TLS
from tests.integration.fiscalization.shop import Offers
from tests.integration.local_api.test_receipts import KEYED, SALE, keyed
from tests.integration.local_api.wires import Running, running
from tests.integration.test_server_program import program


async def post(server: Running, text: str, path: str = "") -> httpx.Response:
    headers = {"Content-Type": "application/json"}
    path = f"/fiscalization/receipts{path}"
    return await server.ask("POST", path, content=text.encode(), headers=headers)


def sale(quantity: str, price: str, payments: str, more: str = "", before: str = "") -> str:
    """Return the text of a sale; more: further members of its item; before: of the sale."""
    return (
        f'{{{before}"invoiceType": "normal", "transactionType": "sale",'
        ' "receiptDelivery": {"pdf": false},'
        f' "payments": {{{payments}}},'
        f' "items": [{{"sku": 1, "quantity": {quantity}, "unitPrice": {price}{more}}}]}}'
    )


def body(answer: httpx.Response) -> Any:
    found = answer.json()
    assert answer.status_code == 200, found
    return found


AS_SENT = [
    ("12", "8.333333333333334", 100),  # 100 / 12 in each of the three languages
    ("12", "8.3333333333333339", 100),  # the same with PHP's 17 digits
    ("7", "14.285714285714286", 100),
    ("0.333", "300.3003003003003", 100),
    ("3", "0.0033333333333333335", 0.01),
    ("1", "58.989999999999995", 58.99),
    ("1", "8.333333333333333333333333333", 8.33),  # a decimal of C#
    ("1000", "0.00001", 0.01),
    ("12", "8.33", 99.96),
]
"""A line costs what its price as sent makes."""
_NONE, _NOISE = ("0", "0.0", "-0.0", "0e0", "1e-17"), "30.000000000000004"
MEANT = [
    *[(sale("2", "58.99", payments), 117.98) for payments in (
        '"cash": 117.97999999999999, "card": 0.30000000000000004, "other": -0.0',
        '"cash": 118.280000000000001136868377216160297393',
        '"card": 0.29999999999999999, "cash": 117.98',
        '"card": 117.97990, "cash": 0.3',
    )],
    *[(sale(quantity, "100", '"cash": 30'), 30) for quantity in (
        "0.30000000000000004", "0.29999999999999999", "0.30001", "0.29999",
    )],
    *[(sale("2", "58.99", '"cash": 200', before=f'"discount": {one}, '), 117.98) for one in _NONE],
    (sale("1", "100", '"cash": 70', before=f'"discount": {_NOISE}, '), 70),
    (sale("1", "100", '"cash": 100', ', "totalAmount": 99.989999999999995',
          '"totalAmount": 99.990000000000009, '), 99.99),
]  # fmt: skip
"""Noise is the para, the gram or the percentage that it means; a discount of zero is none."""


async def test_a_line_costs_what_its_price_makes_and_noise_is_what_it_means(folder: Path) -> None:
    async with running(folder) as server:
        for quantity, price, total in AS_SENT:
            sent = sale(quantity, price, f'"card": {total}', f', "totalAmount": {total}')
            for text in (sent, sale(quantity, price, f'"card": {total}')):
                assert body(await post(server, text))["totalAmount"] == total, (quantity, price)
        for text, total in MEANT:
            assert body(await post(server, text))["totalAmount"] == total, text
        printed = body(await post(server, sale("12", "8.333333333333334", '"cash": 100')))
        lines = printed["journal"].splitlines()
        (line,) = [one for one in lines if one.endswith("100,00")][:1]
        assert line.split() == ["8,33", "12", "100,00"]  # the printed price alone is rounded
        weighed = body(await post(server, sale("0.30000000000000004", "100", '"cash": 30')))
        assert "0,300" in weighed["journal"]


REFUSED = [
    (sale("1", "100", '"cash": 100.0002'), "payments.cash"),
    (sale("1", "100", '"cash": 100, "card": 0.005'), "payments.card"),
    (sale("0.30002", "100", '"cash": 30'), "items[0].quantity"),
    (sale("0.000001", "100", '"cash": 30'), "items[0].quantity"),
    (sale("1", "1", '"cash": 1', ', "totalAmount": 1.005'), "items[0].totalAmount"),
    (sale("1", "1000000000000.5", '"cash": 1'), "items[0].unitPrice"),
    (sale("1", "-0.0000001", '"cash": 1'), "items[0].unitPrice"),
    (sale("1", "1e39", '"cash": 1'), "items[0].unitPrice"),
    (sale("1", "1", '"cash": 1e39'), "payments.cash"),
    (sale("1e39", "1", '"cash": 1'), "items[0].quantity"),
    (sale("1", "1", '"cash": -0.01'), "payments.cash"),
]


async def test_what_is_coarser_or_out_of_range_is_refused_by_its_name(folder: Path) -> None:
    async with running(folder) as server:
        for text, field in REFUSED:
            answer = await post(server, text)
            assert answer.status_code == 400, text
            assert answer.json()["validation"]["body"]["keys"] == [field]
        assert server.shop.ledger() == []


# --- lines of one article at several prices ------------------------------------------------------
DELIVERY = {"receiptDelivery": {"pdf": False}}
LINES = [("1", 100.0), ("1", 90.0), ("2", 80.0)]
"""Quantity and price of each line of article 1; a line of article 2 for 50 follows."""


async def sold(server: Running, lines: list[tuple[str, float]] = LINES) -> str:
    items = [{"sku": 1, "quantity": float(many), "unitPrice": each} for many, each in lines]
    sale = {
        "invoiceType": "normal",
        "transactionType": "sale",
        "payments": {"cash": 1_000_000},
        "items": [*items, {"sku": 2, "quantity": 1, "unitPrice": 50}],
    }
    answer = await server.issue(sale | DELIVERY)
    assert answer.status_code == 200, answer.text
    number: str = answer.json()["invoiceNumber"]
    return number


async def back(
    server: Running, number: str, items: list[dict[str, Any]] | None, paid: float
) -> httpx.Response:
    body: dict[str, Any] = {"buyerId": "10:123456788", "payments": {"card": paid}} | DELIVERY
    body |= {} if items is None else {"items": items}
    return await server.ask("POST", f"/fiscalization/receipts/{number}/refund", json=body)


LINES_MEANT = [
    (1, 100, ["100,00"]),  # in their order
    (1, 90, ["90,00"]),
    (1, 80, ["80,00"]),
    (2, 190, ["100,00", "90,00"]),
    (2, 180, ["100,00", "80,00"]),
    (2, 170, ["90,00", "80,00"]),
    (2, 160, ["80,00"]),
    (3, 250, ["90,00", "80,00"]),
    (3, 260, ["100,00", "80,00"]),
]


async def test_the_lines_whose_sum_is_paid_are_meant(folder: Path) -> None:
    async with running(folder) as server:
        for many, paid, prices in LINES_MEANT:
            number = await sold(server)
            answer = await back(server, number, [{"sku": 1, "quantity": many}], paid)
            assert answer.status_code == 200, answer.text
            assert answer.json()[0]["totalAmount"] == paid
            journal = answer.json()[0]["journal"]
            shown = [each for each in ("100,00", "90,00", "80,00") if f" {each}  " in journal]
            assert shown == prices


async def test_what_is_left_is_counted_by_the_line_that_came_back(folder: Path) -> None:
    async with running(folder) as server:
        number = await sold(server)
        one = [{"sku": 1, "quantity": 1}]
        assert (await back(server, number, one, 90)).status_code == 200
        again = await back(server, number, one, 90)
        assert again.status_code == 400
        assert "must be exactly what is refunded: 100.00" in again.json()["message"]
        assert "by other lines of the same articles 80.00" in again.json()["message"]
        assert (await back(server, number, None, 310)).status_code == 200

        number = await sold(server)  # several articles and items are weighed together
        items = [{"sku": 1, "quantity": 1}, {"sku": 2, "quantity": 1}, {"sku": 1, "quantity": 1}]
        answer = await back(server, number, items, 170 + 50)
        assert (answer.status_code, answer.json()[0]["totalAmount"]) == (200, 220)

        number = await sold(server)  # a line that is named stays the one
        answer = await back(server, number, [{"line": 1, "quantity": 1}], 100)
        assert answer.status_code == 400
        mixed = [{"line": 2, "quantity": 1}, {"sku": 1, "quantity": 1}]
        assert (await back(server, number, mixed, 80 + 80)).status_code == 200

        number = await sold(server)  # what no lines make names the sums that they do
        answer = await back(server, number, [{"sku": 1, "quantity": 2}], 185)
        told = answer.json()
        assert answer.status_code == 400
        assert told["validation"]["body"]["keys"] == ["payments"]
        assert told["message"] == (
            '"payments" must be exactly what is refunded: 190.00, or by other lines of the same '
            "articles 160.00, 170.00, 180.00, not 185.00"
        )


async def test_a_receipt_of_hundreds_of_prices_answers_at_once(folder: Path) -> None:
    async with running(folder) as server:
        number = await sold(server, [("3", 100 + each / 100) for each in range(400)])
        answer = await back(server, number, [{"sku": 1, "quantity": 200}], 1.0)
        assert answer.status_code == 400
        assert answer.elapsed.total_seconds() < 3
        assert "must be exactly what is refunded: " in answer.json()["message"]


# --- warnings beside a signed receipt: stable codes, and the same words each time ---
ITEM = SALE["items"][0]


def told(answer: Any) -> list[tuple[str, str]]:
    return [(one["code"], one["field"]) for one in answer.json().get("warnings", [])]


async def test_a_member_that_looks_misspelt_is_told_once(folder: Path) -> None:
    """A body full of strange names is no burden."""
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


def mailing(*, refuses: bool) -> AvailableHandover:
    here = frozenset({JobMethod.EMAIL})
    return AvailableHandover(
        Offers(frozenset({"thermal", "a4", "email"})), here, refuses_without_mail=refuses
    )


def mailless(*, refuses: bool) -> AvailableHandover:
    return AvailableHandover(
        Offers(frozenset({"thermal", "a4", "email"})), frozenset(), refuses_without_mail=refuses
    )


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


def test_the_setting_decides_at_a_real_server(folder: Path) -> None:
    (folder / "settings.toml").write_text('[mail]\nwhen_missing = "refuse"\n', "utf-8")
    bread = {"quantity": 1, "unitPrice": 58.99, "article": {"name": "Хлеб", "taxRateLabel": "Е"}}
    with program("server", "--data", str(folder), "--port", "0") as (_, address):
        body = asking("kupac@example.rs", items=[bread])
        path = f"{address}/fiscalization/receipts"
        answer = httpx.post(path, json=body, trust_env=False, verify=NO_TLS, timeout=30)
        assert answer.status_code == 400, answer.text
        assert answer.json()["validation"]["body"]["keys"] == [FIELD]
