"""A shift pressed in a real window: opened, sold in, counted and closed; its papers at a real
server."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.cashier.shift.view import ShiftScreen
from pos_app.cashier.ui.labels import Label
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.shift_report import CashPart, ShiftReport
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.sale.sale import Sale
from pos_app.selling.shift.shift import FloatIs
from tests.fakes.receipt_files import NotingViewer
from tests.gui.parts import in_front, page_in_front, visible_parts
from tests.gui.window.real_till import RealTill

BREAD, MILK = "8609910700134", "8609951100139"


def screen_of(real: RealTill) -> ShiftScreen:
    screen: ShiftScreen = in_front(real.hands.window.frame, "shift.title")
    return screen


async def rested(real: RealTill) -> None:
    """Wait until the large button takes keys and the server has answered."""
    screen = screen_of(real)
    page = screen.page
    assert page is not None
    await real.until(lambda: not page.big.rests and not screen.model.asks_server)


async def opened(real: RealTill, amount: str) -> ShiftScreen:
    """Press Ctrl+D, type the float, press Enter."""
    await real.press("Ctrl+D")
    screen = screen_of(real)
    await real.type(amount)
    await real.press("Enter")
    assert screen.model.shift is not None
    return screen


async def the_paper_of_cash_is_opened_as_pdf(real: RealTill) -> None:
    """A paper to sign exists also where nothing prints."""
    viewer = real.hands.window.frame.viewer
    assert isinstance(viewer, NotingViewer)
    await opened(real, "1000")
    await real.type("s")
    await real.type("500")
    await real.press("Enter")
    await real.until(lambda: len(viewer.files) == 1)
    assert viewer.files[0].read_bytes().startswith(b"%PDF")


async def test_a_shift_from_its_float_to_its_z(real: RealTill) -> None:
    """1,000 in the drawer, bread for cash; the drawer is counted, and 30 are missing."""
    async with real.at_work():
        screen = await opened(real, "1000")
        shift = screen.model.shift
        assert shift is not None
        assert (shift.cash_float, shift.float_is) == (Money(1000), FloatIs.TYPED)
        await real.press("Esc")
        sale = await real.sold(BREAD)
        assert sale.shift_id == shift.id
        taken = sale.money_taken.tendered.cash
        await real.press("Ctrl+D", "Enter")
        assert screen_of(real).model.page is ShiftPageKind.CHECK
        await real.press("Enter")
        screen = screen_of(real)
        assert screen.model.page is ShiftPageKind.COUNT
        await real.press(*["Enter"] * 2)  # no 5.000, no 2.000
        await real.type("1")
        await real.press("F12")
        assert screen.model.page is ShiftPageKind.DIFFERENCE
        (cash,) = screen.model.drawer_differences.rows
        assert (cash.method, cash.counted) == ("cash", Money(1000))
        assert cash.amount == -taken
        await real.until(lambda: not screen.model.asks_server)
        await rested(real)
        await real.press("Enter")  # no reason yet
        assert screen.model.page is ShiftPageKind.DIFFERENCE
        page = page_in_front(real.hands.window.frame, "shift.step.difference")
        await real.tap(page.chips["cash", "coins"])
        await real.press("Enter")
        assert screen.model.page is ShiftPageKind.DONE
        closed = real.core.database.shifts.last_closed()
        assert closed is not None
        assert (closed.stays, closed.taken) == (Money(1000), Money(0))
        z = real.core.database.shifts.z_of(shift.id)
        assert z.takings.turnover == sale.total
        assert [(one.name, one.amount) for one in z.takings.methods] == [
            (PaymentMethod.CASH.value, sale.total)
        ]
        told_as_hands_did(z, sale)
        assert z.server is not None
        assert sum(one.total.amount for one in z.server.labels) == sale.total.amount
        acts = real.core.database.acts.acts(
            since=shift.opened_at, until=shift.opened_at + timedelta(days=1)
        )
        done = [one.done for one in acts]
        assert [one for one in done if one in (NotedAct.SHIFT_OPENED, NotedAct.SHIFT_CLOSED)] == [
            NotedAct.SHIFT_OPENED,
            NotedAct.SHIFT_CLOSED,
        ]
        (row,) = [one for one in acts if one.done is NotedAct.SHIFT_CLOSED]
        assert z.drawer is not None
        assert z.drawer.counted is not None
        assert row.subject.startswith(f"{shift.id}, "), "and why it differs"
        assert (row.before, row.after) == (
            str(z.drawer.expected.amount),
            str(z.drawer.counted.amount),
        )
        await read_again(real, z, sale)
        await the_paper_of_cash_is_opened_as_pdf(real)


def told_as_hands_did(z: ShiftReport, sale: Sale) -> None:
    """The sale was paid with exact cash, in whole dinars."""
    assert z.drawer is not None
    told, taken = {one.part: one.amount for one in z.drawer.parts}, sale.money_taken.tendered.cash
    assert CashPart.CHANGE not in told, "no hand gave change"
    assert (told[CashPart.RECEIVED], z.drawer.rounding) == (taken, taken - sale.total)
    assert z.drawer.rounding


async def read_again(real: RealTill, z: ShiftReport, sale: Sale) -> None:
    """Open the shift from the list: its Z, and an amount that leads to its receipt."""
    await real.press("Enter", "Ctrl+D", "Alt+2", "Enter")
    screen = screen_of(real)
    model = screen.model
    assert (model.page, model.report) == (ShiftPageKind.PAST, z)
    await real.press("Alt+0", "Down")
    taken = sale.money_taken.tendered.cash
    assert Money.total(one.amount for one in model.rows) == Money(1000) + taken
    assert sale.receipt is not None
    assert model.rows[1].what == sale.receipt.fiscal_number
    await real.type("r")
    receipts = in_front(real.hands.window.frame, "receipts.title")
    await real.until(lambda: receipts.model.opened is not None)
    assert receipts.model.opened is not None
    assert receipts.model.opened.overview.number == sale.receipt.fiscal_number
    await real.press("Ctrl+D")
    assert (
        screen_of(real).model.page is ShiftPageKind.HOME
    )  # nothing stays behind after the screen was left
    await real.press("Esc")


@pytest.mark.long
async def test_the_self_test_follows_the_server_and_its_processor(real: RealTill) -> None:
    """The server goes away, both while the page is open and when it is opened afterwards; then the
    processor warns (1400, auditRequired), and the shift says so in words."""
    async with real.at_work():
        await real.press("Ctrl+D")
        await real.until(lambda: "Сервер ради" in told_by(real))
        _, server = (one for one in real.shop.running if one.lines("http"))
        await real.by_hand(server.kill)
        await real.until(lambda: "Сервер се не јавља" in told_by(real))
        await real.press("Esc", "Ctrl+D")
        await real.until(lambda: "Сервер се не јавља" in told_by(real))
        await real.by_hand(real.shop.server)
        await real.until(lambda: "Сервер ради" in told_by(real))
        await real.until(lambda: "Процесор још не мора на очитавање" in told_by(real))
        await real.press("Esc")
        real.shop.change(audit="needed")

        def is_told() -> bool:
            status = real.services.server.status
            return status is not None and status.processor.needs_audit is True

        await real.until(is_told)
        await real.press("Ctrl+D")
        await real.until(lambda: "Процесор ускоро мора на очитавање" in told_by(real))


def told_by(real: RealTill) -> str:
    return " ".join(one.text() for one in visible_parts(screen_of(real), Label))
