"""Joins the journal, the lane and the deliveries of one secure element: a shop's server has one
element, a signer of the platform has many."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from pos_app import __version__, log
from pos_app.adapters.clock import SYSTEM_CLOCK
from pos_app.adapters.data_folder import JOURNAL
from pos_app.adapters.data_folder.disk import FolderDisk
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.machine_mark import machine_mark
from pos_app.adapters.data_folder.witness_file import WitnessFile, witnessed
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.clock import Clock
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.states import JobMethod
from pos_app.errors import PosError
from pos_app.fiscalization.handover.handover_queue import DeviceQueue, DeviceQueues, Handover
from pos_app.fiscalization.lane.lane import Lane
from pos_app.fiscalization.outcomes.doubt import DoubtRule
from pos_app.fiscalization.outcomes.restore_detection import found_at_start
from pos_app.fiscalization.plans.shop_choices import ShopChoices
from pos_app.fiscalization.ports import Processor
from pos_app.fiscalization.service import IssuerSettings
from pos_app.fiscalization.startup_recovery import Recovery
from pos_app.keep_running import keep_running
from pos_app.lazy_dataclass import dataclass
from pos_app.settings import FILE_NAME, Settings, load

_log = log.get(__name__)

FINISH_SECONDS = 10.0
"""The time for a receipt or delivery under way after the server was asked to stop."""


@dataclass(frozen=True, slots=True)
class Issuing:
    journal: SqliteJournal
    lane: Lane
    recovery: Recovery
    clock: Clock


def open_journal(
    stack: AsyncExitStack, data: Path, lock: FolderLock, *, clock: Clock = SYSTEM_CLOCK
) -> SqliteJournal:
    """Open a data folder's journal until the stack is closed. lock: the lock of this program, which
    alone writes the journal. Raises what the database raises."""
    journal = SqliteJournal(data / JOURNAL, lock=lock, seconds=clock.seconds)
    stack.callback(journal.close)
    return journal


async def open_issuing(
    stack: AsyncExitStack,
    *,
    journal: SqliteJournal,
    data: Path,
    processor: Processor,
    address: str,
    rule: DoubtRule,
    connect: Callable[[str], Processor],
    witness: Path | None = None,
    clock: Clock = SYSTEM_CLOCK,
) -> Issuing:
    """Recover the journal, and run its lane until the stack is closed. data: the folder on whose
    disk the journal is. address: the processor's address as the journal names it. connect: makes
    the processor at an earlier address. witness: the folder of the journal's witness, where it is
    another one. Raises what the databases raise."""
    recovery = await _recovery(data, witness or data, journal, clock, stack)
    lane = Lane(
        journal=journal,
        processor=processor,
        clock=clock,
        disk=recovery,
        rule=rule,
        address=address,
        connect=connect,
    )
    watch = asyncio.create_task(
        keep_running(recovery.before(lane.watch), "the watch over the lane"), name="lane watch"
    )
    stack.push_async_callback(_end_watch, lane, watch)
    return Issuing(journal, lane, recovery, clock)


async def _recovery(
    data: Path, witness_folder: Path, journal: SqliteJournal, clock: Clock, stack: AsyncExitStack
) -> Recovery:
    """Begin the recovery, and keep the witness of the journal up to date from then on."""
    machine = machine_mark()
    witness = WitnessFile(witness_folder, machine=machine)
    found = found_at_start(
        journal.restores, witness.read(), machine=machine, looks_whole=journal.looks_whole
    )
    recovery = Recovery(journal, clock, FolderDisk(data), restore=found)
    stack.push_async_callback(end, asyncio.create_task(recovery.watch(), name="recovery"))
    await stack.enter_async_context(witnessed(witness, journal.restores, recovery))
    return recovery


def begin_deliveries(
    stack: AsyncExitStack, issuing: Issuing, handovers: Mapping[JobMethod, Handover]
) -> DeviceQueues:
    deliveries = DeviceQueues(
        issuing.journal.jobs, issuing.journal, clock=issuing.clock, handovers=handovers
    )
    issuing.lane.changes.listen(deliveries.wake)
    delivering = [_delivering(queue, issuing.recovery) for queue in deliveries.queues]
    stack.push_async_callback(_end_deliveries, deliveries, delivering)
    return deliveries


def issuer_of(
    settings: Settings, *, seller_pib: str, taxpayer: Callable[[], str | None] = lambda: None
) -> IssuerSettings:
    """Return the issuer's settings. seller_pib: "" where it is unknown. taxpayer: see
    `VatInSettings`."""
    number = settings.esir.ib or "0"
    rules = ShopChoices(
        closing_refund_in_cash=settings.esir.closing_refund_payment == "cash",
        copy_of_every_refund=settings.esir.refund_copy == "every",
        restricted_payments=settings.esir.restricted_payments,
    )
    buyer = BuyerId("10", seller_pib) if seller_pib else None
    in_vat = VatInSettings(settings, taxpayer)
    return IssuerSettings(f"{number}/{__version__}", buyer, rules=rules, in_vat=in_vat)


class VatInSettings:
    """Tells whether the shop is in the system of VAT now. The till writes settings.toml while the
    server runs, so the file is read again whenever it has changed.

    taxpayer: the PIB of a certificate's owner, for whom a platform signs; None in a shop.
    """

    def __init__(
        self, settings: Settings, taxpayer: Callable[[], str | None] = lambda: None
    ) -> None:
        self._settings, self._taxpayer = settings, taxpayer
        self._mark: tuple[int, int] | None = None

    def __call__(self) -> bool:
        self._read_if_changed()
        settings = self._settings
        outside = settings.platform_server.outside_vat
        return settings.esir.in_vat and not (outside and self._taxpayer() in outside)

    def _read_if_changed(self) -> None:
        data = self._settings.data
        try:
            stat = (data / FILE_NAME).stat()
        except OSError:
            return
        mark = (stat.st_mtime_ns, stat.st_size)
        if mark != self._mark:
            try:
                self._settings = load(data)
                self._mark = mark
            except PosError as error:
                _log.warning("whether the shop is in VAT is as before: %s", error.what)


async def end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _end_watch(lane: Lane, watch: asyncio.Task[None]) -> None:
    await lane.finish(FINISH_SECONDS)
    await end(watch)


def _delivering(queue: DeviceQueue, recovery: Recovery) -> asyncio.Task[None]:
    name = f"delivery by {queue.methods[0]}"
    return asyncio.create_task(keep_running(recovery.before(queue.work), name), name=name)


async def _end_deliveries(deliveries: DeviceQueues, delivering: list[asyncio.Task[None]]) -> None:
    await deliveries.finish(FINISH_SECONDS)
    for task in delivering:
        await end(task)
