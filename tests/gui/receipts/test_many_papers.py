"""After a printer was away: one press decides about the papers of many receipts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from pos_app.cashier.attention.case_list import CaseRow
from pos_app.cashier.attention.cases.deliveries import FEW
from pos_app.cashier.attention.view import AttentionScreen
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.labels import Icon
from pos_app.cashier.window.screens import ATTENTION
from pos_app.domain.receipt.states import JobState
from tests.fakes.receipt_files import NotingViewer
from tests.gui.parts import in_front, lines_of
from tests.gui.receipts.test_handed_over import BUYER, Handing, handing
from tests.gui.receipts.test_receipts import BREAD
from tests.gui.window.real_till import RealTill

__all__ = ["handing"]
MANY = FEW + 2
PRINT_ALL = f"Одштампај свих {MANY}"


@asynccontextmanager
async def away(handing: Handing) -> AsyncIterator[AttentionScreen]:
    """Attention, after so many sales that their printer has no paper for."""
    async with handing.at_work() as real:
        handing.printer.paper = 0
        for _ in range(MANY):
            await real.sold(BREAD)
        yield await opened(real)


async def opened(real: RealTill) -> AttentionScreen:
    await real.by_hand(real.hands.window.frame.open, ATTENTION)
    screen: AttentionScreen = in_front(real.hands.window.frame, "att.title")
    await real.until(lambda: has_case(screen, "papers_wait"))
    await real.by_hand(screen.choose, "papers_wait")
    return screen


def has_case(screen: AttentionScreen, case_id: str) -> bool:
    return any(one.id == case_id for one in screen.model.cases)


def says(real: RealTill, words: str) -> bool:
    return words in " ".join(lines_of(real.hands.window))


async def states(real: RealTill) -> list[JobState]:
    jobs = await real.services.server_jobs.not_done()
    return [job.state for job in jobs]


async def back(real: RealTill, handing: Handing) -> None:
    """Put a roll into the printer, which has forgotten what it was given."""
    handing.printer.paper = None
    handing.printer.switch_off_and_on()


def pressed_twice(real: RealTill, words: str) -> None:
    (button,) = real.hands.buttons(words)
    for _ in range(2):
        real.hands.tap(button)


@pytest.mark.deadline(120)
async def test_a_press_while_the_printer_is_still_away_hides_nothing(handing: Handing) -> None:
    """The question comes back each time; all are printed once, though it was pressed twice."""
    async with away(handing) as screen:
        real = handing.real
        await pressed_in_vain(handing, screen)
        await pressed_in_vain(handing, screen)
        await back(real, handing)
        await real.until(lambda: not rows(screen))
        await real.until(lambda: real.services.server.status.jobs == ())
        assert (await states(real), handing.papers()) == ([], MANY)


async def pressed_in_vain(handing: Handing, screen: AttentionScreen) -> None:
    """Print all while the printer is still away: everything stands there again."""
    real = handing.real
    await real.until(lambda: len(rows(screen)) == MANY)
    before = {job.id: job.changed_at for job in real.services.server.status.jobs}
    await real.by_hand(screen.choose, "papers_wait")
    await real.by_hand(pressed_twice, real, PRINT_ALL)

    def is_told_anew() -> bool:
        jobs = real.services.server.status.jobs
        return len(jobs) == MANY and all(job.changed_at > before[job.id] for job in jobs)

    def is_back() -> bool:
        assert not says(real, "ниједан рачун није у сумњи"), "nothing is well yet"
        assert screen.model.current_id in {"papers_wait", "papers_printing"}, "it stays chosen"
        return is_told_anew() and not has_case(screen, "papers_printing")

    await real.until(lambda: is_back() and screen.model.current_id == "papers_wait")
    told = f"{MANY} рачуна није одштампано ни сада: нема папира."
    await real.until(lambda: screen.case_view is not None and screen.case_view.news_text() == told)
    assert screen.case_view is not None
    signs = [one.icon_and_colour[0] for one in screen.case_view.findChildren(Icon)]
    assert "circle-check" not in signs, "nothing succeeded"
    focus = real.hands.window.focusWidget()
    assert focus is not None
    assert focus.accessibleName() == PRINT_ALL, "it stays where it was"
    about = [one.accessibleDescription() for one in screen.findChildren(CaseRow)]
    assert any("ни сада нису одштампани" in one for one in about)
    assert len(rows(screen)) == MANY
    assert handing.papers() == 0


def rows(screen: AttentionScreen) -> list[str]:
    """The rows of single papers."""
    return [one.id for one in screen.model.cases if one.id.startswith("job")]


@pytest.mark.deadline(180)
async def test_no_paper_is_asked_first_and_is_for_these_alone(handing: Handing) -> None:
    """A server that is away decides nothing; what is sold after it has its paper."""
    async with away(handing) as screen:
        real = handing.real
        await real.tap_words("Папир није потребан")
        await real.until(lambda: says(real, f"За {MANY} рачуна више нема папира. Потписани су"))
        await real.tap_words("Остави како јесте")
        await real.tap_words("Папир није потребан")
        _, server = (one for one in real.shop.running if one.lines("http"))
        await real.by_hand(server.kill)
        await real.tap_words("Заврши без папира")
        await real.until(lambda: screen.model.news is not None and screen.model.news.is_trouble)
        await real.by_hand(real.shop.server)
        await real.until(lambda: has_case(screen, "papers_wait"))
        assert await states(real) == [JobState.WAITING] * MANY
        await real.by_hand(real.hands.window.frame.go_home)
        again = await opened(real)
        await real.tap_words("Папир није потребан")
        await real.tap_words("Заврши без папира")
        await real.until(lambda: says(real, "Папир за њих више не излази. Рачуни су сачувани."))
        assert await states(real) == []
        await real.until(lambda: not has_case(again, "papers_wait"))
        await back(real, handing)
        await real.by_hand(real.hands.window.frame.go_home)
        await real.sold(BREAD)
        await real.until(lambda: handing.papers() == 1)


@pytest.mark.deadline(120)
async def test_a_printer_that_goes_away_again_in_the_middle(handing: Handing) -> None:
    """One paper is unproven, which is asked for itself; those after it wait again."""
    async with away(handing) as screen:
        real, printer = handing.real, handing.printer
        await back(real, handing)
        await real.tap_words(PRINT_ALL)
        await real.until(lambda: handing.papers() > 0)
        printer.cut_after = len(printer.taken) + 2_000
        await until_states(real, lambda found: found.count(JobState.UNPROVEN) == 1)
        printer.paper = 0
        await real.until(lambda: not has_case(screen, "papers_printing"))
        await real.until(lambda: len(rows(screen)) == MANY - handing.papers())
        assert JobState.WAITING in await states(real)
        await back(real, handing)
        printer.cut_after = None
        await until_states(real, lambda found: found == [JobState.UNPROVEN])
        assert handing.papers() == MANY - 1, "each of the others once"
        await real.until(lambda: not has_case(screen, "papers_wait"))
        await real.tap_words("Папир је ту")
        await until_states(real, lambda found: found == [])


async def until_states(real: RealTill, is_so: Callable[[list[JobState]], bool]) -> None:
    deadline = asyncio.get_running_loop().time() + 60
    while not is_so(found := await states(real)):
        assert asyncio.get_running_loop().time() < deadline, found
        await asyncio.sleep(0.05)  # waits for the server


@pytest.mark.deadline(120)
async def test_one_of_them_is_mailed_or_opened_for_a_buyer_who_asks(handing: Handing) -> None:
    async with away(handing) as screen:
        real = handing.real
        viewer = real.hands.window.frame.viewer
        assert isinstance(viewer, NotingViewer)
        mailed, opened_one, *_ = sorted(rows(screen))
        await real.by_hand(screen.choose, mailed)
        (field,) = (one for one in screen.findChildren(Field) if one.isVisible())
        field.edit.setFocus()
        await real.type(BUYER)
        await real.tap_words("Имејл уместо папира")
        await real.until(lambda: bool(handing.box.letters))
        assert [one.rcpt_tos for one in handing.box.letters] == [[BUYER]]
        await real.until(lambda: not has_case(screen, mailed))
        await real.by_hand(screen.choose, opened_one)
        await real.tap_words("PDF уместо папира")
        await real.until(lambda: len(viewer.files) == 1)
        await until_states(real, lambda found: found == [JobState.WAITING] * (MANY - 2))
        await back(real, handing)
        await real.until(lambda: handing.papers() == MANY - 2)


@pytest.mark.deadline(120)
async def test_papers_that_may_have_come_out_are_a_question_for_all(handing: Handing) -> None:
    """The printer's line dies in each of them: nobody knows what lies there."""
    async with handing.at_work() as real:
        for _ in range(MANY):
            handing.printer.cut_after = len(handing.printer.taken) + 9_000
            await real.sold(BREAD)
            await until_states(real, lambda found: set(found) == {JobState.UNPROVEN})
            handing.printer.switch_off_and_on()
        handing.printer.cut_after = None
        assert await states(real) == [JobState.UNPROVEN] * MANY
        await real.by_hand(real.hands.window.frame.open, ATTENTION)
        screen: AttentionScreen = in_front(real.hands.window.frame, "att.title")
        await real.until(lambda: has_case(screen, "papers_unproven"))
        await real.by_hand(screen.choose, "papers_unproven")
        await real.tap_words(PRINT_ALL)
        await real.until(lambda: says(real, "Други примерак је дозвољен само ако првог нема."))
        await real.tap_words("Остави како јесте")
        await real.tap_words("Сви папири су ту")
        await real.tap_words("Потврди да су сви ту")
        await until_states(real, lambda found: found == [])
        assert handing.papers() == 0
