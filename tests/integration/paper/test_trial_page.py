from __future__ import annotations

import pytest
import zxingcpp

from pos_app.adapters import qr
from pos_app.adapters.pdf.receipts import A4, render_document
from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.adapters.printers.raster import ROLL_58, ROLL_80, Roll
from pos_app.adapters.printers.thermal import ThermalReceipts
from pos_app.documents.blocks import Lines, QrCode
from pos_app.documents.trial_page import trial_page
from pos_app.domain.store import ReceiptLanguage
from tests.integration.paper.conftest import look_at
from tests.integration.paper.escpos_printer import Printer
from tests.unit.documents.papers import NOON, SHOP


@pytest.mark.parametrize("roll", [ROLL_80, ROLL_58])
@pytest.mark.parametrize("language", ReceiptLanguage)
def test_it_prints_on_a_roll_with_a_code_as_fine_as_a_receipts(
    roll: Roll, language: ReceiptLanguage
) -> None:
    page = trial_page(printer="Epson TM-T20 \x1b@", moment=NOON, language=language)
    paper = Printer(roll.width).feed_job(ThermalReceipts(SHOP, roll=roll).render_document(page))
    (code,) = (block for block in page.blocks if isinstance(block, QrCode))
    read = zxingcpp.read_barcode(paper.picture)

    assert read is not None
    assert read.text == code.text
    assert qr.code(code.text).side == 97


def test_both_alphabets_stand_on_it() -> None:
    page = trial_page(printer="A4", moment=NOON, language=ReceiptLanguage.CYRILLIC)
    (seen,) = look_at(render_document(page, faces=Typefaces(), sheet=A4))

    assert "абвгдђежзијклљмнњопрстћуфхцчџш" in seen.text
    assert set("abcčćdđefghijklmnoprsštuvzž") <= set(seen.text)
    assert "ОВО НИЈЕ РАЧУН" in seen.text
    assert all(
        len(line) <= 40 for block in page.blocks if isinstance(block, Lines) for line in block.text
    )
