"""A close that was begun and left, or whose figures a full disk does not take."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from pos_app.cashier.shift.difference_page import DifferencePage
from pos_app.cashier.shift.home_page import CLOSED_KEY
from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.cashier.shift.report_page import PRINT_KEY
from pos_app.cashier.shift.words import drawer_lines
from pos_app.cashier.ui.labels import AmountLabel
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.shift_report import ShiftReport
from pos_app.errors import DiskFull
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.shift.cash import MoveKind
from tests.fakes.small_disk import fill, make_room
from tests.gui.parts import page_in_front, visible_parts
from tests.gui.shift import test_shift
from tests.gui.shift.test_keys import begun, counting, screen_of
from tests.gui.window import test_sign_in
from tests.gui.window.hands import Hands
from tests.gui.window.real_till import RealTill
from tests.sweep import sampled

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


async def counted(real: RealTill, pieces: str = "0") -> DifferencePage:
    """Count the open shift: that many notes of 5,000, and no others."""
    await real.press("Enter")
    if test_shift.screen_of(real).model.page is ShiftPageKind.CHECK:  # something is open
        await real.press("Enter")
    await real.type(pieces)
    await real.press("F12")
    page: DifferencePage = page_in_front(real.hands.window.frame, "shift.step.difference")
    await real.until(lambda: not test_shift.screen_of(real).model.asks_server)
    return page


def amounts(page: DifferencePage) -> list[str]:
    return [one.text() for one in visible_parts(page, AmountLabel)]


def taxed(z: ShiftReport) -> Money:
    assert z.server is not None
    return Money.total(one.total for one in z.server.labels)


def z_of(real: RealTill) -> ShiftReport:
    closed = real.core.database.shifts.last_closed()
    assert closed is not None
    return real.core.database.shifts.z_of(closed.id)


@pytest.mark.deadline(180)
async def test_what_the_server_could_not_tell_of_a_z_is_told_when_it_is_read_again(
    real: RealTill,
) -> None:
    async with real.at_work():
        await test_shift.opened(real, "1000")
        await real.press("Esc")
        sale = await real.sold(test_shift.BREAD)
        _, server = (one for one in real.shop.running if one.lines("http"))
        await real.by_hand(server.kill)
        await real.press("Ctrl+D")
        page = await counted(real)
        await test_shift.rested(real)
        await real.tap(page.reasons["cash"].chips["coins"])
        await real.press("F12")
        assert z_of(real).server is None
        await real.press("Enter")
        await real.by_hand(real.shop.server)
        await real.sold(test_shift.MILK)
        await real.press("Ctrl+D")
        await real.type(CLOSED_KEY)
        await real.press("Enter")
        model = test_shift.screen_of(real).model
        assert model.page is ShiftPageKind.PAST
        assert model.asks_server
        await real.type(PRINT_KEY)
        assert model.printed == "waits", "no paper without its tax"
        await real.until(lambda: model.printed == "pdf")
        z = model.report
        assert z is not None
        assert z.server is not None
        assert taxed(z) == z.takings.turnover == Money(sale.total.amount)


async def test_a_close_that_was_begun_and_left(real: RealTill) -> None:
    """Counted at noon, closed in the evening after more sales."""
    async with real.at_work():
        await test_shift.opened(real, "1000")
        await real.press("Enter", "Ctrl+D")
        await what_nobody_counted_is_not_confirmed(real)
        await it_leads_back_to_the_shift(real)
        await test_shift.rested(real)
        await real.press("Esc")
        sale = await real.sold(test_shift.BREAD)
        over = Money(4000) - sale.money_taken.tendered.cash
        await real.press("Ctrl+D")
        page = page_in_front(real.hands.window.frame, "shift.step.difference")
        assert f"+{amount_text(over)}" in amounts(page)
        await test_shift.rested(real)
        await real.tap(page.reasons["cash"].chips["unknown"])
        await nobody_closes_figures_that_were_not_shown(real, page)
        z = z_of(real)
        assert z.drawer is not None
        assert z.drawer.differences[0].amount == over - Money(100)
        assert taxed(z) == z.takings.turnover == sale.total
        told = (2, (Money(0),), Money(5000))
        assert (z.drawer.counts, z.drawer.earlier, z.drawer.counted) == told
        assert "Раније избројано" in " ".join(
            one.label for one in drawer_lines(z, real.hands.window.texts)
        )
        kept = [
            (one.subject, one.after)
            for one in test_sign_in.acts(real)
            if one.done is NotedAct.COUNTED
        ]
        assert kept == [("1", "0.00"), ("1", "5000.00")]


async def what_nobody_counted_is_not_confirmed(real: RealTill) -> None:
    """The expected cash is shown only after a count; each count is kept."""
    await real.press("Enter", "Enter", "F12")
    screen = test_shift.screen_of(real)
    assert screen.model.page is ShiftPageKind.COUNT
    assert screen.page is not None
    assert "за празну фиоку упишите 0" in screen.page.trouble.text()
    await real.type("0")
    await real.press("F12")
    page = page_in_front(real.hands.window.frame, "shift.step.difference")
    await real.tap(page.again)


async def it_leads_back_to_the_shift(real: RealTill) -> None:
    """Enter was pressed once too often: change is drawn, and the typed text is kept."""
    screen = test_shift.screen_of(real)
    await real.type("1")
    assert screen.model.page is ShiftPageKind.COUNT
    await back_to_check(real, by_key=True)
    await real.press("Esc")
    assert screen.model.page is ShiftPageKind.HOME
    await real.press("Enter")
    await test_shift.rested(real)
    await real.press("Enter")
    assert screen.model.count.typed_texts == {"pieces.note.5000": "1"}
    await real.press("F12")
    assert screen.model.page is ShiftPageKind.DIFFERENCE
    await back_to_check(real, by_key=False)
    await real.press("Esc")
    assert screen.model.page is ShiftPageKind.HOME
    await real.press("Enter")
    await real.type("n")
    assert screen.model.page is ShiftPageKind.DIFFERENCE


async def nobody_closes_figures_that_were_not_shown(real: RealTill, page: DifferencePage) -> None:
    """Cash came in of which the screen has not heard yet."""
    now = real.services.till.clock.now()
    real.core.database.shifts.move(MoveKind.IN, Money(100), reason="x", by="Касир 1", at=now)
    await real.press("F12")
    assert test_shift.screen_of(real).model.page is ShiftPageKind.DIFFERENCE
    assert "Нешто је продато или потписано" in page.trouble.text()
    await real.until(lambda: f"+{amount_text(Money(3841))}" in amounts(page))
    assert page.reasons["cash"].field.edit.hasFocus(), "the caret stays beside new figures"
    await test_shift.rested(real)
    await real.press("F12")
    assert test_shift.screen_of(real).model.page is ShiftPageKind.DONE


async def back_to_check(real: RealTill, *, by_key: bool) -> None:
    screen = test_shift.screen_of(real)
    if by_key:
        await real.type("v")
    else:
        steps = screen.steps
        await real.by_hand(QTest.mouseClick, steps, LEFT, NO_KEY, QPoint(20, steps.height() // 2))
    assert screen.model.page is ShiftPageKind.CHECK


FIGURES = ("10", "19", "21", "14")
WORTH = Money(10 * 5000 + 19 * 2000 + 21 * 1000 + 14 * 500)


def typed(hands: Hands) -> None:
    for figure in FIGURES:
        hands.type(figure)
        hands.press("Enter")


def is_confirmed_as_shown(hands: Hands) -> None:
    """Confirm the count; the stored one and the difference are of the figures in the fields."""
    shop, screen = hands.shop, screen_of(hands)
    hands.press("F12")
    assert screen.model.page is ShiftPageKind.DIFFERENCE
    shift = shop.database.shifts.open_shift()
    assert shift is not None
    (stored,) = shop.database.shifts.counts(shift)
    assert stored.count.cash == WORTH
    cash = next(row for row in screen.model.drawer_differences.rows if row.method == "cash")
    assert cash.counted == WORTH


def test_a_count_that_cannot_be_confirmed_stays_as_it_is_typed(little: Hands) -> None:
    begun(little)
    screen = counting(little)
    filler = fill(little.shop.services.settings.data.parent)
    typed(little)
    little.press("F12")
    assert screen.model.page is ShiftPageKind.COUNT
    make_room(filler, 200)
    is_confirmed_as_shown(little)


class _Failing:
    """Lets the n-th store of typed figures fail."""

    def __init__(self, keep: Any, number: int) -> None:
        self._keep, self._number, self.many = keep, number, 0

    def __call__(self, *values: object) -> None:
        self.many += 1
        if self.many == self._number:
            raise DiskFull("disk")
        self._keep(*values)


@pytest.mark.parametrize("number", sampled(range(1, 9)))
def test_a_figure_whose_store_fails_is_counted(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Each key stores the field, of a float and of a close."""
    shifts = hands.shop.database.shifts
    floats, counts = (_Failing(one, number) for one in (shifts.keep_float_count, shifts.keep_count))
    monkeypatch.setattr(type(shifts), "keep_float_count", lambda _, count: floats(count))
    monkeypatch.setattr(type(shifts), "keep_count", lambda _, stored: counts(stored))
    for key in ("Ctrl+D", "Alt+1"):
        hands.press(key)
    screen = screen_of(hands)
    if screen.model.page is not ShiftPageKind.FLOAT:
        screen.model.begin_float()
        screen.room.changed.emit()
    typed(hands)
    hands.press("F12")
    shift = shifts.open_shift()
    assert shift is not None
    assert shift.cash_float == WORTH
    hands.press("Esc")
    counting(hands)
    typed(hands)
    assert min(floats.many, counts.many) >= number
    is_confirmed_as_shown(hands)
