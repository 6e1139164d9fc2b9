"""The blind count shows all notes and coins at once, slips beside them, and only their sum.

No field is filled in, and no float or expected sum is shown. Sources: till.md ("Shift"),
mock-17."""

from __future__ import annotations

from functools import cached_property

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER, TillCommand, cap_of
from pos_app.cashier.scanner.letters import letter_of
from pos_app.cashier.shift.model import Lack, ShiftPageKind
from pos_app.cashier.shift.page import TO_CHECK_KEY, ShiftPage
from pos_app.cashier.shift.room import ShiftRoom
from pos_app.cashier.ui.buttons import Button, KeyCap
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.labels import NO_AMOUNT, AmountLabel, ElidedLabel, Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.cashier.ui.painting import width_of
from pos_app.cashier.ui.panel import Divider, FilledPanel, Ground, Panel
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.domain.money.number_text import amount_text
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.shift.count import COINS, KINDS_OF_CASH, NOTES, CountField, CountKind

STAR = "*"
IS_WHOLE = "whole"
"""The dynamic property of a field for a number of things."""


@dataclass(frozen=True, slots=True)
class _Slip:
    """A row beside the cash: icon and words, and fields, of which the row needs `taken` pixels."""

    row: QBoxLayout
    icon: Icon
    words: tuple[ElidedLabel, ...]
    taken: int

    def lacks(self, free_width: int) -> int:
        """The pixels that the words lack in a column of that width, without the icon."""
        return max(label.narrowest() for label in self.words) + self.taken - free_width

    def fold(self, free_width: int, *, icon: bool) -> None:
        """Put the fields below the words where these have no room beside them."""
        self.icon.setVisible(icon)
        ways = QBoxLayout.Direction
        self.row.setDirection(ways.TopToBottom if self.lacks(free_width) > 0 else ways.LeftToRight)


class CountPage(ShiftPage):
    """Enter leads to the next note or coin; F12 confirms from anywhere."""

    def __init__(self, room: ShiftRoom) -> None:
        super().__init__(room)
        self.fields: dict[str, Field] = {}
        self._worths: dict[tuple[int, bool], AmountLabel] = {}
        self._sums: dict[bool, AmountLabel] = {}
        self._columns: list[tuple[QWidget, int]] = []
        self._slips: list[_Slip] = []
        self._last_to_stay: list[QWidget] = []
        """The widgets that are hidden where even narrow columns don't fit: bundles and rolls, which
        `*` still fills, and words that explain."""
        self._walk = list(self.model.walk)
        self.is_float = self.model.page is ShiftPageKind.FLOAT
        notes, middle = self._notes(), QVBoxLayout()
        middle.setSpacing(self.look.metrics.s3)
        middle.addWidget(self._coins(), 0 if not self.is_float else 1)
        if not self.is_float:
            middle.addWidget(self._beside_cash(), 1)
        held = QWidget()
        held.setLayout(middle)
        middle.setContentsMargins(0, 0, 0, 0)
        inside = QWidget()
        columns = QHBoxLayout(inside)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(self.look.metrics.s3)
        columns.addWidget(notes, 1)
        columns.addWidget(held, 1)
        area = ScrolledColumn(self.look, name=self.texts("shift.count"))
        area.show_inside(inside)
        self.row.addWidget(area, 1)
        self.row.addWidget(self.side)
        self._lay_out_side()
        self._show_typed()
        self.refresh()

    # --- parts -----------------------------------------------------------------------------------

    def _notes(self) -> Panel:
        head = (self.texts("shift.note"), self.texts("shift.bundle", n=self.model.form.bundle))
        return self._cash(NOTES, head, is_coin=False)

    def _coins(self) -> Panel:
        head = (self.texts("shift.coin"), self.texts("shift.roll", n=self.model.form.roll))
        return self._cash(COINS, head, is_coin=True)

    def _cash(self, kinds: tuple[int, ...], head: tuple[str, str], *, is_coin: bool) -> Panel:
        theme, metrics = self.look, self.look.metrics
        panel = FilledPanel(theme)
        column = panel.edge_column(foot=metrics.s1)  # the last field stands off the edge
        total = AmountLabel(theme, step=TypeStep.STRONG, name=head[0])
        self._sums[is_coin] = total
        top = Ground(theme, colour="sunken", side=Qt.Edge.BottomEdge)
        row = self._line(top)
        for wide, words in enumerate((head[0], self.texts("shift.pieces"), head[1])):
            label = Label(theme, words, step=TypeStep.SMALL, colour="ink_2")
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self._columns.append((label, wide))
            if wide == 2:
                self._last_to_stay.append(label)
            row.addWidget(label)
        row.addWidget(total, 1)
        top.setFixedHeight(round(0.8 * metrics.touch))
        column.addWidget(top)
        for number, worth in enumerate(kinds):
            if number:
                column.addWidget(Divider(theme))
            column.addWidget(self._kind(worth, is_coin=is_coin), 1)
        return panel

    def _line(self, holder: QWidget) -> QHBoxLayout:
        metrics = self.look.metrics
        row = QHBoxLayout(holder)
        row.setContentsMargins(metrics.s1, 0, metrics.s3, 0)
        row.setSpacing(metrics.s2)
        return row

    def _kind(self, worth: int, *, is_coin: bool) -> QWidget:
        theme, metrics = self.look, self.look.metrics
        holder = QWidget()
        row = self._line(holder)
        row.setContentsMargins(metrics.s1, metrics.s1 // 2, metrics.s3, metrics.s1 // 2)
        name = self.texts.number(worth)
        label = Label(theme, name, step=TypeStep.TITLE, weight=Weight.BOLD)
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._columns.append((label, 0))
        row.addWidget(label)
        of = self.texts("shift.of_coin" if is_coin else "shift.of_note", worth=name)
        packs = "shift.rolls_of" if is_coin else "shift.bundles_of"
        for kind, text in (
            (CountKind.PIECES, of),
            (CountKind.PACKS, self.texts(packs, worth=name)),
        ):
            field = self._field(CountField(kind, worth, is_coin), text)
            self._columns.append((field, 1))
            if kind is CountKind.PACKS:
                self._last_to_stay.append(field)
            row.addWidget(field)
        amount = AmountLabel(theme, step=TypeStep.STRONG, name=name)
        self._worths[worth, is_coin] = amount
        row.addWidget(amount, 1)
        return holder

    def _beside_cash(self) -> Panel:
        theme, metrics, texts = self.look, self.look.metrics, self.texts
        panel = FilledPanel(theme)
        column = panel.edge_column()
        top = Ground(theme, colour="sunken", side=Qt.Edge.BottomEdge)
        row = QHBoxLayout(top)
        row.setContentsMargins(metrics.s3, metrics.s2, metrics.s3, metrics.s2)
        row.addWidget(Label(theme, texts("shift.beside"), step=TypeStep.SMALL, wrap=True), 1)
        words = Label(
            theme, texts("shift.from_slip"), step=TypeStep.SMALL, colour="ink_2", wrap=True
        )
        row.addWidget(words, 2)
        self._last_to_stay.append(words)
        column.addWidget(top)
        for one in self._walk:
            if one.kind in _BESIDE:
                column.addWidget(self._other(one))
                column.addWidget(Divider(theme))
        note = Label(theme, texts("shift.by_bank"), step=TypeStep.SMALL, colour="ink_2", wrap=True)
        note.setMargin(metrics.s2)
        column.addWidget(note)
        column.addStretch(1)
        return panel

    def _other(self, count_field: CountField) -> QWidget:
        theme, metrics, texts = self.look, self.look.metrics, self.texts
        icon, text_id = _BESIDE[count_field.kind]
        name = count_field.terminal or texts(f"shift.{text_id}")
        holder = QWidget()
        row = QBoxLayout(QBoxLayout.Direction.LeftToRight, holder)
        row.setContentsMargins(metrics.s3, metrics.s1 // 2, metrics.s3, metrics.s1 // 2)
        row.setSpacing(metrics.s2)
        words = QVBoxLayout()
        words.setSpacing(0)
        under = texts(f"shift.{text_id}_words")
        labels = (
            ElidedLabel(theme, name, weight=Weight.SEMIBOLD),
            ElidedLabel(theme, under, step=TypeStep.SMALL, colour="ink_2"),
        )
        for label in labels:
            words.addWidget(label)
        named, fields = QHBoxLayout(), QHBoxLayout()
        named.setSpacing(metrics.s2)
        sign = Icon(theme, icon)
        named.addWidget(sign)
        named.addLayout(words, 1)
        fields.setSpacing(metrics.s2)
        fields.addStretch(1)
        taken = 2 * (metrics.s3 + metrics.s2 + metrics.hair)
        if count_field.kind is CountKind.CHEQUES:
            many = self._field(CountField(CountKind.CHEQUES_MANY), texts("shift.cheques_many"))
            short = texts("shift.cheques_short")
            many.edit.setPlaceholderText(short)
            whole = width_of(theme.font(TypeStep.STRONG, Weight.BOLD), short) + 4 * metrics.s2
            many.setFixedWidth(max(round(1.2 * metrics.touch), whole))
            taken += many.minimumWidth()
            fields.addWidget(many)
        field = self._field(count_field, name)
        field.setFixedWidth(round(2.8 * metrics.touch))
        fields.addWidget(field)
        row.addLayout(named, 1)
        row.addLayout(fields)
        self._slips.append(_Slip(row, sign, labels, taken + field.minimumWidth()))
        return holder

    def _field(self, of: CountField, name: str) -> Field:
        field = AmountField(self.look, name=name, error_below=False, step=TypeStep.STRONG)
        field.edit.setMaxLength(12)
        field.changed.connect(lambda text: self._on_typed(of, text))
        field.refused.connect(lambda: self.room.frame.home.tone("no"))
        field.edit.installEventFilter(self)
        field.edit.setProperty("count", of.name)
        field.edit.setProperty(IS_WHOLE, of.is_number)
        self.fields[of.name] = field
        return field

    def _lay_out_side(self) -> None:
        theme, metrics, texts = self.look, self.look.metrics, self.texts
        self.panel = panel = Panel(theme)
        panel.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        column = QVBoxLayout(panel)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s2)
        head = QHBoxLayout()
        title = texts("shift.counted")
        head.addWidget(ElidedLabel(theme, title, step=TypeStep.STRONG, weight=Weight.BOLD), 1)
        self._kinds = Label(theme, step=TypeStep.SMALL, colour="ink_2")
        head.addWidget(self._kinds)
        column.addLayout(head)
        self.total = AmountLabel(theme, name=title)
        column.addWidget(self.total)
        self.right.addWidget(panel)
        self.blind: NoticePanel | None = None
        if not self.is_float:
            self.blind = NoticePanel(
                theme,
                NoticeKind.INFO,
                happened=texts("shift.blind"),
                safe=texts("shift.blind_words"),
                press="",
            )
            self.right.addWidget(self.blind)
        self.pad = Pad(theme, back_name=texts("typing.back"), third="00")
        self.pad.pressed.connect(self._pad)
        self.right.addWidget(self.pad, 1)
        self.right.addStretch(0)  # has the room of a pad that is hidden
        self._hints = self._hints_row()
        self.right.addWidget(self._hints)
        self.right.addLayout(self._buttons())
        self.right.addWidget(self.big)
        words = "shift.open_counted" if self.is_float else "shift.confirm_count"
        self.big.show_act(texts(words), key=cap_of(TillCommand.PAY), icon="check")

    def _hints_row(self) -> QWidget:
        hints = QWidget()
        row = QHBoxLayout(hints)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self.look.metrics.s1)
        for cap in ("2", STAR):
            row.addWidget(KeyCap(self.look, cap))
        small = {"step": TypeStep.SMALL, "colour": "ink_2"}
        row.addWidget(ElidedLabel(self.look, self.texts("shift.two_packs"), **small), 1)  # type: ignore[arg-type]
        row.addWidget(KeyCap(self.look, "↑"))
        row.addWidget(Label(self.look, self.texts("back"), **small))  # type: ignore[arg-type]
        return hints

    def _buttons(self) -> QHBoxLayout:
        texts, row = self.texts, QHBoxLayout()
        row.setSpacing(self.look.metrics.s2)
        self.next = Button(
            self.look, texts("shift.next_kind"), icon="corner-down-left", key=ENTER, spread=True
        )
        icon = "" if self.look.metrics.narrow else "pause"  # so that Enter stands beside it
        self.to_sale = Button(self.look, texts("back.sale"), icon=icon)
        for button in (self.next, self.to_sale):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.next.clicked.connect(lambda: self.go(1))
        self.to_sale.clicked.connect(self.room.frame.go_home)
        row.addWidget(self.next, 1)
        row.addWidget(self.to_sale)
        self._last_to_stay.append(self.to_sale)
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the page is narrow, narrow the columns, then hide the rows' amounts, which the sum
        includes. On a low screen hide the words about the blind count, then the row of keys, and
        the pad last, because figures are typed with it; where it has no room either, they have its
        room."""
        super().resizeEvent(event)
        metrics = self.look.metrics
        room = (event.size().width() - self.side.minimumWidth() - 4 * metrics.s3) // 2
        amounts = self._least["amount"] + metrics.s3
        wide = next((one for one in (_WIDE, _NARROW) if self._across(one) + amounts <= room), None)
        for widget, column in self._columns:
            widget.setFixedWidth(self._column_width(wide or _NARROW, column))
        for label in (*self._worths.values(), *self._sums.values()):
            label.setVisible(wide is not None)
        fits = self._across(_NARROW) + 2 * metrics.s4 <= room
        for one in self._last_to_stay:
            one.setVisible(fits)
        icon = max((one.icon.sizeHint().width() + metrics.s2 for one in self._slips), default=0)
        has_icons = all(one.lacks(room) + icon <= 0 for one in self._slips)
        for slip in self._slips:
            slip.fold(room, icon=has_icons)
        self._fold(event.size().height() - 2 * metrics.s3)

    def _column_width(self, wide: tuple[int, int], column: int) -> int:
        """wide: in hundredths of a touch size. No head and no name of a note is cut."""
        share = wide[min(column, 1)] * self.look.metrics.touch // 100
        return max(share, self._least["name" if not column else "head"])

    def _across(self, wide: tuple[int, int]) -> int:
        metrics = self.look.metrics
        columns = self._column_width(wide, 0) + 2 * self._column_width(wide, 1)
        return columns + metrics.s1 + 3 * metrics.s2

    @cached_property
    def _least(self) -> dict[str, int]:
        """The least widths of a name, a head and an amount."""
        theme = self.look
        heads = [
            self.texts("shift.pieces"),
            self.texts("shift.bundle", n=self.model.form.bundle),
            self.texts("shift.roll", n=self.model.form.roll),
        ]
        small = theme.font(TypeStep.SMALL)
        name = theme.font(TypeStep.TITLE, Weight.BOLD)
        amount = theme.font(TypeStep.STRONG, Weight.BOLD)
        return {
            "name": width_of(name, self.texts.number(NOTES[0])) + 2,
            "head": max(width_of(small, one) for one in heads) + 2,
            "amount": width_of(amount, "500.000,00"),
        }

    def _fold(self, height: int) -> None:
        below = self.big.sizeHint().height() + self.next.sizeHint().height()
        metrics = self.look.metrics
        around = self.panel.sizeHint().height() + below + 5 * metrics.s3
        left, hints = height - around, metrics.cap + metrics.s3
        pad = self.pad.minimumSizeHint().height()
        has_pad = left >= pad
        left -= pad if has_pad else 0
        self.pad.setVisible(has_pad)
        self._hints.setVisible(left >= hints)
        left -= hints if left >= hints else 0
        if self.blind is not None:
            wide = self.side.minimumWidth()
            needed = max(self.blind.heightForWidth(wide), self.blind.sizeHint().height())
            self.blind.setVisible(left >= needed + metrics.s3)

    # --- typing ----------------------------------------------------------------------------------

    def _show_typed(self) -> None:
        for name, text in self.model.count.typed_texts.items():
            if name in self.fields:
                self.fields[name].set_text(text)

    def _on_typed(self, of: CountField, text: str) -> None:
        field, model = self.fields[of.name], self.model
        if model.count.typed_texts.get(of.name, "") == text:
            field.judge("")
            self.refresh()
            return
        before = model.error
        self.attempt(model.type_count, of.name, text)
        wrong = self.fault(of.name) if model.error is not before else ""
        field.judge(wrong)
        self.refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take Enter, the arrows and the star before the field sees them. The pad offers the sign
        that the field with the focus can use: pieces are whole, amounts are not."""
        if event.type() is QEvent.Type.FocusIn:
            self.pad.set_third("00" if watched.property(IS_WHOLE) else ",")
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            if not event.isAutoRepeat() or key == Qt.Key.Key_Down:
                self.go(1)
            return True
        if key == Qt.Key.Key_Up:
            self.go(-1)
            return True
        if letter_of(event) == TO_CHECK_KEY and not self.is_float:
            self.room.to_check()
            return True
        if event.text() == STAR and isinstance(watched, QLineEdit):
            self._to_packs(watched)
            return True
        return False

    def _to_packs(self, edit: QLineEdit) -> None:
        name = str(edit.property("count"))
        packs = self.fields.get(name.replace(CountKind.PIECES.value, CountKind.PACKS.value, 1))
        if not name.startswith(CountKind.PIECES.value) or packs is None or not edit.text():
            self.room.frame.home.tone("no")
            return
        packs.set_text(edit.text())
        edit.clear()

    def go(self, by: int) -> None:
        """Go to the next or previous note, coin or slip; after the last one to the button."""
        names = [one.name for one in self._walk]
        focus = self.focusWidget()
        now = str(focus.property("count") or "") if isinstance(focus, QLineEdit) else ""
        beside = now.replace(CountKind.PACKS.value, CountKind.PIECES.value, 1)
        beside = beside.replace(CountKind.CHEQUES_MANY.value, CountKind.CHEQUES.value, 1)
        at = names.index(beside) if beside in names else -1
        to = at + by
        if to >= len(names):
            if self.big.hasFocus() or at == len(names) - 1:
                self.enter()
            return
        edit = self.fields[names[max(to, 0)]].edit
        edit.setFocus(Qt.FocusReason.OtherFocusReason)
        edit.selectAll()

    def _pad(self, key: str) -> None:
        focus = self.focusWidget()
        if not isinstance(focus, QLineEdit):
            self.focus_place()
            focus = self.focusWidget()
        if isinstance(focus, QLineEdit):
            focus.backspace() if key == "back" else focus.insert(key)

    # --- for the screen --------------------------------------------------------------------------

    def refresh(self) -> None:
        count, texts = self.model.count, self.texts
        none = texts("shift.not_counted")
        wrong = self._wrong_kinds()
        for (worth, is_coin), label in self._worths.items():
            amount = count.worth_of(worth, is_coin=is_coin)
            is_wrong = (worth, is_coin) in wrong
            label.setText(
                NO_AMOUNT if is_wrong else none if amount is None else amount_text(amount)
            )
            is_amount = amount is not None or is_wrong
            label.set_step(TypeStep.STRONG if is_amount else TypeStep.SMALL)
            label.set_colour("ink" if is_amount else "ink_2")
        for is_coin, label in self._sums.items():
            is_wrong = any(of_coin is is_coin for _, of_coin in wrong)
            label.setText(NO_AMOUNT if is_wrong else amount_text(count.cash_of(is_coin=is_coin)))
        self.total.setText(NO_AMOUNT if wrong else amount_text(count.cash))
        self._show_act()
        self._kinds.setText(texts("shift.kinds", n=count.counted_kinds, of=KINDS_OF_CASH))

    def _wrong_kinds(self) -> set[tuple[int, bool]]:
        """The notes and coins whose fields are wrong, as in `_worths`; they make no sum."""
        wrong = {name for name, field in self.fields.items() if field.fault()}
        kinds = (one for one in self.model.form.fields if one.worth and one.name in wrong)
        return {(one.worth, one.is_coin) for one in kinds}

    def _show_act(self) -> None:
        lack: Lack | None = None
        if any(field.fault() for field in self.fields.values()):
            lack = "number"
        elif not self.model.count.counted_kinds:
            lack = "count"
        act = "shift.open_counted" if self.is_float else "shift.confirm_count"
        self.show_order(lack, self.texts(act))

    def confirmed(self) -> None:
        self.keyed()

    def enter(self) -> None:
        wrong = [one for one in self.fields.values() if one.fault()]
        if wrong:
            wrong[0].point_out()
            self.room.frame.home.tone("no")
            return
        confirm = self.model.open_shift if self.is_float else self.model.confirm_count
        if not self.attempt(confirm):
            error = self.model.error
            if error is not None and error.field == "count":
                self.room.frame.top.tell(lambda texts: texts.error(error).happened)
            self.focus_place()
        elif not self.is_float:
            self.room.ask_server()

    def focus_place(self) -> None:
        walk = [one.name for one in self._walk]
        empty = (name for name in walk if not self.fields[name].text())
        name = next(empty, walk[0])
        self.fields[name].edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def step_back(self) -> bool:
        """Leave the count for the shift's own page; it is kept, and goes on from there."""
        self.model.error = None
        return self.back_to_shift()


_WIDE, _NARROW = (165, 185), (135, 140)
"""The widths of a note's name, and of a field, in hundredths of a touch size."""
_BESIDE = {
    CountKind.SLIP: ("credit-card", "slip"),
    CountKind.CHEQUES: ("file-check-2", "cheques"),
    CountKind.VOUCHERS: ("ticket", "vouchers"),
}
