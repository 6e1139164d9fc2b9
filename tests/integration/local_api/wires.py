"""Servers on real sockets, and callers that talk to them byte by byte."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from starlette.types import ASGIApp

from pos_app import __version__
from pos_app.adapters.data_folder import JOURNAL, RECEIPT_INDEX
from pos_app.adapters.data_folder.install import Install, open_install
from pos_app.adapters.http_server.protocol import ConnectionLimits
from pos_app.adapters.http_server.serving import serve
from pos_app.adapters.qr_picture import draw_gif
from pos_app.adapters.sqlite.receipt_index.receipt_index import ReceiptIndex
from pos_app.documents.blocks import Document
from pos_app.documents.receipt import ShopPaper, layout
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.fiscalization.handover.handover_options import StoreRules
from pos_app.fiscalization.plans.shop_choices import USUAL, ShopChoices
from pos_app.http_front.errors import late_body
from pos_app.local_api.access_rules import AccessSettings
from pos_app.local_api.app import busy, create_app, reserve
from pos_app.local_api.context import ApiContext, HandoverServices, ProcessorLabel
from pos_app.local_api.error_responses import malformed_http
from pos_app.local_api.receipt_door import ReceiptDoor
from pos_app.pfr_emulator.app import create_app as create_processor_app
from pos_app.pfr_emulator.processor import Processor
from tests.fakes.no_tls import NO_TLS
from tests.integration.fiscalization.shop import Shop, opened

WITHIN = 30.0
"""Seconds after which a caller of these tests gives up."""


@contextlib.asynccontextmanager
async def served(
    app: ASGIApp, *, limits: ConnectionLimits | None = None, host: str = "127.0.0.1", port: int = 0
) -> AsyncIterator[str]:
    """Serve the application, on a free port if none is given, and yield its address."""
    stop = asyncio.Event()
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(
        serve(
            app,
            host=host,
            port=port,
            ready=address.set_result,
            stop=stop,
            limits=limits,
            grace_seconds=2,
        )
    )
    waited: set[asyncio.Future[Any]] = {task, address}
    await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        await task
    try:
        yield address.result()
    finally:
        stop.set()
        await task


async def until(check: Callable[[], bool], *, within: float = WITHIN) -> None:
    async with asyncio.timeout(within):
        while True:
            if check():
                return
            await asyncio.sleep(0.005)


class TextPdf:
    """Renders a PDF that names its receipt and holds `more`; fails or waits when a test says so.
    boxed: the signs that it has no font for."""

    def __init__(self) -> None:
        self.rendered = 0
        self.more = b""
        self.boxed: frozenset[str] = frozenset()
        self.fault: Exception | None = None
        self.wait_for: threading.Event | None = None

    def check(
        self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart
    ) -> frozenset[str]:
        self._suffer()
        return self.boxed

    def render(
        self,
        receipt: SignedReceipt,
        document: FiscalDocument,
        esir: EsirPart,
        *,
        as_view: bool = False,
    ) -> bytes:
        self.rendered += 1
        self._suffer()
        said = " as a view" if as_view else ""
        return f"%PDF-1.7 {receipt.invoice_number}{said}".encode() + self.more

    def layout(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> Document:
        self._suffer()
        shop = ShopPaper(not_fiscal=True)
        return layout(receipt=receipt, document=document, esir=esir, shop=shop)

    def _suffer(self) -> None:
        if self.fault is not None:
            raise self.fault
        if self.wait_for is not None:
            self.wait_for.wait(2 * WITHIN)


@dataclass
class Running:
    url: str
    door: ReceiptDoor
    shop: Shop
    install: Install
    context: ApiContext
    pdf: TextPdf
    stopped: asyncio.Event

    @property
    def till(self) -> dict[str, str]:
        return {"X-Pos-Token": self.install.token, "X-Pos-Install": self.install.install_id}

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    async def ask(
        self, method: str, path: str, *, within: float = WITHIN, **options: Any
    ) -> httpx.Response:
        async with httpx.AsyncClient(
            base_url=self.url, trust_env=False, timeout=within, verify=NO_TLS
        ) as client:
            return await client.request(method, path, **options)

    async def issue(
        self, body: dict[str, Any], *, headers: dict[str, str] | None = None, within: float = WITHIN
    ) -> httpx.Response:
        path = "/fiscalization/receipts"
        return await self.ask("POST", path, json=body, headers=headers, within=within)

    async def done(self, body: Mapping[str, Any], path: str = "", **options: Any) -> Any:
        """Return the answer to an operation that must succeed. path: /NUMBER/copy and so on."""
        answer = await self.ask(
            "POST", f"/fiscalization/receipts{path}", json=dict(body), **options
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def status(self) -> dict[str, Any]:
        answer = await self.ask("GET", "/till/status", headers=self.till)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told


@contextlib.asynccontextmanager
async def running(
    folder: Path,
    *,
    limits: ConnectionLimits | None = None,
    pfr: str | None = None,
    rules: ShopChoices = USUAL,
    store: StoreRules | None = None,
    handover: Callable[[Shop], HandoverServices] | None = None,
    until_compared: bool = True,
    heard: Callable[[Processor], ASGIApp] = create_processor_app,
    **guard: Any,
) -> AsyncIterator[Running]:
    """Serve the local API over a shop.

    rules: the shop's choices; store: what it offers; handover: makes what prints there;
    until_compared: wait until the counter is compared; heard: makes the application that serves the
    processor; guard: the settings that differ from a fresh installation's.
    """
    install = open_install(folder, environment="demo")
    async with opened(folder, url=pfr, rules=rules, store=store, heard=heard) as shop:
        stopped, pdf = asyncio.Event(), TextPdf()
        listed = ReceiptIndex(folder / RECEIPT_INDEX, folder / JOURNAL)
        house = ApiContext(
            install=install,
            version=__version__,
            access=AccessSettings(install.install_id, install.token, **guard),
            processor=ProcessorLabel("development", shop.url, True, False),
            cashier="API",
            stop=stopped.set,
            draw_qr=draw_gif,
            pdf=pdf,
            handover=handover(shop) if handover else HandoverServices(),
            receipt_list=listed,
        )
        door = ReceiptDoor(service=shop.service, context=house)
        app = create_app(service=shop.service, context=house, door=door)
        limits = replace(
            limits or ConnectionLimits(),
            is_reserved=reserve(house),
            busy=busy,
            malformed=malformed_http,
            late=late_body,
        )
        if pfr is None and until_compared:
            await until(shop.lane.is_compared)
        async with listed.fed(shop.lane.changes), served(app, limits=limits) as url:
            yield Running(url, door, shop, install, house, pdf, stopped)


# --- bytes -----------------------------------------------------------------------------------
@dataclass
class Wire:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def say(self, text: str | bytes) -> None:
        self.writer.write(text if isinstance(text, bytes) else crlf(text))
        await self.writer.drain()

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        async with asyncio.timeout(WITHIN):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {}
            for line in head[1:]:
                name, _, value = line.partition(": ")
                headers[name.lower()] = value
            body = await self.reader.readexactly(int(headers.get("content-length", "0")))
            return int(head[0].split()[1]), headers, body

    async def error(self) -> tuple[int, dict[str, Any]]:
        status, _, body = await self.answer()
        return status, json.loads(body)

    async def end(self) -> bytes:
        async with asyncio.timeout(WITHIN):
            try:
                return await self.reader.read()
            except ConnectionResetError:
                return b""


def crlf(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


@contextlib.asynccontextmanager
async def wire(url: str) -> AsyncIterator[Wire]:
    place = urlsplit(url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    try:
        yield Wire(reader, writer)
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
