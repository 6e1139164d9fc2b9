"""Rights about a shift where people sign in: real keys at a till with a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.cashier.shift.rows import ShiftRows
from pos_app.cashier.ui.bars import BackButton
from pos_app.cashier.window.frame import APPROVAL
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.selling.people import rights
from pos_app.selling.people.acts import NotedAct
from tests.gui.parts import in_front, lines_of, notices_in, only, visible_parts
from tests.gui.shift import test_shift
from tests.gui.shift.test_going_on import counted
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
        await no_turnover_is_told(real, amount_text(sale.total))
        await real.press("Ctrl+D")
        screen = test_shift.screen_of(real)
        await real.type("i")
        await real.type("200")
        await real.press("Enter")
        await real.type("mleko")
        await real.press("Enter")
        frame = real.hands.window.frame
        assert frame.cover_name == APPROVAL
        assert not any("по обрачуну касе" in one for one in lines_of(frame.top))
        assert screen.model.shift is not None
        assert real.core.database.shifts.moves(screen.model.shift) == []
        await real.type(test_sign_in.PINS[test_sign_in.NENAD])
        await real.until(lambda: test_sign_in.is_free(real))
        (moved,) = real.core.database.shifts.moves(screen.model.shift)
        assert (moved.amount, moved.by) == (Money(200), test_sign_in.DRAGANA)
        (row,) = [one for one in test_sign_in.acts(real) if one.done is NotedAct.CASH_OUT]
        assert (row.by, row.lifted_by) == (test_sign_in.DRAGANA, test_sign_in.NENAD)
        await a_manager_closes_a_cashiers_shift_and_sees_its_cash(
            real, Money(800) + sale.money_taken.tendered.cash
        )
        await what_closed_shifts_took_is_not_for_a_cashier(real)
        await real.press("Esc", "Esc")
        await changed_to(real, test_sign_in.DRAGANA)
        await who_counts_sees_the_differences_alone(real)
        await real.press("Enter")
        await who_approves_is_told_that_the_drawer_holds_less(real)


async def no_turnover_is_told(real: RealTill, turnover: str) -> None:
    """ "X report: may not": neither the X, nor the sums above the list of receipts, nor a sheet of
    all receipts. Each of them says what the shift took."""
    frame = real.hands.window.frame
    never = frame.ui.texts("error.not_allowed.act_never")
    await real.press("Ctrl+D")
    screen = test_shift.screen_of(real)
    await real.type("x")
    assert screen.model.page is ShiftPageKind.HOME
    assert any(never in one for one in lines_of(screen))
    assert turnover not in lines_of(screen)
    assert NotedAct.X_REPORT not in [one.done for one in test_sign_in.acts(real)]
    await real.press("F7")
    receipts = in_front(frame, "receipts.title")
    await real.until(lambda: receipts.model.opened is not None and not receipts.model.is_asking)
    assert receipts.model.turnover is None, "it was asked for"
    assert not receipts.side.turnover.isVisible()
    await real.tap(receipts.side.filters.export_button)
    await real.until(
        lambda: any(never in one for one in (*lines_of(receipts), *notices_in(receipts)))
    )
    await real.press("Esc")


async def who_approves_is_told_that_the_drawer_holds_less(real: RealTill) -> None:
    """By who may see that sum, and the way back has the name of the form."""
    frame, people = real.hands.window.frame, real.services.people
    before = people.rights()
    people.keep_rights(before.with_cell(rights.Act.X_REPORT, rights.Role.CASHIER, rights.Leave.MAY))
    await test_shift.opened(real, "1000")
    await real.type("i")
    await real.type("5000")
    await real.press("Enter")
    await real.type("mleko")
    await real.press("Enter", "Tab", "Enter")
    assert frame.cover_name == APPROVAL
    told = "Износите 5.000,00, а по обрачуну касе у фиоци је 1.000,00."
    assert told in lines_of(frame.top)
    assert only(frame.top, BackButton).accessibleName() == "Изнеси готовину"
    await real.press("Esc")
    assert any(told in one for one in notices_in(frame.top))
    people.keep_rights(before)


async def who_counts_sees_the_differences_alone(real: RealTill) -> None:
    """The count could be left again, and would be an X otherwise."""
    await real.sold(test_shift.BREAD)
    await real.press("Ctrl+D", "Enter")
    await real.type("0")
    await real.press("F12")
    screen = test_shift.screen_of(real)
    assert screen.model.page is ShiftPageKind.DIFFERENCE
    await test_shift.rested(real)
    texts = real.hands.window.frame.ui.texts
    for words in ("shift.turnover", "shift.part.received", "shift.by_cashier"):
        assert texts(words) not in lines_of(screen)
    await real.press("Alt+0")
    assert not visible_parts(screen, ShiftRows)
    assert texts("pay.method.cash") in lines_of(screen)
    await real.tap(screen.page.reasons["cash"].chips["unknown"])
    await real.press("F12")
    assert screen.model.page is ShiftPageKind.DONE


async def changed_to(real: RealTill, name: str) -> None:
    """Let another person sign in at the lock."""
    names, person = list(test_sign_in.PINS), real.services.here.person
    assert person is not None
    first = next(one for one in names if one != person.name)  # the first arrow's target
    await real.press("F11", "Down", *["Down"] * (names.index(name) - names.index(first)))
    await real.type(test_sign_in.PINS[name])
    await real.until(lambda: test_sign_in.is_free(real))


async def a_manager_closes_a_cashiers_shift_and_sees_its_cash(real: RealTill, cash: Money) -> None:
    await changed_to(real, test_sign_in.NENAD)
    await real.press("Ctrl+D")
    await real.type("x")
    screen = test_shift.screen_of(real)
    assert screen.model.report is not None
    assert screen.model.report.drawer is not None
    assert screen.model.report.drawer.expected == cash
    await real.press("Esc", "Enter")
    await real.type("0")
    await real.press("F12")
    assert screen.model.page is ShiftPageKind.DIFFERENCE
    await test_shift.rested(real)
    await real.tap(screen.page.reasons["cash"].chips["unknown"])
    await real.press("F12")
    assert screen.model.page is ShiftPageKind.DONE
    closed = real.core.database.shifts.last_closed()
    assert closed is not None
    assert (closed.opened_by, closed.closed_by) == (test_sign_in.DRAGANA, test_sign_in.NENAD)
    await real.press("Enter")


async def what_closed_shifts_took_is_not_for_a_cashier(real: RealTill) -> None:
    """Nobody can permit it to her; a manager reads the list."""
    await changed_to(real, test_sign_in.DRAGANA)
    await real.press("Ctrl+D", "Alt+2")
    assert test_shift.screen_of(real).model.page is ShiftPageKind.HOME
    assert not test_shift.screen_of(real).model.closed
    assert real.hands.window.frame.cover_name != APPROVAL
    await changed_to(real, test_sign_in.NENAD)
    await real.press("Ctrl+D", "Alt+2")
    assert test_shift.screen_of(real).model.page is ShiftPageKind.CLOSED
    assert [one.closed_by for one in test_shift.screen_of(real).model.closed] == [
        test_sign_in.NENAD
    ]


def forbid(real: RealTill, *forbidden: rights.Act) -> None:
    cells = {(one, rights.Role.CASHIER): rights.Leave.NEVER for one in forbidden}
    real.core.database.people.keep_rights(rights.Rights(cells))


async def test_another_person_sees_only_what_they_may(real: RealTill) -> None:
    async with real.at_work():
        await test_sign_in.signed_in(real, test_sign_in.NENAD)
        await test_shift.opened(real, "5000")
        await real.press("Enter", "Ctrl+D")
        await who_may_not_close_sees_nothing_of_a_close_under_way(real)
        real.core.database.people.keep_rights(rights.Rights())
        await a_colleague_counts_anew_and_confirms_by_their_own_name(real)
        await who_may_see_cash_goes_on_with_what_another_one_counted(real)


async def who_may_not_close_sees_nothing_of_a_close_under_way(real: RealTill) -> None:
    forbid(real, rights.Act.CLOSE_SHIFT)
    await real.press("Enter")
    await real.type("7")
    await changed_to(real, test_sign_in.DRAGANA)
    await real.press("Ctrl+D")
    assert test_shift.screen_of(real).model.page is ShiftPageKind.HOME
    await changed_to(real, test_sign_in.NENAD)
    await real.press("Ctrl+D")
    await counted(real, "1")
    await changed_to(real, test_sign_in.DRAGANA)
    await real.press("Ctrl+D")
    assert test_shift.screen_of(real).model.page is ShiftPageKind.HOME
    await real.press("Enter")
    assert test_shift.screen_of(real).model.page is ShiftPageKind.HOME
    await changed_to(real, test_sign_in.NENAD)
    await real.press("Ctrl+D", "Enter")
    assert test_shift.screen_of(real).model.page is ShiftPageKind.CHECK
    await real.type("n")
    assert test_shift.screen_of(real).model.page is ShiftPageKind.DIFFERENCE


async def a_colleague_counts_anew_and_confirms_by_their_own_name(real: RealTill) -> None:
    """A cashier may close but sees no cash in an X: the manager's count is hidden from her."""
    await changed_to(real, test_sign_in.DRAGANA)
    await real.press("Ctrl+D")
    assert test_shift.screen_of(real).model.page is ShiftPageKind.HOME
    await real.press("Enter")
    await real.type("v")
    await real.type("n")
    assert test_shift.screen_of(real).model.page is ShiftPageKind.CHECK
    await real.press("Enter")
    await real.type("2")
    await changed_to(real, test_sign_in.MILOS)
    await real.press("Ctrl+D")
    assert test_shift.screen_of(real).model.page is ShiftPageKind.COUNT
    await real.press("F12")
    kept = [(one.by, one.after) for one in test_sign_in.acts(real) if one.done is NotedAct.COUNTED]
    assert [by for by, _ in kept] == [test_sign_in.NENAD, test_sign_in.MILOS]
    assert kept[-1][1] == "10000.00"


async def who_may_see_cash_goes_on_with_what_another_one_counted(real: RealTill) -> None:
    await changed_to(real, test_sign_in.NENAD)
    await real.press("Ctrl+D")
    screen = test_shift.screen_of(real)
    assert screen.model.page is ShiftPageKind.DIFFERENCE  # as it was left
    await test_shift.rested(real)
    await real.tap(screen.page.reasons["cash"].chips["unknown"])
    await real.press("F12")
    assert screen.model.page is ShiftPageKind.DONE
