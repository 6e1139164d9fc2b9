"""The page of the fiscal processor. Sources: look.md (Screens, 8), till.md (Settings)."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.cashier.settings.parts import SetupPage, Start
from pos_app.cashier.settings.processor import ProcessorKind, ProcessorModel
from pos_app.cashier.settings.processor_form import ProcessorForm
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext


class ProcessorPage(SetupPage):
    """ask_card_pin: opens the panel for the card's PIN."""

    def __init__(
        self, model: ProcessorModel, ui: UiContext, start: Start, ask_card_pin: Callable[[], None]
    ) -> None:
        form = ProcessorForm(model, ui, start)
        super().__init__(model, ui, start, form, name=ui.texts("set.page.processor"))
        self._model = model
        self.card_key = Button(ui.theme, ui.texts("set.card.enter"), icon="key-round")
        self.card_key.clicked.connect(ask_card_pin)
        self.acts.more.addWidget(self.card_key)
        self.show_model()

    def show_model(self) -> None:
        super().show_model()
        setup, running = self._model.setup, bool(self._model.running)
        self.card_key.setVisible(setup is not None and setup.kind == ProcessorKind.LPFR)
        self.card_key.setEnabled(not running)
