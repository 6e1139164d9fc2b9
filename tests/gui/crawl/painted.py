"""What a window paints: texts, each with its position, colour, size and widget; boxes and icons.

The product paints its words itself, all of them through `QPainter.drawText`; that is the one seam.
Each widget is painted alone here, so that a text is known by its widget even where it lies outside
of it. Words of Qt's own labels are painted beyond Python and taken from the label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QImage,
    QPainter,
    QPalette,
    QRegion,
)
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from pos_app.cashier.ui import views
from pos_app.cashier.ui.field import LineEdit
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.number_text import NO_BREAK_SPACE


@dataclass(frozen=True, slots=True)
class Text:
    """One painted text; rectangles are in the coordinates of its widget."""

    widget: QWidget
    words: str
    rect: QRectF
    """The room of its letters, not the room that it was given."""
    clip: QRectF | None
    ink: QColor
    px: int
    whole: str
    """What the text would say if it had room; `words` if it has."""
    torn: str = ""
    """The word that has its end on the next line; "" if no word is torn so."""
    is_in_box: bool = False
    """Whether it was written at once into an empty box, as the name of a key is."""

    def in_window(self, window: QWidget) -> QRect:
        corner = self.widget.mapTo(window, QPoint(0, 0))
        return self.rect.translated(QPointF(corner)).toAlignedRect()


@dataclass(frozen=True, slots=True)
class Box:
    """A painted box with round corners, in the coordinates of its widget. A fill or edge of None is
    not painted."""

    rect: QRectF
    edge: QColor | None
    fill: QColor | None


@dataclass(slots=True)
class Tape:
    """What is painted while the tape runs."""

    widget: QWidget
    texts: list[Text] = field(default_factory=list)
    pictures: list[QRectF] = field(default_factory=list)
    icons: list[str] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    _empty: Box | None = None
    """The box that was painted last, if it has no fill and nothing was written since."""
    cut: dict[str, str] = field(default_factory=dict)
    """The whole texts of those that were cut, by what is left of them."""
    torn: dict[str, str] = field(default_factory=dict)
    """Torn words, by the lines in which they begin."""

    def take_picture(self, painter: QPainter, asked: tuple[Any, ...]) -> None:
        place, picture = asked[:2]
        if isinstance(place, QPoint | QPointF):
            place = QRectF(QPointF(place), picture.deviceIndependentSize())
        self.pictures.append(painter.deviceTransform().mapRect(QRectF(place)))

    def take_box(self, painter: QPainter, place: QRectF) -> None:
        pen, brush = painter.pen(), painter.brush()
        half = pen.widthF() / 2 if pen.style() is not Qt.PenStyle.NoPen else 0.0
        box = Box(
            painter.deviceTransform().mapRect(QRectF(place).adjusted(-half, -half, half, half)),
            None if pen.style() is Qt.PenStyle.NoPen else pen.color(),
            None if brush.style() is Qt.BrushStyle.NoBrush else brush.color(),
        )
        self.boxes.append(box)
        self._empty = box if box.fill is None else None

    def take(self, painter: QPainter, asked: tuple[Any, ...]) -> None:
        words, placed = _placed(painter, asked)
        if not words.strip():
            return
        turn = painter.deviceTransform()
        clip = turn.mapRect(painter.clipBoundingRect()) if painter.hasClipping() else None
        self.texts.append(
            Text(
                self.widget,
                words,
                turn.mapRect(placed),
                clip,
                painter.pen().color(),
                painter.font().pixelSize(),
                self.cut.get(words, words),
                self.torn.get(words, ""),
                self._empty is not None and self._empty.rect.contains(turn.mapRect(placed)),
            )
        )
        self._empty = None


def _placed(painter: QPainter, asked: tuple[Any, ...]) -> tuple[str, QRectF]:
    """The words of a call of `drawText`, and the rectangle of the letters."""
    metrics = QFontMetricsF(painter.font())
    if isinstance(asked[0], QPoint | QPointF):
        return asked[1], _letters(painter.font(), QPointF(asked[0]), asked[1])
    rect, flags, words = QRectF(asked[0]), Qt.AlignmentFlag(int(asked[1]) & 0xFF), asked[2]
    wide = metrics.horizontalAdvance(words)
    left = rect.left()
    if flags & Qt.AlignmentFlag.AlignRight:
        left = rect.right() - wide
    elif flags & Qt.AlignmentFlag.AlignHCenter:
        left = rect.left() + (rect.width() - wide) / 2
    base = rect.top() + (rect.height() - metrics.height()) / 2 + metrics.ascent()
    return words, _letters(painter.font(), QPointF(left, base), words)


def _letters(font: QFont, start: QPointF, words: str) -> QRectF:
    metrics = QFontMetricsF(font)
    ink = metrics.tightBoundingRect(words)
    return QRectF(start.x(), start.y() + ink.top(), metrics.horizontalAdvance(words), ink.height())


def torn_words(whole: str, text_lines: Sequence[str]) -> dict[str, str]:
    """The words of a text that a line's end tears between two letters, by that line."""
    torn: dict[str, str] = {}
    flat, at = whole.replace(NO_BREAK_SPACE, " "), 0
    for text_line in text_lines[:-1]:
        shown = text_line.replace(NO_BREAK_SPACE, " ")
        at = flat.find(shown, at) + len(shown)
        if flat[at - 1 : at + 1].isalpha() and len(flat) > at:
            begin, end = flat.rfind(" ", 0, at) + 1, flat.find(" ", at)
            torn[text_line] = flat[begin : end if end >= 0 else None]
    return torn


@contextmanager
def _listening(tape: Tape) -> Iterator[None]:
    draw_text, draw_pixmap = QPainter.drawText, QPainter.drawPixmap
    draw_box, draw_icon = QPainter.drawRoundedRect, Theme.draw_icon
    elided_text = QFontMetrics.elidedText
    paint = views.PaintedRows.paint
    broken = Meter.broken

    def tear(meter: Meter, words: str, width: int, *, lines: int) -> list[str]:
        text_lines = broken(meter, words, width, lines=lines)
        tape.torn.update(torn_words(words, text_lines))
        return text_lines

    def cut(metrics: QFontMetrics, words: str, *asked: Any) -> str:
        left = elided_text(metrics, words, *asked)
        if left != words:
            tape.cut[left] = words
        return left

    def heard(painter: QPainter, *asked: Any) -> Any:
        tape.take(painter, asked)
        return draw_text(painter, *asked)

    def seen(painter: QPainter, *asked: Any) -> Any:
        tape.take_picture(painter, asked)
        return draw_pixmap(painter, *asked)

    def boxed(painter: QPainter, place: QRectF, *corners: Any) -> None:
        tape.take_box(painter, place)
        draw_box(painter, place, *corners)

    def drawn(theme: Theme, painter: QPainter, name: str, *asked: Any) -> None:
        tape.icons.append(name)
        draw_icon(theme, painter, name, *asked)

    def anew(
        _: views.PaintedRows,
        painter: QPainter,
        rect: QRect,
        shown: object,
        draw: views.Draw,
        *,
        under: views.Under | None = None,
        canvas: views.Canvas | None = None,
    ) -> None:
        if under is not None:
            under().draw(painter, rect)
        draw(painter, rect)

    QPainter.drawText, QPainter.drawPixmap = heard, seen  # type: ignore[method-assign,assignment]
    QPainter.drawRoundedRect = boxed  # type: ignore[method-assign,assignment]
    Theme.draw_icon = drawn  # type: ignore[method-assign,assignment]
    QFontMetrics.elidedText = cut  # type: ignore[method-assign,assignment]
    Meter.broken = tear  # type: ignore[method-assign,assignment]
    views.PaintedRows.paint = anew  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        QPainter.drawText, QPainter.drawPixmap = draw_text, draw_pixmap  # type: ignore[method-assign]
        QPainter.drawRoundedRect, Theme.draw_icon = draw_box, draw_icon  # type: ignore[method-assign]
        QFontMetrics.elidedText = elided_text  # type: ignore[method-assign]
        Meter.broken = broken  # type: ignore[method-assign]
        views.PaintedRows.paint = paint  # type: ignore[method-assign]


def painted_by(widget: QWidget) -> tuple[list[Text], list[QRectF]]:
    tape = taped(widget)
    return tape.texts, tape.pictures


def taped(widget: QWidget) -> Tape:
    if isinstance(widget, QLabel):
        return Tape(widget, _of_label(widget))
    if isinstance(widget, QLineEdit) and not _paints_itself(widget):
        return Tape(widget, _of_field(widget))
    tape = Tape(widget)
    size = widget.size()
    if size.isEmpty():
        return tape
    paper = QImage(size, QImage.Format.Format_RGB32)
    with _listening(tape):
        widget.render(paper, QPoint(0, 0), QRegion(), QWidget.RenderFlag(0))
    return tape


def _paints_itself(edit: QLineEdit) -> bool:
    """Whether it is a field of the till with only its placeholder, which shrinks to fit."""
    return isinstance(edit, LineEdit) and not edit.text() and bool(edit.placeholderText())


def _of_label(label: QLabel) -> list[Text]:
    words = label.text()
    if not words.strip():
        return []
    room = QRectF(label.contentsRect())
    metrics = QFontMetricsF(label.font())
    flags = int(label.alignment().value)
    if label.wordWrap():
        flags |= int(Qt.TextFlag.TextWordWrap.value)
    open_below = QRectF(room.left(), room.top(), room.width(), 100_000)
    laid = QLabel.text(label)  # with hyphens at which no line ends
    took = metrics.boundingRect(open_below, flags & ~int(Qt.AlignmentFlag.AlignVCenter), laid)
    if took.height() < room.height() and label.alignment() & Qt.AlignmentFlag.AlignVCenter:
        took.moveTop(room.top() + (room.height() - took.height()) / 2)
    else:
        took.moveTop(room.top())
    ink = label.palette().color(QPalette.ColorRole.WindowText)
    return [Text(label, words, took, None, ink, label.font().pixelSize(), words)]


def _of_field(edit: QLineEdit) -> list[Text]:
    """Typed text scrolls in its field; the words of an empty field do not."""
    room = QRectF(edit.contentsRect())
    words = edit.displayText()
    role = QPalette.ColorRole.Text
    metrics = QFontMetricsF(edit.font())
    wide = metrics.horizontalAdvance(words)
    if not words:
        words, role = edit.placeholderText(), QPalette.ColorRole.PlaceholderText
        wide = metrics.horizontalAdvance(words) + 4
    else:
        wide = min(wide, room.width())
    if not words.strip():
        return []
    place = QRectF(room.left(), room.center().y() - metrics.height() / 2, wide, metrics.height())
    if edit.alignment() & Qt.AlignmentFlag.AlignRight:
        place.moveRight(room.right())
    ink, px = edit.palette().color(role), edit.font().pixelSize()
    return [Text(edit, words, place, None, ink, px, words)]
