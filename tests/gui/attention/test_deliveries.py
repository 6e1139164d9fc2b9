"""What was not printed: its row, and a file instead of a paper."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from tests.gui.attention import cases
from tests.gui.attention.conftest import Caring
from tests.gui.payment.shop import CASHIER
from tests.sweep import each

PERHAPS = "Рачун 8653 можда није одштампан 2.110,00"
READ_OUT = "Позовите подршку и прочитајте шта пише под „Детаљи“."


async def shown(care: Caring, *jobs: DeliveryJob) -> None:
    """Show these jobs, at a till that has nothing else."""
    await care.anew()
    await cases.undelivered(care.shop, *jobs)
    await care.opened()


async def asked_about_all(care: Caring) -> None:
    """Ask whether the papers of many receipts are all there."""
    await care.anew()
    await cases.many_papers(care.shop, JobState.UNPROVEN)
    await care.opened()
    await care.until(lambda: "papers_unproven" in care.side.rows)
    care.side.rows["papers_unproven"].click()
    care.tap("Сви папири су ту")


def let_one_change(care: Caring) -> None:
    """Let somebody have the first of them printed once more, so that it is uncertain again."""
    papers = care.shop.doubts.open_papers
    first, *rest = papers.unproven.papers
    others = replace(papers.unproven, papers=(*rest, replace(first, sending=2)))
    care.shop.doubts.open_papers = replace(papers, unproven=others)


async def test_a_paper_that_changed_before_the_answer_keeps_its_row(care: Caring) -> None:
    await asked_about_all(care)
    let_one_change(care)
    care.tap("Потврди да су сви ту")
    await care.until(lambda: care.shop.doubts.told == [("end_all", "37 True", CASHIER)])
    await care.until(lambda: ": Не за све" in care.news)  # another case is shown
    assert [row for row in care.rows() if "можда" in row] == [
        "Рачун 8687 можда није одштампан 4.329,00"
    ]


@each(("opens", "words"), [(True, "PDF се отвара."), (False, f"Не отвара се r-3.pdf. {READ_OUT}")])
async def test_a_receipt_that_did_not_come_out_is_opened_as_a_file(
    care: Caring, opens: bool, words: str
) -> None:
    """Of what does not wait a file answers nothing."""
    await shown(care, cases.not_printed(care.shop)[0])
    care.viewer.opens = opens
    care.tap("Отвори као PDF")
    await care.until(lambda: care.news.endswith(words))
    await care.refreshed()
    assert care.news.endswith(words)
    assert care.viewer.files == [Path("/shown/r-3.pdf")]
    files = care.shop.receipt_files
    assert (files.asked, files.instead, files.opened_instead) == ([("r-3", CASHIER)], [], [])
    assert care.rows() == [PERHAPS]
