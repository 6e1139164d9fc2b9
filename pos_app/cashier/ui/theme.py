"""The theme that widgets share: colours, sizes, fonts and icons; and the base classes of widgets
that paint themselves in it."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap, QScreen
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from pos_app import log
from pos_app.cashier.ui import tokens
from pos_app.cashier.ui.fonts import Fonts
from pos_app.cashier.ui.metrics import Metrics, ScreenFacts, measure
from pos_app.resources import folder

_log = log.get(__name__)

RING = "ringRadius"
"""The dynamic property of a widget with a focus ring around it: the ring's radius in pixels."""

TIP_SIGNS = 72
"""The most signs in a line of a tool tip, which Qt does not break; they have room at 1024 px in
large type."""


class Icons:
    """Pictures of the icons of one folder, cached per name, colour, size and pixel ratio."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sources: dict[str, str | None] = {}
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}

    def pixmap(self, name: str, colour: QColor, size: int, *, ratio: float = 1.0) -> QPixmap:
        """Return the icon in `size` device-independent pixels. For a name without a file it is
        blank, which is logged once; each icon has a word beside it, so that a sale goes on."""
        key = (name, colour.name(), size, ratio)
        if key not in self._pixmaps:
            self._pixmaps[key] = self._draw(name, colour, size, ratio)
        return self._pixmaps[key]

    def has(self, name: str) -> bool:
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
                _log.error("icon missing", extra={"fields": {"icon": name}})
                self._sources[name] = None
        return self._sources[name]


def screen_facts(screen: QScreen) -> ScreenFacts:
    """Return Qt's facts about a screen for `usable_dpi`."""
    size = screen.size()
    return ScreenFacts(
        width=size.width(),
        height=size.height(),
        dpi_x=screen.physicalDotsPerInchX(),
        dpi_y=screen.physicalDotsPerInchY(),
        logical_dpi=screen.logicalDotsPerInch(),
    )


def pixel_ratio(painter: QPainter) -> float:
    """Return how many pixels of the screen or image our pixel has, also for a turned painter. The
    painter's device is not asked, because that would make a Python object of something that Qt may
    delete at any time."""
    scale = painter.deviceTransform()
    if not scale.isRotating():
        return scale.m11()
    # without rounding, 1 at an angle is 0.9999…
    return round(math.hypot(scale.m11(), scale.m12()), 6)


class Theme:
    """Colours, sizes, fonts and icons. A theme never changes: `changed_to` makes another one, for
    new widgets. keyboard_name: the name of the button in fields that shows the on-screen keyboard;
    "" for no button. number_only: what a field for a number says of other signs."""

    def __init__(
        self,
        *,
        theme: tokens.ThemeName = "light",
        metrics: Metrics | None = None,
        resources: Path | None = None,
        keyboard_name: str = "",
        number_only: str = "",
        icons: Icons | None = None,
    ) -> None:
        self.palette: tokens.Palette = tokens.palette_named(theme)
        self.metrics: Metrics = metrics or measure()
        self.fonts = Fonts(self.metrics)
        self.font = self.fonts.font
        self.icons = icons or Icons((resources or folder()) / "icons")
        self.keyboard_name = keyboard_name
        self.number_only = number_only
        self._colours: dict[str, QColor] = {}

    def changed_to(
        self,
        *,
        theme: tokens.ThemeName | None = None,
        metrics: Metrics | None = None,
        keyboard_name: str | None = None,
        number_only: str | None = None,
    ) -> Theme:
        """Return a theme with the given values, or this one if nothing differs."""
        palette = theme or self.palette.name
        sizes = metrics or self.metrics
        words = (
            self.keyboard_name if keyboard_name is None else keyboard_name,
            self.number_only if number_only is None else number_only,
        )
        own = (self.palette.name, self.metrics, (self.keyboard_name, self.number_only))
        if (palette, sizes, words) == own:
            return self
        return Theme(
            theme=palette,
            metrics=sizes,
            keyboard_name=words[0],
            number_only=words[1],
            icons=self.icons,
        )

    def colour(self, token: tokens.Token) -> QColor:
        if token not in self._colours:
            self._colours[token] = QColor(getattr(self.palette, token))
        return self._colours[token]

    def initials(self, tone: int) -> tuple[QColor, QColor]:
        """Return the colours of ground and letters for an article without a picture. tone: by
        `tokens.initials_tone`."""
        ground, letters = self.palette.initials[tone % 8]
        return QColor(ground), QColor(letters)

    def pixmap(self, name: str, token: tokens.Token, at_96: int, *, ratio: float = 1.0) -> QPixmap:
        """Return an icon in a colour of the theme, in the size of the text."""
        return self.icons.pixmap(name, self.colour(token), self.metrics.icon(at_96), ratio=ratio)

    def draw_icon(
        self, painter: QPainter, name: str, token: tokens.Token, at_96: int, centre: QPoint
    ) -> None:
        """Paint an icon around a point, in the pixels of the painter's device."""
        size = self.metrics.icon(at_96)
        ratio = pixel_ratio(painter)
        box = QRect(centre.x() - size // 2, centre.y() - size // 2, size, size)
        painter.drawPixmap(box, self.pixmap(name, token, at_96, ratio=ratio))


class ThemedWidget(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme


def refuse(widget: QWidget, reason: str) -> None:
    """Disable a widget and say why, in the tool tip and to a screen reader."""
    widget.setEnabled(False)
    widget.setToolTip(textwrap.fill(reason, TIP_SIGNS, break_on_hyphens=False))
    widget.setAccessibleDescription(reason)


class ThemedButton(QAbstractButton):
    """name: for a screen reader."""

    has_ring: ClassVar[bool] = True
    """Whether a ring around the button shows the focus; else the button paints the focus inside."""
    is_act: ClassVar[bool] = False
    """Whether a press does something, rather than choose or show."""

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
        refuse(self, reason)

    def allow(self) -> None:
        self.setEnabled(True)
        self.setToolTip("")
        self.setAccessibleDescription("")

    def sizeHint(self) -> QSize:
        return QSize(self.theme.metrics.touch, self.theme.metrics.touch)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.metrics.touch, self.sizeHint().height())
