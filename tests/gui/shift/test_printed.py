"""The papers of a shift that the server did not take at once."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.paper_files import PaperPdf
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.shift.report_page import PDF_KEY
from pos_app.documents.blocks import Document
from pos_app.documents.shift_papers import CashSlip, cash_paper
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.money import Money
from pos_app.errors import DataFolderNotWritable
from pos_app.selling.shift.shift import OwedPaper
from tests.fakes.receipt_files import NotingViewer
from tests.gui.parts import lines_of
from tests.gui.receipts.test_handed_over import Handing, handing, handing_in
from tests.gui.shift import test_shift
from tests.gui.shift.test_keys import said
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill

__all__ = ["handing"]


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


async def test_a_pdf_that_is_late_says_nothing_of_the_report_that_stands_then(
    real: RealTill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither one that was made, nor one that no folder takes."""
    free, pdf_of = asyncio.Event(), PaperPdf.pdf_of

    async def late(files: PaperPdf, paper: Document, *, name: str) -> Path:
        await free.wait()
        return await pdf_of(files, paper, name=name)

    monkeypatch.setattr(PaperPdf, "pdf_of", late)
    shown = real.shop.data / "till/shown"
    error = DataFolderNotWritable("paper", path=str(shown), why="")
    told = real.hands.window.texts.error(error).happened
    async with real.at_work():
        screen, viewer = await test_shift.opened(real, "1000"), real.hands.window.frame.viewer
        assert isinstance(viewer, NotingViewer)
        for has_room in (True, False):
            free.clear()
            await real.type("x")
            await test_shift.rested(real)
            await real.type(PDF_KEY)
            assert screen.model.printed == "asked"
            await real.press("Esc")
            await real.type("x")
            await test_shift.rested(real)
            if not has_room:
                shutil.rmtree(shown)
                shown.write_text("")
            free.set()
            await real.until(
                lambda: bool(viewer.files) if has_room else told in " ".join(lines_of(screen))  # noqa: B023
            )
            assert screen.model.printed == "", "this one was handed over to nobody"
            await real.press("Esc")


@pytest.fixture
def answer(real: RealTill, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """The server tells its receipts once this is set."""
    free, page = asyncio.Event(), real.services.receipts.page

    async def late(*words: Any, **more: Any) -> Any:
        await free.wait()
        return await page(*words, **more)

    monkeypatch.setattr(real.services.receipts, "page", late)
    return free


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What stands on each PDF."""
    papers, pdf_of = list[str](), PaperPdf.pdf_of

    async def noting(files: PaperPdf, paper: Document, *, name: str) -> Path:
        papers.append(said(paper))
        return await pdf_of(files, paper, name=name)

    monkeypatch.setattr(PaperPdf, "pdf_of", noting)
    return papers


SILENT = "сервер их није рекао"


@pytest.mark.deadline(120)
async def test_a_pdf_waits_for_what_the_server_tells(
    real: RealTill, answer: asyncio.Event, made: list[str]
) -> None:
    """A second press makes no second one, and who leaves the screen gets it all the same. Only a
    server that was asked, and did not answer, is told as silent."""
    async with real.at_work():
        await test_shift.opened(real, "1000")
        await real.press("Esc")
        await real.sold(test_shift.BREAD)
        for number, (leaves, answers) in enumerate(((0, True), (1, True), (2, True), (0, False))):
            answer.clear()
            await real.press("Ctrl+D")
            await real.type("x")
            screen = test_shift.screen_of(real)
            for _ in range(2):
                await real.type(PDF_KEY)
                await real.press("Tab")  # its pause makes the next one no double press
            words = " ".join(lines_of(screen))
            assert len(made) == number
            assert (SILENT in words, "сервер се још пита" in words) == (False, True)
            assert "Чека се одговор сервера" in words
            await real.press(*("Esc",) * leaves)
            if answers:
                answer.set()
            await real.until(lambda: len(made) > number)  # noqa: B023
            assert (SILENT in made[-1], "По категорији" in made[-1]) == (not answers, answers)
            viewer = real.hands.window.frame.viewer
            assert isinstance(viewer, NotingViewer)
            await real.until(lambda: len(viewer.files) > number)  # noqa: B023
            assert (len(made), len(viewer.files)) == (number + 1, number + 1)
            if not leaves:
                assert (SILENT in " ".join(lines_of(screen))) is not answers
            await real.by_hand(real.hands.window.frame.go_home)
        answer.set()
