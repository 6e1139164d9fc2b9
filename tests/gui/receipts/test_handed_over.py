"""Deliveries by F7, from the key to the device."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from pos_app.adapters.sqlite.checksums import with_checksums
from pos_app.cashier.receipts.model import Doing
from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.ui.done import DonePanel
from pos_app.cashier.ui.field import Field
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from tests.fakes import mail_server
from tests.fakes.escpos_device import EscposDevice, on_network
from tests.gui.parts import in_front, lines_of, right_of, visible_parts
from tests.gui.receipts.test_receipts import BREAD, opened, screen
from tests.gui.window import real_till
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill
from tests.gui.window.shop import copied
from tests.ports import free_ports

CUT = b"\x1dVB\x00"
ROOM = 1 << 16
BUYER = "kupac@primer.rs"


@dataclass
class Handing:
    """A till whose server has a printer and a mail server."""

    real: RealTill
    ports: tuple[int, int]
    made: mail_server.Certificates
    printer: EscposDevice = field(default_factory=lambda: EscposDevice(buffer=ROOM))
    box: mail_server.MailBox = field(default_factory=mail_server.MailBox)

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[RealTill]:
        printer, mail = self.ports
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(on_network(self.printer, port=printer))
            box = mail_server.serving(self.box, "starttls", self.made.server, port=mail)
            await stack.enter_async_context(box)
            await stack.enter_async_context(self.real.at_work())
            yield self.real

    def papers(self) -> int:
        return self.printer.printed.count(CUT)


@pytest.fixture
def handing(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[Handing]:
    with handing_in(tmp_path, template, sell_in) as made:
        yield made


@contextmanager
def handing_in(
    tmp_path: Path,
    template: Path,
    sell_in: SellIn,
    before: Callable[[TillServices], object] = lambda _: None,
) -> Iterator[Handing]:
    """A till with a printer and a mail server. before: as for `real_till.opened`."""
    printer, mail = free_ports(2)
    made = mail_server.certificates(tmp_path)
    settled = (
        f'[printer]\nkind = "network"\naddress = "127.0.0.1:{printer}"\n'
        f'[mail]\nhost = "localhost"\nport = {mail}\nsender = "racuni@pekara.rs"\n'
        f'ca_file = "{made.authority}"\n'
    )
    offers_all_ways(template := copied(template, tmp_path / "offering"))
    with real_till.opened(tmp_path, template, sell_in, told=settled, before=before) as real:
        yield Handing(real, (printer, mail), made)


def offers_all_ways(data: Path) -> None:
    """Let the store offer all ways."""
    with closing(with_checksums(data / "catalogue" / "catalogue.db")) as connection, connection:
        connection.execute(
            "UPDATE store SET document = json_remove(document, '$.printMethod') WHERE"
            " document ->> '$.printMethod' IS NOT NULL"
        )
        assert connection.changes()


async def pressed(real: RealTill, key: str, doing: Doing) -> ReceiptsScreen:
    """Press the key of an act, and wait until it is shown and Enter may do it."""
    shown = screen(real)
    await (real.press if key == "Enter" else real.type)(key)
    await real.until(lambda: shown.model.doing is doing)
    await real.until(lambda: not shown.opened.acts.main.rests)
    return shown


async def the_original_is_printed_while_it_is_unproven_and_then_only_a_copy(
    handing: Handing,
) -> None:
    real, printer = handing.real, handing.printer
    printer.cut_after = 9_000
    shown = await opened(real, await real.sold(BREAD))
    await real.until(lambda: shown.opened.main_act(shown.model).words == "Штампај")
    assert handing.papers() == 0
    printer.cut_after = None
    printer.switch_off_and_on()
    await pressed(real, "Enter", Doing.PRINT)
    await real.press("Enter")
    await real.until(lambda: handing.papers() == 1)
    await real.until(lambda: shown.opened.main_act(shown.model).words == "Копија")
    await pressed(real, "Enter", Doing.COPY)
    await real.press("Enter")
    assert (await real.ended()).operation == "copy"
    await real.until(lambda: handing.papers() == 2)


async def what_waits_for_paper_is_printed_again_and_a_copy_is_sent(handing: Handing) -> None:
    real, before = handing.real, handing.papers()
    handing.printer.paper = 0
    shown = await opened(real, await real.sold(BREAD))
    await real.until(lambda: delivery(shown).trouble == "paper_out")
    assert handing.papers() == before
    handing.printer.paper = None
    await real.tap_words("Поново")
    await real.until(lambda: handing.papers() == before + 1)
    await real.until(lambda: delivery(shown).state is JobState.DONE)
    await a_copy_goes_to_an_address_as_pdf(handing, shown)
    assert handing.papers() == before + 1


def delivery(shown: ReceiptsScreen) -> DeliveryJob:
    assert shown.model.opened is not None
    (job,) = shown.model.opened.overview.deliveries
    return job


async def a_copy_goes_to_an_address_as_pdf(handing: Handing, shown: ReceiptsScreen) -> None:
    real = handing.real
    sold = real.last()
    await pressed(real, "e", Doing.SEND)
    await real.type(BUYER)
    await real.press("Enter")
    await real.until(lambda: real.last().key != sold.key)
    copy = await real.ended()
    assert copy.operation == "copy"
    await real.until(lambda: bool(handing.box.letters))
    (letter,) = handing.box.letters
    assert letter.rcpt_tos == [BUYER]
    content = letter.content
    assert isinstance(content, bytes)
    pdfs = [
        part.get_payload(decode=True)
        for part in message_from_bytes(content).walk()
        if part.get_content_type() == "application/pdf"
    ]
    assert [bytes(one[:5]) for one in pdfs if isinstance(one, bytes)] == [b"%PDF-"]
    await real.until(lambda: any("је издата." in one for one in lines_of(shown.opened)))
    (done,) = visible_parts(shown.opened, DonePanel)
    assert right_of(done) == right_of(shown.opened.paper)


NOBODY, RIGHT = "kupac@primer.rs", "kupac.ana@primer.rs"


async def sent_to_nobody(handing: Handing, shown: ReceiptsScreen) -> None:
    """Send a copy to an address that the mail server refuses."""
    real = handing.real
    sold = real.last()
    await real.until(lambda: delivery(shown).state is JobState.DONE)
    handing.box.asked.clear()
    handing.box.replies["RCPT"] = "550 5.1.1 no such user"
    await pressed(real, "e", Doing.SEND)
    await real.type(NOBODY)
    await real.press("Enter")
    await real.until(lambda: real.last().key != sold.key)
    await real.ended()
    await real.until(lambda: "RCPT" in handing.box.asked)
    handing.box.replies.clear()


async def a_refused_address_is_corrected_in_attention_and_sent_to_once(handing: Handing) -> None:
    real = handing.real
    await sent_to_nobody(handing, await opened(real, await real.sold(BREAD)))
    await real.press("Esc", "Esc")
    real.hands.window.frame.open("attention")
    attention = in_front(real.hands.window.frame, "att.title")
    await real.until(lambda: mailed(attention) is not None)
    field = mailed(attention)
    assert field is not None
    assert field.text() == NOBODY
    field.edit.setFocus()
    field.edit.selectAll()
    await real.type("kupac.ana")
    await real.tap_words("Пошаљи на ову адресу")
    await real.until(lambda: field.error() == "Ово није имејл адреса.")
    field.edit.selectAll()
    await real.type(RIGHT)
    await real.tap_words("Пошаљи на ову адресу")
    await real.until(lambda: bool(handing.box.letters))
    await real.until(lambda: "све је у реду" in " ".join(lines_of(attention)).casefold())
    assert [one.rcpt_tos for one in handing.box.letters] == [[RIGHT]]
    now = datetime.now(UTC)
    rows = real.services.acts.acts(since=now - timedelta(days=1), until=now + timedelta(1))
    assert not [one for one in rows if RIGHT in one.subject], "a buyer's address is in no row"


def mailed(attention: QWidget) -> Field | None:
    """The field of the address in Attention's case, once it is there."""
    found = [one for one in attention.findChildren(Field) if one.isVisible() and "@" in one.text()]
    return found[0] if found else None


async def a_refused_address_is_corrected_at_the_receipt_and_sent_to_once(handing: Handing) -> None:
    real = handing.real
    await sent_to_nobody(handing, await opened(real, await real.sold(BREAD)))
    shown = await opened(real, real.last())
    await real.until(lambda: shown.model.mail_to_repeat is not None)
    await pressed(real, "e", Doing.SEND_AGAIN)
    address = shown.opened.doing.address
    assert address.text() == NOBODY
    assert address.edit.hasFocus()
    address.edit.selectAll()
    await real.type(RIGHT)
    await real.press("Enter")
    await real.until(lambda: bool(handing.box.letters))
    assert [one.rcpt_tos for one in handing.box.letters] == [[RIGHT]]
    await real.until(lambda: shown.model.mail_to_repeat is None)


@pytest.mark.deadline(120)
async def test_receipts_are_handed_over_on_paper_and_by_mail(handing: Handing) -> None:
    async with handing.at_work() as real:
        for step in (
            the_original_is_printed_while_it_is_unproven_and_then_only_a_copy,
            what_waits_for_paper_is_printed_again_and_a_copy_is_sent,
            a_refused_address_is_corrected_at_the_receipt_and_sent_to_once,
        ):
            handing.box.letters.clear()
            await step(handing)
            await real.by_hand(real.hands.window.frame.go_home)


@pytest.mark.deadline(120)
async def test_a_refused_address_is_corrected_in_attention(handing: Handing) -> None:
    async with handing.at_work():
        await a_refused_address_is_corrected_in_attention_and_sent_to_once(handing)
