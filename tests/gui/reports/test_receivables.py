"""Who owes, by real keys and presses: receipts of other programs at a real server."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from pos_app.cashier.reports.view import ReportsScreen
from pos_app.cashier.reports.words import day_text
from pos_app.cashier.window.screens import CORRECTION, CorrectionPlace
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.errors import DiskFull
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.rights import Role
from pos_app.selling.reports.report import Report, ReportName
from tests.fakes.inner_connection import connection_of
from tests.gui.advances.test_advances import act, issue
from tests.gui.correction.test_correction import corrected
from tests.gui.parts import in_front, lines_of
from tests.gui.reports.test_reports import chosen, there
from tests.gui.taps import moment, strike
from tests.gui.window.real_till import RealTill

FIRM = "10:104982316"
PAPER = {"receiptDelivery": {"pdf": False}}


def sale(amount: int, method: str = "wiretransfer", buyer: str | None = FIRM) -> dict[str, Any]:
    return {
        "invoiceType": "normal",
        "transactionType": "sale",
        "payments": {method: amount},
        "items": [
            {
                "quantity": 1,
                "unitPrice": amount,
                "article": {"name": "Роба", "taxRateLabel": "Ђ", "unit": "ком"},
            }
        ],
        **({} if buyer is None else {"buyerId": buyer}),
        **PAPER,
    }


def number(issued: dict[str, Any]) -> str:
    return str(issued["invoiceNumber"])


def given_back(real: RealTill, of: str, amount: int) -> None:
    back = {"buyerId": FIRM, "payments": {"wiretransfer": amount}, **PAPER}
    act(real, of, "refund", back)


async def owed(real: RealTill) -> ReportsScreen:
    """Open the report as a manager who is signed in."""
    if real.services.here.person is None:
        real.services.here.person = real.services.people.add("Ненад", Role.MANAGER)
    return await chosen(real, ReportName.RECEIVABLES)


def rests(screen: ReportsScreen) -> dict[str, int]:
    """The rests by the lines' keys, as they are shown."""
    report = screen.model.visible_report
    assert report is not None
    return {line.key: int(line.cells[-1]) for line in report.table.lines}  # type: ignore[arg-type]


def nobody_owes(screen: ReportsScreen) -> bool:
    today = day_text(screen.model.today)
    return f"На крају дана {today} нико ништа не дугује" in lines_of(screen)


def written(real: RealTill) -> list[tuple[str, int, str]]:
    """What the till's file has, also of what was taken back."""
    rows = connection_of(real.core.database).execute(
        "SELECT number, amount, note FROM collected ORDER BY id"
    )
    return [(str(one), int(str(amount)) // 100, str(note)) for one, amount, note in rows]


async def at_table(real: RealTill, screen: ReportsScreen, *, row: int) -> None:
    """Go to a line of the table by keys alone."""
    while not screen.table.view.hasFocus():
        await real.press("Tab")
    while screen.table.view.currentIndex().row() != row:
        await real.press("Down" if screen.table.view.currentIndex().row() < row else "Up")


async def settled(real: RealTill, screen: ReportsScreen) -> Report:
    """The report, once what was written down stands in it."""
    await real.until(lambda: not screen.model.is_collecting)
    return await there(real, screen)


@pytest.mark.deadline(120)
async def test_a_transfer_is_owed_until_somebody_says_that_it_came(
    real: RealTill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By keys alone: a part, more than the rest, the whole, and each press a second time."""
    async with real.at_work():
        first, second = (number(issue(real, sale(amount))) for amount in (1_000, 600))
        cheque = number(issue(real, sale(300, "check", None)))
        real.services.buyers.take_in([KnownBuyer(BuyerId.parse(FIRM), "Пекара Рода")])
        issue(real, sale(50, "cash"))
        screen = await owed(real)
        firm, nobody = rests(screen)
        assert rests(screen) == {firm: 1_600, nobody: 300}
        owing = screen.table.lines.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
        assert "Пекара Рода, ПИБ 104982316" in owing
        assert "Без купца" in screen.table.lines.index(1).data(Qt.ItemDataRole.AccessibleTextRole)
        await at_table(real, screen, row=0)
        await real.press("Enter")
        await real.until(lambda: len(rests(screen)) == 4)
        assert rests(screen) == {firm: 1_600, first: 1_000, second: 600, nobody: 300}
        await real.press("Down")
        await real.type("n")
        form = screen.collect_page
        await real.until(form.isVisible)
        await midnight_renews_the_day(real, screen, monkeypatch)
        await real.type("1000,01")
        await real.press("Enter")
        await real.until(lambda: "Више је него што се дугује" in form.amount.error())
        assert form.save.accessibleName() == "Смањите за 0,01"
        assert (form.isVisible(), written(real)) == (True, [])
        await what_is_no_payment_is_refused_at_its_field(real, screen)
        await real.press("Esc")
        assert not written(real), "a form that is left writes nothing down"
        await real.type("n")
        await real.until(form.isVisible)
        assert form.amount.text() == "1000,01", "what was typed is kept"
        await real.type("400")
        await real.press("Tab")
        await real.type("izvod 7")
        await a_full_disk_leaves_the_form_as_it_is(real, screen, monkeypatch)
        await real.by_hand(enter_twice, real)
        await settled(real, screen)
        assert screen.table.view.hasFocus(), "the next Enter is about its line"
        assert not screen.findChildren(QFileDialog)
        assert day_text(screen.model.today) in " ".join(lines_of(screen.head))
        await real.until(lambda: rests(screen).get(first) == 600)
        assert [one[:2] for one in written(real)] == [(first, 400)]
        await the_rest_of_two_is_shared_out(real, screen, [first, second])
        await what_was_written_down_last_is_taken_back(real, screen)
        await what_came_in_is_told_in_the_period(real, cheque)


async def midnight_renews_the_day(
    real: RealTill, screen: ReportsScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It passes while the form is left, and once more while it stands."""
    form, day = screen.collect_page, screen.model.today

    async def is_typed(text: str) -> None:
        await real.by_hand(form.day.edit.setFocus)
        form.day.edit.selectAll()
        await real.type(text)

    with monkeypatch.context() as later:

        def passes_to(now: date) -> None:
            later.setattr(type(screen.model), "today", property(lambda _: now))

        for nights in (1, 2):
            now = day + timedelta(days=nights)
            passes_to(now)
            if nights == 1:
                await real.press("Esc")
                await real.type("n")
                await real.until(form.isVisible)
                assert form.day.text() == f"{now.day}.{now.month}.{now.year}."
            await is_typed(f"{now.day}.{now.month}.")
            assert "Исправите дан" not in form.save.accessibleName()
            await is_typed(day_text(now + timedelta(days=1)))
            assert "Исправите дан" in form.save.accessibleName()
    await is_typed(f"{day.day}.{day.month}.{day.year}.")
    form.focus_first()


async def what_is_no_payment_is_refused_at_its_field(real: RealTill, screen: ReportsScreen) -> None:
    """Neither a minus nor a comma is dropped, and no money comes before its receipt."""
    form, today = screen.collect_page, screen.model.today
    form.amount.edit.selectAll()
    await real.type("-5")
    await real.press("Enter")
    await real.until(lambda: "мора бити већи од нуле" in form.amount.error())
    form.amount.edit.selectAll()
    await real.type("1,2,3")
    await real.press("Enter")
    await real.until(lambda: "није број" in form.amount.error())
    assert form.save.accessibleName() == "Исправите износ"
    assert form.amount.text() == "1,2,3"
    form.amount.edit.selectAll()
    await real.type("1000,01")
    await real.by_hand(form.day.edit.setFocus)
    form.day.edit.selectAll()
    await real.type(day_text(today - timedelta(days=1)))
    form.amount.edit.setFocus()
    form.amount.edit.selectAll()
    await real.type("1000")
    await real.press("Enter")
    await real.until(lambda: "пре дана рачуна" in form.day.error())
    assert (form.isVisible(), written(real)) == (True, [])
    form.day.edit.selectAll()
    await real.type(day_text(today))
    form.amount.edit.setFocus()
    form.amount.edit.selectAll()
    await real.type("1000,01")


async def a_full_disk_leaves_the_form_as_it_is(
    real: RealTill, screen: ReportsScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise DiskFull("disk")

    with monkeypatch.context() as full:
        full.setattr(type(real.services.collected), "collect", fail)
        await real.press("Enter")
        await real.until(lambda: any("диск" in line.casefold() for line in lines_of(screen)))
    assert screen.collect_page.isVisible()
    assert (screen.collect_page.amount.text(), written(real)) == ("400", [])


async def the_rest_of_two_is_shared_out(
    real: RealTill, screen: ReportsScreen, numbers: list[str]
) -> None:
    """Both receipts are ticked; the money is enough for the older one and a part of the other."""
    await at_table(real, screen, row=1)
    await real.press("Space", "Down", "Space")
    assert screen.model.ticked == set(numbers)
    assert "Изабрана 2 рачуна, 1.200,00" in lines_of(screen)
    await real.type("n")
    await real.until(screen.collect_page.isVisible)
    await real.type("700")
    await real.press("Enter")
    await settled(real, screen)
    await real.until(lambda: numbers[0] not in rests(screen))
    assert rests(screen)[numbers[1]] == 500
    assert [amount for _, amount, _ in written(real)] == [400, 600, 100]


async def what_was_written_down_last_is_taken_back(real: RealTill, screen: ReportsScreen) -> None:
    assert "Уписано 700,00 за 2 рачуна" in lines_of(screen)
    await real.type("u")
    await real.until(lambda: "Поништити 700,00 за 2 рачуна?" in lines_of(screen))
    await real.press("Esc")
    await real.until(lambda: "Поништити 700,00 за 2 рачуна?" not in lines_of(screen))
    assert sum(rests(screen).values()) > 0
    await real.type("u")
    await real.tap_words("Поништи наплату")
    await real.until(lambda: 600 in rests(screen).values() and not screen.model.is_asking)
    before = written(real)
    await real.type("u")
    assert not screen.model.asks_back, "what was taken back is not taken back again"
    assert written(real) == before


async def what_came_in_is_told_in_the_period(real: RealTill, cheque: str) -> None:
    screen = await chosen(real, ReportName.COLLECTED)
    report = await there(real, screen)
    assert [int(one.amount.amount) for one in report.collected] == [400]
    sheet = screen.room.sheet()
    assert sheet is not None
    (row,) = sheet.rows
    assert row[2:6] == ("Пекара Рода, ПИБ 104982316", Decimal(400), "izvod 7", "Ненад")
    screen = await chosen(real, ReportName.BOOKS)
    report = await there(real, screen)
    sheet = screen.room.sheet()
    assert sheet is not None
    notes = "\n".join(sheet.notes)
    assert f"{cheque} · " in notes
    assert "Накнадно наплаћено за 1 рачун: 400,00." in notes
    assert "izvod 7" in notes
    screen = await chosen(real, ReportName.ACTS)
    report = await there(real, screen)
    done = [str(line.cells[2]) for line in report.table.lines]
    assert done.count(NotedAct.COLLECTED) == 3
    assert done.count(NotedAct.COLLECTED_TAKEN_BACK) == 2


def enter_twice(real: RealTill) -> None:
    begins, window = moment(), real.hands.window
    for at in (begins, begins + 120):
        strike(window, Qt.Key.Key_Return, at=at)


@pytest.mark.deadline(120)
async def test_what_came_in_goes_along_with_a_correction(real: RealTill) -> None:
    """Of another buyer, whom nobody asks again, and to whom it is given back if the new receipt is
    refunded; by another method it is to be given back to the first."""
    async with real.at_work():
        first, second = (number(issue(real, sale(amount))) for amount in (400, 300))
        screen = await owed(real)
        (firm,) = rests(screen)
        await real.tap_words("Наплаћено")
        await real.until(screen.collect_page.isVisible)
        await real.by_hand(screen.collect_page.save.click)
        await settled(real, screen)
        await real.until(lambda: nobody_owes(screen))
        for of, keys in ((first, ("b", "#100000008")), (second, ("Alt+1",))):
            await real.by_hand(screen.frame.open, CORRECTION, CorrectionPlace(of))
            correction = in_front(screen.frame, "corr.title")
            await real.until(partial(can_type, correction))
            for key in keys:
                await (real.type(key.strip("#")) if key[0] in "#b" else real.press(key))
            await real.enter_twice(correction.big)
            await corrected(real, correction)
        screen = await owed(real)
        assert rests(screen) == {firm: -300}
        assert [one.number for one in screen.model.to_collect] == [second]
        old = (await real.services.receipts.receipt(first)).overview.receipt_id
        (new,) = real.services.collected.replaced_by(old)
        given_back(real, new, 400)
        screen = await owed(real)
        await real.until(lambda: len(rests(screen)) == 2)
        assert sorted(rests(screen).values()) == [-400, -300]


def can_type(correction: Any) -> bool:
    return bool(correction.model.can_type and correction.model.seller_pib)
