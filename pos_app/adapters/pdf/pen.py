"""Draws on a page of PDF, and makes the file. Measures are in millimetres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from fpdf import FPDF
from fpdf.fonts import TTFFont
from PIL import Image

from pos_app.adapters.pdf.sheets import Sheet
from pos_app.adapters.pdf.typeface import Typeface, no_font
from pos_app.documents.blocks import NOTICE_COLUMNS

_FAMILY = "paper"
_POINTS_PER_MM = 72 / 25.4
_BASELINE = 0.75
_THICK, _THIN = 0.7, 0.2
NOTICE_PADDING = 2.5
NOTICE_GAP = 3.0


@contextmanager
def file_with_fonts(face: Typeface, *, with_strong: bool) -> Iterator[FPDF]:
    """Make a PDF file with the face in it; the strong letters are added where they are needed: 12
    ms a font.

    At the end the font files are closed, which FPDF leaves to chance. Raises MachineError (kind:
    font) when one is gone.
    """
    file = FPDF(unit="mm")
    file.set_auto_page_break(False)
    file.set_creator("pos-app")
    file.c_margin = 0
    try:
        for style, path in {"": face.plain, "B": face.strong}.items():
            if not style or with_strong:
                try:
                    file.add_font(_FAMILY, style, path)
                except OSError as error:
                    raise no_font(path) from error
        _without_ligatures(file)
        yield file
    finally:
        for font in file.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()


def _without_ligatures(file: FPDF) -> None:
    """Remove the tables of ligatures and kerning, unused in columns: cutting them took 8 ms a
    font."""
    for font in file.fonts.values():
        for table in ("GSUB", "GPOS", "GDEF"):
            if isinstance(font, TTFFont) and table in font.ttfont:
                del font.ttfont[table]


class Pen:
    """Draws on the page that is open, in columns of text of one sheet. left, top: the left edge of
    the column of text, and the top of the piece."""

    def __init__(self, file: FPDF, face: Typeface, sheet: Sheet) -> None:
        self._file = file
        self._sheet = sheet
        self._letter = sheet.per_letter
        self._notice_letter = (sheet.column - 4) / NOTICE_COLUMNS
        self._points = _POINTS_PER_MM / face.advance
        self._known = face.letters

    def line(self, left_edge: float, top: float, *, text: str) -> None:
        self._text(left_edge, top, text.rstrip(), letter=self._letter, line=self._sheet.line)

    def centred(self, left_edge: float, top: float, *, text: str, strong: bool = False) -> None:
        left_edge += (self._sheet.column - len(text) * self._letter) / 2
        letter, line = self._letter, self._sheet.line
        self._text(left_edge, top, text, letter=letter, line=line, strong=strong)

    def notice(self, left_edge: float, top: float, *, lines: Sequence[str], line: float) -> None:
        box = len(lines) * line + 2 * NOTICE_PADDING
        self._frame(left_edge, top + NOTICE_GAP, self._sheet.column, box, _THICK)
        below = top + NOTICE_GAP + NOTICE_PADDING
        for number, text in enumerate(lines):
            begin = left_edge + (self._sheet.column - len(text) * self._notice_letter) / 2
            at = below + number * line
            self._text(begin, at, text, letter=self._notice_letter, line=line, strong=True)

    def code(
        self, left_edge: float, top: float, *, picture: Image.Image, side: float, quiet: float
    ) -> None:
        left_edge += (self._sheet.column - side) / 2
        self._file.image(picture, left_edge, top + quiet, w=side, h=side)

    def bars(
        self, left_edge: float, top: float, *, widths: Sequence[int], module: float, height: float
    ) -> None:
        """Draw a bar code in the middle of its column. widths: bars and spaces, in modules."""
        left_edge += (self._sheet.column - sum(widths) * module) / 2
        for number, width in enumerate(widths):
            if number % 2 == 0:
                self._file.rect(left_edge, top, width * module, height, style="F")
            left_edge += width * module

    def box(self, left_edge: float, top: float, *, height: float) -> None:
        """Draw a thin frame as wide as the column."""
        self._frame(left_edge, top, self._sheet.column, height, _THIN)

    def foot(self, page_height: float, *, title: str, page_line: str) -> None:
        """Draw the last line of a page: the title, and the page's number at the right edge."""
        sheet = self._sheet
        top = page_height - sheet.margin - sheet.line
        first, last = sheet.left_edge(0), sheet.left_edge(sheet.columns - 1) + sheet.column
        self.line(first, top, text=title)
        self.line(last - len(page_line) * self._letter, top, text=page_line)

    def _frame(
        self, left_edge: float, top: float, width: float, height: float, thick: float
    ) -> None:
        self._file.set_line_width(thick)
        self._file.rect(left_edge + thick / 2, top + thick / 2, width - thick, height - thick)

    def _text(
        self,
        left_edge: float,
        top: float,
        text: str,
        *,
        letter: float,
        line: float,
        strong: bool = False,
    ) -> None:
        baseline = top + _BASELINE * line
        missing = [index for index, sign in enumerate(text) if sign not in self._known]
        for index in missing:
            self._box(left_edge + index * letter, baseline, letter)
            text = f"{text[:index]} {text[index + 1 :]}"
        if text:
            self._file.set_font(_FAMILY, "B" if strong else "", letter * self._points)
            self._file.text(left_edge, baseline, text)

    def _box(self, left_edge: float, baseline: float, letter: float) -> None:
        """Draw a box for a sign that the font lacks, as large as a capital letter."""
        self._file.set_line_width(letter / 10)
        self._file.rect(
            left_edge + 0.15 * letter, baseline - 1.2 * letter, 0.7 * letter, 1.2 * letter
        )
