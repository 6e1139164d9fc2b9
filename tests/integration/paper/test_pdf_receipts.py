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
from pos_app.domain.receipt.request import InvoiceType
from tests.integration.paper import conftest
from tests.unit.documents import papers

NOT_FISCAL = ["РАЗВОЈНИ ПРОЦЕСОР", "НИЈЕ ФИСКАЛНИ РАЧУН"]
CYRILLIC = PdfReceipts(papers.SHOP)
BASKET = (
    papers.item("Њоки са спанаћем и сиром од козјег млека, дубоко замрзнути, 500g", "349.99", "2"),
    papers.item("Кафа млевена „Дон“ 200g", "289.99"),
    papers.item("Јабука ајдаред", "119.90", "1.560", label=TaxLabel.E, unit="kg"),
    papers.item("Coca-Cola Zero 0,5l ½ €", "95.00", "3"),
)


def test_the_code_has_white_around_it_and_the_page_is_as_tall_as_what_stands_on_it() -> None:
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

    rows = conftest.dark_rows(page.picture)
    assert page.width == pytest.approx(80, abs=0.1)
    assert 3 < rows[0] / conftest.MM < 7
    assert 3 < (page.picture.height - rows[-1]) / conftest.MM < 7
    assert max(conftest.gaps(rows)) / conftest.MM < 8
    assert "Страна" not in page.text  # a receipt of ordinary length


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


def test_equal_receipts_give_equal_bytes_and_threads_do_not_disturb_each_other() -> None:
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


def test_each_kind_of_document_says_what_it_is(sign: conftest.Sign) -> None:
    """Without a journal the sheet can't be taken for a receipt."""
    for kind in (InvoiceType.PROFORMA, InvoiceType.TRAINING):
        asked = papers.request(invoice_type=kind)
        (page,) = conftest.look_at(conftest.drawn(CYRILLIC, sign(asked), asked))
        lines = [conftest.in_words(line) for line in page.lines]
        closing = "======== ОВО НИЈЕ ФИСКАЛНИ РАЧУН ======="
        assert (lines[0], lines[-1]) == (closing, closing)
    asked = papers.request(cash="100.00", invoice_type=InvoiceType.ADVANCE, items=(BASKET[0],))
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, sign(asked), asked))
    for words in ("АВАНС ПРОДАЈА", "10: Аванс (Ђ)", "КРАЈ ФИСКАЛНОГ РАЧУНА"):
        assert words in page.text
    assert "Повраћај" not in page.text
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, papers.receipt(None), papers.request()))
    assert page.lines[0] == "ОВО НИЈЕ РАЧУН"
    assert "ФИСКАЛНИ РАЧУН" not in page.text
    assert page.code is not None


def test_the_customer_has_room_to_sign_the_copy_of_a_refund() -> None:
    (page,) = conftest.look_at(conftest.drawn(CYRILLIC, *papers.to_be_signed()))
    assert max(conftest.gaps(conftest.dark_rows(page.picture))) / conftest.MM >= 15


# --- long receipts ---------------------------------------------------------------------------


def test_five_hundred_items_go_over_numbered_pages(sign: conftest.Sign) -> None:
    """So many are a processor's limit; their names have one to three lines."""
    items = [
        papers.item(f"{n}. Њоки са спанаћем " + "и још " * (n % 9), "10.00") for n in range(1, 501)
    ]
    asked = papers.request(*items, cash="5000.00")
    signed = sign(asked)
    pdf = conftest.drawn(PdfReceipts(papers.PRACTICE), signed, asked)
    pages = conftest.look_at(pdf)

    assert len(pages) > 1
    for number, page in enumerate(pages, start=1):
        assert page.lines[:2] == NOT_FISCAL
        assert conftest.in_words(page.lines[-1]) == f"Страна {number}/{len(pages)}"
        assert page.height <= 3000.1
    assert [pictures for _, pictures in look_at_text(pdf)] == [0] * (len(pages) - 1) + [1]
    written = [conftest.in_words(line) for page in pages for line in page.lines]
    assert conftest.contains_in_order(
        written, conftest.journal_words(signed, ReceiptLanguage.CYRILLIC)
    )


def test_a_code_keeps_its_end_line_on_the_page() -> None:
    """Receipts that grow by some lines reach the end of the page at others of their last lines."""
    lengths = set()
    for count in range(755, 785, 4):
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
        (page,) = conftest.look_at(pdf)
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
    (page,) = conftest.look_at(
        conftest.drawn(
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
        (page,) = conftest.look_at(conftest.drawn(CYRILLIC, papers.receipt(journal), asked))
        lines = [conftest.in_words(line) for line in page.lines]
        assert conftest.in_words(" ".join(lines[-2:])).endswith(printed)
        assert "Хлеб бели/ком (Е)" in lines
        assert "120,50 2 -241,00" in lines  # signed amounts of a refund keep their minus
        assert page.text.replace("\n", "").isprintable()
