"""The table of a report: its head, lines painted as they come into sight, and their sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyleOptionViewItem

from pos_app.cashier.reports.words import ReportWords
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting, views
from pos_app.cashier.ui.choices import paint_check
from pos_app.cashier.ui.column_head import ColumnHead, HeadCell
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.labels import MOST_LINES
from pos_app.cashier.ui.list_rows import ListRows
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import FilledPanel
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.ui.tokens import Token
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.reports.report import Report
from pos_app.selling.reports.table import Cell, ColumnKind, Line, ReportColumn, Table

_MEASURED = 300
"""The number of lines that are measured for a column's width; the sum is nearly always wider."""
_NUMBERS = frozenset(
    {
        ColumnKind.COUNT,
        ColumnKind.QUANTITY,
        ColumnKind.AMOUNT,
        ColumnKind.BACK,
        ColumnKind.NET,
        ColumnKind.QUIET,
        ColumnKind.CHANGE,
        ColumnKind.AGE,
        ColumnKind.TICK,
    }
)
_FOLDED_FIRST = (
    "code",
    "methods",
    "days_old",
    "open",
    "came_in",
    "owed",
    "date",
    "before",
    "base",
    "quantity",
    "receipts",
    "tax",
    "lifted_by",
    "advance_refunds",
    "advances",
    "was",
    "now",
    "receipt",
    "change",
    "refunds",
    "normal_refunds",
    "sales",
    "subject",
)
_LEAST_EMS = 8
_LEAST_WRAPPED_EMS = 3
"""The same where the figures beside them need the room."""


@dataclass(frozen=True, slots=True)
class ColumnSpan:
    column: ReportColumn
    number: int
    left_edge: int
    width: int


class TableColumns:
    """The columns of a report that fit into a width, and their positions."""

    def __init__(self, theme: Theme, words: ReportWords, report: Report) -> None:
        self.words, self.report, self._theme = words, report, theme
        table = report.table
        self._shown_columns = [
            (number, column) for number, column in enumerate(table.columns) if not column.in_files
        ]
        lines = [line.cells for line in table.lines[:_MEASURED]]
        self._empty = {
            number
            for number, column in self._shown_columns
            if column.name in _FOLDED_FIRST and all(cells[number] is None for cells in lines)
        }
        if table.total is not None:
            lines.append(table.total)
        self._texts = [
            {
                words.head(report, column),
                *(
                    words.cell(column, cells[number])
                    for cells in lines
                    if cells[number] is not None
                ),
            }
            for number, column in self._shown_columns
        ]
        if table.total is not None:
            self._texts[self._first_named].add(words.total_name(report))
        self._at: tuple[int, list[ColumnSpan]] = (-1, [])

    def spans(self, width: int, own: QFont) -> list[ColumnSpan]:
        """The positions; columns of words share the rest, and columns without room are missing."""
        if self._at[0] == width:
            return self._at[1]
        theme = self._theme
        bold = theme.fonts.resized(own, TypeStep.BASE, Weight.BOLD)
        gap = theme.metrics.s3 if theme.metrics.narrow else theme.metrics.s4
        edge = theme.metrics.s4
        widths = [
            theme.metrics.icon(24)
            if column.kind is ColumnKind.TICK
            else max(painting.width_of(bold, one) for one in texts)
            for texts, (_, column) in zip(self._texts, self._shown_columns, strict=True)
        ]
        kept = list(range(len(self._shown_columns)))
        least, whole_words = self._least, self._widest_words(bold)

        def least_widths() -> dict[int, int]:
            return {
                one: min(widths[one], max(least, whole_words[one]))
                if self._is_words(one)
                else widths[one]
                for one in kept
            }

        def needed() -> int:
            return sum(least_widths().values()) + gap * (len(kept) - 1) + 2 * edge

        empty = [column.name for number, column in self._shown_columns if number in self._empty]
        for name in (*sorted(empty, key=_FOLDED_FIRST.index), *_FOLDED_FIRST):
            if needed() <= width:
                break
            kept = [one for one in kept if self._shown_columns[one][1].name != name]
        floor = _LEAST_WRAPPED_EMS * theme.metrics.type_px(TypeStep.BASE)
        while needed() > width and least > floor:
            least -= theme.metrics.s2  # words take further lines
        while needed() > width and max(whole_words) > least:
            widest = max(whole_words) - theme.metrics.s1  # the longest words are torn first
            whole_words = [min(one, widest) for one in whole_words]
        spare = width - needed()
        given = least_widths()
        self._at = (width, self._placed(given, widths, spare, gap=gap, edge=edge))
        return self._at[1]

    def lines_of(self, cells: Sequence[Cell], width: int, own: QFont) -> int:
        """Return the number of lines that the words of a row take in their columns."""
        return max(
            len(self.broken(at, self.words.cell(at.column, cells[at.number]), own)[1])
            for at in self.spans(width, own)
        )

    def broken(
        self, at: ColumnSpan, words: str, own: QFont, weight: int = Weight.MEDIUM
    ) -> tuple[Meter, list[str]]:
        """Return the meter and the lines of a cell; figures have one line."""
        meter = self._theme.fonts.text_metrics(own, TypeStep.BASE, weight)
        if at.column.kind in _NUMBERS or meter.length(words) <= at.width:
            return meter, [words]
        step, lines = TypeStep.BASE, MOST_LINES
        return painting.broken(
            self._theme, own, words, at.width, step=step, weight=weight, lines=lines
        )

    @property
    def _first_named(self) -> int:
        """The place of the first column that has words, below which the sum has its name."""
        kinds = [column.kind for _, column in self._shown_columns]
        return next(index for index, kind in enumerate(kinds) if kind is not ColumnKind.TICK)

    def is_named(self, at: ColumnSpan) -> bool:
        return at.number == self._shown_columns[self._first_named][0]

    @property
    def _least(self) -> int:
        return _LEAST_EMS * self._theme.metrics.type_px(TypeStep.BASE)

    def _widest_words(self, font: QFont) -> list[int]:
        """Return the width of each column's widest word, as far as a column is kept so wide for
        it."""
        words = ([one for text in texts for one in text.split()] for texts in self._texts)
        widths = ([painting.width_of(font, one) for one in column] for column in words)
        return [min(self._least, max(column, default=0)) for column in widths]

    def _is_words(self, index: int) -> bool:
        return self._shown_columns[index][1].kind not in _NUMBERS

    def _placed(
        self, given: dict[int, int], widths: list[int], spare: int, *, gap: int, edge: int
    ) -> list[ColumnSpan]:
        kept = list(given)
        for one in kept:  # columns whose words exceed the least width come first
            more = min(max(widths[one] - given[one], 0), max(spare, 0))
            given[one] += more
            spare -= more
        each = max(spare, 0) // max(len(kept), 1)
        left, spans = edge, list[ColumnSpan]()
        for one in kept:
            number, column = self._shown_columns[one]
            width = given[one] + (0 if column.kind is ColumnKind.TICK else each)
            spans.append(ColumnSpan(column, number, left, width))
            left += width + gap
        return spans


class ReportDelegate(views.ThemedDelegate):
    """Paints a `Line`. columns is None while there is no report."""

    columns: TableColumns | None = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: views.Index) -> None:
        line: Line | None = index.data(views.ROW)
        if line is None or self.columns is None:
            return
        state = views.row_state(option, pressed=self.is_pressed(index))
        theme, rect = self.theme, option.rect
        painter.save()
        painter.setFont(option.font)
        is_old = not option.widget.isEnabled()
        ground: Token = "sunken" if is_old else "surface"
        if not is_old and (state.current or state.pressed):
            ground = "tint" if state.current else "line"
        painter.fillRect(rect, theme.colour(ground))
        if state.current and not is_old:
            bar = QRect(rect.left(), rect.top(), theme.metrics.s1, rect.height())
            painter.fillRect(bar, theme.colour("accent"))
        painting.rule(painter, rect, theme)
        paint_cells(painter, rect, theme, self.columns, line.cells, is_old=is_old)
        if state.focus and state.current:
            painting.ring_inside(painter, rect, theme)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: views.Index) -> QSize:
        width = option.rect.width()
        return QSize(width, self.row_height(index.data(views.ROW), width, option.font))

    def row_height(self, line: Line | None, width: int, own: QFont) -> int:
        metrics = self.theme.metrics
        if line is None or self.columns is None:
            return metrics.touch
        lines = self.columns.lines_of(line.cells, width, own)
        return max(metrics.touch, lines * metrics.line(TypeStep.BASE) + metrics.s3)


def had_no_documents(table: Table, cells: Sequence[Cell]) -> bool:
    """Tell whether a line counts its documents, and had none."""
    counts = [
        cell
        for column, cell in zip(table.columns, cells, strict=True)
        if column.kind is ColumnKind.COUNT
    ]
    return bool(counts) and not any(counts)


def cell_words(words: ReportWords, column: ReportColumn, cell: Cell, *, is_idle: bool) -> str:
    """Return the words of a cell in the window; a line without documents has a dash for their
    number, and leaves its other zeros out."""
    if is_idle and not cell and column.kind in _NUMBERS:
        return "–" if column.kind is ColumnKind.COUNT else ""
    return words.cell(column, cell)


def paint_cells(
    painter: QPainter,
    rect: QRect,
    theme: Theme,
    columns: TableColumns,
    cells: Sequence[Cell],
    *,
    is_total: str = "",
    is_old: bool = False,
) -> None:
    """Paint a line, or the sum where `is_total` has its name."""
    own = painter.font()
    high = theme.metrics.line(TypeStep.BASE)
    is_idle = not is_total and had_no_documents(columns.report.table, cells)
    for at in columns.spans(rect.width(), own):
        room = QRect(rect.left() + at.left_edge, rect.top(), at.width, rect.height())
        cell = columns.report.table.total if is_total else cells
        assert cell is not None
        value = cell[at.number]
        if at.column.kind is ColumnKind.TICK:
            if not is_total:
                box = QRect(0, 0, room.width(), room.width())
                box.moveCenter(room.center())
                paint_check(painter, box, theme, ticked=bool(value), enabled=not is_old)
            continue
        words = is_total if is_total and columns.is_named(at) else ""
        words = words or cell_words(columns.words, at.column, value, is_idle=is_idle)
        weight = Weight.BOLD if is_total or at.column.kind is ColumnKind.NET else Weight.MEDIUM
        meter, text_lines = columns.broken(at, words, own, weight)
        ink = theme.colour("ink_2" if is_old else _ink(at.column, words))
        if at.column.kind in _NUMBERS:
            painting.put(painter, room, words, ink, meter.font, align=painting.RIGHT)
            continue
        top = room.top() + (room.height() - len(text_lines) * high) // 2
        first = QRect(room.left(), top, room.width(), high)
        painting.put_lines(painter, first, text_lines, meter, ink=ink)
    painter.setFont(own)


def _ink(column: ReportColumn, words: str) -> Token:
    if column.kind in (ColumnKind.COUNT, ColumnKind.QUIET, ColumnKind.MOMENT):
        return "ink_2"
    return "ink" if column.kind is ColumnKind.CHANGE else painting.amount_ink(words)


class ReportTableHead(ColumnHead):
    columns: TableColumns | None = None

    def cells(self) -> Iterable[HeadCell]:
        if self.columns is None:
            return
        report, words = self.columns.report, self.columns.words
        for at in self.columns.spans(self.width(), self.font()):
            if at.column.kind is ColumnKind.TICK:
                continue
            rect = QRect(at.left_edge, 0, at.width, self.height())
            is_number = at.column.kind in _NUMBERS
            align = painting.RIGHT if is_number else painting.LEFT
            yield HeadCell(rect, words.head(report, at.column), align, elide=not is_number)


class TotalLine(ThemedWidget):
    """The sum below the lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.columns: TableColumns | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def cell_texts(self) -> tuple[str, ...]:
        if self.columns is None or self.columns.report.table.total is None:
            return ()
        report, words = self.columns.report, self.columns.words
        cells = zip(report.table.columns, report.table.total or (), strict=True)
        return (words.total_name(report), *(words.cell(*one) for one in list(cells)[1:]))

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        high = max(metrics.head, metrics.line(TypeStep.BASE) + metrics.s2)
        return QSize(6 * metrics.touch, high)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        radius = theme.metrics.radius_panel - theme.metrics.hair
        lower = self.rect().adjusted(0, -radius, 0, 0)  # the lower corners of its panel
        painting.box(painter, lower, radius=radius, fill=theme.colour("sunken"))
        thick = 2 * theme.metrics.hair
        painter.fillRect(QRect(0, 0, self.width(), thick), theme.colour("ink"))
        if self.columns is not None and self.columns.report.table.total is not None:
            name = self.columns.words.total_name(self.columns.report)
            old = not self.isEnabled()
            paint_cells(painter, self.rect(), theme, self.columns, (), is_total=name, is_old=old)


class ReportTable(FilledPanel):
    """Signals: `chosen(str)`, the key of a line that a person went to; `opened(str)`, of one that
    was pressed once more; `ticked(str)`, of one whose box was pressed."""

    chosen = Signal(str)
    opened = Signal(str)
    ticked = Signal(str)

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self.head, self.total = ReportTableHead(theme), TotalLine(theme)
        self.lines = ListRows[Line](self._spoken)
        self._delegate = ReportDelegate(theme)
        self.view = views.LinesView(theme, self._delegate, name=texts("rep.table"))
        self.view.setModel(self.lines)
        self.view.moved.connect(self._moved)
        self.view.tapped.connect(self._tapped)
        self._report: Report | None = None
        self._chosen = ""
        column = self.edge_column()
        column.addWidget(self.head)
        column.addWidget(self.view, 1)
        column.addWidget(self.total)

    def show_report(self, report: Report | None, words: ReportWords) -> None:
        """Show the report; lines that are there already keep their positions."""
        if report is self._report:
            return
        self._report = report
        columns = None if report is None else TableColumns(self.theme, words, report)
        self._delegate.columns = self.head.columns = self.total.columns = columns
        lines = () if report is None else report.table.lines
        self.lines.show_rows(lines, lambda line: line, depends_on=object())
        self.total.setVisible(columns is not None and columns.report.table.total is not None)
        self.total.setAccessibleName(", ".join(filter(None, self.total.cell_texts)))
        for part in (self.head, self.total):
            part.update()

    def height_in(self, free_height: int) -> int:
        """Return the height of head, sum and as many whole rows as fit, but one at least."""
        hair, width, own = self.theme.metrics.hair, self.width(), self.view.font()
        parts = [one for one in (self.head, self.total) if not one.isHidden()]
        taken = 2 * hair + sum(one.sizeHint().height() for one in parts)
        rows = 0
        for line in () if self._report is None else self._report.table.lines:
            high = self._delegate.row_height(line, width - 2 * hair, own)
            if rows and taken + rows + high > free_height:
                break
            rows += high
        return taken + max(rows, self.theme.metrics.touch)

    def _spoken(self, line: Line) -> str:
        assert self.head.columns is not None
        report, words = self.head.columns.report, self.head.columns.words
        is_idle = had_no_documents(report.table, line.cells)
        cells = zip(report.table.columns, line.cells, strict=True)
        cell_texts = (cell_words(words, *one, is_idle=is_idle) for one in cells)
        return ", ".join(one for one in cell_texts if one)

    def mark(self, key: str) -> None:
        self._chosen = key
        lines = () if self._report is None else self._report.table.lines
        number = next((n for n, line in enumerate(lines) if line.key == key), None)
        index = QModelIndex() if number is None else self.lines.index(number)
        if index != self.view.currentIndex():
            self.view.setCurrentIndex(index)
        if index.isValid():
            self.view.scrollTo(index)
        self.view.viewport().update()

    def step(self, by: int) -> None:
        last, now = self.lines.rowCount() - 1, self.view.currentIndex().row()
        if last >= 0:
            self.view.setCurrentIndex(self.lines.index(min(max(now + by, 0), last)))
            self._moved()

    def _key_at(self, index: QModelIndex) -> str:
        assert self._report is not None
        return self._report.table.lines[index.row()].key

    def _is_tick(self, point: QPoint) -> bool:
        """Whether a point lies on the box of a line, with the room at its left."""
        columns = self._delegate.columns
        assert columns is not None
        first = columns.spans(self.view.viewport().width(), self.view.font())[0]
        ends = first.left_edge + first.width + self.theme.metrics.s2
        return first.column.kind is ColumnKind.TICK and point.x() < ends

    def _moved(self) -> None:
        index = self.view.currentIndex()
        if index.isValid():
            self.chosen.emit(self._key_at(index))

    def _tapped(self, index: QModelIndex, point: QPoint) -> None:
        key = self._key_at(index)
        if self._is_tick(point):
            self.ticked.emit(key)
            return
        (self.opened if key == self._chosen else self.chosen).emit(key)
