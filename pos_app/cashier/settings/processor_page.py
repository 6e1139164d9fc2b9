"""The page of the fiscal processor. Sources: look.md (Screens, 8), till.md (Settings)."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.cashier.settings.parts import SetupPage, Start, allow_if
from pos_app.cashier.settings.processor_form import ProcessorForm
from pos_app.cashier.settings.processor_model import ProcessorKind, ProcessorModel
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
        self.training_key = Button(ui.theme, ui.texts("set.training"), icon="file-text")
        self.training_key.clicked.connect(
            lambda: start(model.issue_training(), "issue a training receipt")
        )
        self.acts.more.addWidget(self.training_key)
        self.acts.more.addWidget(self.card_key)
        self.show_model()

    def show_model(self) -> None:
        super().show_model()
        model = self._model
        is_saved = not model.has_changes  # typed values are no processor yet
        in_use = model.setup.kind if model.setup is not None else ""
        self.training_key.setVisible(is_saved)
        allow_if(self.training_key, bool(in_use), self._words("set.pfr.unknown"))
        self.card_key.setVisible(is_saved and in_use == ProcessorKind.LPFR)
        self.card_key.setEnabled(not model.running)
