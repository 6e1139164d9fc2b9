"""The look that all widgets share: colours, sizes, fonts and icons of the moment.

One object is made by whoever starts the window and is given to every widget; a change of
theme, screen or text scale is told by the signal `changed`, and everything repaints at once.
"""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPixmap, QScreen
from PySide6.QtSvg import QSvgRenderer

from pos_app import log
from pos_app.cashier.ui.fonts import Fonts, Weight
from pos_app.cashier.ui.metrics import Metrics, Screen, Step, measure
from pos_app.cashier.ui.tokens import Palette, ThemeName, Token, palette_named
from pos_app.resources import folder

_log = log.get(__name__)

RATIOS = (1.0, 2.0)
"""Device pixel ratios for which a QIcon carries a picture."""


class Icons:
    """Pictures of the icons of one folder, cached per name, colour, size and pixel ratio."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sources: dict[str, str | None] = {}
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}

    def pixmap(self, name: str, colour: QColor, size: int, *, ratio: float = 1.0) -> QPixmap:
        """The icon in `size` device-independent pixels. A name without a file is left blank
        and logged once: a missing picture never stops a sale, each stands beside a word."""
        key = (name, colour.name(), size, ratio)
        if key not in self._pixmaps:
            self._pixmaps[key] = self._draw(name, colour, size, ratio)
        return self._pixmaps[key]

    def icon(self, name: str, colour: QColor, size: int, *, disabled: QColor) -> QIcon:
        """For menus and other widgets of Qt that take a QIcon."""
        icon = QIcon()
        for ratio in RATIOS:
            icon.addPixmap(self.pixmap(name, colour, size, ratio=ratio))
            icon.addPixmap(self.pixmap(name, disabled, size, ratio=ratio), QIcon.Mode.Disabled)
        return icon

    def has(self, name: str) -> bool:
        """Whether there is such an icon."""
        return self._source(name) is not None

    def _draw(self, name: str, colour: QColor, size: int, ratio: float) -> QPixmap:
        pixmap = QPixmap(QSize(round(size * ratio), round(size * ratio)))
        pixmap.fill(Qt.GlobalColor.transparent)
        source = self._source(name)
        if source is not None:
            svg = source.replace("currentColor", colour.name())
            renderer = QSvgRenderer(QByteArray(svg.encode()))
            painter = QPainter(pixmap)
            renderer.render(painter, QRectF(0, 0, pixmap.width(), pixmap.height()))
            painter.end()
        pixmap.setDevicePixelRatio(ratio)
        return pixmap

    def _source(self, name: str) -> str | None:
        if name not in self._sources:
            path = self._folder / f"{name}.svg"
            try:
                self._sources[name] = path.read_text(encoding="utf-8")
            except OSError:
                _log.warning("icon missing", extra={"fields": {"icon": name}})
                self._sources[name] = None
        return self._sources[name]


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
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._icons = Icons((resources or folder()) / "icons")
        self._metrics = metrics or measure()
        self._fonts = Fonts(self._metrics)
        self._palette = palette_named(theme)
        self._colours: dict[str, QColor] = {}
        self._keyboard_name = ""

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
