"""Blocks of a document as pieces of a PDF page: how tall each is, and what draws it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from pos_app.adapters import qr
from pos_app.adapters.pdf.pen import NOTICE_GAP, NOTICE_PADDING, Pen
from pos_app.adapters.pdf.sheets import Piece, Sheet
from pos_app.documents.blocks import Block, Heading, Lines, Notice, PaymentCode, QrCode

_CODE_MODULE_PX = 4
"""Pixels a module, so that a viewer which smooths pictures still shows straight edges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn(Piece):
    """`paint` draws it at a distance in mm from the left and from the top of the page."""

    paint: Callable[[Pen, float, float], None]


class Cutter:
    """Cuts blocks into pieces for one document; each QR code is computed once."""

    def __init__(self) -> None:
        self._codes = cache(qr.code)

    def pieces(self, blocks: Iterable[Block], sheet: Sheet) -> Iterator[Drawn]:
        """The pieces of `blocks`, from top to bottom."""
        for block in blocks:
            match block:
                case Lines():
                    yield from _lines(block, sheet)
                case Heading(text):
                    yield _heading(text, sheet)
                case Notice(text):
                    yield _notice(text, sheet)
                case QrCode():
                    yield self._code(block)
                case PaymentCode():
                    yield self._payment(block, sheet)

    def _code(self, code: QrCode) -> Drawn:
        side, quiet, paint = self._drawing(code)
        return Drawn(height=side + 2 * quiet, keeps_next=True, paint=paint)

    def _payment(self, code: PaymentCode, sheet: Sheet) -> Drawn:
        """An empty line, then the frame: caption, code with its quiet zone."""
        side, quiet, paint_code = self._drawing(code)
        words = (len(code.caption) + 0.5) * sheet.line
        box = words + side + 2 * quiet

        def paint(pen: Pen, left: float, top: float) -> None:
            top += sheet.line
            pen.box(left, top, height=box)
            for number, text in enumerate(code.caption):
                at = top + (number + 0.5) * sheet.line
                pen.centred(left, at, text=text, strong=number == 0)
            paint_code(pen, left, top + words)

        return Drawn(height=box + sheet.line, paint=paint)

    def _drawing(
        self, code: QrCode | PaymentCode
    ) -> tuple[float, float, Callable[[Pen, float, float], None]]:
        """Side and quiet zone of a code in mm, and what draws it."""
        symbol = self._codes(code.text)
        quiet = code.quiet_modules * code.side_mm / symbol.side
        picture = qr.draw_image(symbol, module_px=_CODE_MODULE_PX)
        paint = partial(Pen.code, picture=picture, side=code.side_mm, quiet=quiet)
        return code.side_mm, quiet, paint


def _lines(block: Lines, sheet: Sheet) -> Iterator[Drawn]:
    kept = block.kept_with_next
    for number, line in enumerate(block.text):
        paint = partial(Pen.line, text=line)
        yield Drawn(height=sheet.line, keeps_next=number in kept, paint=paint)


def _heading(text: tuple[str, ...], sheet: Sheet) -> Drawn:
    """Centred lines, the first of them strong, and an empty one below."""

    def paint(pen: Pen, left: float, top: float) -> None:
        for number, line in enumerate(text):
            pen.centred(left, top + number * sheet.line, text=line, strong=number == 0)

    return Drawn(height=(len(text) + 1) * sheet.line, paint=paint)


def _notice(text: tuple[str, ...], sheet: Sheet) -> Drawn:
    line = 2 * sheet.line
    height = len(text) * line + 2 * NOTICE_PADDING + 2 * NOTICE_GAP
    return Drawn(height=height, paint=partial(Pen.notice, lines=text, line=line))
