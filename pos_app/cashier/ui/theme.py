"""The look that all widgets share: colours, sizes, fonts and icons of the moment.

One object is made by whoever starts the window and is given to every widget; a change of
theme, screen or text scale is told by the signal `changed`, and everything repaints at once.
"""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QRect, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPixmap, QScreen

from pos_app.cashier.ui.fonts import Fonts, Weight
from pos_app.cashier.ui.icons import Icons
from pos_app.cashier.ui.metrics import Metrics, Screen, Step, measure
from pos_app.cashier.ui.tokens import Palette, ThemeName, Token, palette_named
from pos_app.resources import folder


def screen_facts(screen: QScreen) -> Screen:
    """What Qt says of a screen, as plain values for `usable_dpi`."""
    size = screen.size()
    return Screen(
        width=size.width(),
        height=size.height(),
        dpi_x=screen.physicalDotsPerInchX(),
        dpi_y=screen.physicalDotsPerInchY(),
        logical_dpi=screen.logicalDotsPerInch(),
    )


def pixel_ratio(painter: QPainter) -> float:
    """Pixels of the screen, or of an image, for one of ours: the painter's scale, turned or not.

    Its device is not asked: that would make a Python object of what Qt may delete any time.
    """
    scale = painter.deviceTransform()
    if not scale.isRotating():
        return scale.m11()
    return round(math.hypot(scale.m11(), scale.m12()), 6)  # else 1 at an angle is 0.9999…


class Theme(QObject):
    """Colours, sizes, fonts and icons, and the signal that they changed.

    `keyboard_named`: the key of the on-screen keyboard has another name.
    """

    changed = Signal()
    keyboard_named = Signal()

    def __init__(
        self,
        *,
        theme: ThemeName = "light",
        metrics: Metrics | None = None,
        resources: Path | None = None,
        keyboard_name: str = "",
        icons: Icons | None = None,
    ) -> None:
        super().__init__()
        self._icons = icons or Icons((resources or folder()) / "icons")
        self._metrics = metrics or measure()
        self._fonts = Fonts(self._metrics)
        self._palette = palette_named(theme)
        self._colours: dict[str, QColor] = {}
        self._keyboard_name = keyboard_name

    @property
    def palette(self) -> Palette:
        """The colours of the theme, as text."""
        return self._palette

    @property
    def metrics(self) -> Metrics:
        """All sizes."""
        return self._metrics

    @property
    def fonts(self) -> Fonts:
        """Fonts in the sizes of this screen."""
        return self._fonts

    @property
    def icons(self) -> Icons:
        """The icons."""
        return self._icons

    @property
    def keyboard_name(self) -> str:
        """Name of the key in fields that shows the on-screen keyboard; "" where they have none."""
        return self._keyboard_name

    def changed_to(
        self,
        *,
        theme: ThemeName | None = None,
        metrics: Metrics | None = None,
        keyboard_name: str | None = None,
    ) -> Theme:
        """Another theme with what is given changed; this one where nothing is another."""
        palette = theme or self._palette.name
        sizes = metrics or self._metrics
        name = self._keyboard_name if keyboard_name is None else keyboard_name
        if (palette, sizes, name) == (self._palette.name, self._metrics, self._keyboard_name):
            return self
        return Theme(theme=palette, metrics=sizes, keyboard_name=name, icons=self._icons)

    def name_keyboard(self, name: str) -> None:
        """Have a key of the keyboard in the fields made from now on; rename those that are."""
        self._keyboard_name = name
        self.keyboard_named.emit()

    def change(self, *, theme: ThemeName | None = None, metrics: Metrics | None = None) -> None:
        """Another theme or other sizes, from now on. Tells `changed` when something is new."""
        palette = palette_named(theme) if theme else self._palette
        sizes = metrics or self._metrics
        if (palette, sizes) == (self._palette, self._metrics):
            return
        self._palette = palette
        self._colours.clear()
        if sizes != self._metrics:
            self._metrics = sizes
            self._fonts = Fonts(sizes)
        self.changed.emit()

    def colour(self, token: Token) -> QColor:
        """A colour of the theme."""
        if token not in self._colours:
            self._colours[token] = QColor(getattr(self._palette, token))
        return self._colours[token]

    def initials(self, tone: int) -> tuple[QColor, QColor]:
        """Ground and letters of an article without a picture, by `tokens.initials_tone`."""
        ground, letters = self._palette.initials[tone % 8]
        return QColor(ground), QColor(letters)

    def font(
        self, step: Step = Step.BASE, weight: int = Weight.MEDIUM, *, mono: bool = False
    ) -> QFont:
        """A font of a type step."""
        return self._fonts.font(step, weight, mono=mono)

    def pixmap(self, name: str, token: Token, at_96: int, *, ratio: float = 1.0) -> QPixmap:
        """An icon in a colour of the theme; its size grows with the text."""
        return self._icons.pixmap(name, self.colour(token), self._metrics.icon(at_96), ratio=ratio)

    def draw_icon(
        self, painter: QPainter, name: str, token: Token, at_96: int, centre: QPoint
    ) -> None:
        """Paint an icon around a point, sharp on the device that is painted on."""
        size = self._metrics.icon(at_96)
        ratio = pixel_ratio(painter)
        box = QRect(centre.x() - size // 2, centre.y() - size // 2, size, size)
        painter.drawPixmap(box, self.pixmap(name, token, at_96, ratio=ratio))
