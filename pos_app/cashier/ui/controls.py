"""Check box, switch and radio card: their state is told by shape, not by colour alone."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.cashier.ui.button_face import ButtonKind, colours, paint_ground
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import LEFT, box, width_of, wrapped, write
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.widget import ThemedButton


class CheckBox(ThemedButton):
    """A box of 24 px in a target of T, with words beside it or none (in a table)."""

    def __init__(
        self, theme: Theme, words: str = "", *, name: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, name or words, parent)
        self._words = words
        self.setCheckable(True)

    def wanted(self) -> QSize:
        metrics = self.theme.metrics
        words = width_of(self.theme.font(Step.BASE), self._words) + metrics.s2 if self._words else 0
        return QSize(metrics.icon(24) + words + 2 * metrics.s2, metrics.touch)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = self.theme.metrics
        size = metrics.icon(24)
        place = QRect(metrics.s2, (self.height() - size) // 2, size, size)
        paint_check(painter, place, self.theme, ticked=self.isChecked(), enabled=self.isEnabled())
        room = self.rect().adjusted(place.right() + 1 + metrics.s2, 0, 0, 0)
        ink = self.theme.colour("ink" if self.isEnabled() else "ink_3")
        font = self.theme.fonts.resized(self.font(), Step.BASE)
        write(painter, room, self._words, ink, font, align=LEFT)


def paint_check(
    painter: QPainter, place: QRect, theme: Theme, *, ticked: bool, part: bool = False,
    enabled: bool = True,
) -> None:  # fmt: skip
    """The box itself, for delegates too. `part`: some of many are ticked."""
    metrics = theme.metrics
    edge: Token = "line_strong" if enabled else "line"
    fill: Token = "surface" if enabled else "sunken"
    if ticked and enabled:
        edge = fill = "accent"
    radius = metrics.radius_cap + metrics.s1 // 2
    box(painter, place, radius=radius, fill=theme.colour(fill), edge=theme.colour(edge),
        width=metrics.edge)  # fmt: skip
    if ticked or part:
        ink: Token = "on_accent" if ticked and enabled else "ink_2"
        theme.draw_icon(
            painter, "check" if ticked else "minus", ink, 18, place.center() + QPoint(1, 1)
        )


class Switch(ThemedButton):
    """On or off: the thumb's place tells, and a tick in it when on."""

    def __init__(self, theme: Theme, *, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def wanted(self) -> QSize:
        return QSize(self.theme.metrics.icon(56), self.theme.metrics.touch)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, metrics = self.theme, self.theme.metrics
        tall = metrics.icon(32)
        track = QRect(0, (self.height() - tall) // 2, self.width(), tall)
        on, enabled = self.isChecked(), self.isEnabled()
        edge: Token = "line" if not enabled else "accent" if on else "line_strong"
        fill: Token = "accent" if on and enabled else "sunken"
        box(painter, track, radius=tall // 2, fill=theme.colour(fill), edge=theme.colour(edge),
            width=metrics.edge)  # fmt: skip
        thumb = track.adjusted(metrics.s1, metrics.s1, -metrics.s1, -metrics.s1)
        side = thumb.height()
        thumb = QRect(thumb.right() + 1 - side if on else thumb.left(), thumb.top(), side, side)
        inner: Token = "on_accent" if on and enabled else "line_strong" if enabled else "line"
        box(painter, thumb, radius=side // 2, fill=theme.colour(inner))
        if on:
            theme.draw_icon(painter, "check", "accent" if enabled else "ink_3", 16,
                           thumb.center() + QPoint(1, 1))  # fmt: skip


class RadioCard(ThemedButton):
    """One of a few big choices: a ring that is filled when chosen, a title, and its words.

    Put the cards of one choice into a QButtonGroup (exclusive).
    """

    def __init__(self, theme: Theme, title: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, title, parent)
        self._title = title
        self._words = words
        self.setAccessibleDescription(words)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def wanted(self) -> QSize:
        metrics = self.theme.metrics
        tall = metrics.line(Step.STRONG) + 2 * metrics.line(Step.SMALL) + 2 * metrics.s4 - 2
        return QSize(5 * metrics.touch, tall)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, metrics, fonts = self.theme, self.theme.metrics, self.theme.fonts
        kind = ButtonKind.CHOSEN if self.isChecked() else ButtonKind.PLAIN
        paint_ground(painter, self.rect(), theme, colours(kind, pressed=self.isDown(),
                                                         enabled=self.isEnabled()))  # fmt: skip
        size = metrics.icon(24)
        dot = QRect(metrics.s4, metrics.s3, size, size)
        self._paint_dot(painter, dot)
        left = dot.right() + 1 + metrics.s3
        line = metrics.line(Step.STRONG)
        room = QRect(left, metrics.s3 + 1, self.width() - left - metrics.s3, line)
        ink = theme.colour("ink" if self.isEnabled() else "ink_3")
        bold = fonts.resized(self.font(), Step.STRONG, Weight.SEMIBOLD)
        write(painter, room, self._title, ink, bold, align=LEFT, elide=True)
        small = fonts.resized(self.font(), Step.SMALL)
        quiet = theme.colour("ink_2" if self.isEnabled() else "ink_3")
        tall = metrics.line(Step.SMALL)
        for number, words in enumerate(wrapped(small, self._words, room.width())):
            below = QRect(left, room.bottom() + 1 + number * tall, room.width(), tall)
            write(painter, below, words, quiet, small, align=LEFT)

    def _paint_dot(self, painter: QPainter, dot: QRect) -> None:
        theme, metrics = self.theme, self.theme.metrics
        chosen = self.isChecked()
        edge: Token = "accent" if chosen else "line_strong"
        box(painter, dot, radius=dot.height() // 2, edge=theme.colour(edge), width=metrics.edge,
            fill=theme.colour("accent" if chosen else "surface"))  # fmt: skip
        if chosen:
            third = dot.height() // 3
            inner = dot.adjusted(third, third, -third, -third)
            box(painter, inner, radius=inner.height() // 2, fill=theme.colour("on_accent"))
