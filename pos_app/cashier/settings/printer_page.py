"""The page of the shop's printers. Sources: look.md (Screens, 8), till.md (Settings)."""

from __future__ import annotations

from pos_app.cashier.settings.parts import SetupPage, Start
from pos_app.cashier.settings.printer_form import PrinterForm
from pos_app.cashier.settings.printer_model import PrinterModel
from pos_app.cashier.ui.context import UiContext


class PrinterPage(SetupPage):
    def __init__(self, model: PrinterModel, ui: UiContext, start: Start) -> None:
        form, name = PrinterForm(model, ui, start), ui.texts("set.page.printers")
        super().__init__(model, ui, start, form, name=name)
        self._model, self._texts = model, ui.texts
        self.show_model()

    def fault_words(self) -> str:
        fault, texts = self._model.fault, self._texts
        key = f"set.prn.fault.{fault}"
        if fault in ("", "address"):
            return ""
        return texts(key) if texts.has(key) else texts("set.prn.fault.settings")
