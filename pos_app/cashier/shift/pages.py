"""The pages of the shift's screen beside the count: the shift, cash in and out, the X, the open
things, and the difference.

Sources: till.md ("Shift"), mock-18.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER, ESCAPE, method_cap
from pos_app.cashier.gate.about import About
from pos_app.cashier.scanner.letters import letter_of
from pos_app.cashier.services.self_test import finding_words
from pos_app.cashier.shift.model import CASH_REASONS, OTHER_REASONS, OpenThing, ShiftPageKind
from pos_app.cashier.shift.page import TO_CHECK_KEY, ShiftPage
from pos_app.cashier.shift.parts import LinesColumn
from pos_app.cashier.shift.room import ShiftRoom
from pos_app.cashier.shift.rows import ShiftRows, ShiftRowWords
from pos_app.cashier.shift.words import (
    ICONS,
    NOTHING,
    ReportLine,
    begun_content,
    closed_words,
    done_content,
    drawer_lines,
    report_lines,
    row_words,
)
from pos_app.cashier.texts.of_store import texts_for
from pos_app.cashier.ui.buttons import Button, ButtonKind
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.done import NEXT_ICON, DoneContent, DonePanel
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.figure import FigurePanel
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import NO_AMOUNT, AmountLabel, ElidedLabel, Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import Divider, EmptyState, FilledPanel, Panel, clear_layout
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.window.screens import ATTENTION
from pos_app.cashier.words.moments import moment_text
from pos_app.cashier.words.receipt_words import since_words
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.shift_report import Difference, ShiftReport
from pos_app.errors import Invalid
from pos_app.selling.people.rights import Act
from pos_app.selling.sale.receipt_drafts import DeliveryWay
from pos_app.selling.shift.cash import MoveKind

MOVES = {"U": MoveKind.IN, "I": MoveKind.OUT, "S": MoveKind.DROP, "C": MoveKind.CHANGE}
"""The keys of the moves of cash, by their position on the keyboard."""
X_KEY, PRINT_KEY, PDF_KEY, CLOSED_KEY, RECEIPT_KEY = "X", "P", "D", "Z", "R"
CLOSE_KEY = "K"
"""The key of the close while the large key leads to the sale."""
DAY_BEFORE_KEY, GO_ON_KEY = "J", "N"
COUNT_KEY, CLOSED_KEY_TYPING = method_cap(1), method_cap(2)
"""The keys while a field is typed in."""
NARROW = 1200
"""Below this width in px three columns don't fit side by side."""
LEAST_TOUCH = 40
"""Below this touch size in px the type is wide beside keys, and a field has a row of its own."""
LARGEST_LINE = 25
"""Up to this height of a text line in px three columns stand side by side."""
_MOVE_ICONS = {
    MoveKind.IN: "plus",
    MoveKind.OUT: "minus",
    MoveKind.DROP: "vault",
    MoveKind.CHANGE: "banknote",
}
_OPEN_ICONS = {
    OpenThing.HELD: "pause",
    OpenThing.WAITING: "clock",
    OpenThing.DOUBT: "circle-question-mark",
    OpenThing.REFUSED: "circle-alert",
    OpenThing.UNPRINTED: "printer-x",
}


class _Column(Panel):
    def __init__(self, page: ShiftPage) -> None:
        super().__init__(page.look)
        metrics = page.look.metrics
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        self.column.setSpacing(metrics.s2)


class HomePage(ShiftPage):
    def __init__(self, room: ShiftRoom) -> None:
        super().__init__(room)
        theme, texts, metrics = self.look, self.texts, self.look.metrics
        self.float: Field | None = None
        self.buttons: dict[str, Button] = {}
        panel = _Column(self)
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
        test = _Column(self)
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
        field = Field(
            self.look,
            name=texts("shift.float"),
            right=True,
            step=TypeStep.TITLE,
            takes=InputKind.NUMBER,
        )
        text = model.float_text
        field.set_text(amount_text(model.left_cash) if text is None else text)
        field.changed.connect(self._type_float)
        self.float = field
        column.addWidget(Label(self.look, texts("shift.float"), step=TypeStep.SMALL))
        column.addWidget(field)
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


class MovePage(ShiftPage):
    def __init__(self, room: ShiftRoom) -> None:
        super().__init__(room)
        texts, model = self.texts, self.model
        kind = model.move_kind
        panel = _Column(self)
        title = texts(f"shift.move.{kind}")
        words = texts(f"shift.move_words.{kind}")
        panel.column.addWidget(Label(self.look, words, colour="ink_2", wrap=True))
        self.amount = Field(
            self.look,
            name=texts("shift.amount"),
            right=True,
            step=TypeStep.TITLE,
            takes=InputKind.NUMBER,
        )
        self.reason = Field(self.look, name=texts("shift.reason"))
        for name, field in (("shift.amount", self.amount), ("shift.reason", self.reason)):
            panel.column.addWidget(Label(self.look, texts(name), step=TypeStep.SMALL))
            panel.column.addWidget(field)
        self.amount.set_text(model.move_amount)
        self.reason.set_text(model.move_reason)
        self.amount.changed.connect(lambda text: self._type("move_amount", text))
        self.reason.changed.connect(lambda text: self._type("move_reason", text))
        self._question: NoticePanel | None = None
        self._asked_at = QVBoxLayout()
        panel.column.addLayout(self._asked_at)
        panel.column.addStretch(1)
        self.row.addWidget(panel, 1)
        self.row.addWidget(self.side)
        self.right.addStretch(1)
        self.right.addWidget(self.big)
        self._title = title
        self.refresh()

    def _type(self, name: str, text: str) -> None:
        setattr(self.model, name, text)
        self.model.error = self.model.drawer_holds = None
        self.refresh()

    def keyed(self) -> None:
        if self._question is not None:
            focus = self.focusWidget()
            if isinstance(focus, Button) and focus.hasFocus():  # one of the answers
                focus.click()
            else:
                self.step_back()
            return
        wants = self.model.move_lacks == "reason" and not self.reason.text().strip()
        if wants and self.amount.edit.hasFocus():
            self.reason.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.enter()

    def enter(self) -> None:
        if self.model.move_lacks is not None:
            self._try()
        elif self.attempt(self.model.ask_drawer) and self.model.drawer_holds is None:
            self._ask_right()

    def _ask_right(self) -> None:
        """Have the act lifted only now, if it must be, so that the log names who lifted it."""
        model = self.model
        about = About(
            words=self.texts(f"shift.move.{model.move_kind}"),
            of=model.move_reason.strip(),
            what="reason",
            amount=model.amount_to_move,
            drawer=self._over_words(),
        )
        self.room.frame.permit(Act.CASH_IN_OUT, self._try, about=about)

    def _over_words(self) -> str:
        """Return that the amount is more than the drawer holds, if this was asked."""
        holds, amount = self.model.drawer_holds, amount_text(self.model.amount_to_move)
        if holds is None:
            return ""
        return self.texts("shift.over", amount=amount, holds=amount_text(holds))

    def _try(self) -> None:
        if not self.attempt(self._confirm):
            field = self.model.error.field if self.model.error is not None else ""
            target = self.reason if field == "reason" else self.amount
            target.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_question(self) -> None:
        """Show the question about an amount that is more than the drawer holds, or take it away."""
        holds, before = self.model.drawer_holds, self._question
        if (holds is None) is (before is None):
            return
        self.big.setVisible(holds is None)
        if before is not None:
            self._question = None
            before.hide()
            before.deleteLater()
        if holds is None:
            self.focus_place()
            return
        amount, texts = amount_text(self.model.amount_to_move), self.texts
        no = Button(self.look, texts("shift.over.no"), key=ESCAPE)
        yes = Button(self.look, texts("shift.over.yes", act=self._title, amount=amount))
        no.clicked.connect(self.step_back)
        yes.clicked.connect(self._ask_right)
        self._question = NoticePanel(
            self.look,
            NoticeKind.WARN,
            happened=self._over_words(),
            safe=texts("shift.over.means"),
            press="",
            safe_answer=no,
            buttons=(yes,),
        )
        self._asked_at.addWidget(self._question)
        self._question.show()
        no.setFocus(Qt.FocusReason.OtherFocusReason)

    def _confirm(self) -> None:
        moved = self.model.confirm_move()
        room = self.room
        room.frame.home.open_drawer()
        room.hand_over(self.model.slip_of(moved), room.ways[0])

    def refresh(self) -> None:
        self.amount.set_error(self.fault("amount"))
        self.reason.set_error(self.fault("reason"))
        self.show_order(self.model.move_lacks, self._title)
        self._show_question()

    def focus_place(self) -> None:
        self.amount.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def step_back(self) -> bool:
        if self._question is not None:
            self.model.drawer_holds = None
            self.refresh()
            return True
        self.model.page = ShiftPageKind.HOME
        self.room.changed.emit()
        return True


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


class ClosedPage(ShiftPage):
    def __init__(self, room: ShiftRoom) -> None:
        super().__init__(room)
        panel = FilledPanel(self.look)
        column = panel.edge_column()
        self.list = ShiftRows(self.look, name=self.texts("shift.closed"))
        self.list.opened.connect(self._open)
        column.addWidget(self.list)
        self.row.addWidget(panel, 1)
        self.row.addWidget(self.side)
        words = self.texts("shift.closed.words")
        self.right.addWidget(Label(self.look, words, colour="ink_2", wrap=True))
        self.right.addStretch(1)
        self.right.addWidget(self.big)
        self.big.set_word(self.texts("shift.lead"))
        self.refresh()

    def refresh(self) -> None:
        self.list.show_rows(self.model.closed, self._words)

    def _words(self, index: int) -> ShiftRowWords:
        shift = self.model.closed[index]
        return closed_words(shift, self.model.differences_of(shift), self.texts)

    def focus_place(self) -> None:
        self.list.take_focus()

    def enter(self) -> None:
        if self.list.current >= 0:
            self._open(self.list.current)

    def _open(self, index: int) -> None:
        is_open = self.attempt(self.model.open_past, self.model.closed[index])
        if is_open and self.model.server is None:
            self.room.ask_server()

    def step_back(self) -> bool:
        self.model.page = ShiftPageKind.HOME
        self.room.changed.emit()
        return True


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
        """Hand the report over. A Z for which the server is still asked waits, so that no paper
        lacks the tax that the next one has."""
        if self.model.page is ShiftPageKind.PAST and self.model.asks_server:
            self.room.frame.home.tone("no")
            self.words_label.setText(self.texts("shift.asks"))
            self.words_label.show()
            return
        self.room.hand_over(self.model.paper(), way or self.room.ways[0])
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
        self.lines.show_lines(report_lines(report, texts), report.takings.hours)
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


class CheckPage(ShiftPage):
    """The open things, each with a button that leads there; none of them prevents the close."""

    def __init__(self, room: ShiftRoom) -> None:
        super().__init__(room)
        self._open = panel = _Column(self)
        head = self.texts("shift.still_open")
        panel.column.addWidget(Label(self.look, head, step=TypeStep.TITLE, weight=Weight.BOLD))
        words = self.texts("shift.blocks_nothing")
        panel.column.addWidget(Label(self.look, words, colour="ink_2", wrap=True))
        self._empty = EmptyState(self.look, title=self.texts("shift.nothing_open"))
        self.list = QVBoxLayout()
        panel.column.addLayout(self.list)
        panel.column.addStretch(1)
        self._acts: list[Callable[[], object]] = []
        self._shown_state: object = None
        self.row.addWidget(panel, 1)
        self.row.addWidget(self._empty, 1)
        self.row.addWidget(self.side)
        self.right.addStretch(1)
        self.go_on: Button | None = None
        self._add_go_on()
        self.right.addWidget(self.big)
        self.big.set_word(self.texts("shift.begin_count"))
        self.refresh()

    def _add_go_on(self) -> None:
        counted = self.model.counted
        if counted is None or counted.confirmed_at is None:
            return
        at = moment_text(counted.confirmed_at)
        words = self.texts("shift.go_on", at=at, name=counted.by)
        self.right.addWidget(Label(self.look, words, colour="ink_2", wrap=True))
        self.go_on = Button(
            self.look, self.texts("shift.go_on_with_it"), icon="history", key=GO_ON_KEY, spread=True
        )
        self.go_on.clicked.connect(self._go_on)
        self.right.addWidget(self.go_on)

    def _go_on(self) -> None:
        if self.attempt(self.model.go_on):
            self.room.ask_server()

    def letter(self, letter: str) -> bool:
        if letter != GO_ON_KEY or self.go_on is None:
            return False
        self._go_on()
        return True

    def refresh(self) -> None:
        found = self.model.open_things()
        if found == self._shown_state:
            return
        self._shown_state = found
        clear_layout(self.list)
        self._acts = []
        for what, many in found.items():
            self.list.addLayout(open_row(self, what, many, len(self._acts) + 1, self._acts))
            self.list.addWidget(Divider(self.look))
        self._open.setVisible(bool(found))
        self._empty.setVisible(not found)

    def number(self, number: int) -> bool:
        if not 1 <= number <= len(self._acts):
            return False
        self._acts[number - 1]()
        return True

    def enter(self) -> None:
        self.attempt(self.model.begin_count)

    def step_back(self) -> bool:
        self.model.page = ShiftPageKind.HOME
        self.room.changed.emit()
        return True


def open_row(
    page: ShiftPage, what: OpenThing, many: int, number: int, acts: list[Callable[[], object]]
) -> QHBoxLayout:
    """A row with an open thing's name, number and button; the button's act is added to acts."""
    frame, texts = page.room.frame, page.texts
    name = what.name.lower()

    def lead() -> None:
        if what is OpenThing.HELD:
            frame.go_home()
        else:
            frame.open(ATTENTION)

    acts.append(lead)
    row = QHBoxLayout()
    row.setSpacing(page.look.metrics.s2)
    row.addWidget(Icon(page.look, _OPEN_ICONS[what]))
    words = texts.count(f"shift.open.{name}", many)
    row.addWidget(ElidedLabel(page.look, words, weight=Weight.SEMIBOLD), 1)
    button = Button(page.look, texts("shift.lead"), key=method_cap(number), name=words)
    button.clicked.connect(lead)
    row.addWidget(button)
    return row


class DifferencePage(ShiftPage):
    ends = True

    def __init__(self, room: ShiftRoom) -> None:
        super().__init__(room)
        theme, texts, metrics = self.look, self.texts, self.look.metrics
        self._acts: list[Callable[[], object]] = []
        left = QVBoxLayout()
        left.setSpacing(metrics.s3)
        self.differences = _Column(self)
        self._table = QVBoxLayout()
        self.differences.column.addLayout(self._table)
        left.addWidget(self.differences)
        self.drawer = DrawerPanel(self)
        self.rows = self.drawer.button
        left.addWidget(self.drawer, 1)
        left.addWidget(self.rows)
        self._reasons = QVBoxLayout()
        left.addLayout(self._reasons)
        holder = QWidget()
        holder.setLayout(left)
        left.setContentsMargins(0, 0, 0, 0)
        middle = FilledPanel(theme)
        inner = middle.edge_column()
        self.lines = LinesColumn(theme, name=texts("shift.turnover"))
        inner.addWidget(self.lines)
        self.row.addWidget(holder, 1)
        self.row.addWidget(middle, 1)
        self.row.addWidget(self.side)
        self._middle = middle
        middle.setVisible(self._sees_turnover and not self._is_large)  # its paper has the Z too
        for part in (self.drawer, self.rows):
            part.setVisible(self._sees_turnover)
        if not self._sees_turnover:
            left.addStretch(1)
        self._lay_out_side()
        self._shown_amount: object = None
        self.reason_fields: dict[str, Field] = {}
        self.chips: dict[tuple[str, str], Button] = {}
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW
        self._middle.setVisible(self._sees_turnover and not narrow and not self._is_large)

    @property
    def _sees_turnover(self) -> bool:
        """Whether the Z and what the expected cash is made of are shown before the close."""
        return self.room.frame.services.sees_turnover

    @property
    def _is_large(self) -> bool:
        return self.look.metrics.line(TypeStep.BASE) > LARGEST_LINE

    def _lay_out_side(self) -> None:
        theme, texts, metrics = self.look, self.texts, self.look.metrics
        opened = _Column(self)
        opened.column.addWidget(Label(theme, texts("shift.still_open"), step=TypeStep.SMALL))
        things = self.model.open_things()
        for what, many in things.items():
            number = len(self._acts) + 1
            opened.column.addLayout(open_row(self, what, many, number, self._acts))
        if things:
            self.right.addWidget(opened)
        panel = self._difference = FigurePanel(theme, step=TypeStep.TOTAL)
        panel.setSizePolicy(panel.sizePolicy().horizontalPolicy(), QSizePolicy.Policy.Preferred)
        panel.column.addWidget(Divider(theme))
        row = QHBoxLayout()
        row.addWidget(Label(theme, texts("shift.counted"), colour="ink_2", wrap=True), 1)
        self._counted = AmountLabel(theme, step=TypeStep.STRONG)
        row.addWidget(self._counted, 1)
        panel.column.addLayout(row)
        row = QHBoxLayout()
        row.addWidget(Label(theme, texts("shift.stays"), weight=Weight.SEMIBOLD, wrap=True), 1)
        self.stays = Field(theme, name=texts("shift.stays"), right=True, step=TypeStep.STRONG)
        self.stays.setFixedWidth(4 * metrics.touch)
        self.stays.edit.installEventFilter(self)
        self.stays.changed.connect(self._type_stays)
        row.addWidget(self.stays)
        panel.column.addLayout(row)
        row = QHBoxLayout()
        row.addWidget(Label(theme, texts("shift.taken"), weight=Weight.SEMIBOLD, wrap=True), 1)
        self.taken = AmountLabel(theme, step=TypeStep.TITLE, name=texts("shift.taken"))
        row.addWidget(self.taken, 1)
        panel.column.addLayout(row)
        self.right.addWidget(panel)
        self.right.addStretch(1)
        self.again = Button(theme, texts("shift.recount"), icon="refresh-cw")
        self.again.clicked.connect(lambda: self.attempt(self.model.recount))
        self.right.addWidget(self.again)
        ways = self.room.ways
        self.ways = Segment(
            theme, [self._way_words(way) for way in ways], name=texts("shift.paper")
        )
        self.right.addWidget(self.ways)
        self.ways.setVisible(len(ways) > 1)
        self.right.addWidget(self.big)

    def _way_words(self, way: DeliveryWay) -> str:
        if way is DeliveryWay.THERMAL:
            printer = self.room.frame.services.settings.printer
            return f"{printer.width_mm} mm"
        return self.texts(f"shift.way.{way}")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the key that leads back, which an amount has no use for."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if letter_of(event) != TO_CHECK_KEY:
            return False
        self.room.to_check()
        return True

    # --- acts ------------------------------------------------------------------------------------

    def _type_stays(self, text: str) -> None:
        model = self.model
        if text == (model.stays or ""):
            return
        model.stays, model.error = text, None
        self._check()
        model.make_report()
        self.refresh()

    def _check(self) -> None:
        """Show a wrong amount as soon as it is typed."""
        try:
            _ = self.model.stays_amount
        except Invalid as error:
            self.model.error = error

    def _reason(self, method: str, words: str) -> None:
        self.model.reasons[method] = words
        self.model.error = None
        self._check()
        self.model.make_report()
        self.show_trouble("")
        self.refresh()

    def enter(self) -> None:
        """Have the close lifted now for a person who may not do it, so that the log has who lifted
        it. The server's answer is waited for, three seconds at most."""
        if self.model.asks_server:
            self.room.frame.home.tone("no")
            self.show_trouble(self.texts("shift.asks"))
        elif not self.attempt(self.model.check):
            self._focus_missing()
        else:
            self.room.frame.permit(Act.CLOSE_SHIFT, self._close, about=self._about)

    def _focus_missing(self) -> None:
        """Put the focus into the field that lacks something, after a refusal."""
        reason = self.reason_fields.get(self.model.method_without_reason)
        field = self.stays if reason is None or self.model.lacks != "reason" else reason
        field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _about(self) -> About:
        """The shift that is closed. No sum: who asks may be somebody who sees none."""
        shift = self.model.shift
        since = "" if shift is None else since_words(shift, self.texts, "shift.open_by")
        return About(what="shift", of=since)

    def _close(self) -> None:
        way = self.room.ways[self.ways.current()]
        if self.attempt(self.model.close, way):
            self.room.hand_over(self.model.paper(), way)
        else:
            self.room.show_again()

    def number(self, number: int) -> bool:
        if number == 0 and self._sees_turnover:
            self.drawer.turn()
            return True
        if not 1 <= number <= len(self._acts):
            return False
        self._acts[number - 1]()
        return True

    def letter(self, letter: str) -> bool:
        return letter == RECEIPT_KEY and self.drawer.open_current()

    # --- what is shown ---------------------------------------------------------------------------

    def refresh(self) -> None:
        model, texts = self.model, self.texts
        report = model.report
        if report is None or report.drawer is None or model.stored is None:
            return
        self.lines.show_lines(report_lines(report, texts), report.takings.hours)
        self.drawer.refresh(drawer_lines(report, texts, with_count=False))
        self._show_differences()
        for method, field in self.reason_fields.items():
            field.set_error(self.fault(f"reason.{method}"))
        self._counted.setText(amount_text(model.stored.count.cash))
        is_wrong = bool(self.fault("stays"))
        self.taken.setText(NO_AMOUNT if is_wrong else amount_text(report.drawer.taken))
        stays = amount_text(report.drawer.stays) if model.stays is None else model.stays
        if self.stays.text() != stays:
            self.stays.edit.blockSignals(True)  # nobody types now
            self.stays.set_text(stays)
            self.stays.edit.blockSignals(False)
        self.stays.set_error(self.fault("stays"))
        self.show_order(self.model.lacks, texts("shift.close_now"))

    def _show_difference(self, rows: Sequence[Difference]) -> None:
        """Show as the largest figure what the cash lacks or has too much."""
        amount = next((one.amount for one in rows if one.method == PaymentMethod.CASH), NOTHING)
        what = "short" if amount < NOTHING else "over" if amount > NOTHING else "agrees"
        self._difference.show_figure(self.texts(f"shift.cash.{what}"), amount_text(amount))

    def _show_differences(self) -> None:
        found = self.model.drawer_differences
        self._show_difference(found.rows)
        amount = tuple((one.method, one.expected, one.counted) for one in found.rows)
        if amount != self._shown_amount:
            self._shown_amount = amount
            clear_layout(self._table)
            self._table.addLayout(
                self._table_row(*(self.texts(f"shift.col.{one}") for one in _COLUMNS), is_head=True)
            )
            columns = tuple(list[AmountLabel]() for _ in _COLUMNS[1:])
            for one in found.rows:
                agrees = self.texts("shift.agrees")
                sign = "+" if one.amount > NOTHING else ""
                difference = f"{sign}{amount_text(one.amount)}" if one.amount else f"✓ {agrees}"
                counted = "–" if one.counted is None else amount_text(one.counted)
                self._table.addWidget(Divider(self.look))
                self._table.addLayout(
                    self._table_row(
                        self.texts(f"pay.method.{one.method}"),
                        amount_text(one.expected),
                        counted,
                        difference,
                        columns=columns,
                    )
                )
            self._make_reasons()
        kept = self._kept_reasons() if self.chips else {}
        for (method, word), chip in self.chips.items():
            chip.setChecked(self.model.reasons.get(method, "") == kept[word])

    def _table_row(
        self, *words: str, is_head: bool = False, columns: Sequence[list[AmountLabel]] = ()
    ) -> QHBoxLayout:
        """Make a row. columns: the amounts of the rows above it, by column, to which its own are
        added."""
        row = QHBoxLayout()
        row.setSpacing(self.look.metrics.s2)
        step = TypeStep.SMALL if is_head else TypeStep.BASE
        for index, text in enumerate(words):
            bold = index != 1 and not is_head
            if not index:
                label: QWidget = ElidedLabel(
                    self.look, text, step=step, weight=Weight.SEMIBOLD if bold else Weight.MEDIUM
                )
            else:
                label = amount = AmountLabel(
                    self.look, text, step=step, weight=Weight.BOLD if bold else Weight.MEDIUM
                )
                if columns:
                    columns[index - 1].append(amount)
                    amount.share_size(columns[index - 1])
            label.setMinimumWidth(1)  # an amount gets smaller before it takes room from a name
            row.addWidget(label, 4 if index else 5)
        return row

    def _make_reasons(self) -> None:
        clear_layout(self._reasons)
        self.reason_fields, self.chips = {}, {}
        kept = self._kept_reasons().values()
        for one in self.model.drawer_differences.rows:
            if not one.amount:
                continue
            method = one.method
            name = self.texts(f"pay.method.{method}")
            words = self.texts("shift.reason_of", name=name, amount=amount_text(one.amount))
            self._reasons.addWidget(Label(self.look, words, step=TypeStep.SMALL))
            row = QHBoxLayout()
            row.setSpacing(self.look.metrics.s2)
            for word in CASH_REASONS if method == PaymentMethod.CASH else OTHER_REASONS:
                reason = self.texts(f"shift.why.{word}")
                chip = Button(self.look, reason, narrow=True)
                chip.setCheckable(True)
                chip.setAccessibleName(f"{name}: {reason}")
                chip.clicked.connect(
                    lambda _=False, method=method, word=word: self._chosen(
                        method, self._kept_reasons()[word]
                    )
                )
                self.chips[method, word] = chip
                row.addWidget(chip)
            field = Field(self.look, name=words, placeholder=self.texts("shift.why.other"))
            given_reason = self.model.reasons.get(method, "")
            if given_reason not in kept:
                field.set_text(given_reason)
            field.changed.connect(lambda text, method=method: self._reason(method, text))
            self.reason_fields[method] = field
            self._reasons.addLayout(row)
            alone = self._is_large or self.look.metrics.touch < LEAST_TOUCH
            (self._reasons if alone else row).addWidget(field, 1)

    def _kept_reasons(self) -> dict[str, str]:
        """The ready-made reasons as the Z has them, in the store's language."""
        texts = texts_for(self.model.services.catalogue.store(), self.texts)
        return {
            word: texts(f"shift.why.{word}")
            for word in dict.fromkeys((*CASH_REASONS, *OTHER_REASONS))
        }

    def _chosen(self, method: str, text: str) -> None:
        self.reason_fields[method].edit.clear()
        self._reason(method, text)
        self.focus_place()  # the digits that follow are the sum that stays

    def focus_place(self) -> None:
        self.stays.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.stays.edit.selectAll()

    def step_back(self) -> bool:
        """Leave the screen with the count confirmed; TO_CHECK_KEY leads to the open things."""
        return False


_COLUMNS = ("method", "expected", "counted", "difference")
