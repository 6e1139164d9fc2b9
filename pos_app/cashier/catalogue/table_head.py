"""The heads over the columns of the table; a press on some of them sorts."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.cashier.catalogue import columns
from pos_app.cashier.catalogue.table import ProductTable
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.choices import paint_check
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme, ThemedButton, ThemedWidget
from pos_app.cashier.ui.tokens import Token
from pos_app.selling.catalogue.table import TableOrder


class HeadButton(ThemedButton):
    """The head of a column; it can be pressed if its column sorts."""

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
            right = self._align == painting.RIGHT
            took = min(painting.width_of(font, self._words), room.width() - size)
            x = room.left() + took + size // 2 + 2 if not right else room.right() - size // 2 + 2
            theme.draw_icon(painter, self.arrow, "ink", 16, QPoint(x, room.center().y() + 1))
            room.setRight(room.right() - size)
        painting.put(
            painter, room, self._words, theme.colour(ink), font, align=self._align, elide=True
        )
        if self.hasFocus():
            painting.ring_inside(painter, self.rect(), theme)


class CatalogueTableHead(ThemedWidget):
    """Signals: `pressed(Column)`; `tick_pressed()`."""

    pressed = Signal(object)
    tick_pressed = Signal()

    def __init__(self, theme: Theme, texts: Texts, table: ProductTable) -> None:
        super().__init__(theme)
        self._table = table
        self._texts = texts
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.tick = TickButton(theme, texts("cat.tick_all"), self)
        self.tick.clicked.connect(self.tick_pressed)
        self.buttons: dict[columns.CatalogueColumn, HeadButton] = {}
        for column in columns.CatalogueColumn:
            if column in (columns.CatalogueColumn.TICK, columns.CatalogueColumn.PICTURE):
                continue
            align = (
                painting.CENTRE
                if column is columns.CatalogueColumn.LABEL
                else painting.RIGHT
                if columns.shows_number(column)
                else painting.LEFT
            )
            name = columns.head_words(column, texts)
            button = HeadButton(theme, name, sorts=column in columns.SORTED_BY, align=align)
            button.setParent(self)
            button.clicked.connect(
                lambda _=False, pressed_column=column: self.pressed.emit(pressed_column)
            )
            self.buttons[column] = button
        table.arranged.connect(self._arrange)

    def show_order(self, order: TableOrder, *, descending: bool) -> None:
        for column, button in self.buttons.items():
            here = columns.SORTED_BY.get(column) is order
            arrow = ("chevron-down" if descending else "chevron-up") if here else ""
            if arrow != button.arrow:
                button.arrow = arrow
                text = self._texts("cat.sorted_down" if descending else "cat.sorted_up")
                button.setAccessibleDescription(text if here else "")
                button.update()

    def sizeHint(self) -> QSize:
        return QSize(6 * self.theme.metrics.touch, self.theme.metrics.touch)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.theme.metrics.touch)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def _arrange(self) -> None:
        table, high = self._table, self.height()
        self.tick.setGeometry(0, 0, table.columnWidth(columns.CatalogueColumn.TICK), high)
        for column, button in self.buttons.items():
            hidden = table.isColumnHidden(column)
            is_icon = column is columns.CatalogueColumn.STATE and table.painter.narrow_state
            button.setVisible(not hidden and not is_icon)
            button.setGeometry(
                table.columnViewportPosition(column), 0, table.columnWidth(column), high
            )

    def paintEvent(self, event: QPaintEvent) -> None:
        painting.paint_head(QPainter(self), self.rect(), self.theme)


class TickButton(ThemedButton):
    """The box in the head; it shows whether all rows, none, or some are ticked."""

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
        rect = QRect(0, 0, size, size)
        rect.moveCenter(self.rect().center())
        paint_check(painter, rect, self.theme, ticked=self._all)
        if self._some and not self._all:
            self.theme.draw_icon(painter, "minus", "ink", 18, rect.center() + QPoint(1, 1))
        if self.hasFocus():
            painting.ring_inside(painter, self.rect(), self.theme)
