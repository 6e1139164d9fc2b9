"""A shop whose processor keeps requests back and executes them when the test says so."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.disk import FolderDisk
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.setup.processor import PfrStatus
from pos_app.errors import NotDelivered, OutcomeUnknown
from pos_app.fiscalization.issuing.execute import execute
from pos_app.fiscalization.issuing.results import IssuedReceipts
from pos_app.fiscalization.lane.lane import Lane
from pos_app.fiscalization.lane.sending import CallerWaits
from pos_app.fiscalization.outcomes.doubt import DoubtRule
from pos_app.fiscalization.plans.shop_choices import USUAL
from pos_app.fiscalization.ports import PfrSigned, PfrUnclear, SignReply
from pos_app.fiscalization.service import (
    Caller,
    FiscalService,
    IncomingRequest,
    IssuerSettings,
    body_hash,
)
from pos_app.wire.fiscal import issue_request_from_json
from pos_app.wire.strict_json import canonical, dumps
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization import shop

UID = "AAAA1111"


class LateProcessor:
    """A processor in memory that counts. keeps_back: a request gets no answer, and waits in `late`.

    signs_at: the time on its receipts, if not the true one. forgets: look-ups find nothing.
    is_away: it gives no status. asked_for is called with each RequestId before the look-up.
    """

    def __init__(self) -> None:
        self.keeps_back = False
        self.finds_nothing_out = False
        self.forgets = False
        self.is_away = False
        self.tells_counter = True
        self.late: list[tuple[FiscalDocument, str]] = []
        self.ledger: list[SignedReceipt] = []
        self.signs_at: datetime | None = None
        self.asked_for: Callable[[str], None] = lambda request_id: None
        self.last: tuple[FiscalDocument, str] | None = None
        self._by_request: dict[str, SignedReceipt] = {}

    async def status(self) -> PfrStatus:
        if self.is_away:
            raise NotDelivered(what="nobody listens there")
        counter = len(self.ledger) if self.tells_counter else None
        return PfrStatus(UID, datetime.now(UTC), counter, False, ("0000",))

    async def sign(self, document: FiscalDocument, *, pfr_request_id: str) -> SignReply:
        if self.keeps_back:
            self.late.append((document, pfr_request_id))
            return PfrUnclear("no answer")
        return PfrSigned(self._execute(document, pfr_request_id))

    async def find(self, pfr_request_id: str) -> SignedReceipt | None:
        self.asked_for(pfr_request_id)
        if self.finds_nothing_out:
            raise OutcomeUnknown(what="no answer")
        return None if self.forgets else self._by_request.get(pfr_request_id)

    def execute_late(self) -> None:
        self.keeps_back = False
        for document, pfr_request_id in self.late:
            self._execute(document, pfr_request_id)
        self.late.clear()

    def sign_for_another(self) -> None:
        self.ledger.append(self.ledger[-1])

    def sign_for_a_copy(self) -> None:
        """A copy of the shop's disk sent the last sale too, at the same moment."""
        assert self.last is not None
        self._execute(*self.last)

    def _execute(self, document: FiscalDocument, pfr_request_id: str) -> SignedReceipt:
        self.last = document, pfr_request_id
        now, counter = self.signs_at or datetime.now(UTC), len(self.ledger) + 1
        receipt = SignedReceipt(
            sdc_time=now,
            sdc_time_text=now.isoformat(),
            invoice_counter=f"{counter}/{counter}ПП",
            invoice_number=f"{UID}-{UID}-{counter}",
            signed_by=UID,
            encrypted_internal_data="x",
            total_amount=document.total,
            total_counter=counter,
        )
        self.ledger.append(receipt)
        self._by_request[pfr_request_id] = receipt
        return receipt


@dataclass
class LateShop:
    processor: LateProcessor
    journal: SqliteJournal
    service: FiscalService
    watch: asyncio.Task[None]

    @property
    def lane(self) -> Lane:
        return self.service.lane

    async def sell(
        self, body: dict[str, Any] | None = None, *, key: str, waits: CallerWaits = shop.waits
    ) -> IssuedReceipts:
        document = shop.SALE if body is None else body
        received = IncomingRequest(
            dumps(document),
            body_hash(canonical(document)),
            lambda: issue_request_from_json(document),
        )
        caller = Caller(origin="local", cashier="Мика", waits=waits, key=key)
        return await execute(service=self.service, caller=caller, incoming=received)

    def request_id(self, key: str) -> str:
        command = self.journal.command_by_key("local", key)
        return command.id

    def state(self, key: str) -> str:
        return self.journal.requests_of(self.request_id(key))[0].state.value

    async def until(self, key: str, state: str) -> None:
        async with asyncio.timeout(10.0):
            while self.state(key) != state:
                await self.lane.changes.wait(self.request_id(key), 0.1)

    def notes(self) -> list[str]:
        return [row[0] for row in connection_of(self.journal).execute("SELECT what FROM notes")]


@contextlib.asynccontextmanager
async def late_shop(
    folder: Path, *, processor: LateProcessor | None = None
) -> AsyncIterator[LateShop]:
    processor, clock = processor or LateProcessor(), SystemClock()
    journal = SqliteJournal(folder / "journal.db")
    lane = Lane(
        journal=journal,
        processor=processor,
        clock=clock,
        disk=FolderDisk(folder),
        rule=DoubtRule(0.2, True),
        address="",
        connect=lambda place: processor,
    )
    issuer = IssuerSettings("1234/3.2.0", rules=USUAL)
    counter = FiscalService(journal, lane, shop.Shelf(), clock, issuer, shop.Offers())
    watch = asyncio.create_task(lane.watch())
    try:
        yield LateShop(processor, journal, counter, watch)
    finally:
        await lane.finish(0.2)
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
        journal.close()
