"""The table with its head, or words that no row fits, or that there are no articles yet. The model
keeps what is typed in a cell."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from pos_app.cashier.catalogue.columns import FIELD_OF, SORTED_BY, CatalogueColumn, ColumnSet
from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.catalogue.product_edit_words import deleted_name, undone_words
from pos_app.cashier.catalogue.table import Go, ProductTable
from pos_app.cashier.catalogue.table_head import CatalogueTableHead
from pos_app.cashier.catalogue.table_rows import CatalogueRows
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.panel import EmptyState, FilledPanel
from pos_app.errors import PosError
from pos_app.selling.catalogue.catalogue import CatalogueRow
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.catalogue.table import TableChoice, TableOrder

_TABLE, _NOTHING, _NONE_YET = range(3)


class TableArea(QWidget):
    """Signals: `refused(str)`, why a list's choice, or an undone change, could not be saved;
    `doubted(str)`, the saved text may be a mistake; `undecided()`, the form shows what was typed
    beside somebody else's change, or says that its article is gone; `undone(str)`, the change that
    was taken back; `many_undone()`, no cell was changed last, so a change of many articles may be
    meant; `cell_left(CatalogueRow)`, the row of the cell that was edited left the list, and nothing
    was saved; `import_wanted()` and `everything_wanted()`, from the words in the table's place.
    """

    refused = Signal(str)
    cell_left = Signal(object)
    import_wanted = Signal()
    everything_wanted = Signal()
    many_undone = Signal()
    undone = Signal(str)
    undecided = Signal()
    doubted = Signal(str)

    def __init__(self, model: CatalogueModel, ui: UiContext) -> None:
        super().__init__()
        self._model, self._listed = model, model.listed
        self._texts = texts = ui.texts
        self.rows = CatalogueRows(model, texts, self)
        self.table = ProductTable(ui.theme, texts, self.rows)
        self.head = CatalogueTableHead(ui.theme, texts, self.table)
        self._shown_choice: TableChoice | None = None
        self._current: CatalogueRow | None = None
        """The current row as it was when it became the current one."""
        self.show_all = Button(ui.theme, texts("empty.show_all"), icon="list")
        self.show_all.clicked.connect(self.everything_wanted)
        nothing = EmptyState(
            ui.theme,
            title=texts("cat.nothing"),
            words=texts("cat.nothing_words"),
            icon="search",
            colour="ink_2",
            button=self.show_all,
        )
        self.import_button = Button(ui.theme, texts("cat.import_articles"), icon="upload")
        self.import_button.clicked.connect(self.import_wanted)
        begins = texts("cat.empty_platform" if model.services.has_platform else "cat.empty_words")
        none_yet = EmptyState(
            ui.theme,
            title=texts("cat.empty"),
            words=begins,
            icon="tag",
            colour="ink_2",
            button=self.import_button,
        )
        panel = FilledPanel(ui.theme)
        stack = panel.edge_column()
        stack.addWidget(self.head)
        stack.addWidget(self.table, 1)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(panel)
        for empty in (nothing, none_yet):
            self._pages.addWidget(empty)
        self._connect()
        self.table.show_columns(ColumnSet(model.columns))

    def focus_table(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_columns(self, column_set: str) -> None:
        self._model.columns = column_set
        self.table.show_columns(ColumnSet(column_set))
        self.focus_table()

    def scroll_back(self) -> None:
        if index := self._listed.scrolled:
            QTimer.singleShot(0, self, lambda: self.table.verticalScrollBar().setValue(index))

    def show_rows(self) -> None:
        """Show the rows anew; the article of an open cell stays the current one, and if the choice
        is the same, that of any current row, at its place on the screen. Where the current one
        went, the next one is current if this manager took it away, else none is."""
        self.table.close_outdated_list()
        current, cell, listed = self.table.currentIndex(), self.table.edited, self._listed
        place, top = self.table.visualRect(current), self.table.verticalScrollBar().value()
        was_seen = self.table.viewport().rect().intersects(place)
        self.rows.reset()
        self._pages.setCurrentIndex(self._page())
        self.head.show_order(self._order(), descending=listed.choice.descending)
        is_same, self._shown_choice = self._shown_choice == listed.choice, listed.choice
        number = None
        if cell is not None:
            number = self.rows.number_of(cell.row, cell.column, near=current.row())
            if number is None:
                self.table.close_cell()
                self.cell_left.emit(cell.row)
        chosen = self._current if is_same else None
        if number is None and chosen is not None and listed.count:
            number = listed.number_of(chosen, near=current.row())
            if number is None and self._model.is_ours:
                number = min(max(current.row(), 0), listed.count - 1)
        if number is not None:
            self.table.setCurrentIndex(self.rows.index(number, max(current.column(), 0)))
            if is_same:
                moved = (number - current.row()) * self.table.theme.metrics.touch if was_seen else 0
                self.table.verticalScrollBar().setValue(top + moved)
            self.table.place_editor()
        elif chosen is not None:
            self.table.close_cell()
            self.table.verticalScrollBar().setValue(top)
        elif listed.count:
            self.table.setCurrentIndex(self.rows.index(0, CatalogueColumn.NAME))
            self.table.scrollToTop()

    def reopen_cell(self) -> None:
        """Open the cell again that was open before these widgets were made."""
        if self._model.edited_cell is None:
            return
        row, field = self._model.edited_cell
        column = next(one for one, name in FIELD_OF.items() if name is field)
        number = self.rows.number_of(row, column)
        self._model.edited_cell = None
        if number is not None and not self.table.isColumnHidden(column):
            index = self.rows.index(number, column)
            self.table.edit_cell(index)

    def show_ticks(self) -> None:
        self.head.tick.show_ticks(some=bool(self._listed.ticked), every=self._listed.all_ticked)

    def follow_current(self) -> None:
        """Make the row of the edited product the current one, however the product was opened."""
        wanted = self._model.current_id
        row = self._row(self.table.currentIndex().row())
        if not wanted or self._model.is_new or (row is not None and row.product_id == wanted):
            return
        index = self._listed.index_of(wanted)
        if index is not None:
            self.table.set_current(index)

    # --- parts -----------------------------------------------------------------------------------

    def _connect(self) -> None:
        table = self.table
        self.head.pressed.connect(lambda column: self._listed.sort(SORTED_BY[column]))
        self.head.tick_pressed.connect(self._listed.tick_all)
        table.ticked.connect(self._tick)
        table.current_changed.connect(self._on_current)
        table.cell_typed.connect(self._on_cell_typed)
        table.cell_entered.connect(self._on_cell_entered)
        table.undo_pressed.connect(self._undo)
        table.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    def _page(self) -> int:
        if self._listed.count:
            return _TABLE
        return _NONE_YET if self._listed.is_empty else _NOTHING

    def _row(self, number: int) -> CatalogueRow | None:
        return self._listed.row(number)

    def _order(self) -> TableOrder:
        choice = self._listed.choice
        is_by_name = choice.order is TableOrder.BEST and not choice.query
        return TableOrder.NAME if is_by_name else choice.order

    def _on_scrolled(self, index: int) -> None:
        if self.isVisible():
            self._listed.scrolled = index

    def _tick(self, number: int) -> None:
        row = self._row(number)
        if row is not None:
            self._listed.tick(row.product_id)

    def _on_current(self, number: int) -> None:
        self._current = self._row(number)

    def _on_cell_typed(self, row: CatalogueRow, field: str, text: str) -> None:
        self._model.put_cell(row, DraftField(field), text)

    def _on_cell_entered(self, row: CatalogueRow, field: str, text: str, go: int) -> None:
        number, name = self.table.currentIndex().row(), DraftField(field)
        self.refused.emit("")  # another entry begins
        below = self._row(number + 1) if go == Go.DOWN else None
        if self._model.save_cell(row, name, text):
            doubt = self._model.doubts().get(name) if text else None
            self.table.close_cell()
            target = row if below is None else below
            self.table.go_on(self._found_again(target, near=number), name, Go(go))
            words = self._plan_words() if name is DraftField.PRICE else ""
            if doubt is not None:
                words = self._texts.error(doubt).happened
            if words:
                self.doubted.emit(f"{row.name}: {words}")
            return
        model = self._model
        if model.meanwhile or model.must_decide or model.measure_asked:
            self.table.close_cell()
            self.undecided.emit()
            return
        others = next(iter(self._model.faults.values()), self._model.failure)
        fault = self._model.faults.get(field, others)
        why = "" if fault is None else self._texts.error(fault).happened
        if self.table.cell_editor is not None:
            self.table.show_cell_error(why)
        else:
            self._model.drop_cell(row, name)
            self.refused.emit(why)

    def _plan_words(self) -> str:
        """Return what is charged in place of the price that was entered; "" where it is charged."""
        current, now = self._model.current, self._model.services.till.clock.now()
        plan = None if current is None else current.plan
        if plan is None or not plan.holds_at(now):
            return ""
        return self._texts("cat.plan.holds", price=plan.price)

    def _found_again(self, wanted: CatalogueRow, *, near: int) -> int:
        """The number of a row after a save, which may have moved rows."""
        for number in (near, near + 1):
            row = self._row(number)
            if row is not None and row.product_id == wanted.product_id:
                return number
        index = self._listed.index_of(wanted.product_id)
        return near if index is None else index

    def _undo(self) -> None:
        """Discard the unsaved text of the current row, else undo the last change that was saved."""
        self.refused.emit("")
        row = self._row(self.table.currentIndex().row())
        if row is not None and (owner_id := self._model.unsaved_in(row)):
            self._model.open(row.product_id, owner_id, with_form=False)
            self._model.drop_typed()
            return
        if self._model.deleted is not None:
            self.bring_back()
            return
        if self._model.is_settled:
            self.refused.emit(self._texts("cat.undone.nothing"))
            return
        if self._model.undoable is None:
            self.many_undone.emit()
        else:
            self._undo_last()

    def undo_in_form(self) -> None:
        """Undo what was saved last, if that is of the article in the form."""
        self.refused.emit("")
        model = self._model
        owner_id = model.current.owner.id if model.current is not None else ""
        if model.deleted is not None and model.deleted.product.id == owner_id:
            self.bring_back()
            return
        if model.undoable is None or model.undoable.owner_id != owner_id:
            model.services.tones.play("no")
        else:
            self._undo_last()

    def bring_back(self) -> None:
        """Take the deletion back that was the last act, and stand on its row."""
        try:
            deleted = self._model.bring_back()
        except PosError as error:
            self._refuse(error)
            return
        if deleted is None:  # a notice of it stands, and something else was done since
            self.refused.emit(self._texts("cat.undone.nothing"))
            return
        self._stand_on(deleted.product.id)
        self.undone.emit(self._texts("cat.deleted.is_back", name=deleted_name(deleted)))

    def _refuse(self, error: PosError) -> None:
        self._model.services.tones.play("no")
        notice = self._texts.error(error)
        is_open = error.kind == "deletion_on_its_way"
        self.refused.emit(f"{notice.happened} {notice.press}" if is_open else notice.happened)

    def _stand_on(self, product_id: str) -> None:
        index = self._listed.index_of(product_id)
        if index is not None:
            self.table.set_current(index)

    def _undo_last(self) -> None:
        try:
            undone = self._model.undo()
        except PosError as error:
            self._refuse(error)
            return
        if undone is not None:
            self._stand_on(undone.product_id)
            self.undone.emit(undone_words(undone, self._model, self._texts))
        elif self._model.measure_asked:
            self.undecided.emit()
