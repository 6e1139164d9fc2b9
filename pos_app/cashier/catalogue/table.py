"""The table of up to 100,000 products; rows are read and painted as they come into sight.

A cell is edited in place by a field over it, or a list below it, which stay open and follow their
article when the rows are read again. The model sorts in SQL; the head only asks for it. Source:
look.md (Components, Table; Screens, 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from functools import partial

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from pos_app.cashier.catalogue import columns
from pos_app.cashier.catalogue.cell_editors import CellFault, CellList
from pos_app.cashier.catalogue.cells import CellPainter
from pos_app.cashier.catalogue.table_rows import CatalogueRows
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.choices import popup_below
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.painting import width_of
from pos_app.cashier.ui.scrolling import ThinScrollBar
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.cashier.ui.views import Index, begin_whole
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue import product_draft
from pos_app.selling.catalogue.catalogue import CatalogueRow, EditMark

_AT_ONCE = frozenset({columns.CatalogueColumn.NAME, columns.CatalogueColumn.PRICE})
"""The columns that a press on the current row edits; in others a second press on the cell does."""
_SHIFT = Qt.KeyboardModifier.ShiftModifier


class Go(IntEnum):
    """The caret's direction once a cell is saved."""

    STAY = 0
    DOWN = 1
    ON = 2
    BACK = 3


_KEYS: Mapping[Qt.Key, Go] = {
    Qt.Key.Key_Return: Go.DOWN,
    Qt.Key.Key_Enter: Go.DOWN,
    Qt.Key.Key_Tab: Go.ON,
    Qt.Key.Key_Backtab: Go.BACK,
}


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of an article; `row` tells which one, wherever its row is by now."""

    row: CatalogueRow
    column: columns.CatalogueColumn


@dataclass(frozen=True, slots=True)
class Tapped:
    """A cell under a finger. spot: the finger's point on the screen."""

    cell: TableCell
    spot: QPoint


class ProductTable(QTableView):
    """Signals: `opened(int)`, the row whose fields shall be shown; `current_changed(int)`;
    `ticked(int)`; `cell_typed(CatalogueRow, str, str)` while a cell is typed in: row, field, text;
    `cell_entered(CatalogueRow, str, str, int)` when it shall be saved, with the caret's direction,
    a `Go`;
    `key_typed(QKeyEvent)`, a letter for the search; `left_upward()`; `undo_pressed()`."""

    opened = Signal(int)
    current_changed = Signal(int)
    ticked = Signal(int)
    cell_typed = Signal(object, str, str)
    cell_entered = Signal(object, str, str, int)
    undo_pressed = Signal()
    key_typed = Signal(object)
    left_upward = Signal()
    arranged = Signal()

    def __init__(self, theme: Theme, texts: Texts, rows: CatalogueRows) -> None:
        super().__init__()
        self.theme = theme
        self._texts = texts
        self._rows = rows
        self._set = columns.SETS[columns.ColumnSet.MAIN]
        self._editor: Field | None = None
        self.cell_list: CellList | None = None
        self._fault: CellFault | None = None
        self._edited: TableCell | None = None
        self._pressed = QPersistentModelIndex()
        self.tapped: Tapped | None = None
        """The cell that a finger tapped, while `opened` is emitted for it."""
        self._edits_at_once = False
        down = self.verticalHeader()  # with 100,000 rows each of these takes 3 s after setModel
        down.hide()
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        down.setMinimumSectionSize(theme.metrics.touch)
        down.setDefaultSectionSize(theme.metrics.touch)
        self.setModel(rows)
        self.painter = CellPainter(theme, rows, self, is_edited=self.is_edited)
        self.setItemDelegate(self.painter)
        self.setAccessibleName(texts("cat.table"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.horizontalHeader().hide()
        self.horizontalHeader().setMinimumSectionSize(1)
        ThinScrollBar(theme, self)
        self.verticalScrollBar().valueChanged.connect(lambda _: self.place_editor())

    # --- columns ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current row in sight: a form that opens beside the table, or a notice above it,
        makes it lower."""
        row, stood = self.visualRect(self.currentIndex()), QRect(QPoint(), event.oldSize())
        self.arrange()
        super().resizeEvent(event)
        if row.intersects(stood):
            self.scrollTo(self.currentIndex())

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Bring a row into sight, so that the table begins with a whole row wherever it can."""
        super().scrollTo(index, hint)
        begin_whole(self, index)

    def show_columns(self, column_set: columns.ColumnSet) -> None:
        self.close_cell()
        self._set = columns.SETS[column_set]
        self.arrange()
        index = self.currentIndex()
        if index.isValid() and self.isColumnHidden(index.column()):
            self.setCurrentIndex(self._rows.index(index.row(), columns.CatalogueColumn.NAME))

    def arrange(self) -> None:
        """Give the columns their widths; those without room are hidden."""
        wide = {column: self._width(column) for column in self._set}
        least = 5 * self.theme.metrics.touch
        state_icon = self.theme.metrics.touch
        room = self.viewport().width()
        shown = set(self._set)
        narrow = False

        def needed() -> int:
            fixed = sum(
                wide[one]
                for one in shown
                if one not in (columns.CatalogueColumn.NAME, columns.CatalogueColumn.STATE)
            )
            return fixed + least + (state_icon if narrow else wide[columns.CatalogueColumn.STATE])

        for index, column in enumerate(one for one in columns.FOLDS if one in self._set):
            if needed() <= room:
                break
            # the words of the state go after two columns, and before a day of a planned price
            if not narrow and (index == 2 or column is columns.CatalogueColumn.PLANNED_UNTIL):
                narrow = True
                if needed() <= room:
                    break
            shown.discard(column)
        if narrow:
            wide[columns.CatalogueColumn.STATE] = state_icon
        wide[columns.CatalogueColumn.NAME] = max(
            least, room - sum(wide[one] for one in shown if one is not columns.CatalogueColumn.NAME)
        )
        self.painter.narrow_state = narrow
        for one in columns.CatalogueColumn:
            self.setColumnHidden(one, one not in shown)
            if one in shown:
                self.setColumnWidth(one, wide[one])
        self.place_editor()
        self.arranged.emit()

    def _width(self, column: columns.CatalogueColumn) -> int:
        """The width of a column; the name takes what is left."""
        metrics, theme = self.theme.metrics, self.theme
        if column in (columns.CatalogueColumn.TICK, columns.CatalogueColumn.PICTURE):
            return metrics.touch
        base = theme.font(TypeStep.BASE, Weight.SEMIBOLD)
        mono = theme.font(TypeStep.SMALL, Weight.MEDIUM, mono=True)
        small = theme.font(TypeStep.SMALL, Weight.BOLD)
        states = [self._texts(f"cat.state.{mark.name.lower()}") for mark in EditMark]
        states.append(self._texts("cat.state.unsaved"))
        icon = metrics.icon(18) + metrics.s1 + metrics.s3
        widest = {
            columns.CatalogueColumn.CODE: width_of(base, "0" * 8),
            columns.CatalogueColumn.SUBTITLE: width_of(base, "0" * 16),
            columns.CatalogueColumn.CATEGORY: width_of(base, "0" * 14),
            columns.CatalogueColumn.EAN: width_of(mono, "0" * 13),
            columns.CatalogueColumn.BARCODES: width_of(mono, "0" * 22),
            columns.CatalogueColumn.MAKERS_CODE: width_of(base, "0" * 12),
            columns.CatalogueColumn.KIND: width_of(base, "0" * 10),
            columns.CatalogueColumn.UNIT: width_of(base, "0" * 5),
            columns.CatalogueColumn.BASE_UNIT: width_of(base, "0" * 5),
            columns.CatalogueColumn.PER_BASE_UNIT: width_of(base, "0" * 8),
            columns.CatalogueColumn.WEIGHT: width_of(base, "0" * 8),
            columns.CatalogueColumn.DIMENSIONS: width_of(base, "0" * 11),
            columns.CatalogueColumn.PRICE: width_of(base, "999.999,99") + metrics.s2,
            columns.CatalogueColumn.PLANNED_PRICE: width_of(base, "999.999,99") + metrics.s2,
            columns.CatalogueColumn.PLANNED_FROM: width_of(base, "24.12.2026. 08:00"),
            columns.CatalogueColumn.PLANNED_UNTIL: width_of(base, "24.12.2026. 08:00"),
            columns.CatalogueColumn.LABEL: metrics.touch - 2 * metrics.s2,
            columns.CatalogueColumn.STATE: max(width_of(base, one) for one in states) + icon,
        }
        if column is columns.CatalogueColumn.NAME:
            return 0
        head = width_of(small, columns.head_words(column, self._texts))
        return max(widest.get(column, 0), head) + 2 * metrics.s2

    # --- keys and fingers ------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self._enter(index, in_cell=bool(event.modifiers() & _SHIFT))
        elif event.matches(QKeySequence.StandardKey.Undo):
            if self.cell_editor is None:
                self.undo_pressed.emit()
        elif key == Qt.Key.Key_Space and index.isValid():
            self.ticked.emit(index.row())
        elif key == Qt.Key.Key_Up and index.row() <= 0:
            self.left_upward.emit()
        elif (typed := typed_text(event)).strip():
            if (
                index.isValid()
                and columns.shows_number(columns.CatalogueColumn(index.column()))
                and typed.isdecimal()
            ):
                self.edit_cell(index, typed)
            else:
                self.key_typed.emit(event)
        else:
            super().keyPressEvent(event)

    def _enter(self, index: QModelIndex, *, in_cell: bool) -> None:
        """Open the form from the name, or edit another cell in place."""
        column = (
            columns.CatalogueColumn(index.column())
            if index.isValid()
            else columns.CatalogueColumn.TICK
        )
        if column in columns.FIELD_OF and (in_cell or column is not columns.CatalogueColumn.NAME):
            self.edit_cell(index)
        elif index.isValid():
            self.opened.emit(index.row())

    def turn_page(self, by: int) -> None:
        """Go up or down by as many rows as are visible."""
        step = max(1, self.viewport().height() // self.theme.metrics.touch - 1)
        last = self._rows.rowCount() - 1
        wanted = min(max(self.currentIndex().row() + by * step, 0), last)
        if wanted >= 0:
            self.set_current(wanted)

    def set_current(
        self, row: int, column: columns.CatalogueColumn = columns.CatalogueColumn.NAME
    ) -> None:
        now = self.currentIndex()
        keeps = now.column() if now.isValid() else column
        self.setCurrentIndex(self._rows.index(row, keeps))

    def currentChanged(
        self,
        current: QModelIndex | QPersistentModelIndex,
        previous: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()
        if current.row() != previous.row():
            if not self._is_row_of_cell(current.row()):
                self.close_cell()
            self.current_changed.emit(current.row())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        self._pressed = QPersistentModelIndex(index)
        now = self.currentIndex()
        same_row = index.isValid() and index.row() == now.row()
        self._edits_at_once = same_row and (index == now or index.column() in _AT_ONCE)
        self.leave_cell()
        if index.isValid() and index.column() == columns.CatalogueColumn.TICK:
            return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if not index.isValid() or self._pressed != index:
            return
        if index.column() == columns.CatalogueColumn.TICK:
            self.ticked.emit(index.row())
        elif self._edits_at_once and index.column() in columns.FIELD_OF:
            self.edit_cell(index)
        elif (row := self._rows.row(index.row())) is not None:
            cell = TableCell(row, columns.CatalogueColumn(index.column()))
            self.tapped = Tapped(cell, event.globalPosition().toPoint())
            self.opened.emit(index.row())
            self.tapped = None

    # --- a cell that is edited -------------------------------------------------------------------

    @property
    def cell_editor(self) -> Field | None:
        return self._editor

    @property
    def edited(self) -> TableCell | None:
        """The cell over which a field or below which a list is open."""
        return self._edited

    def is_edited(self, index: Index) -> bool:
        cell = self._edited
        is_there = cell is not None and index.column() == cell.column
        return self._editor is not None and is_there and self._is_row_of_cell(index.row())

    def _is_row_of_cell(self, number: int) -> bool:
        cell, row = self._edited, self._rows.row(number)
        return cell is not None and row is not None and row.product_id == cell.row.product_id

    def _edit(self, cell: TableCell | None) -> None:
        self._edited = cell
        self._rows.note_edited(None if cell is None else (cell.row, columns.FIELD_OF[cell.column]))

    def place_editor(self) -> None:
        """Put the field over its cell, wherever that is by now."""
        self._hide_fault()
        if self._editor is not None and self._edited is not None:
            index = self._rows.index(self.currentIndex().row(), self._edited.column)
            self._editor.setGeometry(self._room_of(index))

    def edit_cell(self, index: QModelIndex, text: str | None = None) -> None:
        """Edit a cell in place. The form opens instead where the field does not belong to one
        article, or the list has no entries. text: replaces the cell's text."""
        row = self._rows.row(index.row())
        column = columns.CatalogueColumn(index.column())
        nothing_to_choose = columns.KIND_OF[
            column
        ] is columns.CellKind.CHOICES and not self._rows.options(column)
        if row is None or not self._rows.can_edit(row, column) or nothing_to_choose:
            self.opened.emit(index.row())
            return
        self.close_cell()
        self.setCurrentIndex(self._rows.index(index.row(), column))
        self.scrollTo(self.currentIndex())
        saved = self._rows.typed_text(row, column)
        match columns.KIND_OF[column]:
            case columns.CellKind.YES_OR_NO:
                changed = "" if saved else product_draft.YES
                self.cell_entered.emit(row, columns.FIELD_OF[column], changed, Go.STAY)
            case columns.CellKind.CHOICE | columns.CellKind.CHOICES:
                self._edit(TableCell(row, column))
                self._open_list(index, TableCell(row, column), saved)
            case _:
                self._edit(TableCell(row, column))
                self._open_field(index, column, saved, text)

    def _open_list(self, index: QModelIndex, edited: TableCell, saved: str) -> None:
        column = edited.column
        several = columns.KIND_OF[column] is columns.CellKind.CHOICES
        made = CellList(self, self._rows.options(column), saved, several=several)
        self.cell_list = made
        made.setAccessibleName(columns.head_words(column, self._texts))
        made.chosen.connect(partial(self._on_chosen, edited))
        made.aboutToHide.connect(self._on_list_hidden)
        cell = self.visualRect(index)
        slot = QWidget(self.viewport())
        slot.setGeometry(cell)
        popup_below(made, slot)
        slot.deleteLater()

    def close_outdated_list(self) -> None:
        """Close the list of a cell that offers others than there are now."""
        listed, cell = self.cell_list, self._edited
        if listed is None or cell is None:
            return
        if listed.options != tuple(self._rows.options(cell.column)):
            self.close_cell()

    def _on_chosen(self, cell: TableCell, keys: str, step: int) -> None:
        go = {1: Go.ON, -1: Go.BACK}.get(step, Go.STAY)
        self.cell_entered.emit(cell.row, columns.FIELD_OF[cell.column], keys, go)

    def _on_list_hidden(self) -> None:
        made, self.cell_list = self.cell_list, None
        self._edit(None)
        if made is not None:
            made.deleteLater()
        self.viewport().update()

    def _open_field(
        self, index: QModelIndex, column: columns.CatalogueColumn, saved: str, text: str | None
    ) -> None:
        is_amount = columns.KIND_OF[column] is columns.CellKind.NUMBER
        takes = None if columns.KIND_OF[column] is columns.CellKind.WORDS else InputKind.NUMBER
        editor = Field(
            self.theme,
            name=columns.head_words(column, self._texts),
            right=is_amount,
            takes=takes,
            error_below=False,
            parent=self.viewport(),
        )
        stands = (
            product_draft.barcodes_in_line(saved)
            if column is columns.CatalogueColumn.BARCODES
            else saved
        )
        editor.set_text(stands if text is None else text)
        self._editor = editor
        editor.setGeometry(self._room_of(index))
        editor.changed.connect(self._on_cell_typed)
        editor.refused.connect(self._on_sign_refused)
        editor.edit.installEventFilter(self)
        editor.show()
        editor.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        if text is None:
            editor.edit.selectAll()
        else:
            self._on_cell_typed(text)

    def _room_of(self, index: QModelIndex) -> QRect:
        """The rectangle of a cell's field; it is wider than a narrow cell, so that its text
        fits."""
        cell = self.visualRect(index)
        least = 2 * self.theme.metrics.touch
        if cell.width() < least:
            cell.setLeft(max(0, cell.right() + 1 - least))
        return cell

    def go_on(self, row: int, field: product_draft.DraftField, go: Go) -> None:
        """Go on after a cell was saved. row: the next row if Enter saved the cell, else the cell's
        own."""
        column = next(one for one, name in columns.FIELD_OF.items() if name is field)
        shown = [one for one in columns.FIELD_OF if not self.isColumnHidden(one)]
        if go in (Go.ON, Go.BACK):
            number = shown.index(column) + (1 if go is Go.ON else -1)
            row += number // len(shown)
            column = shown[number % len(shown)]
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        row_there = self._rows.row(row)
        if row_there is None:
            return
        index = self._rows.index(row, column)
        self.setCurrentIndex(index)
        if go in (Go.ON, Go.BACK) and self._rows.can_edit(row_there, column):
            self._edit_after_tab(index)

    def _edit_after_tab(self, index: QModelIndex) -> None:
        """Open the next cell after Tab, unless it is a yes or no, which would change at once."""
        if (
            columns.KIND_OF[columns.CatalogueColumn(index.column())]
            is not columns.CellKind.YES_OR_NO
        ):
            self.edit_cell(index)

    def show_cell_error(self, words: str) -> None:
        """Say why a cell's text is wrong; its field stays open."""
        self._hide_fault()
        if self._editor is not None:
            self._editor.set_error(words)
        if words:
            row = self.currentIndex().row()
            self._fault = fault = CellFault(self.theme, words, self.viewport())
            seen = [
                self._rows.index(row, one)
                for one in columns.CatalogueColumn
                if not self.isColumnHidden(one)
            ]
            cell = self.visualRect(self._rows.index(row, self.currentIndex().column()))
            fault.move_beside(cell, [self.visualRect(one) for one in seen], self.viewport().rect())
            fault.show()

    @property
    def cell_fault(self) -> str:
        return "" if self._fault is None else self._fault.words

    def _hide_fault(self) -> None:
        fault, self._fault = self._fault, None
        if fault is not None:
            fault.hide()
            fault.deleteLater()

    def leave_cell(self) -> None:
        """Save what is being typed, as a press elsewhere does; text that can't be saved is kept."""
        if self._editor is not None:
            self._enter_cell(Go.STAY)
            self.close_cell()

    def close_cell(self) -> None:
        """Close the field, whose text the model already has, or the list of a cell."""
        self._hide_fault()
        editor, self._editor = self._editor, None
        if self._edited is not None:  # a table that was just made leaves what the one before noted
            self._edit(None)
        if self.cell_list is not None:
            self.cell_list.drop()
        if editor is not None:
            had_focus = editor.edit.hasFocus()
            editor.edit.removeEventFilter(self)
            editor.hide()
            editor.deleteLater()
            if had_focus:
                self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_cell_typed(self, text: str) -> None:
        if self._editor is not None and self._edited is not None:
            self._hide_fault()
            self._editor.set_error("")
            self.scrollTo(self.currentIndex())
            cell = self._edited
            self.cell_typed.emit(cell.row, columns.FIELD_OF[cell.column], self._read(text))

    def _on_sign_refused(self) -> None:
        """Say that a letter was typed where a number belongs."""
        if self._edited is not None:
            self.show_cell_error(self._texts("cat.cell.number_only"))

    def _read(self, text: str) -> str:
        is_barcodes = (
            self._edited is not None and self._edited.column is columns.CatalogueColumn.BARCODES
        )
        return product_draft.barcodes_of_line(text) if is_barcodes else text

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Save the cell at Enter, Tab and Shift+Tab; close its field at Esc."""
        if self._editor is None or watched is not self._editor.edit:
            return super().eventFilter(watched, event)
        if not isinstance(event, QKeyEvent):
            return False
        is_escape = event.key() == Qt.Key.Key_Escape
        if event.type() is QEvent.Type.ShortcutOverride and is_escape:
            event.accept()
            return True
        if event.type() is not QEvent.Type.KeyPress:
            return False
        if is_escape:
            self.close_cell()
            return True
        go = _KEYS.get(Qt.Key(event.key()))
        if go is not None:
            self._enter_cell(go)
        return go is not None

    def _enter_cell(self, go: Go) -> None:
        cell, editor = self._edited, self._editor
        if cell is not None and editor is not None:
            text = self._read(editor.text())
            self.cell_entered.emit(cell.row, columns.FIELD_OF[cell.column], text, go)
