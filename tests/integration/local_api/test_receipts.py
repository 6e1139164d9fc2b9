"""Issuing and looking up over HTTP, with the real journal and the development processor."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import shutil
import socket
import struct
import sys
import threading
import time
from contextlib import AsyncExitStack, ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import apsw
import pytest
from PIL import Image

from pos_app.adapters.http_server import protocol
from pos_app.adapters.http_server.protocol import ConnectionLimits
from pos_app.adapters.sqlite.journal.contents import journal_contents
from pos_app.errors import DiskFull, MachineError
from pos_app.fiscalization.issuing import execute as carry_out_module
from pos_app.fiscalization.lane.probe import LEAST_ROOM
from pos_app.local_api import receipt_door
from pos_app.wire.problem import problem_from_json
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.shop import unreachable
from tests.integration.local_api import wires
from tests.sweep import sampled, turns

KEY = "0123456789abcdef"
SALE: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
    "receiptDelivery": {"pdf": False},
}
KEYED = {"Idempotency-Key": KEY}
MORE_THAN_BUFFERS = 16 * 1024 * 1024
LESS_THAN_BUFFERS = 60_000
MEMBERS = {
    "requestedBy",
    "sdcDateTime",
    "invoiceCounter",
    "invoiceCounterExtension",
    "invoiceNumber",
    "taxItems",
    "verificationUrl",
    "verificationQRCode",
    "journal",
    "messages",
    "signedBy",
    "encryptedInternalData",
    "signature",
    "totalCounter",
    "transactionTypeCounter",
    "totalAmount",
    "taxGroupRevision",
    "businessName",
    "tin",
    "locationName",
    "address",
    "district",
    "mrc",
}


def keyed(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key}


def request_text(server: wires.Running, body: bytes, *, more: str = "") -> bytes:
    head = (
        f"POST /fiscalization/receipts HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    )
    return head.encode() + body


def is_sending(server: wires.Running) -> bool:
    return server.shop.journal.in_lane(server.shop.lane.name) is not None


def is_known(server: wires.Running, key: str) -> bool:
    return server.shop.journal.command_by_key("local", key) is not None


# --- the receipt -------------------------------------------------------------------------------


async def test_a_receipt_has_every_member_of_the_contract(folder: Path) -> None:
    async with wires.running(folder) as server:
        answer = await server.issue(SALE)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/json"
        body = answer.json()
        assert set(body) == MEMBERS | {"id"}
        assert body["totalAmount"] == 117.98
        assert body["invoiceNumber"] == server.shop.ledger()[0].number


async def test_the_qr_code_is_what_the_law_wants(folder: Path) -> None:
    zxing = pytest.importorskip("zxingcpp")
    async with wires.running(folder) as server:
        body = (await server.issue(SALE)).json()
    gif = base64.b64decode(body["verificationQRCode"], validate=True)
    assert gif.startswith(b"GIF89a")
    picture = Image.open(BytesIO(gif)).convert("L")
    framed = Image.new("L", (picture.width + 64, picture.height + 64), 255)
    framed.paste(picture, (32, 32))
    found = zxing.read_barcodes(framed)
    assert [code.text for code in found] == [body["verificationUrl"]]


async def test_a_till_is_spared_the_picture_that_it_draws_itself(folder: Path) -> None:
    unwanted = {"X-Without-Code": "true"}
    async with wires.running(folder) as server:
        whole = (await server.issue(SALE, headers=KEYED | server.till)).json()
        spared = (await server.issue(SALE, headers=KEYED | server.till | unwanted)).json()
        assert whole["verificationQRCode"] is not None
        assert spared == whole | {"verificationQRCode": None}
        other = (await server.issue(SALE, headers=KEYED | unwanted)).json()
        assert other["verificationQRCode"] is not None


async def test_the_same_key_gets_the_same_answer(folder: Path) -> None:
    async with wires.running(folder) as server:
        first = await server.issue(SALE, headers=KEYED)
        again = await server.issue(SALE | {"payments": {"cash": 200.00}}, headers=KEYED)
        assert first.content == again.content
        assert len(server.shop.ledger()) == 1


async def test_a_key_stands_for_one_body(folder: Path) -> None:
    async with wires.running(folder) as server:
        await server.issue(SALE, headers=KEYED)
        other = await server.issue(SALE | {"payments": {"cash": 300}}, headers=KEYED)
        assert other.status_code == 409
        assert "nothing was signed for this body" in other.json()["message"]
        assert len(server.shop.ledger()) == 1


async def test_an_answer_that_arrived_lets_the_same_sale_be_made_again(folder: Path) -> None:
    async with wires.running(folder) as server:
        first, second = await server.issue(SALE), await server.issue(SALE)
        assert first.json()["invoiceNumber"] != second.json()["invoiceNumber"]
        assert len(server.shop.ledger()) == 2


async def test_a_key_of_an_earlier_version_still_stands_for_its_body(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bodies were compared with their null members; what was stored so is repeated so."""
    body = SALE | {"buyerId": None, "clientId": "0F6F0B1E-6F0A-4B6E-9A53-2F3A5D1C7E11"}
    async with wires.running(folder) as server:
        with monkeypatch.context() as earlier:
            earlier.setattr(receipt_door, "content_of", lambda document: document)
            signed = await server.issue(body, headers=KEYED)
        assert (await server.issue(body, headers=KEYED)).json() == signed.json()
        assert (await server.issue(SALE, headers=KEYED)).status_code == 409
        assert len(server.shop.ledger()) == 1


async def test_a_journal_is_whole_however_a_body_was_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`check` called it damaged where an order had a null or an id in capitals."""
    body = SALE | {"buyerId": None, "clientId": "0F6F0B1E-6F0A-4B6E-9A53-2F3A5D1C7E11"}
    async with wires.running(folder) as server:
        assert (await server.issue(body, headers=KEYED)).status_code == 200
        with monkeypatch.context() as earlier:
            earlier.setattr(receipt_door, "content_of", lambda document: document)
            stored = await server.issue(body, headers={"Idempotency-Key": "stored-before-key"})
            assert stored.status_code == 200
        assert list(journal_contents(connection_of(server.shop.journal))) == []


async def test_a_caller_that_left_before_its_turn_is_not_signed_for(folder: Path) -> None:
    async with wires.running(folder) as server:
        server.shop.fault("late_answer", seconds=0.4)
        first = asyncio.create_task(server.issue(SALE, headers=KEYED))
        await wires.until(lambda: is_sending(server))
        async with wires.wire(server.url) as caller:
            body = json.dumps(SALE | {"payments": {"cash": 300}}).encode()
            more = "Idempotency-Key: second-caller-key\r\n"
            await caller.say(request_text(server, body, more=more))
            await wires.until(lambda: is_known(server, "second-caller-key"))
        assert (await first).status_code == 200
        await server.shop.until("second-caller-key", "released")
        assert len(server.shop.ledger()) == 1


# --- headers -----------------------------------------------------------------------------------


async def test_the_till_is_known_by_its_token(folder: Path) -> None:
    async with wires.running(folder) as server:
        mine = server.till | KEYED | {"X-Till": "till-7", "X-Till-Sequence": "3"}
        answer = await server.issue(SALE, headers=mine | {"X-Cashier": quote("Мика Ђ.")})
        command = server.shop.journal.command_by_key("till:till-7", KEY)
        assert command is not None
        assert (command.cashier, command.till_sequence) == ("Мика Ђ.", 3)
        assert "Мика Ђ." in answer.json()["journal"]
        same_key_of_another = await server.issue(SALE, headers=KEYED)
        assert same_key_of_another.json()["id"] != answer.json()["id"]


async def test_others_are_local_and_get_the_set_cashier(folder: Path) -> None:
    async with wires.running(folder) as server:
        pretended = {"X-Cashier": "Мика".encode().hex(), "X-Till": "till-7"}
        await server.issue(SALE, headers=KEYED | pretended)
        command = server.shop.journal.command_by_key("local", KEY)
        assert command is not None
        assert (command.cashier, command.till_sequence) == ("API", None)


async def test_a_bad_key_stores_nothing(folder: Path) -> None:
    async with wires.running(folder) as server:
        for key in ("short", "x" * 65, "with a blank in it"):
            answer = await server.issue(SALE, headers=keyed(key))
            assert answer.status_code == 400, key
            assert answer.json()["validation"]["headers"]["keys"] == ["Idempotency-Key"]
        assert server.shop.journal.restores.tip.rows == 0


# --- bodies ------------------------------------------------------------------------------------

BAD_BODIES = [
    (b"", 40090003, "malformed"),
    (b"{", 40090003, "malformed"),
    (b'{"a":1,"a":2}', 40090003, "said twice"),
    (b'{"items":NaN}', 40090003, "NaN"),
    (b"[" * 40 + b"]" * 40, 40090003, "within one another"),
    (b'{"a":1e999}', 40090001, "too large"),
    (b"\xef\xbb\xbf{}", 40090003, "byte order mark"),
    (b"\xff", 40090003, "UTF-8"),
    (b"[]", 40090001, "object"),
    (b"null", 40090001, "object"),
    (b"{}", 40090001, "is required"),
]


async def test_bad_bodies(folder: Path) -> None:
    async with wires.running(folder) as server:
        for body, code, words in BAD_BODIES:
            answer = await server.ask(
                "POST",
                "/fiscalization/receipts",
                content=body,
                headers={"Content-Type": "application/json"},
            )
            assert (answer.status_code, answer.json()["code"]) == (400, code), body
            assert words in answer.json()["message"]
        assert server.shop.journal.restores.tip.rows == 0


async def test_the_field_at_fault_is_named(folder: Path) -> None:
    async with wires.running(folder) as server:
        answer = await server.issue(SALE | {"items": [{"sku": "1", "quantity": 1, "unitPrice": 1}]})
        assert answer.json() == {
            "code": 40090001,
            "errorCode": 40090001,
            "name": "ValidationError",
            "class": "fix",
            "message": '"items[0].sku" must be a number',
            "validation": {
                "body": {
                    "source": "body",
                    "keys": ["items[0].sku"],
                    "message": '"items[0].sku" must be a number',
                }
            },
        }


async def test_an_unknown_sku_is_told_in_the_words_that_clients_know(folder: Path) -> None:
    async with wires.running(folder) as server:
        answer = await server.issue(SALE | {"items": [{"sku": 90, "quantity": 1, "unitPrice": 1}]})
        assert answer.json()["message"] == '"items[0].sku" 90 does not exist'


# --- processor ---------------------------------------------------------------------------------


async def test_a_processor_that_is_away(folder: Path) -> None:
    async with wires.running(folder, pfr=await unreachable()) as server:
        answer = await server.issue(SALE)
        body = answer.json()
        assert (answer.status_code, body["code"], body["class"]) == (400, 40010001, "wait")
        assert body["message"].endswith(
            "surely not sent; repeat it, with the same key if it has one"
        )


async def test_a_processor_that_was_never_reached(folder: Path) -> None:
    """A key may be of a sale that was signed before all data were put back."""
    async with wires.running(folder, pfr=await unreachable()) as server:
        answer = await server.issue(SALE, headers=KEYED)
        body = answer.json()
        assert (answer.status_code, body["class"]) == (500, "unknown")
        assert "may have been signed before" in body["message"]
        looked = await server.ask("GET", f"/fiscalization/receipts/key:{KEY}")
        assert (looked.status_code, looked.json()["state"]) == (202, "not_compared")


async def test_an_answer_that_was_lost_is_looked_up(folder: Path) -> None:
    async with wires.running(folder) as server:
        server.shop.fault("sign_then_drop")
        answer = await server.issue(SALE, headers=KEYED)
        body = answer.json()
        assert (answer.status_code, body["code"], body["class"]) == (500, 50010001, "unknown")
        await server.shop.until(KEY, "signed")
        found = await server.ask("GET", f"/fiscalization/receipts/{body['receiptId']}")
        assert found.json()["invoiceNumber"] == server.shop.ledger()[0].number


async def test_while_it_is_open_a_look_up_says_so(folder: Path) -> None:
    async with wires.running(folder) as server:
        server.shop.fault("late_answer", seconds=0.5)
        caller = asyncio.create_task(server.issue(SALE, headers=KEYED))
        await wires.until(lambda: is_sending(server))
        pending = await server.ask("GET", f"/fiscalization/receipts/key:{KEY}")
        assert pending.status_code == 202
        assert pending.json()["state"] == "sending"
        assert set(pending.json()) == {"receiptId", "state"}
        assert (await caller).json()["id"] == pending.json()["receiptId"]


# --- look-up -----------------------------------------------------------------------------------


async def test_a_receipt_is_found_by_each_of_its_names(folder: Path) -> None:
    async with wires.running(folder) as server:
        issued = (await server.issue(SALE, headers=KEYED)).json()
        for reference in (
            issued["id"],
            issued["invoiceNumber"],
            quote(issued["invoiceNumber"], safe=""),
            issued["invoiceNumber"].replace("-", "%2D"),
            f"key:{KEY}",
            quote(f"key:{KEY}", safe=""),
        ):
            found = await server.ask("GET", f"/fiscalization/receipts/{reference}")
            assert found.status_code == 200
            assert found.json() == issued


NOT_THERE = ["unknown", "A/B", "A%2FB", "key:", "key:another-key-0001", "x" * 5000, "%00", "…"]


async def test_what_is_not_there(folder: Path) -> None:
    async with wires.running(folder) as server:
        for reference in NOT_THERE:
            answer = await server.ask("GET", f"/fiscalization/receipts/{reference}")
            assert (answer.status_code, answer.json()["code"]) == (404, 40400001), reference


async def test_a_key_is_its_owners(folder: Path) -> None:
    async with wires.running(folder) as server:
        await server.issue(SALE, headers=KEYED | server.till)
        path = f"/fiscalization/receipts/key:{KEY}"
        assert (await server.ask("GET", path)).status_code == 404
        assert (await server.ask("GET", path, headers=server.till)).status_code == 200


# --- PDF ---------------------------------------------------------------------------------------


async def test_a_pdf_is_given_when_asked_for(folder: Path) -> None:
    async with wires.running(folder) as server:
        wanted = SALE | {"receiptDelivery": {"pdf": True, "base64pdf": True}}
        body = (await server.issue(wanted, headers=KEYED)).json()
        assert set(body) == MEMBERS | {"id", "pdf", "base64pdf"}
        assert body["pdf"].startswith(f"{server.url}/pdf/")
        file = await server.ask("GET", body["pdf"])
        assert file.content == base64.b64decode(body["base64pdf"])
        number = body["invoiceNumber"]
        assert file.headers["content-type"] == "application/pdf"
        assert file.headers["content-disposition"] == f'attachment; filename="{number}.pdf"'
        assert file.headers["cache-control"] == "no-store"
        assert file.headers["x-content-type-options"] == "nosniff"
        again = (await server.issue(wanted, headers=KEYED)).json()
        assert {**again, "pdf": None} == {**body, "pdf": None}


async def test_a_link_outlives_a_restart(folder: Path) -> None:
    async with wires.running(folder) as server:
        body = (await server.issue(SALE | {"receiptDelivery": {"pdf": True}})).json()
    async with wires.running(folder) as server:
        link = urlsplit(body["pdf"]).path
        file = await server.ask("GET", link)
        assert (file.status_code, file.headers["content-type"]) == (200, "application/pdf")
        other = "x" if link[30] != "x" else "y"
        assert (await server.ask("GET", link[:30] + other + link[31:])).status_code == 404


@pytest.mark.parametrize(
    ("asked", "members"),
    [({"pdf": True}, {"pdf"}), ({"base64pdf": True}, {"base64pdf"}), ({"pdf": False}, set())],
)
async def test_no_more_than_was_asked_for(
    folder: Path, asked: dict[str, bool], members: set[str]
) -> None:
    async with wires.running(folder) as server:
        body = (await server.issue(SALE | {"receiptDelivery": asked})).json()
        assert set(body) - MEMBERS - {"id"} == members


async def test_a_link_opens_at_the_name_the_caller_used(folder: Path) -> None:
    async with wires.running(folder, names=("kasa.local",)) as server:
        host = {"Host": f"kasa.local:{server.port}"}
        body = (await server.issue(SALE | {"receiptDelivery": {"pdf": True}}, headers=host)).json()
        assert body["pdf"].startswith(f"http://kasa.local:{server.port}/pdf/")


async def test_a_link_is_rendered_when_it_is_opened(folder: Path) -> None:
    async with wires.running(folder) as server:
        body = (await server.issue(SALE | {"receiptDelivery": {"pdf": True}})).json()
        assert server.pdf.rendered == 0
        files = [await server.ask("GET", body["pdf"]) for _ in range(2)]
        assert server.pdf.rendered == 2
        assert files[0].content == files[1].content == f"%PDF-1.7 {body['invoiceNumber']}".encode()


async def test_a_link_whose_pdf_can_not_be_made_any_more(folder: Path) -> None:
    async with wires.running(folder) as server:
        body = (await server.issue(SALE | {"receiptDelivery": {"pdf": True}})).json()
        server.pdf.fault = MachineError(what="the font is gone")
        answer = await server.ask("GET", body["pdf"])
        assert (answer.status_code, answer.json()["code"]) == (500, 50000001)
        server.pdf.fault = None
        assert (await server.ask("GET", body["pdf"])).status_code == 200


async def test_without_a_font_the_answer_says_that_there_is_no_pdf(
    folder: Path, caplog: Any
) -> None:
    async with wires.running(folder) as server:
        server.pdf.fault = MachineError("font", what="No font for paper.")
        answer = await server.issue(SALE | {"receiptDelivery": {"pdf": True}})
        assert (answer.status_code, answer.json()["pdf"]) == (200, None)
        assert "No font for paper" in caplog.text
        assert "Traceback" not in caplog.text


async def test_a_pdf_that_fails_denies_no_receipt(folder: Path, caplog: Any) -> None:
    async with wires.running(folder) as server:
        server.pdf.fault = RuntimeError("a bug of the renderer")
        wanted = SALE | {"receiptDelivery": {"pdf": True, "base64pdf": True}}
        answer = await server.issue(wanted)
        assert answer.status_code == 200
        assert answer.json()["pdf"] is answer.json()["base64pdf"] is None
        assert "a bug of the renderer" in caplog.text
        assert "a bug of the renderer" not in answer.text


async def test_a_pdf_that_takes_too_long_holds_no_answer_up(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("pos_app.local_api.receipt_door.WHOLE_WAY", 0.0)
    go_on = threading.Event()
    async with wires.running(folder) as server:
        server.pdf.wait_for = go_on
        try:
            answer = await server.issue(SALE | {"receiptDelivery": {"base64pdf": True}})
        finally:
            go_on.set()
        assert answer.status_code == 200
        assert answer.json()["base64pdf"] is None
        assert "took too long" in caplog.text


@pytest.mark.deadline(60)
async def test_the_whole_way_takes_less_than_20_seconds(folder: Path) -> None:
    go_on = threading.Event()
    async with wires.running(folder) as server:
        server.shop.fault("late_answer", seconds=18.5)
        server.pdf.wait_for = go_on
        delivery = {"receiptDelivery": {"pdf": True, "base64pdf": True}}
        began = time.monotonic()
        try:
            answer = await server.issue(SALE | delivery, within=30.0)
        finally:
            go_on.set()
        assert time.monotonic() - began < 20.0
        assert answer.status_code == 200
        assert answer.json()["base64pdf"] is None


async def test_a_link_that_nobody_gave(folder: Path) -> None:
    async with wires.running(folder) as server:
        answer = await server.ask("GET", "/pdf/guess")
        assert (answer.status_code, answer.json()["code"]) == (404, 40400001)


# --- paths and machine -------------------------------------------------------------------------


NOT_OFFERED = [
    ("GET", "/", 404),
    ("GET", "/stores", 404),
    ("POST", "/products", 404),
    ("GET", "/health//", 404),
    ("GET", "//health", 404),
    ("GET", "/HEALTH", 404),
    ("POST", "/health", 405),
    ("GET", "/fiscalization/receipts", 405),
    ("DELETE", "/fiscalization/receipts", 405),
    ("POST", "/fiscalization/receipts/A-B-1", 405),
    ("OPTIONS", "/fiscalization/receipts", 405),
    ("POST", "/fiscalization/receipts/A-B-1/advance", 404),
    ("POST", "/fiscalization/receipts/A-B-1/close", 404),
    ("POST", "/fiscalization/receipts/A-B-1/copy", 404),
    ("POST", "/fiscalization/receipts/A%2FB-1/refund", 404),
    ("GET", "/docs", 404),
]


async def test_a_slash_at_the_end_is_the_same_path(folder: Path) -> None:
    async with wires.running(folder) as server:
        assert (await server.ask("GET", "/health/")).status_code == 200
        assert (await server.ask("GET", "/openapi.json/")).status_code == 200
        receipts = "/fiscalization/receipts"
        wanted = SALE | {"receiptDelivery": {"pdf": True}}
        signed = await server.ask("POST", f"{receipts}/", json=wanted, headers=KEYED)
        number = signed.json()["invoiceNumber"]
        assert signed.status_code == 200
        assert (await server.ask("GET", f"{signed.json()['pdf']}/")).status_code == 200
        for reference in (number, number.replace("-", "%2D"), signed.json()["id"]):
            found = await server.ask("GET", f"{receipts}/{reference}/")
            assert (found.status_code, found.json()["invoiceNumber"]) == (200, number)
        copy = f"{receipts}/{number}/copy/"
        body = {"receiptDelivery": {"pdf": False}}
        assert (await server.ask("POST", copy, json=body)).status_code == 200
        assert (await server.ask("GET", f"{receipts}/{number}%2F")).status_code == 404
        told = await server.ask("GET", "/till/status/", headers=server.till)
        assert told.status_code == 200
        assert (await server.ask("GET", "/till/status/")).status_code == 401


@pytest.mark.parametrize("key", ["0123456789abcdef/", "0123456789/abcdef", "0123456789abcdef/copy"])
async def test_a_key_with_slashes_is_found_encoded_or_not(folder: Path, key: str) -> None:
    async with wires.running(folder) as server:
        receipts = "/fiscalization/receipts"
        headers = {"Idempotency-Key": key}
        signed = await server.ask("POST", receipts, json=SALE, headers=headers)
        number = signed.json()["invoiceNumber"]
        for path in (key, f"{key}/", quote(key, safe="")):
            found = await server.ask("GET", f"{receipts}/key:{path}")
            assert (found.status_code, found.json()["invoiceNumber"]) == (200, number), path


async def test_a_key_is_not_found_by_another_with_a_slash_more(folder: Path) -> None:
    async with wires.running(folder) as server:
        receipts, numbers = "/fiscalization/receipts", []
        for key in ("0123456789abcdef", "0123456789abcdef/"):
            headers = {"Idempotency-Key": key}
            signed = await server.ask("POST", receipts, json=SALE, headers=headers)
            numbers.append(signed.json()["invoiceNumber"])
        for key, number in zip(("0123456789abcdef", "0123456789abcdef/"), numbers, strict=True):
            found = await server.ask("GET", f"{receipts}/key:{key}")
            assert found.json()["invoiceNumber"] == number


async def test_what_is_not_offered(folder: Path) -> None:
    async with wires.running(folder) as server:
        for method, path, status in NOT_OFFERED:
            answer = await server.ask(method, path)
            assert answer.status_code == status, (method, path)
            problem = problem_from_json(status, answer.json())
            assert problem is not None
            assert problem.code == status * 100_000 + 1


async def test_a_full_disk_is_told_as_surely_not_sent(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wires.running(folder) as server:

        def full(*_: Any) -> None:
            raise DiskFull(what="There is no room left.")

        monkeypatch.setattr(server.shop.journal, "add_command", full)
        answer = await server.issue(SALE, headers=KEYED)
        body = answer.json()
        assert (answer.status_code, body["code"], body["class"]) == (400, 40010002, "cure")
        assert body["name"] == "StorageNearlyFullError"
        monkeypatch.undo()
        assert (await server.issue(SALE, headers=KEYED)).status_code == 200


async def test_a_nearly_full_disk_is_told_as_what_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wires.running(folder) as server:
        assert (await server.issue(SALE, headers=KEYED)).status_code == 200
        small = shutil.disk_usage(folder)._replace(free=LEAST_ROOM - 1)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: small)
        next_one = keyed("fedcba9876543210")
        answer = await server.issue(SALE, headers=next_one)
        body = answer.json()
        assert (answer.status_code, body["code"], body["class"]) == (400, 40010002, "cure")
        assert body["message"] == "The disk is nearly full: 64 MB must be free."
        told = await server.ask("GET", "/till/status", headers=server.till)
        assert told.json()["processor"]["state"] == "disk"
        monkeypatch.undo()
        told = await server.ask("GET", "/till/status", headers=server.till)
        assert told.json()["processor"]["state"] == "ready"
        assert (await server.issue(SALE, headers=next_one)).status_code == 200


async def test_a_failure_after_the_signature_never_says_not_sent(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wires.running(folder) as server:

        def damaged(*_: Any) -> None:
            raise DiskFull(what="The journal can't be read.")

        monkeypatch.setattr(carry_out_module, "answer_for_caller", damaged)
        for headers in (KEYED, None):
            answer = await server.issue(SALE, headers=headers)
            body = answer.json()
            assert (answer.status_code, body["class"]) == (500, "unknown")
            found = await server.ask("GET", f"/fiscalization/receipts/{body['receiptId']}")
            assert found.status_code == 200


async def test_a_bug_is_logged_and_tells_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with wires.running(folder) as server:

        def broken(*_: Any) -> None:
            raise ZeroDivisionError("secret of the house")

        monkeypatch.setattr(carry_out_module, "answer_for_caller", broken)
        answer = await server.issue(SALE, headers=KEYED)
        body = answer.json()
        assert (answer.status_code, body["code"], body["class"]) == (500, 50000001, "unknown")
        assert "secret of the house" not in answer.text
        assert "secret of the house" in caplog.text
        command = server.shop.journal.command_by_key("local", KEY)
        assert command is not None
        assert body["receiptId"] == command.id
        assert answer.headers["x-content-type-options"] == "nosniff"


# --- a journal that can't be read ----------------------------------------------------------------


def unreadable(server: wires.Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """No statement of the journal is carried out, until monkeypatch.undo()."""

    def refuse(*_: Any) -> bool:
        raise apsw.BusyError("locked")

    connection = connection_of(server.shop.journal)
    monkeypatch.setattr(connection, "exec_trace", refuse)


@pytest.mark.parametrize("headers", [KEYED, None])
async def test_what_can_not_be_read_has_an_id_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str] | None
) -> None:
    async with wires.running(folder) as server:
        unreadable(server, monkeypatch)
        answer = await server.issue(SALE, headers=headers)
        body = answer.json()
        assert (answer.status_code, body["class"]) == (500, "unknown")
        monkeypatch.undo()
        found = await server.ask("GET", f"/fiscalization/receipts/{body['receiptId']}")
        assert found.status_code == 404
        assert server.shop.ledger() == []


async def test_a_signed_receipt_is_not_denied_while_nothing_can_be_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wires.running(folder) as server:
        first = await server.issue(SALE, headers=KEYED)
        unreadable(server, monkeypatch)
        answer = await server.issue(SALE, headers=KEYED)
        assert answer.status_code == 500
        monkeypatch.undo()
        found = await server.ask("GET", f"/fiscalization/receipts/{answer.json()['receiptId']}")
        assert found.json() == first.json()


# --- deliveries ----------------------------------------------------------------------------------


async def left_before_its_answer(server: wires.Running, body: dict[str, Any]) -> None:
    """Let a caller without a key leave, and its receipt be signed."""
    server.shop.fault("late_answer", seconds=0.3)
    async with wires.wire(server.url) as caller:
        await caller.say(request_text(server, json.dumps(body).encode()))
        await wires.until(lambda: is_sending(server))
    await wires.until(lambda: not server.shop.journal.open_requests())


async def test_a_look_up_is_no_delivery(folder: Path) -> None:
    async with wires.running(folder) as server:
        await left_before_its_answer(server, SALE)
        number = server.shop.ledger()[0].number
        for method in ("GET", "HEAD", "GET"):
            found = await server.ask(method, f"/fiscalization/receipts/{number}")
            assert found.status_code == 200
        repeated = await server.issue(SALE)
        assert (repeated.status_code, repeated.json()["invoiceNumber"]) == (200, number)
        assert len(server.shop.ledger()) == 1


async def test_the_body_that_was_answered_is_another_sale_at_once(folder: Path) -> None:
    async with wires.running(folder) as server:
        await left_before_its_answer(server, SALE)
        numbers = [(await server.issue(SALE)).json()["invoiceNumber"] for _ in range(3)]
        assert numbers == [entry.number for entry in server.shop.ledger()]
        assert len(set(numbers)) == 3


@pytest.mark.parametrize("at_once", sampled([10, 2]))
async def test_identical_orders_of_callers_that_wait_are_sales_of_their_own(
    folder: Path, at_once: int
) -> None:
    """A program without keys pays for twenty rooms of one price, some at a time."""
    gate = asyncio.Semaphore(at_once)
    async with wires.running(folder) as server:

        async def order() -> str:
            async with gate:
                answer = await server.issue(SALE)
                assert answer.status_code == 200, answer.text
                return str(answer.json()["invoiceNumber"])

        numbers = await asyncio.gather(*(order() for _ in range(20)))
        assert sorted(numbers) == sorted(entry.number for entry in server.shop.ledger())
        assert len(set(numbers)) == 20
        assert not await server.shop.service.present.ids()


@pytest.mark.parametrize("lost", [1, 3])
async def test_what_was_lost_is_told_to_one_of_those_who_repeat_at_once(
    folder: Path, lost: int
) -> None:
    """Callers with identical orders hang up together and come back together: each lost receipt goes
    to one of them, and the others are sold a new one."""
    repeating = 4
    async with wires.running(folder) as server:
        server.shop.fault("late_answer", seconds=0.3)
        text = request_text(server, json.dumps(SALE).encode())
        async with AsyncExitStack() as lines:
            for _ in range(lost):
                caller = await lines.enter_async_context(wires.wire(server.url))
                await caller.say(text)
            await wires.until(lambda: len(server.shop.journal.open_requests()) == lost)
        await wires.until(lambda: not server.shop.journal.open_requests())
        signed = {entry.number for entry in server.shop.ledger()}
        answers = await asyncio.gather(*(server.issue(SALE) for _ in range(repeating)))
        numbers = [answer.json()["invoiceNumber"] for answer in answers]
        assert len(set(numbers)) == repeating
        assert signed < set(numbers)
        assert sorted(numbers) == sorted(entry.number for entry in server.shop.ledger())
        assert not await server.shop.service.present.ids()


async def test_who_repeats_and_leaves_again_keeps_it_from_nobody(folder: Path) -> None:
    async with wires.running(folder) as server:
        await left_before_its_answer(server, SALE)
        text = request_text(server, json.dumps(SALE).encode())
        await asyncio.to_thread(asked_once, server.url, text, reads=30, resets=True)
        again = await server.issue(SALE)
        assert again.json()["invoiceNumber"] == server.shop.ledger()[0].number
        assert len(server.shop.ledger()) == 1


async def test_of_two_that_are_under_way_the_one_whose_caller_went_is_repeated(
    folder: Path,
) -> None:
    async with wires.running(folder) as server:
        server.shop.fault("late_answer", seconds=0.5)
        text = request_text(server, json.dumps(SALE).encode())
        async with wires.wire(server.url) as stays:
            async with wires.wire(server.url) as goes:
                await goes.say(text)
                await wires.until(lambda: is_sending(server))
                await stays.say(text)
                await wires.until(lambda: len(server.shop.journal.open_requests()) == 2)
            while_open = await server.issue(SALE)
            assert while_open.status_code == 500
            status, _, _ = await stays.answer()
            assert status == 200
        first, second = (entry.number for entry in server.shop.ledger())
        again = await server.issue(SALE)
        assert again.json()["invoiceNumber"] == first
        third = await server.issue(SALE)
        assert third.json()["invoiceNumber"] not in (first, second)
        assert len(server.shop.ledger()) == 3


async def test_an_answer_that_its_caller_does_not_take_is_not_delivered(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It stays with the server where all buffers are full, and is lost with the connection."""
    caplog.set_level("INFO")
    body = SALE | {"receiptDelivery": {"base64pdf": True}}
    async with wires.running(folder, limits=ConnectionLimits(write_seconds=0.2)) as server:
        server.pdf.more = b" " * MORE_THAN_BUFFERS
        async with wires.wire(server.url) as caller:
            transport = caller.writer.transport
            assert isinstance(transport, asyncio.ReadTransport)
            transport.pause_reading()
            await caller.say(request_text(server, json.dumps(body).encode()))
            await wires.until(lambda: "a caller left before its answer came" in caplog.messages)
        server.pdf.more = b""
        again = (await server.issue(body)).json()
        assert again["invoiceNumber"] == server.shop.ledger()[0].number
        assert len(server.shop.ledger()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell what was taken")
async def test_an_answer_that_stays_in_our_systems_buffer_is_not_delivered(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it was written, and no end of the connection tells that the caller's system did not
    take it: it is silent, as where its line is dead, until the server cuts it off."""
    caplog.set_level("INFO")
    monkeypatch.setattr(protocol, "TAKEN_WITHIN_SECONDS", 0.3)
    body = SALE | {"receiptDelivery": {"base64pdf": True}}
    limits = ConnectionLimits(idle_seconds=0.1)
    async with wires.running(folder, limits=limits) as server:
        server.pdf.more = b" " * LESS_THAN_BUFFERS
        with socket.socket() as caller:
            caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            caller.connect(("127.0.0.1", server.port))
            caller.sendall(request_text(server, json.dumps(body).encode()))
            await wires.until(lambda: "a caller left before its answer came" in caplog.messages)
        server.pdf.more = b""
        again = (await server.issue(body)).json()
        assert again["invoiceNumber"] == server.shop.ledger()[0].number
        assert len(server.shop.ledger()) == 1


def asked_once(url: str, text: bytes, *, reads: int | None, resets: bool) -> None:
    """Ask on a new connection, read `reads` bytes of the answer, or all where it is None, and end
    it."""
    place = urlsplit(url)
    with socket.create_connection((place.hostname, place.port), timeout=20) as caller:
        caller.sendall(text)
        said = b""
        while not is_whole(said) if reads is None else len(said) < reads:
            said += caller.recv(4096 if reads is None else reads - len(said))
        if resets:
            caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def is_whole(said: bytes) -> bool:
    head, _, body = said.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head)
    return length is not None and len(body) == int(length[1])


@pytest.mark.parametrize("stays", [True, False], ids=["kept open", "one request"])
@pytest.mark.parametrize(
    ("reads", "resets", "is_another"),
    [(None, False, True), (2000, False, False), (None, True, False), (30, True, False)],
)
async def test_an_answer_is_delivered_by_how_its_line_ends(
    folder: Path, reads: int | None, resets: bool, is_another: bool, stays: bool
) -> None:
    """A caller that leaves bytes unread resets the connection: its system had the answer, the
    caller did not."""
    async with wires.running(folder) as server:
        text = request_text(server, json.dumps(SALE).encode())
        if not stays:
            text = text.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
        await asyncio.to_thread(asked_once, server.url, text, reads=reads, resets=resets)
        assert (await server.issue(SALE)).status_code == 200
        assert len(server.shop.ledger()) == 1 + is_another


async def test_orders_that_are_alike_and_read_are_each_a_sale_however_callers_end(
    folder: Path,
) -> None:
    """Callers that ask for one answer a connection read it by its length or to its end, and some
    keep their side open for a while, or send more."""
    async with wires.running(folder) as server:
        text = request_text(server, json.dumps(SALE).encode())
        text = text.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
        place = urlsplit(server.url)
        with ExitStack() as open_ones:
            for number in range(12):
                caller = socket.create_connection((place.hostname, place.port), timeout=20)
                open_ones.enter_context(caller)
                await asyncio.to_thread(caller.sendall, text)
                told = b""
                while not is_whole(told):
                    told += await asyncio.to_thread(caller.recv, 4096)
                if number % 4 == 1:
                    assert await asyncio.to_thread(caller.recv, 4096) == b""
                if number % 4 == 2:
                    caller.sendall(text)
                if number % 4 != 3:
                    caller.close()
            assert len({entry.number for entry in server.shop.ledger()}) == 12


async def test_a_line_that_stands_has_its_answer(folder: Path) -> None:
    async with wires.running(folder) as server, wires.wire(server.url) as first:
        await first.say(request_text(server, json.dumps(SALE).encode()))
        assert (await first.answer())[0] == 200
        assert (await server.issue(SALE)).status_code == 200
        assert len(server.shop.ledger()) == 2


async def test_a_line_that_the_server_ends_had_its_answer(folder: Path) -> None:
    limits = ConnectionLimits(idle_seconds=0.1)
    async with wires.running(folder, limits=limits) as server, wires.wire(server.url) as first:
        await first.say(request_text(server, json.dumps(SALE).encode()))
        assert (await first.answer())[0] == 200
        assert await first.end() == b""
        assert (await server.issue(SALE)).status_code == 200
        assert len(server.shop.ledger()) == 2


async def test_only_a_keyless_delivery_is_written_down(folder: Path) -> None:
    async with wires.running(folder) as server:
        await server.issue(SALE, headers=KEYED)  # the first sale of all names the element
        commits = list[str]()
        connection = connection_of(server.shop.journal)
        connection.exec_trace = lambda cursor, sql, values: commits.append(sql) or True
        await server.issue(SALE, headers={"Idempotency-Key": "the-second-sale-of-all"})
        assert commits.count("COMMIT") == 3, "QUEUED, SENDING, SIGNED"
        commits.clear()
        await server.issue(SALE | {"payments": {"cash": 300}})
        await wires.until(lambda: commits.count("COMMIT") == 4)
        connection.exec_trace = None


@pytest.mark.parametrize(
    ("discount", "kind"),
    turns(["20", "20.0", "2e1", "100", "12.5"], ["normal", "proforma", "training"]),
)
async def test_a_percentage_lowers_a_receipt_that_can_be_found_again(
    folder: Path, kind: str, discount: str
) -> None:
    body = json.dumps(SALE | {"invoiceType": kind, "discount": 7}).replace(
        '"discount": 7', f'"discount": {discount}'
    )
    sent = KEYED | {"Content-Type": "application/json"}
    async with wires.running(folder) as server:
        first = await server.ask("POST", "/fiscalization/receipts", content=body, headers=sent)
        assert first.status_code == 200, first.text
        found = await server.ask("GET", f"/fiscalization/receipts/key:{KEY}")
        assert found.json()["invoiceNumber"] == first.json()["invoiceNumber"]
        status = await server.ask("GET", "/till/status", headers=server.till)
        assert (status.status_code, status.json()["open"]) == (200, [])


async def test_a_damaged_row_blinds_nobody_to_the_rest(folder: Path) -> None:
    async with wires.running(folder) as server:
        server.shop.fault("drop")
        assert (await server.issue(SALE, headers=KEYED)).status_code == 500
        await wires.until(lambda: server.shop.journal.is_in_doubt(server.shop.lane.name))
        connection = connection_of(server.shop.journal)
        connection.execute("UPDATE requests SET planned = x'00'")
        status = await server.ask("GET", "/till/status", headers=server.till)
        assert status.status_code == 200
        assert status.json()["processor"]["state"] == "doubt"
        waits = await server.issue(SALE, headers=keyed("fedcba9876543210"))
        assert (waits.status_code, waits.json()["class"]) == (400, "wait")
        broken = await server.issue(SALE, headers=KEYED)
        assert broken.status_code == 500


async def test_the_refund_of_an_advance_may_state_a_label_that_is_given_back_already(
    folder: Path,
) -> None:
    """Its items are the ordered ones; the payments decide how much of which label goes back."""
    bread, coffee = (
        {"quantity": 1, "unitPrice": 100, "article": {"name": label, "taxRateLabel": label}}
        for label in ("Е", "Ђ")
    )
    buyer, on_paper = {"buyerId": "10:123456788"}, {"receiptDelivery": {"pdf": False}}
    advance = {"invoiceType": "advance", "items": [bread, coffee]} | on_paper
    async with wires.running(folder) as server:
        paid = await server.issue(advance | {"transactionType": "sale", "payments": {"card": 100}})
        refund = advance | buyer | {"transactionType": "refund", "payments": {"card": 50}}
        refund["referentDocumentNumber"] = paid.json()["invoiceNumber"]
        for label in ("Е", "Ђ"):
            answer = await server.issue(refund | {"advanceSpecification": {label: 50}})
            assert answer.status_code == 200, answer.text
            assert [tax["label"] for tax in answer.json()["taxItems"]] == [label]
