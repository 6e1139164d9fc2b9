"""Rights about a shift where people sign in: real keys at a till with a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.cashier.frame import APPROVAL
from pos_app.cashier.shift.model import Page
from pos_app.domain.money import Money
from pos_app.selling.people.acts import Done
from tests.gui.parts import lines_of
from tests.gui.shift import test_shift
from tests.gui.window import real_till, test_sign_in
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill


@pytest.fixture
def real(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[RealTill]:
    with real_till.opened(tmp_path, template, sell_in, before=test_sign_in.three_people) as made:
        yield made


async def test_a_cashier_sees_no_cash_and_has_cash_out_lifted(real: RealTill) -> None:
    async with real.at_work():
        await test_sign_in.signed_in(real, test_sign_in.DRAGANA)
        await test_shift.opened(real, "1000")
        await real.press("Esc")
        sale = await real.sold(test_shift.BREAD)
        await real.press("Ctrl+D")
        screen = test_shift.screen_of(real)
        await real.type("x")
        report = screen.model.report
        assert report is not None
        assert report.drawer is None
        assert (report.takings.turnover, report.takings.methods) == (sale.total, ())
        assert "Готовина" not in lines_of(screen), "it would tell what the count is to come to"
        await real.press("Esc")
        await real.type("i")
        await real.type("200")
        await real.press("Enter")
        await real.type("mleko")
        await real.press("Enter")
        frame = real.hands.window.frame
        assert frame.cover_name == APPROVAL
        assert screen.model.shift is not None
        assert real.core.database.shifts.moves(screen.model.shift) == []
        await real.type(test_sign_in.PINS[test_sign_in.NENAD])
        await real.until(lambda: test_sign_in.is_free(real))
        (moved,) = real.core.database.shifts.moves(screen.model.shift)
        assert (moved.amount, moved.by) == (Money(200), test_sign_in.DRAGANA)
        (row,) = [one for one in test_sign_in.acts(real) if one.done is Done.CASH_OUT]
        assert (row.by, row.lifted_by) == (test_sign_in.DRAGANA, test_sign_in.NENAD)
        await a_manager_closes_a_cashiers_shift_and_sees_its_cash(
            real, Money(800) + sale.money_taken.tendered.cash
        )
        await what_closed_shifts_took_is_not_for_a_cashier(real)


async def come(real: RealTill, *downs: str, name: str) -> None:
    """Let another person sign in at the lock."""
    await real.press("F11", *downs)
    await real.type(test_sign_in.PINS[name])
    await real.until(lambda: test_sign_in.is_free(real))


async def a_manager_closes_a_cashiers_shift_and_sees_its_cash(real: RealTill, cash: Money) -> None:
    await come(real, "Down", "Down", name=test_sign_in.NENAD)
    await real.press("Ctrl+D")
    await real.type("x")
    screen = test_shift.screen_of(real)
    assert screen.model.report is not None
    assert screen.model.report.drawer is not None
    assert screen.model.report.drawer.expected == cash
    await real.press("Esc", "Enter", "Enter")
    await real.type("0")
    await real.press("F12")
    assert screen.model.page is Page.DIFFERENCE
    await test_shift.rested(real)
    await real.tap(screen.page.chips["cash", "unknown"])
    await real.press("Enter")
    assert screen.model.page is Page.DONE
    closed = real.core.database.shifts.last_closed()
    assert closed is not None
    assert (closed.opened_by, closed.closed_by) == (test_sign_in.DRAGANA, test_sign_in.NENAD)
    await real.press("Enter")


async def what_closed_shifts_took_is_not_for_a_cashier(real: RealTill) -> None:
    """Nobody can permit it to her; a manager reads the list."""
    await come(real, "Down", name=test_sign_in.DRAGANA)
    await real.press("Ctrl+D", "Alt+2")
    assert test_shift.screen_of(real).model.page is Page.HOME
    assert not test_shift.screen_of(real).model.closed
    assert real.hands.window.frame.cover_name != APPROVAL
    await come(real, "Down", "Down", name=test_sign_in.NENAD)
    await real.press("Ctrl+D", "Alt+2")
    assert test_shift.screen_of(real).model.page is Page.CLOSED
    assert [one.closed_by for one in test_shift.screen_of(real).model.closed] == [
        test_sign_in.NENAD
    ]
