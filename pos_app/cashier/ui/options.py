"""Buttons with two lines: a small label above a bold value, so that nothing need be opened."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.cashier.ui.button_face import ButtonKind, colours, paint_ground
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import CENTRE, LEFT, cap, cap_width, width_of, write
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.widget import ThemedButton

ICON = 20


class OptionButton(ThemedButton):
    """Label above value, with icon and key cap; checked it is shown as chosen.

    `centred`: both lines in the middle (tax labels, the two sides of a conflict). Where it is
    narrow the key cap goes first, then the icon, then some of the air beside the words, and then
    label and value give way to their short forms. What is not wholly said stands in the tool tip.
    """

    def __init__(
        self,
        theme: Theme,
        label: str,
        value: str,
        *,
        icon: str = "",
        key: str = "",
        centred: bool = False,
        short_label: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, f"{label}: {value}", parent)
        self._label = label
        self._value = value
        self._short = (short_label or label, value)
        self._icon = icon
        self._key = key
        self._centred = centred
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_value(self, value: str, *, short: str = "") -> None:
        """Another value under the label; short: the same where there is less room."""
        self._value = value
        self._short = (self._short[0], short or value)
        self.setAccessibleName(f"{self._label}: {value}")
        self._tell_whole()
        self.updateGeometry()
        self.update()

    def shown(self) -> tuple[str, str]:
        """Label and value as they have room; what is too long even so is cut with …."""
        room = self.width() - 2 * self._side()
        fonts = self.theme.font(Step.SMALL), self.theme.font(Step.BASE, Weight.SEMIBOLD)
        whole = zip(fonts, (self._label, self._value), self._short, strict=True)
        label, value = (
            long if width_of(font, long) <= room else short for font, long, short in whole
        )
        return label, value

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._tell_whole()
        super().resizeEvent(event)

    def _tell_whole(self) -> None:
        fits = self._words_width((self._label, self._value)) <= self.width() - 2 * self._side()
        if self.isEnabled():
            self.setToolTip("" if fits else f"{self._label}: {self._value}")

    def _side(self) -> int:
        """What stays free on each side of the words: less where they need the room."""
        metrics = self.theme.metrics
        usual = metrics.s3 + 1
        whole = self._words_width((self._label, self._value)) + 2 * usual
        return usual if whole <= self.width() else metrics.s1

    def wanted(self) -> QSize:
        metrics = self.theme.metrics
        tall = metrics.line(Step.SMALL) + metrics.line(Step.BASE) + 4 * metrics.s1 + 2
        wide = self._words_width((self._label, self._value)) + sum(self._extras())
        return QSize(wide + 2 * metrics.s3 + 2, max(tall, metrics.touch))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = self.theme.metrics
        kind = ButtonKind.CHOSEN if self.isChecked() else ButtonKind.PLAIN
        tokens = colours(kind, pressed=self.isDown(), enabled=self.isEnabled())
        paint_ground(painter, self.rect(), self.theme, tokens)
        inside = self.rect().adjusted(self._side(), 0, -self._side(), 0)
        middle = inside.center().y() + 1
        shows_icon, shows_key = self._fold(inside.width())
        if shows_icon:
            size = metrics.icon(ICON)
            self.theme.draw_icon(
                painter, self._icon, "ink_2", ICON, QPoint(inside.left() + size // 2, middle)
            )
            inside.setLeft(inside.left() + size + metrics.s2 + 1)
        if shows_key:
            width = cap_width(self.theme, self.font(), self._key)
            place = QRect(inside.right() + 1 - width, middle - metrics.cap // 2, width, metrics.cap)
            cap(painter, place, self.theme, self._key, ink="ink_2", edge="line_strong")
            inside.setRight(place.left() - metrics.s1)
        self._paint_lines(painter, inside)

    def minimumSizeHint(self) -> QSize:
        return QSize(2 * self.theme.metrics.touch, self.wanted().height())

    def _words_width(self, words: tuple[str, str]) -> int:
        small = width_of(self.theme.font(Step.SMALL), words[0])
        return max(small, width_of(self.theme.font(Step.BASE, Weight.SEMIBOLD), words[1]))

    def _extras(self) -> tuple[int, int]:
        """Width of icon and key cap with their gaps."""
        metrics = self.theme.metrics
        icon = metrics.icon(ICON) + metrics.s2 if self._icon else 0
        return icon, cap_width(self.theme, self.font(), self._key) + metrics.s2 if self._key else 0

    def _fold(self, room: int) -> tuple[bool, bool]:
        """Whether icon and key cap are shown: the key cap goes first, then the icon."""
        icon, key = self._extras()
        words = self._words_width(self.shown())
        return bool(icon) and words + icon <= room, bool(key) and words + icon + key <= room

    def _paint_lines(self, painter: QPainter, inside: QRect) -> None:
        metrics = self.theme.metrics
        small, base = metrics.line(Step.SMALL), metrics.line(Step.BASE)
        top = (self.height() - small - base) // 2 + 1
        align = CENTRE if self._centred else LEFT
        enabled = self.isEnabled()
        fonts = self.theme.fonts
        upper = QRect(inside.left(), top, inside.width(), small)
        lower = QRect(inside.left(), top + small, inside.width(), base)
        quiet = self.theme.colour("ink_2" if enabled else "ink_3")
        own = self.font()
        label, value = self.shown()
        write(painter, upper, label, quiet, fonts.resized(own, Step.SMALL), align=align,
              elide=True)  # fmt: skip
        ink = self.theme.colour("ink" if enabled else "ink_3")
        font = fonts.resized(own, Step.BASE, Weight.SEMIBOLD)
        write(painter, lower, value, ink, font, align=align, elide=True)
