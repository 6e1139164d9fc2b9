"""Draws sheets of price labels as PDF. Measures are in millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from fpdf import FPDF

from pos_app.adapters.pdf.pen import file_with_fonts
from pos_app.adapters.pdf.typeface import Typeface, Typefaces
from pos_app.documents.bar_codes import BarCode
from pos_app.documents.price_labels import LabelSheet, PriceLabel, in_lines

_FAMILY = "paper"
_POINTS = 72 / 25.4
_NAME, _PRICE, _SMALL = 2.15, 5.2, 1.7
"""The widths of a letter."""
_PRICE_AT = 16.4
"""The distance of the price's base line from the top of the label's inside."""
_BARS = 7.5
_WIDEST_MODULE, _QUIET = 0.33, 10
"""The width of a module as GS1 draws it at 100 %, and the number of white modules on each side."""


def label_sheet(
    labels: Sequence[PriceLabel], *, faces: Typefaces, at: datetime, sheet: LabelSheet | None = None
) -> bytes:
    """Return the sheets of these labels, row by row. at: the file's time of creation. Raises
    MachineError when there is no font."""
    sheet = sheet or LabelSheet()
    letters = frozenset("".join(one.all_words for one in labels) + "…") - {"\n"}
    face = faces.writing(letters)
    with file_with_fonts(face, with_strong=True) as file:
        file.set_creation_date(at)
        pen = _LabelPen(file, face, sheet)
        for number, label in enumerate(labels):
            if number % sheet.many == 0:
                file.add_page(format=(sheet.width, sheet.height))
            pen.draw(label, *sheet.corner(number))
        return bytes(file.output())


class _LabelPen:
    def __init__(self, file: FPDF, face: Typeface, sheet: LabelSheet) -> None:
        self._file = file
        self._face = face
        self._sheet = sheet
        self._width = sheet.label_width - 2 * sheet.air

    def draw(self, label: PriceLabel, left_edge: float, top: float) -> None:
        air = self._sheet.air
        left_edge, below = left_edge + air, top + self._sheet.label_height - air
        for number, text_line in enumerate(in_lines(label.name, letters=int(self._width / _NAME))):
            self._text(left_edge, top + air + 3.0 + number * 4.2, text_line, letter=_NAME)
        letter = min(_PRICE, self._width / max(1, len(label.price)))
        price_at = left_edge + self._width - len(label.price) * letter
        self._text(price_at, top + air + _PRICE_AT, label.price, letter=letter, strong=True)
        if label.per:
            self._text(left_edge, top + air + _PRICE_AT, label.per, letter=_SMALL)
        if label.bars is not None:
            self._bars(left_edge, below - 3.2 - _BARS, label.bars)
            self._text(left_edge, below - 0.6, label.bars.text, letter=_SMALL)
        code_at = left_edge + self._width - len(label.code) * _SMALL
        self._text(code_at, below - 0.6, label.code, letter=_SMALL)

    def _bars(self, left_edge: float, top: float, code: BarCode) -> None:
        module = min(_WIDEST_MODULE, self._width / (code.modules + 2 * _QUIET))
        at = left_edge + _QUIET * module
        for index, width in enumerate(code.widths):
            if index % 2 == 0:
                self._file.rect(at, top, width * module, _BARS, style="F")
            at += width * module

    def _text(
        self, left_edge: float, base: float, text: str, *, letter: float, strong: bool = False
    ) -> None:
        known = "".join(sign if sign in self._face.letters else "?" for sign in text)
        points = letter * _POINTS / self._face.advance
        self._file.set_font(_FAMILY, "B" if strong else "", points)
        self._file.text(left_edge, base, known)
