"""The till's client against real sockets that break in every way."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pos_app import errors
from pos_app.adapters.api_client import client, receipts
from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.pdf_files import KEPT, PdfHttp
from pos_app.adapters.api_client.receipt_reading import receipts_at
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.sqlite.receipt_index import advances
from pos_app.cashier.texts.lookup import Texts
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import receipt_id, till_origin
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.errors import MachineError, Refused
from pos_app.fiscalization.issuing.results import IssuedReceipts
from pos_app.selling.server import answers
from pos_app.selling.server.answers import Issued
from pos_app.selling.server.ports import OutgoingSale
from pos_app.wire.problem import (
    KEY_BOUND,
    NOT_FOUND,
    OUTCOME_UNKNOWN,
    RECEIPT_UNREADABLE,
    TOO_MANY,
    WRONG_HOST,
    Problem,
    problem_to_json,
)
from pos_app.wire.receipt import receipt_to_json
from pos_app.wire.strict_json import dumps
from tests.fakes.fiscal_app import INSTALL
from tests.fakes.fiscal_server import receipt
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.test_operations import ADVANCE, BUYER, PDF
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import Running, running
from tests.integration.test_http_exchange import answering
from tests.sweep import each

PARCEL = OutgoingSale("0123456789abcdef0123456789abcdef", 7, "Мира", b'{"items":[]}')
RECEIPT = receipt_to_json(receipt(1), receipt_id="receipt-1", qr_code=None)

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def http(status: int, body: bytes, *, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    head = (
        f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {size}\r\n\r\n"
    )
    return head.encode() + body


def says(answer: bytes) -> Answer:

    async def write(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(answer)
        await writer.drain()

    return write


async def read_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = 0
    for line in head.decode().split("\r\n"):
        name, _, value = line.partition(":")
        if name.lower() == "content-length":
            length = int(value)
    return head + await reader.readexactly(length)


@asynccontextmanager
async def listening(answer: Answer) -> AsyncIterator[LocalApi]:
    async with answering(answer) as port, LocalApi(f"http://127.0.0.1:{port}", INSTALL) as api:
        yield api


async def until_hung_up(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(ConnectionError):
        await reader.read()


async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await until_hung_up(reader)


async def closes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await read_request(reader)


async def drips(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await read_request(reader)
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\n")
    await writer.drain()
    await until_hung_up(reader)


async def floods(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await read_request(reader)
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    with contextlib.suppress(ConnectionError):
        while True:
            writer.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
            await writer.drain()


def told(problem: Problem) -> bytes:
    return http(problem.status, dumps(problem_to_json(problem)))


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (says(http(200, dumps(RECEIPT))), answers.Issued),
        (says(http(200, b"<html>")), answers.Unclear),
        (says(http(200, b"{}")), answers.Unclear),
        (says(http(200, dumps(RECEIPT)[:40], length=2_000)), answers.Unclear),
        (says(http(204, b"")), answers.Unclear),
        (says(http(302, b"")), answers.Unclear),
        (says(http(400, b"no class")), answers.Unclear),
        (says(http(500, b"{}")), answers.Unclear),
        (says(b"SSH-2.0-OpenSSH\r\n\r\n"), answers.Unclear),
        (says(told(Problem.of(KEY_BOUND, "bound"))), answers.RefusedByServer),
        (says(told(Problem.of(TOO_MANY, "later"))), answers.RefusedByServer),
        (says(told(Problem.of(WRONG_HOST, "foreign install"))), answers.Undelivered),
        (says(told(Problem.of(OUTCOME_UNKNOWN, "unknown", receipt_id="r-1"))), answers.Unclear),
        (closes, answers.Unclear),
        (never, answers.Unclear),
        (drips, answers.Unclear),
        (floods, answers.Unclear),
    ],
)
async def test_an_answer_is_exactly_one_of_four(
    answer: Answer, kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipts, "ISSUE_SECONDS", 1.0)
    monkeypatch.setattr(client, "_LONGEST_ANSWER", 500_000)
    async with listening(answer) as api:
        assert type(await FiscalHttp(api).issue(PARCEL)) is kind


async def test_a_404_counts_as_absent_only_in_our_words() -> None:
    async with listening(says(http(404, b"<h1>Not Found</h1>"))) as api:
        assert isinstance(await FiscalHttp(api).look_up(PARCEL.key), answers.NoAnswer)


@pytest.mark.parametrize(
    "answer",
    [
        says(http(200, b"<html>")),
        says(http(200, b'{"service": "printer"}')),
        says(http(404, b"")),
        says(http(200, b'{"service":"pos-app-server","version":"3.2.0","installId":1}')),
    ],
)
async def test_another_program_is_a_stranger_and_learns_no_token(answer: Answer) -> None:
    heard: list[bytes] = []

    async def listens(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        buffer = asyncio.StreamReader()
        heard.append(await read_request(reader))
        buffer.feed_data(heard[-1])
        buffer.feed_eof()
        await answer(buffer, writer)

    async with listening(listens) as api:
        assert isinstance(await FiscalHttp(api).prove(), answers.ForeignServer)
    assert len(heard) == 1
    assert INSTALL.token.encode() not in heard[0]


async def test_a_cancel_that_meets_an_unreadable_receipt_meets_a_signed_one() -> None:
    signed = Problem.of(
        RECEIPT_UNREADABLE, "Signed: A-B-1", receipt_id="receipt-1", signed=("A-B-1",)
    )
    async with listening(says(told(signed))) as api:
        assert await FiscalHttp(api).cancel(PARCEL.key) == answers.NotCancelled(RequestState.SIGNED)


async def test_without_a_number_nothing_is_ended() -> None:
    answer = Problem.of(RECEIPT_UNREADABLE, "Signed", receipt_id="receipt-1", signed=())
    async with listening(says(told(answer))) as api:
        assert isinstance(await FiscalHttp(api).look_up(PARCEL.key), answers.NoAnswer)
        unclear = await FiscalHttp(api).issue(PARCEL)
    assert isinstance(unclear, answers.Unclear)
    assert unclear.receipt_id == "receipt-1"


# --- a person's acts ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (told(Problem.of(NOT_FOUND, "Receipt not found")), errors.Refused),
        (told(Problem.of(OUTCOME_UNKNOWN, "unknown")), errors.OutcomeUnknown),
        (told(Problem.of(RECEIPT_UNREADABLE, "signed", signed=("A-B-1",))), errors.Unreadable),
        (http(500, b""), errors.OutcomeUnknown),
        (http(200, b"nonsense"), errors.OutcomeUnknown),
    ],
)
async def test_a_persons_word_that_fails_says_so(answer: bytes, error: type[Exception]) -> None:
    async with listening(says(answer)) as api:
        with pytest.raises(error):
            await DoubtHttp(api).declare_absent("r-1", by="Управник")


@pytest.mark.parametrize("answer", [http(500, b""), http(500, b"", length=9), b""])
async def test_what_failed_is_told_with_the_id_that_the_server_was_sent(answer: bytes) -> None:
    """A person reads the id to support, who finds it in the server's log."""
    heads: list[bytes] = []

    async def fails(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await read_request(reader))
        writer.write(answer)

    async with listening(fails) as api:
        with pytest.raises(errors.OutcomeUnknown) as failed:
            await DoubtHttp(api).declare_absent("r-1", by="Управник")
    (line,) = [row for row in heads[0].split(b"\r\n") if row.lower().startswith(b"x-request-id:")]
    sent = line.partition(b":")[2].strip().decode()
    assert len(sent) == 10
    assert Texts().error(failed.value).press.endswith(f"Ако подршка пита, прочитајте: {sent}")
    assert Texts("en").error(failed.value).press.endswith(f"If support asks, read out: {sent}")


# --- a receipt to be shown -----------------------------------------------------------------------
def pdf_answer(number: str, content: bytes) -> bytes:
    told = {"number": number, "content": base64.b64encode(content).decode()}
    return http(200, dumps({"result": told}))


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (http(404, dumps(problem_to_json(Problem.of(NOT_FOUND, "none")))), errors.Refused),
        (http(200, b"{}"), errors.OutcomeUnknown),
        (http(200, dumps({"result": {"number": "1", "content": "?"}})), errors.OutcomeUnknown),
    ],
    ids=["refused", "no sense", "no base64"],
)
async def test_a_pdf_that_does_not_come(folder: Path, answer: bytes, told: type[Exception]) -> None:
    async with listening(says(answer)) as api:
        with pytest.raises(told):
            await PdfHttp(api, folder / "shown").pdf_of("receipt-1", by="Ана")


async def test_a_pdf_that_can_t_be_kept(folder: Path) -> None:
    in_the_way = folder / "shown"
    in_the_way.write_text("no folder")
    with pytest.raises(errors.DataFolderNotWritable):
        await kept(in_the_way, b"%PDF")


async def test_a_pdf_is_kept_under_its_number_and_left_as_it_is(folder: Path) -> None:
    """On Windows a viewer that has it open keeps others from writing it."""
    shown = folder / "shown"
    there = await kept(shown, b"%PDF", number="ABCD1234-ABCD1234-1/ПП")
    assert re.fullmatch("ABCD1234-ABCD1234-1___-[0-9a-f]{8}[.]pdf", there.name)
    there = await kept(shown, b"%PDF")
    os.utime(there, (0, 0))
    assert await kept(shown, b"%PDF") == there
    assert there.stat().st_mtime == 0
    there.write_bytes(b"%P")
    assert (await kept(shown, b"%PDF")).read_bytes() == b"%PDF"
    view = await kept(shown, b"%PDF, a view")
    assert view != there
    assert (there.read_bytes(), view.read_bytes()) == (b"%PDF", b"%PDF, a view")


async def kept(shown: Path, content: bytes, *, number: str = "1") -> Path:
    async with listening(says(pdf_answer(number, content))) as api:
        return await PdfHttp(api, shown).pdf_of("receipt-1", by="Ана")


async def test_only_the_latest_files_stay_and_those_that_can_t_be_removed(folder: Path) -> None:
    shown = folder / "shown"
    held = shown / "0.pdf"
    (held / "as no file can be").mkdir(parents=True)
    os.utime(held, (0, 0))
    opened = [await kept(shown, b"%PDF", number=f"{one}") for one in range(1, KEPT + 4)]
    assert held.exists()
    assert opened[-1].exists()
    assert len([one for one in shown.iterdir() if one != held]) == KEPT


_TURNS = 80
"""Turns of the loop: an exchange with a server in the same loop takes fewer."""


@pytest.mark.parametrize("cancels", [1, 2])
async def test_a_question_that_was_left_at_any_moment_holds_up_no_other(cancels: int) -> None:
    """A screen that is left, or has a new question, cancels its old one, sometimes twice."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        whole = http(200, dumps({"value": "x" * 100_000}))
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await read_request(reader)
                writer.write(whole[:50_000])
                await asyncio.sleep(0)
                writer.write(whole[50_000:])
                await writer.drain()

    async with listening(answer) as api:
        for turns in range(_TURNS):
            left = asyncio.create_task(api.ask("/x", seconds=5))
            await _turns(turns)
            for _ in range(cancels):
                left.cancel()
                await _turns(1)
            assert (await api.ask("/x", seconds=5)).status == 200, turns
            await asyncio.gather(left, return_exceptions=True)


async def test_questions_that_are_left_one_after_the_other_hold_up_no_other() -> None:

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await read_request(reader)
                writer.write(http(200, b"{}"))
                await writer.drain()

    async with listening(answer) as api:
        for turns in range(_TURNS):
            asked = [asyncio.create_task(api.ask("/x", seconds=5)) for _ in range(3)]
            await _turns(turns // 2)
            for one in asked:
                one.cancel()
                await _turns(turns % 5)
            assert (await api.ask("/x", seconds=5)).status == 200, turns
            await asyncio.gather(*asked, return_exceptions=True)


async def _turns(many: int) -> None:
    for _ in range(many):
        await asyncio.sleep(0)


# --- a receipt of the journal, and its open advances ---
async def test_what_is_not_there_and_what_cannot_be_laid_out(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        till, receipts = FiscalHttp(api), receipts_at(api)
        await till.prove()
        sold = await till.issue(outgoing(1, Operation.ISSUE, None, SALE))
        assert isinstance(sold, Issued)
        for reference in ("none", "ABCD1234-ABCD1234-77", "a b", "%00"):
            with pytest.raises(Refused):
                await receipts.receipt(reference)
        server.pdf.fault = MachineError(what="The catalogue can't be read.")
        shown = await receipts.receipt(sold.receipt_id)
        assert shown.paper is None
        assert shown.overview.number == sold.receipt.invoice_number
        stranger = await server.ask(
            "POST", "/till/receipts/receipt", json={"reference": sold.receipt_id}
        )
        assert stranger.status_code in {401, 403, 404}


# --- open advances -------------------------------------------------------------------------------
_KEYS = count()


@asynccontextmanager
async def asked(folder: Path) -> AsyncIterator[tuple[Running, ServerReceipts]]:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        yield server, receipts_at(api)


async def sold(server: Running, body: dict[str, Any]) -> IssuedReceipts:
    return await server.shop.sell(body, key=f"{next(_KEYS):016}")


async def acted(server: Running, operation: str, reference: str, body: dict[str, Any]) -> str:
    issued = await server.shop.act(operation, reference, body, key=f"{next(_KEYS):016}")
    return issued.receipts[-1].receipt.invoice_number


async def test_a_refund_of_a_part_touches_it_and_what_can_t_be_read_keeps_no_other_back(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asked(folder) as (server, receipts):
        first = await sold(server, ADVANCE)
        other = await sold(server, ADVANCE)
        body = {"payments": {"card": 1000}, "advanceSpecification": {"Ђ": 1000}, **BUYER, **PDF}
        refund = await acted(server, "refund", first.receipt.invoice_number, body)
        told = (await receipts.advances()).advances
        assert [one.receipt_id for one in told] == [first.receipt_id, other.receipt_id]
        assert (told[0].paid, told[0].remaining) == (Money(5000), Money(13000))
        assert told[0].touched == (await receipts.receipt(refund)).overview.time
        assert told[0].number == first.receipt.invoice_number
        spoilt = await sold(server, ADVANCE)
        monkeypatch.setattr(advances, "AT_ONCE", 0)
        assert not (await receipts.advances()).is_whole
        monkeypatch.undo()
        inner = connection_of(server.shop.journal)
        inner.execute("DROP TRIGGER requests_final")
        inner.execute("UPDATE requests SET planned = x'00' WHERE id = ?", (spoilt.receipt_id,))
        listed = await receipts.advances()
        assert [one.receipt_id for one in listed.advances] == [first.receipt_id, other.receipt_id]
        assert not listed.is_whole
        assert "left out of the open advances" in caplog.text


# --- operations on receipts, and what the answers mean --------------------------------------------
PAPER = {"receiptDelivery": {"pdf": False}}


def outgoing(number: int, operation: Operation, target: str | None, body: Any) -> OutgoingSale:
    return OutgoingSale(
        f"{number:032x}",
        number,
        "Мира",
        json.dumps(body).encode(),
        operation=operation,
        target=target,
    )


# --- warnings beside a signed receipt -------------------------------------------------------------
WARNING = {"code": "glyph", "message": "A sign was drawn as a mark.", "field": "items[0]"}


@each("warnings", [[WARNING], [], None, "none", [5], [WARNING | {"field": 7}], {"a": 1}])
async def test_a_signed_receipt_is_never_doubted_for_its_warnings(warnings: object) -> None:
    body = dumps(RECEIPT | {"warnings": warnings, "copy": 3})
    async with listening(says(http(200, body))) as api:
        assert isinstance(await FiscalHttp(api).issue(PARCEL), Issued)


async def test_nobody_listening_is_surely_not_delivered() -> None:
    async with listening(never) as api:
        url = api.url
    async with LocalApi(str(url), INSTALL) as api:
        assert isinstance(await FiscalHttp(api).issue(PARCEL), answers.Undelivered)
        assert isinstance(await FiscalHttp(api).prove(), answers.NoAnswer)
        with pytest.raises(errors.NotDelivered):
            await DoubtHttp(api).stop()


async def test_the_class_decides_never_the_status() -> None:
    body = problem_to_json(Problem.of(TOO_MANY, "wait a little"))
    async with listening(says(http(500, dumps(body)))) as api:
        answer = await FiscalHttp(api).issue(PARCEL)
    assert isinstance(answer, answers.RefusedByServer)
    assert answer.reason.answer_class is AnswerClass.WAIT


async def test_a_pair_that_cannot_be_read_is_told_with_both_numbers() -> None:
    pair = Problem.of(
        RECEIPT_UNREADABLE, "Signed", receipt_id="receipt-1", signed=("A-B-1", "A-B-2")
    )
    async with listening(says(told(pair))) as api:
        second = receipt_id(origin=till_origin(api.install.till_id), key=PARCEL.key, child=1)
        ended = answers.IssuedUnreadable("receipt-1", "A-B-1", ((second, "A-B-2"),))
        assert await FiscalHttp(api).look_up(PARCEL.key) == ended
        assert await FiscalHttp(api).issue(PARCEL) == ended
