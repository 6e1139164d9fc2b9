"""The server of the machine: the real journal, lane and use cases, which may die at any commit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.setup.processor import PfrStatus
from pos_app.errors import DiskFull
from pos_app.fiscalization.issuing.cancel import cancel
from pos_app.fiscalization.issuing.execute import execute
from pos_app.fiscalization.issuing.results import IssuedReceipts
from pos_app.fiscalization.lane import lane as lane_module
from pos_app.fiscalization.lane import probe as probe_module
from pos_app.fiscalization.lane.lane import Lane
from pos_app.fiscalization.lane.lane_monitor import LaneMonitor
from pos_app.fiscalization.lane.probe import Probe
from pos_app.fiscalization.lane.sending import Sending
from pos_app.fiscalization.outcomes.doubt import DoubtRule
from pos_app.fiscalization.outcomes.outcome_writer import OutcomeWriter
from pos_app.fiscalization.outcomes.unknown_receipts import UnknownReceipts
from pos_app.fiscalization.ports import SignReply
from pos_app.fiscalization.service import Caller, FiscalService, IncomingRequest
from tests.fakes.inner_connection import connection_of
from tests.fakes.simulated_processor import SimulatedProcessor
from tests.fakes.virtual_time import VirtualClock
from tests.unit.fiscalization.machine_sales import ISSUER

WRITES = frozenset({
    "add_command", "requeue", "queue_next", "queue_decided", "send", "sign", "settle", "cancel",
    "note", "late_receipt", "foreign_traffic", "mark_delivered", "repeated",
})  # fmt: skip


async def _execute(*, server: Server, caller: Caller, incoming: IncomingRequest) -> IssuedReceipts:
    return await execute(service=server.service, caller=caller, incoming=incoming)


@dataclass(frozen=True)
class Parts:
    """The parts of the server; a mutant replaces one of them."""

    probe: type[Probe] = Probe
    late: type[UnknownReceipts] = UnknownReceipts
    sending: type[Sending] = Sending
    outcomes: type[OutcomeWriter] = OutcomeWriter
    watch: type[LaneMonitor] = LaneMonitor
    journal: type[SqliteJournal] = SqliteJournal
    quiet_seconds: float = 20.0
    issue: Callable[..., Awaitable[IssuedReceipts]] = _execute
    cancel: Callable[..., Any] = cancel
    on_start: Callable[[Server], None] = lambda server: None


class PowerLost(BaseException):
    """The server was killed: what it was about to do is not done."""


@dataclass
class Mishaps:
    """Faults of the journal's writes. kill_in: writes until the server dies, None for never.

    kill_after: whether it dies right after that commit instead of right before it. full_for: how
    many further commits the disk refuses.
    """

    kill_in: int | None = None
    kill_after: bool = False
    full_for: int = 0
    kill: Callable[[], None] = lambda: None

    def write(self, act: Callable[..., Any], *values: Any, **named: Any) -> Any:
        """Run one commit of the journal, with the fault that is due."""
        if self.full_for:
            self.full_for -= 1
            raise DiskFull(what="The disk took no more data.")
        dies = self.kill_in == 0
        if self.kill_in is not None:
            self.kill_in = None if dies else self.kill_in - 1
        if dies and not self.kill_after:
            self._die()
        done = act(*values, **named)
        if dies:
            self._die()
        return done

    def _die(self) -> None:
        self.kill()
        raise PowerLost


class Frail:
    """The journal of one running server, unusable once the server was killed."""

    def __init__(self, real: SqliteJournal, mishaps: Mishaps) -> None:
        self.real = real
        self.identity = real.identity
        self.is_dead = False
        self._mishaps = mishaps

    @property
    def findings(self) -> FrailPart:
        return FrailPart(self)

    def __getattr__(self, name: str) -> Any:
        return self.act_of(self.real, name)

    def act_of(self, part: object, name: str) -> Any:
        """A method of the journal or of one of its parts, which may kill the server."""
        if self.is_dead:
            raise PowerLost
        act = getattr(part, name)
        return partial(self._mishaps.write, act) if name in WRITES else act

    def die(self) -> None:
        self.is_dead = True
        self.real.close()


class FrailPart:
    def __init__(self, journal: Frail) -> None:
        self._journal = journal

    def __getattr__(self, name: str) -> Any:
        return self._journal.act_of(self._journal.real.findings, name)


class Line:
    """A server's connection to the processor: a dead server sends nothing."""

    def __init__(self, processor: SimulatedProcessor, journal: Frail) -> None:
        self._processor = processor
        self._journal = journal

    def alive(self) -> SimulatedProcessor:
        if self._journal.is_dead:
            raise PowerLost
        return self._processor

    async def status(self) -> PfrStatus:
        return await self.alive().status()

    async def find(self, pfr_request_id: str) -> SignedReceipt | None:
        return await self.alive().find(pfr_request_id)

    async def sign(self, document: FiscalDocument, *, pfr_request_id: str) -> SignReply:
        return await self.alive().sign(document, pfr_request_id=pfr_request_id)


@contextmanager
def _made_of(parts: Parts) -> Iterator[list[OutcomeWriter]]:
    """While inside, new lanes consist of these parts; yields their writers of outcomes."""
    writers: list[OutcomeWriter] = []

    def writer(**given: Any) -> OutcomeWriter:
        writers.append(parts.outcomes(**given))
        return writers[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(lane_module, "Probe", parts.probe)
        patched.setattr(lane_module, "Sending", parts.sending)
        patched.setattr(lane_module, "OutcomeWriter", writer)
        patched.setattr(lane_module, "LaneMonitor", parts.watch)
        patched.setattr(probe_module, "UnknownReceipts", parts.late)
        yield writers


class Shop:
    """A disk with room, and a shop without papers and articles."""

    refuses_without_mail = False

    def free_bytes(self) -> int:
        return 10**12

    def print_methods(self) -> frozenset[str]:
        return frozenset()

    def articles(self, sku: int, *, sold: object = None) -> tuple[()]:
        return ()


@dataclass
class Server:
    """One life of the server, from its start to its death."""

    journal: Frail
    service: FiscalService
    outcomes: OutcomeWriter
    watch: asyncio.Task[None]
    callers: set[asyncio.Task[None]] = field(default_factory=set)

    @classmethod
    def start(
        cls,
        path: Path,
        *,
        parts: Parts,
        processor: SimulatedProcessor,
        clock: VirtualClock,
        alone: bool,
        mishaps: Mishaps,
    ) -> Server:
        real = parts.journal(path)
        connection_of(real).execute("PRAGMA synchronous=OFF")  # only kills happen, no power cut
        real.recover(now=clock.now())
        journal = Frail(real, mishaps)
        with _made_of(parts) as writers:
            lane = Lane(
                journal=journal,
                processor=Line(processor, journal),
                clock=clock,
                disk=Shop(),
                rule=DoubtRule(parts.quiet_seconds, used_here_alone=alone),
                address="",
                connect=lambda place: Line(processor, journal),
            )
        papers = Shop()
        service = FiscalService(journal, lane, papers, clock, ISSUER, papers)
        watch = asyncio.create_task(lane.watch(), name="watch")
        server = cls(journal, service, writers[0], watch)
        mishaps.kill_in = None
        parts.on_start(server)
        return server

    def kill(self) -> None:
        """SIGKILL: every task ends where it is, and writes nothing more."""
        self.journal.die()
        for task in self._tasks() - {asyncio.current_task()}:
            task.cancel()

    async def gone(self) -> None:
        """Wait until none of its tasks runs any more."""
        await asyncio.gather(*self._tasks(), return_exceptions=True)

    async def stop(self) -> None:
        """SIGTERM: the server waits for the receipt in flight, then gives it up."""
        await self.service.lane.finish(0.2)
        if not self.journal.is_dead:
            await asyncio.wait(self.callers | {self.watch}, timeout=0.5)
            self.kill()

    def _tasks(self) -> set[asyncio.Task[None]]:
        """The server's tasks by the lane's names; those of an earlier life ended before it."""
        sending = {one for one in asyncio.all_tasks() if one.get_name().startswith("lane ")}
        return {self.watch, *self.callers, *sending}
