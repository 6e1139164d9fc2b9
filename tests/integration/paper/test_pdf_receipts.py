from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pypdfium2
import pytest

from pos_app.adapters.pdf.receipts import PdfReceipts
from pos_app.documents.qr_code import code
from pos_app.documents.receipt import ShopPaper
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import InvoiceType, IssueRequest
from tests.integration.paper import conftest
from tests.sweep import sampled
from tests.unit.documents import papers

NOT_FISCAL = ["РАЗВОЈНИ ПРОЦЕСОР", "НИЈЕ ФИСКАЛНИ РАЧУН"]
CYRILLIC = PdfReceipts(papers.SHOP)
BASKET = (
    papers.item("Њоки са спанаћем и сиром од козјег млека, дубоко замрзнути, 500g", "349.99", "2"),
    papers.item("Кафа млевена „Дон“ 200g", "289.99"),
    papers.item("Јабука ајдаред", "119.90", "1.560", label=TaxLabel.E, unit="kg"),
    papers.item("Coca-Cola Zero 0,5l ½ €", "95.00", "3"),
)


@pytest.mark.parametrize("language", ReceiptLanguage)
def test_the_text_of_the_pdf_is_the_journal(sign: conftest.Sign, language: ReceiptLanguage) -> None:
    asked = papers.request(*BASKET, cash="2000.00")
    signed = sign(asked)
    (page,) = conftest.look_at(
        conftest.drawn(PdfReceipts(ShopPaper(not_fiscal=False, language=language)), signed, asked)
    )

    lines = [conftest.in_words(line) for line in page.lines]
    wanted = conftest.journal_words(signed, language)
    assert lines[: len(wanted)] == wanted
    assert len(lines) == len(wanted) + 1  # and the change


def test_columns_stand_under_each_other() -> None:
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, papers.receipt(), papers.request()))

    edges = {page.right_edges[amount] for amount in ("241,00", "354,10", "40,17", "11200/12345ПП")}
    assert len(edges) == 1
    assert edges.pop() == pytest.approx(76, abs=0.1)


def test_the_code_is_read_from_the_page(sign: conftest.Sign) -> None:
    asked = papers.request(*BASKET, cash="2000.00")
    signed = sign(asked)
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, signed, asked))

    assert page.code is not None
    assert page.code.text == signed.verification_url


def test_the_code_has_the_size_of_the_law_and_white_around_it() -> None:
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, papers.receipt(), papers.request()))
    assert page.code is not None
    corners = page.code.position
    left, right = corners.top_left.x, corners.top_right.x
    top, bottom = corners.top_left.y, corners.bottom_left.y
    assert (right - left) / conftest.MM == pytest.approx(45, abs=0.3)
    assert (bottom - top) / conftest.MM == pytest.approx(45, abs=0.3)

    quiet = 4 * 45 / code(papers.URL).side * conftest.MM
    for box in (
        (0, top - quiet, page.picture.width, top - 2),
        (0, bottom + 3, page.picture.width, bottom + quiet),
        (left - quiet, top, left - 2, bottom),
        (right + 3, top, right + quiet, bottom),
    ):
        x0, y0, x1, y1 = map(round, box)
        assert conftest.darkest(page.picture.crop((x0, y0, x1, y1))) > 200


def test_a_page_is_as_tall_as_what_stands_on_it() -> None:
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, papers.receipt(), papers.request()))
    rows = conftest.dark_rows(page.picture)

    assert page.width == pytest.approx(80, abs=0.1)
    assert 3 < rows[0] / conftest.MM < 7
    assert 3 < (page.picture.height - rows[-1]) / conftest.MM < 7
    assert max(conftest.gaps(rows)) / conftest.MM < 8


def test_nothing_is_drawn_outside_the_margins() -> None:
    (page,) = conftest.look_at(
        conftest.drawn(
            PdfReceipts(papers.PRACTICE), papers.receipt(), papers.request(cash="999999.99")
        )
    )

    for left in (0, page.picture.width - round(3.9 * conftest.MM)):
        strip = page.picture.crop((left, 0, left + round(3.9 * conftest.MM), page.picture.height))
        assert strip.getextrema() == (255, 255)


def test_the_file_tells_the_receipt_and_nothing_of_this_machine() -> None:
    pdf = conftest.drawn(CYRILLIC, papers.receipt(), papers.request())
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


def test_equal_receipts_give_equal_bytes() -> None:
    asked = papers.request(cash="1000.00", additional_text="Хвала!")
    anew = PdfReceipts(papers.PRACTICE)

    assert conftest.drawn(anew, papers.receipt(), asked) == conftest.drawn(
        PdfReceipts(papers.PRACTICE), papers.receipt(), asked
    )


def test_threads_do_not_disturb_each_other() -> None:
    asked = [papers.request(cash=f"{cash}.00") for cash in range(1000, 1008)]
    alone = [conftest.drawn(CYRILLIC, papers.receipt(), one) for one in asked]
    shared = PdfReceipts(papers.SHOP)

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda one: conftest.drawn(shared, papers.receipt(), one), asked))
    assert together == alone
    assert len(set(alone)) == len(asked)


# --- what the ESIR adds ----------------------------------------------------------------------


def test_change_discounts_and_text_stand_below_the_end_line(sign: conftest.Sign) -> None:
    asked = papers.request(
        *BASKET,
        cash="2000.00",
        discount=Percent(Decimal(10)),
        additional_text="Хвала на посети!\nРадно време 08–20",
    )
    pdf = conftest.drawn(
        PdfReceipts(ShopPaper(not_fiscal=True, print_discounts=True)), sign(asked), asked
    )
    (page,) = conftest.look_at(pdf)

    lines = [conftest.in_words(line) for line in page.lines]
    assert conftest.contains_in_order(
        lines,
        [
            *NOT_FISCAL,
            "======== КРАЈ ФИСКАЛНОГ РАЧУНА =========",
            "Повраћај: 684,19",
            "Остварени попусти",
            "уместо 289,99 (10 %) -29,00",
            "Укупна уштеда: 146,20",
            "Хвала на посети!",
            "Радно време 08–20",
            *NOT_FISCAL,
        ],
    )


@pytest.mark.parametrize("kind", [InvoiceType.PROFORMA, InvoiceType.TRAINING])
def test_a_document_that_is_not_fiscal_says_so_at_both_ends(
    sign: conftest.Sign, kind: InvoiceType
) -> None:
    asked = papers.request(invoice_type=kind)
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, sign(asked), asked))

    lines = [conftest.in_words(line) for line in page.lines]
    closing = "======== ОВО НИЈЕ ФИСКАЛНИ РАЧУН ======="
    assert (lines[0], lines[-1]) == (closing, closing)
    assert page.code is not None


def test_the_customer_has_room_to_sign_the_copy_of_a_refund() -> None:
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, *papers.to_be_signed()))
    assert max(conftest.gaps(conftest.dark_rows(page.picture))) / conftest.MM >= 15


def test_an_advance_is_a_fiscal_receipt(sign: conftest.Sign) -> None:
    asked = papers.request(cash="100.00", invoice_type=InvoiceType.ADVANCE, items=(BASKET[0],))
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, sign(asked), asked))

    assert "АВАНС ПРОДАЈА" in page.text
    assert "10: Аванс (Ђ)" in page.text
    assert "КРАЈ ФИСКАЛНОГ РАЧУНА" in page.text
    assert "Повраћај" not in page.text


def test_without_a_journal_the_sheet_can_not_be_taken_for_a_receipt() -> None:
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, papers.receipt(None), papers.request()))

    assert page.lines[0] == "ОВО НИЈЕ РАЧУН"
    assert "ФИСКАЛНИ РАЧУН" not in page.text
    assert page.code is not None


# --- long receipts ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def many() -> IssueRequest:
    """Return a receipt of five hundred articles, a processor's limit, with names of one to three
    lines."""
    items = [
        papers.item(f"{n}. Њоки са спанаћем " + "и још " * (n % 9), "10.00") for n in range(1, 501)
    ]
    return papers.request(*items, cash="5000.00")


def test_five_hundred_items_go_over_numbered_pages(sign: conftest.Sign, many: IssueRequest) -> None:
    signed = sign(many)
    pages = conftest.look_at(conftest.drawn(PdfReceipts(papers.PRACTICE), signed, many))

    assert len(pages) > 1
    for number, page in enumerate(pages, start=1):
        assert page.lines[:2] == NOT_FISCAL
        assert conftest.in_words(page.lines[-1]) == f"Страна {number}/{len(pages)}"
        assert page.height <= 3000.1
        assert (page.code is not None) == (number == len(pages))
    written = [conftest.in_words(line) for page in pages for line in page.lines]
    assert conftest.contains_in_order(
        written, conftest.journal_words(signed, ReceiptLanguage.CYRILLIC)
    )


@pytest.mark.parametrize("grows_by", sampled([4, 1]))
def test_a_code_keeps_its_end_line_on_the_page(grows_by: int) -> None:
    """Receipts that grow by some lines reach the end of the page at others of their last lines."""
    lengths = set()
    for count in range(755, 785, grows_by):
        journal = papers.SALE.replace("Хлеб бели/ком (Е)", "\n".join(["Хлеб"] * count))
        pages = look_at_text(
            conftest.drawn(CYRILLIC, papers.receipt(journal), papers.request(cash="500.00"))
        )
        with_code = next(page for page in pages if "КРАЈ ФИСКАЛНОГ РАЧУНА" in page[0])
        assert with_code[1] == 1, count
        lengths.add(len(pages))
    assert lengths == {1, 2}


def look_at_text(pdf: bytes) -> list[tuple[str, int]]:
    """Return text and number of pictures of each page, without drawing it."""
    document = pypdfium2.PdfDocument(pdf)
    image = pypdfium2.raw.FPDF_PAGEOBJ_IMAGE
    seen = [
        (page.get_textpage().get_text_range(), len(list(page.get_objects(filter=[image]))))
        for page in document
    ]
    document.close()
    return seen


def test_a_receipt_of_ordinary_length_has_no_page_number() -> None:
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, papers.receipt(), papers.request()))

    assert "Страна" not in page.text


# --- letters ---------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["journal", "text"])
def test_a_sign_that_no_font_has_is_a_box(where: str) -> None:
    """U+FE0F behind the sign only selects its look; nothing is drawn for it."""
    journal = papers.SALE.replace("Хлеб", "Хлеб🍞\ufe0f漢") if where == "journal" else papers.SALE
    text = "Хвала🍞\ufe0f漢" if where == "text" else ""
    asked = papers.asked_for(papers.request(additional_text=text))

    assert CYRILLIC.check(papers.receipt(journal), *asked) == {"🍞", "漢"}
    (page,) = conftest.look_at(CYRILLIC.render(papers.receipt(journal), *asked))
    assert "🍞" not in page.text
    assert ("Хлеб" if where == "journal" else "Хвала") in page.text
    assert _dark(CYRILLIC.render(papers.receipt(journal), *asked)) > _dark(
        CYRILLIC.render(
            papers.receipt(journal.replace("🍞\ufe0f漢", "   ")),
            *papers.asked_for(papers.request(additional_text=text.replace("🍞\ufe0f漢", "   "))),
        )
    )


def _dark(pdf: bytes) -> int:
    document = pypdfium2.PdfDocument(pdf)
    picture = document[0].render(scale=4).to_pil().convert("L")
    document.close()
    return sum(picture.histogram()[:128])


def test_every_serbian_letter_and_usual_sign_is_drawn() -> None:
    letters = "абвгдђежзијклљмнњопрстћуфхцчџш АБВГДЂЕЖЗИЈКЛЉМНЊОПРСТЋУФХЦЧЏШ"
    signs = "abcčćdđefghijklmnoprsštuvzžqwxy ČĆŠĐŽ 0123456789 .,:;!?%&*()[]{}/\\@#+-=<>_|~^'\"`$"
    (page,) = conftest.look_at(
        conftest.drawn(
            CYRILLIC,
            papers.receipt(),
            papers.request(additional_text=f"{letters} {signs} „“”’–—…€½×²°"),
        )
    )

    shown = "".join(page.text.split())
    assert shown.endswith("".join(f"{letters}{signs}„“”’–—…€½×²°".split()))


def test_words_of_the_library_are_no_commands() -> None:
    text = "{nb} **подебљано** __подвучено__ \\n (a) <b>x</b>"
    (page,) = conftest.look_at(
        conftest.drawn(CYRILLIC, papers.receipt(), papers.request(additional_text=text))
    )

    assert conftest.in_words(" ".join(page.lines[-2:])).endswith(text)


def test_control_characters_never_reach_the_file() -> None:
    journal = papers.SALE.replace("Хлеб бели", "Хлеб\x00\x1b\u202e\tбели")
    pdf = conftest.drawn(
        CYRILLIC, papers.receipt(journal), papers.request(additional_text="а\x07\u200bб")
    )
    (page,) = conftest.look_at(pdf)

    assert any(conftest.in_words(line) == "Хлеб бели/ком (Е)" for line in page.lines)
    assert page.lines[-1] == "а б"
    assert page.text.replace("\n", "").isprintable()


def test_signed_amounts_of_a_refund_keep_their_minus(sign: conftest.Sign) -> None:
    journal = papers.SALE.replace("          241,00", "         -241,00")
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, papers.receipt(journal), papers.request()))

    assert "120,50 2 -241,00" in [conftest.in_words(line) for line in page.lines]
