from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import pytest
import zxingcpp
from PIL import Image, ImageOps

from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.adapters.printers.escpos import Cut, DrawerPin, JobOptions
from pos_app.adapters.printers.raster import ROLL_58, ROLL_80, Roll
from pos_app.adapters.printers.thermal import ThermalReceipts
from pos_app.documents.receipt import ShopPaper
from pos_app.domain.article.barcodes import ShortReceiptCode, WeightCodeRules, classify
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.bank_account import BankAccount
from pos_app.domain.money.ips import IpsPayee
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import InvoiceType, IssueRequest
from pos_app.errors import MachineError
from tests.integration.paper import conftest
from tests.integration.paper.escpos_printer import DOTS_PER_FEED, Printer
from tests.integration.paper.printed_url import read_url
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
    found = zxingcpp.read_barcodes(picture, formats=conftest.QR_CODE)
    return sorted(found, key=lambda code: code.position.top_left.y)


def box_of(code: zxingcpp.Barcode, picture: Image.Image) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the code to the dot; the reader is sometimes a dot
    off."""
    corner, opposite = code.position.top_left, code.position.bottom_right
    near = (corner.x - 6, corner.y - 6, opposite.x + 7, opposite.y + 7)
    dark = ImageOps.invert(picture.crop(near)).getbbox()
    assert dark is not None
    return (near[0] + dark[0], near[1] + dark[1], near[0] + dark[2], near[1] + dark[3])


@ROLLS
def test_the_customer_has_room_to_sign_the_copy_of_a_refund(roll: Roll) -> None:
    signed, asked = papers.to_be_signed()
    rows = conftest.dark_rows(printed(signed, asked, roll=roll).picture)
    assert max(conftest.gaps(rows)) >= 15 * roll.dots_per_mm


@each("roll", [ROLL_80, ROLL_58, EPSON_180_DPI])
@each("counter", ["1", "11389", "4294967295"])
def test_the_short_code_is_read_off_the_paper_beside_the_other(roll: Roll, counter: str) -> None:
    signed = papers.receipt(invoice_number=f"ABCD1234-WXYZ9876-{counter}")
    picture = printed(
        signed, papers.request(), roll=roll, shop=replace(papers.SHOP, short_code=True)
    ).picture
    short = zxingcpp.read_barcodes(picture, formats=conftest.CODE_128)
    meant = [classify(code.text, WeightCodeRules()) for code in short]

    assert meant == [ShortReceiptCode(int(counter))]
    assert [code.text for code in codes(picture)] == [papers.URL]
    (bars,) = short
    assert bars.position.bottom_right.x - bars.position.top_left.x <= 51 * roll.dots_per_mm
    assert picture.height - printed(signed, papers.request(), roll=roll).picture.height <= 16 * 8


# --- the code --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("roll", "language"),
    [(ROLL_80, ReceiptLanguage.CYRILLIC), (ROLL_58, ReceiptLanguage.LATIN)],
    ids=["80 mm", "58 mm"],
)
def test_the_code_is_read_off_the_paper_field_by_field(
    sign: conftest.Sign, roll: Roll, language: ReceiptLanguage
) -> None:
    asked = papers.request(cash="1000.00", buyer=BuyerId("10", "106006802"))
    signed = sign(asked)
    shop = ShopPaper(not_fiscal=True, language=language)
    (code,) = codes(printed(signed, asked, roll=roll, shop=shop).picture)
    read = read_url(code.text)

    assert code.ec_level == "L"
    assert read.host == "sandbox.suf.purs.gov.rs"
    assert read.version == 3
    number = f"{read.requested_by}-{read.signed_by}-{read.total_counter}"
    assert number == signed.invoice_number
    assert signed.invoice_counter == f"{read.type_counter}/{read.total_counter}ПП"
    assert read.ten_thousandths == 3_541_000  # 354.10
    assert read.milliseconds == int(papers.NOON.timestamp() * 1000)
    assert (read.invoice_type, read.transaction_type) == (0, 0)
    assert read.buyer == "10:106006802"
    assert read.checksum_holds


def test_the_code_tells_the_kind_of_document(sign: conftest.Sign) -> None:
    for kind, number, cash in (
        (InvoiceType.PROFORMA, 1, "289.99"),
        (InvoiceType.TRAINING, 3, "289.99"),
        (InvoiceType.ADVANCE, 4, "100.00"),
    ):
        asked = papers.request(papers.item("Кафа", "289.99"), cash=cash, invoice_type=kind)
        (code,) = codes(printed(sign(asked), asked).picture)
        assert read_url(code.text).invoice_type == number


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
def test_a_proforma_has_a_second_code_to_pay_by(sign: conftest.Sign, roll: Roll) -> None:
    asked = papers.request(invoice_type=InvoiceType.PROFORMA)
    signed = sign(asked)
    shop = ShopPaper(not_fiscal=False, payee=PAYEE)
    receipts, pays = codes(printed(signed, asked, roll=roll, shop=shop).picture)

    assert receipts.text == signed.verification_url
    tags = dict(tag.split(":", 1) for tag in pays.text.split("|"))
    counter = signed.invoice_number.rpartition("-")[2]
    reference = tags.pop("RO")
    assert tags == {
        "K": "PR",
        "V": "01",
        "C": "1",
        "R": "840000000095584510",
        "N": "Trgovina Ljubica\nBeograd",
        "I": "RSD354,10",
        "SF": "221",
        "S": f"Predračun {signed.invoice_number}",
    }
    assert reference[:2] == "97"
    assert reference[4:] == counter
    assert int(reference[4:] + reference[2:4]) % 97 == 1


# --- words -----------------------------------------------------------------------------------


def row_of_letters(picture: Image.Image, roll: Roll, line: int) -> list[bytes]:
    """Return the forty printed cells of a line of text."""
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


def test_two_hundred_items_are_one_long_paper(sign: conftest.Sign) -> None:
    roll = ROLL_80
    items = [
        papers.item(f"{n}. Њоки са спанаћем " + "и још " * (n % 9), "10.00") for n in range(1, 201)
    ]
    asked = papers.request(*items, cash="2000.00")
    paper = printed(sign(asked), asked, roll=roll)

    rows = conftest.dark_rows(paper.picture)
    assert len(rows) > 200 * roll.line // 2
    assert max(conftest.gaps(rows)) < 4 * roll.line
    assert codes(paper.picture.crop((0, len(paper.rows) - 1200, roll.width, len(paper.rows))))
    assert paper.tallest_strip == 2048 * 8 // roll.width


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
    assert len(conftest.dark_rows(side)) > notice // 2


EVENTS = [
    (JobOptions(), "reset|dots|feed|cut partly"),
    (JobOptions(cut=Cut.FULL), "reset|dots|feed|cut fully"),
    (JobOptions(drawer=DrawerPin.TWO), "reset|drawer pin 2, 50 ms|dots|feed|cut partly"),
    (JobOptions(drawer=DrawerPin.FIVE, cut=Cut.NONE), "reset|drawer pin 5, 50 ms|dots|feed"),
]


def test_what_a_printer_does_in_which_order() -> None:
    """Without a knife the paper is fed to its edge."""
    for options, events in EVENTS:
        paper = printed(papers.receipt(), papers.request(), options=options)
        assert "|".join(paper.events) == events
        if options.cut is Cut.NONE:
            assert len(paper.rows) - conftest.dark_rows(paper.picture)[-1] > 20 * 8


def test_equal_receipts_give_equal_bytes() -> None:
    asked = papers.asked_for(papers.request(cash="1000.00", additional_text="Хвала!"))

    once, again = (
        ThermalReceipts(papers.PRACTICE).render(papers.receipt(), *asked) for _ in range(2)
    )
    assert once == again


def test_a_head_that_forty_columns_do_not_fit_is_refused() -> None:
    for width in (312, 380, 0):
        with pytest.raises(ValueError, match="multiple of 8"):
            Roll(width)


def test_a_recovered_receipt_prints_a_notice_and_its_code(sign: conftest.Sign) -> None:
    asked = papers.request()
    signed = replace(sign(asked), journal=None)
    paper = printed(signed, asked, shop=papers.SHOP)

    (code,) = codes(paper.picture)
    assert code.text == signed.verification_url
    assert Money("354.10") == signed.total_amount
