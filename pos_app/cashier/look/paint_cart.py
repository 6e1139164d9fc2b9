"""The rows of the cart: how they are painted, how high they are, and where their buttons lie."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QPainter

from pos_app.cashier.look.faces import Face, Kind, face_width, paint_face
from pos_app.cashier.look.fonts import Weight
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.meter import Meter
from pos_app.cashier.look.metrics import Step
from pos_app.cashier.look.painting import (
    LEFT,
    RIGHT,
    fitted,
    put,
    rule,
    small_chip,
    width_of,
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
        wide = face_width(look, look.font(), _remove_face(look, words, rect.width()))
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
    _paint_buttons(painter, rect, look, hits, words, pressed=pressed)


def _paint_buttons(
    painter: QPainter, rect: QRect, look: Look, hits: CartHits, words: CartWords, *, pressed: str
) -> None:
    faces = {
        "minus": Face(icon="minus"),
        "plus": Face(icon="plus"),
        "remove": _remove_face(look, words, rect.width()),
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
    if row.old_total is not None and _has_old_total(look, row, rect.width()):
        below = QRect(room.left(), lower.top(), room.width(), lower.height())
        small = look.fonts.resized(own, Step.SMALL)
        quiet = look.colour("ink_2")
        put(painter, below, row.old_total, quiet, small, align=RIGHT, struck=True)


def _paint_name(painter: QPainter, rect: QRect, look: Look, row: CartRow) -> None:
    gone = row.state is CartState.REMOVED
    upper = _upper(rect, look)
    room = _name_room(look, row, rect.width())
    meter = look.fonts.meter(painter.font(), _name_step(look))
    ink = look.colour("ink_2" if gone else "ink")
    for number, words in enumerate(_name_lines(look, row, rect.width(), meter)):
        top = upper.top() + number * upper.height()
        place = QRect(_name_left(rect, look), top, room, upper.height())
        put(painter, place, words, ink, meter.font, align=LEFT, struck=gone)
    lower = _lower(rect, look).translated(0, _more_lines(look, row, rect.width()))
    _paint_price(painter, lower, look, row)


def _paint_price(painter: QPainter, line: QRect, look: Look, row: CartRow) -> None:
    own = painter.font()
    small = look.fonts.resized(own, Step.SMALL)
    bold = look.fonts.resized(own, Step.SMALL, Weight.SEMIBOLD)
    ink, quiet, gap = look.colour("ink"), look.colour("ink_2"), look.metrics.s1
    left = _name_left(line, look)
    shown = _price_parts(look, row, _price_room(look, row, line.width()))
    for part in _PRICE_PARTS:
        words = shown.get(part)
        if words is None:
            continue
        if part == "discount":
            ground: Token = "surface" if row.state is CartState.TOUCHED else "tint"
            start = QPoint(left + gap, line.center().y() + 1)
            left += small_chip(painter, start, look, words, ground=ground, ink="accent") + 2 * gap
            continue
        is_new = part == "price" and row.old_unit_price is not None
        font, colour = (bold, ink) if is_new else (small, quiet)
        place = QRect(left, line.top(), _right(line, look) - left, line.height())
        struck, elide = part == "old", part == "note"
        took = write(painter, place, words, colour, font, struck=struck, elide=elide)
        left += took + gap


_PRICE_PARTS = ("old", "price", "unit", "discount", "note")
_LEFT_OUT = ("old", "unit")
"""What goes first where the line is too short: the rest says what is paid, and why."""


def _price_parts(look: Look, row: CartRow, room: int) -> dict[str, str]:
    """The words of the line below the name that have room in it."""
    parts = {
        "old": row.old_unit_price,
        "price": row.unit_price,
        "unit": f"/ {row.unit}",
        "discount": row.discount,
        "note": row.note or None,
    }
    shown = {name: words for name, words in parts.items() if words is not None}
    for name in _LEFT_OUT:
        if _price_width(look, shown) > room:
            shown.pop(name, None)
    return shown


def _price_width(look: Look, shown: dict[str, str]) -> int:
    font, gap = look.font(Step.SMALL, Weight.SEMIBOLD), look.metrics.s1
    chip = 5 * gap if "discount" in shown else 0
    return sum(width_of(font, words) + gap for words in shown.values()) - gap + chip


def _price_room(look: Look, row: CartRow, width: int) -> int:
    """Width of the line below the name; beside a name of one line stands the old total."""
    whole = _room_right_of_quantity(look, width)
    if row.old_total is None or not _has_old_total(look, row, width):
        return whole
    return whole if _more_lines(look, row, width) else whole - _old_total_width(look, row)


def _has_old_total(look: Look, row: CartRow, width: int) -> bool:
    """Whether the old total has room: it has a line of its own beside a long name."""
    if _more_lines(look, row, width):
        return True
    room = _room_right_of_quantity(look, width) - _old_total_width(look, row)
    return _price_width(look, _price_parts(look, row, room)) <= room


def _room_right_of_quantity(look: Look, width: int) -> int:
    rect = QRect(0, 0, width, 1)
    return _right(rect, look) - _name_left(rect, look)


def _old_total_width(look: Look, row: CartRow) -> int:
    return width_of(look.font(Step.SMALL), row.old_total or "") + look.metrics.s2


def _remove_face(look: Look, words: CartWords, width: int) -> Face:
    """The button at the end of a row `width` pixels wide; beside large − and + its icon alone."""
    face = Face(words.remove, icon="trash-2", kind=Kind.DANGER, narrow=True)
    room = _room_right_of_quantity(look, width) - 2 * (look.metrics.touch + look.metrics.s2)
    return face if face_width(look, look.font(), face) <= room else replace(face, words="")


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
    return _right(rect, look) - taken - _name_left(rect, look)


def _name_lines(look: Look, row: CartRow, width: int, meter: Meter) -> list[str]:
    """The lines of the name; beside a total that leaves no room for it the first one is empty."""
    room = _name_room(look, row, width)
    if room >= look.metrics.touch:
        return meter.wrapped(row.name, room)
    whole = _right(QRect(0, 0, width, 1), look) - _name_left(QRect(0, 0, width, 1), look)
    return ["", *meter.wrapped(row.name, whole, lines=1)]


def _more_lines(look: Look, row: CartRow, width: int) -> int:
    """Height of the second line of a long name, 0 for a short one."""
    font = look.font(_name_step(look))
    if width_of(font, row.name) <= _name_room(look, row, width):
        return 0
    lines = _name_lines(look, row, width, Meter(font))
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
