"""A file instead of a paper: the paper is given up once a program has really opened the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication

from pos_app.cashier.attention.model import CaseNews
from pos_app.errors import NotDelivered
from tests.gui.attention import cases
from tests.gui.attention.conftest import Caring
from tests.gui.payment.shop import CASHIER
from tests.sweep import sampled

WAITS = "Рачун 8654 чека штампу 12.896,50"
FILE = Path("/shown/r-4.pdf")


async def asked_for(care: Caring, *, by_row: bool = False) -> None:
    """Let a paper wait for its printer, and ask for its file by touch."""
    *_, waits = cases.not_printed(care.shop)
    await cases.undelivered(care.shop, waits)
    await care.opened()
    assert care.rows() == [WAITS]
    care.tap("PDF: Рачун 8654" if by_row else "PDF уместо папира")
    await care.until(lambda: care.viewer.files == [FILE])


@pytest.mark.parametrize("by_row", sampled([False, True]), ids=["case", "row"])
async def test_one_that_was_opened_settles_its_paper(care: Caring, by_row: bool) -> None:
    await asked_for(care, by_row=by_row)
    await care.until(lambda: not care.rows())
    assert care.shop.receipt_files.instead == ["r-4"]
    assert care.shop.receipt_files.opened_instead == [("r-4", CASHIER)]


async def test_nothing_is_settled_before_the_viewer_has_taken_it(care: Caring) -> None:
    care.viewer.opens = None
    await asked_for(care)
    await care.until(lambda: care.case_view.news_text() == "PDF се отвара.")
    await care.refreshed()
    assert care.rows() == [WAITS]
    assert care.shop.receipt_files.opened_instead == []


@pytest.mark.parametrize("by_row", sampled([False, True]), ids=["case", "row"])
async def test_one_that_nothing_opens_leaves_the_paper_to_be_printed(
    care: Caring, by_row: bool
) -> None:
    care.viewer.opens = False
    await asked_for(care, by_row=by_row)
    told = (
        "Рачун и даље чека штампу. PDF није могао да се отвори."
        " Позовите подршку и прочитајте: /shown/r-4.pdf"
    )
    await care.until(lambda: care.case_view.news_text().replace("\u200b", "") == told)
    await care.refreshed()
    assert care.rows() == [WAITS]
    care.tap("Копирај путању")
    assert QGuiApplication.clipboard().text() == str(FILE)
    await care.refreshed()
    assert care.button("Копирано").isVisible()
    assert care.shop.receipt_files.opened_instead == []
    care.tap("Одштампај поново: Рачун 8654" if by_row else "Одштампај поново")
    await care.until(lambda: care.shop.doubts.told)
    assert care.shop.doubts.told == [("again", "4", CASHIER)]


async def test_what_is_asked_meanwhile_keeps_no_paper_from_being_settled(care: Caring) -> None:
    care.viewer.opens = None
    await asked_for(care)
    care.room.running = "again"
    care.viewer.end(opened=True)
    await care.until(lambda: care.shop.receipt_files.opened_instead)


async def test_a_server_that_is_not_told_leaves_the_row_and_says_why(care: Caring) -> None:
    care.viewer.opens = None
    await asked_for(care)
    care.shop.receipt_files.fault = NotDelivered(what="The server went away.")
    told: list[CaseNews] = []
    care.room.reported.connect(told.append)
    care.viewer.end(opened=True)
    await care.until(lambda: told and told[-1].is_trouble)
    await care.refreshed()
    assert care.rows() == [WAITS]


@pytest.mark.parametrize("number", sampled([0, 1]), ids=["unproven paper", "failed mail"])
async def test_of_what_does_not_wait_a_file_replaces_nothing(care: Caring, number: int) -> None:
    await cases.undelivered(care.shop, cases.not_printed(care.shop)[number])
    await care.opened()
    care.tap("Отвори као PDF")
    await care.until(lambda: care.viewer.files)
    await care.refreshed()
    assert len(care.rows()) == 1
    assert care.shop.receipt_files.instead == []
    assert care.shop.receipt_files.opened_instead == []
