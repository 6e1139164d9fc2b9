"""Receipts on a roll of thermal paper, read as a printer prints them."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copyfile

import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.adapters.printers import escpos
from pos_app.adapters.printers.escpos import JobOptions
from pos_app.adapters.printers.raster import ROLL_58, ROLL_80, Roll
from pos_app.adapters.printers.thermal import ThermalReceipts
from pos_app.documents.receipt import ShopPaper
from pos_app.domain.money.bank_account import BankAccount
from pos_app.domain.money.ips import IpsPayee
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import InvoiceType, IssueRequest
from pos_app.errors import MachineError
from tests.integration.paper.conftest import QR_CODE, Sign, dark_rows, gaps
from tests.integration.paper.escpos_printer import Printer
from tests.unit.documents import papers

ROLLS = pytest.mark.parametrize("roll", [ROLL_80, ROLL_58], ids=["80 mm", "58 mm"])
PAYEE = IpsPayee(BankAccount.parse("840-955845-10"), "Trgovina Ljubica\nBeograd")
FACES = Typefaces()


def printed(
    signed: SignedReceipt,
    asked: IssueRequest,
    *,
    roll: Roll = ROLL_80,
    shop: ShopPaper = papers.SHOP,
    options: JobOptions | None = None,
) -> Printer:
    thermal = ThermalReceipts(shop, roll=roll, options=options, faces=FACES)
    return Printer(roll.width).feed_job(thermal.render(signed, *papers.asked_for(asked)))


def codes(picture: Image.Image) -> list[zxingcpp.Barcode]:
    found = zxingcpp.read_barcodes(picture, formats=QR_CODE)
    return sorted(found, key=lambda code: code.position.top_left.y)


@ROLLS
def test_the_customer_has_room_to_sign_the_copy_of_a_refund(roll: Roll) -> None:
    signed, asked = papers.to_be_signed()
    rows = dark_rows(printed(signed, asked, roll=roll).picture)
    assert max(gaps(rows)) >= 15 * roll.dots_per_mm


# --- the code to pay by ----------------------------------------------------------------------
@ROLLS
def test_a_proforma_has_a_second_code_to_pay_by(sign: Sign, roll: Roll) -> None:
    asked = papers.request(invoice_type=InvoiceType.PROFORMA)
    signed = sign(asked)
    shop = ShopPaper(not_fiscal=False, payee=PAYEE)
    receipts, pays = codes(printed(signed, asked, roll=roll, shop=shop).picture)

    assert receipts.text == signed.verification_url
    counter = signed.invoice_number.rpartition("-")[2]
    assert "|R:840000000095584510|N:Trgovina Ljubica\nBeograd|I:RSD354,10|SF:221|" in pays.text
    assert f"|S:Predračun {signed.invoice_number}|RO:97" in pays.text
    assert pays.text.endswith(counter)


# --- words -----------------------------------------------------------------------------------


def test_a_font_that_disappears_is_told(tmp_path: Path) -> None:
    font = tmp_path / "JetBrainsMono-Medium.ttf"
    copyfile(FACES.writing(frozenset("а")).plain, font)
    thermal = ThermalReceipts(papers.SHOP, faces=Typefaces(own=tmp_path, installed=()))
    thermal.render(papers.receipt(), *papers.asked_for(papers.request()))
    font.unlink()

    with pytest.raises(MachineError, match="JetBrainsMono"):
        thermal.render(papers.receipt(), *papers.asked_for(papers.request()))


# --- the paper -------------------------------------------------------------------------------


def test_a_head_that_forty_columns_do_not_fit_is_refused() -> None:
    for width in (312, 380, 0):
        with pytest.raises(ValueError, match="multiple of 8"):
            Roll(width)


# --- cut off within a job, and dots like commands ------------------------------------------------
AT_ONCE = re.compile(rb"\x10[\x04\x05\x14]")


# --- commands within dots ---------------------------------------------------------------------
def strips(job: bytes, width: int) -> list[bytes]:
    return [one for one in Printer(width).feed_job(job).commands if one[:3] == b"\x1dv0"]


@given(
    rows=st.lists(
        st.lists(st.sampled_from((0x10, 0x04, 0x05, 0x14, 0x00, 0xFF)), min_size=40, max_size=40),
        min_size=1,
        max_size=120,
    )
)
def test_no_picture_holds_a_command_that_is_obeyed_at_once(rows: list[list[int]]) -> None:
    dots = bytes(byte for row in rows for byte in row)
    inverted = bytes(255 - byte for byte in dots)
    picture = Image.frombytes("1", (320, len(rows)), inverted)
    job = escpos.print_job([picture], options=escpos.JobOptions())

    assert not AT_ONCE.search(job)
    printed = b"".join(strip[8:] for strip in strips(job, 320))
    assert len(printed) == len(dots)
    for before, after, following in zip(dots, printed, (*dots[1:], 0), strict=True):
        widened = before == 0x10 and after == 0x18 and following in {0x04, 0x05, 0x14}
        assert after == before or widened
