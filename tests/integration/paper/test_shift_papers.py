"""A Z as receipt printers of both widths and A4 print it."""

from __future__ import annotations

from io import BytesIO

import pypdfium2
import pytest

from pos_app.adapters.pdf.receipts import A4, render_document
from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.adapters.printers.raster import ROLL_58, ROLL_80, Roll
from pos_app.adapters.printers.thermal import ThermalReceipts
from pos_app.documents.shift_papers import report_paper
from pos_app.domain.article.store import ReceiptLanguage
from tests.integration.paper.conftest import dark_rows
from tests.integration.paper.escpos_printer import Printer
from tests.unit.documents.papers import SHOP
from tests.unit.documents.test_shift_papers import Z

FACES = Typefaces()
PAPER = report_paper(Z, shop=("Пекара Зора",), language=ReceiptLanguage.CYRILLIC)


@pytest.mark.parametrize("roll", [ROLL_80, ROLL_58], ids=["80 mm", "58 mm"])
def test_a_z_is_printed_whole(roll: Roll) -> None:
    thermal = ThermalReceipts(SHOP, roll=roll, options=None, faces=FACES)
    picture = Printer(roll.width).feed_job(thermal.render_document(PAPER)).picture
    assert picture.width == roll.width
    lines = sum(len(getattr(block, "text", ())) for block in PAPER.blocks)
    assert len(dark_rows(picture)) > 8 * lines  # letters are at least as many dots high


def test_a_z_is_one_file_that_can_be_searched() -> None:
    pdf = pypdfium2.PdfDocument(BytesIO(render_document(PAPER, faces=FACES, sheet=A4)))
    text = "".join(page.get_textpage().get_text_range() for page in pdf)
    pdf.close()
    for words in ("Z ИЗВЕШТАЈ 7", "473.173,23", "Остаје у фиоци"):
        assert words in text
