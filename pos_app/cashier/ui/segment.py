"""The segment: one choice out of a few words, as for the sale type."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import CENTRE, box, write
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.widget import RING, ThemedWidget


class Segment(ThemedWidget):
    """Parts side by side on a sunken track; the chosen one has an accent edge.

    Signals: `chosen(int)` with the number of the part, only when the cashier chose it.
    Keys: left and right arrows. Accessible name: what is chosen, out of which choice.
    """

    chosen = Signal(int)

    def __init__(
        self, theme: Theme, parts: Sequence[str], *, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._parts = list(parts)
        self._name = name
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a finger leaves the caret in its field
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.relook()
        self._tell()

    def current(self) -> int:
        """Number of the chosen part."""
        return self._current

    def set_parts(self, parts: Sequence[str]) -> None:
        """Other words, as after a change of language; the choice stays."""
        self._parts = list(parts)
        self._current = min(self._current, max(0, len(self._parts) - 1))
        self._tell()
        self.updateGeometry()
        self.update()

    def set_current(self, number: int) -> None:
        """Choose a part from the program; no signal."""
        if number != self._current:
            self._current = number
            self._tell()
            self.update()

    def relook(self) -> None:
        self.setProperty(RING, self.theme.metrics.radius_button)

    def wanted(self) -> QSize:
        return QSize(sum(self._widths()), self.theme.metrics.touch)

    def minimumSizeHint(self) -> QSize:
        return self.wanted()

    def part_at(self, x: int) -> int | None:
        """Number of the part at a place, None beside them."""
        for number, rect in enumerate(self._rects()):
            if rect.left() <= x <= rect.right():
                return number
        return None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        number = self.part_at(round(event.position().x()))
        if event.button() is Qt.MouseButton.LeftButton and number is not None:
            self._choose(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if not step:
            super().keyPressEvent(event)
            return
        self._choose(min(max(self._current + step, 0), len(self._parts) - 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics, theme = self.theme.metrics, self.theme
        box(
            painter, self.rect(), radius=metrics.radius_button, width=metrics.hair,
            fill=theme.colour("sunken"), edge=theme.colour("line"),
        )  # fmt: skip
        for number, rect in enumerate(self._rects()):
            here = number == self._current
            if here:
                box(
                    painter, rect, radius=metrics.radius_field, width=metrics.edge,
                    fill=theme.colour("surface"), edge=theme.colour("accent"),
                )  # fmt: skip
            font = theme.fonts.resized(
                self.font(), Step.BASE, Weight.BOLD if here else Weight.MEDIUM
            )
            colour = theme.colour("accent" if here else "ink_2")
            write(painter, rect, self._parts[number], colour, font, align=CENTRE)

    def _choose(self, number: int) -> None:
        if number != self._current:
            self.set_current(number)
            self.chosen.emit(number)

    def _widths(self) -> list[int]:
        side = self.theme.metrics.s3 if self.theme.metrics.narrow else self.theme.metrics.s4
        bold = QFontMetrics(self.theme.font(Step.BASE, Weight.BOLD))
        touch = self.theme.metrics.touch
        return [max(bold.horizontalAdvance(part) + 2 * side, touch) for part in self._parts]

    def _rects(self) -> list[QRect]:
        hair = self.theme.metrics.hair
        left = 0
        rects = []
        for width in self._widths():
            rects.append(QRect(left, 0, width, self.height()))
            left += width
        if rects:
            rects[0].setLeft(hair)
            rects[-1].setRight(self.width() - 1 - hair)
        return [rect.adjusted(0, hair, 0, -hair) for rect in rects]

    def _tell(self) -> None:
        part = self._parts[self._current] if self._parts else ""
        self.setAccessibleName(f"{self._name}: {part}")
        self.setAccessibleDescription(" · ".join(self._parts))
