"""Rows and tiles as they were painted: one that did not change is copied, not drawn again.

To draw a row takes 0.1 to 0.6 ms, most of it text; to copy its picture 0.02 ms. A scan changes two
rows of a cart that shows a dozen, and a key of the search shows many tiles that stood there before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPixmap

from pos_app.cashier.ui.theme import Theme, pixel_ratio
from pos_app.cashier.ui.tokens import Token

Draw = Callable[[QPainter, QRect], None]
MOST_UNDERS = 32
"""More than the rows of a window have different ones."""


@dataclass(frozen=True, slots=True)
class RowGround:
    """What many pictures begin with; `shown` describes it, and no text is in it."""

    shown: Hashable
    draw: Draw


class PaintedRows:
    """The pictures of one view, the latest ones; none survives a change of the look.

    ground: what rows stand on, because text is drawn better on a ground that is known; None for
    what has a ground of its own, and corners that show what is behind. most: how many are kept,
    more than a window shows; a tile takes some 60 KB, a row 130 KB.
    """

    def __init__(self, theme: Theme, *, ground: Token | None, most: int) -> None:
        self._theme = theme
        self._most = most
        self._ground = ground
        self._kept: OrderedDict[Hashable, QPixmap] = OrderedDict()
        self.drawn = 0
        """How many were drawn so far, for the tests of what is not drawn again."""
        self._unders: OrderedDict[Hashable, QPixmap] = OrderedDict()
        theme.changed.connect(self._forget)

    def paint(
        self, painter: QPainter, rect: QRect, shown: Hashable, draw: Draw, *,
        under: RowGround | None = None,
    ) -> None:  # fmt: skip
        """Paint into `rect` what `shown` describes completely, size, font and sharpness apart.

        under: what lies under it, drawn once for all that have the same one.
        Where a pixel of the screen is a fraction of ours (125 %) it is drawn each time: the
        picture would lie between two of the screen's pixels.
        """
        ratio = pixel_ratio(painter)
        if not ratio.is_integer():
            if under is not None:
                under.draw(painter, rect)
            draw(painter, rect)
            return
        key = (shown, rect.width(), rect.height(), ratio, painter.font())
        picture = self._kept.get(key)
        if picture is None:
            picture = self._kept[key] = self._drawn(painter, rect, ratio, draw, under)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        painter.drawPixmap(rect.topLeft(), picture)

    def _drawn(
        self, painter: QPainter, rect: QRect, ratio: float, draw: Draw, under: RowGround | None
    ) -> QPixmap:
        self.drawn += 1
        picture = self._ground_of(rect, ratio) if under is None else self._under(rect, ratio, under)
        own = QPainter(picture)
        own.setFont(painter.font())
        draw(own, QRect(QPoint(0, 0), rect.size()))
        own.end()
        return picture

    def _ground_of(self, rect: QRect, ratio: float) -> QPixmap:
        picture = QPixmap(rect.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        ground = Qt.GlobalColor.transparent
        picture.fill(self._theme.colour(self._ground) if self._ground else ground)
        return picture

    def _under(self, rect: QRect, ratio: float, under: RowGround) -> QPixmap:
        """A copy of what lies under, which is drawn on."""
        key = (under.shown, rect.width(), rect.height(), ratio)
        picture = self._unders.get(key)
        if picture is None:
            picture = self._unders[key] = self._ground_of(rect, ratio)
            own = QPainter(picture)
            under.draw(own, QRect(QPoint(0, 0), rect.size()))
            own.end()
            if len(self._unders) > MOST_UNDERS:
                self._unders.popitem(last=False)
        return QPixmap(picture)

    def _forget(self) -> None:
        self._kept.clear()
        self._unders.clear()
