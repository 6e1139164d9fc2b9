"""The manager's PIN in front of a screen; the first time it is chosen here."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from pos_app.cashier.manager_lock import ManagerLock
from pos_app.cashier.pin_panel import PinPanel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.theme import Theme
from pos_app.errors import Invalid, PosError
from pos_app.selling.people.manager_pin import DEMO_PIN
from pos_app.selling.people.people import MOST_DIGITS_BEFORE


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
        self._is_first = not model.has_pin
        words = first if self._is_first else asked
        if not self._is_first and self._is_demos(model):
            words = f"{words} {texts('cat.pin.demo', pin=DEMO_PIN)}"
        fields = {"pin": texts("cat.pin.new" if self._is_first else "cat.pin")}
        if self._is_first:
            fields["again"] = texts("cat.pin.again")
        self.panel = PinPanel(
            theme,
            title=texts("cat.pin.first" if self._is_first else "cat.pin.asked"),
            words=words,
            fields=fields,
            enter=texts("cat.pin.keep" if self._is_first else "cat.pin.open"),
            back=texts("pad.back"),
            longest=MOST_DIGITS_BEFORE,
        )
        self.panel.centred_in(self)
        self.panel.entered.connect(self._answer)

    @staticmethod
    def _is_demos(model: ManagerLock) -> bool:
        """Whether it is still the PIN that a new demo has."""
        services = model.services
        return services.settings.environment == "demo" and services.manager.matches(DEMO_PIN)

    def focus_first(self) -> None:
        self.panel.focus_first()

    def _answer(self) -> None:
        """Let in, or say at the field why not."""
        panel = self.panel
        try:
            if self._is_first:
                self._model.choose_pin(panel.text("pin"), panel.text("again"))
            else:
                self._model.enter_pin(panel.text("pin"))
        except PosError as error:
            at_again = isinstance(error, Invalid) and error.field == "again"
            panel.refuse("again" if at_again else "pin", self._texts.error(error).happened)
            self._model.services.tones.play("no")
