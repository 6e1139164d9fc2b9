"""Receipts of a whole shop that go by mail and to a printer of pages, once each."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pos_app.adapters.clock import SystemClock
from pos_app.adapters.handovers import MailHandover, PageHandover
from pos_app.adapters.mail.message import Shop as Sender
from pos_app.adapters.mail.smtp import MailServer, SmtpMailer
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.fiscalization.device_ports import Delivered, DeviceTrouble, HandoverProof
from pos_app.fiscalization.handover.handover_queue import DeviceQueues, Handover
from pos_app.settings import Settings
from tests.fakes.mail_server import MailBox, certificates, serving
from tests.integration.fiscalization.shop import SALE, opened
from tests.integration.local_api.wires import until

ASKED = SALE | {"receiptDelivery": {"email": "kupac@primer.rs", "a4Printer": True}}


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
class Pages:
    """A printer of pages that prints all: the titles, and whether each was a PDF."""

    printed: list[tuple[str, bool]] = field(default_factory=list)

    async def print(self, pdf: bytes, *, title: str) -> Delivered:
        self.printed.append((title, pdf.startswith(b"%PDF")))
        return Delivered(HandoverProof.CARRIED_OUT)

    async def status(self) -> Any:
        raise AssertionError


async def test_a_mail_server_that_was_down_gets_it_once(folder: Path) -> None:
    """The page beside it waits for nobody."""
    made, box, pages = certificates(folder), MailBox(), Pages()
    async with serving(MailBox(), "starttls", made.server) as port:
        server = MailServer("localhost", port, "starttls", ca_file=made.authority)
    post = SmtpMailer(server, Sender("racuni@pekara.rs", "Пекара"))
    clock, papers = LateClock(), StorePdf(Settings(data=folder), not_fiscal=True)
    async with opened(folder, store=Everything()) as shop:
        handovers: dict[JobMethod, Handover] = {
            JobMethod.EMAIL: MailHandover(post, papers),
            JobMethod.A4: PageHandover(pages, papers),
        }
        jobs = shop.journal.jobs
        queues = DeviceQueues(jobs, shop.journal, clock=clock, handovers=handovers)
        shop.lane.changes.listen(queues.wake)
        working = [asyncio.ensure_future(queue.work()) for queue in queues.queues]
        sold = await shop.sell(ASKED)
        await until(
            lambda: [one.trouble for one in jobs.not_done()] == [DeviceTrouble.AWAY], within=30
        )
        assert jobs.not_done()[0].state is JobState.WAITING
        assert pages.printed == [(sold.receipt.invoice_number, True)]
        async with serving(box, "starttls", made.server, port=port):
            clock.later += timedelta(minutes=1)
            queues.wake()
            await until(lambda: not jobs.not_done())
            clock.later += timedelta(minutes=1)
            queues.wake()
            await queues.finish(5)
            await asyncio.gather(*working)
        (letter,) = box.letters
        assert letter.rcpt_tos == ["kupac@primer.rs"]
        assert b"application/pdf" in (letter.content or b"")
    papers.close()
