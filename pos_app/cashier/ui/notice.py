"""Notices: what happened · is the sale safe · what to press, with the buttons inside.

A notice stands in the layout: it pushes content, never covers it, never leaves by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import box
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.state import Icon, Spinner
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.widget import ThemedWidget


class NoticeKind(StrEnum):
    """Info waits and goes on by itself, warn needs a decision, danger failed."""

    INFO = "info"
    WARN = "warn"
    DANGER = "danger"


GROUNDS: dict[NoticeKind, tuple[Token, Token, Token, str]] = {
    NoticeKind.INFO: ("info_ground", "info_edge", "info", "info"),
    NoticeKind.WARN: ("warn_ground", "warn_edge", "warn", "triangle-alert"),
    NoticeKind.DANGER: ("danger_ground", "danger_edge", "danger", "circle-alert"),
}
"""Ground, edge, ink of the heads, icon."""


class Notice(Panel):
    """A notice of three parts. With `heads` it stands wide, in three columns under them."""

    def __init__(
        self,
        theme: Theme,
        kind: NoticeKind,
        *,
        happened: str,
        safe: str,
        press: str,
        buttons: Sequence[QAbstractButton] = (),
        heads: tuple[str, str, str] | None = None,
        icon: str = "",
        parent: QWidget | None = None,
    ) -> None:
        ground, edge, ink, usual = GROUNDS[kind]
        super().__init__(theme, ground=ground, edge=edge, parent=parent)
        self.setAccessibleName(f"{happened} {safe} {press}".strip())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        metrics = theme.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        row.setSpacing(metrics.s3 + 2)
        mark = Icon(theme, icon or usual, colour=ink, size=24)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        parts = (happened, safe, press)
        if heads:
            row.addLayout(self._columns(parts, heads, ink), 1)
        else:
            row.addLayout(self._stack(parts, buttons), 1)
        if heads and buttons:
            row.addLayout(self._keys(buttons))

    def _stack(
        self, parts: tuple[str, str, str], buttons: Sequence[QAbstractButton]
    ) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(
            Label(self.theme, parts[0], step=Step.NAME, weight=Weight.SEMIBOLD, wrap=True)
        )
        rest = " ".join(part for part in parts[1:] if part)
        if rest:
            column.addWidget(Label(self.theme, rest, step=Step.BASE, wrap=True))
        if buttons:
            keys = self._keys(buttons)
            keys.addStretch(1)
            column.addSpacing(self.theme.metrics.s2)
            column.addLayout(keys)
        return column

    def _columns(
        self, parts: tuple[str, str, str], heads: tuple[str, str, str], ink: Token
    ) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(self.theme.metrics.s4)
        for number, (head, words) in enumerate(zip(heads, parts, strict=True)):
            if number:
                row.addWidget(_Upright(self.theme, self._edge))
            column = QVBoxLayout()
            column.setSpacing(self.theme.metrics.s1 // 2)
            title = Label(
                self.theme, head, step=Step.SMALL, weight=Weight.BOLD, colour=ink, wrap=True
            )
            column.addWidget(title)
            column.addWidget(Label(self.theme, words, wrap=True), 1, Qt.AlignmentFlag.AlignTop)
            row.addLayout(column, 1)
        return row

    def _keys(self, buttons: Sequence[QAbstractButton]) -> QHBoxLayout:
        keys = QHBoxLayout()
        keys.setSpacing(self.theme.metrics.s2)
        for button in buttons:
            keys.addWidget(button)
        return keys


class _Upright(ThemedWidget):
    """The line between two columns of a wide notice."""

    def __init__(self, theme: Theme, colour: Token) -> None:
        super().__init__(theme)
        self._colour: Token = colour
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def wanted(self) -> QSize:
        return QSize(self.theme.metrics.hair, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self.theme.colour(self._colour))


class ProgressBar(ThemedWidget):
    """How far something is. `kind` gives its colour; the track is `line` unless on a notice."""

    def __init__(
        self, theme: Theme, *, colour: Token = "info", track: Token = "line",
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(theme, parent)
        self._colour: Token = colour
        self._track: Token = track
        self._share = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_permille(self, share: int) -> None:
        """How far, in thousandths; held to 0…1000."""
        self._share = min(max(share, 0), 1000)
        self.setAccessibleDescription(f"{self._share // 10} %")
        self.update()

    def wanted(self) -> QSize:
        return QSize(self.theme.metrics.touch, round(1.5 * self.theme.metrics.s1))

    def minimumSizeHint(self) -> QSize:
        return self.wanted()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        radius = self.height() // 2
        box(painter, self.rect(), radius=radius, fill=self.theme.colour(self._track))
        done = QRect(0, 0, self.width() * self._share // 1000, self.height())
        if done.width() > 2 * radius:
            box(painter, done, radius=radius, fill=self.theme.colour(self._colour))


class ProgressNotice(Panel):
    """Running work: what and how many, a bar, the time left, and a button to stop it."""

    def __init__(
        self, theme: Theme, *, words: str, stop: Button | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, ground="info_ground", edge="info_edge", parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        metrics = theme.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4, metrics.s2 + 1, metrics.s4, metrics.s2 + 1)
        row.setSpacing(metrics.s3 + 2)
        row.addWidget(Spinner(theme))
        self._words = ElidedLabel(theme, words, weight=Weight.SEMIBOLD)
        self._left = Label(theme, "", colour="ink_2")
        self._bar = ProgressBar(theme, track="surface")
        line = QHBoxLayout()
        line.addWidget(self._words, 1)
        line.addWidget(self._left)
        column = QVBoxLayout()
        column.setSpacing(metrics.s1)
        column.addStretch(1)
        column.addLayout(line)
        column.addWidget(self._bar)
        column.addStretch(1)
        row.addLayout(column, 1)
        if stop is not None:
            row.addWidget(stop)

    def set_progress(self, words: str, *, permille: int, left: str) -> None:
        """What is done, how far in thousandths, and the words for the time left."""
        self._words.setText(words)
        self._left.setText(left)
        self._bar.set_permille(permille)
        self.setAccessibleName(f"{words} {left}".strip())
