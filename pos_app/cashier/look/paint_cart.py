"""The rows of the cart: how they are painted, how high they are, and where their buttons lie."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QPainter

from pos_app.cashier.look.faces import Face, Kind, face_width, paint_face
from pos_app.cashier.look.fonts import Weight
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.metrics import Step
from pos_app.cashier.look.painting import (
    LEFT,
    RIGHT,
    fitted,
    put,
    rule,
    small_chip,
    width_of,
    wrapped,
    write,
)
from pos_app.cashier.look.rows import CartRow, CartState, CartWords
from pos_app.cashier.look.tokens import Token

TIMES = "×"


@dataclass(frozen=True, slots=True)
class CartHits:
    """Where the buttons of a row lie; a row without the button has an empty rectangle."""

    minus: QRect
    plus: QRect
    remove: QRect
    restore: QRect

    def at(self, place: QPoint) -> str:
        """ "minus", "plus", "remove", "restore", or "" beside the buttons."""
        for name in ("minus", "plus", "remove", "restore"):
            if getattr(self, name).contains(place):
                return name
        return ""


def cart_row_height(look: Look, row: CartRow, width: int) -> int:
    """Height of a row `width` pixels wide: 1.25 T, with buttons 2.5 T; a name that needs a
    second line makes it higher by that line."""
    metrics = look.metrics
    usual = metrics.cart_row_touched if row.state is CartState.TOUCHED else metrics.cart_row
    return usual + _more_lines(look, row, width)


def cart_hits(rect: QRect, look: Look, row: CartRow, words: CartWords) -> CartHits:
    """The buttons of a row that is painted into `rect`."""
    metrics = look.metrics
    none = QRect()
    touch, left, right = metrics.touch, _name_left(rect, look), _right(rect, look)
    if row.state is CartState.TOUCHED:
        top = rect.top() + metrics.cart_row + _more_lines(look, row, rect.width())
        wide = face_width(look, look.font(), _remove_face(words))
        return CartHits(
            minus=QRect(left, top, touch, touch),
            plus=QRect(left + touch + metrics.s2, top, touch, touch),
            remove=QRect(right - wide, top, wide, touch),
            restore=none,
        )
    if row.state is CartState.REMOVED:
        wide = face_width(look, look.font(), _restore_face(words))
        top = rect.top() + (rect.height() - touch) // 2
        return CartHits(none, none, none, QRect(right - wide, top, wide, touch))
    return CartHits(none, none, none, none)


def paint_cart_row(
    painter: QPainter, rect: QRect, look: Look, row: CartRow, words: CartWords, *, pressed: str = ""
) -> None:
    """One row. `pressed` is the button held down, as `CartHits.at` names it."""
    if row.state is CartState.TOUCHED:
        painter.fillRect(rect, look.colour("tint"))
    hits = cart_hits(rect, look, row, words)
    rule(painter, rect, look)
    if row.state is CartState.TOUCHED:
        bar = QRect(rect.left(), rect.top(), look.metrics.s1, rect.height())
        painter.fillRect(bar, look.colour("accent"))
    _paint_quantity(painter, rect, look, row)
    if row.state is not CartState.REMOVED:
        _paint_totals(painter, rect, look, row)
    _paint_name(painter, rect, look, row)
    _paint_buttons(painter, look, hits, words, pressed)


def _paint_buttons(
    painter: QPainter, look: Look, hits: CartHits, words: CartWords, pressed: str
) -> None:
    faces = {
        "minus": Face(icon="minus"),
        "plus": Face(icon="plus"),
        "remove": _remove_face(words),
        "restore": _restore_face(words),
    }
    for name, face in faces.items():
        place: QRect = getattr(hits, name)
        if not place.isEmpty():
            paint_face(painter, place, look, face, pressed=name == pressed)


def _paint_quantity(painter: QPainter, rect: QRect, look: Look, row: CartRow) -> None:
    own = painter.font()
    gone = row.state is CartState.REMOVED
    right = rect.left() + _column(look)
    upper = _upper(rect, look)
    times = look.fonts.resized(own, Step.NAME)
    sign = QRect(rect.left(), upper.top(), right - rect.left(), upper.height())
    put(painter, sign, TIMES, look.colour("ink_2"), times, align=RIGHT)
    room = sign.adjusted(look.metrics.s2, 0, -width_of(times, TIMES) - look.metrics.s1, 0)
    font = fitted(look, own, row.quantity, step=Step.STRONG, weight=Weight.BOLD, room=room.width())
    ink = look.colour("ink_2" if gone else "ink")
    put(painter, room, row.quantity, ink, font, align=RIGHT, struck=gone)


def _paint_totals(painter: QPainter, rect: QRect, look: Look, row: CartRow) -> None:
    own = painter.font()
    upper, lower = _upper(rect, look), _lower(rect, look)
    left = _name_left(rect, look)
    room = QRect(left, upper.top(), _right(rect, look) - left, upper.height())
    font = fitted(look, own, row.total, step=Step.STRONG, weight=Weight.BOLD, room=room.width())
    token: Token = "danger" if row.negative and row.state is CartState.NORMAL else "ink"
    put(painter, room, row.total, look.colour(token), font, align=RIGHT)
    if row.old_total is not None:
        below = QRect(room.left(), lower.top(), room.width(), lower.height())
        small = look.fonts.resized(own, Step.SMALL)
        quiet = look.colour("ink_2")
        put(painter, below, row.old_total, quiet, small, align=RIGHT, struck=True)


def _paint_name(painter: QPainter, rect: QRect, look: Look, row: CartRow) -> None:
    gone = row.state is CartState.REMOVED
    upper = _upper(rect, look)
    room = _name_room(look, row, rect.width())
    font = look.fonts.resized(painter.font(), _name_step(look))
    ink = look.colour("ink_2" if gone else "ink")
    for number, words in enumerate(wrapped(font, row.name, room)):
        top = upper.top() + number * upper.height()
        place = QRect(_name_left(rect, look), top, room, upper.height())
        put(painter, place, words, ink, font, align=LEFT, struck=gone)
    lower = _lower(rect, look).translated(0, _more_lines(look, row, rect.width()))
    _paint_price(painter, lower, look, row)


def _paint_price(painter: QPainter, line: QRect, look: Look, row: CartRow) -> None:
    own = painter.font()
    fonts, gap = look.fonts, look.metrics.s1
    left = _name_left(line, look)
    small = fonts.resized(own, Step.SMALL)
    quiet = look.colour("ink_2")

    def put(words: str, *, bold: bool = False, struck: bool = False) -> None:
        nonlocal left
        place = QRect(left, line.top(), _right(line, look) - left, line.height())
        font = fonts.resized(own, Step.SMALL, Weight.SEMIBOLD) if bold else small
        colour = look.colour("ink") if bold else quiet
        left += write(painter, place, words, colour, font, align=LEFT, struck=struck) + gap

    if row.old_unit_price is not None:
        put(row.old_unit_price, struck=True)
    put(row.unit_price, bold=row.old_unit_price is not None)
    put(f"/ {row.unit}")
    if row.discount is not None:
        ground: Token = "surface" if row.state is CartState.TOUCHED else "tint"
        start = QPoint(left + gap, line.center().y() + 1)
        took = small_chip(painter, start, look, row.discount, ground=ground, ink="accent")
        left += took + 2 * gap
    if row.note:
        put(row.note)


def _remove_face(words: CartWords) -> Face:
    return Face(words.remove, icon="trash-2", kind=Kind.DANGER, narrow=True)


def _restore_face(words: CartWords) -> Face:
    return Face(words.restore, icon="undo-2", narrow=True)


def _upper(rect: QRect, look: Look) -> QRect:
    """The line of name and total."""
    metrics = look.metrics
    lines = metrics.line(Step.NAME) + metrics.line(Step.SMALL)
    top = rect.top() + (metrics.cart_row - metrics.hair - lines) // 2
    return QRect(rect.left(), top, rect.width(), metrics.line(Step.NAME))


def _lower(rect: QRect, look: Look) -> QRect:
    """The line of the unit price."""
    upper = _upper(rect, look)
    return QRect(rect.left(), upper.bottom() + 1, rect.width(), look.metrics.line(Step.SMALL))


def _name_step(look: Look) -> Step:
    return Step.BASE if look.metrics.narrow else Step.NAME


def _name_room(look: Look, row: CartRow, width: int) -> int:
    """Width for the name in a row: up to the total, or to the button of a removed row."""
    rect = QRect(0, 0, width, 1)
    if row.state is CartState.REMOVED:
        return width - _name_left(rect, look) - 3 * look.metrics.touch
    taken = width_of(look.font(Step.STRONG, Weight.BOLD), row.total) + look.metrics.s2
    return max(_right(rect, look) - taken - _name_left(rect, look), look.metrics.touch)


def _more_lines(look: Look, row: CartRow, width: int) -> int:
    """Height of the second line of a long name, 0 for a short one."""
    font = look.font(_name_step(look))
    if width_of(font, row.name) <= _name_room(look, row, width):
        return 0
    lines = wrapped(font, row.name, _name_room(look, row, width))
    return look.metrics.line(Step.NAME) * (len(lines) - 1)


def _column(look: Look) -> int:
    metrics = look.metrics
    return metrics.quantity + (metrics.s2 if metrics.narrow else metrics.s2 + metrics.s1 // 2)


def _name_left(rect: QRect, look: Look) -> int:
    gap = look.metrics.s2 if look.metrics.narrow else look.metrics.s3
    return rect.left() + _column(look) + gap


def _right(rect: QRect, look: Look) -> int:
    """Where the column of totals ends (the first pixel after it)."""
    return rect.right() + 1 - (look.metrics.s3 if look.metrics.narrow else look.metrics.s4)
