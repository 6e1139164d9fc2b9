"""The store's settings of its paper are read each time a paper is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import zxingcpp

from pos_app import settings
from pos_app.adapters.pdf.receipts import A4, render_document
from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.adapters.printers.raster import ROLL_58, ROLL_80, Roll
from pos_app.adapters.printers.thermal import ThermalReceipts
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.documents.shift_papers import report_paper
from pos_app.domain.article.barcodes import short_receipt_code
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.errors import SettingsBroken
from pos_app.wire.strict_json import dumps
from tests.integration.paper.conftest import CODE_128, Sign, dark_rows, look_at
from tests.integration.paper.escpos_printer import Printer
from tests.unit.documents.papers import SHOP, asked_for, item, request
from tests.unit.documents.test_shift_papers import Z

Store = Callable[..., None]
LOWERED = (item("Хлеб бели", "120.00", "2", total="200.00"),)
ACCOUNT, SAVED = "Текући рачун: 840-955845-10", "Остварени попусти"


@pytest.fixture
def store(folder: Path) -> Store:
    """Return a function that brings in a list whose store has these members."""

    def bring(**members: Any) -> None:
        source = folder.parent / "list.json"
        stores = [{"id": "s1", "name": "Липа", **members}]
        source.write_bytes(dumps({"stores": stores, "units": [], "products": []}))
        run_sync(settings=settings.load(folder), source=source, progress=lambda _: None)

    return bring


@pytest.fixture
def papers(folder: Path) -> Iterator[StorePdf]:
    receipt = {"bank_accounts": ["840-955845-10"]}
    settled = settings.load(folder, receipt=receipt)
    with closing(StorePdf(settled, not_fiscal=False)) as opened:
        yield opened


def seen(papers: StorePdf, sign: Sign, method: PaymentMethod) -> set[str]:
    """Return which of the two parts are on the PDF, after comparing the roll's length with them."""
    asked = request(*LOWERED, payments=Payments.of({method: Money("200.00")}))
    document, esir = asked_for(asked)
    signed = sign(asked)
    text = "\n".join(page.text for page in look_at(papers.render(signed, document, esir)))
    found = {words for words in (ACCOUNT, SAVED) if words in text}
    rows = len(Printer(ROLL_80.width).feed_job(papers.thermal(signed, document, esir)).rows)
    lines = 2 * (ACCOUNT in found) + 7 * (SAVED in found)
    # A half line of tolerance: a code may have four modules more than another.
    assert round((rows - _rows_of_least(papers, sign)) / ROLL_80.line) == lines
    return found


def _rows_of_least(papers: StorePdf, sign: Sign) -> int:
    """Return the rows of the same receipt with neither part below it."""
    asked = request(item("Хлеб бели", "100.00", "2"), cash="200.00")
    job = papers.thermal(sign(asked), *asked_for(asked))
    return len(Printer(ROLL_80.width).feed_job(job).rows)


TOLD: list[tuple[PaymentMethod, bool | None, bool | None]] = [
    (PaymentMethod.WIRE_TRANSFER, None, None),
    (PaymentMethod.WIRE_TRANSFER, True, False),
    (PaymentMethod.WIRE_TRANSFER, False, True),
    (PaymentMethod.CARD, True, True),
    (PaymentMethod.CARD, False, False),
]
"""How it is paid, and what the store says of accounts and discounts."""


def test_accounts_and_discounts_by_the_store(papers: StorePdf, store: Store, sign: Sign) -> None:
    """A store that changes its mind is heard; without one those of the settings are printed."""
    assert seen(papers, sign, PaymentMethod.WIRE_TRANSFER) == {ACCOUNT}
    assert seen(papers, sign, PaymentMethod.CARD) == set()
    for method, accounts, discounts in TOLD:
        told = {"printBankAccounts": accounts, "printDiscounts": discounts}
        store(**{member: said for member, said in told.items() if said is not None})
        transfer = method is PaymentMethod.WIRE_TRANSFER
        wanted = {(ACCOUNT, bool(accounts) and transfer), (SAVED, bool(discounts))}
        assert seen(papers, sign, method) == {words for words, is_wanted in wanted if is_wanted}


@pytest.mark.parametrize("wanted", [True, False])
def test_the_short_number_in_bars_as_the_shop_says(
    folder: Path, sign: Sign, *, wanted: bool
) -> None:
    settled = settings.load(folder, receipt={"short_code": wanted})
    asked = request(*LOWERED, cash="200.00")
    signed, (document, esir) = sign(asked), asked_for(asked)
    code = short_receipt_code(int(signed.invoice_number.rpartition("-")[2]))
    with closing(StorePdf(settled, not_fiscal=False)) as papers:
        job = papers.thermal(signed, document, esir)
        pictures = [
            Printer(ROLL_80.width).feed_job(job).picture,
            look_at(papers.render(signed, document, esir))[0].picture,
            look_at(papers.pages(signed, document, esir))[0].picture,
        ]
    for picture in pictures:
        found = zxingcpp.read_barcodes(picture, formats=CODE_128)
        assert [one.text for one in found] == [code] * wanted


def test_a_page_printer_gets_pages_and_a_screen_a_roll(papers: StorePdf, sign: Sign) -> None:
    """A roll of three metres would be cut off on A4, or be too small to be read."""
    for count in (2, 200):
        items = [item(f"Њоки {number}", "1.00") for number in range(count)]
        asked = request(*items, cash=f"{count}.00")
        signed, (document, esir) = sign(asked), asked_for(asked)

        on_paper = look_at(papers.pages(signed, document, esir))
        assert {(round(page.width), round(page.height)) for page in on_paper} == {(210, 297)}
        on_screen = look_at(papers.render(signed, document, esir))
        assert {round(page.width) for page in on_screen} == {80}


def test_words_that_no_font_can_write_are_refused_at_the_start(folder: Path) -> None:
    for name, value, sign in (
        ("header", ["Код Љубице", "Само данас \U0001f600"], "U+1F600 GRINNING FACE"),
        ("footer", ["\U0001f355"], "U+1F355 SLICE OF PIZZA"),
    ):
        receipt = {name: value, "bank_accounts": ["840-955845-10"]}
        settled = settings.load(folder, receipt=receipt)
        with pytest.raises(SettingsBroken) as refused:
            StorePdf(settled, not_fiscal=False)
        assert f'"receipt.{name}"' in refused.value.what
        assert sign in refused.value.what


def test_unusual_signs_that_a_font_has_are_taken(folder: Path) -> None:
    receipt = {"footer": ["„Хвала“ – дођите опет… 5 €"]}
    StorePdf(settings.load(folder, receipt=receipt), not_fiscal=False).close()


# --- a Z -----------------------------------------------------------------------------------------


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
