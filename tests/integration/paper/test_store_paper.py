"""The store's settings of its paper are read each time a paper is made."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from shutil import copyfile
from typing import Any

import hypothesis
import pytest
import zxingcpp
from fontTools.subset import Subsetter
from fontTools.ttLib import TTFont
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image, ImageOps

from pos_app import resources, settings
from pos_app.adapters import qr_picture
from pos_app.adapters.pdf.receipts import PdfReceipts
from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.adapters.printers.raster import ROLL_58, ROLL_80, Roll
from pos_app.adapters.printers.thermal import ThermalReceipts
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.documents.qr_code import LONGEST, code
from pos_app.documents.shift_papers import report_paper
from pos_app.domain.article.barcodes import short_receipt_code
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.text.transliteration import SERBIAN
from pos_app.errors import Invalid, MachineError, SettingsBroken
from pos_app.wire.strict_json import dumps
from tests.integration.paper.conftest import CODE_128, Sign, dark_rows, drawn, look_at
from tests.integration.paper.escpos_printer import Printer
from tests.unit.documents.papers import SHOP, URL, asked_for, item, receipt, request
from tests.unit.documents.test_shift_papers import Z

Store = Callable[..., None]
LOWERED = (item("Хлеб бели", "120.00", "2", total="200.00"),)
ACCOUNT, SAVED = "Текући рачун: 840-955845-10", "Остварени попусти"


@pytest.fixture
def store(folder: Path) -> Store:

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
def test_short_number_in_bars_as_the_shop_says(folder: Path, sign: Sign, *, wanted: bool) -> None:
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


# --- the face that writes ---
FONTS = resources.folder() / "fonts"
MONO = FONTS / "JetBrainsMono-Medium.ttf"
INTER = FONTS / "Inter-Medium.otf"
SEMI_BOLD = "JetBrainsMono-SemiBold"
NOTO = "NotoSansMono-Regular"
OF_WINDOWS = {"consola": MONO, "consolab": MONO}


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    return tmp_path / "own"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    (tmp_path / "installed/truetype").mkdir(parents=True)
    return tmp_path / "installed"


def install(font: Path, folder: Path, name: str) -> Path:
    return Path(copyfile(font, folder / "truetype" / name))


@pytest.mark.parametrize(
    ("has_own", "fonts", "letters", "plain", "strong"),
    [
        (True, {"DejaVuSansMono": INTER}, SERBIAN, MONO.stem, SEMI_BOLD),
        (True, {"DejaVuSansMono": INTER}, SERBIAN | {"漢"}, MONO.stem, SEMI_BOLD),
        (False, OF_WINDOWS | {"LiberationMono-Regular": MONO}, SERBIAN, "consola", "consolab"),
        (False, {NOTO: MONO}, SERBIAN, NOTO, NOTO),
    ],
    ids=["our own", "a letter that all lack", "the machine's", "no bold one"],
)
def test_the_face_that_is_taken(
    own: Path,
    installed: Path,
    has_own: bool,
    fonts: dict[str, Path],
    letters: frozenset[str],
    plain: str,
    strong: str,
) -> None:
    for name, font in fonts.items():
        install(font, installed, f"{name}.ttf")
    faces = Typefaces(own=FONTS if has_own else own, installed=(installed,))
    face = faces.writing(letters)
    assert (face.plain.stem, face.strong.stem) == (plain, strong)
    assert face.advance == pytest.approx(0.6)


def faces_letters(installed: Path) -> frozenset[str]:
    return Typefaces(own=installed, installed=(installed,)).writing(SERBIAN).letters


def test_what_none_has_is_warned_of_once_and_written_by_the_face_that_lacks_least(
    installed: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lacking = Typefaces(installed=()).writing(SERBIAN).letters
    other = install(INTER, installed, "DejaVuSansMono.ttf")
    letter = min(faces_letters(installed) - lacking)
    faces = Typefaces(installed=(installed,))
    text = SERBIAN | {letter, "🥚", "🍞"}

    with caplog.at_level(logging.WARNING):
        assert faces.writing(text).plain == other
        assert faces.writing(text).missing(text) == {"🥚", "🍞"}
    assert caplog.text.count("U+1F35E BREAD, U+1F95A EGG") == 1


def test_without_any_font_nothing_is_printed(own: Path, installed: Path) -> None:
    with pytest.raises(MachineError, match="No font for paper") as failed:
        Typefaces(own=own, installed=(installed,)).writing(SERBIAN)
    assert failed.value.kind == "font"


def test_a_damaged_font_counts_not(
    own: Path, installed: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (own / MONO.name).write_bytes(b"no font")
    good = install(MONO, installed, "DejaVuSansMono.ttf")

    with caplog.at_level(logging.WARNING):
        assert Typefaces(own=own, installed=(installed,)).writing(SERBIAN).plain == good
    assert "can't be read" in caplog.text


def test_a_font_that_disappears_is_told(own: Path, installed: Path) -> None:
    font = install(MONO, installed, "DejaVuSansMono.ttf")
    pdf = PdfReceipts(SHOP, faces=Typefaces(own=own, installed=(installed,)))
    drawn(pdf, receipt(), request())
    font.unlink()

    with pytest.raises(MachineError, match="DejaVuSansMono"):
        drawn(pdf, receipt(), request())


def test_a_face_without_all_of_serbian_is_passed_over(own: Path, installed: Path) -> None:
    """Its letters would do for this text, but the next receipt would come in another face."""
    with TTFont(MONO) as font:
        cutter = Subsetter()
        cutter.populate(text="abc0")
        cutter.subset(font)
        font.save(installed / "truetype/DejaVuSansMono.ttf")
    good = install(MONO, installed, "consola.ttf")

    assert Typefaces(own=own, installed=(installed,)).writing(frozenset("abc")).plain == good


# --- the code of a receipt ---
WITHOUT_FILES = """
import sys
from pos_app.adapters import qr_picture

class Nothing:
    def find_spec(self, name, path=None, target=None):
        raise ImportError(f"there is no {name}")

sys.meta_path.insert(0, Nothing())
assert qr_picture.draw_gif("https://suf.purs.gov.rs/v/").startswith(b"GIF89a")
"""


BLACK = ord("1")


def batched(modules: bytes, side: int) -> list[bytes]:
    return [modules[begin : begin + side] for begin in range(0, len(modules), side)]


def read(gif: bytes) -> zxingcpp.Barcode | None:
    picture = Image.open(BytesIO(gif)).convert("L")
    quiet = ImageOps.expand(picture, border=4 * qr_picture.GIF_MODULE_PX, fill=255)
    return zxingcpp.read_barcode(quiet)


@hypothesis.settings(max_examples=15)
@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=900))
@example(URL)
@example(URL[:700])
@example(URL + "A1b%2F" * 6)
@example("a")
@example("A" * LONGEST)
def test_any_address_is_read_back(text: str) -> None:
    found = read(qr_picture.draw_gif(text))

    assert found.text == text
    assert found.format == zxingcpp.BarcodeFormat.QRCode
    assert found.ec_level == "L"


def test_the_gif_is_the_laws() -> None:
    """Four pixels a module, and no quiet zone; equal texts give equal bytes."""
    gif, drawn = qr_picture.draw_gif(URL), code(URL)

    assert gif == qr_picture.draw_gif(URL)
    assert gif.startswith(b"GIF89a")
    picture = Image.open(BytesIO(gif))
    assert picture.size == (drawn.side * 4, drawn.side * 4)
    pixels = picture.convert("L")
    assert {value for _, value in pixels.getcolors()} == {0, 255}
    assert pixels.getpixel((0, 0)) == 0  # the corner belongs to the finder
    for down, row in enumerate(batched(drawn.modules, drawn.side)):
        for right, black in enumerate(row):
            corner, opposite = (4 * right, 4 * down), (4 * right + 3, 4 * down + 3)
            value = 0 if black == BLACK else 255
            assert pixels.getpixel(corner) == pixels.getpixel(opposite) == value


def test_byte_mode() -> None:
    """In another mode capitals and digits alone would fit a smaller code."""
    assert code("A" * 100).side == code("a" * 100).side


@pytest.mark.parametrize(("text", "kind"), [("", "empty"), ("A" * (LONGEST + 1), "length")])
def test_what_no_code_can_hold_is_refused(text: str, kind: str) -> None:
    with pytest.raises(Invalid) as refused:
        qr_picture.draw_gif(text)

    assert refused.value.kind == kind


def test_the_laws_level_and_mask() -> None:
    """The format beside the upper left finder: level L, mask 2 (ISO/IEC 18004, 7.9)."""
    drawn = code(URL)
    row = batched(drawn.modules, drawn.side)[8]
    assert row[:6] + row[7:8] == b"1111101"


def test_the_first_code_needs_no_file_of_the_library_any_more() -> None:
    """An open till goes on drawing while an upgrade takes its files away."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_FILES], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
