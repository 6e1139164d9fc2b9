"""The third step of the close: how the drawer comes out, and what stays in it.

Sources: till.md ("Shift"), mock-18.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER, TillCommand, cap_of
from pos_app.cashier.gate.about import About
from pos_app.cashier.scanner.letters import letter_of
from pos_app.cashier.shift.check_page import open_row
from pos_app.cashier.shift.drawer_panel import RECEIPT_KEY, DrawerPanel
from pos_app.cashier.shift.model import CASH_REASONS, OTHER_REASONS
from pos_app.cashier.shift.page import LARGEST_LINE, NARROW, TO_CHECK_KEY, PageColumn, ShiftPage
from pos_app.cashier.shift.parts import LinesColumn
from pos_app.cashier.shift.reason_row import ReasonRow
from pos_app.cashier.shift.room import ShiftRoom
from pos_app.cashier.shift.words import NOTHING, drawer_lines, report_lines, signed
from pos_app.cashier.texts.of_store import texts_for
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.figure import FigurePanel
from pos_app.cashier.ui.labels import NO_AMOUNT, AmountLabel, ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.cashier.ui.panel import Divider, FilledPanel, clear_layout
from pos_app.cashier.words.receipt_words import since_words
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.shift_report import Difference
from pos_app.errors import Invalid
from pos_app.selling.people.rights import Act
from pos_app.selling.sale.receipt_drafts import DeliveryWay

LEAST_TOUCH = 40
"""Below this touch size in px the type is wide beside keys, and a field has a row of its own."""
_COLUMNS = ("method", "expected", "counted", "difference")


class DifferencePage(ShiftPage):
    ends = True

    def __init__(self, room: ShiftRoom) -> None:
        super().__init__(room)
        theme, texts, metrics = self.look, self.texts, self.look.metrics
        self._acts: list[Callable[[], object]] = []
        left = QVBoxLayout()
        left.setSpacing(metrics.s3)
        self.differences = PageColumn(self)
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
        self.reasons: dict[str, ReasonRow] = {}
        """The rows that ask a reason, by the method whose count differs."""
        self._has_been_at_stays = False
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW
        self._middle.setVisible(self._sees_turnover and not narrow and not self._is_large)
        self._opened.setVisible(self._has_open)
        self._fold_opened()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._fold_opened()
        return super().event(event)

    def _fold_opened(self) -> None:
        """Leave out what is still open, of which the first step has told, where the side has no
        room for it. A larger page shows it again."""
        needed = self.right.heightForWidth(self.side.minimumWidth())
        if self._opened.isVisible() and needed > self.height() - 2 * self.look.metrics.s3:
            self._opened.hide()

    @property
    def _sees_turnover(self) -> bool:
        """Whether the Z and what the expected cash is made of are shown before the close."""
        return self.room.frame.services.sees_turnover

    @property
    def _is_large(self) -> bool:
        return self.look.metrics.line(TypeStep.BASE) > LARGEST_LINE

    def _lay_out_side(self) -> None:
        theme, texts, metrics = self.look, self.texts, self.look.metrics
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
        self.stays = AmountField(theme, name=texts("shift.stays"), step=TypeStep.STRONG)
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
        self._opened = opened = PageColumn(self)
        opened.column.addWidget(Label(theme, texts("shift.still_open"), step=TypeStep.SMALL))
        things = self.model.open_things()
        for what, many in things.items():
            number = len(self._acts) + 1
            opened.column.addLayout(open_row(self, what, many, number, self._acts))
        self.right.addWidget(opened)
        self._has_open = bool(things)
        self.right.addStretch(1)
        self._add_keys()

    def _add_keys(self) -> None:
        """Add what moved after the count, and the keys that end the page or count again."""
        theme, texts = self.look, self.texts
        self._moved = Label(theme, "", wrap=True)
        self.right.addWidget(self._moved)
        self.count_moved = Button(theme, texts("shift.moved.count"), icon="plus")
        self.count_moved.clicked.connect(self._count_moved)
        self.again = Button(theme, texts("shift.recount"), icon="refresh-cw")
        self.again.clicked.connect(lambda: self.attempt(self.model.recount))
        row = QHBoxLayout()
        row.setSpacing(self.look.metrics.s2)
        for button in (self.count_moved, self.again):
            button.let_fold()
            row.addWidget(button, 1)
        self.right.addLayout(row)
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
        """Take the key that leads back, which an amount has no use for, and note a visit."""
        if event.type() is QEvent.Type.FocusIn:
            self._has_been_at_stays = True
            self._show_key()
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        is_taken = letter_of(event) == TO_CHECK_KEY
        if is_taken:
            self.room.to_check()
        return is_taken

    # --- acts ------------------------------------------------------------------------------------

    def _type_stays(self, text: str) -> None:
        if text != (self.model.stays or ""):
            self.model.stays = text
            self._show_typed()

    def _reason(self, method: str, words: str) -> None:
        self.model.explain(method, words)
        self._show_typed()

    def _count_moved(self) -> None:
        self.model.count_moved()
        self._show_typed()
        self.focus_place()

    def _show_typed(self) -> None:
        self.model.error = None
        self.model.make_report()
        self.room.frame.top.end_refusal()
        self.refresh()

    def keyed(self) -> None:
        """Lead from a given reason to the next one that is asked, and after the last one to the sum
        that stays, which nobody leaves unseen; else act."""
        lacking = self.reasons.get(self.model.method_without_reason)
        others = [one for one in self.reasons.values() if one is not lacking]
        if lacking is not None and any(one.field.edit.hasFocus() for one in others):
            lacking.focus_field()
        elif self._leads_to_stays:
            self._focus_stays()
        else:
            self.confirmed()

    def confirmed(self) -> None:
        super().keyed()

    @property
    def _leads_to_stays(self) -> bool:
        """Whether Enter leads to the sum that stays: nothing lacks, and it was neither visited nor
        typed."""
        return self.model.lacks is None and self.model.stays is None and not self._has_been_at_stays

    def _show_key(self) -> None:
        """Show the key that presses the large button now."""
        self.big.set_key(cap_of(TillCommand.PAY) if self._leads_to_stays else ENTER)

    def enter(self) -> None:
        """Have the close lifted now for a person who may not do it, so that the log has who lifted
        it. The server's answer is waited for, three seconds at most."""
        if self.model.asks_server:
            self.room.frame.home.tone("no")
            self.room.frame.top.tell(lambda texts: texts("shift.asks"))
        elif not self.attempt(self.model.check):
            self._focus_missing()
        else:
            self.room.frame.permit(Act.CLOSE_SHIFT, self._close, about=self._about)

    def _focus_missing(self) -> None:
        """Put the focus into the field that lacks something, after a refusal."""
        if self.model.lacks == "reason":
            self.focus_place()
        else:
            self.stays.point_out()

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
        if letter.isdecimal():
            self.room.frame.home.tone("no")
            self.room.frame.top.tell(lambda texts: texts("shift.no_digit"))
            return True
        return letter == RECEIPT_KEY and self.drawer.open_current()

    # --- what is shown ---------------------------------------------------------------------------

    def refresh(self) -> None:
        model, texts = self.model, self.texts
        report = model.report
        if report is None or report.drawer is None or model.stored is None:
            return
        lines = report_lines(report, texts, asks=model.asks_server)
        self.lines.show_lines(lines, report.takings.hours)
        self.drawer.refresh(drawer_lines(report, texts, with_count=False))
        self._show_differences()
        for method, row in self.reasons.items():
            row.show_reason(model.reasons.get(method, ""), self.fault(f"reason.{method}"))
        self._counted.setText(amount_text(model.stored.cash))
        self._show_moved()
        wrong = self._stays_fault()
        self.taken.setText(NO_AMOUNT if wrong else amount_text(report.drawer.taken))
        stays = amount_text(report.drawer.stays) if model.stays is None else model.stays
        if self.stays.text() != stays:
            self.stays.edit.blockSignals(True)  # nobody types now
            self.stays.set_text(stays)
            self.stays.edit.blockSignals(False)
        self.stays.judge(wrong)
        self.show_order(self.model.lacks, texts("shift.close_now"))
        self._show_key()

    def _show_moved(self) -> None:
        """Tell what moved after the count, and offer to add it to what was counted."""
        moved, texts = self.model.moved, self.texts
        amounts = ", ".join(
            f"{texts(f'pay.method.{method}')} {signed(amount)}"
            for method, amount in moved.amounts.items()
        )
        self._moved.setText(texts.count("shift.moved", moved.many, amounts=amounts))
        self._moved.setVisible(bool(moved.amounts))
        self.count_moved.setVisible(self.model.offers_moved)

    def _stays_fault(self) -> str:
        """Return what is wrong with the sum that stays, as soon as it is typed or counted anew."""
        try:
            _ = self.model.stays_amount
        except Invalid as error:
            return self.texts.error(error).happened
        return ""

    def _show_difference(self, rows: Sequence[Difference]) -> None:
        """Show as the largest figure what the cash lacks or has too much."""
        amount = next((one.amount for one in rows if one.method == PaymentMethod.CASH), NOTHING)
        what = "short" if amount < NOTHING else "over" if amount > NOTHING else "agrees"
        self._difference.show_figure(self.texts(f"shift.cash.{what}"), signed(amount))

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
                difference = signed(one.amount) if one.amount else f"✓ {agrees}"
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
            self._show_reasons(found.rows)

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

    def _show_reasons(self, rows: Sequence[Difference]) -> None:
        """Ask a reason of each difference. The row of a method that is asked already stays, with
        its caret; when that of the caret goes, no digit may lead to the sum."""
        asked = {one.method: one.amount for one in rows if one.amount}
        for method in [one for one in self.reasons if one not in asked]:
            gone = self.reasons.pop(method)
            if gone.field.edit.hasFocus():
                self.big.setFocus(Qt.FocusReason.OtherFocusReason)
            gone.hide()
            gone.deleteLater()
        for index, (method, amount) in enumerate(asked.items()):
            if method not in self.reasons:
                made = self.reasons[method] = self._reason_row(method)
                self._reasons.insertWidget(index, made)
            self.reasons[method].show_difference(amount)
        self.reasons = {method: self.reasons[method] for method in asked}
        rows_asked = self.reasons.values()
        for before, after in pairwise(
            (
                self.big,
                *(one.field.edit for one in rows_asked),
                self.stays.edit,
                *self._opened.findChildren(Button),
                self.count_moved,
                self.again,
                *(chip for one in rows_asked for chip in one.chips.values()),
            )
        ):
            self.setTabOrder(before, after)

    def _reason_row(self, method: str) -> ReasonRow:
        words = CASH_REASONS if method == PaymentMethod.CASH else OTHER_REASONS
        texts = texts_for(self.model.services.catalogue.store(), self.texts)
        kept = {word: texts(f"shift.why.{word}") for word in words}
        is_wide = self._is_large or self.look.metrics.touch < LEAST_TOUCH
        made = ReasonRow(self.look, self.texts, method, kept, is_wide=is_wide)
        made.take_reason(self.model.reasons.get(method, ""))
        made.given.connect(lambda reason: self._reason(method, reason))
        made.refused.connect(lambda: self.room.frame.home.tone("no"))
        return made

    def focus_place(self) -> None:
        """Focus what lacks a reason, or where nothing differs the sum that stays; else the button,
        so that a digit meant for a reason is no sum."""
        row = self.reasons.get(self.model.method_without_reason)
        if row is not None:
            row.focus_field()
        elif self.reasons:
            self.big.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._focus_stays()

    def _focus_stays(self) -> None:
        self.stays.point_out()
        self.stays.edit.selectAll()

    def step_back(self) -> bool:
        """Leave the screen with the count confirmed; TO_CHECK_KEY leads to the open things."""
        return False
