from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile

import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageOps

from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.adapters.printers import escpos
from pos_app.adapters.printers.escpos import Cut, DrawerPin, JobOptions
from pos_app.adapters.printers.raster import ROLL_58, ROLL_80, Roll
from pos_app.adapters.printers.thermal import ThermalReceipts
from pos_app.documents.blocks import Document, Lines, QrCode
from pos_app.documents.receipt import ShopPaper
from pos_app.domain.article.barcodes import CodeRules, ShortReceiptCode, classify
from pos_app.domain.article.scale_labels import ScaleRules
from pos_app.domain.money.bank_account import BankAccount
from pos_app.domain.money.ips import IpsPayee
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import InvoiceType, IssueRequest
from pos_app.errors import MachineError
from tests.integration.paper.conftest import CODE_128, QR_CODE, Sign, dark_rows, gaps
from tests.integration.paper.escpos_printer import DOTS_PER_FEED, Printer
from tests.sweep import each
from tests.unit.documents import papers

ROLLS = pytest.mark.parametrize("roll", [ROLL_80, ROLL_58], ids=["80 mm", "58 mm"])
EPSON_180_DPI = Roll(512, dots_per_mm=180 / 25.4)
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


def box_of(code: zxingcpp.Barcode, picture: Image.Image) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom to the dot; the reader is sometimes a dot off."""
    corner, opposite = code.position.top_left, code.position.bottom_right
    near = (corner.x - 6, corner.y - 6, opposite.x + 7, opposite.y + 7)
    dark = ImageOps.invert(picture.crop(near)).getbbox()
    assert dark is not None
    return (near[0] + dark[0], near[1] + dark[1], near[0] + dark[2], near[1] + dark[3])


@ROLLS
def test_the_customer_has_room_to_sign_the_copy_of_a_refund(roll: Roll) -> None:
    signed, asked = papers.to_be_signed()
    rows = dark_rows(printed(signed, asked, roll=roll).picture)
    assert max(gaps(rows)) >= 15 * roll.dots_per_mm


@each("roll", [ROLL_80, ROLL_58, EPSON_180_DPI])
@each("counter", ["1", "11389", "4294967295"])
def test_the_short_code_is_read_off_the_paper_beside_the_other(roll: Roll, counter: str) -> None:
    signed = papers.receipt(invoice_number=f"ABCD1234-WXYZ9876-{counter}")
    picture = printed(
        signed, papers.request(), roll=roll, shop=replace(papers.SHOP, short_code=True)
    ).picture
    short = zxingcpp.read_barcodes(picture, formats=CODE_128)
    meant = [classify(code.text, CodeRules(ScaleRules())) for code in short]

    assert meant == [ShortReceiptCode(int(counter))]
    assert [code.text for code in codes(picture)] == [papers.URL]
    (bars,) = short
    assert bars.position.bottom_right.x - bars.position.top_left.x <= 51 * roll.dots_per_mm
    assert picture.height - printed(signed, papers.request(), roll=roll).picture.height <= 16 * 8


# --- the code --------------------------------------------------------------------------------
@each("roll", [ROLL_80, ROLL_58, EPSON_180_DPI])
@each("length", [858, 859, 929])
def test_the_code_has_the_size_of_the_law(roll: Roll, length: int) -> None:
    """97 modules hold at most 858 bytes; a buyer's number often makes it 101 modules."""
    url = papers.URL[:30] + "A" * (length - 30)
    picture = printed(papers.receipt(verification_url=url), papers.request(), roll=roll).picture
    (code,) = codes(picture)
    left, top, right, bottom = box_of(code, picture)

    assert code.text == url
    assert right - left == bottom - top
    assert 40 <= (right - left) / roll.dots_per_mm <= 50


@ROLLS
def test_the_code_has_four_modules_of_white_around_it(roll: Roll) -> None:
    """On 80 mm every module is four dots."""
    picture = printed(papers.receipt(), papers.request(), roll=roll).picture
    (code,) = codes(picture)
    left, top, right, bottom = box_of(code, picture)
    if roll is ROLL_80:
        modules, side = picture.crop((left, top, right, bottom)), 4 * 97
        assert modules.size == (side, side)
        small = modules.resize((97, 97), Image.Resampling.NEAREST)
        again = small.resize((side, side), Image.Resampling.NEAREST)
        assert again.tobytes() == modules.tobytes()
    quiet = 4 * (right - left) // 97
    picture.paste(255, (left, top, right, bottom))

    assert min(left, roll.width - right) >= quiet
    around = picture.crop((0, top - quiet, roll.width, bottom + quiet))
    assert around.getextrema() == (255, 255)


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
def row_of_letters(picture: Image.Image, roll: Roll, line: int) -> list[bytes]:
    top = line * roll.line
    cells = [roll.margin + column * roll.letter for column in range(40)]
    return [
        picture.crop((left, top, left + roll.letter, top + roll.line)).tobytes() for left in cells
    ]


@ROLLS
def test_the_journal_stands_in_forty_columns(roll: Roll) -> None:
    """Equal letters of the journal are equal dots in every column: no column runs off."""
    picture = printed(papers.receipt(), papers.request(), roll=roll).picture
    shapes: dict[str, set[bytes]] = {}
    for number, line in enumerate(papers.SALE.splitlines()[:-1]):
        for letter, cell in zip(line.ljust(40), row_of_letters(picture, roll, number), strict=True):
            shapes.setdefault(letter, set()).add(cell)

    assert all(len(drawn) == 1 for drawn in shapes.values())


@ROLLS
def test_every_serbian_letter_is_whole(roll: Roll) -> None:
    """No stroke reaches the edge of its cell: neither carons above nor tails below."""
    letters = "абвгдђежзијклљмнњопрстћуфхцчџшАБВГДЂЕЖЗИЈКЛЉМНЊОПРСТЋУФХЦЧЏШčćžšđČĆŽŠĐ"
    journal = "\n".join((letters[:36], "", letters[36:], "", papers.SALE))
    picture = printed(papers.receipt(journal), papers.request(), roll=roll).picture

    for line in (0, 2):
        top = line * roll.line
        for row in (top, top + roll.line - 1):
            assert picture.crop((0, row, roll.width, row + 1)).getextrema() == (255, 255)
        cells = row_of_letters(picture, roll, line)
        assert all(min(cell) == 0 for cell in cells[:34])


def test_a_name_with_commands_in_it_commands_nothing() -> None:
    journal = papers.SALE.replace("Хлеб бели", "Хлеб\x1b@\x1dV\x00\x10\x14\x01\x00\x00бели")
    paper = printed(
        papers.receipt(journal), papers.request(additional_text="\x1bp\x00\x19\xfaХвала\x0c")
    )

    assert paper.events == ["reset", "dots", "feed", "cut partly"]


@ROLLS
def test_a_sign_that_no_font_has_is_a_box(roll: Roll) -> None:
    picture = printed(
        papers.receipt("🍞Ш漢\n\n" + papers.SALE), papers.request(), roll=roll
    ).picture

    bread, letter, sign = row_of_letters(picture, roll, 0)[:3]
    assert min(bread) == min(letter) == 0
    assert bread == sign
    assert bread != letter


def test_a_font_that_disappears_is_told(tmp_path: Path) -> None:
    font = tmp_path / "JetBrainsMono-Medium.ttf"
    copyfile(FACES.writing(frozenset("а")).plain, font)
    thermal = ThermalReceipts(papers.SHOP, faces=Typefaces(own=tmp_path, installed=()))
    thermal.render(papers.receipt(), *papers.asked_for(papers.request()))
    font.unlink()

    with pytest.raises(MachineError, match="JetBrainsMono"):
        thermal.render(papers.receipt(), *papers.asked_for(papers.request()))


# --- the paper -------------------------------------------------------------------------------
@ROLLS
def test_practice_is_told_in_large_framed_words_at_both_ends(roll: Roll) -> None:
    plain = printed(papers.receipt(), papers.request(), roll=roll).picture
    practice = printed(papers.receipt(), papers.request(), roll=roll, shop=papers.PRACTICE).picture
    fed = 2 * DOTS_PER_FEED
    notice = (practice.height - plain.height) // 2
    first = practice.crop((0, 0, roll.width, notice))
    last_at = practice.height - notice - fed // 2
    last = practice.crop((0, last_at, roll.width, last_at + notice))

    assert first.tobytes() == last.tobytes()
    side = first.crop((roll.margin, 0, roll.margin + 1, notice))
    assert len(dark_rows(side)) > notice // 2


EVENTS = [
    (JobOptions(), "reset|dots|feed|cut partly"),
    (JobOptions(cut=Cut.FULL), "reset|dots|feed|cut fully"),
    (JobOptions(drawer=DrawerPin.TWO), "reset|drawer pin 2, 50 ms|dots|feed|cut partly"),
    (JobOptions(drawer=DrawerPin.FIVE, cut=Cut.NONE), "reset|drawer pin 5, 50 ms|dots|feed"),
]


def test_what_a_printer_does_in_which_order() -> None:
    for options, events in EVENTS:
        paper = printed(papers.receipt(), papers.request(), options=options)
        assert "|".join(paper.events) == events
        if options.cut is Cut.NONE:
            assert len(paper.rows) - dark_rows(paper.picture)[-1] > 20 * 8


def test_a_head_that_forty_columns_do_not_fit_is_refused() -> None:
    for width in (312, 380, 0):
        with pytest.raises(ValueError, match="multiple of 8"):
            Roll(width)


# --- cut off within a job, and dots like commands ------------------------------------------------
WIDE = Roll(832)
SMALL = Document(
    title="X",
    moment=datetime(2026, 1, 5, tzinfo=UTC),
    language="sr-Cyrl",
    blocks=(Lines(("Готовина                        1.200,00",)),),
)
AT_ONCE = re.compile(rb"\x10[\x04\x05\x14]")
WITH_DRAWER = escpos.JobOptions(drawer=escpos.DrawerPin.TWO)


def job_of(document: Document, roll: Roll, options: escpos.JobOptions | None = None) -> bytes:
    thermal = ThermalReceipts(papers.SHOP, roll=roll, options=options, faces=FACES)
    return thermal.render_document(document)


def receipt_job(roll: Roll) -> bytes:
    return ThermalReceipts(papers.SHOP, roll=roll, faces=FACES).render(
        papers.receipt(), *papers.asked_for(papers.request())
    )


def after_torn(torn: bytes, job: bytes, *, roll: Roll) -> Printer:
    """Print a torn job and then a whole one; return the printer.

    Its rows begin after the torn job, its events with the second job's last reset.
    """
    printer = Printer(roll.width)
    printer.feed_torn(torn)
    printer.is_torn = True
    rows = len(printer.rows)
    printer.commands.clear()
    printer.feed_job(job)
    last = len(printer.events) - printer.events[::-1].index("reset") - 1
    # The rows begin with the rest of the torn strip, which is white but for the row that was cut.
    printer.rows = printer.rows[rows:]
    printer.events = printer.events[last:]
    return printer


def test_after_a_job_cut_at_any_byte_the_next_one_is_whole() -> None:
    roll = ROLL_80
    torn, job = job_of(SMALL, roll, WITH_DRAWER), job_of(SMALL, roll)
    whole = Printer(roll.width).feed_job(job)
    body = torn[len(escpos.IN_STEP) :]
    for cut in range(len(body) + 1):
        found = after_torn(body[:cut], job, roll=roll)
        assert found.rows[-len(whole.rows) :] == whole.rows, cut
        assert found.events == whole.events, cut


@ROLLS
def test_after_a_receipt_cut_within_any_strip_the_next_one_is_whole(roll: Roll) -> None:
    job = receipt_job(roll)
    whole = Printer(roll.width).feed_job(job)
    cuts = random.Random(7).sample(range(len(escpos.IN_STEP), len(job)), 12)
    for cut in cuts:
        found = after_torn(job[:cut], job, roll=roll)
        assert found.rows[-len(whole.rows) :] == whole.rows, cut
        assert found.events == whole.events, cut


@ROLLS
def test_a_drawer_opens_at_a_printer_cut_off_within_a_strip(roll: Roll) -> None:
    printer = Printer(roll.width)
    printer.feed_torn(job_of(SMALL, roll)[: len(escpos.IN_STEP) + 40])
    printer.is_torn = True

    printer.feed_job(escpos.drawer_pulse(escpos.DrawerPin.TWO))
    assert printer.events[-1] == "drawer pin 2, 50 ms"


def test_a_roll_of_another_width_was_cut_off_before() -> None:
    job = receipt_job(ROLL_58)
    whole = Printer(ROLL_58.width).feed_job(job)
    printer = Printer(WIDE.width)
    printer.feed_torn(job_of(SMALL, WIDE)[: len(escpos.IN_STEP) + 11])
    printer.is_torn, printer.width = True, ROLL_58.width

    printer.feed_job(job)
    assert printer.rows[-len(whole.rows) :] == whole.rows


def test_without_the_bytes_in_front_a_job_is_swallowed() -> None:
    """Otherwise the tests above would prove nothing."""
    torn, job = job_of(SMALL, ROLL_80), job_of(SMALL, ROLL_80)
    printer = Printer(ROLL_80.width)
    printer.feed_torn(torn[: len(escpos.IN_STEP) + 40])
    printer.is_torn = True
    printer.feed_torn(job[len(escpos.IN_STEP) :])

    assert "reset" not in printer.events[1:]


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


def test_a_command_is_seen_over_the_end_of_a_row() -> None:
    row = [0] * 39
    dots = bytes((*row, 0x10, 0x04, *row))
    picture = Image.frombytes("1", (320, 2), bytes(255 - byte for byte in dots))

    (strip,) = strips(escpos.print_job([picture], options=escpos.JobOptions()), 320)
    assert strip[8:] == bytes((*row, 0x18, 0x04, *row))


@pytest.mark.parametrize("roll", [ROLL_80, ROLL_58, Roll(512), Roll(360), Roll(400), WIDE])
def test_codes_are_read_off_dots_without_commands(roll: Roll) -> None:
    """Codes whose modules are no whole number of dots have the single dots that are widened."""
    for letter in "ABCDEF":
        url = papers.URL[:-20] + letter * 20
        document = Document(
            title="X",
            moment=datetime(2026, 1, 5, tzinfo=UTC),
            language="sr-Cyrl",
            blocks=(Lines(("Њ" * 40, "i.-:|" * 8)), QrCode(url)),
        )
        job = job_of(document, roll)
        assert not AT_ONCE.search(job)
        (code,) = codes(Printer(roll.width).feed_job(job).picture)
        assert code.text == url


def test_a_strip_is_never_longer_than_what_ends_it() -> None:
    for roll in (ROLL_58, ROLL_80, WIDE):
        assert all(len(one) <= len(escpos.IN_STEP) for one in strips(receipt_job(roll), roll.width))
    assert len(escpos.IN_STEP) == escpos.STRIP_BYTES + 8
