"""The store's settings of its paper are read each time a paper is made."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import zxingcpp
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image, ImageOps

from pos_app import settings
from pos_app.adapters import qr_picture
from pos_app.adapters.printers.raster import ROLL_80
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.documents.qr_code import LONGEST
from pos_app.domain.article.barcodes import short_receipt_code
from pos_app.errors import Invalid, SettingsBroken
from pos_app.wire.strict_json import dumps
from tests.integration.paper.conftest import CODE_128, Sign, look_at
from tests.integration.paper.escpos_printer import Printer
from tests.unit.documents.papers import URL, asked_for, item, request

Store = Callable[..., None]
LOWERED = (item("Хлеб бели", "120.00", "2", total="200.00"),)


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


# --- the face that writes ---


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    (tmp_path / "installed/truetype").mkdir(parents=True)
    return tmp_path / "installed"


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


@pytest.mark.parametrize(("text", "kind"), [("", "empty"), ("A" * (LONGEST + 1), "length")])
def test_what_no_code_can_hold_is_refused(text: str, kind: str) -> None:
    with pytest.raises(Invalid) as refused:
        qr_picture.draw_gif(text)

    assert refused.value.kind == kind


def test_the_first_code_needs_no_file_of_the_library_any_more() -> None:
    """An open till goes on drawing while an upgrade takes its files away."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_FILES], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
