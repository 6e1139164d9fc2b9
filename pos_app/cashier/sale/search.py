"""The row with the search field, and the button of the pad beside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.cashier.commands import TillCommand, cap_of
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import SearchField
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.domain.money.number_text import quantity_text
from pos_app.selling.sale.scan import ScanPurpose


class KeysHint(ThemedWidget):
    """Shows "F1 тастери" in quiet letters at the end of a field; a press on it goes to the
    field."""

    CAP = cap_of(TillCommand.KEYS)

    def __init__(self, texts: Texts, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._texts = texts
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        metrics, theme = self.theme.metrics, self.theme
        words = painting.width_of(theme.font(TypeStep.SMALL), self._texts("keys.hint"))
        wide = painting.cap_width(theme, self.font(), self.CAP) + metrics.s2 + words + metrics.s1
        return QSize(wide, metrics.cap)

    def tell(self) -> None:
        self.setAccessibleName(f"{self.CAP} {self._texts('keys.hint')}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        wide = painting.cap_width(theme, self.font(), self.CAP)
        rect = QRect(0, 0, wide, self.height())
        painting.paint_key_cap(painter, rect, theme, self.CAP, ink="ink_2", edge="line_strong")
        room = self.rect().adjusted(wide + theme.metrics.s2, 0, 0, 0)
        words = self._texts("keys.hint")
        painting.write(
            painter,
            room,
            words,
            theme.colour("ink_2"),
            theme.font(TypeStep.SMALL),
            align=painting.LEFT,
        )


class SearchRow(QWidget):
    """Signals: `text_typed(str)` after each letter, `entered()` for Enter, `next_pressed()`,
    `pad_toggled(bool)`, `down_pressed()` for the arrow into the rows."""

    text_typed = Signal(str)
    entered = Signal()
    next_pressed = Signal()
    pad_toggled = Signal(bool)
    down_pressed = Signal()

    def __init__(self, model: SaleModel, texts: Texts, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._texts = texts
        self._theme = theme
        self.search = SearchField(
            theme,
            name=texts("search.name"),
            placeholder="",
            clear_name=texts("search.clear"),
            key=cap_of(TillCommand.SEARCH),
            parent=self,
        )
        self.hint = KeysHint(texts, theme, self.search)
        self.next = Button(theme, "", bold=True, name=texts("next.name"), parent=self)
        self.pad = Button(theme, icon="calculator", name=texts("pad.name"), parent=self)
        self.pad.setCheckable(True)
        row = QHBoxLayout(self)
        half = theme.metrics.s2 // 2
        row.setContentsMargins(half, 0, half, 0)
        row.setSpacing(theme.metrics.s2)
        row.addWidget(self.search, 1)
        row.addWidget(self.next, 0, Qt.AlignmentFlag.AlignTop)  # an error makes the field taller
        row.addWidget(self.pad, 0, Qt.AlignmentFlag.AlignTop)
        for button in (self.next, self.pad):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.search.edit.installEventFilter(self)
        self.search.changed.connect(self.text_typed)
        self.search.changed.connect(lambda _: self._move_hint())
        self.next.clicked.connect(self.next_pressed)
        self.pad.toggled.connect(self.pad_toggled)
        self.show_state()

    def text(self) -> str:
        return self.search.text()

    def clear(self) -> None:
        self.search.set_text("")

    def take_focus(self) -> None:
        self.search.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def type_key(self, event: QKeyEvent) -> None:
        """Type a printable key that was pressed outside the field."""
        self.take_focus()
        self.search.edit.insert(event.text())

    def press(self, key: str) -> None:
        edit = self.search.edit
        if key == "back":
            edit.backspace()
        else:
            edit.insert(key)

    def show_state(self) -> None:
        """Show the words for the next quantity and for what the next code is for."""
        texts, model = self._texts, self._model
        wide = not self._theme.metrics.narrow
        count = quantity_text(model.cart.next_quantity) if model.cart.next_quantity else "1"
        self.next.set_words(texts("next.times", n=count), lead=texts("next.lead") if wide else "")
        self.next.set_kind(ButtonKind.CHOSEN if model.cart.next_quantity else ButtonKind.PLAIN)
        self.next.setAccessibleName(f"{texts('next.name')}: {count}")
        self.pad.setAccessibleName(texts("pad.hide" if self.pad.isChecked() else "pad.name"))
        self.search.edit.setAccessibleName(texts("search.name"))
        self.hint.tell()
        self._move_hint()

    def _tell_what_to_type(self) -> None:
        """Show the longest of the field's own words that leave room for the hint."""
        keys, edit = _placeholders(self._model.cart.purpose), self.search.edit
        room = edit.width() - 2 * self._theme.metrics.s4
        # the words of a mode matter more than the hint
        if self._model.cart.purpose is ScanPurpose.ADD:
            room -= self.hint.sizeHint().width()
        parts = [self._texts(text_id) for text_id in keys]
        font = edit.fontMetrics()
        fitting = (one for one in parts if font.horizontalAdvance(one) <= room)
        self.search.set_placeholder(next(fitting, parts[-1]))

    def _move_hint(self) -> None:
        """Put the hint at the end of the empty field, if the field's own words leave room."""
        if self.text():  # words and hint are hidden, and typing is not delayed
            self.hint.hide()
            return
        self._tell_what_to_type()
        edit, hint = self.search.edit, self.hint
        size = hint.sizeHint()
        frame = edit.geometry()
        rect = QRect(QPoint(frame.right() - size.width(), 0), size)
        rect.moveTop(frame.center().y() - size.height() // 2 + 1)
        hint.setGeometry(rect)
        words = edit.fontMetrics().horizontalAdvance(edit.placeholderText())
        has_room = frame.left() + words + self._theme.metrics.s4 < rect.left()
        hint.setVisible(has_room)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._move_hint()
        if not isinstance(event, QKeyEvent):
            return False
        kind = event.type()
        if kind is QEvent.Type.ShortcutOverride and not self._is_text(event):
            event.ignore()  # the keys of the screen act also during typing
            return True
        if kind is QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Down:
            self.down_pressed.emit()
            return True
        if kind is QEvent.Type.KeyPress and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                # the event ends here, so that it does not confirm what it opens
                self.entered.emit()
            return True
        return False

    def _is_text(self, event: QKeyEvent) -> bool:
        """Tell whether the field keeps a key that is also a key of the screen."""
        if event.key() == Qt.Key.Key_Delete:
            return bool(self.text())
        return True


def _placeholders(purpose: ScanPurpose) -> tuple[str, ...]:
    match purpose:
        case ScanPurpose.SHOW_PRICE:
            return "search.price", "search.price_short"
        case ScanPurpose.TAKE_OFF:
            return "search.off", "search.off_short"
        case ScanPurpose.ADD:
            return "search.placeholder", "search.placeholder_short"
