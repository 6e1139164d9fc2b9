"""The form of the seller: the name on receipts, and whether the shop is in the system of VAT."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout

from pos_app.cashier.settings import parts
from pos_app.cashier.settings.cashier_model import CashierModel
from pos_app.cashier.ui.choices import RadioCard
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.selling.sale.cashier_setup import IN_VAT, NAME


class CashierForm(parts.SetupForm):
    def __init__(self, model: CashierModel, ui: UiContext, *, asks_name: bool = True) -> None:
        """asks_name: the form asks for the name, too, as in a first start."""
        super().__init__()
        self._model, self._texts = model, ui.texts
        texts, theme = ui.texts, ui.theme
        self.name = Field(theme, name=texts("set.cashier.name"), takes=InputKind.WORDS)
        self.cards = {
            in_vat: RadioCard(
                theme, texts(f"set.cashier.vat.{word}"), texts(f"set.cashier.vat.{word}_words")
            )
            for in_vat, word in ((True, "in"), (False, "out"))
        }
        self._given = {setting: parts.FactRows(theme) for setting in (NAME, IN_VAT)}
        panel = parts.HeadedPanel(theme, texts("set.cashier.name"))
        panel.column.addWidget(Label(theme, texts("set.cashier.words"), colour="ink_2", wrap=True))
        panel.column.addWidget(bounded(theme, self.name))
        panel.column.addWidget(self._given[NAME])
        vat = parts.HeadedPanel(theme, texts("set.cashier.vat"))
        vat.column.addWidget(parts.Cards(theme, tuple(self.cards.values())))
        vat.column.addWidget(self._given[IN_VAT])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s3)
        column.addWidget(panel)
        panel.setVisible(asks_name)
        self._asks_name = asks_name
        column.addWidget(vat)
        column.addStretch(1)
        self.name.changed.connect(self._type)
        for in_vat, card in self.cards.items():
            card.clicked.connect(lambda _=False, in_vat=in_vat: model.choose(in_vat=in_vat))
        self.show_model()

    def _type(self, text: str) -> None:
        if text != self._model.name:
            self._model.type(text)

    def refresh(self) -> None:
        self._model.read()

    def focus_first(self) -> None:
        has_name = self._asks_name and not self._model.is_given(NAME)
        first = self.name.edit if has_name else self.cards[True]
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_missing(self) -> None:
        if self._model.name_fault:
            self.focus_first()
        else:
            self.cards[True].setFocus(Qt.FocusReason.TabFocusReason)

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        parts.show_in(self.name, model.name)
        self.name.setEnabled(not model.is_given(NAME))
        # An empty field is no mistake before somebody typed in it: the bar says what is missing.
        fault = model.name_fault
        self.name.set_error(
            texts(f"set.cashier.fault.{fault}") if fault not in ("", "blank") else ""
        )
        for in_vat, card in self.cards.items():
            card.setChecked(model.in_vat is in_vat)
            parts.allow_if(card, not model.is_given(IN_VAT), texts("set.fault.given"))
        for setting, rows in self._given.items():
            given = model.is_given(setting)
            rows.show_facts(parts.given_facts(texts, [setting] if given else []))
            rows.setVisible(given)
