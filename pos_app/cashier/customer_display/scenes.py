"""The scenes of the customer display, painted. Sources: mock-20a, mock-20b, look.md (Screens)."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter

from pos_app.cashier.customer_display.brush import (
    BLACK,
    LARGE_MODULE,
    SMALL_MODULE,
    SMALL_ROOM,
    Brush,
    card,
)
from pos_app.cashier.customer_display.model import Scene
from pos_app.cashier.customer_display.words import DisplayWords, LineWords
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.bars import SHOP_MARK
from pos_app.cashier.ui.metrics import Weight

ROOM_FOR_BOTH = 600
"""On a monitor with fewer pixels in height the large code has a page of its own."""
LEFT_SHARE = 0.61
HEAD, ROW, FOOT, ABOVE = 88, 76, 84, 28
PAD, SIDE_PAD = 24, 36


def paint(
    painter: QPainter, words: DisplayWords, brush: Brush, texts: Texts, picture: QImage | None
) -> None:
    theme = brush.theme
    whole = QRect(0, 0, brush.width, brush.height)
    painter.fillRect(whole, theme.colour("surface"))
    if words.banner:
        whole = _banner(painter, whole, words.banner, brush)
    if words.scene is Scene.IDLE:
        _idle(painter, whole, words, brush, picture)
    elif _has_own_page(words, brush):
        _code_page(painter, whole, words, brush)
    else:
        lines, side = _sides(whole, words, brush)
        _lines(painter, lines, words, brush, texts)
        painter.fillRect(side, brush.side_ground)
        _money(painter, side, words, brush)
    if words.code and words.is_small:
        _small_code(painter, whole, words, brush)


def _has_large_code(words: DisplayWords) -> bool:
    return bool(words.code) and not words.is_small


def _has_own_page(words: DisplayWords, brush: Brush) -> bool:
    return _has_large_code(words) and brush.height < ROOM_FOR_BOTH


def _banner(painter: QPainter, whole: QRect, words: str, brush: Brush) -> QRect:
    """Paint the banner of practice at the top; returns the room below it."""
    theme, tall = brush.theme, brush.px(44)
    strip = QRect(whole.x(), whole.y(), whole.width(), tall)
    painter.fillRect(strip, theme.colour("warn_ground"))
    rect = QRect(strip.x(), strip.bottom() - 1, strip.width(), 2)
    painter.fillRect(rect, theme.colour("warn_edge"))
    font = brush.fitting(words, 22, strip.width() - 2 * brush.px(PAD), Weight.BOLD)
    brush.write(painter, strip, words, font, theme.colour("warn"), align=painting.CENTRE)
    return whole.adjusted(0, tall, 0, 0)


def _sides(whole: QRect, words: DisplayWords, brush: Brush) -> tuple[QRect, QRect]:
    """The rectangles of the lines and of the money; the money is beside the lines, or below them in
    portrait."""
    if brush.is_portrait:
        tall = _side_height(words, brush, whole)
        lines = whole.adjusted(0, 0, 0, -tall)
        return lines, QRect(whole.x(), lines.bottom() + 1, whole.width(), tall)
    wide = whole.width() - round(whole.width() * LEFT_SHARE)
    if _has_large_code(words):
        needed = brush.code_side(words.code, LARGE_MODULE) + brush.px(SIDE_PAD)
        wide = min(max(wide, needed), whole.width() // 2)
    lines = whole.adjusted(0, 0, -wide, 0)
    return lines, QRect(lines.right() + 1, whole.y(), wide, whole.height())


def _side_height(words: DisplayWords, brush: Brush, whole: QRect) -> int:
    """The height of the money's area in portrait, which is no less than the small code needs."""
    rows = len(words.rows) * brush.px(30) + (brush.px(24) if words.rows else 0)
    if not _has_large_code(words):
        return max(rows + brush.px(240), SMALL_ROOM + brush.px(SIDE_PAD))
    room = whole.width() - 2 * brush.px(SIDE_PAD)
    module = brush.module_for(words.code, room, most=max(LARGE_MODULE, brush.px(LARGE_MODULE)))
    code = brush.code_side(words.code, module) + brush.px(100)
    return min(rows + brush.px(150) + code, whole.height() * 2 // 3)


# --- the lines -----------------------------------------------------------------------------------


def _head(painter: QPainter, rect: QRect, words: DisplayWords, brush: Brush) -> None:
    theme, pad, side = brush.theme, brush.px(PAD), brush.px(48)
    mark = QRect(rect.x() + pad, rect.y() + (rect.height() - side) // 2, side, side)
    _mark(painter, mark, brush)
    name = QRect(mark.right() + brush.px(15), rect.y(), 0, rect.height())
    name.setRight(rect.right() - pad)
    font = brush.font(26, Weight.SEMIBOLD)
    brush.write(painter, name, words.shop, font, theme.colour("ink"), elide=True)


def _mark(painter: QPainter, rect: QRect, brush: Brush) -> None:
    theme = brush.theme
    painting.box(painter, rect, radius=rect.width() // 5, fill=theme.colour("accent"))
    at_96 = round(rect.width() * 0.62 * 100 / theme.metrics.text_percent)
    theme.draw_icon(painter, SHOP_MARK, "on_accent", at_96, rect.center() + QPoint(1, 1))


def _lines(painter: QPainter, rect: QRect, words: DisplayWords, brush: Brush, texts: Texts) -> None:
    """Paint the head, as many of the last lines as fit, and the foot."""
    head = QRect(rect.x(), rect.y(), rect.width(), brush.px(HEAD))
    foot = QRect(rect.x(), rect.bottom() + 1 - brush.px(FOOT), rect.width(), brush.px(FOOT))
    _head(painter, head, words, brush)
    pad, tall = brush.px(PAD), brush.px(ROW)
    top, room = head.bottom() + 1, foot.top() - head.bottom() - 1
    shown = words.lines[-max(room // tall, 1) :]
    hidden = len(words.lines) - len(shown)
    if hidden:
        above = brush.px(ABOVE)
        shown = words.lines[-max((room - above) // tall, 1) :]
        hidden = len(words.lines) - len(shown)
        area = QRect(rect.x() + pad + brush.px(16), top, rect.width() - 2 * pad, above)
        text = texts.count("display.above", hidden)
        brush.write(painter, area, text, brush.font(18), brush.theme.colour("ink_2"))
        top += above
    for number, line in enumerate(shown):
        area = QRect(rect.x() + pad, top + number * tall, rect.width() - 2 * pad, tall)
        _line(painter, area, line, brush)
    _foot(painter, foot, words, brush)


def _line(painter: QPainter, rect: QRect, line: LineWords, brush: Brush) -> None:
    theme = brush.theme
    if line.is_current:
        painting.box(painter, rect, radius=brush.px(8), fill=theme.colour("tint"))
    below = QRect(rect.x(), rect.bottom(), rect.width(), theme.metrics.hair)
    painter.fillRect(below, theme.colour("line"))
    inside = rect.adjusted(brush.px(16), 0, -brush.px(16), 0)
    ink, quiet = theme.colour("ink"), theme.colour("ink_2")
    total = brush.font(28, Weight.BOLD)
    wide = brush.write(painter, inside, line.total, total, ink, align=painting.RIGHT) + brush.px(16)
    left = inside.width() - wide
    name = QRect(inside.x(), inside.y() + brush.px(8), left, brush.px(36))
    weight = Weight.BOLD if line.is_current else Weight.MEDIUM
    brush.write(painter, name, line.name, brush.font(24, weight), ink, elide=True)
    font, start = brush.font(18), inside.x()
    parts = [(line.how, False)]
    if line.before:
        parts += [(" · ", False), (line.before, True)]
        parts += [(f" {line.discount}", False)] if line.discount else []
    for text, struck in parts:
        area = QRect(start, inside.y() + brush.px(42), left - (start - inside.x()), brush.px(24))
        if painting.width_of(font, text) > area.width():
            break  # a figure is never cut; the foot also says that something was taken off
        start += brush.write(painter, area, text, font, quiet, struck=struck)


def _foot(painter: QPainter, rect: QRect, words: DisplayWords, brush: Brush) -> None:
    """Paint the number of items or the thanks, and the sum that was saved."""
    theme = brush.theme
    side = brush.px(PAD) + brush.px(16)
    inside = rect.adjusted(side, 0, -side, 0)
    ink, quiet = theme.colour("ink"), theme.colour("ink_2")
    font, bold = brush.font(22), brush.font(22, Weight.BOLD)
    name, amount = words.saved
    wide = brush.write(painter, inside, amount, bold, ink, align=painting.RIGHT)
    before = inside.adjusted(0, 0, -wide - brush.px(8), 0)
    taken = (
        brush.write(painter, before, name, font, quiet, align=painting.RIGHT) + wide + brush.px(24)
    )
    left = inside.adjusted(0, 0, -taken, 0)
    if words.thanks:
        thanks = brush.fitting(words.thanks, 28, left.width(), Weight.BOLD)
        brush.write(painter, left, words.thanks, thanks, ink, elide=True)
        return
    name, many = words.count
    start = brush.write(painter, left, name, font, quiet) + brush.px(8)
    brush.write(painter, left.adjusted(start, 0, 0, 0), many, bold, ink)


# --- the money -----------------------------------------------------------------------------------


def _money(painter: QPainter, side: QRect, words: DisplayWords, brush: Brush) -> None:
    """Paint the received sums, the largest figure below them, and the large code."""
    pad = brush.px(SIDE_PAD)
    room = side.adjusted(pad, brush.px(18), -pad, -brush.px(18))
    if not words.rows and not _has_large_code(words):
        _largest(painter, _without_small(room, brush), words, brush)
        return
    row = brush.px(30)
    for number, one in enumerate(words.rows):
        rect = QRect(room.x(), room.y() + number * row, room.width(), row)
        brush.row(painter, rect, one, 21)
    top = room.y() + len(words.rows) * row
    if words.rows:
        top += brush.px(8)
        painter.fillRect(QRect(room.x(), top, room.width(), 2), brush.side_ink)
    if not _has_large_code(words):
        top += brush.px(12)
        left = QRect(room.x(), top, room.width(), room.bottom() - top)
        _largest(painter, _without_small(left, brush), words, brush)
        return
    line = QRect(room.x(), top + brush.px(8), room.width(), brush.px(104))
    _in_one_line(painter, line, words, brush)
    below = QRect(room.x(), line.bottom() + brush.px(6), room.width(), 0)
    below.setBottom(room.bottom())
    _large_code(painter, below, words, brush)


def _without_small(area: QRect, brush: Brush) -> QRect:
    """The room beside the small code's corner, kept free even without a code, so that the largest
    figure never moves."""
    if brush.is_portrait:
        return area.adjusted(0, 0, -SMALL_ROOM, 0)
    return area.adjusted(0, 0, 0, -SMALL_ROOM + brush.px(18))


def _largest(painter: QPainter, area: QRect, words: DisplayWords, brush: Brush) -> None:
    ink = brush.side_ink
    amount = brush.fitting(words.amount, 104, area.width())
    label, note = brush.fitting(words.label, 34, area.width(), Weight.SEMIBOLD), brush.font(24)
    heights = [round(font.pixelSize() * 1.3) for font in (label, amount)]
    heights.append(round(note.pixelSize() * 1.5))
    top = area.y() + max(0, (area.height() - sum(heights)) // 2)
    rect = QRect(area.x(), top, area.width(), heights[0])
    brush.write(painter, rect, words.label, label, ink)
    rect = QRect(area.x(), rect.bottom() + 1, area.width(), heights[1])
    brush.write(painter, rect, words.amount, amount, ink, align=painting.RIGHT)
    rect = QRect(area.x(), rect.bottom() + 1, area.width(), heights[2])
    note = brush.fitting(words.note, 24, area.width(), Weight.MEDIUM)
    brush.write(painter, rect, words.note, note, ink, align=painting.RIGHT)


def _in_one_line(painter: QPainter, rect: QRect, words: DisplayWords, brush: Brush) -> None:
    """Paint the word beside the largest figure, above the code."""
    ink = brush.side_ink
    label = brush.font(34, Weight.SEMIBOLD)
    wide = brush.write(painter, rect, words.label, label, ink) + brush.px(18)
    room = rect.adjusted(wide, 0, 0, 0)
    amount = brush.fitting(words.amount, 100, room.width())
    brush.write(painter, room, words.amount, amount, ink, align=painting.RIGHT)


# --- the code ------------------------------------------------------------------------------------


def _large_code(painter: QPainter, area: QRect, words: DisplayWords, brush: Brush) -> None:
    hint_height, number_height = brush.px(34), brush.px(26)
    code = min(area.width(), area.height() - hint_height - number_height)
    module = brush.module_for(words.code, code)
    side = brush.code_side(words.code, module)
    height = min(area.height(), side + hint_height + number_height + brush.px(8))
    ground = QRect(area.x(), area.y(), area.width(), height)
    if ground.width() > side + 2 * brush.px(60):  # in portrait it need not be as wide as the money
        ground.setWidth(side + 2 * brush.px(60))
        ground.moveCenter(QPoint(area.center().x(), ground.center().y()))
    card(painter, ground, brush)
    left = ground.x() + (ground.width() - side) // 2
    brush.draw_code(painter, QRect(left, ground.y(), side, side), words.code, module)
    rect = QRect(ground.x(), ground.y() + side - brush.px(4), ground.width(), hint_height)
    inside = ground.width() - brush.px(16)
    font = brush.fitting(words.take_home, 22, inside)
    brush.write(painter, rect, words.take_home, font, BLACK, align=painting.CENTRE)
    rect = QRect(ground.x(), rect.bottom() + 1, ground.width(), number_height)
    mono = brush.font(17, mono=True)
    brush.write(painter, rect, words.number, mono, BLACK, align=painting.CENTRE)


def _code_page(painter: QPainter, whole: QRect, words: DisplayWords, brush: Brush) -> None:
    """Paint the code as large as the monitor is high, and the largest figure beside it."""
    painter.fillRect(whole, brush.side_ground)
    edge = brush.px(10)
    most = min(whole.height() - 2 * edge, round(whole.width() * 0.6))
    side = brush.code_side(words.code, brush.module_for(words.code, most))
    ground = QRect(0, 0, side, side)
    ground.moveCenter(whole.center())
    ground.moveRight(whole.right() - (whole.height() - side) // 2)
    card(painter, ground.adjusted(-edge // 2, -edge // 2, edge // 2, edge // 2), brush)
    brush.draw_code(painter, ground, words.code, brush.module_for(words.code, side))
    pad, ink = brush.px(PAD), brush.side_ink
    left = QRect(whole.x() + pad, whole.y(), ground.x() - whole.x() - 2 * pad, whole.height())
    below = brush.px(70)
    figure = left.adjusted(0, 0, 0, -below)
    _largest(painter, figure, words, brush)
    rect = QRect(left.x(), left.bottom() - below, left.width(), brush.px(34))
    font = brush.fitting(words.take_home, 22, left.width())
    brush.write(painter, rect, words.take_home, font, ink)
    rect = QRect(left.x(), rect.bottom() + 1, left.width(), brush.px(24))
    brush.write(painter, rect, words.number, brush.font(17, mono=True), ink)


def _small_code(painter: QPainter, whole: QRect, words: DisplayWords, brush: Brush) -> None:
    """Paint the code in the lower right corner, the same in each scene."""
    side = brush.code_side(words.code, SMALL_MODULE)
    edge = brush.px(10)
    ground = QRect(
        whole.right() + 1 - side - 2 * edge, whole.bottom() + 1 - side - 2 * edge, side, side
    )
    card(painter, ground.adjusted(-edge // 2, -edge // 2, edge // 2, edge // 2), brush)
    brush.draw_code(painter, ground, words.code, SMALL_MODULE)


# --- nothing is sold -----------------------------------------------------------------------------


def _idle(
    painter: QPainter, whole: QRect, words: DisplayWords, brush: Brush, picture: QImage | None
) -> None:
    theme = brush.theme
    if picture is not None:
        head = QRect(whole.x(), whole.y(), whole.width(), brush.px(HEAD))
        _head(painter, head, words, brush)
        room = whole.adjusted(0, head.height(), 0, 0)
        painter.fillRect(room, theme.colour("bg"))
        size = picture.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        rect = QRect(QPoint(0, 0), size)
        rect.moveCenter(room.center())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, True)
        painter.drawImage(rect, picture)
        return
    side, wide = brush.px(120), whole.width() - 2 * brush.px(PAD)
    name = brush.fitting(words.shop, 64, wide)
    line = round(name.pixelSize() * 1.3)
    tall = side + brush.px(32) + line
    mark = QRect(whole.center().x() - side // 2, whole.center().y() - tall // 2, side, side)
    _mark(painter, mark, brush)
    rect = QRect(whole.x() + brush.px(PAD), mark.bottom() + brush.px(32), wide, line)
    brush.write(
        painter, rect, words.shop, name, theme.colour("ink"), align=painting.CENTRE, elide=True
    )
