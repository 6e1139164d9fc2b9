from __future__ import annotations

import subprocess
import sys
from io import BytesIO

import pytest
import zxingcpp
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps

from pos_app.adapters import qr_picture
from pos_app.documents.qr_code import LONGEST, code
from pos_app.errors import Invalid
from tests.unit.documents.papers import URL

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


@settings(max_examples=15)
@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=900))
@example(URL)
@example(URL[:700])
@example(URL + "A1b%2F" * 6)
@example("a")
@example("A" * LONGEST)
def test_any_address_is_read_back(text: str) -> None:
    found = read(qr_picture.draw_gif(text))

    assert found is not None
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
