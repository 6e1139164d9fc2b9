"""Receipts signed by the development processor, and readers of a PDF."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import pypdfium2
import pytest
import zxingcpp
from PIL import Image

from pos_app.adapters.pdf.receipts import PdfReceipts
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import IssueRequest
from pos_app.pfr_emulator.processor import Processor
from pos_app.wire.pfr import invoice_request_to_json
from pos_app.wire.receipt import signed_receipt_from_json
from pos_app.wire.strict_json import loads
from tests.unit.documents.papers import NOON, asked_for

DPI = 300
QR_CODE: Any = zxingcpp.BarcodeFormat.QRCode
CODE_128: Any = zxingcpp.BarcodeFormat.Code128
"""Their types are sets of one format, which the stubs of that package do not know."""
MM = DPI / 25.4
Sign = Callable[[IssueRequest], SignedReceipt]


@pytest.fixture(scope="session")
def processor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processor]:
    """All tests share one: making its key takes longer than most of them."""
    opened = Processor.open(folder=tmp_path_factory.mktemp("pfr"), clock=lambda: NOON)
    yield opened
    opened.close()


@pytest.fixture
def sign(processor: Processor) -> Sign:
    def sign_one(asked: IssueRequest) -> SignedReceipt:
        document, _ = asked_for(asked)
        answer = processor.sign(invoice_request_to_json(document))
        return signed_receipt_from_json(loads(answer.encode()))

    return sign_one


def drawn(pdf: PdfReceipts, signed: SignedReceipt, asked: IssueRequest) -> bytes:
    return pdf.render(signed, *asked_for(asked))


@dataclass
class Seen:
    """A page as a person sees it: size in mm, lines of text, picture at 300 dpi.

    right_edges: the right edge of each word, in mm from the left of the page.
    """

    width: float
    height: float
    lines: list[str]
    right_edges: dict[str, float]
    pdf: bytes
    number: int

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def picture(self) -> Image.Image:
        """It takes most of the time, and many tests only read."""
        document = pypdfium2.PdfDocument(self.pdf)
        try:
            made: Image.Image = document[self.number].render(scale=DPI / 72).to_pil()
            return made.convert("L")
        finally:
            document.close()

    @property
    def code(self) -> zxingcpp.Barcode | None:
        return zxingcpp.read_barcode(self.picture, formats=QR_CODE)


def codes_on(page: Seen) -> list[zxingcpp.Barcode]:
    found = zxingcpp.read_barcodes(page.picture, formats=QR_CODE)
    middle = page.picture.width / 2
    return sorted(
        found, key=lambda code: (code.position.top_left.x > middle, code.position.top_left.y)
    )


def look_at(pdf: bytes) -> list[Seen]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [_seen(page, pdf, number) for number, page in enumerate(document)]
    finally:
        document.close()


def _seen(page: pypdfium2.PdfPage, pdf: bytes, number: int) -> Seen:
    width, height = (points / 72 * 25.4 for points in page.get_size())
    words = page.get_textpage()
    text = words.get_text_range()
    edges = {
        found[0]: words.get_charbox(found.end() - 1, loose=True)[2] / 72 * 25.4
        for found in re.finditer(r"\S+", text)
    }
    words.close()
    return Seen(width, height, text.split("\r\n"), edges, pdf, number)


def dark_rows(picture: Image.Image) -> list[int]:
    width, height = picture.size
    pixels = picture.tobytes()
    return [row for row in range(height) if min(pixels[row * width : (row + 1) * width]) < 128]


def gaps(rows: list[int]) -> list[int]:
    """Return the heights of the white bands between the rows."""
    return [lower - upper - 1 for upper, lower in pairwise(rows) if lower - upper > 1]
