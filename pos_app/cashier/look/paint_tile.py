"""Tiles of the article picker.

A key of the search shows up to three dozen new tiles at once. So a tile is painted in two parts:
its frame, the same for many and drawn once by who keeps pictures, and what is written on it.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, QRect
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPixmap

from pos_app.cashier.look.fonts import Weight
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.meter import Meter
from pos_app.cashier.look.metrics import Step
from pos_app.cashier.look.painting import CENTRE, LEFT, box, fitting, put, put_line, ring, width_of
from pos_app.cashier.look.rows import RowState, Tile
from pos_app.cashier.look.tokens import Token

USUAL = RowState()
RING_PX = 3
PICTURE_SHARE = 0.36
"""Of the width, so that a price stands beside it."""
PICTURE_GROWS = 2


@dataclass(frozen=True, slots=True)
class Frame:
    """What lies under the words of a tile. tone: of the initials' square; None without one."""

    state: RowState
    is_refused: bool
    tone: int | None

    @property
    def ground(self) -> Token:
        """What the words stand on."""
        if self.is_refused:
            return "sunken"
        return "tint" if self.state.pressed or self.state.current else "surface"


def frame_of(tile: Tile, *, picture: QPixmap | None, state: RowState = USUAL) -> Frame:
    """The frame of a tile; it has the initials' square where there is no picture."""
    is_refused = bool(tile.refusal)
    has_picture = picture is not None and not picture.isNull()
    return Frame(state, is_refused, None if is_refused or has_picture else tile.tone)


@dataclass(frozen=True, slots=True)
class _Writing:
    """What a tile is written with where the widget has this font."""

    own: QFont
    name: Meter
    price: Meter
    small: Meter
    initials: Meter


class TilePainter:
    """Paints tiles into rectangles; the ring of the focus needs 4 px around (half of the gap)."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._writing: _Writing | None = None
        look.changed.connect(self._forget)

    def paint_frame(self, painter: QPainter, rect: QRect, frame: Frame) -> None:
        """Box, ring and the ground of the initials: nothing of the tile's own."""
        look, metrics, state = self._look, self._look.metrics, frame.state
        held = (state.pressed or state.current) and not frame.is_refused
        box(
            painter, rect, radius=metrics.radius_button, fill=look.colour(frame.ground),
            edge=look.colour("accent" if held else "line"),
            width=metrics.edge if held else metrics.hair,
        )  # fmt: skip
        if state.focus:
            ring(painter, rect, look, radius=metrics.radius_button, gap=1, width=RING_PX)
        if frame.tone is not None:
            square = _place_of_picture(_inside(rect, look), look)
            box(painter, square, radius=metrics.radius_field, fill=look.initials(frame.tone)[0])

    def paint_on(
        self, painter: QPainter, rect: QRect, frame: Frame, tile: Tile, picture: QPixmap | None
    ) -> None:
        """Name, picture, badge and price, on the frame of this tile."""
        look, inside = self._look, _inside(rect, self._look)
        writing = self._written_with(painter.font())
        self._paint_name(painter, inside, tile, writing)
        if tile.refusal:
            self._paint_refusal(painter, inside, tile, writing.own)
            return
        place = _place_of_picture(inside, look)
        if picture is None or frame.tone is not None:
            self._paint_initials(painter, place, tile, writing)
        else:
            _paint_picture(painter, place, picture, look)
        _paint_badge(painter, place, look, tile.badge, frame.ground)
        inside.setRight(place.left() - look.metrics.s1 - 1)
        self._paint_price(painter, inside, tile, writing)

    def _forget(self) -> None:
        self._writing = None

    def _written_with(self, own: QFont) -> _Writing:
        if self._writing is None or self._writing.own != own:
            meter = self._look.fonts.meter
            self._writing = _Writing(
                own,
                name=meter(own, Step.BASE),
                price=meter(own, Step.STRONG, Weight.BOLD),
                small=meter(own, Step.SMALL),
                initials=meter(own, Step.TITLE, Weight.BOLD),
            )
        return self._writing

    def _paint_name(self, painter: QPainter, inside: QRect, tile: Tile, writing: _Writing) -> None:
        look, meter = self._look, writing.name
        tall = look.metrics.line(Step.BASE) - 2
        base = inside.top() + tall / 2 + meter.drop
        painter.setFont(meter.font)
        painter.setPen(look.colour("ink_2" if tile.refusal else "ink"))
        for words in meter.wrapped(tile.name, inside.width() - look.metrics.s1 // 2):
            painter.drawText(QPointF(inside.left(), base), words)
            base += tall
        painter.setFont(writing.own)

    def _paint_price(self, painter: QPainter, inside: QRect, tile: Tile, writing: _Writing) -> None:
        look, own, meter, room = self._look, writing.own, writing.price, inside.width()
        place = _price_line(inside, look)
        lead, price, per_unit = "", tile.price, tile.per_unit
        if not meter.fits(price, room):
            lead, _, price = price.rpartition(" ")  # "од" goes up to "за 1 kg"
            per_unit = f"{per_unit} {lead}".strip()
        if not meter.fits(price, room):
            step, weight = Step.STRONG, Weight.BOLD
            meter = fitting(look, own, price, step=step, weight=weight, room=room)
        put_line(painter, place, price, meter, ink=look.colour("ink"))
        if per_unit:
            above = place.translated(0, -place.height())
            put_line(painter, above, per_unit, writing.small, ink=look.colour("ink_3"))
        painter.setFont(own)

    def _paint_refusal(self, painter: QPainter, inside: QRect, tile: Tile, own: QFont) -> None:
        look = self._look
        font = look.fonts.resized(own, Step.SMALL, Weight.SEMIBOLD)
        ink, place = look.colour("ink_2"), _price_line(inside, look)
        put(painter, place, tile.refusal, ink, font, align=LEFT, elide=True)

    def _paint_initials(
        self, painter: QPainter, place: QRect, tile: Tile, writing: _Writing
    ) -> None:
        look, own, meter = self._look, writing.own, writing.initials
        room = place.width() - look.metrics.s2
        if not meter.fits(tile.initials, room):
            step, weight = Step.TITLE, Weight.BOLD
            meter = fitting(look, own, tile.initials, step=step, weight=weight, room=room)
        ink = look.initials(tile.tone)[1]
        put(painter, place, tile.initials, ink, meter.font, align=CENTRE)


def _inside(rect: QRect, look: Look) -> QRect:
    metrics = look.metrics
    return rect.adjusted(metrics.s3, metrics.s2 + 2, -metrics.s2 - 1, -metrics.s2 - 1)


def _place_of_picture(inside: QRect, look: Look) -> QRect:
    """In the lower right corner, below the name, as large as that and the price leave room for."""
    usual, name = look.metrics.picture, 2 * (look.metrics.line(Step.BASE) - 2)
    beside_price = max(usual, min(round(PICTURE_SHARE * inside.width()), PICTURE_GROWS * usual))
    side = min(inside.height() - name, beside_price)
    place = QRect(0, 0, side, side)
    place.moveBottomRight(inside.bottomRight())
    return place


def _price_line(inside: QRect, look: Look) -> QRect:
    tall = look.metrics.line(Step.STRONG) - look.metrics.s1
    return QRect(inside.left(), inside.bottom() - tall - 1, inside.width(), tall)


def _paint_picture(painter: QPainter, place: QRect, picture: QPixmap, look: Look) -> None:
    radius, light = look.metrics.radius_field, look.palette.picture_light
    painter.save()
    painter.setRenderHints(
        QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
    )
    shape = QPainterPath()
    shape.addRoundedRect(place, radius, radius)
    painter.setClipPath(shape)
    painter.drawPixmap(place, picture, _cropped(picture))
    if light < 1:
        painter.fillRect(place, QColor.fromRgbF(0, 0, 0, 1 - light))
    painter.restore()


def _cropped(picture: QPixmap) -> QRect:
    """The largest square in the middle of a picture, in its own pixels."""
    side = min(picture.width(), picture.height())
    return QRect((picture.width() - side) // 2, (picture.height() - side) // 2, side, side)


def _paint_badge(painter: QPainter, picture: QRect, look: Look, count: str, ground: Token) -> None:
    if not count:
        return
    own = painter.font()
    font = look.fonts.resized(own, Step.SMALL, Weight.BOLD)
    tall = max(look.metrics.s6, look.metrics.line(Step.SMALL) + 2)
    wide = max(tall, width_of(font, count) + 2 * look.metrics.s1 + look.metrics.s2)
    place = QRect(0, 0, wide, tall)
    place.moveCenter(picture.topRight() + QPoint(-7, 5))
    place.moveRight(picture.right() + look.metrics.s1 + 1)
    around = place.adjusted(-2, -2, 2, 2)
    box(painter, around, radius=around.height() // 2, fill=look.colour(ground))
    box(painter, place, radius=tall // 2, fill=look.colour("accent"))
    put(painter, place, count, look.colour("on_accent"), font, align=CENTRE)
