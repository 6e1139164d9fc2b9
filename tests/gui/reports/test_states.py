"""The screen's words while a report is being made, and where it can't be made."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.ui.labels import AmountLabel
from pos_app.cashier.ui.views import ROW
from pos_app.selling.reports.report import ReportName
from tests.gui.parts import lines_of, screen_in
from tests.gui.pictures import LIGHT, NARROW, look_of, settle, styled
from tests.gui.reports import screens
from tests.integration.local_api.wires import until

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
