"""Reports by real keys, about receipts that a real processor signed, and their words meanwhile."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import httpx
import pypdfium2
import pytest
from openpyxl import load_workbook
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.stored_values import moment_text
from pos_app.cashier.reports.view import ReportsScreen
from pos_app.cashier.ui.labels import AmountLabel
from pos_app.cashier.ui.views import ROW
from pos_app.domain.money.number_text import sum_text
from pos_app.domain.text.instant import day_of, in_belgrade
from pos_app.pfr_emulator.ledger import LedgerEntry, read_entries
from pos_app.selling.people.rights import Role
from pos_app.selling.reports import own
from pos_app.selling.reports.report import Report, ReportName
from pos_app.selling.reports.table import Cell
from pos_app.selling.sale.sale import Sale
from tests.fakes.escpos_device import EscposDevice, on_network
from tests.fakes.inner_connection import connection_of
from tests.fakes.no_tls import NO_TLS
from tests.gui.parts import in_front, is_in_front, lines_of, screen_in
from tests.gui.pictures import LIGHT, NARROW, look_of, settle, styled
from tests.gui.receipts.test_receipts import screen as receipts_in
from tests.gui.reports import screens
from tests.gui.window import real_till
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill
from tests.integration.local_api.wires import until
from tests.ports import free_ports

BREAD, COFFEE, BANANA = "8609910700134", "20", "2000016015607"
PIN = "4711"
NORMAL = 0


async def opened(real: RealTill) -> ReportsScreen:
    """Open the reports from the menu, and choose the first PIN."""
    await real.press("F9")
    await real.tap_words("промет, књиговођа")
    screen: ReportsScreen = in_front(real.hands.window.frame, "rep.title")
    if not screen.model.is_open:
        for _ in range(2):
            await real.type(PIN)
            await real.press("Enter")
    await there(real, screen)
    return screen


async def there(real: RealTill, screen: ReportsScreen) -> Report:
    await real.until(lambda: screen.model.is_current and not screen.model.is_asking)
    assert screen.model.report is not None
    return screen.model.report


def bar_at(screen: ReportsScreen, index: int) -> QPoint | None:
    """The middle of a bar; None while the chart has no size to draw bars in."""
    try:
        return screen.chart.chart.middle_of(index).toPoint()
    except IndexError:
        return None


def ledger(real: RealTill) -> list[LedgerEntry]:
    """The receipts of the turnover in the processor's ledger."""
    entries = read_entries(real.shop.ledger_folder)
    return [one for one in entries if one.invoice_type == NORMAL]


def cells(report: Report, name: str) -> list[Cell]:
    place = [column.name for column in report.table.columns].index(name)
    return [line.cells[place] for line in report.table.lines]


def total(report: Report, name: str) -> Cell:
    assert report.table.total is not None
    return report.table.total[[column.name for column in report.table.columns].index(name)]


@pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups on the offscreen platform
@pytest.mark.deadline(120)
async def test_reports_equal_the_processors_ledger_and_a_bar_opens_its_receipts(
    real: RealTill, tmp_path: Path
) -> None:
    """Arrows go through the bars."""
    async with real.at_work():
        sales = [await real.sold(*one) for one in ((BREAD,), (BREAD, BANANA), (BREAD, BREAD))]
        second = sales[1]
        screen = await opened(real)
        report = await there(real, screen)
        await real.until(screen.exports.main.isEnabled)
        assert not screen.exports.buttons["P"].isEnabled()
        assert "Нема штампача рачуна" in screen.exports.buttons["P"].accessibleDescription()
        entries = ledger(real)
        whole = sum((one.total for one in entries), Decimal(0))
        assert len(entries) == 3
        assert report.net == whole
        assert (total(report, "receipts"), total(report, "net")) == (3, whole)
        assert cells(report, "net")[0] == whole
        assert len(report.bars) == 14
        await its_files_say_the_same_to_the_para(real, report, tmp_path)
        await each_report_by_the_arrows_adds_up(real, screen)
        await a_server_that_is_away_is_told_and_asked_again(real, screen)
        report = await there(real, screen)
        await real.until(lambda: sum_text(whole) in " ".join(lines_of(screen)))
        shown = " ".join(lines_of(screen))
        assert "Збир је једнак збиру рачуна, до паре" in shown
        await real.until(lambda: bar_at(screen, len(report.bars) - 1) is not None)
        first, last = bar_at(screen, 0), bar_at(screen, len(report.bars) - 1)
        assert first is not None
        assert last is not None
        await real.by_hand(_left, screen)
        assert screen.model.chosen == report.bars[-2].key
        await _press(real, screen, first)
        assert screen.model.chosen == report.bars[0].key
        await _press(real, screen, last)
        assert real.hands.window.frame.top is screen
        await _press(real, screen, last)
        await real.until(lambda: is_in_front(real.hands.window.frame, "receipts.title"))
        receipts = receipts_in(real)
        await real.until(lambda: receipts.model.turnover is not None)
        today = day_of(real.services.till.clock.now())
        assert receipts.model.filters.days(today) == (today, today)
        assert receipts.model.turnover is not None
        assert receipts.model.turnover.net == report.net
        assert receipts.head.button.accessibleName().startswith("Извештаји")
        await real.press("Esc")
        back = in_front(real.hands.window.frame, "rep.title")
        assert back.model.choice == report.choice
        assert not back.model.is_open, "the list of receipts is everybody's"
        await a_day_is_typed_and_the_next_person_is_asked_for_the_pin(real, back, second)


async def a_server_that_is_away_is_told_and_asked_again(
    real: RealTill, screen: ReportsScreen
) -> None:
    _, server = (one for one in real.shop.running if one.lines("http"))
    await real.by_hand(server.kill)
    await real.press("Down")
    await real.until(lambda: "није доступан" in " ".join(lines_of(screen)))
    assert screen.model.report is None
    assert not screen.exports.main.isEnabled()
    await real.by_hand(real.shop.server)
    report = await there(real, screen)
    assert report.net == sum((one.total for one in ledger(real)), Decimal(0))
    await real.press("Up")


async def a_day_is_typed_and_the_next_person_is_asked_for_the_pin(
    real: RealTill, screen: ReportsScreen, sale: Sale
) -> None:
    await real.type(PIN)
    await real.press("Enter")
    await there(real, screen)
    await real.tap_words("Дани од")
    for _ in range(12):
        await real.press("Backspace")
    await real.type("1.1.2024.")
    report = await there(real, screen)
    assert report.choice.is_by_month
    assert report.choice.period.first.year == 2024
    assert len(report.table.lines) == len(report.bars) > 12
    assert report.net == sum((one.total for one in ledger(real)), Decimal(0))
    await came_back_whole(real, screen, sale)
    await real.by_hand(real.hands.window.frame.go_home)
    assert (screen.model.is_open, screen.model.report) == (False, None)


async def each_report_by_the_arrows_adds_up(real: RealTill, screen: ReportsScreen) -> None:
    """Down the list, as far as the books, each is compared with the ledger."""
    entries = ledger(real)
    whole = sum((one.total for one in entries), Decimal(0))
    report, seen = await there(real, screen), list[ReportName]()
    for _ in range(7):
        await real.press("Down")
        report = await there(real, screen)
        seen.append(report.choice.name)
        assert sum(map(_number, cells(report, "net")), Decimal(0)) == whole == report.net
        if report.choice.name is ReportName.LABEL:
            assert sum(map(_number, cells(report, "tax")), Decimal(0)) == _tax(entries)
    assert seen == list(ReportName)[1:8]
    assert sum(map(_number, cells(report, "tax")), Decimal(0)) == _tax(entries)
    hours = [in_belgrade(one.signed_at).hour for one in entries]
    await real.press("Up", "Up", "Up", "Up", "Up", "Up")
    report = await there(real, screen)
    assert set(cells(report, "hour")) >= {f"{hour:02}" for hour in hours}
    await real.press("Up")


def given_back(real: RealTill, sale: Sale) -> None:
    """Let another program refund the whole sale."""
    assert sale.receipt is not None
    told = {
        "buyerId": "20:123456789",
        "payments": {"cash": float(sale.total.amount)},
        "receiptDelivery": {"pdf": False},
    }
    path = f"/fiscalization/receipts/{sale.receipt.fiscal_number}/refund"
    with httpx.Client(trust_env=False, verify=NO_TLS, timeout=20) as client:
        answer = client.post(f"{real.shop.url}{path}", json=told)
    assert answer.status_code == httpx.codes.OK, answer.text


async def came_back_whole(real: RealTill, screen: ReportsScreen, sale: Sale) -> None:
    """The quantity of an article that came back whole is 0, which no sold article has."""
    given_back(real, sale)
    await real.by_hand(screen.list.chosen.emit, ReportName.ARTICLE.value)
    report = await there(real, screen)
    assert cells(report, "quantity") == [Decimal(3), Decimal(0)]
    lines = screen.table.lines
    await real.until(lambda: lines.rowCount() == 2)
    told = str(lines.data(lines.index(1), Qt.ItemDataRole.AccessibleTextRole))
    assert "Банана" in told


def _number(cell: Cell) -> Decimal:
    assert isinstance(cell, Decimal)
    return cell


def _tax(entries: Sequence[LedgerEntry]) -> Decimal:
    taxes = [tax for one in entries for tax in json.loads(one.answer)["taxItems"]]
    return sum(
        (Decimal(str(one["amount"])).quantize(Decimal("0.01"), ROUND_HALF_UP) for one in taxes),
        Decimal(0),
    )


async def _saved(real: RealTill, press: str, file: Path) -> Path:
    """Press the key, and choose that file in the dialog."""
    screen = in_front(real.hands.window.frame, "rep.title")
    if press == "Enter":
        await real.press(press)
    else:
        await real.type(press)
    await real.until(lambda: bool(real.hands.window.findChildren(QFileDialog)))
    chooser = real.hands.window.findChildren(QFileDialog)[0]
    await real.by_hand(chooser.fileSelected.emit, str(file))
    chooser.close()
    await real.until(lambda: not real.hands.window.findChildren(QFileDialog))
    await real.until(lambda: screen.room.exporting.came is not None)
    await real.by_hand(screen.room.exporting.read)
    return file


async def its_files_say_the_same_to_the_para(real: RealTill, report: Report, folder: Path) -> None:
    xlsx = await _saved(real, "Enter", folder / "dan.xlsx")
    pdf = await _saved(real, "d", folder / "dan.pdf")
    text = await _saved(real, "c", folder / "dan.csv")
    whole = sum((one.total for one in ledger(real)), Decimal(0))
    rows: list[Any] = list(load_workbook(xlsx).active.values)
    assert rows[0][:2] == ("Дан", "Рачуна")
    assert rows[1][0].date() == report.choice.period.last
    assert Decimal(str(rows[1][4])) == whole
    at = next(place for place, row in enumerate(rows) if row[0] == "14 дана")
    assert [Decimal(str(row[4])) for row in rows[1:at]] == cells(report, "net")
    assert Decimal(str(rows[at][4])) == whole
    note = real.hands.window.texts("rep.this_till_note")
    assert note in [row[0] for row in rows[at:]]
    assert note in text.read_text(encoding="utf-8-sig")
    told = list(csv.reader(text.read_text(encoding="utf-8-sig").splitlines(), delimiter=";"))
    assert told[0][4] == "Промет"
    assert told[1][4] == f"{whole:.2f}".replace(".", ",")
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        page = document[0].get_textpage().get_text_range()
    assert "Промет по дану" in page
    assert note in " ".join(page.split())
    assert page.count(sum_text(whole)) >= 2


async def _press(real: RealTill, screen: ReportsScreen, at: QPoint) -> None:
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    await real.by_hand(QTest.mouseClick, screen.chart.chart, button, none, at)


def _left(screen: ReportsScreen) -> None:
    """Press Left: the window gives a key to the widget with the focus."""
    focus = screen.window().focusWidget()
    assert focus is not None
    QTest.keyClick(focus, Qt.Key.Key_Left)


PRICES = 300
"""The rows that the report shows in the tests; prices are read 250 at once."""


def _minutes_ago(minutes: int) -> datetime:
    return datetime.now(UTC) - timedelta(minutes=minutes)


def _prices(editor: SqliteCatalogueEditor, many: int) -> list[datetime]:
    """Add changes of prices as a synchronisation writes them: many in one moment."""
    at = [_minutes_ago(place // 200) for place in reversed(range(many))]
    columns = "article_uuid, name, old, new, at, by, cause, label, unit"
    sql = f"INSERT INTO price_change ({columns}) VALUES (?, ?, ?, ?, ?, ?, 'platform', 'Ђ', 'ком')"
    with connection_of(editor) as connection:
        connection.executemany(
            sql, (("a", f"Хлеб {n}", 100, 200, moment_text(one), "") for n, one in enumerate(at))
        )
    return at


def _since(made: Sequence[datetime], rows: int) -> tuple[datetime, str]:
    """The moment since which so many rows are there, and its words."""
    first = in_belgrade(sorted(made)[-rows])
    return first, f"од {first.day}.{first.month}.{first.year}. {first:%H:%M} надаље"


@pytest.fixture
def printing(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[tuple[RealTill, int]]:
    """A till with a printer, and its port."""
    (port,) = free_ports(1)
    told = f'[printer]\nkind = "network"\naddress = "127.0.0.1:{port}"\n'
    with real_till.opened(tmp_path, template, sell_in, told=told) as real:
        yield real, port


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.deadline(120)
async def test_prices_are_cut_and_printed_and_an_act_opens_its_receipt(
    printing: tuple[RealTill, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (real, port), printer = printing, EscposDevice()
    monkeypatch.setattr(own, "MOST_OWN", PRICES)
    async with on_network(printer, port=port), real.at_work():
        await real.sold(COFFEE)
        screen = await opened(real)
        before = len(printer.printed)
        await real.type("p")
        await real.until(lambda: len(printer.printed) > before)
        await real.until(lambda: "Послато штампачу" in " ".join(lines_of(screen)))
        since = await prices_that_are_cut_say_since_when_they_are_there(real)
        await real.by_hand(real.hands.window.frame.go_home)
        await an_act_says_of_which_receipt_it_is_and_r_opens_that(real)
        await chosen(real, ReportName.PRICES)
        text = await _saved(real, "c", tmp_path / "cene.csv")
        told = text.read_text(encoding="utf-8-sig")
        assert since in told, "also among the notes of its file"
        assert real.hands.window.texts("rep.this_till_note") not in told, "prices are no receipts"


async def prices_that_are_cut_say_since_when_they_are_there(real: RealTill) -> str:
    first, since = _since(_prices(real.core.editor, PRICES + 3), PRICES)
    screen = await chosen(real, ReportName.PRICES)
    report = await there(real, screen)
    assert len(set(cells(report, "article"))) == len(report.table.lines) == PRICES
    assert cells(report, "at")[-1] == first
    said = f"Овде је само последњих {PRICES} редова: {since}."
    await real.until(lambda: said in " ".join(lines_of(screen)))
    assert report.net is None
    return since


async def an_act_says_of_which_receipt_it_is_and_r_opens_that(real: RealTill) -> None:
    """A line of the first sale is lowered, another one removed; the second sale has no act."""
    await real.scan(BREAD)
    await real.press("F4")
    await real.type("12,5")
    await real.press("Enter")
    await real.scan(BANANA)
    await real.press("Del")
    first = await real.sold()
    await real.sold(COFFEE)
    real.services.here.person = real.services.people.add("Ненад", Role.MANAGER)
    screen = await chosen(real, ReportName.ACTS)
    report = await there(real, screen)
    assert first.receipt is not None
    number = first.receipt.fiscal_number
    assert {str(cell) for cell in cells(report, "receipt") if cell} == {number}
    place = cells(report, "act").index("line_removed")
    rows = screen.table.view.model()

    def read_out(row: int = place) -> str:
        return str(rows.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole))

    await real.until(lambda: f", {number.rpartition('-')[2]}" in read_out())
    assert "Уклоњена ставка" in read_out()
    assert "12,5\u00a0%" in read_out(cells(report, "act").index("discount"))
    await real.by_hand(screen.table.chosen.emit, report.table.lines[place].key)
    await real.type("r")
    await real.until(lambda: is_in_front(real.hands.window.frame, "receipts.title"))
    await real.until(lambda: receipts_in(real).opened.head.number.text() == number)


async def chosen(real: RealTill, name: ReportName) -> ReportsScreen:
    """Open one of the reports, as a manager who is signed in."""
    if not is_in_front(real.hands.window.frame, "rep.title"):
        await real.by_hand(real.hands.window.frame.go_home)
        await real.press("F9")
        await real.tap_words("промет, књиговођа")
    screen: ReportsScreen = in_front(real.hands.window.frame, "rep.title")
    await real.by_hand(screen.list.chosen.emit, name.value)
    await there(real, screen)
    return screen


TITLE = "Извештаји"
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


async def test_days_without_a_receipt_say_so(qapp: QApplication) -> None:
    with styled(qapp, look_of(LIGHT)) as look:
        async with screens.opened(LIGHT, look, "nothing") as window:
            screen = screen_in(window, TITLE)
            assert "Нема ничега у ове дане" in " ".join(lines_of(screen))
            assert not screen.exports.main.isEnabled()
            for part in (screen.table, screen.chart, screen.period.turnover):
                assert part.isHidden(), "one panel says it in place of all"
            QTest.mouseClick(screen.nothing.month, LEFT)
            await until(screen.table.isVisible)
            assert screen.nothing.isHidden()


async def test_the_turnover_keeps_its_place_in_each_report(qapp: QApplication) -> None:
    """One report has few rows, and one nothing to compare with."""
    with styled(qapp, look_of(NARROW)) as look:
        async with screens.opened(NARROW, look, "day") as window:
            screen = screen_in(window, TITLE)
            places = set()
            for name in (ReportName.DAY, ReportName.METHOD, ReportName.BOOKS):
                screen.room.choose(name)
                await until(lambda: screen.model.is_current)
                settle()
                (figure,) = screen.period.turnover.findChildren(AmountLabel)
                assert figure.isVisible(), name
                corner = figure.mapTo(window, figure.rect().bottomRight())
                places.add((corner.toTuple(), figure.height()))
            assert len(places) == 1, places


async def test_a_bar_of_a_person_shows_that_persons_acts_alone(qapp: QApplication) -> None:
    with styled(qapp, look_of(LIGHT)) as look:
        async with screens.opened(LIGHT, look, "acts") as window:
            screen = screen_in(window, TITLE)
            rows = screen.table.lines
            assert rows.rowCount() == 18
            QTest.keyClick(screen.table.view, Qt.Key.Key_End)
            assert screen.table.view.currentIndex().row() == 17
            for many in (6, 18):
                chart = screen.chart.chart
                QTest.mouseClick(chart, LEFT, NONE, chart.middle_of(0).toPoint())
                assert rows.rowCount() == many
                keys = [rows.index(row).data(ROW).key for row in range(many)]
                at = screen.table.view.currentIndex().row()
                assert keys[at] == screen.model.chosen, "a line that is not shown is not acted on"
