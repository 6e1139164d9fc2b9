"""Documents as PDF: 80 mm wide, as tall as what stands on it, equal bytes for equal documents.

Text is text (it can be searched and copied), the font is embedded, and nothing in the file tells
when or where it was made. Measures are in millimetres from the top left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fpdf import FPDF
from PIL import Image

from pos_app.adapters import qr
from pos_app.adapters.paper_font import FAMILY, SERBIAN, Face, Faces, file_with_fonts
from pos_app.documents.blocks import COLUMNS, NOTICE_COLUMNS, Block, Document, Lines, Notice, QrCode
from pos_app.documents.receipt import layout
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.request import IssueRequest
from pos_app.domain.store import ReceiptLanguage

PAGE_WIDTH = 80.0
MARGIN = 4.0
TALLEST_PAGE = 3000.0
"""A PDF page may be 5,080 mm tall; viewers get slow before that."""

_TEXT_WIDTH = PAGE_WIDTH - 2 * MARGIN
_LINE = 3.7
_NOTICE_LINE = 7.4
_NOTICE_WIDTH = _TEXT_WIDTH - 4
_NOTICE_PADDING = 2.5
_FRAME = 0.7
_GAP = 3.0
_BASELINE = 0.75
"""Where letters stand within the height of their line."""
_CODE_MODULE_PX = 4
"""Pixels a module, so that a viewer which smooths pictures still shows straight edges."""
_POINTS_PER_MM = 72 / 25.4


class PdfReceipts:
    """Renders signed receipts. Safe in threads: each receipt has a file of its own."""

    def __init__(
        self,
        *,
        not_fiscal: bool,
        language: ReceiptLanguage = ReceiptLanguage.CYRILLIC,
        print_discounts: bool = False,
        faces: Faces | None = None,
    ) -> None:
        """not_fiscal: the development processor signs; language and discounts are the store's."""
        self._not_fiscal = not_fiscal
        self._language = language
        self._print_discounts = print_discounts
        self._faces = faces or Faces()

    def warm(self) -> None:
        """Read the font, once for all receipts. Raises MachineError when there is none."""
        self._faces.holding(SERBIAN)

    def check(self, receipt: SignedReceipt, request: IssueRequest) -> None:
        """Raise what `render` would raise for its text; some 200 times faster."""
        self._faces.holding(_letters(self._layout(receipt, request)))

    def render(self, receipt: SignedReceipt, request: IssueRequest) -> bytes:
        """The PDF of a receipt. Raises MachineError when no font can write it, and Invalid."""
        return render_document(self._layout(receipt, request), faces=self._faces)

    def _layout(self, receipt: SignedReceipt, request: IssueRequest) -> Document:
        return layout(
            receipt=receipt,
            request=request,
            not_fiscal=self._not_fiscal,
            language=self._language,
            print_discounts=self._print_discounts,
        )


def render_document(document: Document, *, faces: Faces) -> bytes:
    """Any document as PDF. Raises MachineError when no font can write it."""
    face = faces.holding(_letters(document))
    pages = _pages(document)
    with file_with_fonts(_fonts(document, face)) as file:
        _begin(file, document)
        pen = _Pen(file, face)
        for page in pages:
            file.add_page(format=(PAGE_WIDTH, 2 * MARGIN + sum(piece.height for piece in page)))
            top = MARGIN
            for piece in page:
                piece.paint(pen, top)
                top += piece.height
        return bytes(file.output())


def _fonts(document: Document, face: Face) -> dict[str, Path]:
    """The strong letters are read only where they are needed: each font takes 12 ms."""
    has_notice = any(isinstance(block, Notice) for block in document.blocks)
    return {"": face.plain, "B": face.strong} if has_notice else {"": face.plain}


def _begin(file: FPDF, document: Document) -> None:
    file.set_auto_page_break(False)
    file.set_title(document.title)
    file.set_lang(document.language)
    file.set_creator("pos-app")
    file.set_creation_date(document.moment)


def _letters(document: Document) -> frozenset[str]:
    """Every letter that will be drawn; the title is no drawing."""
    letters = set(document.page_line(1234567890, 1))
    for block in document.blocks:
        if not isinstance(block, QrCode):
            letters.update(*block.text)
    return frozenset(letters)


# --- pieces: what is never parted by the end of a page -----------------------------------------


@dataclass(frozen=True, slots=True)
class _Piece:
    """height in mm; `paint` draws it at a distance in mm from the top of the page."""

    height: float
    paint: Callable[[_Pen, float], None]
    keeps_next: bool = False


def _pages(document: Document) -> list[list[_Piece]]:
    """One page, if it can be as tall as that; else several, each with its number at the foot."""
    pieces = list(_pieces(document.blocks))
    if sum(piece.height for piece in pieces) <= TALLEST_PAGE - 2 * MARGIN:
        return [pieces]
    head = list(_pieces(document.on_each_page))
    room = TALLEST_PAGE - 2 * MARGIN - _LINE - sum(piece.height for piece in head)
    pages = [
        [*(head if number else ()), *page] for number, page in enumerate(_broken(pieces, room))
    ]
    for number, page in enumerate(pages, start=1):
        page.append(_text_piece(document.page_line(number, len(pages))))
    return pages


def _broken(pieces: list[_Piece], room: float) -> Iterator[list[_Piece]]:
    page: list[_Piece] = []
    used = 0.0
    for group in _groups(pieces):
        height = sum(piece.height for piece in group)
        if page and used + height > room:
            yield page
            page, used = [], 0.0
        page.extend(group)
        used += height
    yield page


def _groups(pieces: list[_Piece]) -> Iterator[list[_Piece]]:
    group: list[_Piece] = []
    for piece in pieces:
        group.append(piece)
        if not piece.keeps_next:
            yield group
            group = []
    if group:
        yield group


def _pieces(blocks: tuple[Block, ...]) -> Iterator[_Piece]:
    for block in blocks:
        match block:
            case Lines(text):
                yield from (_text_piece(line) for line in text)
            case Notice(text):
                height = len(text) * _NOTICE_LINE + 2 * _NOTICE_PADDING + 2 * _GAP
                yield _Piece(height, partial(_Pen.notice, lines=text))
            case QrCode():
                yield _code_piece(block)


def _text_piece(line: str) -> _Piece:
    return _Piece(_LINE, partial(_Pen.line, text=line))


def _code_piece(code: QrCode) -> _Piece:
    drawn = qr.code(code.text)
    quiet = code.quiet_modules * code.side_mm / drawn.side
    picture = qr.draw_image(drawn, module_px=_CODE_MODULE_PX)
    paint = partial(_Pen.code, picture=picture, side=code.side_mm, quiet=quiet)
    return _Piece(code.side_mm + 2 * quiet, paint, keeps_next=True)


class _Pen:
    """Draws on the page that is open."""

    def __init__(self, file: FPDF, face: Face) -> None:
        self._file = file
        per_column = _POINTS_PER_MM / face.advance
        self._plain_size = _TEXT_WIDTH / COLUMNS * per_column
        self._strong_size = _NOTICE_WIDTH / NOTICE_COLUMNS * per_column

    def line(self, top: float, *, text: str) -> None:
        """One line of 40 columns."""
        shown = text.rstrip()
        if shown:
            self._file.set_font(FAMILY, "", self._plain_size)
            self._file.text(MARGIN, top + _BASELINE * _LINE, shown)

    def notice(self, top: float, *, lines: tuple[str, ...]) -> None:
        """Large words in the middle of a frame."""
        box = len(lines) * _NOTICE_LINE + 2 * _NOTICE_PADDING
        self._file.set_line_width(_FRAME)
        self._file.rect(
            MARGIN + _FRAME / 2, top + _GAP + _FRAME / 2, _TEXT_WIDTH - _FRAME, box - _FRAME
        )
        self._file.set_font(FAMILY, "B", self._strong_size)
        below = top + _GAP + _NOTICE_PADDING
        for number, text in enumerate(lines):
            left = (PAGE_WIDTH - len(text) * _NOTICE_WIDTH / NOTICE_COLUMNS) / 2
            self._file.text(left, below + (number + _BASELINE) * _NOTICE_LINE, text)

    def code(self, top: float, *, picture: Image.Image, side: float, quiet: float) -> None:
        """A QR code in the middle, with the white around it that readers need."""
        self._file.image(picture, (PAGE_WIDTH - side) / 2, top + quiet, w=side, h=side)
