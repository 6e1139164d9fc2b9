from __future__ import annotations

import logging
from pathlib import Path
from shutil import copyfile

import pytest
from fontTools.subset import Subsetter
from fontTools.ttLib import TTFont

from pos_app import resources
from pos_app.adapters.pdf.receipts import PdfReceipts
from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.domain.text.transliteration import SERBIAN
from pos_app.errors import MachineError
from tests.integration.paper.conftest import drawn
from tests.unit.documents.papers import SHOP, receipt, request

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


def test_a_letter_that_ours_lacks_is_looked_for_in_the_next(installed: Path) -> None:
    lacking = Typefaces(installed=()).writing(SERBIAN).letters
    other = install(INTER, installed, "DejaVuSansMono.ttf")
    faces = Typefaces(installed=(installed,))
    letter = min(faces_letters(installed) - lacking)

    assert faces.writing(SERBIAN | {letter}).plain == other
    assert faces.writing(SERBIAN).plain.name == MONO.name


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
