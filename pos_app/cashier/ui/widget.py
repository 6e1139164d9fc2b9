"""What every widget of the look has: the look itself, and a repaint when it changes."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from pos_app.cashier.ui.theme import Theme

RING = "ringRadius"
"""Dynamic property of a widget around which the focus ring is painted: its radius in pixels."""


class ThemedWidget(QWidget):
    """A widget painted with the look. Subclasses say their size in `wanted()`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme

    def wanted(self) -> QSize:
        """The size this widget asks for."""
        return QSize(0, 0)

    def sizeHint(self) -> QSize:
        return self.wanted()


class ThemedButton(QAbstractButton):
    """A pressable widget painted with the look, named for those who don't see it."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._set_ring()

    def wanted(self) -> QSize:
        """The size this button asks for."""
        return QSize(self.theme.metrics.touch, self.theme.metrics.touch)

    def refuse(self, reason: str) -> None:
        """Disable it and say why, in the tool tip and to a screen reader."""
        self.setEnabled(False)
        self.setToolTip(reason)
        self.setAccessibleDescription(reason)

    def allow(self) -> None:
        """Enable it again."""
        self.setEnabled(True)
        self.setToolTip("")
        self.setAccessibleDescription("")

    def sizeHint(self) -> QSize:
        return self.wanted()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.metrics.touch, self.wanted().height())

    def _set_ring(self) -> None:
        self.setProperty(RING, self.theme.metrics.radius_button)
