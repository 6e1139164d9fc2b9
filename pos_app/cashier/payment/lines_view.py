"""The lines of the payment. Amounts are typed into the active line; a press makes another line
active."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.payment.model import Payment
from pos_app.cashier.payment.payment_input import PaymentEvents
from pos_app.cashier.payment.payment_texts import ICONS
from pos_app.cashier.payment.tender import Tender, TenderLine
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.field import Field, IconButton
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Icon
from pos_app.cashier.ui.metrics import Metrics, TypeStep, Weight
from pos_app.cashier.ui.painting import rule, width_of
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import PaymentMethod


def line_height(metrics: Metrics) -> int:
    """Return the height of one payment line: a touch target with some space, or two lines of large
    type."""
    words = metrics.line(TypeStep.BASE) + metrics.line(TypeStep.SMALL) + 2 * metrics.s1
    return max(metrics.touch, words) + metrics.s1 + metrics.s1 // 2


class PaymentLine(ThemedWidget):
    """editing: the amount is in a field with the caret. remove_name: "" for a line that can't be
    removed. beside: the line is in the second column, after a rule. Signals: `removed()`;
    `pressed()` on a line that is not active."""

    removed = Signal()
    pressed = Signal()

    def __init__(
        self,
        theme: Theme,
        *,
        icon: str,
        method: str,
        words: str,
        amount: str,
        remove_name: str = "",
        editing: bool = False,
        last: bool = False,
        beside: bool = False,
    ) -> None:
        super().__init__(theme)
        self._last = last
        self._beside = beside
        self._hint = words
        self._name = ElidedLabel(theme, method, weight=Weight.SEMIBOLD)
        self._words_label = ElidedLabel(theme, words, step=TypeStep.SMALL, colour="ink_2")
        self._field: Field | None = None
        self._amount: AmountLabel | None = None
        self._error = ""
        metrics = theme.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s3 + 1, 0, metrics.s1 + 1, metrics.hair)
        row.setSpacing(metrics.s3)
        row.addWidget(Icon(theme, icon))
        row.addLayout(self._words(), 1)
        if editing:
            self._field = self._editor(method, amount)
            row.addWidget(self._field)
        else:
            name = f"{method}:"
            self._amount = label = AmountLabel(
                theme, amount, name=name, step=TypeStep.TITLE, weight=Weight.SEMIBOLD
            )
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            row.addWidget(label)
        if remove_name:
            cross = IconButton(theme, "x", remove_name)
            cross.clicked.connect(self.removed)
            row.addWidget(cross)
        else:
            row.addSpacing(metrics.s3)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def field(self) -> Field | None:
        return self._field

    def set_error(self, words: str) -> None:
        """Show the amount's error in place of the line's words; "" for none."""
        field_error = words if self._field is None else self._field.error()
        if words == self._error == field_error:
            return
        self._error = words
        if self._field is not None:
            self._field.set_error(words)
        if self._amount is not None:
            self._amount.set_colour("danger" if words else "ink")
        self._words_label.setText(words or self._hint)
        self._words_label.set_colour("danger" if words else "ink_2")
        self._fold_hint()

    def event(self, event: QEvent) -> bool:
        is_done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:  # the layout has placed the name
            self._fold_hint()
        return is_done

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold_hint()

    def _fold_hint(self) -> None:
        """Hide a hint that has no room on one line below a name on one line."""
        fits = width_of(self.theme.font(TypeStep.SMALL), self._hint) <= self._name.width()
        is_low = self._name.height() <= self.theme.metrics.line(TypeStep.BASE)
        self._words_label.setVisible(bool(self._error) or (fits and is_low))

    def sizeHint(self) -> QSize:
        return QSize(8 * self.theme.metrics.touch, line_height(self.theme.metrics))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.field is None and self.rect().contains(event.position().toPoint()):
            self.pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if not self._last:
            rule(painter, self.rect(), self.theme)
        if self._beside:
            hair = QRect(0, 0, self.theme.metrics.hair, self.height())
            painter.fillRect(hair, self.theme.colour("line"))

    def _words(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addStretch(1)
        column.addWidget(self._name)
        column.addWidget(self._words_label)
        column.addStretch(1)
        return column

    def _editor(self, method: str, amount: str) -> Field:
        metrics = self.theme.metrics
        field = Field(self.theme, name=method, right=True, step=TypeStep.TITLE, error_below=False)
        field.set_text(amount)
        field.setFixedWidth(
            max(round(3.25 * metrics.touch), round(5.75 * metrics.line(TypeStep.TITLE)))
        )
        return field


OnKey = Callable[[QKeyEvent], bool]

_EDITS = (
    QKeySequence.StandardKey.Paste,
    QKeySequence.StandardKey.Cut,
    QKeySequence.StandardKey.Undo,
    QKeySequence.StandardKey.Redo,
)
_PLAIN = Qt.KeyboardModifier.NoModifier
_OF_THE_FIELD = frozenset(
    {Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Insert}
)


class AmountKeys(QObject):
    """Takes the keys of an amount's field before the field does, because the model has the text."""

    def __init__(self, edit: QLineEdit, on_key: OnKey) -> None:
        super().__init__(edit)
        self._edit = edit
        self._on_key = on_key
        edit.installEventFilter(self)
        edit.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        edit.setAcceptDrops(False)
        edit.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if self._replaces_all(event):
            self._on_key(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Delete, _PLAIN))
            if event.key() == Qt.Key.Key_Backspace:
                return True
        return self._on_key(event) or _would_edit(event)

    def _replaces_all(self, event: QKeyEvent) -> bool:
        """Tell whether the whole text is selected, and this key replaces it."""
        if not self._edit.hasSelectedText() or self._edit.selectedText() != self._edit.text():
            return False
        typed = typed_text(event)
        return event.key() == Qt.Key.Key_Backspace or (typed != "" and typed in "0123456789,.")


def _would_edit(event: QKeyEvent) -> bool:
    """Tell whether this key would change a line edit's text or caret."""
    if any(event.matches(edit) for edit in _EDITS) or event.key() in _OF_THE_FIELD:
        return True
    return bool(typed_text(event))


class PaymentLinesView(QWidget):
    """Has room for `visible_lines` rows, so that nothing below moves; more lines scroll. In a wide
    panel, lines that have no room below each other go into a second column."""

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        model: Payment,
        events: PaymentEvents,
        *,
        on_key: OnKey,
        visible_lines: int = 2,
    ) -> None:
        super().__init__()
        self._model = model
        self._events = events
        self._theme = theme
        self._texts = texts
        self._on_key = on_key
        self._visible_lines = visible_lines
        self._lines: dict[int, PaymentLine] = {}
        self._made_of: tuple[object, ...] = ()
        self._wide = not (theme.metrics.narrow or theme.metrics.large)
        self._area = Scrolled(theme, name=texts("pay.lines"))
        self._active = 0
        self._area.verticalScrollBar().rangeChanged.connect(self._show_active)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._area)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_shown(self, lines: int) -> None:
        if lines != self._visible_lines:
            self._visible_lines = lines
            self._made_of = ()
            self.updateGeometry()

    def height_of(self, lines: int) -> int:
        return lines * line_height(self._theme.metrics)

    def sizeHint(self) -> QSize:
        return QSize(8 * self._theme.metrics.touch, self.height_of(self._visible_lines))

    def minimumSizeHint(self) -> QSize:
        return QSize(4 * self._theme.metrics.touch, self.sizeHint().height())

    @property
    def field(self) -> QLineEdit | None:
        for line in self._lines.values():
            if line.field is not None:
                return line.field.edit
        return None

    def line(self, line_id: int) -> PaymentLine:
        return self._lines[line_id]

    def show_model(self, *, errors: Mapping[int, str]) -> None:
        """Show the lines. errors: what is wrong with them, by their ids."""
        tender = self._model.tender
        made_of = (
            tender.active,
            self._model.credit.by_method,
            self._model.is_offer,
            *((line.id, line.method, self._fixed_text(line, tender)) for line in tender.lines),
        )
        if made_of != self._made_of:
            self._made_of = made_of
            self._build(tender)
        for line_id, line in self._lines.items():
            line.set_error(errors.get(line_id, ""))
        field = self._lines[tender.active].field
        if field is None:
            return
        active = tender.active_line
        rest = tender.remaining(active.method, without=active.id)
        field.set_placeholder(amount_text(rest) if rest else "0")
        field.set_text(active.entry.field_text)
        field.edit.end(False)
        self._active = tender.active
        self._show_active()

    def _show_active(self) -> None:
        if self._active in self._lines:
            self._area.ensureWidgetVisible(self._lines[self._active], 0, 0)

    def _build(self, tender: Tender) -> None:
        panel = Panel(self._theme)
        grid = QGridLayout(panel)
        hair = self._theme.metrics.hair
        grid.setContentsMargins(hair, 0, hair, 0)
        grid.setSpacing(0)
        self._lines = {}
        credit = self._model.credit.by_method
        rows = self._rows(len(tender.lines) + len(credit))
        for number in range(len(tender.lines) + len(credit)):
            side, row = divmod(number, rows)
            is_last, beside = row == rows - 1, side > 0
            if number < len(credit):
                shown = self._credit_line(*credit[number], last=is_last, beside=beside)
            else:
                line = tender.lines[number - len(credit)]
                shown = self._line(line, tender, last=is_last, beside=beside)
                self._lines[line.id] = shown
            grid.addWidget(shown, row, side)
            grid.setColumnStretch(side, 1)
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(panel)
        column.addStretch(1)
        self._area.show_inside(holder)

    def _rows(self, lines: int) -> int:
        """Return the number of rows, in one column or two."""
        return lines if lines <= self._visible_lines or not self._wide else -(-lines // 2)

    def _credit_line(
        self, method: PaymentMethod, amount: Money, *, last: bool, beside: bool
    ) -> PaymentLine:
        """Return the line of an amount for returned goods, which nobody types."""
        return PaymentLine(
            self._theme,
            icon="undo-2",
            method=self._texts("pay.goods_back"),
            words=self._texts(f"pay.line.{method}"),
            amount=amount_text(amount),
            last=last,
            beside=beside,
        )

    def _line(self, line: TenderLine, tender: Tender, *, last: bool, beside: bool) -> PaymentLine:
        method, is_offer = self._texts(f"pay.line.{line.method}"), self._model.is_offer
        made = PaymentLine(
            self._theme,
            icon=ICONS[line.method],
            method=method,
            words=self._texts("pay.hint.offer" if is_offer else f"pay.hint.{line.method}"),
            amount=amount_text(line.entry.amount),
            remove_name="" if is_offer else self._texts("pay.take_away", method=method),
            editing=line.id == tender.active and not is_offer,
            last=last,
            beside=beside,
        )
        model, given = self._model, self._events.given
        made.removed.connect(lambda: given.emit(model.tender.remove(line.id)))
        if not is_offer:
            made.pressed.connect(lambda: given.emit(model.tender.edit(line.id)))
        if made.field is not None:
            AmountKeys(made.field.edit, self._on_key)
        return made

    def _fixed_text(self, line: TenderLine, tender: Tender) -> str | None:
        """Return the amount of a line, or None where it is in a field."""
        is_typed = line.id == tender.active and not self._model.is_offer
        return None if is_typed else amount_text(line.entry.amount)
