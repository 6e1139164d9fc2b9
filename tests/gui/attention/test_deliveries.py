"""What was not printed or sent: the answers to it, a file instead of a paper."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from pos_app.cashier.attention.model import CaseNews
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.errors import NotDelivered, Refused
from tests.gui.attention import cases
from tests.gui.attention.conftest import Caring
from tests.gui.parts import lines_of
from tests.gui.payment.shop import CASHIER
from tests.sweep import each

PERHAPS = "Рачун 8653 можда није одштампан 2.110,00"
UNSENT = "Рачун 8652 није послат 310,00"
WAITS = "Рачун 8654 чека штампу 12.896,50"
PRINTS = "Рачун 8654 се штампа поново 12.896,50"
SENDS = "Рачун 8652 се шаље поново 310,00"
FILE = Path("/shown/r-4.pdf")
READ_OUT = "Позовите подршку и прочитајте шта пише под „Детаљи“."


async def shown(care: Caring, *jobs: DeliveryJob) -> None:
    """Show these jobs, at a till that has nothing else."""
    await care.anew()
    await cases.undelivered(care.shop, *jobs)
    await care.opened()


async def test_what_was_not_printed_has_two_answers(care: Caring) -> None:
    perhaps, refused, waits = cases.not_printed(care.shop)
    await shown(care, perhaps, refused, waits)
    assert care.rows() == [PERHAPS, UNSENT, WAITS]
    assert care.waiting() == 3
    words = "ABCD1234-ABCD1234-8653: не зна се да ли је одштампан (веза је прекинута)"
    assert words in care.said
    care.tap("Папир је ту")
    await care.until(lambda: care.rows() == [UNSENT, WAITS])
    care.tap("Пошаљи")
    await care.until(lambda: sorted(care.rows()) == sorted([SENDS, WAITS]))
    assert care.shop.doubts.told == [("seen", "3", CASHIER), ("again", "2", CASHIER)]
    failed_again = replace(refused, changed_at=care.shop.clock.now())
    await cases.undelivered(care.shop, failed_again)
    care.screen.refresh()
    await care.until(lambda: care.rows() == [UNSENT])


async def test_the_next_case_takes_the_place_of_one_that_ended(care: Caring) -> None:
    """At the end of the list the one before it does."""
    like = cases.not_printed(care.shop)[1]
    await shown(care, *(replace(like, id=number, total=Money(number)) for number in range(1, 6)))
    ids = [*care.side.rows]
    care.side.rows[ids[2]].click()
    for gone, following in ((2, 3), (3, 4), (4, 1), (1, 0)):
        assert care.room.model.current_id == ids[gone]
        care.tap("Није потребно")
        await care.until(lambda: ids[gone] not in care.side.rows)  # noqa: B023
        assert care.room.model.current_id == ids[following]
        assert care.side.rows[ids[following]].isChecked()


ROWS = {
    JobState.UNPROVEN: ("можда није одштампан", "можда није послат"),
    JobState.FAILED: ("није одштампан", "није послат"),
    JobState.WAITING: ("чека штампу", "чека слање"),
}
SETTLED = {JobState.UNPROVEN: ("Папир је ту", "Порука је стигла")}


@each(
    ("method", "job_state"), list(product([JobMethod.THERMAL, JobMethod.EMAIL, JobMethod.A4], ROWS))
)
async def test_each_way_of_delivery_has_its_row_and_answers(
    care: Caring, job_state: JobState, method: JobMethod
) -> None:
    mail = method is JobMethod.EMAIL
    like, *_ = cases.not_printed(care.shop)
    await shown(care, replace(like, method=method, state=job_state))
    assert care.rows() == [f"Рачун 8653 {ROWS[job_state][mail]} 2.110,00"]
    is_first = job_state is not JobState.UNPROVEN
    again = ("Пошаљи" if mail else "Одштампај") + ("" if is_first else " поново")
    as_file = not mail and job_state is JobState.WAITING
    pdf = "PDF уместо папира" if as_file else "Отвори као PDF"
    to_another = ["Пошаљи на ову адресу"] if mail else []
    ends = SETTLED.get(job_state, ("Није потребно",) * 2)[mail]
    assert care.buttons == [again, ends, pdf, *to_another]


async def test_the_address_has_its_label_and_enter_sends(care: Caring) -> None:
    await shown(care, cases.not_printed(care.shop)[1])
    assert "Имејл купца" in care.said
    care.field("Имејл купца").edit.setFocus()
    care.press("Enter")
    await care.until(lambda: care.shop.doubts.told == [("again", "2", CASHIER)])


async def test_a_paper_of_the_till_is_no_receipt_to_be_opened(care: Caring) -> None:
    like, *_ = cases.not_printed(care.shop)
    await shown(care, replace(like, number=None, receipt_id=None, total=None))
    assert care.rows() == ["Можда је одштампано"]
    assert care.buttons == ["Одштампај поново", "Папир је ту"]


async def asked_about_all(care: Caring) -> None:
    """Ask whether the papers of many receipts are all there."""
    await care.anew()
    await cases.many_papers(care.shop, JobState.UNPROVEN)
    await care.opened()
    await care.until(lambda: "papers_unproven" in care.side.rows)
    care.side.rows["papers_unproven"].click()
    care.tap("Сви папири су ту")


async def test_a_question_that_opens_has_the_focus_and_keeps_it(care: Caring) -> None:
    await care.anew()
    await cases.many_papers(care.shop, JobState.WAITING)
    await care.opened()
    await care.until(lambda: "papers_wait" in care.side.rows)
    care.side.rows["papers_wait"].click()
    care.steps.buttons["end_all"].setFocus()
    for stays in (lambda: None, care.screen.focus_place, care.screen.refresh):
        care.press(" ")
        stays()
        await care.refreshed()
        no = QApplication.focusWidget()
        assert no is not None
        assert no.accessibleName() == "Остави како јесте"
        care.press(" ")
        await care.until(care.steps.buttons["end_all"].hasFocus)
    assert care.shop.doubts.told == []


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


async def asked_for(care: Caring, *, opens: bool | None = True) -> None:
    """Let a paper wait for its printer, and ask for its file by touch."""
    *_, waits = cases.not_printed(care.shop)
    await shown(care, waits)
    assert care.rows() == [WAITS]
    care.viewer.opens = opens
    care.tap("PDF уместо папира")
    await care.until(lambda: care.viewer.files == [FILE])


async def one_that_was_opened_settles_its_paper(care: Caring) -> None:
    await asked_for(care)
    await care.until(lambda: not care.rows())
    assert care.shop.receipt_files.instead == ["r-4"]
    assert care.shop.receipt_files.opened_instead == [("r-4", CASHIER)]


async def nothing_is_settled_before_the_viewer_has_taken_it(care: Caring) -> None:
    """What is asked meanwhile keeps no paper from being settled then."""
    await asked_for(care, opens=None)
    await care.until(lambda: care.news == "PDF се отвара.")
    await care.refreshed()
    assert care.rows() == [WAITS]
    assert care.shop.receipt_files.opened_instead == []
    care.room.running = "again"
    care.viewer.end(opened=True)
    await care.until(lambda: care.shop.receipt_files.opened_instead)
    care.room.running = ""


async def one_that_nothing_opens_leaves_the_paper_to_be_printed(care: Caring) -> None:
    await asked_for(care, opens=False)
    told = f"Рачун и даље чека штампу. Не отвара се r-4.pdf. {READ_OUT}"
    await care.until(lambda: care.news == told)
    await care.refreshed()
    assert care.rows() == [WAITS]
    assert str(FILE) not in lines_of(care.case_view)
    care.tap("Детаљи")
    assert str(FILE) in lines_of(care.case_view)
    care.tap("Копирај путању")
    assert QGuiApplication.clipboard().text() == str(FILE)
    await care.refreshed()
    assert care.button("Копирано").isVisible()
    assert care.shop.receipt_files.opened_instead == []
    care.tap("Одштампај")
    await care.until(lambda: care.shop.doubts.told)
    assert care.shop.doubts.told == [("again", "4", CASHIER)]
    await ended(care, 4, JobState.DROPPED)


async def a_server_that_gives_none_or_is_not_told_says_why(care: Caring) -> None:
    for fault, opens in (
        (Refused(what="Receipt not found"), True),
        (NotDelivered(what="The server went away."), None),
    ):
        *_, waits = cases.not_printed(care.shop)
        await shown(care, waits)
        care.viewer.opens = opens
        told: list[CaseNews] = []
        care.room.reported.connect(told.append)
        if opens:
            care.shop.receipt_files.fault = fault
        care.tap("PDF уместо папира")
        if not opens:
            await care.until(lambda: care.viewer.files == [FILE])
            care.shop.receipt_files.fault = fault
            care.viewer.end(opened=True)
        await care.until(lambda: told and told[-1].is_trouble)  # noqa: B023
        await care.refreshed()
        assert care.rows() == [WAITS]
        before = care.news
        care.change(language="en")
        assert care.news == told[-1].say(care.frame.ui.texts) != before
        care.change(language="sr-Cyrl")
        assert care.news == before


@each("step", [
    one_that_was_opened_settles_its_paper, nothing_is_settled_before_the_viewer_has_taken_it,
    one_that_nothing_opens_leaves_the_paper_to_be_printed,
    a_server_that_gives_none_or_is_not_told_says_why,
])  # fmt: skip
async def test_a_file_instead_of_a_paper(
    care: Caring, step: Callable[[Caring], Awaitable[None]]
) -> None:
    await step(care)


async def repeated(care: Caring, number: int, button: str) -> DeliveryJob:
    """Show one job, and tap the button that repeats it."""
    job = cases.not_printed(care.shop)[number]
    await shown(care, job)
    care.tap(button)
    await care.until(lambda: care.shop.doubts.told)
    return job


async def ended(care: Caring, job_id: int, state: JobState) -> None:
    """Let the server tell the end of a job that it tried again."""
    await cases.undelivered(care.shop)
    care.shop.doubts.ends_of_jobs[job_id] = state
    await care.refreshed()
    await care.until(lambda: not care.rows())


async def a_paper_that_came_out_is_told_as_being_printed_and_then_as_done(care: Caring) -> None:
    await repeated(care, 2, "Одштампај")
    await stays_while_it_is_tried(care, PRINTS, "Штампа се поново")
    await ended(care, 4, JobState.DONE)
    words = " ".join(lines_of(care.window))
    assert "Све је у реду" in words
    assert "Рачун ABCD1234-ABCD1234-8654 је одштампан." in words
    care.tap("Прикажи решено")
    assert any("8654 је одштампан" in row for row in care.rows())


async def a_mail_that_was_dropped_is_never_told_as_sent(care: Caring) -> None:
    await repeated(care, 1, "Пошаљи")
    await stays_while_it_is_tried(care, SENDS, "Шаље се поново")
    await ended(care, 2, JobState.DROPPED)
    assert "је послат" not in " ".join(lines_of(care.window))


async def stays_while_it_is_tried(care: Caring, row: str, title: str) -> None:
    """The server does not report the job while it tries; nothing says that all is well."""
    await care.until(lambda: care.rows() == [row])
    for _ in range(2):
        await cases.undelivered(care.shop)
        await care.refreshed()
        assert care.rows() == [row]
        words = " ".join(lines_of(care.window))
        assert title in words
        assert "све је у реду" not in words.lower()
        assert care.buttons == []
        assert care.waiting() == 0  # no bell rings for it


async def one_that_fails_again_has_its_row_and_its_answers_again(care: Caring) -> None:
    for state in (JobState.WAITING, JobState.FAILED, JobState.UNPROVEN):
        job = await repeated(care, 2, "Одштампај")
        await care.until(lambda: care.rows() == [PRINTS])
        later = job.changed_at + timedelta(seconds=5)
        await cases.undelivered(care.shop, replace(job, state=state, changed_at=later))
        await care.refreshed()
        assert len(care.rows()) == 1
        assert care.rows() != [PRINTS]
        assert any(words.startswith("Одштампај") for words in care.buttons)
        await cases.undelivered(care.shop)  # somebody answered it elsewhere meanwhile
        await care.refreshed()
        assert care.rows() == []


@each(
    "step",
    (
        a_paper_that_came_out_is_told_as_being_printed_and_then_as_done,
        a_mail_that_was_dropped_is_never_told_as_sent,
        one_that_fails_again_has_its_row_and_its_answers_again,
    ),
)
async def test_what_is_printed_or_sent_once_more(
    care: Caring, step: Callable[[Caring], Awaitable[None]]
) -> None:
    await step(care)


@each(
    ("left_off", "title"),
    [
        (1, "Још 1 рачун није стигао до купца"),
        (3, "Још 3 рачуна нису стигла до купца"),
        (12, "Још 12 рачуна није стигло до купца"),
    ],
)
async def test_what_the_server_only_counted_is_told_below_and_rings_no_bell(
    care: Caring, left_off: int, title: str
) -> None:
    await care.anew()
    care.shop.server.jobs_left_off = left_off
    await cases.undelivered(care.shop, cases.not_printed(care.shop)[0])
    await care.opened()
    assert care.rows() == [PERHAPS, title]
    assert care.waiting() == 1
    care.side.rows["more jobs"].click()
    assert care.buttons == []
    assert "долазе на њихово место" in care.said


async def test_a_second_original_is_printed_by_a_press_of_its_own(care: Caring) -> None:
    """The first Enter asks, the second one goes back."""
    await shown(care, cases.not_printed(care.shop)[0])
    care.screen.choose(care.screen.model.current_id)
    care.tap("Одштампај поново")
    assert "Други примерак је дозвољен само ако првог нема" in care.said
    now = QApplication.focusWidget()
    assert now is not None
    assert now.accessibleName() == "Остави како јесте"
    care.tap("Остави како јесте")
    assert care.shop.doubts.told == []
    care.tap("Одштампај поново")
    care.tap("Одштампај поново")
    await care.until(lambda: care.shop.doubts.told == [("again", "3", CASHIER)])


async def test_a_question_about_all_papers_is_asked_anew_once_they_are_others(care: Caring) -> None:
    """They are as many as before, but nobody has looked for one of them."""
    await asked_about_all(care)
    await care.refreshed()
    assert "Потврди да су сви ту" in care.buttons
    let_one_change(care)
    await care.refreshed()
    assert "Потврди да су сви ту" not in care.buttons
    assert "Сви папири су ту" in care.buttons
    assert care.shop.doubts.told == []
