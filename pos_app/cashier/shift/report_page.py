"""The page of an X, of a day, of the Z after a close, and of a closed shift's Z.

Sources: till.md ("Shift"), mock-18.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER
from pos_app.cashier.shift.drawer_panel import RECEIPT_KEY, DrawerPanel
from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.cashier.shift.page import LARGEST_LINE, NARROW, ShiftPage
from pos_app.cashier.shift.parts import LinesColumn
from pos_app.cashier.shift.room import ShiftRoom
from pos_app.cashier.shift.words import done_content, drawer_lines, report_lines
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.done import NEXT_ICON, DoneContent, DonePanel
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.panel import FilledPanel, clear_layout
from pos_app.domain.receipt.shift_report import ShiftReport
from pos_app.selling.sale.receipt_drafts import DeliveryWay

PRINT_KEY, PDF_KEY = "P", "D"


class ShiftReportPage(ShiftPage):
    """The X, or the Z of a day; after a close the Z that was printed; or a closed shift's Z."""

    def __init__(self, room: ShiftRoom) -> None:
        super().__init__(room)
        theme, texts = self.look, self.texts
        self.lines = LinesColumn(theme, name=texts("shift.turnover"))
        self.drawer, middle = DrawerPanel(self), FilledPanel(theme)
        column = middle.edge_column()
        column.addWidget(self.lines)
        self.rows = self.drawer.button
        self._left_panel, self._middle, self._is_roomy = self.drawer, middle, True
        self.row.addWidget(self.drawer, 1)
        self.row.addWidget(middle, 1)
        self._done = QVBoxLayout()
        self._shown_done: DoneContent | None = None
        self.words_label = Label(theme, colour="ink_2", wrap=True)
        self.big.show_act(texts("done.next"), key=ENTER, icon=NEXT_ICON)
        if self._is_done:
            self._lay_out_side()
        else:
            self._lay_out_tools()
        self.big.setVisible(self._is_done)
        self.refresh()

    def _lay_out_side(self) -> None:
        self.row.addWidget(self.side)
        self.right.addLayout(self._done)
        self.right.addWidget(self.words_label)
        self.right.addStretch(1)
        for button in (self.rows, *self._keys(spread=True)):
            self.right.addWidget(button)
        self.right.addWidget(self.big)

    def _lay_out_tools(self) -> None:
        """Put the keys of a report that is looked at into the bar, and what they did below it."""
        self.tools = QWidget()
        row = QHBoxLayout(self.tools)
        row.setContentsMargins(0, 0, self.look.metrics.s2, 0)
        row.setSpacing(self.look.metrics.s2)
        self.rows.set_kind(ButtonKind.PLAIN)
        for button in (self.rows, *self._keys(spread=False)):
            if self.look.metrics.tight:  # the title needs the room of icons and caps
                button.set_icon("")
                button.set_key("")
            row.addWidget(button)
        for label in (self.words_label, self.trouble):
            label.setContentsMargins(0, self.look.metrics.s3, 0, 0)
        self.right.setSpacing(0)
        self.right.addWidget(self.words_label)
        self.right.addWidget(self.big)
        self.below.addWidget(self.side)

    def _keys(self, *, spread: bool) -> Iterator[Button]:
        for key, words, icon, way in (
            (PRINT_KEY, "shift.print", "printer", None),
            (PDF_KEY, "shift.pdf", "file-text", DeliveryWay.PDF),
        ):
            button = Button(self.look, self.texts(words), icon=icon, key=key, spread=spread)
            button.clicked.connect(lambda _=False, way=way: self._hand_over(way))
            yield button

    def _hand_over(self, way: DeliveryWay | None) -> None:
        self.room.hand_over_report(way or self.room.ways[0])
        self.refresh()

    @property
    def _is_done(self) -> bool:
        return self.model.page is ShiftPageKind.DONE

    def enter(self) -> None:
        if self._is_done:
            self.room.frame.go_home()
        else:
            self.step_back()

    def focus_place(self) -> None:
        if self._is_done:
            super().focus_place()
        else:
            self.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def is_looked_at(self) -> bool:
        return not self._is_done

    def letter(self, letter: str) -> bool:
        if letter == RECEIPT_KEY:
            return self.drawer.open_current()
        if letter not in (PRINT_KEY, PDF_KEY):
            return False
        self._hand_over(DeliveryWay.PDF if letter == PDF_KEY else None)
        return True

    def number(self, number: int) -> bool:
        if number or self.model.report is None or self.model.report.drawer is None:
            return False
        self.drawer.turn()
        return True

    def step_back(self) -> bool:
        if self._is_done:
            return False
        is_past = self.model.page is ShiftPageKind.PAST
        self.model.page = ShiftPageKind.CLOSED if is_past else ShiftPageKind.HOME
        if is_past:  # the server's outstanding answer belongs to no other page
            self.model.facts = self.model.report = None
        self.room.changed.emit()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        large = self.look.metrics.line(TypeStep.BASE) > LARGEST_LINE
        self._is_roomy = event.size().width() >= NARROW or not large
        self._show_sides()

    def _show_sides(self) -> None:
        """Show the drawer beside the turnover; where only one fits, a button changes them."""
        report = self.model.report
        has_drawer = report is not None and report.drawer is not None
        self.rows.setVisible(has_drawer)
        self._left_panel.setVisible(has_drawer and (self._is_roomy or self.model.shows_rows))
        self._middle.setVisible(self._is_roomy or not has_drawer or not self.model.shows_rows)

    def refresh(self) -> None:
        model, texts = self.model, self.texts
        report = model.report
        if report is None:
            return
        lines = report_lines(report, texts, asks=model.asks_server)
        self.lines.show_lines(lines, report.takings.hours)
        self._show_sides()
        self.drawer.refresh(drawer_lines(report, texts))
        self.words_label.setText(texts(f"shift.paper.{model.printed}") if model.printed else "")
        self.words_label.setVisible(bool(model.printed))
        if self._is_done:
            self._show_done(report)

    def _show_done(self, report: ShiftReport) -> None:
        if report.drawer is None and self._shown_done is not None:
            return  # a late answer of the server knows the drawer no more
        content = done_content(report, self.texts)
        if content != self._shown_done:
            self._shown_done = content
            clear_layout(self._done)
            self._done.addWidget(DonePanel(self.look, content))
