"""Draws documents as PDF: on a roll as tall as its content, or on A4 pages.

Equal documents give equal bytes. Text is text (it can be searched and copied), the font is
embedded, and the file does not say when or where it was made. Measures are in millimetres from the
top left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import takewhile

from pos_app.adapters import qr_picture
from pos_app.adapters.pdf.pen import NOTICE_GAP, NOTICE_PADDING, Pen, file_with_fonts
from pos_app.adapters.pdf.sheets import (
    A4,
    A4_IN_TWO,
    A4_SMALLER,
    ROLL_58,
    ROLL_80,
    PdfPage,
    Piece,
    Sheet,
    spread,
)
from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.documents.blocks import (
    SHORT_CODE_QUIET,
    Block,
    Document,
    FramedNotice,
    Heading,
    Lines,
    PaymentCode,
    QrCode,
    ShortCode,
    WritingSpace,
)
from pos_app.documents.qr_code import code as modules_of
from pos_app.documents.receipt import ShopPaper, layout
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.text.transliteration import SERBIAN
from pos_app.lazy_dataclass import dataclass

__all__ = ["A4", "ROLL_58", "ROLL_80", "PdfReceipts", "render_document"]

_ON_A4 = (A4, A4_SMALLER, A4_IN_TWO)


class PdfReceipts:
    """Renders signed receipts. Safe in threads: each receipt has a file of its own."""

    def __init__(
        self, shop: ShopPaper, *, sheet: Sheet = ROLL_80, faces: Typefaces | None = None
    ) -> None:
        """Set up the renderer. shop: the settings of its paper. sheet: ROLL_80, ROLL_58 or A4."""
        self._shop = shop
        self._sheet = sheet
        self._faces = faces or Typefaces()

    def warm(self) -> None:
        """Read the font once for all receipts. Raises MachineError when there is none."""
        self._faces.writing(SERBIAN)

    def check(
        self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart
    ) -> frozenset[str]:
        """Return the signs for which `render` draws boxes; 200 times faster, same errors."""
        letters = self._layout(receipt, document, esir).letters
        return self._faces.writing(letters).missing(letters)

    def render(
        self,
        receipt: SignedReceipt,
        document: FiscalDocument,
        esir: EsirPart,
        *,
        as_view: bool = False,
    ) -> bytes:
        """Return the PDF of a receipt. Raises MachineError (kind: font) without a font. as_view:
        marks it as a view that is no receipt."""
        paper = self._layout(receipt, document, esir, as_view=as_view)
        return render_document(paper, sheet=self._sheet, faces=self._faces)

    def _layout(
        self,
        receipt: SignedReceipt,
        document: FiscalDocument,
        esir: EsirPart,
        *,
        as_view: bool = False,
    ) -> Document:
        return layout(
            receipt=receipt, document=document, esir=esir, shop=self._shop, as_view=as_view
        )


def render_document(document: Document, *, faces: Typefaces, sheet: Sheet = ROLL_80) -> bytes:
    """Draw any document as PDF; on A4 its letters are as large as one page allows. Raises
    MachineError (kind: font) without a font."""
    face = faces.writing(document.letters)
    sheet, pages = _fitted(document, sheet)
    with file_with_fonts(face, with_strong=document.has_strong_letters) as file:
        file.set_title(document.title)
        file.set_lang(document.language)
        file.set_creation_date(document.moment)
        pen = Pen(file, face, sheet)
        for number, page in enumerate(pages, start=1):
            has_foot = len(pages) > 1 or sheet.height is not None
            height = sheet.height or page.height + 2 * sheet.margin + has_foot * sheet.foot
            file.add_page(format=(sheet.width, height))
            _draw(page, pen, sheet)
            if has_foot:
                _draw_foot(document, pen, sheet, at=height, page=number, pages=len(pages))
        return bytes(file.output())


def _fitted(document: Document, wanted: Sheet) -> tuple[Sheet, list[PdfPage[Drawn]]]:
    """Return the first layout of the sheet that needs one page, else the last."""
    sheet, *narrower = _ON_A4 if wanted is A4 else (wanted,)
    cutter = Cutter()
    pages = _pages(document, sheet, cutter)
    while narrower and len(pages) > 1:
        sheet, *narrower = narrower
        pages = _pages(document, sheet, cutter)
    return sheet, pages


def _pages(document: Document, sheet: Sheet, cutter: Cutter) -> list[PdfPage[Drawn]]:
    """Make the pages. On A4 a notice and the shop's header run across the first page's columns."""
    blocks = document.blocks
    is_head = [isinstance(block, Heading | FramedNotice) for block in blocks]
    across = sum(1 for _ in takewhile(bool, is_head)) if sheet.height else 0
    return spread(
        list(cutter.pieces(blocks[across:], sheet)),
        sheet=sheet,
        first_head=tuple(cutter.pieces(blocks[:across], sheet)),
        next_head=tuple(cutter.pieces(document.on_each_page, sheet)),
    )


def _draw(page: PdfPage[Drawn], pen: Pen, sheet: Sheet) -> None:
    below = _draw_pieces(page.head, pen, (sheet.width - sheet.column) / 2, sheet.margin)
    for number, column in enumerate(page.columns):
        _draw_pieces(column, pen, sheet.left_edge(number), below)


def _draw_pieces(pieces: Iterable[Drawn], pen: Pen, left_edge: float, top: float) -> float:
    """Draw pieces one below the other; return the top of the next piece."""
    for piece in pieces:
        piece.paint(pen, left_edge, top)
        top += piece.height
    return top


def _draw_foot(
    document: Document, pen: Pen, sheet: Sheet, *, at: float, page: int, pages: int
) -> None:
    """Draw the foot. On A4 it names the receipt, because loose pages get mixed."""
    page_line = document.page_line(page, pages).strip()
    pen.foot(at, title=document.title if sheet.height else "", page_line=page_line)


# --- blocks as pieces of a page: how tall each is, and what draws it ---------------------------


_CODE_MODULE_PX = 4
"""Pixels of a module: a viewer that smooths pictures still shows straight edges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn(Piece):
    """A piece that can be drawn. paint: draws it at mm from the left and the top of the page."""

    paint: Callable[[Pen, float, float], None]


class Cutter:
    """Cuts blocks into pieces for one document; each QR code is computed once."""

    def __init__(self) -> None:
        self._codes = cache(modules_of)

    def pieces(self, blocks: Iterable[Block], sheet: Sheet) -> Iterator[Drawn]:
        for block in blocks:
            match block:
                case Lines():
                    yield from _lines(block, sheet)
                case Heading(text):
                    yield _heading(text, sheet)
                case FramedNotice(text):
                    yield _notice(text, sheet)
                case QrCode():
                    yield self._code(block)
                case PaymentCode():
                    yield self._payment(block, sheet)
                case ShortCode():
                    yield _short(block, sheet)
                case WritingSpace(height_mm):
                    yield Drawn(height=height_mm, keeps_next=True, paint=_nothing)

    def _code(self, code: QrCode) -> Drawn:
        side, quiet, paint = self._drawing(code)
        return Drawn(height=side + 2 * quiet, keeps_next=True, paint=paint)

    def _payment(self, code: PaymentCode, sheet: Sheet) -> Drawn:
        side, quiet, paint_code = self._drawing(code)
        words = (len(code.caption) + 0.5) * sheet.line
        box = words + side + 2 * quiet

        def paint(pen: Pen, left_edge: float, top: float) -> None:
            top += sheet.line
            pen.box(left_edge, top, height=box)
            for number, text in enumerate(code.caption):
                at = top + (number + 0.5) * sheet.line
                pen.centred(left_edge, at, text=text, strong=number == 0)
            paint_code(pen, left_edge, top + words)

        return Drawn(height=box + sheet.line, paint=paint)

    def _drawing(
        self, code: QrCode | PaymentCode
    ) -> tuple[float, float, Callable[[Pen, float, float], None]]:
        """Return side and quiet zone of a code in mm, and the function that draws it."""
        symbol = self._codes(code.text)
        quiet = code.quiet_modules * code.side_mm / symbol.side
        picture = qr_picture.draw_image(symbol, module_px=_CODE_MODULE_PX)
        paint = partial(Pen.code, picture=picture, side=code.side_mm, quiet=quiet)
        return code.side_mm, quiet, paint


def _nothing(pen: Pen, left_edge: float, top: float) -> None:
    """Draw nothing."""


_SHORT_MODULE_MM = 0.25


def _short(code: ShortCode, sheet: Sheet) -> Drawn:
    bars = code.bars
    module = min(_SHORT_MODULE_MM, sheet.column / (bars.modules + 2 * SHORT_CODE_QUIET))

    def paint(pen: Pen, left_edge: float, top: float) -> None:
        top += sheet.line
        pen.bars(left_edge, top, widths=bars.widths, module=module, height=code.height_mm)
        pen.centred(left_edge, top + code.height_mm, text=code.figures)

    return Drawn(height=2 * sheet.line + code.height_mm, paint=paint)


def _lines(block: Lines, sheet: Sheet) -> Iterator[Drawn]:
    kept = block.kept_with_next
    for number, text_line in enumerate(block.text):
        paint = partial(Pen.line, text=text_line)
        yield Drawn(height=sheet.line, keeps_next=number in kept, paint=paint)


def _heading(text: tuple[str, ...], sheet: Sheet) -> Drawn:

    def paint(pen: Pen, left_edge: float, top: float) -> None:
        for number, text_line in enumerate(text):
            pen.centred(left_edge, top + number * sheet.line, text=text_line, strong=number == 0)

    return Drawn(height=(len(text) + 1) * sheet.line, paint=paint)


def _notice(text: tuple[str, ...], sheet: Sheet) -> Drawn:
    line = 2 * sheet.line
    height = len(text) * line + 2 * NOTICE_PADDING + 2 * NOTICE_GAP
    return Drawn(height=height, paint=partial(Pen.notice, lines=text, line=line))
