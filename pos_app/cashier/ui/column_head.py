"""The head of a list whose rows are painted: the words over its columns."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from pos_app.cashier.ui import paint_picker, painting
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme, ThemedWidget


class HeadCell(NamedTuple):
    """The words over one column. elide: words that are too long may be cut."""

    rect: QRect
    words: str
    align: Qt.AlignmentFlag = painting.LEFT
    elide: bool = False


class ColumnHead(ThemedWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @abstractmethod
    def cells(self) -> Iterable[HeadCell]:
        """Return the cells in the present rectangle."""

    def sizeHint(self) -> QSize:
        return QSize(6 * self.theme.metrics.touch, self.theme.metrics.head)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        painting.paint_head(painter, self.rect(), theme)
        font = theme.fonts.resized(self.font(), TypeStep.SMALL, Weight.SEMIBOLD)
        ink = theme.colour("ink_2")
        for cell in self.cells():
            if cell.rect.isEmpty():
                continue  # where the list is narrow its column is gone
            painting.put(
                painter, cell.rect, cell.words, ink, font, align=cell.align, elide=cell.elide
            )


class PickerHead(ColumnHead):
    """The head of the picker's list."""

    def __init__(self, theme: Theme, *, digits: int = 5) -> None:
        super().__init__(theme)
        self.digits = digits
        self._words = ("", "", "", "")

    def set_words(self, *, code: str, name: str, price: str, unit: str) -> None:
        """name: may have the number of articles found."""
        self._words = (code, name, price, unit)
        self.setAccessibleName(name)
        self.update()

    def cells(self) -> Iterable[HeadCell]:
        columns = paint_picker.ListColumns(self.rect(), self.theme, digits=self.digits)
        code, name, price, unit = self._words
        yield HeadCell(columns.code, code)
        yield HeadCell(columns.name, name, elide=True)
        yield HeadCell(columns.price, price, painting.RIGHT)
        yield HeadCell(columns.unit, unit)
