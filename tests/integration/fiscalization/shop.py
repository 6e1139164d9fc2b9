"""A shop for tests: the real journal, the real lane, and the development processor over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding
from uvicorn.protocols.http.h11_impl import H11Protocol

from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.disk import FolderDisk
from pos_app.adapters.http_server.protocol import TimedH11
from pos_app.adapters.http_server.serving import serve
from pos_app.adapters.pfr.certificate import open_pfx
from pos_app.adapters.pfr.client import PfrClient
from pos_app.adapters.pfr.vpfr_access import VpfrAccess, access_with
from pos_app.adapters.secrets.secret import Secret
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.journal.set_aside import SetAsideJournals
from pos_app.adapters.sqlite.till.acts_view import TillActsView
from pos_app.bootstrap.issuing.issuing import VatInSettings
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import FrozenArticle, PlatformArticle
from pos_app.fiscalization.handover.handover_options import StoreRules
from pos_app.fiscalization.issuing.execute import execute
from pos_app.fiscalization.issuing.results import IssuedReceipts, find_receipt
from pos_app.fiscalization.lane.lane import Lane
from pos_app.fiscalization.outcomes.doubt import DoubtRule
from pos_app.fiscalization.plans.shop_choices import USUAL, ShopChoices
from pos_app.fiscalization.service import (
    Caller,
    FiscalService,
    IncomingRequest,
    IssuerSettings,
    body_hash,
    new_key,
)
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.authority import Authority
from pos_app.pfr_emulator.caller import CertifiedCaller
from pos_app.pfr_emulator.cutting import CuttableH11
from pos_app.pfr_emulator.faults import Fault
from pos_app.pfr_emulator.ledger import LedgerEntry, read_entries
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.processor import Processor
from pos_app.settings import load
from pos_app.wire.operations import READERS
from pos_app.wire.strict_json import canonical, dumps
from tests.fakes.processor_key import give_key
from tests.fakes.ready_tables import ready_journal

QUIET = 0.4
_OPTIONS = Options()
SALE: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": Decimal("58.99")}],
    "receiptDelivery": {"pdf": False},
}
WHOLE_REFUND: dict[str, Any] = {
    "payments": {"cash": Decimal("117.98")},
    "buyerId": "10:123456788",
    "receiptDelivery": {"pdf": False},
}


class Shelf:
    """A catalogue of two articles; `clear` empties it."""

    def __init__(self) -> None:
        self.by_sku = {
            1: FrozenArticle("Хлеб бели Сава 500 g", TaxLabel.E, "ком", None),
            2: FrozenArticle("Кафа млевена", TaxLabel.DJ, "ком", "8600000000018"),
        }
        self.under_the_same_code: dict[int, FrozenArticle] = {}

    def articles(
        self, sku: int, *, sold: Sequence[PlatformArticle] | None = None
    ) -> list[FrozenArticle]:
        if sold is not None:
            return [one.frozen for one in sold]
        return [one[sku] for one in (self.by_sku, self.under_the_same_code) if sku in one]


@dataclass
class Monotonic:
    at: float = 0.0

    def __call__(self) -> float:
        return self.at


@dataclass
class Offers:
    """What a store hands over by these methods."""

    methods: frozenset[str] = frozenset()
    refuses_without_mail: bool = False

    def print_methods(self) -> frozenset[str]:
        return self.methods


async def waits() -> bool:
    return True


@dataclass
class Shop:
    folder: Path
    processor: Processor
    url: str
    journal: SqliteJournal
    service: FiscalService
    shelf: Shelf
    authority: Authority | None = None

    @property
    def lane(self) -> Lane:
        return self.service.lane

    async def sell(
        self,
        body: dict[str, Any] | None = None,
        *,
        key: str | None = None,
        left_seconds: float | None = None,
    ) -> IssuedReceipts:
        sold = SALE if body is None else body
        return await self._ask(Operation.ISSUE, None, sold, key, left_seconds)

    async def act(
        self, operation: str, reference: str, body: dict[str, Any], *, key: str | None = None
    ) -> IssuedReceipts:
        target = find_receipt(self.journal, reference)
        return await self._ask(Operation(operation), target.id, body, key)

    async def _ask(
        self,
        operation: Operation,
        target: str | None,
        body: dict[str, Any],
        key: str | None,
        left_seconds: float | None = None,
    ) -> IssuedReceipts:
        received = IncomingRequest(
            body=dumps(body),
            body_hash=body_hash(canonical(body), operation=operation, target=target),
            read=lambda: READERS[operation](body),
            operation=operation,
            target=target,
        )
        caller = Caller(
            origin="local",
            cashier="Мика",
            waits=waits,
            key=key or new_key(),
            keyless=key is None,
            left_seconds=left_seconds,
        )
        return await execute(service=self.service, caller=caller, incoming=received)

    def fault(self, kind: str, **members: Any) -> None:
        self.processor.faults.add(Fault(kind=kind, **members))

    def ledger(self) -> list[LedgerEntry]:
        return read_entries(self.folder / "processor")

    def state(self, key: str) -> str:
        command = self.journal.command_by_key("local", key)
        return self.journal.requests_of(command.id)[0].state.value

    def states(self, key: str) -> list[str]:
        command = self.journal.command_by_key("local", key)
        return [request.state.value for request in self.journal.requests_of(command.id)]

    def half_done(self) -> bool:
        return bool(self.journal.half_done())

    async def until(self, key: str, state: str, *, seconds: float = 10.0) -> None:
        async with asyncio.timeout(seconds):
            command = self.journal.command_by_key("local", key)
            while self.state(key) != state:
                await self.lane.changes.wait(command.id, 1.0)


@contextlib.asynccontextmanager
async def serving(
    app: Any, *, http: type[H11Protocol] = TimedH11, tls: ssl.SSLContext | None = None
) -> AsyncIterator[str]:
    stop, begun, addresses = asyncio.Event(), asyncio.Event(), list[str]()

    def on_ready(address: str) -> None:
        addresses.append(address)
        begun.set()

    serving = asyncio.create_task(
        serve(
            app,
            host="127.0.0.1",
            port=0,
            ready=on_ready,
            stop=stop,
            http=http,
            grace_seconds=0,
            tls=tls,
        )
    )
    await begun.wait()
    try:
        yield addresses[0]
    finally:
        stop.set()
        await serving


@contextlib.asynccontextmanager
async def opened(
    folder: Path,
    *,
    alone: bool = False,
    mode: str = "lpfr",
    url: str | None = None,
    heard: Callable[[Any], Any] = create_app,
    options: Options = _OPTIONS,
    labels: Mapping[str, str] = MappingProxyType({}),
    rules: ShopChoices = USUAL,
    store: StoreRules | None = None,
    seconds: Callable[[], float] = time.monotonic,
) -> AsyncIterator[Shop]:
    """Open a shop with its processor; with `url` it uses the processor of that address, which may
    be away.

    heard makes the application that serves the processor. labels: our labels -> the processor's.
    rules: the shop's choices; store: what it offers, by default nothing. seconds: the journal's
    clock that does not jump.
    """
    async with contextlib.AsyncExitStack() as stack:
        give_key(folder / "processor")
        processor = Processor.open(
            folder=folder / "processor",
            mode=mode,  # type: ignore[arg-type]
            options=options,
        )
        stack.callback(processor.close)
        authority = Authority.open(folder / "processor") if mode == "vpfr" else None
        if url is None:
            tls = authority.server_context("127.0.0.1") if authority else None
            url = await stack.enter_async_context(
                serving(heard(processor), http=CuttableH11, tls=tls)
            )
        journal = SqliteJournal(ready_journal(folder / "journal" / "journal.db"), seconds=seconds)
        stack.callback(journal.close)
        access = vpfr_access(authority, uid=processor.uid) if authority else None
        client = PfrClient(url, access=access, labels=labels)
        stack.push_async_callback(client.close)

        def connect(earlier: str) -> PfrClient:
            other = PfrClient(earlier)
            stack.push_async_callback(other.close)
            return other

        clock, shelf = SystemClock(), Shelf()
        journal.recover(now=clock.now())
        lane = Lane(
            journal=journal,
            processor=client,
            clock=clock,
            disk=FolderDisk(folder),
            rule=DoubtRule(QUIET, alone),
            address=url,
            connect=connect,
        )
        in_vat = VatInSettings(load(folder))
        issuer = IssuerSettings("1234/3.2.0", rules=rules, in_vat=in_vat)
        aside = SetAsideJournals(folder, journal.identity)
        acts = TillActsView(folder)
        printers = store or Offers()
        counter = FiscalService(journal, lane, shelf, clock, issuer, printers, aside, acts)
        watch = asyncio.create_task(lane.watch())
        try:
            yield Shop(folder, processor, url, journal, counter, shelf, authority)
        finally:
            await lane.finish(0.2)
            watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watch


def vpfr_access(
    authority: Authority, *, uid: str, pac: str = "DEV123", days: int = 365, ca: bytes | None = None
) -> VpfrAccess:
    caller = CertifiedCaller(uid, "990000019", "ЛИПА", "1000001-ЛИПА 2")
    pfx = authority.issue(caller, url="https://localhost", password="p4ss", days=days)
    trusted = authority.certificate.public_bytes(Encoding.PEM) if ca is None else ca
    return access_with(open_pfx(pfx, Secret("p4ss")), pac=Secret(pac), ca=trusted)


async def unreachable() -> str:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{door.getsockname()[1]}"
