"""The PIN of the processor's card: asked for, given to the card once, kept nowhere."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER
from pos_app.cashier.settings.processor import ProcessorModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import BigButton
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.keyboard_layout import Typed
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.processor import PinResult

LONGEST = 8


class CardPin(QWidget):
    """A field and a pad. Signal: `given(str)`, once a press."""

    given = Signal(str)

    def __init__(self, model: ProcessorModel, texts: Texts, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self._texts = texts
        metrics = theme.metrics
        self.pin = Field(
            theme, name=texts("set.card.pin"), takes=Typed.NOTHING, step=TypeStep.TITLE
        )
        self.pin.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.pin.edit.setMaxLength(LONGEST)
        self.pin.changed.connect(lambda _: self.pin.set_error(""))
        self.told = Label(theme, wrap=True, weight=Weight.SEMIBOLD)
        self.give = BigButton(theme, texts("set.card.give"), key=ENTER, icon="check")
        self.give.clicked.connect(self._give)
        self.pad = Pad(theme, back_name=texts("pad.back"))
        self.pad.pressed.connect(self._press)
        for key in (",", "00"):
            self.pad.key(key).hide()
        around = QHBoxLayout(self)
        around.addStretch(1)
        column = QVBoxLayout()
        column.addStretch(1)
        panel = Panel(theme)
        panel.setMinimumWidth(14 * metrics.touch)
        row = QHBoxLayout(panel)
        row.setContentsMargins(metrics.s6, metrics.s6, metrics.s6, metrics.s6)
        row.setSpacing(metrics.s6)
        words = QVBoxLayout()
        words.setSpacing(metrics.s2)
        head = texts("set.card.title")
        words.addWidget(Label(theme, head, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True))
        words.addWidget(Label(theme, texts("set.card.words"), colour="ink_2", wrap=True))
        words.addWidget(Label(theme, texts("set.card.pin"), step=TypeStep.SMALL, colour="ink_2"))
        words.addWidget(self.pin)
        words.addWidget(self.told)
        words.addStretch(1)
        words.addWidget(self.give)
        row.addLayout(words, 1)
        row.addWidget(self.pad)
        column.addWidget(panel)
        column.addStretch(2)
        around.addLayout(column)
        around.addStretch(1)

    def focus_first(self) -> None:
        self.pin.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self._give()
            return
        super().keyPressEvent(event)

    def show_model(self) -> None:
        """What became of the PIN, or that it is on its way."""
        model, texts = self._model, self._texts
        running = model.running == "pin"
        self.give.setEnabled(not running)
        words, is_well = "", False
        if running:
            words = texts("set.card.running")
        elif model.failure is not None:
            words = texts.error(model.failure).happened
        elif (result := model.pin_result) is not None:
            words = texts(f"set.card.{result}")
            is_well = result is PinResult.ACCEPTED
            if result is PinResult.WRONG:
                words = f"{words} {texts.count('set.card.tried', model.wrong_pins)}"
        self.told.setText(words)
        self.told.setVisible(bool(words))
        self.told.set_colour("ink" if is_well or running else "danger")

    def _press(self, key: str) -> None:
        if key == "back":
            self.pin.edit.backspace()
        elif key.isdigit():
            self.pin.edit.insert(key)

    def _give(self) -> None:
        pin = self.pin.text()
        if not (pin.isascii() and pin.isdigit()):
            self.pin.set_error(self._texts("set.card.digits"))
            self.focus_first()
            return
        if not self._model.running:
            self.pin.edit.clear()
            self.given.emit(pin)
