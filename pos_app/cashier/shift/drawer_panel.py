"""What must be in the drawer, beside an X, a Z and the difference.

Source: till.md ("Shift").
"""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.cashier.commands import method_cap
from pos_app.cashier.shift.page import ShiftPage
from pos_app.cashier.shift.parts import LinesColumn
from pos_app.cashier.shift.rows import ShiftRows
from pos_app.cashier.shift.words import ReportLine, row_words
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.panel import FilledPanel

RECEIPT_KEY = "R"


class DrawerPanel(FilledPanel):
    """The expected cash, as sums or amount by amount; an amount leads to its receipt."""

    def __init__(self, page: ShiftPage) -> None:
        super().__init__(page.look)
        self._page = page
        name = page.texts("shift.expected")
        self.lines = LinesColumn(page.look, name=name)
        self.rows = ShiftRows(page.look, name=page.texts("shift.row_by_row"))
        self.rows.opened.connect(self._open)
        self.hint = Label(page.look, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        self.hint.setText(page.texts("shift.row_opens", key=RECEIPT_KEY))
        self.hint.setMargin(page.look.metrics.s2)
        column = self.edge_column()
        for part in (self.lines, self.rows, self.hint):
            column.addWidget(part)
        self.button = Button(
            page.look,
            page.texts("shift.row_by_row"),
            icon="list",
            key=method_cap(0),
            kind=ButtonKind.QUIET,
        )
        self.button.setCheckable(True)
        self.button.clicked.connect(self.turn)

    def turn(self) -> None:
        model = self._page.model
        model.shows_rows = not model.shows_rows
        self._page.refresh()
        if model.shows_rows:
            self.rows.take_focus()
        else:
            self._page.focus_place()

    def refresh(self, lines: Sequence[ReportLine]) -> None:
        model, texts = self._page.model, self._page.texts
        self.lines.show_lines(lines)
        rows = model.rows
        self.rows.show_rows(rows, lambda index: row_words(rows[index], texts))
        self.lines.setVisible(not model.shows_rows)
        for part in (self.rows, self.hint):
            part.setVisible(model.shows_rows)
        self.button.setChecked(model.shows_rows)

    def open_current(self) -> bool:
        """Open the receipt of the current amount; returns False while no amounts are shown."""
        model = self._page.model
        if not model.shows_rows or not 0 <= self.rows.current < len(model.rows):
            return False
        self._open(self.rows.current)
        return True

    def _open(self, index: int) -> None:
        self._page.room.open_receipt(self._page.model.rows[index])
