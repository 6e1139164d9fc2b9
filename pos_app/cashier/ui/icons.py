"""Lucide icons in a colour of the theme, drawn sharp for the screen they stand on.

QtSvg paints `currentColor` black, so the word is replaced by the colour before loading.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from pos_app import log

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
