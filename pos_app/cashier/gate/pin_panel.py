"""A panel in which PINs are typed: words, fields, a button, and a pad beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER
from pos_app.cashier.gate.who_and_pin import PinField
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.errors import Invalid
from pos_app.selling.people.people import check_new_pin


def order_of_new(pin: str, again: str, texts: Texts) -> str:
    """Return what to do before a new PIN, typed twice, can be kept; "" for nothing."""
    try:
        check_new_pin(pin, again, digits=0)
    except Invalid as error:
        return texts("pin.repeat" if error.field == "again" else "sign.type_pin")
    return ""


class PinPanel(Panel):
    """The button is plain and says what to do while something is missing. Signal: `entered()`,
    sent by the button, and by Enter unless it leads on to an empty field."""

    entered = Signal()

    def __init__(
        self,
        theme: Theme,
        *,
        title: str,
        words: str,
        fields: Mapping[str, str],
        enter: str,
        back: str,
        longest: int,
        order: Callable[[PinPanel], str],
    ) -> None:
        """fields: the name above each field, by its id. longest: the number of digits of a PIN.
        enter: the words of the button. back: the name of the pad's key that deletes a digit.
        order: returns what to do before the button can act, "" for nothing."""
        super().__init__(theme)
        self.fields = {
            field_id: self._field(field_id, name, longest) for field_id, name in fields.items()
        }
        self._fault_labels = {
            field_id: Label(theme, colour="danger", wrap=True) for field_id in fields
        }
        """The fault below each field, in as many text lines as needed; the room of one is kept, so
        that a fault moves no key of the pad."""
        self.result_label = Label(theme, wrap=True, weight=Weight.SEMIBOLD)
        self.result_label.hide()
        self.enter = BigButton(theme, enter, key=ENTER, icon="check")
        self.enter.clicked.connect(self.entered)
        self._enter_word, self._order = enter, order
        self.pad = Pad(theme, back_name=back, third="C")
        self.pad.pressed.connect(self._press)
        self.words = Label(theme, words, colour="ink_2", wrap=True)
        self.column = QVBoxLayout()
        self._lay_out(title, fields)
        self._show_enter()

    def _lay_out(self, title: str, fields: Mapping[str, str]) -> None:
        theme, metrics = self.theme, self.theme.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s6, metrics.s6, metrics.s6, metrics.s6)
        row.setSpacing(metrics.s6)
        self.column.setSpacing(metrics.s2)
        head = Label(theme, title, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True)
        self.column.addWidget(head)
        self.column.addWidget(self.words)
        for field_id, field in self.fields.items():
            self.column.addWidget(
                Label(theme, fields[field_id], step=TypeStep.SMALL, colour="ink_2")
            )
            self.column.addWidget(field)
            self._fault_labels[field_id].hide()
            self.keep_room(self._fault_labels[field_id])
            self.column.addWidget(self._fault_labels[field_id])
        self.column.addWidget(self.result_label)
        self.column.addStretch(1)
        self.column.addWidget(self.enter)
        row.addLayout(self.column, 1)
        row.addWidget(self.pad)

    def keep_room(self, label: Label) -> None:
        """Keep a line free for words that come and go, so that they move no key of the pad."""
        label.setMinimumHeight(self.theme.metrics.line(TypeStep.BASE))
        policy = label.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        label.setSizePolicy(policy)

    def centred_in(self, slot: QWidget) -> None:
        """Lay the panel out alone in a widget, somewhat above the middle."""
        self.setMinimumWidth(14 * self.theme.metrics.touch)
        around = QHBoxLayout(slot)
        around.addStretch(1)
        column = QVBoxLayout()
        column.addStretch(1)
        column.addWidget(self)
        column.addStretch(2)
        around.addLayout(column)
        around.addStretch(1)

    def text(self, field_id: str) -> str:
        return self.fields[field_id].text()

    def clear(self) -> None:
        for field in self.fields.values():
            field.edit.clear()

    def focus_first(self) -> None:
        next(iter(self.fields.values())).edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def refuse(self, field_id: str, words: str) -> None:
        """Show at a field why its PIN is wrong, and empty it, so that the PIN is typed anew."""
        wrong = self.fields[field_id]
        wrong.edit.clear()
        self.tell(field_id, words, colour="danger")
        wrong.set_error(words)
        wrong.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def tell(self, field_id: str, words: str, *, colour: Token) -> None:
        """Show words below a field, in the room that is kept for its fault; "" for none."""
        label = self._fault_labels[field_id]
        label.setText(words)
        label.setVisible(bool(words))
        label.set_colour(colour)

    def ask_for(self, field_id: str, words: str) -> bool:
        """Say that a PIN is lacking if nothing is typed, unless the reason of a refusal still
        stands at its field, and let it be typed there. Return whether nothing is typed."""
        if self.text(field_id):
            return False
        field = self.fields[field_id]
        self.refuse(field_id, field.error() or words)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self._go_on()
            return
        super().keyPressEvent(event)

    def _field(self, field_id: str, name: str, longest: int) -> Field:
        field = PinField(self.theme, name=name, longest=longest)
        field.changed.connect(lambda _: self._forgive(field_id))
        field.changed.connect(lambda _: self._show_enter())
        return field

    def _show_enter(self) -> None:
        """Show on the button what it does, or what is missing before it can."""
        self.enter.show_act(self._enter_word, order=self._order(self), rests=False)

    def _forgive(self, field_id: str) -> None:
        self.fields[field_id].set_error("")
        self.tell(field_id, "", colour="danger")

    def _press(self, key: str) -> None:
        focused = (field.edit for field in self.fields.values() if field.edit.hasFocus())
        edit = next(focused, next(iter(self.fields.values())).edit)
        if key == "back":
            edit.backspace()
        elif key == "C":
            edit.clear()
        else:
            edit.insert(key)

    def _go_on(self) -> None:
        """Go from a typed field to the next empty one; emit `entered` if there is none."""
        fields = list(self.fields.values())
        at = next((n for n, field in enumerate(fields) if field.edit.hasFocus()), len(fields))
        empty = next((field for field in fields[at + 1 :] if not field.text()), None)
        if at < len(fields) and fields[at].text() and empty is not None:
            empty.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.entered.emit()
