"""The bar above the table: the search, the acts on the whole catalogue, and the choice of rows."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QMenu, QVBoxLayout, QWidget

from pos_app.cashier.catalogue.columns import ColumnSet
from pos_app.cashier.catalogue.coming_labels import next_day
from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.commands import TillCommand, cap_of
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import ChipRow, ChipSpec, popup_below
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import SearchField
from pos_app.cashier.ui.flow import FlowLayout
from pos_app.cashier.ui.idle import AfterPaint
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.painting import width_of
from pos_app.cashier.words.moments import date_text
from pos_app.domain.article.barcodes import GTIN_LENGTHS
from pos_app.selling.catalogue.catalogue import EditMark

_ALL, _STORE, _GONE, _LABELS, _NAMES = "", "store", "gone", "labels", "names"
_EDITS = "edits:"
"""The prefix of the id of a chip that shows the products whose changes are in one state."""


class FilterBar(QWidget):
    """Signals: `columns_chosen(str)`, a ColumnSet; `conflicts_pressed()`; `names_pressed()` and
    `store_pressed()`, units and categories, or the changes of the store, shall be shown;
    `labels_pressed()`, the labels of coming prices; `left_downward()`, the search is left for the
    rows below."""

    columns_chosen = Signal(str)
    conflicts_pressed = Signal()
    names_pressed = Signal()
    store_pressed = Signal()
    labels_pressed = Signal()
    left_downward = Signal()

    def __init__(self, model: CatalogueModel, ui: UiContext) -> None:
        super().__init__()
        self._model = model
        self._texts = texts = ui.texts
        self._theme = theme = ui.theme
        self.search = SearchField(
            theme,
            name=texts("cat.search"),
            placeholder=texts("cat.search_words"),
            clear_name=texts("search.clear"),
            key=cap_of(TillCommand.SEARCH),
        )
        self.columns_button = Button(theme, texts("cat.columns"), icon="layout-grid")
        self.import_button = Button(theme, texts("cat.import"), icon="upload")
        self.export_button = Button(theme, texts("cat.export"), icon="download")
        self.add_button = Button(theme, texts("cat.add"), icon="plus")
        self.names_button = Button(theme, texts("cat.names"), icon="folder")
        self.undo_button = Button(theme, texts("cat.take_back"), icon="undo-2")
        """Visible while an import or a bulk change can be taken back."""
        self.long_buttons = (self.import_button, self.export_button, self.undo_button)
        self.chips = ChipRow(theme, more=lambda n: texts("picker.more", n=n))
        self._menu = QMenu(self)
        self._chips_later = AfterPaint(self._show_chips, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s2 + 2)
        self._top = QGridLayout()
        self._top.setSpacing(theme.metrics.s2)
        self._top.setColumnStretch(0, 1)
        self._top.addWidget(self.search, 0, 0)
        self._top.addWidget(self.add_button, 0, 2)
        self._is_beside = True
        self._buttons = FlowLayout(theme.metrics.s2)
        for button in (
            self.columns_button,
            self.names_button,
            self.undo_button,
            self.import_button,
            self.export_button,
        ):
            self._buttons.addWidget(button)
        self._top.addLayout(self._buttons, 0, 1)
        self.undo_button.setVisible(model.many.last() is not None)
        column.addLayout(self._top)
        column.addWidget(self.chips)
        self.search.changed.connect(lambda _: self.search_now())
        self.chips.chosen.connect(self._on_chip)
        self.columns_button.clicked.connect(self._open_columns)
        self.names_button.clicked.connect(self.names_pressed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and self.search.edit.hasFocus():
            self.left_downward.emit()
        else:
            super().keyPressEvent(event)

    def search_now(self) -> None:
        self._model.listed.search(self.search.text())

    def show_chips(self) -> None:
        """Count the numbers of the chips anew, once the rows are painted."""
        self._chips_later.ask()
        can_undo = self._model.many.last() is not None
        if self.undo_button.isHidden() == can_undo:
            self.undo_button.setVisible(can_undo)
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()

    def _fit(self) -> None:
        """Shorten the search field's hint, and then put the buttons but the one that adds into a
        row of their own, before the hint or a scanned code is cut."""
        metrics, buttons, font = self._theme.metrics, self._buttons, self._theme.font(TypeStep.BASE)
        wide = buttons.sizeHint().width() + self.add_button.sizeHint().width()
        room = self.width() - wide - 2 * metrics.s2
        is_beside = False
        for hint in (self._texts("cat.search_words"), self._texts("cat.search_words.short")):
            self.search.set_placeholder(hint)
            words = max(width_of(font, hint), width_of(font, "0" * max(GTIN_LENGTHS)))
            is_beside = words + 4 * metrics.touch <= room
            if is_beside:
                break
        if not is_beside:
            self.search.set_placeholder(self._texts("cat.search_words"))
        if is_beside is not self._is_beside:
            self._is_beside = is_beside
            self._top.removeItem(buttons)
            self._top.addLayout(buttons, *((0, 1) if is_beside else (1, 0, 1, 3)))

    def _open_columns(self) -> None:
        self._menu.clear()
        for one in ColumnSet:
            action = QAction(self._texts(f"cat.columns.{one}"), self._menu)
            action.setCheckable(True)
            action.setChecked(one == self._model.columns)
            action.triggered.connect(lambda _=False, key=one: self.columns_chosen.emit(key.value))
            self._menu.addAction(action)
        popup_below(self._menu, self.columns_button)

    def _on_chip(self, chip_id: str) -> None:
        if chip_id in (f"{_EDITS}{EditMark.CONFLICT.value}", _GONE):
            self._chips_later.ask()  # the page opens, the table keeps its rows
            self.conflicts_pressed.emit()
        elif chip_id == _NAMES:
            self._chips_later.ask()
            self.names_pressed.emit()
        elif chip_id == _STORE:
            self._chips_later.ask()
            self.store_pressed.emit()
        elif chip_id == _LABELS:
            self._chips_later.ask()
            self.labels_pressed.emit()
        elif chip_id.startswith(_EDITS):
            self._model.listed.filter(edits=EditMark(chip_id.removeprefix(_EDITS)))
        else:
            self._model.listed.filter(category_id=chip_id or None)

    def _show_chips(self) -> None:
        model, texts = self._model, self._texts
        facts = model.listed.facts()
        specs = [ChipSpec(_ALL, texts("cat.all"))]
        marks = (
            (EditMark.CONFLICT, facts.conflicts, "git-compare"),
            (EditMark.REFUSED, facts.refused, "circle-alert"),
            (EditMark.WAITING, facts.waiting if model.services.has_platform else 0, "clock"),
        )
        for mark, many, icon in marks:
            if many or model.listed.choice.edits is mark:
                text_id = f"cat.chip.{mark.name.lower()}"
                is_waiting = mark is EditMark.WAITING  # changes, of which an article has several
                words = texts.count(text_id, many) if is_waiting else texts(text_id, n=many)
                specs.append(ChipSpec(f"{_EDITS}{mark.value}", words, icon))
        if facts.gone:
            specs.append(ChipSpec(_GONE, texts("cat.chip.gone", n=facts.gone), "git-compare"))
        if facts.stores_to_decide:
            specs.append(ChipSpec(_STORE, texts("cat.chip.store_to_decide"), "git-compare"))
        elif facts.stores_waiting:
            specs.append(ChipSpec(_STORE, texts("cat.chip.store_waiting"), "clock"))
        if (day := next_day(model)) is not None:
            words = texts("cat.coming.chip", day=date_text(day))
            specs.append(ChipSpec(_LABELS, words, "barcode"))
        if facts.names_to_decide:
            specs.append(ChipSpec(_NAMES, texts("cat.chip.names_to_decide"), "git-compare"))
        elif facts.names_waiting and model.services.has_platform:
            specs.append(ChipSpec(_NAMES, texts("cat.chip.names_waiting"), "clock"))
        specs.extend(
            ChipSpec(one.category.id, f"{one.category.name} {one.rows}")
            for one in model.listed.categories()
            if one.rows
        )
        choice = model.listed.choice
        edits = f"{_EDITS}{choice.edits.value}" if choice.edits else ""
        self.chips.set_chips(specs, current=choice.category_id or edits or _ALL)
