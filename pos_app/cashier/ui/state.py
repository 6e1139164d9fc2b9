"""Kinds of states and their looks. A shape always shows a state, never colour alone."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.painting import CENTRE, box, write
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.ui.tokens import Token
from pos_app.lazy_dataclass import dataclass


class StateKind(StrEnum):
    """The meaning of a state for the cashier."""

    DONE = "done"
    WAIT = "wait"
    DECIDE = "decide"
    FAILED = "failed"
    MARK = "mark"
    """A fact that is neither good nor bad, such as a cancelled sale."""


@dataclass(frozen=True, slots=True)
class StateColours:
    """icon_ink: the icon's colour. ground, ink: for words that ask for a person."""

    icon: str
    icon_ink: Token
    ground: Token
    ink: Token


STATES: dict[StateKind, StateColours] = {
    StateKind.DONE: StateColours("circle-check", "ok", "sunken", "ink_2"),
    StateKind.WAIT: StateColours("clock", "info", "info_ground", "info"),
    StateKind.DECIDE: StateColours("triangle-alert", "warn", "warn_ground", "warn"),
    StateKind.FAILED: StateColours("circle-alert", "danger", "danger_ground", "danger"),
    StateKind.MARK: StateColours("info", "ink_2", "tint", "accent"),
}


class Bar(ThemedWidget):
    """A progress bar."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._permille = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_part(self, done: int, whole: int) -> None:
        self._permille = 1000 * done // max(1, whole)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(4 * self.theme.metrics.touch, self.theme.metrics.s1 + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, radius = QPainter(self), self.height() // 2
        box(painter, self.rect(), radius=radius, fill=self.theme.colour("surface"))
        done = QRect(0, 0, self.width() * self._permille // 1000, self.height())
        box(painter, done, radius=radius, fill=self.theme.colour("info"))


class StepNumber(ThemedWidget):
    """The round number of a step, 32 px: filled for the current step, a tick for a finished
    step."""

    def __init__(self, theme: Theme, number: int) -> None:
        super().__init__(theme)
        self._number = number
        self._current = False
        self._done = False
        self.setAccessibleName(str(number))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_step(self, *, current: bool = False, done: bool = False) -> None:
        self._current = current
        self._done = done
        self.update()

    def sizeHint(self) -> QSize:
        size = self.theme.metrics.icon(32)
        return QSize(size, size)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, whole = self.theme, self.rect()
        edge: Token = "accent" if self._done or self._current else "line_strong"
        box(
            painter,
            whole,
            radius=whole.height() // 2,
            edge=theme.colour(edge),
            width=theme.metrics.edge,
            fill=theme.colour("accent" if self._current else "surface"),
        )
        if self._done:
            middle = QPoint(self.width() // 2, self.height() // 2)
            theme.draw_icon(painter, "check", "accent", 20, middle)
            return
        font = theme.fonts.resized(self.font(), TypeStep.BASE, Weight.BOLD)
        ink = theme.colour("on_accent" if self._current else "ink_2")
        write(painter, whole, str(self._number), ink, font, align=CENTRE)
