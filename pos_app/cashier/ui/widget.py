"""The base classes of widgets that paint themselves; emptying a layout."""

from __future__ import annotations

import textwrap
from typing import ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QLayout, QSizePolicy, QWidget

from pos_app.cashier.ui.theme import Theme

RING = "ringRadius"
"""Dynamic property of a widget around which the focus ring is painted: its radius in pixels."""

TIP_SIGNS = 72
"""Qt breaks no line of a tool tip: so many signs have room at 1024 px in large type."""


class ThemedWidget(QWidget):
    """Painted in the colours, sizes and fonts of `theme`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme


class ThemedButton(QAbstractButton):
    """A button. name: a screen reader says it."""

    has_ring: ClassVar[bool] = True
    """A ring around it shows the focus; others show it inside."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if self.has_ring:
            self.setProperty(RING, theme.metrics.radius_button)

    def refuse(self, reason: str) -> None:
        """Disable it and say why, in the tool tip and to a screen reader."""
        self.setEnabled(False)
        self.setToolTip(textwrap.fill(reason, TIP_SIGNS, break_on_hyphens=False))
        self.setAccessibleDescription(reason)

    def allow(self) -> None:
        self.setEnabled(True)
        self.setToolTip("")
        self.setAccessibleDescription("")

    def sizeHint(self) -> QSize:
        return QSize(self.theme.metrics.touch, self.theme.metrics.touch)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.metrics.touch, self.sizeHint().height())


def clear_layout(layout: QLayout) -> None:
    """Empty a layout and the layouts within it; its widgets are out of sight at once, and deleted
    later."""
    while (item := layout.takeAt(0)) is not None:
        if (inner := item.layout()) is not None:
            clear_layout(inner)
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
