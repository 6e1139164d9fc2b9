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
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import apsw
import httpx
import pytest
from PIL import Image

from pos_app.adapters.http_server import protocol
from pos_app.adapters.http_server.protocol import ConnectionLimits
from pos_app.errors import DiskFull, MachineError
from pos_app.fiscalization.issuing import execute as carry_out_module
from pos_app.fiscalization.lane.probe import LEAST_ROOM
from tests.fakes.inner_connection import connection_of
from tests.integration.local_api.wires import Running, running, until, wire

KEY = "0123456789abcdef"
SALE: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
    "receiptDelivery": {"pdf": False},
}
KEYED = {"Idempotency-Key": KEY}
LESS_THAN_BUFFERS = 60_000
MEMBERS = {
    "requestedBy", "sdcDateTime", "invoiceCounter", "invoiceCounterExtension", "invoiceNumber",
    "taxItems", "verificationUrl", "verificationQRCode", "journal", "messages", "signedBy",
    "encryptedInternalData", "signature", "totalCounter", "transactionTypeCounter", "totalAmount",
    "taxGroupRevision", "businessName", "tin", "locationName", "address", "district", "mrc",
}  # fmt: skip


def keyed(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key}


def request_text(server: Running, body: bytes, *, more: str = "") -> bytes:
    head = (
        f"POST /fiscalization/receipts HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    )
    return head.encode() + body


def is_sending(server: Running) -> bool:
    return server.shop.journal.in_lane(server.shop.lane.name) is not None


# --- the receipt -------------------------------------------------------------------------------
async def test_a_receipt_has_every_member_of_the_contract(folder: Path) -> None:
    zxing = pytest.importorskip("zxingcpp")
    async with running(folder) as server:
        answer = await server.issue(SALE)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/json"
        body = answer.json()
        assert set(body) == MEMBERS | {"id"}
        assert body["totalAmount"] == 117.98
        again = (await server.issue(SALE)).json()
        numbers = [body["invoiceNumber"], again["invoiceNumber"]]
        assert numbers == [entry.number for entry in server.shop.ledger()]
        assert len(set(numbers)) == 2
    gif = base64.b64decode(body["verificationQRCode"], validate=True)
    assert gif.startswith(b"GIF89a")
    picture = Image.open(BytesIO(gif)).convert("L")
    framed = Image.new("L", (picture.width + 64, picture.height + 64), 255)
    framed.paste(picture, (32, 32))
    assert [code.text for code in zxing.read_barcodes(framed)] == [body["verificationUrl"]]


async def test_the_till_is_known_by_its_token_and_others_are_local(folder: Path) -> None:
    """A key is its owner's; the till alone is spared the picture that it draws itself."""
    path, unwanted = f"/fiscalization/receipts/key:{KEY}", {"X-Without-Code": "true"}
    async with running(folder) as server:
        mine = server.till | KEYED | {"X-Till": "till-7", "X-Till-Sequence": "3"}
        mine |= {"X-Cashier": quote("Мика Ђ.")}
        answer = await server.issue(SALE, headers=mine)
        command = server.shop.journal.command_by_key("till:till-7", KEY)
        assert (command.cashier, command.till_sequence) == ("Мика Ђ.", 3)
        assert "Мика Ђ." in answer.json()["journal"]
        assert answer.json()["verificationQRCode"] is not None
        spared = (await server.issue(SALE, headers=mine | unwanted)).json()
        assert spared == answer.json() | {"verificationQRCode": None}
        assert (await server.ask("GET", path)).status_code == 404
        pretended = {"X-Cashier": "Мика".encode().hex(), "X-Till": "till-7"}
        other = (await server.issue(SALE, headers=KEYED | pretended | unwanted)).json()
        assert other["id"] != answer.json()["id"]
        assert other["verificationQRCode"] is not None
        assert (await server.ask("GET", path)).json()["id"] == other["id"]
        command = server.shop.journal.command_by_key("local", KEY)
        assert (command.cashier, command.till_sequence) == ("API", None)


# --- PDF ---------------------------------------------------------------------------------------
ASKED: list[tuple[dict[str, bool], set[str]]] = [
    ({"pdf": True}, {"pdf"}),
    ({"base64pdf": True}, {"base64pdf"}),
    ({"pdf": True, "base64pdf": True}, {"pdf", "base64pdf"}),
    ({"pdf": False}, set()),
]


async def test_a_pdf_is_given_when_asked_for(folder: Path) -> None:
    """A link opens at the name that the caller used; it is rendered whenever it is opened."""
    async with running(folder, names=("kasa.local",)) as server:
        for asked, members in ASKED:
            told = (await server.issue(SALE | {"receiptDelivery": asked})).json()
            assert set(told) - MEMBERS - {"id"} == members
        wanted = SALE | {"receiptDelivery": {"pdf": True, "base64pdf": True}}
        body = (await server.issue(wanted, headers=KEYED)).json()
        rendered = server.pdf.rendered
        assert body["pdf"].startswith(f"{server.url}/pdf/")
        number = body["invoiceNumber"]
        for _ in range(2):
            file = await server.ask("GET", body["pdf"])
            assert file.content == base64.b64decode(body["base64pdf"])
            assert file.content == f"%PDF-1.7 {number}".encode()
            assert file.headers["content-type"] == "application/pdf"
            assert file.headers["content-disposition"] == f'attachment; filename="{number}.pdf"'
            assert file.headers["cache-control"] == "no-store"
            assert file.headers["x-content-type-options"] == "nosniff"
        assert server.pdf.rendered == rendered + 2
        again = (await server.issue(wanted, headers=KEYED)).json()
        assert {**again, "pdf": None} == {**body, "pdf": None}
        host = {"Host": f"kasa.local:{server.port}"}
        named = (await server.issue(wanted, headers=host)).json()
        assert named["pdf"].startswith(f"http://kasa.local:{server.port}/pdf/")
    async with running(folder) as server:  # a link outlives a restart
        link = urlsplit(body["pdf"]).path
        file = await server.ask("GET", link)
        assert (file.status_code, file.headers["content-type"]) == (200, "application/pdf")
        other = "x" if link[30] != "x" else "y"
        for wrong in (link[:30] + other + link[31:], "/pdf/guess"):
            nobody = await server.ask("GET", wrong)
            assert (nobody.status_code, nobody.json()["code"]) == (404, 40400001)


async def test_no_pdf_denies_nothing(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    wanted = SALE | {"receiptDelivery": {"pdf": True, "base64pdf": True}}
    async with running(folder) as server:
        linked = (await server.issue(wanted)).json()["pdf"]
        server.pdf.fault = MachineError("font", what="No font for paper.")
        answer = await server.issue(wanted)
        assert (answer.status_code, answer.json()["pdf"]) == (200, None)
        told = [(one["code"], one["field"]) for one in answer.json()["warnings"]]
        assert told == [("pdf_not_made", f"receiptDelivery.{one}") for one in ("pdf", "base64pdf")]
        assert "No font for paper" in caplog.text
        assert "Traceback" not in caplog.text
        opened = await server.ask("GET", linked)
        assert (opened.status_code, opened.json()["code"]) == (500, 50000001)
        server.pdf.fault = RuntimeError("a bug of the renderer")
        answer = await server.issue(wanted)
        assert answer.status_code == 200
        assert answer.json()["pdf"] is answer.json()["base64pdf"] is None
        assert "a bug of the renderer" in caplog.text
        assert "a bug of the renderer" not in answer.text
        server.pdf.fault = None
        assert (await server.ask("GET", linked)).status_code == 200


# --- paths and machine -------------------------------------------------------------------------
async def test_a_key_with_slashes_is_found_encoded_or_not_and_is_no_other(folder: Path) -> None:
    async with running(folder) as server:
        receipts, numbers = "/fiscalization/receipts", dict[str, str]()
        for key in (KEY, "0123456789/abcdef", f"{KEY}/copy", f"{KEY}/"):
            signed = await server.ask("POST", receipts, json=SALE, headers=keyed(key))
            numbers[key] = signed.json()["invoiceNumber"]
        assert len(set(numbers.values())) == 4
        for key, number in numbers.items():
            for path in (key, quote(key, safe="")):
                found = await server.ask("GET", f"{receipts}/key:{path}")
                assert (found.status_code, found.json()["invoiceNumber"]) == (200, number), path


async def test_full_disk_is_surely_not_sent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(folder) as server:

        def full(*_: Any) -> None:
            raise DiskFull(what="There is no room left.")

        with monkeypatch.context() as disk:
            disk.setattr(server.shop.journal, "add_command", full)
            answer = await server.issue(SALE, headers=KEYED)
        body = answer.json()
        assert (answer.status_code, body["code"], body["class"]) == (400, 40010002, "cure")
        assert body["name"] == "StorageNearlyFullError"
        assert (await server.issue(SALE, headers=KEYED)).status_code == 200
        small = shutil.disk_usage(folder)._replace(free=LEAST_ROOM - 1)
        next_one = keyed("fedcba9876543210")
        with monkeypatch.context() as disk:
            disk.setattr(shutil, "disk_usage", lambda _: small)
            answer = await server.issue(SALE, headers=next_one)
            body = answer.json()
            assert (answer.status_code, body["code"], body["class"]) == (400, 40010002, "cure")
            assert body["message"] == "The disk is nearly full: 64 MB must be free."
            told = await server.ask("GET", "/till/status", headers=server.till)
            assert told.json()["processor"]["state"] == "disk"
        told = await server.ask("GET", "/till/status", headers=server.till)
        assert told.json()["processor"]["state"] == "ready"
        assert (await server.issue(SALE, headers=next_one)).status_code == 200


async def test_a_failure_after_the_signature_never_says_not_sent(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:

    def damaged(*_: Any) -> None:
        raise DiskFull(what="The journal can't be read.")

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("secret of the house")

    async with running(folder) as server:
        for headers in (KEYED, None):
            monkeypatch.setattr(carry_out_module, "answer_for_caller", damaged)
            answer = await server.issue(SALE, headers=headers)
            body = answer.json()
            assert (answer.status_code, body["class"]) == (500, "unknown")
            found = await server.ask("GET", f"/fiscalization/receipts/{body['receiptId']}")
            assert found.status_code == 200
        monkeypatch.setattr(carry_out_module, "answer_for_caller", broken)
        answer = await server.issue(SALE, headers=KEYED)
        body = answer.json()
        assert (answer.status_code, body["code"], body["class"]) == (500, 50000001, "unknown")
        assert "secret of the house" not in answer.text
        assert "secret of the house" in caplog.text
        command = server.shop.journal.command_by_key("local", KEY)
        assert body["receiptId"] == command.id
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_while_nothing_can_be_read_each_receipt_has_an_id_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def refuse(*_: Any) -> bool:
        raise apsw.BusyError("locked")

    async with running(folder) as server:

        async def issued_unread(headers: dict[str, str] | None) -> httpx.Response:
            with monkeypatch.context() as locked:
                locked.setattr(connection_of(server.shop.journal), "exec_trace", refuse)
                answer = await server.issue(SALE, headers=headers)
            assert (answer.status_code, answer.json()["class"]) == (500, "unknown")
            receipt_id = answer.json()["receiptId"]
            return await server.ask("GET", f"/fiscalization/receipts/{receipt_id}")

        for headers in (KEYED, None):
            assert (await issued_unread(headers)).status_code == 404
        assert server.shop.ledger() == []
        first = await server.issue(SALE, headers=KEYED)
        assert (await issued_unread(KEYED)).json() == first.json()


# --- deliveries ----------------------------------------------------------------------------------
async def test_what_did_not_arrive_is_repeated_and_no_look_up_counts(folder: Path) -> None:
    """What its caller's system throws away is no delivery."""
    async with running(folder) as server:
        for has_ended in (False, True):
            order = SALE | {"payments": {"cash": 200 + has_ended}}
            before = len(server.shop.ledger())
            text = request_text(server, json.dumps(order).encode())
            server.shop.fault("late_answer", seconds=0.3)
            async with wire(server.url) as caller:
                await caller.say(text)
                if has_ended:
                    caller.writer.write_eof()
                await until(lambda: is_sending(server))
            await until(lambda: not server.shop.journal.open_requests())
            number = server.shop.ledger()[before].number
            for method in ("GET", "HEAD", "GET"):
                found = await server.ask(method, f"/fiscalization/receipts/{number}")
                assert found.status_code == 200
            await asyncio.to_thread(asked_once, server.url, text, reads=30, resets=True)
            numbers = [(await server.issue(order)).json()["invoiceNumber"] for _ in range(3)]
            assert numbers == [entry.number for entry in server.shop.ledger()[before:]]
            assert (numbers[0], len(set(numbers))) == (number, 3)


async def test_of_two_under_way_the_one_whose_caller_went_is_repeated(folder: Path) -> None:
    async with running(folder) as server:
        server.shop.fault("late_answer", seconds=0.5)
        text = request_text(server, json.dumps(SALE).encode())
        async with wire(server.url) as stays:
            async with wire(server.url) as goes:
                await goes.say(text)
                await until(lambda: is_sending(server))
                await stays.say(text)
                await until(lambda: len(server.shop.journal.open_requests()) == 2)
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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell what was taken")
async def test_an_answer_that_stays_in_our_systems_buffer_is_not_delivered(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is silent, as where its line is dead, until the server cuts it off."""
    caplog.set_level("INFO")
    monkeypatch.setattr(protocol, "TAKEN_WITHIN_SECONDS", 0.3)
    body = SALE | {"receiptDelivery": {"base64pdf": True}}
    limits = ConnectionLimits(idle_seconds=0.1)
    async with running(folder, limits=limits) as server:
        server.pdf.more = b" " * LESS_THAN_BUFFERS
        with socket.socket() as caller:
            caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            caller.connect(("127.0.0.1", server.port))
            caller.sendall(request_text(server, json.dumps(body).encode()))
            await until(lambda: "a caller left before its answer came" in caplog.messages)
        server.pdf.more = b""
        again = (await server.issue(body)).json()
        assert again["invoiceNumber"] == server.shop.ledger()[0].number
        assert len(server.shop.ledger()) == 1


def asked_once(url: str, text: bytes, *, reads: int | None, resets: bool) -> None:
    """Ask on a new connection, read `reads` bytes of the answer (None: all), and end it."""
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


ENDS = [(None, False, True), (2000, False, False), (None, True, False), (30, True, False)]
"""How much is read of an answer, whether the line is reset then, and whether it was delivered."""


async def test_an_answer_is_delivered_by_how_its_line_ends(folder: Path) -> None:
    """A caller that leaves bytes unread resets the connection."""
    async with running(folder) as server:
        for place, ((reads, resets, is_another), stays) in enumerate(product(ENDS, (True, False))):
            order, before = SALE | {"payments": {"cash": 200 + place}}, len(server.shop.ledger())
            text = request_text(server, json.dumps(order).encode())
            if not stays:
                text = text.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
            await asyncio.to_thread(asked_once, server.url, text, reads=reads, resets=resets)
            assert (await server.issue(order)).status_code == 200
            signed = len(server.shop.ledger()) - before
            assert signed == 1 + is_another, (reads, resets, stays)
        async with wire(server.url) as stands:
            await stands.say(request_text(server, json.dumps(SALE).encode()))
            assert (await stands.answer())[0] == 200
            before = len(server.shop.ledger())
            assert (await server.issue(SALE)).status_code == 200
            assert len(server.shop.ledger()) == before + 1


async def test_a_line_that_the_server_ends_had_its_answer(folder: Path) -> None:
    limits = ConnectionLimits(idle_seconds=0.1)
    async with running(folder, limits=limits) as server, wire(server.url) as first:
        await first.say(request_text(server, json.dumps(SALE).encode()))
        assert (await first.answer())[0] == 200
        assert await first.end() == b""
        assert (await server.issue(SALE)).status_code == 200
        assert len(server.shop.ledger()) == 2
