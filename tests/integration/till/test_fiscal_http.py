"""The till's client against real sockets that break in every way."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pos_app import errors
from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.pdf_files import KEPT, PdfHttp
from pos_app.adapters.api_client.receipt_reading import receipts_at
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.domain.receipt.operations import Operation
from pos_app.errors import MachineError, Refused
from pos_app.fiscalization.issuing.results import IssuedReceipts
from pos_app.selling.server.answers import Issued
from pos_app.selling.server.ports import OutgoingSale
from pos_app.wire.problem import (
    NOT_FOUND,
    OUTCOME_UNKNOWN,
    RECEIPT_UNREADABLE,
    Problem,
    problem_to_json,
)
from pos_app.wire.receipt import receipt_to_json
from pos_app.wire.strict_json import dumps
from tests.fakes.fiscal_app import INSTALL
from tests.fakes.fiscal_server import receipt
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


def told(problem: Problem) -> bytes:
    return http(problem.status, dumps(problem_to_json(problem)))


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


async def sold(server: Running, body: dict[str, Any]) -> IssuedReceipts:
    return await server.shop.sell(body, key=f"{next(_KEYS):016}")


# --- operations on receipts, and what the answers mean --------------------------------------------


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
