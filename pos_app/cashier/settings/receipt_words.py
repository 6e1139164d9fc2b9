"""What a shop adds to its receipts: lines above and below, its bank accounts, a short bar code."""

from __future__ import annotations

from functools import partial

from pos_app.cashier.settings.parts import HeadedPanel, Titled
from pos_app.cashier.settings.printer_model import PrinterModel, ReceiptWords
from pos_app.cashier.ui.choices import CheckBox
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import TextArea
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep


class ReceiptWordsPanel(HeadedPanel):
    def __init__(self, model: PrinterModel, ui: UiContext) -> None:
        super().__init__(ui.theme, ui.texts("set.words"))
        self._model, self._texts = model, ui.texts
        theme, texts = ui.theme, ui.texts
        self.column.addWidget(Label(theme, texts("set.words.about"), colour="ink_2", wrap=True))
        self.areas: dict[ReceiptWords, TextArea] = {}
        self._wrong: dict[ReceiptWords, Label] = {}
        for words in ReceiptWords:
            name = texts(f"set.words.{words}")
            area = self.areas[words] = TextArea(theme, name=name)
            area.setFixedHeight(2 * theme.metrics.touch)
            area.textChanged.connect(partial(self._type, words))
            wrong = self._wrong[words] = Label(
                theme, step=TypeStep.SMALL, colour="danger", wrap=True
            )
            self.column.addWidget(Titled(theme, name, area))
            self.column.addWidget(wrong)
        self.short_code = CheckBox(theme, texts("set.words.short_code"))
        self.short_code.clicked.connect(self._tick)
        self.column.addWidget(self.short_code)

    def _tick(self) -> None:
        self._model.set_short_code(self.short_code.isChecked())

    def _type(self, words: ReceiptWords) -> None:
        text = self.areas[words].toPlainText()
        if text != self._model.lines(words):
            self._model.set_lines(words, text)

    def show_model(self) -> None:
        model = self._model
        self.short_code.setChecked(model.draft.short_code)
        self.short_code.setEnabled(model.setup is not None)
        for words, area in self.areas.items():
            if area.toPlainText() != model.lines(words):
                area.setPlainText(model.lines(words))
            area.setEnabled(model.setup is not None)
            is_wrong = model.fault == words
            self._wrong[words].setVisible(is_wrong)
            if is_wrong:
                self._wrong[words].setText(self._texts(f"set.prn.fault.{words}"))
