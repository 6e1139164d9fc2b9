"""The manager's PIN in front of a screen; the first time it is chosen here."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER
from pos_app.cashier.manager_lock import ManagerLock
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
from pos_app.errors import Invalid, PosError


class PinGate(QWidget):
    """Fields and a pad; the model says whether it was right.

    asked, first: what is told where the PIN is asked for, and where it is chosen.
    """

    def __init__(
        self, model: ManagerLock, texts: Texts, theme: Theme, *, asked: str, first: str
    ) -> None:
        super().__init__()
        self._model = model
        self._texts = texts
        self._theme = theme
        self._is_first = not model.has_pin
        self._told = first if self._is_first else asked
        metrics = theme.metrics
        self.pin = self._field(texts("cat.pin.new" if self._is_first else "cat.pin"))
        self.again = self._field(texts("cat.pin.again"))
        self.again.setVisible(self._is_first)
        self.open = BigButton(
            theme, texts("cat.pin.keep" if self._is_first else "cat.pin.open"), key=ENTER,
            icon="check",
        )  # fmt: skip
        self.open.clicked.connect(self._answer)
        self.pad = Pad(theme, back_name=texts("pad.back"))
        self.pad.pressed.connect(self._press)
        self.pad.key(",").hide()
        around = QHBoxLayout(self)
        around.addStretch(1)
        column = QVBoxLayout()
        column.addStretch(1)
        panel = Panel(theme)
        row = QHBoxLayout(panel)
        row.setContentsMargins(metrics.s6, metrics.s6, metrics.s6, metrics.s6)
        row.setSpacing(metrics.s6)
        row.addLayout(self._words(), 1)
        row.addWidget(self.pad)
        panel.setMinimumWidth(min(14 * metrics.touch, 20 * metrics.touch))
        column.addWidget(panel)
        column.addStretch(2)
        around.addLayout(column)
        around.addStretch(1)

    def focus_first(self) -> None:
        self.pin.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self._enter()
            return
        super().keyPressEvent(event)

    def _words(self) -> QVBoxLayout:
        texts, theme = self._texts, self._theme
        column = QVBoxLayout()
        column.setSpacing(theme.metrics.s2)
        head = texts("cat.pin.first" if self._is_first else "cat.pin.asked")
        column.addWidget(Label(theme, head, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True))
        column.addWidget(Label(theme, self._told, colour="ink_2", wrap=True))
        for field in (self.pin, self.again):
            if field is self.pin or self._is_first:
                name = Label(
                    theme, field.edit.accessibleName(), step=TypeStep.SMALL, colour="ink_2"
                )
                column.addWidget(name)
            column.addWidget(field)
        column.addStretch(1)
        column.addWidget(self.open)
        return column

    def _field(self, name: str) -> Field:
        field = Field(self._theme, name=name, takes=Typed.NOTHING, step=TypeStep.TITLE)
        field.edit.setEchoMode(QLineEdit.EchoMode.Password)
        field.edit.setMaxLength(12)
        field.changed.connect(lambda _: field.set_error(""))
        return field

    def _press(self, key: str) -> None:
        edit = self.again.edit if self.again.edit.hasFocus() else self.pin.edit
        if key == "back":
            edit.backspace()
        elif key != ",":
            edit.insert(key)

    def _enter(self) -> None:
        if self._is_first and self.pin.edit.hasFocus() and not self.again.text():
            self.again.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._answer()

    def _answer(self) -> None:
        """Let in, or say at the field why not."""
        try:
            if self._is_first:
                self._model.choose_pin(self.pin.text(), self.again.text())
            else:
                self._model.enter_pin(self.pin.text())
        except PosError as error:
            at_again = isinstance(error, Invalid) and error.field == "again"
            field = self.again if at_again else self.pin
            field.edit.clear()
            field.set_error(self._texts.error(error).happened)
            field.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            self._model.services.tones.play("no")
