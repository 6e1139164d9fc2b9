"""The table: 100,000 products whose rows are read and painted as they come into sight.

A cell that can be edited in place is a field over it. Sorting is the model's, in SQL: the head only
asks for it. Source: look.md (Components, Table; Screens, 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from pos_app.cashier.article_texts import Pictures, initials, price_text, tone_of
from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.choices import paint_check
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.keyboard_layout import Typed
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.painting import (
    CENTRE,
    LEFT,
    RIGHT,
    box,
    fitting,
    put,
    ring_inside,
    rule,
    small_chip,
    width_of,
)
from pos_app.cashier.ui.scrolling import ThinScrollBar
from pos_app.cashier.ui.state import STATES, StateKind
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.widget import ThemedButton, ThemedWidget
from pos_app.selling.catalogue import CatalogueRow, EditMark
from pos_app.selling.catalogue_table import TableOrder
from pos_app.selling.product_draft import DraftField

Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()


class Column(IntEnum):
    """The columns, from left to right."""

    TICK = 0
    PICTURE = 1
    CODE = 2
    NAME = 3
    CATEGORY = 4
    EAN = 5
    UNIT = 6
    PRICE = 7
    LABEL = 8
    STATE = 9


SORTED_BY: Mapping[Column, TableOrder] = {
    Column.CODE: TableOrder.CODE,
    Column.NAME: TableOrder.NAME,
    Column.PRICE: TableOrder.PRICE,
}
EDITED: Mapping[Column, DraftField] = {
    Column.NAME: DraftField.NAME,
    Column.PRICE: DraftField.PRICE,
}
"""What can be edited in place."""
FOLDS = (Column.EAN, Column.UNIT, Column.CATEGORY, Column.PICTURE, Column.LABEL)
"""What goes first where there is no room for all."""
KINDS: Mapping[EditMark, StateKind] = {
    EditMark.NONE: StateKind.DONE,
    EditMark.WAITING: StateKind.WAIT,
    EditMark.CONFLICT: StateKind.DECIDE,
    EditMark.REFUSED: StateKind.FAILED,
}


class CatalogueRows(QAbstractTableModel):
    """The rows of the model, for Qt; each is asked for as it is painted."""

    def __init__(self, model: CatalogueModel, texts: Texts, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._texts = texts
        self._names = {one.category.id: one.category.name for one in model.categories()}

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else self._model.count

    def columnCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(Column)

    def row(self, number: int) -> CatalogueRow | None:
        return self._model.row(number)

    def is_ticked(self, row: CatalogueRow) -> bool:
        return row.product_id in self._model.ticked

    def is_unsaved(self, row: CatalogueRow) -> bool:
        return self._model.is_unsaved(row)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._model.row(index.row())
        if row is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.words(row, Column(index.column()))
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == Column.TICK:
            return Qt.CheckState.Checked if self.is_ticked(row) else Qt.CheckState.Unchecked
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return self._texts(f"cat.column.{Column(section).name.lower()}")
        return None

    def words(self, row: CatalogueRow, column: Column) -> str:
        """What a cell says."""
        if (
            column in EDITED
            and (typed := self._model.typed_in_row(row, EDITED[column])) is not None
        ):
            return typed
        match column:
            case Column.TICK:
                return self._texts("cat.ticked") if self.is_ticked(row) else ""
            case Column.CATEGORY:
                named = (self._names.get(one, "") for one in row.category_ids)
                return ", ".join(name for name in named if name)
            case Column.PRICE:
                return price_text(row, self._texts)
            case Column.STATE:
                return self.state_words(row)
            case _:
                return self._plain(row).get(column, "")

    @staticmethod
    def _plain(row: CatalogueRow) -> dict[Column, str]:
        return {
            Column.CODE: "" if row.sku is None else str(row.sku),
            Column.NAME: row.name,
            Column.EAN: row.ean or "",
            Column.UNIT: row.unit,
            Column.LABEL: row.label.value,
        }

    def state_words(self, row: CatalogueRow) -> str:
        """How a row stands to the platform, or that something of it is not saved."""
        if self.is_unsaved(row):
            return self._texts("cat.state.unsaved")
        return self._texts(f"cat.state.{row.edits.name.lower()}")

    def want_picture(self, row: CatalogueRow) -> None:
        """Its photo is the platform's still: have it brought, it is seen now."""
        sync = self._model.services.sync
        if sync is not None:
            sync.want_picture(row.product_id)

    def variants_words(self, row: CatalogueRow) -> str:
        return self._texts.count("cat.variants", row.articles) if row.articles > 1 else ""

    def reset(self) -> None:
        """All rows are others."""
        self.beginResetModel()
        self._names = {one.category.id: one.category.name for one in self._model.categories()}
        self.endResetModel()


class CellPainter(QStyledItemDelegate):
    """Paints the cells. `narrow_state`: the state is an icon alone; the editor tells its words."""

    def __init__(self, theme: Theme, rows: CatalogueRows, table: ProductTable) -> None:
        super().__init__(table)
        self._theme = theme
        self._rows = rows
        self._table = table
        self._pictures = Pictures(theme)
        self.narrow_state = False

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = self._rows.row(index.row())
        if row is None:
            return
        theme, rect, column = self._theme, option.rect, Column(index.column())
        current = index.row() == self._table.currentIndex().row()
        ticked = self._rows.is_ticked(row)
        own = painter.font()
        painter.setFont(option.font)
        if current or ticked:
            painter.fillRect(rect, theme.colour("tint" if current else "sunken"))
        rule(painter, rect, theme)
        if current and column is Column.TICK:
            bar = QRect(rect.left(), rect.top(), theme.metrics.s1, rect.height())
            painter.fillRect(bar, theme.colour("accent"))
        if not self._table.is_edited(index):
            self._paint_cell(painter, rect, row, column)
        if index == self._table.currentIndex() and self._table.hasFocus():
            ring_inside(painter, rect, theme)
        painter.setFont(own)

    def _paint_cell(
        self, painter: QPainter, rect: QRect, row: CatalogueRow, column: Column
    ) -> None:
        metrics = self._theme.metrics
        inside = rect.adjusted(metrics.s2, 0, -metrics.s2, 0)
        match column:
            case Column.TICK:
                size = metrics.icon(24)
                place = QRect(0, 0, size, size)
                place.moveCenter(rect.center())
                paint_check(painter, place, self._theme, ticked=self._rows.is_ticked(row))
            case Column.PICTURE:
                self._paint_picture(painter, rect, row)
            case Column.NAME:
                self._paint_name(painter, inside, row)
            case Column.PRICE:
                self._paint_price(painter, inside, row)
            case Column.LABEL:
                self._paint_label(painter, rect, row)
            case Column.STATE:
                self._paint_state(painter, inside, row)
            case _:
                self._paint_words(painter, inside, self._rows.words(row, column), column)

    def _paint_words(self, painter: QPainter, rect: QRect, words: str, column: Column) -> None:
        mono = column is Column.EAN
        font = self._theme.font(TypeStep.SMALL if mono else TypeStep.BASE, Weight.MEDIUM, mono=mono)
        ink = self._theme.colour("ink_2")
        put(painter, rect, words, ink, font, align=LEFT, elide=True)

    def _paint_name(self, painter: QPainter, rect: QRect, row: CatalogueRow) -> None:
        theme, metrics = self._theme, self._theme.metrics
        meter = theme.fonts.meter(painter.font(), TypeStep.NAME)
        chip = self._rows.variants_words(row)
        room = rect.width()
        if chip:
            small = theme.fonts.resized(painter.font(), TypeStep.SMALL, Weight.SEMIBOLD)
            room -= width_of(small, chip) + 3 * metrics.s1 + metrics.s2
        shown = meter.elided(self._rows.words(row, Column.NAME), room)
        put(painter, rect, shown, theme.colour("ink"), meter.font)
        if chip:
            start = QPoint(rect.left() + meter.width(shown) + metrics.s2, rect.center().y() + 1)
            small_chip(painter, start, theme, chip, ground="sunken", ink="ink_2")

    def _paint_price(self, painter: QPainter, rect: QRect, row: CatalogueRow) -> None:
        words = self._rows.words(row, Column.PRICE)
        bold = fitting(
            self._theme, painter.font(), words,
            step=TypeStep.BASE, weight=Weight.BOLD, room=rect.width(),
        )  # fmt: skip
        put(painter, rect, words, self._theme.colour("ink"), bold.font, align=RIGHT)

    def _paint_label(self, painter: QPainter, rect: QRect, row: CatalogueRow) -> None:
        theme, size = self._theme, self._theme.metrics.icon(24)
        place = QRect(0, 0, size, size)
        place.moveCenter(rect.center())
        box(
            painter, place, radius=theme.metrics.radius_cap, width=theme.metrics.hair,
            fill=theme.colour("surface"), edge=theme.colour("line"),
        )  # fmt: skip
        font = theme.fonts.resized(painter.font(), TypeStep.SMALL, Weight.SEMIBOLD)
        put(painter, place, row.label.value, theme.colour("ink"), font, align=CENTRE)

    def _paint_picture(self, painter: QPainter, rect: QRect, row: CatalogueRow) -> None:
        theme = self._theme
        size = min(rect.width(), rect.height()) - 2 * theme.metrics.s1
        place = QRect(0, 0, size, size)
        place.moveCenter(rect.center())
        picture: QPixmap | None = self._pictures.of(row.picture)
        if picture is not None:
            painter.drawPixmap(place, picture)
            return
        if row.picture is None and row.picture_id is not None:
            self._rows.want_picture(row)
        ground, ink = theme.initials(tone_of(row))
        box(painter, place, radius=theme.metrics.radius_field, fill=ground)
        font = theme.fonts.resized(painter.font(), TypeStep.SMALL, Weight.BOLD)
        put(painter, place, initials(row.name), ink, font, align=CENTRE)

    def _paint_state(self, painter: QPainter, rect: QRect, row: CatalogueRow) -> None:
        theme = self._theme
        unsaved = self._rows.is_unsaved(row)
        kind = STATES[StateKind.DECIDE if unsaved else KINDS[row.edits]]
        icon = "check" if kind is STATES[StateKind.DONE] else kind.icon
        icon = "git-compare" if row.edits is EditMark.CONFLICT and not unsaved else icon
        size = theme.metrics.icon(18)
        middle = QPoint(rect.left() + size // 2, rect.center().y() + 1)
        if self.narrow_state:
            middle.setX(rect.center().x() + 1)
        theme.draw_icon(painter, icon, kind.icon_ink, 18, middle)
        if self.narrow_state:
            return
        calm = kind is STATES[StateKind.DONE]
        ink: Token = "ink_2" if calm else kind.icon_ink
        weight = Weight.MEDIUM if calm else Weight.SEMIBOLD
        font = theme.fonts.resized(painter.font(), TypeStep.BASE, weight)
        room = rect.adjusted(size + theme.metrics.s1 + 2, 0, 0, 0)
        put(painter, room, self._rows.state_words(row), theme.colour(ink), font, elide=True)


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell that is edited in place."""

    row: int
    column: Column


class ProductTable(QTableView):
    """Signals: `opened(int)`, the row whose fields are wanted; `current_changed(int)`;
    `ticked(int)`; `cell_typed(int, str, str)` as a cell is typed, `cell_entered(int, str, str)`
    with Enter: row, field, text; `typed(QKeyEvent)`, a letter for the search; `left_upward()`.
    """

    opened = Signal(int)
    current_changed = Signal(int)
    ticked = Signal(int)
    cell_typed = Signal(int, str, str)
    cell_entered = Signal(int, str, str)
    typed = Signal(object)
    left_upward = Signal()
    arranged = Signal()

    def __init__(self, theme: Theme, texts: Texts, rows: CatalogueRows) -> None:
        super().__init__()
        self.theme = theme
        self._texts = texts
        self._rows = rows
        self._editor: Field | None = None
        self._edited: CellPlace | None = None
        self._pressed = QPersistentModelIndex()
        self._was_current = False
        down = self.verticalHeader()  # before the model: with 100,000 rows each of these takes 3 s
        down.hide()
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        down.setMinimumSectionSize(theme.metrics.touch)
        down.setDefaultSectionSize(theme.metrics.touch)
        self.setModel(rows)
        self.painter = CellPainter(theme, rows, self)
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
        self.verticalScrollBar().valueChanged.connect(lambda _: self.close_cell())

    # --- columns ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.arrange()
        super().resizeEvent(event)

    def arrange(self) -> None:
        """Give the columns their widths; those without room fold."""
        wide = {column: self._width(column) for column in Column}
        least = 5 * self.theme.metrics.touch
        state_icon = self.theme.metrics.touch
        room = self.viewport().width()
        shown = set(Column)
        narrow = False

        def needed() -> int:
            fixed = sum(wide[one] for one in shown if one not in (Column.NAME, Column.STATE))
            return fixed + least + (state_icon if narrow else wide[Column.STATE])

        for column in FOLDS:
            if needed() <= room:
                break
            if column is Column.CATEGORY and not narrow:
                narrow = True
                if needed() <= room:
                    break
            shown.discard(column)
        if narrow:
            wide[Column.STATE] = state_icon
        wide[Column.NAME] = max(
            least, room - sum(wide[one] for one in shown if one is not Column.NAME)
        )
        self.painter.narrow_state = narrow
        for one in Column:
            self.setColumnHidden(one, one not in shown)
            self.setColumnWidth(one, wide[one])
        if self._editor is not None and self._edited is not None:
            cell = self._rows.index(self._edited.row, self._edited.column)
            self._editor.setGeometry(self.visualRect(cell))
        self.arranged.emit()

    def _width(self, column: Column) -> int:
        """How wide a column is; the name has what is left."""
        metrics, theme = self.theme.metrics, self.theme
        if column in (Column.TICK, Column.PICTURE):
            return metrics.touch
        base = theme.font(TypeStep.BASE, Weight.SEMIBOLD)
        mono = theme.font(TypeStep.SMALL, Weight.MEDIUM, mono=True)
        small = theme.font(TypeStep.SMALL, Weight.BOLD)
        states = [self._texts(f"cat.state.{mark.name.lower()}") for mark in EditMark]
        states.append(self._texts("cat.state.unsaved"))
        icon = metrics.icon(18) + metrics.s1 + metrics.s3
        widest = {
            Column.CODE: width_of(base, "0" * 8),
            Column.CATEGORY: width_of(base, "0" * 14),
            Column.EAN: width_of(mono, "0" * 13),
            Column.UNIT: width_of(base, "0" * 5),
            Column.PRICE: max(
                width_of(base, "999.999,99") + metrics.s2,
                width_of(small, self._texts("cat.column.price")),
            ),
            Column.LABEL: max(
                width_of(small, self._texts("cat.column.label")), metrics.touch - 2 * metrics.s2
            ),
            Column.STATE: max(width_of(base, one) for one in states) + icon,
        }
        return widest.get(column, -2 * metrics.s2) + 2 * metrics.s2

    # --- keys and fingers ------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self._enter(index)
        elif key == Qt.Key.Key_Space and index.isValid():
            self.ticked.emit(index.row())
        elif key == Qt.Key.Key_Up and index.row() <= 0:
            self.left_upward.emit()
        elif event.text().isprintable() and event.text().strip():
            if index.isValid() and index.column() == Column.PRICE and event.text() in "0123456789":
                self.edit_cell(index, event.text())
            else:
                self.typed.emit(event)
        else:
            super().keyPressEvent(event)

    def _enter(self, index: QModelIndex) -> None:
        if index.isValid() and index.column() == Column.PRICE:
            self.edit_cell(index)
        elif index.isValid():
            self.opened.emit(index.row())

    def turn_page(self, by: int) -> None:
        """Some rows up or down, as many as are seen."""
        step = max(1, self.viewport().height() // self.theme.metrics.touch - 1)
        last = self._rows.rowCount() - 1
        wanted = min(max(self.currentIndex().row() + by * step, 0), last)
        if wanted >= 0:
            self.set_current(wanted)

    def set_current(self, row: int, column: Column = Column.NAME) -> None:
        """Make a row the current one, and show it."""
        now = self.currentIndex()
        keeps = now.column() if now.isValid() else column
        self.setCurrentIndex(self._rows.index(row, keeps))

    def currentChanged(self, current: QModelIndex | QPersistentModelIndex,
                       previous: QModelIndex | QPersistentModelIndex) -> None:  # fmt: skip
        super().currentChanged(current, previous)
        self.viewport().update()
        if current.row() != previous.row():
            self.close_cell()
            self.current_changed.emit(current.row())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        self._pressed = QPersistentModelIndex(index)
        self._was_current = index.isValid() and index.row() == self.currentIndex().row()
        if index.isValid() and index.column() == Column.TICK:
            return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if not index.isValid() or self._pressed != index:
            return
        if index.column() == Column.TICK:
            self.ticked.emit(index.row())
        elif self._was_current and index.column() in EDITED:
            self.edit_cell(index)
        else:
            self.opened.emit(index.row())

    # --- a cell that is edited -------------------------------------------------------------------

    @property
    def cell_editor(self) -> Field | None:
        """The field over a cell while one is edited."""
        return self._editor

    def is_edited(self, index: Index) -> bool:
        """Whether the field stands over this cell."""
        return self._edited == CellPlace(index.row(), Column(index.column()))

    def edit_cell(self, index: QModelIndex, text: str | None = None) -> None:
        """Open a field over a cell. text: typed in place of what stands there."""
        row = self._rows.row(index.row())
        column = Column(index.column())
        if row is None or column not in EDITED or (row.articles > 1 and column is Column.PRICE):
            self.opened.emit(index.row())
            return
        self.close_cell()
        self.setCurrentIndex(self._rows.index(index.row(), column))
        is_price = column is Column.PRICE
        editor = Field(
            self.theme, name=self._texts(f"cat.column.{column.name.lower()}"), right=is_price,
            takes=Typed.NUMBER if is_price else None, error_below=False, parent=self.viewport(),
        )  # fmt: skip
        stands = self._rows.words(row, column)
        editor.set_text(stands if text is None else text)
        self._editor, self._edited = editor, CellPlace(index.row(), column)
        editor.setGeometry(self.visualRect(index))
        editor.changed.connect(self._on_cell_typed)
        editor.edit.installEventFilter(self)
        editor.show()
        editor.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        if text is None:
            editor.edit.selectAll()

    def show_cell_error(self, words: str) -> None:
        """What is wrong with what was typed in a cell; the field stays open."""
        if self._editor is not None:
            self._editor.set_error(words)
            self._editor.setToolTip(words)

    def close_cell(self) -> None:
        """Close the field; what was typed is the model's already."""
        editor, self._editor, self._edited = self._editor, None, None
        if editor is not None:
            had_focus = editor.edit.hasFocus()
            editor.edit.removeEventFilter(self)
            editor.hide()
            editor.deleteLater()
            if had_focus:
                self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_cell_typed(self, text: str) -> None:
        if self._editor is not None and self._edited is not None:
            self._editor.set_error("")
            self.cell_typed.emit(self._edited.row, EDITED[self._edited.column], text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter saves the cell and goes a row down; Esc leaves it, with what was typed."""
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
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter_cell()
            return True
        return False

    def _enter_cell(self) -> None:
        place, editor = self._edited, self._editor
        if place is None or editor is None:
            return
        self.cell_entered.emit(place.row, EDITED[place.column], editor.text())


# --- the head ------------------------------------------------------------------------------------


class HeadKey(ThemedButton):
    """The head of a column; those that sort are pressed, the others only say what they are."""

    has_ring = False

    def __init__(self, theme: Theme, name: str, *, sorts: bool, align: Qt.AlignmentFlag) -> None:
        super().__init__(theme, name)
        self._words = name
        self._align = align
        self.arrow = ""
        if not sorts:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, metrics = self.theme, self.theme.metrics
        if self.isDown():
            painter.fillRect(self.rect(), theme.colour("line"))
        weight = Weight.BOLD if self.arrow else Weight.SEMIBOLD
        font = theme.fonts.resized(self.font(), TypeStep.SMALL, weight)
        ink: Token = "ink" if self.arrow else "ink_2"
        room = self.rect().adjusted(metrics.s2, 0, -metrics.s2, 0)
        if self.arrow:
            size = metrics.icon(16)
            right = self._align == RIGHT
            took = min(width_of(font, self._words), room.width() - size)
            x = room.left() + took + size // 2 + 2 if not right else room.right() - size // 2 + 2
            theme.draw_icon(painter, self.arrow, "ink", 16, QPoint(x, room.center().y() + 1))
            room.setRight(room.right() - size)
        put(painter, room, self._words, theme.colour(ink), font, align=self._align, elide=True)
        if self.hasFocus():
            ring_inside(painter, self.rect(), theme)


class TableHead(ThemedWidget):
    """The heads over the columns of a table. Signals: `pressed(Column)`; `tick_pressed()`."""

    pressed = Signal(object)
    tick_pressed = Signal()

    def __init__(self, theme: Theme, texts: Texts, table: ProductTable) -> None:
        super().__init__(theme)
        self._table = table
        self._texts = texts
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.tick = TickKey(theme, texts("cat.tick_all"), self)
        self.tick.clicked.connect(self.tick_pressed)
        self.keys: dict[Column, HeadKey] = {}
        for column in Column:
            if column in (Column.TICK, Column.PICTURE):
                continue
            align = {Column.PRICE: RIGHT, Column.LABEL: CENTRE}.get(column, LEFT)
            name = texts(f"cat.column.{column.name.lower()}")
            key = HeadKey(theme, name, sorts=column in SORTED_BY, align=align)
            key.setParent(self)
            key.clicked.connect(lambda _=False, one=column: self.pressed.emit(one))
            self.keys[column] = key
        table.arranged.connect(self._arrange)

    def show_order(self, order: TableOrder, *, descending: bool) -> None:
        """The arrow stands at the column that rows are sorted by."""
        for column, key in self.keys.items():
            here = SORTED_BY.get(column) is order
            arrow = ("chevron-down" if descending else "chevron-up") if here else ""
            if arrow != key.arrow:
                key.arrow = arrow
                said = self._texts("cat.sorted_down" if descending else "cat.sorted_up")
                key.setAccessibleDescription(said if here else "")
                key.update()

    def sizeHint(self) -> QSize:
        return QSize(6 * self.theme.metrics.touch, self.theme.metrics.touch)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.theme.metrics.touch)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def _arrange(self) -> None:
        table, high = self._table, self.height()
        self.tick.setGeometry(0, 0, table.columnWidth(Column.TICK), high)
        for column, key in self.keys.items():
            hidden = table.isColumnHidden(column)
            is_icon = column is Column.STATE and table.painter.narrow_state
            key.setVisible(not hidden and not is_icon)
            key.setGeometry(
                table.columnViewportPosition(column), 0, table.columnWidth(column), high
            )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, whole = self.theme, self.rect()
        radius = theme.metrics.radius_panel - theme.metrics.hair
        painter.setClipRect(whole)
        upper = whole.adjusted(0, 0, 0, radius)
        box(painter, upper, radius=radius, fill=theme.colour("sunken"))
        rule(painter, whole, theme)


class TickKey(ThemedButton):
    """The box in the head: all rows, none, or some."""

    has_ring = False

    def __init__(self, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(theme, name, parent)
        self._some = False
        self._all = False

    def show_ticks(self, *, some: bool, every: bool) -> None:
        self._some, self._all = some, every
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        size = self.theme.metrics.icon(24)
        place = QRect(0, 0, size, size)
        place.moveCenter(self.rect().center())
        paint_check(painter, place, self.theme, ticked=self._all)
        if self._some and not self._all:
            self.theme.draw_icon(painter, "minus", "ink", 18, place.center() + QPoint(1, 1))
        if self.hasFocus():
            ring_inside(painter, self.rect(), self.theme)
