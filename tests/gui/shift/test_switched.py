"""Shifts are switched on or off in the settings while the till goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.values import choices_of
from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.cashier.ui.choices import Segment
from pos_app.domain.money.money import Money
from pos_app.errors import NotFound
from pos_app.selling.shift.shift import FloatIs
from tests.gui.inside import inside
from tests.gui.parts import only, page_shown
from tests.gui.settings.screens import PIN
from tests.gui.settings.test_values import row_of
from tests.gui.shift.test_shift import BREAD, rested, screen_of
from tests.gui.window import real_till
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill


@pytest.fixture
def without(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[RealTill]:
    told = '[shift]\nuse = "off"\ndrawer_limit = 1000\n'
    with real_till.opened(tmp_path, template, sell_in, told=told) as made:
        yield made


async def chosen_by_keys(real: RealTill, segment: Segment, key: str) -> None:
    """Choose by the arrows, which go on from the present choice."""
    steps = choices_of("shift.use").index(key) - segment.current()
    arrow = Qt.Key.Key_Right if steps > 0 else Qt.Key.Key_Left
    await real.by_hand(segment.setFocus)
    for pressed in [arrow] * abs(steps):
        await real.by_hand(QTest.keyClick, segment, pressed)
    assert segment.current() == choices_of("shift.use").index(key)


async def switched(real: RealTill, use: str) -> None:
    """Let a manager save it, and do not open the till again."""
    inside(real.hands.window).open("settings")
    screen = inside(real.hands.window).settings
    await screen.model.choose_pin(PIN, PIN)
    screen.model.choose(PageName.SHIFT)
    frame = real.hands.window.frame
    page = await page_shown(frame, "set.page.shift")
    await chosen_by_keys(real, only(row_of(page, "shift.use"), Segment), use)
    await real.until(page.acts.save.isEnabled)
    await real.tap(page.acts.save)
    await real.until(lambda: "кад се каса поново отвори" in page.acts.words)
    while not real.hands.window.frame.is_home:
        await real.press("Esc")


async def test_switched_on_the_till_has_no_shifts_until_it_is_opened_again(
    without: RealTill,
) -> None:
    """Otherwise a shift would be opened, counted and closed that has none of its sales."""
    real = without
    async with real.at_work():
        await a_shift_that_was_left_open_is_closed_where_there_are_none(real)
        await switched(real, "on")
        await real.press("Ctrl+D")
        await rested(real)
        await real.press("Enter")
        assert screen_of(real).model.page is ShiftPageKind.X  # the Z of today
        await real.press("Esc", "Esc")
        sale = await real.sold(BREAD)
        assert real.core.database.shifts.open_shift() is None
        await real.press("Ctrl+D", "Enter")
        report = screen_of(real).model.report
        assert report is not None
        assert report.takings.turnover == sale.total
        with pytest.raises(NotFound):
            real.core.database.shifts.z_of(2)


async def a_shift_that_was_left_open_is_closed_where_there_are_none(real: RealTill) -> None:
    """A sale opened it after shifts were switched off, and the till was opened again."""
    shifts = real.core.database.shifts
    shift = shifts.begin(
        Money(2000), FloatIs.TYPED, by="Касир 1", at=real.services.till.clock.now()
    )
    await real.press("Ctrl+D")
    await rested(real)
    await real.type("x")
    report = screen_of(real).model.report
    assert report is not None
    assert (report.is_closed, report.number) == (False, shift.id)
    await real.press("Esc", "Enter", "Enter")
    await real.type("1")
    await real.press("F12")
    await rested(real)
    await real.press("Enter")
    assert shifts.open_shift() is None
    await real.press("Enter", "Ctrl+D")
    await rested(real)
    await real.press("Enter")
    assert screen_of(real).model.page is ShiftPageKind.X
    await real.press("Esc", "Esc")
