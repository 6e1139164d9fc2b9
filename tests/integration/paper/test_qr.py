from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from typing import Any

import pytest
import segno
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps
from segno import consts

from pos_app.adapters import qr
from pos_app.documents.qr_code import _data, code
from pos_app.errors import Invalid
from tests.sweep import LONG, each
from tests.unit.documents.papers import URL

WITHOUT_FILES = """
import sys
from pos_app.adapters import qr

class Nothing:
    def find_spec(self, name, path=None, target=None):
        raise ImportError(f"there is no {name}")

sys.meta_path.insert(0, Nothing())
assert qr.draw_gif("https://suf.purs.gov.rs/v/").startswith(b"GIF89a")
"""

LONGEST = 2953
"""The bytes that a code of error correction L can hold."""


BLACK = ord("1")


def batched(modules: bytes, side: int) -> list[bytes]:
    return [modules[begin : begin + side] for begin in range(0, len(modules), side)]


def read(gif: bytes) -> zxingcpp.Barcode | None:
    picture = Image.open(BytesIO(gif)).convert("L")
    quiet = ImageOps.expand(picture, border=4 * qr.GIF_MODULE_PX, fill=255)
    return zxingcpp.read_barcode(quiet)


@pytest.mark.parametrize("text", [URL, URL[:700], URL + "A1b%2F" * 6, "a", "A" * LONGEST])
def test_a_code_is_read_back(text: str) -> None:
    found = read(qr.draw_gif(text))

    assert found is not None
    assert found.text == text
    assert found.format == zxingcpp.BarcodeFormat.QRCode
    assert found.ec_level == "L"


@settings(max_examples=25)
@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=900))
def test_any_address_is_read_back(text: str) -> None:
    found = read(qr.draw_gif(text))

    assert found is not None
    assert found.text == text


def test_the_gif_is_the_laws() -> None:
    gif = qr.draw_gif(URL)
    side = code(URL).side

    assert gif.startswith(b"GIF89a")
    picture = Image.open(BytesIO(gif))
    assert picture.size == (side * 4, side * 4)
    pixels = picture.convert("L")
    assert {value for _, value in pixels.getcolors()} == {0, 255}
    assert pixels.getpixel((0, 0)) == 0  # there is no quiet zone: the corner belongs to the finder


def test_four_pixels_a_module() -> None:
    rows = batched(code(URL).modules, code(URL).side)
    pixels = Image.open(BytesIO(qr.draw_gif(URL))).convert("L")

    for down, row in enumerate(rows):
        for right, black in enumerate(row):
            corner, opposite = (4 * right, 4 * down), (4 * right + 3, 4 * down + 3)
            assert (
                pixels.getpixel(corner)
                == pixels.getpixel(opposite)
                == (0 if black == BLACK else 255)
            )


def test_byte_mode() -> None:
    """In another mode capitals and digits alone would fit a smaller code."""
    assert code("A" * 100).side == code("a" * 100).side


def test_equal_texts_give_equal_bytes() -> None:
    assert qr.draw_gif(URL) == qr.draw_gif(URL)


@pytest.mark.parametrize(("text", "kind"), [("", "empty"), ("A" * (LONGEST + 1), "length")])
def test_what_no_code_can_hold_is_refused(text: str, kind: str) -> None:
    with pytest.raises(Invalid) as refused:
        qr.draw_gif(text)

    assert refused.value.kind == kind


@each("version", range(1, 41, 4))
def test_a_version_is_drawn_as_another_encoder_does(version: int) -> None:
    is_drawn_as_theirs(version)


@LONG
@each("version", range(1, 41))
def test_so_is_every_version(version: int) -> None:
    is_drawn_as_theirs(version)


def is_drawn_as_theirs(version: int) -> None:
    """The codes are full, because segno pads shorter ones with a byte too many."""
    longest = segno_capacity(version)
    text = "".join(chr(33 + (7 * place + version) % 94) for place in range(longest))
    theirs = segno.make(text, error="l", mode="byte", mask=2, micro=False, boost_error=False)
    ours = code(text)
    assert theirs.version == version
    assert ours.side == len(theirs.matrix)
    assert ours.modules == b"".join(bytes(BLACK - 1 + one for one in row) for row in theirs.matrix)


def segno_capacity(version: int) -> int:
    """Return the bytes of a full code by that encoder's own table."""
    capacity: Any = consts.SYMBOL_CAPACITY
    bits: int = capacity[version][consts.ERROR_LEVEL_L]
    return (bits - 4 - (8 if version < 10 else 16)) // 8


def test_a_code_that_is_not_full_is_padded_as_the_standard_says() -> None:
    """ISO/IEC 18004, 7.4.10: the end mark 0000, then 11101100 and 00010001 in turn."""
    assert _data(1, b"abc").hex() == "403616263" + "0" + "ec11" * 7


def test_the_first_code_needs_no_file_of_the_library_any_more() -> None:
    """An open till goes on drawing while an upgrade takes its files away."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_FILES], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
