"""The rows of the cart: their painting, their heights, and the positions of their buttons."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFont, QPainter

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.button_face import ButtonKind, ButtonSpec, button_width, paint_button
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.rows import CartRow, CartState, CartWords
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.lazy_dataclass import dataclass

TIMES = "×"
_MOST_LINES = 3
"""The most lines of a name."""


@dataclass(frozen=True, slots=True)
class CartHits:
    """The rectangles of a row's buttons; empty for a button that the row lacks."""

    minus: QRect
    plus: QRect
    remove: QRect
    restore: QRect

    def at(self, point: QPoint) -> str:
        """Return "minus", "plus", "remove" or "restore"; "" beside the buttons."""
        for name in ("minus", "plus", "remove", "restore"):
            if getattr(self, name).contains(point):
                return name
        return ""


def cart_row_height(theme: Theme, row: CartRow, words: CartWords, width: int) -> int:
    """Return the height of a row `width` pixels wide: 1.25 T, with buttons 2.5 T, and further
    lines of the name if need be."""
    metrics = theme.metrics
    usual = metrics.cart_row_current if row.state is CartState.CURRENT else metrics.cart_row
    return usual + _more_lines(theme, row, words, width)


def cart_hits(rect: QRect, theme: Theme, row: CartRow, words: CartWords) -> CartHits:
    metrics = theme.metrics
    none = QRect()
    touch, left, right = metrics.touch, _name_left(rect, theme), _right(rect, theme)
    if row.state is CartState.CURRENT:
        top = rect.top() + metrics.cart_row + _more_lines(theme, row, words, rect.width())
        wide = button_width(theme, theme.font(), _remove_spec(theme, words, rect.width()))
        return CartHits(
            minus=QRect(left, top, touch, touch),
            plus=QRect(left + touch + metrics.s2, top, touch, touch),
            remove=QRect(right - wide, top, wide, touch),
            restore=none,
        )
    if row.state is CartState.REMOVED:
        wide = button_width(theme, theme.font(), _restore_spec(theme, words))
        top = rect.top() + (rect.height() - touch) // 2
        return CartHits(none, none, none, QRect(right - wide, top, wide, touch))
    return CartHits(none, none, none, none)


def paint_cart_ground(
    painter: QPainter, rect: QRect, theme: Theme, row: CartRow, words: CartWords, *, pressed: str
) -> None:
    """Paint all of a row that no other row of this state and size has differently: its ground and
    its buttons. pressed: the button held down, as `CartHits.at` names it."""
    if row.state is CartState.CURRENT:
        painter.fillRect(rect, theme.colour("tint"))
    painting.rule(painter, rect, theme)
    if row.state is CartState.CURRENT:
        bar = QRect(rect.left(), rect.top(), theme.metrics.s1, rect.height())
        painter.fillRect(bar, theme.colour("accent"))
    hits = cart_hits(rect, theme, row, words)
    _paint_buttons(painter, rect, theme, hits, words, pressed=pressed)


def paint_cart_words(
    painter: QPainter, rect: QRect, theme: Theme, row: CartRow, words: CartWords
) -> None:
    _paint_quantity(painter, rect, theme, row)
    if row.state is not CartState.REMOVED:
        _paint_totals(painter, rect, theme, row, words)
    _paint_name(painter, rect, theme, row, words)


def _paint_buttons(
    painter: QPainter, rect: QRect, theme: Theme, hits: CartHits, words: CartWords, *, pressed: str
) -> None:
    specs = {
        "minus": ButtonSpec(icon="minus"),
        "plus": ButtonSpec(icon="plus"),
        "remove": _remove_spec(theme, words, rect.width()),
        "restore": _restore_spec(theme, words),
    }
    for name, spec in specs.items():
        area: QRect = getattr(hits, name)
        if not area.isEmpty():
            paint_button(painter, area, theme, spec, pressed=name == pressed)


def _paint_quantity(painter: QPainter, rect: QRect, theme: Theme, row: CartRow) -> None:
    own = painter.font()
    gone = row.state is CartState.REMOVED
    right = rect.left() + _column(theme)
    upper = _upper(rect, theme)
    times = theme.fonts.resized(own, TypeStep.NAME)
    ink, quiet = theme.colour("ink_2" if gone else "ink"), theme.colour("ink_2")
    gap = theme.metrics.s1
    if _is_wide(theme, row):
        small = theme.fonts.resized(own, TypeStep.SMALL, Weight.BOLD)
        left = rect.left() + theme.metrics.s3
        wide = painting.width_of(small, row.quantity)
        room = QRect(left, upper.top(), wide, upper.height())
        painting.put(painter, room, row.quantity, ink, small, strikethrough=gone)
        painting.put(painter, room.translated(wide + gap, 0), TIMES, quiet, times)
        return
    sign = QRect(rect.left(), upper.top(), right - rect.left(), upper.height())
    painting.put(painter, sign, TIMES, quiet, times, align=painting.RIGHT)
    room = sign.adjusted(theme.metrics.s2, 0, -painting.width_of(times, TIMES) - gap, 0)
    font = painting.fitted(
        theme, own, row.quantity, step=TypeStep.STRONG, weight=Weight.BOLD, free_width=room.width()
    )
    painting.put(painter, room, row.quantity, ink, font, align=painting.RIGHT, strikethrough=gone)


def _is_wide(theme: Theme, row: CartRow) -> bool:
    """Tell whether the quantity has no room in its column even in small letters. It stands above
    the name then, for no figure is smaller than small."""
    room = _column(theme) - theme.metrics.s2 - theme.metrics.s1
    room -= painting.width_of(theme.font(TypeStep.NAME), TIMES)
    return painting.width_of(theme.font(TypeStep.SMALL, Weight.BOLD), row.quantity) > room


def _paint_totals(
    painter: QPainter, rect: QRect, theme: Theme, row: CartRow, words: CartWords
) -> None:
    own = painter.font()
    upper, lower = _upper(rect, theme), _lower(rect, theme)
    left = _name_left(rect, theme)
    room = QRect(left, upper.top(), _right(rect, theme) - left, upper.height())
    font = painting.fitted(
        theme, own, row.total, step=TypeStep.STRONG, weight=Weight.BOLD, free_width=room.width()
    )
    token = "ink" if row.state is CartState.REMOVED else painting.amount_ink(row.total)
    painting.put(painter, room, row.total, theme.colour(token), font, align=painting.RIGHT)
    if row.old_total is not None and _has_old_total(theme, row, words, rect.width()):
        below = QRect(room.left(), lower.top(), room.width(), lower.height())
        small = theme.fonts.resized(own, TypeStep.SMALL)
        quiet = theme.colour("ink_2")
        painting.put(
            painter, below, row.old_total, quiet, small, align=painting.RIGHT, strikethrough=True
        )


def _paint_name(
    painter: QPainter, rect: QRect, theme: Theme, row: CartRow, words: CartWords
) -> None:
    gone = row.state is CartState.REMOVED
    upper = _upper(rect, theme)
    room = _name_room(theme, row, words, rect.width())
    meter, text_lines = _name_lines(theme, painter.font(), row, words, rect.width())
    ink = theme.colour("ink_2" if gone else "ink")
    for number, text_line in enumerate(text_lines):
        top = upper.top() + number * upper.height()
        area = QRect(_name_left(rect, theme), top, room, upper.height())
        painting.put(
            painter, area, text_line, ink, meter.font, align=painting.LEFT, strikethrough=gone
        )
    lower = _lower(rect, theme).translated(0, _more_lines(theme, row, words, rect.width()))
    _paint_price(painter, lower, theme, row, words)


def _paint_price(
    painter: QPainter, line: QRect, theme: Theme, row: CartRow, words: CartWords
) -> None:
    own = painter.font()
    small = theme.fonts.resized(own, TypeStep.SMALL)
    bold = theme.fonts.resized(own, TypeStep.SMALL, Weight.SEMIBOLD)
    ink, quiet, gap = theme.colour("ink"), theme.colour("ink_2"), theme.metrics.s1
    left, room = _name_left(line, theme), _price_room(theme, row, words, line.width())
    end, shown = left + room, _price_parts(theme, row, room)
    for part in _PRICE_PARTS:
        text = shown.get(part)
        if text is None:
            continue
        if part == "discount":
            ground: Token = "surface" if row.state is CartState.CURRENT else "tint"
            start = QPoint(left + gap, line.center().y() + 1)
            left += (
                painting.small_chip(painter, start, theme, text, ground=ground, ink="accent")
                + 2 * gap
            )
            continue
        is_new = part == "price" and row.old_unit_price is not None
        font, colour = (bold, ink) if is_new else (small, quiet)
        rect = QRect(left, line.top(), end - left, line.height())
        strikethrough, elide = part == "old", part == "note"
        took = painting.write(
            painter, rect, text, colour, font, strikethrough=strikethrough, elide=elide
        )
        left += took + gap


_PRICE_PARTS = ("old", "price", "unit", "discount", "note")
_LEFT_OUT = ("old", "unit")
"""The parts that go first in tight room; the others say what is paid, and why."""
_LEFT_OUT_OF_REMOVED = (*_LEFT_OUT, "discount", "price")
"""Nothing is paid for a removed row; its note says which piece it is."""


def _price_parts(theme: Theme, row: CartRow, free_width: int) -> dict[str, str]:
    """Return the parts below the name that have room."""
    note = row.note if row.discount is not None else f"· {row.note}"  # the chip sets it apart
    parts = {
        "old": row.old_unit_price,
        "price": row.unit_price,
        "unit": f"/ {row.unit}" if row.unit else None,
        "discount": row.discount,
        "note": note if row.note else None,
    }
    shown = {name: words for name, words in parts.items() if words is not None}
    is_removed = row.state is CartState.REMOVED and bool(row.note)
    for name in _LEFT_OUT_OF_REMOVED if is_removed else _LEFT_OUT:
        if _price_width(theme, shown) > free_width:
            shown.pop(name, None)
    return shown if "price" in shown else {**shown, "note": row.note}


def _price_width(theme: Theme, price_parts: dict[str, str]) -> int:
    font, gap = theme.font(TypeStep.SMALL, Weight.SEMIBOLD), theme.metrics.s1
    chip = 5 * gap if "discount" in price_parts else 0
    return sum(painting.width_of(font, words) + gap for words in price_parts.values()) - gap + chip


def _price_room(theme: Theme, row: CartRow, words: CartWords, width: int) -> int:
    """Return the width for the parts below the name. If the name has one line, the old total is
    beside them."""
    if row.state is CartState.REMOVED:
        return _name_room(theme, row, words, width)
    whole = _room_right_of_quantity(theme, width)
    if row.old_total is None or not _has_old_total(theme, row, words, width):
        return whole
    return whole if _more_lines(theme, row, words, width) else whole - _old_total_width(theme, row)


def _has_old_total(theme: Theme, row: CartRow, words: CartWords, width: int) -> bool:
    """Tell whether the old total has room, as it always has with a name of two lines."""
    if _more_lines(theme, row, words, width):
        return True
    room = _room_right_of_quantity(theme, width) - _old_total_width(theme, row)
    return _price_width(theme, _price_parts(theme, row, room)) <= room


def _room_right_of_quantity(theme: Theme, width: int) -> int:
    rect = QRect(0, 0, width, 1)
    return _right(rect, theme) - _name_left(rect, theme)


def _old_total_width(theme: Theme, row: CartRow) -> int:
    return painting.width_of(theme.font(TypeStep.SMALL), row.old_total or "") + theme.metrics.s2


def _remove_spec(theme: Theme, words: CartWords, width: int) -> ButtonSpec:
    """Return the button at the end of a row `width` pixels wide; beside large − and + only its icon
    has room."""
    spec = ButtonSpec(words.remove, icon="trash-2", kind=ButtonKind.DANGER, narrow=True)
    room = _room_right_of_quantity(theme, width) - 2 * (theme.metrics.touch + theme.metrics.s2)
    return spec if button_width(theme, theme.font(), spec) <= room else replace(spec, words="")


def _restore_spec(theme: Theme, words: CartWords) -> ButtonSpec:
    """Return the spec without the icon where large type leaves the name too little room."""
    icon = "" if theme.metrics.tight else "undo-2"
    return ButtonSpec(words.restore, icon=icon, narrow=True)


def _upper(rect: QRect, theme: Theme) -> QRect:
    """Return the rectangle of name and total."""
    metrics = theme.metrics
    lines = metrics.line(TypeStep.NAME) + metrics.line(TypeStep.SMALL)
    top = rect.top() + (metrics.cart_row - metrics.hair - lines) // 2
    return QRect(rect.left(), top, rect.width(), metrics.line(TypeStep.NAME))


def _lower(rect: QRect, theme: Theme) -> QRect:
    """Return the rectangle of the unit price."""
    upper = _upper(rect, theme)
    return QRect(rect.left(), upper.bottom() + 1, rect.width(), theme.metrics.line(TypeStep.SMALL))


def _name_step(theme: Theme) -> TypeStep:
    return TypeStep.BASE if theme.metrics.narrow else TypeStep.NAME


def _name_room(theme: Theme, row: CartRow, words: CartWords, width: int) -> int:
    """Return the width for the name: up to the total, or up to the button of a removed row."""
    rect = QRect(0, 0, width, 1)
    if row.state is CartState.REMOVED:
        button = cart_hits(rect, theme, row, words).restore
        return button.left() - theme.metrics.s2 - _name_left(rect, theme)
    taken = (
        painting.width_of(theme.font(TypeStep.STRONG, Weight.BOLD), row.total) + theme.metrics.s2
    )
    return _right(rect, theme) - taken - _name_left(rect, theme)


def _name_lines(
    theme: Theme, own: QFont, row: CartRow, words: CartWords, width: int
) -> tuple[Meter, list[str]]:
    """Return the meter and the lines of the name, in small letters if others would cut it. The
    first line is empty if the total or the quantity leaves no room for the name beside it."""
    beside, whole = _name_room(theme, row, words, width), _room_right_of_quantity(theme, width)
    usual, small = _name_step(theme), TypeStep.SMALL
    is_wide, is_removed = _is_wide(theme, row), row.state is CartState.REMOVED
    forms = [(usual, beside, 0), (small, beside, 0)]
    if is_wide and is_removed:
        forms = [(step, room, 1) for step, room, _ in forms]
    elif is_wide or beside < theme.metrics.touch:
        forms = []
    if not is_removed:
        forms += [(usual, whole, 1), (small, whole, 1)]
    meter, text_lines = theme.fonts.text_metrics(own, usual), [row.name]
    for step, room, empty in forms:
        meter = theme.fonts.text_metrics(own, step)
        text_lines = [""] * empty + meter.wrapped(row.name, room, lines=_MOST_LINES - empty)
        if not any(painting.ELLIPSIS in one for one in text_lines):
            break
    return meter, text_lines


def _more_lines(theme: Theme, row: CartRow, words: CartWords, width: int) -> int:
    """Return the height of the name's lines below the first one, 0 without any."""
    meter = theme.fonts.text_metrics(theme.font(), _name_step(theme))
    is_beside = painting.width_of(meter.font, row.name) <= _name_room(theme, row, words, width)
    if is_beside and not _is_wide(theme, row):
        return 0
    text_lines = _name_lines(theme, theme.font(), row, words, width)[1]
    return theme.metrics.line(TypeStep.NAME) * (len(text_lines) - 1)


def _column(theme: Theme) -> int:
    metrics = theme.metrics
    return metrics.quantity + (metrics.s2 if metrics.narrow else metrics.s2 + metrics.s1 // 2)


def _name_left(rect: QRect, theme: Theme) -> int:
    gap = theme.metrics.s2 if theme.metrics.narrow else theme.metrics.s3
    return rect.left() + _column(theme) + gap


def _right(rect: QRect, theme: Theme) -> int:
    """Return the first pixel to the right of the totals."""
    return rect.right() + 1 - (theme.metrics.s3 if theme.metrics.narrow else theme.metrics.s4)
