"""Kinds of states and how each is shown: never by colour alone, always with a shape."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QPoint, QRect, QSize, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import CENTRE, LEFT, box, width_of, write
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.widget import ThemedWidget

TURN_STEPS = 8
TURN_MS = 125
TURN_AFTER_MS = 200


class StateKind(StrEnum):
    """What a state asks of the cashier."""

    DONE = "done"
    WAIT = "wait"
    DECIDE = "decide"
    FAILED = "failed"
    MARK = "mark"
    """No state but a mark in the accent colour, like −20 %."""


@dataclass(frozen=True, slots=True)
class StateColours:
    """Icon, its colour, ground and words of a kind."""

    icon: str
    icon_ink: Token
    ground: Token
    ink: Token


STATES: dict[StateKind, StateColours] = {
    StateKind.DONE: StateColours("check", "ok", "sunken", "ink_2"),
    StateKind.WAIT: StateColours("clock", "info", "info_ground", "info"),
    StateKind.DECIDE: StateColours("triangle-alert", "warn", "warn_ground", "warn"),
    StateKind.FAILED: StateColours("circle-alert", "danger", "danger_ground", "danger"),
    StateKind.MARK: StateColours("", "accent", "tint", "accent"),
}


class StateChip(ThemedWidget):
    """Icon and words of a state. `bare` leaves the ground away, as in a table."""

    def __init__(
        self, theme: Theme, kind: StateKind, words: str, *, icon: str = "", bare: bool = False,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(theme, parent)
        self._bare = bare
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_state(kind, words, icon=icon)

    def set_state(self, kind: StateKind, words: str, *, icon: str = "") -> None:
        """Another state; `icon` replaces the kind's usual one."""
        self._kind = kind
        self._words = words
        self._icon = icon or STATES[kind].icon
        self.setAccessibleName(words)
        self.updateGeometry()
        self.update()

    def wanted(self) -> QSize:
        metrics = self.theme.metrics
        words = width_of(self.theme.font(Step.SMALL, Weight.SEMIBOLD), self._words)
        icon = metrics.icon(16) + metrics.s1 + 2 if self._icon else 0
        side = 0 if self._bare else 4 * metrics.s1
        return QSize(words + icon + side, metrics.cap + metrics.s1)

    def minimumSizeHint(self) -> QSize:
        return self.wanted()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics, tokens = self.theme.metrics, STATES[self._kind]
        left = 0
        if not self._bare:
            left = 2 * metrics.s1
            ground = self.theme.colour(tokens.ground)
            box(painter, self.rect(), radius=metrics.radius_cap + metrics.s1 // 2, fill=ground)
        if self._icon:
            size = metrics.icon(16)
            middle = QPoint(left + size // 2, self.height() // 2)
            self.theme.draw_icon(painter, self._icon, tokens.icon_ink, 16, middle)
            left += size + metrics.s1 + 2
        font = self.theme.fonts.resized(self.font(), Step.SMALL, Weight.SEMIBOLD)
        room = QRect(left, 0, self.width() - left, self.height())
        write(painter, room, self._words, self.theme.colour(tokens.ink), font, align=LEFT)


class Icon(ThemedWidget):
    """One icon in a colour of the theme, beside a word that says the same."""

    def __init__(
        self, theme: Theme, icon: str, *, colour: Token = "ink_2", size: int = 20,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(theme, parent)
        self._icon = icon
        self._colour: Token = colour
        self._size = size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_icon(self, icon: str, colour: Token) -> None:
        """Another icon or colour."""
        self._icon = icon
        self._colour = colour
        self.update()

    def wanted(self) -> QSize:
        size = self.theme.metrics.icon(self._size)
        return QSize(size, size)

    def minimumSizeHint(self) -> QSize:
        return self.wanted()

    def paintEvent(self, event: QPaintEvent) -> None:
        middle = QPoint(self.width() // 2, self.height() // 2)
        self.theme.draw_icon(QPainter(self), self._icon, self._colour, self._size, middle)


class Spinner(Icon):
    """The running icon: it appears at once and turns after 0.2 s, eight steps a second."""

    def __init__(
        self, theme: Theme, *, colour: Token = "info", size: int = 20, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, "loader-circle", colour=colour, size=size, parent=parent)
        self._step = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._turn)

    def showEvent(self, event: QShowEvent) -> None:
        self._step = 0
        self._timer.start(TURN_AFTER_MS)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.translate(self.width() / 2, self.height() / 2)
        painter.rotate(self._step * 360 / TURN_STEPS)
        self.theme.draw_icon(painter, self._icon, self._colour, self._size, QPoint(0, 0))

    def _turn(self) -> None:
        self._timer.setInterval(TURN_MS)
        self._step = (self._step + 1) % TURN_STEPS
        self.update()


class StepNumber(ThemedWidget):
    """The round number of a step, 30 px: filled when current, a tick when done."""

    def __init__(self, theme: Theme, number: int, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._number = number
        self._current = False
        self._done = False
        self.setAccessibleName(str(number))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_step(self, *, current: bool = False, done: bool = False) -> None:
        """Where it stands."""
        self._current = current
        self._done = done
        self.update()

    def wanted(self) -> QSize:
        size = self.theme.metrics.icon(32)
        return QSize(size, size)

    def minimumSizeHint(self) -> QSize:
        return self.wanted()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, whole = self.theme, self.rect()
        edge: Token = "accent" if self._done or self._current else "line_strong"
        box(
            painter, whole, radius=whole.height() // 2, edge=theme.colour(edge),
            width=theme.metrics.edge, fill=theme.colour("accent" if self._current else "surface"),
        )  # fmt: skip
        if self._done:
            middle = QPoint(self.width() // 2, self.height() // 2)
            theme.draw_icon(painter, "check", "accent", 20, middle)
            return
        font = theme.fonts.resized(self.font(), Step.BASE, Weight.BOLD)
        ink = theme.colour("on_accent" if self._current else "ink_2")
        write(painter, whole, str(self._number), ink, font, align=CENTRE)
