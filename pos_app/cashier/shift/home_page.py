"""The first page of the shift's screen: the float while no shift is open, then what is done in
it, and the self-test.

Source: till.md ("Shift").
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER, method_cap
from pos_app.cashier.services.self_test import finding_words
from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.cashier.shift.page import PageColumn, ShiftPage
from pos_app.cashier.shift.room import ShiftRoom
from pos_app.cashier.shift.words import ICONS, begun_content
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.done import NEXT_ICON, DonePanel
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.cashier.ui.panel import clear_layout
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.words.receipt_words import since_words
from pos_app.domain.money.number_text import amount_text
from pos_app.selling.people.rights import Act
from pos_app.selling.shift.cash import MoveKind

X_KEY, CLOSED_KEY, DAY_BEFORE_KEY = "X", "Z", "J"
MOVES = {"U": MoveKind.IN, "I": MoveKind.OUT, "S": MoveKind.DROP, "C": MoveKind.CHANGE}
"""The keys of the moves of cash, by their position on the keyboard."""
CLOSE_KEY = "K"
"""The key of the close while the large key leads to the sale."""
COUNT_KEY, CLOSED_KEY_TYPING = method_cap(1), method_cap(2)
"""The keys while a field is typed in."""
_MOVE_ICONS = {
    MoveKind.IN: "plus",
    MoveKind.OUT: "minus",
    MoveKind.DROP: "vault",
    MoveKind.CHANGE: "banknote",
}


class HomePage(ShiftPage):
    def __init__(self, room: ShiftRoom) -> None:
        super().__init__(room)
        theme, texts, metrics = self.look, self.texts, self.look.metrics
        self.float: Field | None = None
        self.buttons: dict[str, Button] = {}
        panel = PageColumn(self)
        inside = QWidget()
        holder = QVBoxLayout(inside)
        holder.setContentsMargins(0, 0, 0, 0)
        holder.setSpacing(metrics.s3)
        if self.model.done is not None:
            holder.addWidget(DonePanel(theme, begun_content(self.model.done, texts)))
        holder.addWidget(panel)
        holder.addStretch(1)
        area = ScrolledColumn(theme, name=texts("shift.title"))
        area.show_inside(inside)
        self.row.addWidget(area, 1)
        self.row.addWidget(self.side)
        if self.model.shift is not None:
            self._show_open(panel.column)
        elif self.model.has_shifts:
            self._show_float(panel.column)
        else:
            self._show_day(panel.column)
        test = PageColumn(self)
        test.column.addWidget(
            Label(theme, texts("shift.test"), step=TypeStep.STRONG, weight=Weight.BOLD)
        )
        self._findings = QVBoxLayout()
        self._findings.setSpacing(metrics.s1)
        test.column.addLayout(self._findings)
        self.right.addWidget(test)
        self.right.addStretch(1)
        self.right.addWidget(self.big)
        self._shown_findings: object = None
        self.refresh()

    def _show_open(self, column: QVBoxLayout) -> None:
        shift, texts = self.model.shift, self.texts
        assert shift is not None
        words = since_words(shift, texts, "shift.open_by")
        head = Label(self.look, words, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True)
        column.addWidget(head)
        limit = self.model.much_cash
        if limit is not None:
            words = texts("shift.much_cash", limit=amount_text(limit))
            column.addWidget(Label(self.look, words, colour="warn", wrap=True))
        self._add(column, X_KEY, texts("shift.x"), "receipt-text", self._x)
        for key, kind in MOVES.items():
            act = self._move_of(kind)
            self._add(column, key, texts(f"shift.move.{kind}"), _MOVE_ICONS[kind], act)
        self._add_closed(column, CLOSED_KEY)
        if self.model.done is None:
            self.big.set_word(texts("shift.close"))
        else:
            self._add(column, CLOSE_KEY, texts("shift.close"), "receipt-text", self._begin_close)
            self.big.show_act(texts("done.next"), key=ENTER, icon=NEXT_ICON)

    def _show_float(self, column: QVBoxLayout) -> None:
        texts, model = self.texts, self.model
        head = texts("shift.not_open")
        column.addWidget(Label(self.look, head, step=TypeStep.TITLE, weight=Weight.BOLD))
        column.addWidget(Label(self.look, texts("shift.float_words"), colour="ink_2", wrap=True))
        field = AmountField(
            self.look, name=texts("shift.float"), step=TypeStep.TITLE, takes=InputKind.NUMBER
        )
        text = model.float_text
        field.set_text(amount_text(model.left_cash) if text is None else text)
        field.changed.connect(self._type_float)
        self.float = field
        column.addWidget(Label(self.look, texts("shift.float"), step=TypeStep.SMALL))
        column.addWidget(bounded(self.look, field))
        left = texts("shift.left", amount=amount_text(model.left_cash))
        column.addWidget(Label(self.look, left, step=TypeStep.SMALL, colour="ink_2", wrap=True))
        self._add(column, COUNT_KEY, texts("shift.count_float"), "calculator", self._count_float)
        self._add_closed(column, CLOSED_KEY_TYPING)
        self.show_order(model.float_lacks, texts("shift.open"))

    def _show_day(self, column: QVBoxLayout) -> None:
        texts = self.texts
        head = texts("shift.none")
        column.addWidget(Label(self.look, head, step=TypeStep.TITLE, weight=Weight.BOLD))
        column.addWidget(Label(self.look, texts("shift.none_words"), colour="ink_2", wrap=True))
        before = texts("shift.day_before")
        self._add(column, DAY_BEFORE_KEY, before, "receipt-text", lambda: self._ask_report(1))
        self._add_closed(column, CLOSED_KEY)
        self.big.set_word(texts("shift.day"))

    def _add_closed(self, column: QVBoxLayout, key: str) -> None:
        if self.model.has_closed:
            self._add(column, key, self.texts("shift.closed"), "history", self._closed)

    def _add(
        self, column: QVBoxLayout, key: str, words: str, icon: str, act: Callable[[], object]
    ) -> None:
        button = Button(self.look, words, icon=icon, key=key, spread=True)
        button.clicked.connect(act)
        self.buttons[key] = button
        column.addWidget(button)

    # --- acts ------------------------------------------------------------------------------------

    def _x(self) -> None:
        self._ask_report(0)

    def _ask_report(self, days_back: int) -> None:
        self.room.frame.permit(Act.X_REPORT, lambda: self._begin_report(days_back))

    def _closed(self) -> None:
        self.room.frame.permit(Act.X_REPORT, self._begin_closed)

    def _begin_closed(self) -> None:
        self.attempt(self.model.begin_closed)

    def _begin_report(self, days_back: int) -> None:
        if self.attempt(self.model.begin_x, days_back):
            self.room.ask_server()

    def _move_of(self, kind: MoveKind) -> Callable[[], object]:
        def begin() -> None:
            self.model.begin_move(kind)
            self.room.changed.emit()

        return lambda: self.room.begin(Act.CASH_IN_OUT, begin)

    def _count_float(self) -> None:
        self.attempt(self.model.begin_float)

    def _type_float(self, text: str) -> None:
        self.model.float_text, self.model.error = text, None
        if self.float is not None:
            self.float.set_error("")
            self.show_order(self.model.float_lacks, self.texts("shift.open"))

    def _begin_close(self) -> None:
        self.room.begin(Act.CLOSE_SHIFT, self._close)

    def _close(self) -> None:
        """Begin the close. Its first step passes by itself where nothing is open."""
        if self.model.has_nothing_to_check:
            self.attempt(self.model.begin_count)
            return
        self.model.page = ShiftPageKind.CHECK
        self.room.changed.emit()

    # --- for the screen --------------------------------------------------------------------------

    def enter(self) -> None:
        if self.model.done is not None:
            self.room.frame.go_home()
        elif self.model.shift is not None:
            self._begin_close()
        elif self.model.has_shifts:
            if not self.attempt(self.model.open_shift):
                self.focus_place()
        else:
            self._x()

    def number(self, number: int) -> bool:
        button = self.buttons.get(method_cap(number))
        if button is not None:
            button.click()
        return button is not None

    def letter(self, letter: str) -> bool:
        button = self.buttons.get(letter)
        if button is None:
            return False
        button.click()
        return True

    def focus_place(self) -> None:
        if self.float is not None:
            self.float.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            self.float.edit.selectAll()
        else:
            super().focus_place()

    def refresh(self) -> None:
        if self.float is not None:
            self.float.set_error(self.fault("float"))
        if self.model.findings == self._shown_findings:
            return
        self._shown_findings = self.model.findings
        clear_layout(self._findings)
        for found in self.model.findings:
            icon, colour = ICONS[found.verdict]
            row = QHBoxLayout()
            row.setSpacing(self.look.metrics.s2)
            row.addWidget(Icon(self.look, icon, colour=colour, size=18))
            row.addWidget(Label(self.look, finding_words(found, self.texts), wrap=True), 1)
            self._findings.addLayout(row)
