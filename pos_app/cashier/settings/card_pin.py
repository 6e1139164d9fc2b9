"""This page asks for the PIN of the processor's card. The PIN goes to the card once, and nothing
keeps it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.cashier.gate.pin_panel import PinPanel
from pos_app.cashier.settings.processor_model import ProcessorModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.setup.processor import PinResult

LONGEST = 8
_OF_PIN = (PinResult.WRONG, PinResult.MALFORMED)
"""The answers that tell of the PIN itself."""


class CardPin(QWidget):
    """Signal: `given(str)` with the PIN, at a press while nothing runs; a PIN with other characters
    than digits is refused here."""

    given = Signal(str)

    def __init__(self, model: ProcessorModel, texts: Texts, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self._texts = texts
        self._told = ""
        """The words that were told last about a PIN."""
        self.panel = PinPanel(
            theme,
            title=texts("set.card.title"),
            words=texts("set.card.words"),
            fields={"pin": texts("set.card.pin")},
            enter=texts("set.card.give"),
            back=texts("typing.back"),
            longest=LONGEST,
            order=lambda panel: "" if panel.text("pin") else texts("sign.type_pin"),
        )
        self.panel.centred_in(self)
        self.panel.entered.connect(self._give)

    def focus_first(self) -> None:
        self.panel.focus_first()

    def show_model(self) -> None:
        """Show the card's answer to the PIN, or that the PIN is on its way."""
        model, texts = self._model, self._texts
        running = model.running == "pin"
        self.panel.enter.setEnabled(not running)
        words, is_well = "", running
        if running:
            words = texts("set.card.running")
        elif model.failure is not None:
            words = texts.error(model.failure).happened
        elif (result := model.pin_result) is not None:
            words = texts(f"set.card.{result}")
            is_well = result is PinResult.ACCEPTED
            if result is PinResult.WRONG:
                words = f"{words} {texts.count('set.card.tried', model.wrong_pins)}"
        if words == self._told:
            return  # what is typed since then is another PIN
        self._told = words
        if not running and model.failure is None and model.pin_result in _OF_PIN:
            self.panel.refuse("pin", words)
        else:
            self.panel.tell("pin", words, colour="ink" if is_well else "danger")

    def _give(self) -> None:
        pin = self.panel.text("pin")
        if not (pin.isascii() and pin.isdigit()):
            self.panel.refuse("pin", self._texts("set.card.digits"))
        elif not self._model.running:
            self.panel.clear()
            self.given.emit(pin)
