"""The whole way of a shift's Z: pressed in the window, a job of the server, dots on paper."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image

from pos_app.adapters.paper_files import PaperPdf
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.cashier.shift.pages import PDF_KEY, PRINT_KEY
from pos_app.documents.blocks import Document
from pos_app.documents.shift_papers import CashSlip, cash_paper
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.money import Money
from pos_app.errors import DataFolderNotWritable
from pos_app.selling.shift.shift import OwedPaper
from tests.fakes.receipt_files import NotingViewer
from tests.gui.parts import lines_of
from tests.gui.receipts.test_handed_over import CUT, Handing, handing, handing_in
from tests.gui.shift import test_shift
from tests.gui.shift.test_going_on import counted
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill
from tests.integration.paper.escpos_printer import Printer

__all__ = ["handing"]


def papers(handing: Handing) -> list[Image.Image]:
    """The papers that the printer has put out."""
    printed = b"".join(handing.printer.printed)
    jobs = [one + CUT for one in printed.split(CUT)[:-1]]
    return [Printer(576).feed_job(one).picture for one in jobs]


@pytest.mark.deadline(120)
async def test_a_z_comes_out_of_the_printer(handing: Handing) -> None:
    """Cash to the safe, a sale, the count and the close: three papers, the Z the longest of
    them."""
    async with handing.at_work() as real:
        screen = await test_shift.opened(real, "60000")
        await real.type("s")
        await real.type("50000")
        await real.press("Enter")
        await real.until(lambda: handing.papers() == 1)
        await real.press("Esc")
        sale = await real.sold(test_shift.BREAD)
        await real.until(lambda: handing.papers() == 2)
        await real.press("Ctrl+D", "Enter", "Enter")
        await real.type("2")
        await real.press("F12")
        screen = test_shift.screen_of(real)
        assert screen.model.page is ShiftPageKind.DIFFERENCE
        assert screen.model.drawer_differences.rows[0].amount == -sale.money_taken.tendered.cash
        await real.until(lambda: not screen.model.asks_server)
        await test_shift.rested(real)
        page = screen.page
        await real.tap(page.chips["cash", "change"])
        await real.type("4000")
        await real.press("Enter")
        assert screen.model.page is ShiftPageKind.DONE
        await real.until(lambda: handing.papers() == 3)
        closed = real.core.database.shifts.last_closed()
        assert closed is not None
        assert closed.stays == Money(4000)
        assert closed.taken == Money(6000)
        slip, _, z = papers(handing)
        assert z.height > 2 * slip.height


@pytest.mark.long
@pytest.mark.deadline(120)
async def test_a_z_comes_by_itself_once_the_server_answers_again(handing: Handing) -> None:
    async with handing.at_work() as real:
        await a_z_comes_by_itself(handing, real)


async def a_z_comes_by_itself(handing: Handing, real: RealTill) -> None:
    """The shift is closed while the server is away, and printing is requested once more: one paper
    comes."""
    screen = await test_shift.opened(real, "1000")
    before = handing.papers()
    shifts = real.core.database.shifts
    _, server = (one for one in real.shop.running if one.lines("http"))
    await real.by_hand(server.kill)
    page = await counted(real)
    await test_shift.rested(real)
    await real.tap(page.chips["cash", "coins"])
    await real.press("Enter")
    assert screen.model.page is ShiftPageKind.DONE
    assert len(shifts.owed()) == 1
    await real.until(lambda: screen.model.printed == "owed")
    await real.type(PRINT_KEY)
    await real.until(lambda: screen.model.printed == "owed")
    (owed,) = shifts.owed()
    assert handing.papers() == before
    await real.press("Enter")
    await real.by_hand(real.shop.server)
    await real.until(lambda: handing.papers() == before + 1)
    await real.until(lambda: not shifts.owed())
    assert real.services.receipt_printer is not None
    await real.services.receipt_printer.print(owed.paper, key=owed.key)
    await real.sold(test_shift.BREAD)
    await real.until(lambda: handing.papers() == before + 2)


def owe_a_slip(services: TillServices) -> None:
    slip = CashSlip("drop", Money(500), "", "Касир 1", datetime(2026, 11, 24, 9, tzinfo=UTC), 7)
    paper = cash_paper(slip, shop=("Пекара",), language=ReceiptLanguage.CYRILLIC)
    services.shifts.owe(OwedPaper("0" * 32, paper))


@pytest.fixture
def owing(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[Handing]:
    """A till that was killed before the server took a slip."""
    with handing_in(tmp_path, template, sell_in, before=owe_a_slip) as made:
        yield made


async def test_what_a_killed_till_owes_is_printed_at_the_next_start(owing: Handing) -> None:
    async with owing.at_work() as real:
        await real.until(lambda: owing.papers() == 1)
        await real.until(lambda: not real.core.database.shifts.owed())


@pytest.mark.parametrize("has_room", [True, False], ids=["made", "no folder"])
async def test_a_pdf_that_is_late_says_nothing_of_the_report_that_stands_then(
    real: RealTill, monkeypatch: pytest.MonkeyPatch, has_room: bool
) -> None:
    free, pdf_of = asyncio.Event(), PaperPdf.pdf_of

    async def late(files: PaperPdf, paper: Document, *, name: str) -> Path:
        await free.wait()
        return await pdf_of(files, paper, name=name)

    monkeypatch.setattr(PaperPdf, "pdf_of", late)
    async with real.at_work():
        screen, viewer = await test_shift.opened(real, "1000"), real.hands.window.frame.viewer
        assert isinstance(viewer, NotingViewer)
        await real.type("x")
        await test_shift.rested(real)
        await real.type(PDF_KEY)
        assert screen.model.printed == "asked"
        await real.press("Esc")
        await real.type("x")
        await test_shift.rested(real)
        if not has_room:
            (real.shop.data / "till/shown").write_text("")
        free.set()
        folder = str(real.shop.data / "till/shown")
        error = DataFolderNotWritable("paper", path=folder, why="")
        told = real.hands.window.texts.error(error).happened
        await real.until(
            lambda: bool(viewer.files) if has_room else told in " ".join(lines_of(screen))
        )
        assert screen.model.printed == "", "this one was handed over to nobody"
