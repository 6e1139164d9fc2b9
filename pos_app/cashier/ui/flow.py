"""A layout of buttons side by side, in as many rows as its width needs."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Each item has the width that it asks for; the one that does not fit begins the next row."""

    def __init__(self, gap: int) -> None:
        super().__init__()
        self._gap = gap
        self._items: list[QLayoutItem] = []
        self._apart: dict[QWidget, int] = {}
        """The gaps before, or above, widgets that stand further from the one before."""
        self.setContentsMargins(0, 0, 0, 0)

    def add_apart(self, widget: QWidget, gap: int) -> None:
        self._apart[widget] = gap
        self.addWidget(widget)

    def _gap_before(self, item: QLayoutItem) -> int:
        widget = item.widget()
        return self._gap if widget is None else self._apart.get(widget, self._gap)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, number: int) -> QLayoutItem | None:
        return self._items[number] if 0 <= number < len(self._items) else None

    def takeAt(self, number: int) -> QLayoutItem | None:
        return self._items.pop(number) if 0 <= number < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._put(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._put(rect, move=True)

    def sizeHint(self) -> QSize:
        there = [item for item in self._items if not item.isEmpty()]
        widths = sum(item.sizeHint().width() for item in there)
        gaps = sum(map(self._gap_before, there[1:]))
        return QSize(widths + gaps, self.minimumSize().height())

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._items]
        return QSize(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    def _put(self, rect: QRect, *, move: bool) -> int:
        """Return the height of the rows. move: move the items into them."""
        left = top = high = 0
        for item in self._items:
            if item.isEmpty():
                continue  # a hidden widget
            size = item.sizeHint()
            before = self._gap_before(item) if left else 0
            if left and left + before + size.width() > rect.width():
                before, left, top, high = 0, 0, top + high + self._gap_before(item), 0
            left += before
            if move:
                wide = min(size.width(), rect.width())
                item.setGeometry(QRect(rect.x() + left, rect.y() + top, wide, size.height()))
            left, high = left + size.width(), max(high, size.height())
        return top + high
