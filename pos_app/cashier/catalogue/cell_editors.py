"""The field or the list that lies over a cell while it is edited. Enter saves and goes a row down;
Tab and Shift+Tab save and go to the next and the previous cell; Esc closes the field and keeps the
typed text unsaved. Source: till.md (Catalogue), look.md (Components, Table)."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from pos_app.cashier.ui.choices import Option
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme

_TABS = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}


class CellList(QMenu):
    """The list of a cell. several: Space ticks an entry, and Enter ends; otherwise Enter or a press
    chooses. Signal: `chosen(str, int)`: the chosen ids, each on a line of its own, and the
    direction: 1 goes to the next cell, -1 to the previous one, 0 stays."""

    chosen = Signal(str, int)

    def __init__(
        self, parent: QWidget, options: Sequence[Option], current: str, *, several: bool
    ) -> None:
        super().__init__(parent)
        self.options = tuple(options)
        self._several = several
        self._is_over = False
        now = current.split("\n")
        first: QAction | None = None
        for one in options:
            action = QAction(one.words.replace("&", "&&"), self)
            action.setData(one.id)
            action.setCheckable(True)
            action.setChecked(one.id in now)
            if not several:
                action.triggered.connect(lambda _=False, key=one.id: self.chosen.emit(key, 0))
            self.addAction(action)
            first = first or (action if one.id in now else None)
        self.setActiveAction(first or (self.actions()[0] if self.actions() else QAction(self)))

    def drop(self) -> None:
        """Close the list and choose nothing."""
        self._is_over = True
        self.close()

    def keys(self) -> str:
        """The ids of the ticked entries, each on a line of its own."""
        return "\n".join(one.data() for one in self.actions() if one.isChecked())

    def event(self, event: QEvent) -> bool:
        """Take Tab, which would move the focus."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = _TABS.get(Qt.Key(event.key()))
            if step is not None:
                self._take(step)
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._is_over = True
        if self._several and event.key() == Qt.Key.Key_Space:
            self.activeAction().toggle()
        elif self._several and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(0)
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tick an entry at a press if several can be chosen, and leave the list open."""
        action = self.actionAt(event.position().toPoint())
        if self._several and action is not None:
            action.toggle()
        else:
            super().mouseReleaseEvent(event)

    def _take(self, step: int) -> None:
        self._is_over = True
        text = self.keys() if self._several else str(self.activeAction().data())
        self.hide()
        self.chosen.emit(text, step)

    def hideEvent(self, event: QHideEvent) -> None:
        """Take the ticked entries when a finger presses beside the list."""
        super().hideEvent(event)
        if self._several and not self._is_over:
            self._is_over = True
            self.chosen.emit(self.keys(), 0)


class CellFault(Panel):
    """Says below a cell why its text is wrong, or above it where the table ends."""

    def __init__(self, theme: Theme, words: str, parent: QWidget) -> None:
        super().__init__(theme, colour="danger_ground", parent=parent)
        metrics = theme.metrics
        self.words = words
        self.setAccessibleName(words)
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s3, metrics.s1, metrics.s3, metrics.s1)
        label = Label(theme, words, step=TypeStep.SMALL, colour="danger")
        label.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred)
        row.addWidget(label)

    def move_beside(self, cell: QRect, row: Sequence[QRect], area: QRect) -> None:
        """Cover whole cells of the neighbouring row, so that no cut words stand around the fault.
        row: the visible cells of the cell's own row, from the left; area: the table's rectangle."""
        size, tall = self.sizeHint(), cell.height()
        above = cell.bottom() + tall > area.bottom()
        top = cell.top() - tall if above else cell.bottom() + 1
        left = max(0, min(cell.left(), area.right() - size.width()))
        over = [one for one in row if one.right() > left and one.left() < left + size.width()]
        right = max(over[-1].right(), left + size.width())
        corners = QPoint(min(over[0].left(), left), top), QPoint(right, top + tall - 1)
        self.setGeometry(QRect(*corners).intersected(area))
