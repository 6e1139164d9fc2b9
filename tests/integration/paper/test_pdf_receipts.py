from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pypdfium2
import pytest

from pos_app.adapters.pdf.receipts import A4, ROLL_58, ROLL_80, PdfReceipts
from pos_app.adapters.pdf.sheets import Piece, Sheet, spread
from pos_app.documents.qr_code import code
from pos_app.documents.receipt import ShopPaper
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.bank_account import BankAccount
from pos_app.domain.money.ips import IpsPayee
from pos_app.domain.receipt.request import InvoiceType, IssueRequest
from tests.integration.paper.conftest import (
    MM,
    Sign,
    codes_on,
    contains_in_order,
    dark_rows,
    darkest,
    drawn,
    gaps,
    in_words,
    journal_words,
    look_at,
)
from tests.unit.documents import papers

CYRILLIC = PdfReceipts(papers.SHOP)


def test_the_code_has_white_around_it_and_the_page_is_as_tall_as_what_stands_on_it() -> None:
    (page,) = look_at(drawn(CYRILLIC, papers.receipt(), papers.request()))
    corners = page.code.position
    left, right = corners.top_left.x, corners.top_right.x
    top, bottom = corners.top_left.y, corners.bottom_left.y
    assert (right - left) / MM == pytest.approx(45, abs=0.3)
    assert (bottom - top) / MM == pytest.approx(45, abs=0.3)

    quiet = 4 * 45 / code(papers.URL).side * MM
    for box in (
        (0, top - quiet, page.picture.width, top - 2),
        (0, bottom + 3, page.picture.width, bottom + quiet),
        (left - quiet, top, left - 2, bottom),
        (right + 3, top, right + quiet, bottom),
    ):
        x0, y0, x1, y1 = map(round, box)
        assert darkest(page.picture.crop((x0, y0, x1, y1))) > 200

    rows = dark_rows(page.picture)
    assert page.width == pytest.approx(80, abs=0.1)
    assert 3 < rows[0] / MM < 7
    assert 3 < (page.picture.height - rows[-1]) / MM < 7
    assert max(gaps(rows)) / MM < 8
    assert "Страна" not in page.text  # a receipt of ordinary length


def test_the_file_tells_the_receipt_and_nothing_of_this_machine() -> None:
    pdf = drawn(CYRILLIC, papers.receipt(), papers.request())
    document = pypdfium2.PdfDocument(pdf)
    facts = {name: value for name, value in document.get_metadata_dict().items() if value}
    document.close()

    assert facts == {
        "Title": "ABCD1234-EFGH5678-12345",
        "Creator": "pos-app",
        "CreationDate": "D:20260105080703Z",
    }
    assert b"/Lang (sr-Cyrl-RS)" in pdf
    assert b"resources" not in pdf


def test_equal_receipts_give_equal_bytes_and_threads_do_not_disturb_each_other() -> None:
    asked = [papers.request(cash=f"{cash}.00") for cash in range(1000, 1008)]
    alone = [drawn(CYRILLIC, papers.receipt(), one) for one in asked]
    shared = PdfReceipts(papers.SHOP)

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda one: drawn(shared, papers.receipt(), one), asked))
    assert together == alone
    assert len(set(alone)) == len(asked)


# --- what the ESIR adds ----------------------------------------------------------------------
def test_the_customer_has_room_to_sign_the_copy_of_a_refund() -> None:
    (page,) = look_at(drawn(CYRILLIC, *papers.to_be_signed()))
    assert max(gaps(dark_rows(page.picture))) / MM >= 15


# --- long receipts ---------------------------------------------------------------------------
def test_a_code_keeps_its_end_line_on_the_page() -> None:
    """Receipts that grow by some lines reach the end of the page at others of their last lines."""
    lengths = set()
    for count in range(755, 785, 4):
        journal = papers.SALE.replace("Хлеб бели/ком (Е)", "\n".join(["Хлеб"] * count))
        pages = look_at_text(
            drawn(CYRILLIC, papers.receipt(journal), papers.request(cash="500.00"))
        )
        with_code = next(page for page in pages if "КРАЈ ФИСКАЛНОГ РАЧУНА" in page[0])
        assert with_code[1] == 1, count
        lengths.add(len(pages))
    assert lengths == {1, 2}


def look_at_text(pdf: bytes) -> list[tuple[str, int]]:
    document = pypdfium2.PdfDocument(pdf)
    image = pypdfium2.raw.FPDF_PAGEOBJ_IMAGE
    seen = [
        (page.get_textpage().get_text_range(), len(list(page.get_objects(filter=[image]))))
        for page in document
    ]
    document.close()
    return seen


# --- letters ---------------------------------------------------------------------------------
def test_a_sign_that_no_font_has_is_a_box() -> None:
    """U+FE0F behind the sign only selects its look; nothing is drawn for it."""
    odd = "🍞\ufe0f漢"
    for journal, text, words in (
        (papers.SALE.replace("Хлеб", f"Хлеб{odd}"), "", "Хлеб"),
        (papers.SALE, f"Хвала{odd}", "Хвала"),
    ):
        asked = papers.asked_for(papers.request(additional_text=text))
        assert CYRILLIC.check(papers.receipt(journal), *asked) == {"🍞", "漢"}
        pdf = CYRILLIC.render(papers.receipt(journal), *asked)
        (page,) = look_at(pdf)
        assert "🍞" not in page.text
        assert words in page.text
        plain = papers.asked_for(papers.request(additional_text=text.replace(odd, "   ")))
        without = CYRILLIC.render(papers.receipt(journal.replace(odd, "   ")), *plain)
        assert _dark(pdf) > _dark(without)


def _dark(pdf: bytes) -> int:
    document = pypdfium2.PdfDocument(pdf)
    picture = document[0].render(scale=4).to_pil().convert("L")
    document.close()
    return sum(picture.histogram()[:128])


def test_every_serbian_letter_and_usual_sign_is_drawn() -> None:
    letters = "абвгдђежзијклљмнњопрстћуфхцчџш АБВГДЂЕЖЗИЈКЛЉМНЊОПРСТЋУФХЦЧЏШ"
    signs = "abcčćdđefghijklmnoprsštuvzžqwxy ČĆŠĐŽ 0123456789 .,:;!?%&*()[]{}/\\@#+-=<>_|~^'\"`$"
    (page,) = look_at(
        drawn(
            CYRILLIC,
            papers.receipt(),
            papers.request(additional_text=f"{letters} {signs} „“”’–—…€½×²°"),
        )
    )

    shown = "".join(page.text.split())
    assert shown.endswith("".join(f"{letters}{signs}„“”’–—…€½×²°".split()))


def test_no_word_is_a_command_and_no_control_character_reaches_the_file() -> None:
    journal = papers.SALE.replace("Хлеб бели", "Хлеб\x00\x1b\u202e\tбели")
    journal = journal.replace("          241,00", "         -241,00")
    words = "{nb} **подебљано** __подвучено__ \\n (a) <b>x</b>"
    for text, printed in ((words, words), ("а\x07\u200bб", "а б")):
        asked = papers.request(additional_text=text)
        (page,) = look_at(drawn(CYRILLIC, papers.receipt(journal), asked))
        lines = [in_words(line) for line in page.lines]
        assert in_words(" ".join(lines[-2:])).endswith(printed)
        assert "Хлеб бели/ком (Е)" in lines
        assert "120,50 2 -241,00" in lines  # signed amounts of a refund keep their minus
        assert page.text.replace("\n", "").isprintable()


# --- on rolls and on A4 --------------------------------------------------------------------------
SHEETS = pytest.mark.parametrize("sheet", [ROLL_80, ROLL_58, A4], ids=["80 mm", "58 mm", "A4"])
LANGUAGE_ON = {ROLL_80: ReceiptLanguage.LATIN, ROLL_58: ReceiptLanguage.CYRILLIC}
PAYEE = IpsPayee(BankAccount.parse("840-955845-10"), "Trgovina Ljubica\nBeograd")
HEADER = ("Продавница „Љубица“", "Булевар краља Александра 12")


@SHEETS
def test_code_and_journal_are_read_off_each_sheet(sign: Sign, sheet: Sheet) -> None:
    asked = papers.request(cash="1000.00")
    signed = sign(asked)
    language = LANGUAGE_ON.get(sheet, ReceiptLanguage.CYRILLIC)
    shop = ShopPaper(not_fiscal=True, language=language, header=HEADER)
    (page,) = look_at(drawn(PdfReceipts(shop, sheet=sheet), signed, asked))
    (code,) = codes_on(page)
    assert code.text == signed.verification_url
    side = (code.position.top_right.x - code.position.top_left.x) / MM
    assert 40 <= side <= 50
    written = [in_words(line) for line in page.lines]
    assert contains_in_order(written, journal_words(signed, language))

    usual = PdfReceipts(papers.SHOP, sheet=sheet)
    (page,) = look_at(drawn(usual, papers.receipt(), papers.request()))
    edges = {page.right_edges[amount] for amount in ("241,00", "354,10", "40,17", "11200/12345ПП")}
    assert len({round(edge, 1) for edge in edges}) == 1
    assert sheet is not ROLL_80 or edges.pop() == pytest.approx(76, abs=0.1)


@SHEETS
def test_a_proforma_has_a_second_code_to_pay_by(sign: Sign, sheet: Sheet) -> None:
    asked = papers.request(invoice_type=InvoiceType.PROFORMA)
    signed = sign(asked)
    shop = ShopPaper(not_fiscal=True, payee=PAYEE, header=HEADER)
    (page,) = look_at(drawn(PdfReceipts(shop, sheet=sheet), signed, asked))
    receipts, pays = codes_on(page)

    assert receipts.text == signed.verification_url
    assert pays.text.startswith("K:PR|V:01|C:1|R:840000000095584510|N:Trgovina Ljubica\nBeograd|")
    assert f"|I:RSD354,10|SF:221|S:Predračun {signed.invoice_number}|RO:97" in pays.text
    assert page.text.index("NBS IPS QR") > page.text.index("ОВО НИЈЕ ФИСКАЛНИ РАЧУН")

    margin = round((sheet.margin - 0.3) * MM)
    width, height = page.picture.size
    for box in ((0, 0, margin, height), (width - margin, 0, width, height)):
        assert page.picture.crop(box).getextrema() == (255, 255)


# --- A4 --------------------------------------------------------------------------------------
def articles(count: int) -> IssueRequest:
    return papers.request(
        *(papers.item(f"Артикал {n}", "10.00") for n in range(count)), cash=f"{10 * count}.00"
    )


def test_five_hundred_items_are_on_pages_that_name_the_receipt(sign: Sign) -> None:
    asked = articles(500)
    signed = sign(asked)
    pages = look_at(drawn(PdfReceipts(papers.PRACTICE, sheet=A4), signed, asked))

    assert len(pages) > 5
    for number, page in enumerate(pages, start=1):
        assert page.text.count("НИЈЕ ФИСКАЛНИ РАЧУН") >= 1
        foot = in_words(" ".join(page.lines[-2:]))
        assert foot.endswith(f"{signed.invoice_number} Страна {number}/{len(pages)}")
        assert bool(codes_on(page)) == (number == len(pages))
    assert not any(page.lines[0].strip().startswith("10,00") for page in pages)
    written = [in_words(line) for page in pages for line in page.lines]
    assert contains_in_order(written, journal_words(signed, ReceiptLanguage.CYRILLIC))


# --- spreading pieces over pages -------------------------------------------------------------
SMALL = Sheet(width=100, height=60, margin=5, column=40, line=5, columns=2, gutter=5)
"""Two columns with room for 40 mm each: 60 less the margins and a foot of two lines."""


def pages_of(*heights: float, kept: tuple[int, ...] = (), **heads: tuple[Piece, ...]) -> list[str]:
    """Return the pages as text, columns parted by |. kept: pieces that keep the next one."""
    pieces = [Piece(height=height, keeps_next=at in kept) for at, height in enumerate(heights)]
    return [
        "|".join(" ".join(f"{piece.height:g}" for piece in column) for column in page.columns)
        for page in spread(pieces, sheet=SMALL, **heads)
    ]


def test_pieces_go_where_they_fit() -> None:
    assert pages_of(20, 20, 20, 20, 20) == ["20 20|20 20", "20|"]
    assert pages_of(20, 21, 19, 20, 20) == ["20|21 19", "20 20|"]
    assert pages_of() == ["|"]
    # what keeps its next goes with it
    assert pages_of(20, 15, 6, 5, kept=(1,)) == ["20|15 6 5"]
    assert pages_of(20, 15, 6, 5) == ["20 15|6 5"]
    assert pages_of(20, 15, 5, 5, kept=(1,)) == ["20 15 5|5"]
    assert pages_of(30, 5, 5, 5, kept=(1, 2, 3)) == ["30|5 5 5"]
    # what is taller than a page gets one of its own
    assert pages_of(10, 70, 10) == ["10|70", "10|"]
    # heads take their room
    head = (Piece(height=20),)
    assert pages_of(20, 20, 20, 20, first_head=head) == ["20|20", "20 20|"]
    assert pages_of(20, 20, 20, 20, 20, 20, next_head=head) == ["20 20|20 20", "20|20"]
