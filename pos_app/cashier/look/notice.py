"""Notices: what happened · is the sale safe · what to press, with the buttons inside.

A notice stands in the layout: it pushes content, never covers it, never leaves by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.look.buttons import Button
from pos_app.cashier.look.fonts import Weight
from pos_app.cashier.look.labels import ElidedLabel, Label
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.metrics import Step
from pos_app.cashier.look.painting import box
from pos_app.cashier.look.panel import Panel
from pos_app.cashier.look.state import Icon, Spinner
from pos_app.cashier.look.tokens import Token
from pos_app.cashier.look.widget import LookWidget


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
        look: Look,
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
        super().__init__(look, ground=ground, edge=edge, parent=parent)
        self.setAccessibleName(f"{happened} {safe} {press}".strip())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        metrics = look.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        row.setSpacing(metrics.s3 + 2)
        mark = Icon(look, icon or usual, colour=ink, size=24)
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
            Label(self.look, parts[0], step=Step.NAME, weight=Weight.SEMIBOLD, wrap=True)
        )
        rest = " ".join(part for part in parts[1:] if part)
        if rest:
            column.addWidget(Label(self.look, rest, step=Step.BASE, wrap=True))
        if buttons:
            keys = self._keys(buttons)
            keys.addStretch(1)
            column.addSpacing(self.look.metrics.s2)
            column.addLayout(keys)
        return column

    def _columns(
        self, parts: tuple[str, str, str], heads: tuple[str, str, str], ink: Token
    ) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(self.look.metrics.s4)
        for number, (head, words) in enumerate(zip(heads, parts, strict=True)):
            if number:
                row.addWidget(_Upright(self.look, self._edge))
            column = QVBoxLayout()
            column.setSpacing(self.look.metrics.s1 // 2)
            title = Label(
                self.look, head, step=Step.SMALL, weight=Weight.BOLD, colour=ink, wrap=True
            )
            column.addWidget(title)
            column.addWidget(Label(self.look, words, wrap=True), 1, Qt.AlignmentFlag.AlignTop)
            row.addLayout(column, 1)
        return row

    def _keys(self, buttons: Sequence[QAbstractButton]) -> QHBoxLayout:
        keys = QHBoxLayout()
        keys.setSpacing(self.look.metrics.s2)
        for button in buttons:
            keys.addWidget(button)
        return keys


class _Upright(LookWidget):
    """The line between two columns of a wide notice."""

    def __init__(self, look: Look, colour: Token) -> None:
        super().__init__(look)
        self._colour: Token = colour
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def wanted(self) -> QSize:
        return QSize(self.look.metrics.hair, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self.look.colour(self._colour))


class Bar(LookWidget):
    """How far something is. `kind` gives its colour; the track is `line` unless on a notice."""

    def __init__(
        self, look: Look, *, colour: Token = "info", track: Token = "line",
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(look, parent)
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
        return QSize(self.look.metrics.touch, round(1.5 * self.look.metrics.s1))

    def minimumSizeHint(self) -> QSize:
        return self.wanted()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        radius = self.height() // 2
        box(painter, self.rect(), radius=radius, fill=self.look.colour(self._track))
        done = QRect(0, 0, self.width() * self._share // 1000, self.height())
        if done.width() > 2 * radius:
            box(painter, done, radius=radius, fill=self.look.colour(self._colour))


class ProgressNotice(Panel):
    """Running work: what and how many, a bar, the time left, and a button to stop it."""

    def __init__(
        self, look: Look, *, words: str, stop: Button | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(look, ground="info_ground", edge="info_edge", parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        metrics = look.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4, metrics.s2 + 1, metrics.s4, metrics.s2 + 1)
        row.setSpacing(metrics.s3 + 2)
        row.addWidget(Spinner(look))
        self._words = ElidedLabel(look, words, weight=Weight.SEMIBOLD)
        self._left = Label(look, "", colour="ink_2")
        self._bar = Bar(look, track="surface")
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
