"""Draws a report as PDF on A4 across: the chart, then the table with its head on each page.
Measures are in millimetres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fpdf import FPDF

from pos_app.adapters.pdf.pen import file_with_fonts
from pos_app.adapters.pdf.typeface import Typeface, Typefaces
from pos_app.documents import chart
from pos_app.documents.report_sheet import ReportSheet, SheetCell, cell_text

_FAMILY = "paper"
_POINTS = 72 / 25.4
_WIDTH, _HEIGHT, _MARGIN = 297.0, 210.0, 13.0
_ROOM = _WIDTH - 2 * _MARGIN
_TITLE, _USUAL, _SMALLEST = 3.0, 1.9, 1.15
"""The widths of a letter."""
_LINE, _CHART, _WIDEST = 5.4, 62.0, 12.7
_GAP = 2.0
"""The least distance between two columns, in letters."""
_ACCENT, _INK, _QUIET, _LIGHT, _RED = (
    (11, 93, 72),
    (19, 32, 26),
    (90, 102, 95),
    (211, 216, 208),
    (156, 33, 26),
)
_LONGEST = 44
"""The most letters of a text that is shown whole."""


def report_pdf(sheet: ReportSheet, *, faces: Typefaces) -> bytes:
    """Draw the report. Raises MachineError when there is no font."""
    face = faces.writing(frozenset(_letters(sheet)))
    with file_with_fonts(face, with_strong=True) as file:
        file.set_creation_date(sheet.made)
        file.set_title(sheet.title)
        file.set_lang(sheet.language)
        _Pages(file, face, sheet).draw()
        return bytes(file.output())


def _letters(sheet: ReportSheet) -> Iterator[str]:
    yield from f"{sheet.title}{sheet.shop}{sheet.period}{sheet.page_word}{sheet.chart_title}…/"
    for words in (*sheet.notes, *sheet.legend, *(one.head for one in sheet.columns)):
        yield from words
    for row in sheet.rows if sheet.total is None else (*sheet.rows, sheet.total):
        for cell, column in zip(row, sheet.columns, strict=True):
            yield from cell_text(cell, column.kind)
    for bar in sheet.bars:
        yield from bar.word


class _Pages:
    def __init__(self, file: FPDF, face: Typeface, sheet: ReportSheet) -> None:
        self._file, self._face, self._sheet = file, face, sheet
        self._texts = [self._in_words(row) for row in sheet.rows]
        self._total = None if sheet.total is None else self._in_words(sheet.total)
        self._letters = self._columns()
        gaps = _GAP * (len(self._letters) - 1)
        whole = sum(self._letters) + gaps
        self._letter = max(min(_USUAL, _ROOM / whole), _SMALLEST)
        over = whole - _ROOM / self._letter
        if over > 0:  # texts are shortened, figures never
            self._narrow(over)
        self._top = _MARGIN

    def draw(self) -> None:
        self._page()
        if self._sheet.bars:
            self._chart()
        self._head()
        for row, cells in zip(self._texts, self._sheet.rows, strict=True):
            self._ensure_height(_LINE)
            self._row(row, cells=cells)
        if self._total is not None:
            self._ensure_height(_LINE + 1)
            self._rule(self._top + 0.4, _INK, 0.5)
            self._row(self._total, strong=True, cells=self._sheet.total or ())
        self._notes()
        self._number_pages()

    # --- the table -------------------------------------------------------------------------------

    def _in_words(self, row: Sequence[SheetCell]) -> list[str]:
        return [
            cell_text(cell, column.kind)
            for cell, column in zip(row, self._sheet.columns, strict=True)
        ]

    def _columns(self) -> list[float]:
        rows = [*self._texts, *([self._total] if self._total is not None else [])]
        needed = list[float]()
        for index, column in enumerate(self._sheet.columns):
            longest = max((len(row[index]) for row in rows), default=0)
            if not column.is_number:
                longest = min(longest, _LONGEST)
            needed.append(max(longest, len(column.head), 4))
        return needed

    def _narrow(self, over: float) -> None:
        texts = [index for index, one in enumerate(self._sheet.columns) if not one.is_number]
        for index in sorted(texts, key=lambda column: -self._letters[column]):
            less = min(over, max(self._letters[index] - 10, 0))
            self._letters[index] -= less
            over -= less

    def _head(self) -> None:
        self._file.set_fill_color(244, 246, 242)
        self._file.rect(_MARGIN, self._top, _ROOM, _LINE, style="F")
        self._row([one.head for one in self._sheet.columns], colour=_QUIET)

    def _row(
        self,
        words: Sequence[str],
        *,
        strong: bool = False,
        colour: tuple[int, int, int] = _INK,
        cells: Sequence[SheetCell] = (),
    ) -> None:
        left, base = _MARGIN, self._top + 0.7 * _LINE
        spare = max(_ROOM / self._letter - sum(self._letters), 0) / max(len(self._letters) - 1, 1)
        for index, (text, column) in enumerate(zip(words, self._sheet.columns, strict=True)):
            room = int(self._letters[index])
            shown = text if len(text) <= room else f"{text[: room - 1]}…"
            at = left
            if column.is_number:
                at += (self._letters[index] - len(shown)) * self._letter
            red = bool(cells) and column.kind == "back" and bool(cells[index])
            self._text(
                at,
                base,
                shown,
                self._letter,
                strong=strong or column.kind == "net",
                colour=_RED if red else colour,
            )
            left += (self._letters[index] + spare) * self._letter
        self._top += _LINE
        self._rule(self._top, _LIGHT, 0.1)

    def _notes(self) -> None:
        for note in self._sheet.notes:
            self._ensure_height(_LINE)
            self._text(_MARGIN, self._top + 0.7 * _LINE, note, _USUAL, colour=_QUIET)
            self._top += _LINE

    # --- pages -----------------------------------------------------------------------------------

    def _page(self) -> None:
        self._file.add_page(orientation="L", format="A4")
        self._top = _MARGIN
        sheet = self._sheet
        self._text(_MARGIN, self._top + 4, sheet.title, _TITLE, strong=True)
        shop_and_period = f"{sheet.shop} · {sheet.period}" if sheet.shop else sheet.period
        at = _WIDTH - _MARGIN - len(shop_and_period) * _USUAL
        self._text(at, self._top + 4, shop_and_period, _USUAL, colour=_QUIET)
        self._top += 9

    def _ensure_height(self, height: float) -> None:
        if self._top + height > _HEIGHT - _MARGIN - _LINE:
            self._page()
            self._head()

    def _number_pages(self) -> None:
        pages = self._file.pages_count
        for page in range(1, pages + 1):
            self._file.page = page
            words = f"{self._sheet.page_word} {page}/{pages}"
            at = _WIDTH - _MARGIN - len(words) * _USUAL
            self._text(at, _HEIGHT - _MARGIN, words, _USUAL, colour=_QUIET)
        self._file.page = pages

    # --- the chart -------------------------------------------------------------------------------

    def _chart(self) -> None:
        self._text(_MARGIN, self._top + 3, self._sheet.chart_title, _USUAL, strong=True)
        self._legend()
        top = self._top + 7
        letter = 1.6
        space = chart.ChartSpace(
            _ROOM, _CHART, 4.0, lambda word: len(word) * letter, widest=_WIDEST
        )
        drawn = chart.drawn_chart(
            self._sheet.bars, space, is_line=self._sheet.is_line, is_lying=self._sheet.is_lying
        )
        for shape in drawn.shapes:
            match shape:
                case chart.Box():
                    self._box(shape, top)
                case chart.ChartLine():
                    self._stroke(shape, top)
                case chart.Word():
                    self._word(shape, top, letter)
        self._top = top + _CHART + 4

    def _legend(self) -> None:
        at = _WIDTH - _MARGIN
        for words, role in reversed(list(zip(self._sheet.legend, _LEGEND, strict=False))):
            at -= len(words) * _USUAL
            self._text(at, self._top + 3, words, _USUAL, colour=_QUIET)
            at -= 5
            self._box(chart.Box(at, 0.4, 3, 3, role), self._top - _MARGIN + _MARGIN, left_edge=0)
            at -= 5

    def _box(self, box: chart.Box, top: float, *, left_edge: float = _MARGIN) -> None:
        self._file.set_fill_color(*(_ACCENT if box.role == "bar" else _LIGHT))
        self._file.rect(left_edge + box.left_edge, top + box.top, box.width, box.height, style="F")

    def _stroke(self, stroke: chart.ChartLine, top: float) -> None:
        colour, width = _STROKES[stroke.role]
        self._file.set_draw_color(*colour)
        self._file.set_line_width(width)
        for (x, y), (to_x, to_y) in zip(stroke.points, stroke.points[1:], strict=False):
            self._file.line(_MARGIN + x, top + y, _MARGIN + to_x, top + to_y)

    def _word(self, word: chart.Word, top: float, letter: float) -> None:
        text = word.text
        if word.free_width and len(text) * letter > word.free_width:
            text = f"{text[: max(int(word.free_width / letter) - 1, 1)]}…"
        back = {"left": 0.0, "middle": 0.5, "right": 1.0}[word.align] * len(text) * letter
        self._text(_MARGIN + word.x - back, top + word.top + 3, text, letter, strong=word.strong)

    # --- strokes ---------------------------------------------------------------------------------

    def _rule(self, top: float, colour: tuple[int, int, int], width: float) -> None:
        self._file.set_draw_color(*colour)
        self._file.set_line_width(width)
        self._file.line(_MARGIN, top, _WIDTH - _MARGIN, top)

    def _text(
        self,
        left_edge: float,
        base: float,
        text: str,
        letter: float,
        *,
        strong: bool = False,
        colour: tuple[int, int, int] = _INK,
    ) -> None:
        known = "".join(sign if sign in self._face.letters else "?" for sign in text)
        self._file.set_text_color(*colour)
        self._file.set_font(_FAMILY, "B" if strong else "", letter * _POINTS / self._face.advance)
        self._file.text(left_edge, base, known)


_LEGEND: tuple[chart.Role, chart.Role] = ("bar", "before")
_STROKES = {
    "grid": (_LIGHT, 0.1),
    "axis": (_QUIET, 0.2),
    "curve": (_ACCENT, 0.7),
    "curve_before": (_QUIET, 0.3),
}
