"""Panels: surface with a soft edge; plain grounds for bars and columns; lines between."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from pos_app.cashier.ui.buttons import KeyCap
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import box
from pos_app.cashier.ui.state import Icon
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.widget import ThemedWidget


class Panel(ThemedWidget):
    """A box with edge and radius; give it a layout. `chosen` makes it tint with accent edge."""

    def __init__(
        self, theme: Theme, *, ground: Token = "surface", edge: Token = "line",
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(theme, parent)
        self._ground: Token = ground
        self._edge: Token = edge
        self._chosen = False

    def set_chosen(self, chosen: bool) -> None:
        """Show it as the chosen one, or not."""
        self._chosen = chosen
        self.update()

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else QSize(0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        metrics = self.theme.metrics
        box(
            QPainter(self),
            self.rect(),
            radius=metrics.radius_panel,
            fill=self.theme.colour("tint" if self._chosen else self._ground),
            edge=self.theme.colour("accent" if self._chosen else self._edge),
            width=metrics.edge if self._chosen else metrics.hair,
        )


class Ground(ThemedWidget):
    """A plain coloured area; `side` is where a line separates it from its neighbour."""

    def __init__(
        self, theme: Theme, *, colour: Token = "surface", side: Qt.Edge | None = None,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(theme, parent)
        self._colour: Token = colour
        self._side = side

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else QSize(0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.theme.colour(self._colour))
        if self._side is not None:
            painter.fillRect(self._line(), self.theme.colour("line"))

    def _line(self) -> QRect:
        hair, full = self.theme.metrics.hair, self.rect()
        match self._side:
            case Qt.Edge.TopEdge:
                return QRect(0, 0, full.width(), hair)
            case Qt.Edge.BottomEdge:
                return QRect(0, full.height() - hair, full.width(), hair)
            case Qt.Edge.LeftEdge:
                return QRect(0, 0, hair, full.height())
            case _:
                return QRect(full.width() - hair, 0, hair, full.height())


class Divider(ThemedWidget):
    """A thin line across; `strong` is the 2 px ink line above a total."""

    def __init__(
        self, theme: Theme, *, strong: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._strong = strong
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def wanted(self) -> QSize:
        metrics = self.theme.metrics
        return QSize(1, metrics.edge if self._strong else metrics.hair)

    def minimumSizeHint(self) -> QSize:
        return self.wanted()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self.theme.colour("ink" if self._strong else "line"))


class EmptyState(Panel):
    """What a place is for, or that all is well; at most one button."""

    def __init__(
        self,
        theme: Theme,
        *,
        title: str,
        words: str,
        icon: str = "circle-check",
        colour: Token = "ok",
        button: QAbstractButton | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent=parent)
        self.setAccessibleName(f"{title} {words}".strip())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        metrics = theme.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4 + 4, metrics.s3, metrics.s4, metrics.s3)
        row.setSpacing(metrics.s4)
        row.addWidget(Icon(theme, icon, colour=colour, size=34))
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(Label(theme, title, step=Step.STRONG, weight=Weight.SEMIBOLD, wrap=True))
        column.addWidget(Label(theme, words, colour="ink_2", wrap=True))
        row.addLayout(column, 1)
        if button is not None:
            row.addWidget(button)


class KeysGrid(Panel):
    """Two columns of key caps. told: caps and what they do, ready to be shown."""

    def __init__(
        self, theme: Theme, told: Sequence[tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent=parent)
        grid = QGridLayout(self)
        metrics = theme.metrics
        grid.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        grid.setHorizontalSpacing(metrics.s3)
        grid.setVerticalSpacing(metrics.s2)
        rows = (len(told) + 1) // 2
        for number, (cap, words) in enumerate(told):
            column = 2 * (number // rows)
            grid.addWidget(KeyCap(theme, cap), number % rows, column)
            grid.addWidget(Label(theme, words, wrap=True), number % rows, column + 1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
