"""The same receipt on rolls and on A4: its code, its columns, its pages."""

from __future__ import annotations

import pytest

from pos_app.adapters.pdf.receipts import A4, ROLL_58, ROLL_80, PdfReceipts
from pos_app.adapters.pdf.sheets import Piece, Sheet, spread
from pos_app.documents.receipt import ShopPaper
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.bank_account import BankAccount
from pos_app.domain.money.ips import IpsPayee
from pos_app.domain.receipt.request import InvoiceType, IssueRequest
from tests.integration.paper import conftest
from tests.integration.paper.printed_url import read_url
from tests.unit.documents import papers

SHEETS = pytest.mark.parametrize("sheet", [ROLL_80, ROLL_58, A4], ids=["80 mm", "58 mm", "A4"])
LANGUAGE_ON = {ROLL_80: ReceiptLanguage.LATIN, ROLL_58: ReceiptLanguage.CYRILLIC}
PAYEE = IpsPayee(BankAccount.parse("840-955845-10"), "Trgovina Ljubica\nBeograd")
HEADER = ("Продавница „Љубица“", "Булевар краља Александра 12")
A4_SIZE = (pytest.approx(210, abs=0.1), pytest.approx(297, abs=0.1))


@SHEETS
def test_code_and_journal_are_read_off_each_sheet_field_by_field(
    sign: conftest.Sign, sheet: Sheet
) -> None:
    """In one language or the other; columns stand under each other."""
    asked = papers.request(cash="1000.00")
    signed = sign(asked)
    language = LANGUAGE_ON.get(sheet, ReceiptLanguage.CYRILLIC)
    shop = ShopPaper(not_fiscal=True, language=language, header=HEADER)
    (page,) = conftest.look_at(conftest.drawn(PdfReceipts(shop, sheet=sheet), signed, asked))
    (code,) = conftest.codes_on(page)
    read = read_url(code.text)

    assert code.text == signed.verification_url
    number = f"{read.requested_by}-{read.signed_by}-{read.total_counter}"
    assert number == signed.invoice_number
    assert signed.invoice_counter == f"{read.type_counter}/{read.total_counter}ПП"
    assert (read.host, read.version) == ("sandbox.suf.purs.gov.rs", 3)
    assert read.ten_thousandths == 3_541_000
    assert read.milliseconds == int(papers.NOON.timestamp() * 1000)
    assert (read.invoice_type, read.transaction_type, read.buyer) == (0, 0, "")
    assert read.checksum_holds
    side = (code.position.top_right.x - code.position.top_left.x) / conftest.MM
    assert 40 <= side <= 50
    written = [conftest.in_words(line) for line in page.lines]
    assert conftest.contains_in_order(written, conftest.journal_words(signed, language))

    usual = PdfReceipts(papers.SHOP, sheet=sheet)
    (page,) = conftest.look_at(conftest.drawn(usual, papers.receipt(), papers.request()))
    edges = {page.right_edges[amount] for amount in ("241,00", "354,10", "40,17", "11200/12345ПП")}
    assert len({round(edge, 1) for edge in edges}) == 1
    assert sheet is not ROLL_80 or edges.pop() == pytest.approx(76, abs=0.1)


@SHEETS
def test_a_proforma_has_a_second_code_to_pay_by(sign: conftest.Sign, sheet: Sheet) -> None:
    """Nothing is drawn outside the margins."""
    asked = papers.request(invoice_type=InvoiceType.PROFORMA)
    signed = sign(asked)
    shop = ShopPaper(not_fiscal=True, payee=PAYEE, header=HEADER)
    (page,) = conftest.look_at(conftest.drawn(PdfReceipts(shop, sheet=sheet), signed, asked))
    receipts, pays = conftest.codes_on(page)

    assert receipts.text == signed.verification_url
    assert pays.text.startswith("K:PR|V:01|C:1|R:840000000095584510|N:Trgovina Ljubica\nBeograd|")
    assert f"|I:RSD354,10|SF:221|S:Predračun {signed.invoice_number}|RO:97" in pays.text
    assert page.text.index("NBS IPS QR") > page.text.index("ОВО НИЈЕ ФИСКАЛНИ РАЧУН")

    margin = round((sheet.margin - 0.3) * conftest.MM)
    width, height = page.picture.size
    for box in ((0, 0, margin, height), (width - margin, 0, width, height)):
        assert page.picture.crop(box).getextrema() == (255, 255)


# --- A4 --------------------------------------------------------------------------------------


def on_a4(
    asked: IssueRequest, sign: conftest.Sign, shop: ShopPaper = papers.SHOP
) -> list[conftest.Seen]:
    return conftest.look_at(conftest.drawn(PdfReceipts(shop, sheet=A4), sign(asked), asked))


def articles(count: int) -> IssueRequest:
    return papers.request(
        *(papers.item(f"Артикал {n}", "10.00") for n in range(count)), cash=f"{10 * count}.00"
    )


@pytest.mark.parametrize(
    ("count", "pages", "text_width"),
    [(1, 1, 100), (10, 1, 84), (30, 1, 84), (100, 2, 84)],
    ids=["large", "smaller", "in two columns", "over two pages"],
)
def test_letters_are_as_large_as_one_page_allows(
    sign: conftest.Sign, count: int, pages: int, text_width: float
) -> None:
    seen = on_a4(articles(count), sign)
    first = seen[0]

    assert len(seen) == pages
    assert (first.width, first.height) == A4_SIZE
    left_edge = min(
        column
        for column in range(first.picture.width)
        if conftest.darkest(first.picture.crop((column, 0, column + 1, first.picture.height))) < 128
    )
    assert first.right_edges["Укупно"] - left_edge / conftest.MM == pytest.approx(
        text_width, abs=1.5
    )
    if count == 1:  # it stands in the middle, and its page is numbered too
        (code,) = conftest.codes_on(first)
        middle = (code.position.top_left.x + code.position.top_right.x) / 2 / conftest.MM
        assert middle == pytest.approx(105, abs=0.3)
        assert "Страна 1/1" in first.text


def test_five_hundred_items_are_all_on_pages_that_name_receipt_and_number(
    sign: conftest.Sign,
) -> None:
    asked = articles(500)
    signed = sign(asked)
    pages = conftest.look_at(conftest.drawn(PdfReceipts(papers.PRACTICE, sheet=A4), signed, asked))

    assert len(pages) > 5
    for number, page in enumerate(pages, start=1):
        assert page.text.count("НИЈЕ ФИСКАЛНИ РАЧУН") >= 1
        foot = conftest.in_words(" ".join(page.lines[-2:]))
        assert foot.endswith(f"{signed.invoice_number} Страна {number}/{len(pages)}")
        assert bool(conftest.codes_on(page)) == (number == len(pages))
    assert not any(page.lines[0].strip().startswith("10,00") for page in pages)
    written = [conftest.in_words(line) for page in pages for line in page.lines]
    assert conftest.contains_in_order(
        written, conftest.journal_words(signed, ReceiptLanguage.CYRILLIC)
    )


def test_the_shop_stands_across_the_columns_on_the_first_page_alone(sign: conftest.Sign) -> None:
    shop = ShopPaper(not_fiscal=False, header=HEADER, footer=("Хвала на посети!",))
    first, *further = on_a4(articles(150), sign, shop)

    assert [conftest.in_words(line) for line in first.lines[:2]] == list(HEADER)
    assert not any(HEADER[0] in page.text for page in further)
    assert "Хвала на посети!" in further[-1].text


# --- spreading pieces over pages -------------------------------------------------------------

SMALL = Sheet(width=100, height=60, margin=5, column=40, line=5, columns=2, gutter=5)
"""Two columns with room for 40 mm each: 60 less the margins and a foot of two lines."""


def pages_of(*heights: float, kept: tuple[int, ...] = (), **heads: tuple[Piece, ...]) -> list[str]:
    """Return the pages as text, with columns parted by |. kept: the pieces that keep the next
    one."""
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
