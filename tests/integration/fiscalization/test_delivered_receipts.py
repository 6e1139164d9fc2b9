"""Receipts of a whole shop at a printer and a mail server that misbehave."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pos_app.adapters.clock import SystemClock
from pos_app.adapters.handovers import MailHandover, ThermalHandover
from pos_app.adapters.mail.message import Shop as Sender
from pos_app.adapters.mail.smtp import MailServer, SmtpMailer
from pos_app.adapters.printers.escpos_printer import EscposPrinter
from pos_app.adapters.printers.transport_tcp import TcpTransport
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.fiscalization.device_ports import DeviceTrouble, HandOver
from pos_app.fiscalization.handover.handover_queue import DeviceQueues, Handover
from pos_app.fiscalization.jobs import QueuedJob
from pos_app.settings import Settings
from tests.fakes.escpos_device import EscposDevice, on_network
from tests.fakes.mail_server import MailBox, certificates, serving
from tests.integration.fiscalization.shop import SALE, Shop, opened

CUT = b"\x1dVB\x00"
ROOM = 1 << 16
"""Bytes of the printer's buffer: it works a strip of 9 KB through only once it has all of it."""
PRINTED = SALE | {"receiptDelivery": {"thermalPrinter": True}}
MAILED = SALE | {"receiptDelivery": {"email": "kupac@primer.rs"}}


class LateClock(SystemClock):
    """The machine's clock, which can be put on: no test waits for a pause."""

    def __init__(self) -> None:
        self.later = timedelta(0)

    def now(self) -> datetime:
        return super().now() + self.later


class Everything:
    refuses_without_mail = False

    def print_methods(self) -> frozenset[str]:
        return frozenset(method.value for method in JobMethod)


@dataclass
class Delivering:
    """A shop whose receipts are handed over. seen: the outcomes in their order."""

    shop: Shop
    clock: LateClock
    deliveries: DeviceQueues
    seen: list[HandOver]
    came: asyncio.Condition

    async def outcomes(self, count: int) -> list[HandOver]:
        """Wait until that many hand-overs have ended and are stored."""
        async with asyncio.timeout(30), self.came:
            await self.came.wait_for(lambda: len(self.seen) >= count and not self.running)
        return self.seen

    @property
    def running(self) -> bool:
        return any(job.state is JobState.RUNNING for job in self.jobs)

    @property
    def jobs(self) -> tuple[QueuedJob, ...]:
        return self.shop.journal.jobs.not_done()

    async def done(self) -> None:
        async with asyncio.timeout(30), self.came:
            await self.came.wait_for(lambda: not self.jobs)

    def go_on(self) -> None:
        self.clock.later += timedelta(minutes=1)
        self.deliveries.wake()


class Noting:
    """A handover that reports each of its outcomes once it is in the journal."""

    def __init__(self, inner: Handover, tell: Callable[[HandOver], None]) -> None:
        self._inner = inner
        self._tell = tell

    async def hand_over(self, job: QueuedJob, content: Any) -> HandOver:
        outcome = await self._inner.hand_over(job, content)
        asyncio.get_running_loop().call_soon(self._tell, outcome)
        return outcome

    async def is_ready(self) -> bool:
        return await self._inner.is_ready()


@contextlib.asynccontextmanager
async def delivering(
    folder: Path, make: Callable[[StorePdf], Mapping[JobMethod, Handover]]
) -> AsyncIterator[Delivering]:
    papers = StorePdf(Settings(data=folder), not_fiscal=True)
    async with opened(folder) as shop:
        shop.service = replace(shop.service, store=Everything())
        clock, came, seen = LateClock(), asyncio.Condition(), list[HandOver]()
        telling: set[asyncio.Task[None]] = set()

        async def told(outcome: HandOver) -> None:
            async with came:
                seen.append(outcome)
                came.notify_all()

        def tell(outcome: HandOver) -> None:
            telling.add(asyncio.ensure_future(told(outcome)))

        handovers = {method: Noting(one, tell) for method, one in make(papers).items()}
        deliveries = DeviceQueues(shop.journal.jobs, shop.journal, clock=clock, handovers=handovers)
        shop.lane.changes.listen(deliveries.wake)
        tasks = [asyncio.ensure_future(queue.work()) for queue in deliveries.queues]
        try:
            yield Delivering(shop, clock, deliveries, seen, came)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            await asyncio.gather(*telling)
            papers.close()


def thermal(port: int, *, times: int = 1) -> Callable[[StorePdf], Mapping[JobMethod, Handover]]:
    printer = EscposPrinter(TcpTransport("127.0.0.1", port), look_seconds=0.02)
    return lambda papers: {JobMethod.THERMAL: ThermalHandover(printer, papers, times=times)}


async def test_a_cut_in_the_middle_is_unproven_and_not_repeated(folder: Path) -> None:
    device = EscposDevice(buffer=ROOM, cut_after=9000)
    async with on_network(device) as port, delivering(folder, thermal(port)) as here:
        await here.shop.sell(PRINTED, key="1" * 16)
        await here.outcomes(1)
        device.cut_after = None
        device.switch_off_and_on()
        here.go_on()
        await here.shop.sell(PRINTED, key="2" * 16)
        await here.outcomes(2)
        (job,) = here.jobs
        assert job.state is JobState.UNPROVEN
        assert device.printed.count(CUT) == 1  # the second receipt alone
        here.shop.journal.jobs.again(job.id, by="Ана", now=here.clock.now())
        here.deliveries.wake()
        await here.done()
        assert device.printed.count(CUT) == 2


async def test_a_printer_without_paper_prints_both_papers_once_it_has_some(folder: Path) -> None:
    device = EscposDevice(buffer=ROOM, paper=0)
    async with on_network(device) as port, delivering(folder, thermal(port, times=2)) as here:
        await here.shop.sell(PRINTED, key="5" * 16)
        await here.outcomes(1)
        (job,) = here.jobs
        assert (job.state, job.trouble) == (JobState.WAITING, DeviceTrouble.PAPER_OUT)
        assert device.printed == []
        here.shop.journal.jobs.again(job.id, by="Ана", now=here.clock.now())
        device.paper = None
        here.go_on()
        await here.done()
        here.go_on()
        assert device.printed.count(CUT) == 2, "a person who wants it sooner wants it whole"
        half = len(device.printed) // 2
        assert device.printed[:half] == device.printed[half:], "the same receipt"
        assert len(here.shop.ledger()) == 1


async def test_a_restart_in_the_middle_leaves_the_rest_to_print(folder: Path) -> None:
    device = EscposDevice(buffer=ROOM, paper=1)
    async with on_network(device) as port:
        async with delivering(folder, thermal(port)) as here:
            await here.shop.sell(PRINTED, key="3" * 16)
            await here.shop.sell(PRINTED, key="4" * 16)
            await device.has_printed(1)
            await device.has_taken(3000)
        device.paper = None
        device.switch_off_and_on()
        async with delivering(folder, thermal(port)) as here:
            here.shop.journal.recover(now=here.clock.now())
            here.go_on()
            await here.outcomes(1)
            (job,) = here.jobs
            assert job.state is JobState.UNPROVEN
            assert device.printed.count(CUT) == 1
            assert len(here.shop.ledger()) == 2


async def test_a_mail_server_that_was_down_gets_it_once(folder: Path) -> None:
    made = certificates(folder)
    async with serving(MailBox(), "starttls", made.server) as free:
        port = free
    server = MailServer("localhost", port, "starttls", ca_file=made.authority)
    post = SmtpMailer(server, Sender("racuni@pekara.rs", "Пекара"))
    box = MailBox()
    async with delivering(
        folder, lambda papers: {JobMethod.EMAIL: MailHandover(post, papers)}
    ) as here:
        await here.shop.sell(MAILED)
        await here.outcomes(1)
        (job,) = here.jobs
        assert (job.state, job.trouble) == (JobState.WAITING, DeviceTrouble.AWAY)
        async with serving(box, "starttls", made.server, port=port):
            here.go_on()
            await here.done()
            here.go_on()
        (letter,) = box.letters
        assert letter.rcpt_tos == ["kupac@primer.rs"]
        assert b"application/pdf" in (letter.content or b"")
