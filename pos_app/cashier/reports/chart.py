"""The chart in the window: the strokes of `documents.chart` in the colours of the theme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Signal
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.ui.tokens import Token
from pos_app.documents import chart

_STROKES: Mapping[chart.Role, tuple[Token, int]] = {
    "grid": ("line", 1),
    "axis": ("line_strong", 1),
    "curve": ("accent", 3),
    "curve_before": ("line_strong", 2),
}
_OLD: Mapping[Token, Token] = {"accent": "line_strong", "ink": "ink_3", "ink_2": "ink_3"}
"""The colours of a chart whose answer another one is awaited for."""
LEAST_LINES = 6
"""The least height of the chart, in text lines of its words."""


class Chart(ThemedWidget):
    """Signal: `pressed(int)`, the index of a bar."""

    pressed = Signal(int)

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__(theme)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._bars: tuple[chart.ChartBar, ...] = ()
        self._chosen = -1
        self._is_line = self._is_lying = False
        self._unit_word = ""
        self._drawn: tuple[object, chart.DrawnChart] | None = None

    def show_bars(
        self,
        bars: Sequence[chart.ChartBar],
        *,
        chosen: int = -1,
        is_line: bool = False,
        is_lying: bool = False,
        unit_word: str = "",
    ) -> None:
        self._bars, self._chosen = tuple(bars), chosen
        self._is_line, self._is_lying, self._unit_word = is_line, is_lying, unit_word
        self.update()

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        line_height = self.theme.metrics.line(TypeStep.SMALL)
        return QSize(4 * self.theme.metrics.touch, LEAST_LINES * line_height)

    def most_height(self) -> int:
        """The height beyond which the chart gains nothing."""
        line_height = self.theme.metrics.line(TypeStep.SMALL)
        if self._is_lying:
            return round(chart.most_height(self._bars, float(line_height)))
        return 2 * self.theme.metrics.chart

    def middle_of(self, index: int) -> QPointF:
        area = self._chart().areas[index]
        return QPointF(area.left_edge + area.width / 2, area.top + area.height / 2)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        for index, area in enumerate(self._chart().areas):
            rect = QRectF(area.left_edge, area.top, area.width, area.height)
            if rect.contains(event.position()):
                self.pressed.emit(index)
                return

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for shape in self._chart().shapes:
            match shape:
                case chart.Box():
                    self._box(painter, shape)
                case chart.ChartLine():
                    self._stroke(painter, shape)
                case chart.Word():
                    self._word(painter, shape)

    def _chart(self) -> chart.DrawnChart:
        """The drawn chart, computed anew only if something changed."""
        how = (self._chosen, self._is_line, self._is_lying, self._unit_word)
        asked = (self._bars, how, self.size())
        if self._drawn is None or self._drawn[0] != asked:
            font = self._font(strong=True)
            space = chart.ChartSpace(
                float(self.width()),
                float(self.height()),
                float(self.theme.metrics.line(TypeStep.SMALL)),
                lambda word: float(painting.width_of(font, word)),
                widest=float(self.theme.metrics.chart_bar),
                unit_word=self._unit_word,
            )
            drawn = chart.drawn_chart(
                self._bars,
                space,
                chosen=self._chosen,
                is_line=self._is_line,
                is_lying=self._is_lying,
            )
            self._drawn = (asked, drawn)
        return self._drawn[1]

    def _font(self, *, strong: bool) -> QFont:
        weight = Weight.BOLD if strong else Weight.MEDIUM
        return self.theme.fonts.resized(self.font(), TypeStep.SMALL, weight)

    def _colour(self, token: Token) -> QColor:
        return self.theme.colour(token if self.isEnabled() else _OLD.get(token, token))

    def _box(self, painter: QPainter, shape: chart.Box) -> None:
        metrics, accent = self.theme.metrics, self._colour("accent")
        rect = QRectF(shape.left_edge, shape.top, shape.width, shape.height).toRect()
        radius = min(metrics.s1, rect.height(), rect.width()) // 2
        match shape.role:
            case "bar":
                painting.box(painter, rect, radius=radius, fill=accent)
            case "before":
                edge = self._colour("line_strong")
                painting.box(painter, rect, radius=radius, fill=self._colour("line"), edge=edge)
            case _:
                radius, width = metrics.radius_button, 2 * metrics.hair
                painting.box(painter, rect, radius=radius, edge=accent, width=width)

    def _stroke(self, painter: QPainter, shape: chart.ChartLine) -> None:
        token, width = _STROKES[shape.role]
        colour = self._colour(token)
        is_curve = shape.role in ("curve", "curve_before")
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, is_curve)
        painter.setPen(QPen(colour, width * self.theme.metrics.hair))
        points = [
            QPointF(x, y) if is_curve else QPointF(round(x), round(y)) for x, y in shape.points
        ]
        if len(points) == 1:
            painter.drawPoint(points[0])
        painter.drawPolyline(QPolygonF(points))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _word(self, painter: QPainter, shape: chart.Word) -> None:
        font, text = self._font(strong=shape.strong), shape.text
        if shape.free_width:
            text = Meter(font).wrapped(text, int(shape.free_width), lines=1)[0]
        wide = painting.width_of(font, text)
        left = {"left": shape.x, "middle": shape.x - wide / 2, "right": shape.x - wide}[shape.align]
        left = min(max(left, 0.0), max(float(self.width() - wide), 0.0))
        line_height = self.theme.metrics.line(TypeStep.SMALL)
        rect = QRect(round(left), round(shape.top), wide, line_height)
        colour = self._colour("ink" if shape.strong else "ink_2")
        painting.put(painter, rect, text, colour, font)
