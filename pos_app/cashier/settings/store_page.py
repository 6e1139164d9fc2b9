"""The page of the store: every field of the store resource. Source: till.md (Settings)."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.services.open_edits import OpenEditPanels
from pos_app.cashier.settings import parts, store_model
from pos_app.cashier.settings.store_edit_words import opened, value_words
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import CheckBox, Segment
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.panel import EmptyState, clear_layout
from pos_app.cashier.ui.save_bar import SaveBar
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.words.moments import clock_text
from pos_app.cashier.words.platform_faults import field_fault_words
from pos_app.domain.article.store import PickerType, ReceiptLanguage
from pos_app.domain.money.payment import PaymentMethod

_LANGUAGES, _PICKERS = tuple(ReceiptLanguage), (PickerType.GRID, PickerType.LIST)
_PAIRED = (
    (store_model.StoreText.NAME,),
    (store_model.StoreText.ADDRESS,),
    (store_model.StoreText.CITY, store_model.StoreText.ZIP),
    (store_model.StoreText.PHONE, store_model.StoreText.GLN),
)
_ON_RECEIPTS = ("print_bank_accounts", "print_discounts")
"""The switches beside the receipts' language; the others are about the till."""


class StorePage(parts.SettingsPage):
    def __init__(self, model: store_model.StoreModel, ui: UiContext, start: parts.Start) -> None:
        super().__init__()
        self._model, self._texts, self._theme, self._start = model, ui.texts, ui.theme, start
        texts, theme = ui.texts, ui.theme
        self.fields = {entry: self._field(entry) for entry in store_model.StoreText}
        self.checks = {
            one: CheckBox(theme, texts(f"set.store.{one}")) for one in store_model.SWITCHES
        }
        self.language = Segment(
            theme,
            [texts(f"set.store.language.{one}") for one in _LANGUAGES],
            name=texts("set.store.language"),
        )
        self.picker = Segment(
            theme,
            [texts(f"set.store.picker.{one}") for one in _PICKERS],
            name=texts("set.store.picker"),
        )
        self.order = PaymentOrderRows(model, ui)
        self.edit = OpenEditPanels(ui, otherwise=self.focus_first)
        self._shown_edits: tuple[object, ...] = (None, ())
        self.acts = SaveBar(theme, texts)
        self._empty = EmptyState(
            theme,
            title=texts("set.store.none"),
            words=texts("set.store.none_words"),
            icon="store",
            colour="ink_2",
        )
        self._area = Scrolled(theme, name=texts("set.page.store"))
        self._lay_out()
        self._connect()
        self.show_model()

    def _field(self, entry: store_model.StoreText) -> Field:
        figures = entry in (
            store_model.StoreText.ZIP,
            store_model.StoreText.PHONE,
            store_model.StoreText.GLN,
        )
        made = Field(
            self._theme,
            name=self._texts(f"set.store.{entry}"),
            takes=InputKind.NUMBER if figures else InputKind.WORDS,
        )
        made.setObjectName(f"store {entry}")
        made.changed.connect(partial(self._type, entry))
        return made

    # --- for the frame ---------------------------------------------------------------------------

    def refresh(self) -> None:
        model = self._model
        before = model.store, model.edit, model.failure
        model.read()
        if (model.store, model.edit, model.failure) != before:
            self.show_model()

    def focus_first(self) -> None:
        self.fields[store_model.StoreText.NAME].edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def press_main(self) -> None:
        if not self._model.running:
            self._save()

    # --- parts -----------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        texts, theme = self._texts, self._theme
        metrics = theme.metrics
        whole = QVBoxLayout(self)
        whole.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        whole.setSpacing(metrics.s3)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s3)
        shop = parts.HeadedPanel(theme, texts("set.store.shop"))
        for entries in _PAIRED:
            titled = (
                parts.Titled(theme, texts(f"set.store.{entry}"), self.fields[entry])
                for entry in entries
            )
            shop.column.addWidget(parts.TitledRow(theme, *titled))
        shop.column.addStretch(1)
        column.addWidget(self.edit)
        column.addWidget(parts.Sides(theme, shop, self._receipts()))
        column.addWidget(parts.Sides(theme, self._till(), self.order))
        column.addStretch(1)
        self._area.show_inside(inside)
        whole.addWidget(self._area, 1)
        whole.addWidget(self._empty)
        whole.addWidget(self.acts)

    def _receipts(self) -> parts.HeadedPanel:
        texts, theme = self._texts, self._theme
        panel = parts.HeadedPanel(theme, texts("set.store.receipts"))
        panel.column.addWidget(parts.Titled(theme, texts("set.store.language"), self.language))
        words = Label(
            theme, texts("set.store.print_methods"), step=TypeStep.SMALL, colour="ink_2", wrap=True
        )
        panel.column.addWidget(words)
        row = QHBoxLayout()
        for one in store_model.PRINT_METHODS:
            row.addWidget(self.checks[one])
        row.addStretch(1)
        panel.column.addLayout(row)
        for one in _ON_RECEIPTS:
            panel.column.addWidget(self.checks[one])
        panel.column.addStretch(1)
        return panel

    def _till(self) -> parts.HeadedPanel:
        texts, theme = self._texts, self._theme
        panel = parts.HeadedPanel(theme, texts("set.store.till"))
        panel.column.addWidget(parts.Titled(theme, texts("set.store.picker"), self.picker))
        for one, check in self.checks.items():
            if one not in (*store_model.PRINT_METHODS, *_ON_RECEIPTS):
                panel.column.addWidget(check)
        panel.column.addStretch(1)
        return panel

    def _connect(self) -> None:
        model = self._model
        for one, check in self.checks.items():
            check.clicked.connect(lambda on, setting=one: model.switch(setting, on))
        self.language.chosen.connect(lambda number: model.choose_language(_LANGUAGES[number]))
        self.picker.chosen.connect(lambda number: model.choose_picker(_PICKERS[number]))
        self.acts.save.clicked.connect(self._save)
        self.acts.drop.clicked.connect(model.drop)

    def _type(self, entry: store_model.StoreText, text: str) -> None:
        if text != self._model.texts[entry]:
            self._model.type(entry, text)

    def _save(self) -> None:
        entry, _ = self._missing()
        if entry is None:
            self._start(self._model.save(), "save the store")
            return
        if entry is store_model.StoreText.GLN:
            self._model.refuse_gln()
        self.fields[entry].edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _missing(self) -> tuple[store_model.StoreText | None, str]:
        """Return the field that is to be mended before the store can be saved, or None, and the
        order, or "". What to decide stands above the fields, and comes after them."""
        model, texts = self._model, self._texts
        if model.name_is_missing:
            return store_model.StoreText.NAME, texts("set.order.name")
        if model.gln_is_wrong:
            return store_model.StoreText.GLN, texts("set.order.gln")
        return None, texts("cat.order.decide") if model.meanwhile else ""

    # --- what is shown ---------------------------------------------------------------------------

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        known = model.store is not None
        self._area.setVisible(known)
        self._empty.setVisible(not known)
        for entry, field in self.fields.items():
            parts.show_in(field, model.texts[entry])
        for entry, field in self.fields.items():
            field.set_error(self._error_of(entry))
        for one, check in self.checks.items():
            check.setChecked(model.switches[one])
        self.language.set_current(_LANGUAGES.index(model.language))
        self.picker.set_current(_PICKERS.index(model.picker))
        self.order.show_model()
        if (edits := (model.edit, model.meanwhile)) != self._shown_edits:
            self._shown_edits = edits
            self.edit.show_edits(opened(model, texts))
        changed = known and model.has_changes
        self.acts.drop.setVisible(changed)
        can_save = changed and not model.running
        parts.allow_if(self.acts.save, can_save, texts("set.nothing_to_save"))
        self.acts.save.show_act(order=self._missing()[1] if can_save else "")
        self.acts.tell(*self._standing())

    def _error_of(self, entry: store_model.StoreText) -> str:
        """Return a field's error, which was found here or answered by the platform."""
        model, edit = self._model, self._model.edit
        if entry is store_model.StoreText.NAME and model.name_is_missing:
            return self._texts("set.store.name_missing")
        if entry is store_model.StoreText.GLN and model.gln_is_refused:
            return self._texts("set.store.gln_wrong")
        for one in model.meanwhile:
            if one.field == entry:
                became = value_words(one.theirs, self._texts)
                return self._texts("cat.meanwhile.became", value=became)
        is_refused = edit is not None and edit.error_field == entry
        return field_fault_words(edit.error, self._texts) if edit is not None and is_refused else ""

    def _standing(self) -> tuple[StateKind | None, str]:
        model, texts = self._model, self._texts
        if model.running:
            return StateKind.WAIT, texts("set.running.save")
        if model.failure is not None:
            why = texts.error(model.failure).happened
            only_there = model.is_only_there
            return StateKind.FAILED, texts("set.store.only_there", why=why) if only_there else why
        if model.saved_at is not None:
            time = clock_text(model.saved_at)
            if model.edit is not None:
                return StateKind.WAIT, texts("set.store.saved_here", time=time)
            text_id = "set.store.saved_there" if model.has_platform else "set.saved"
            return StateKind.DONE, texts(text_id, time=time)
        if model.meanwhile:
            return StateKind.DECIDE, texts("cat.meanwhile")
        if model.store is not None and model.has_changes:
            return StateKind.DECIDE, texts("set.unsaved")
        return None, ""


class PaymentOrderRows(parts.HeadedPanel):
    """Orders the methods of the payment window, and sets which of them begin rows."""

    def __init__(self, model: store_model.StoreModel, ui: UiContext) -> None:
        super().__init__(ui.theme, ui.texts("set.store.order"))
        self._model, self._texts = model, ui.texts
        self._rows = QVBoxLayout()
        self._rows.setSpacing(ui.theme.metrics.s1)
        self.column.addLayout(self._rows)
        self.column.addStretch(1)
        self._shown_rows: tuple[tuple[PaymentMethod, ...], ...] = ()
        self.buttons: dict[tuple[PaymentMethod, int], Button] = {}
        self.begins: dict[PaymentMethod, CheckBox] = {}

    def show_model(self) -> None:
        rows = self._model.rows
        if rows == self._shown_rows:
            return
        self._shown_rows = rows
        focus = next((name for name, part in self._all_buttons().items() if part.hasFocus()), None)
        clear_layout(self._rows)
        self.buttons.clear()
        self.begins.clear()
        for index, method in enumerate(self._model.methods):
            self._rows.addWidget(self._row(method, index))
        if focus is not None:
            self._all_buttons()[focus].setFocus(Qt.FocusReason.OtherFocusReason)

    def _all_buttons(self) -> dict[tuple[PaymentMethod, int], QAbstractButton]:
        """Return all buttons of the methods by method and number; the check box of a method has the
        number 0."""
        return {**self.buttons, **{(method, 0): box for method, box in self.begins.items()}}

    def _row(self, method: PaymentMethod, index: int) -> QWidget:
        model, texts, theme = self._model, self._texts, self.theme
        words = texts(f"pay.line.{method}")
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s2)
        row.addWidget(Label(theme, words, wrap=True), 1)
        begins = CheckBox(theme, texts("set.store.begins"))
        begins.setAccessibleName(f"{words}: {texts('set.store.begins')}")
        begins.setChecked(model.begins[index])
        begins.setEnabled(index > 0)
        if not index:
            begins.refuse(texts("set.store.begins_first"))
        begins.clicked.connect(lambda on: model.set_begins(method, on))
        self.begins[method] = begins
        row.addWidget(begins)
        last = len(model.methods) - 1
        for by, icon, at_end in (
            (-1, "chevron-up", index == 0),
            (1, "chevron-down", index == last),
        ):
            name = texts("set.store.up" if by < 0 else "set.store.down")
            button = Button(theme, icon=icon, name=f"{words}: {name}")
            if at_end:
                button.refuse(texts("set.store.at_end"))
            button.clicked.connect(lambda _=False, by=by: model.move(method, by))
            self.buttons[method, by] = button
            row.addWidget(button)
        return whole
