from __future__ import annotations

import pytest

from pos_app.documents import blocks
from tests.unit.documents.papers import NOON


def test_a_line_is_never_wider_than_the_paper() -> None:
    with pytest.raises(ValueError, match="at most 40"):
        blocks.Lines(("x" * 41,))


def test_a_notice_has_twenty_columns() -> None:
    with pytest.raises(ValueError, match="at most 20"):
        blocks.FramedNotice(("x" * 21,))


@pytest.mark.parametrize("letter", ["\n", "\r", "\t", "\x1b", "\u202e"])
def test_no_control_character_gets_into_a_block(letter: str) -> None:
    with pytest.raises(ValueError, match="printable"):
        blocks.Lines((f"Кафа{letter}",))


@pytest.mark.parametrize(("side", "quiet"), [(39, 4), (51, 4), (45, 3)])
def test_a_code_keeps_to_the_size_of_the_law(side: int, quiet: int) -> None:
    with pytest.raises(ValueError, match="40 to 50 mm"):
        blocks.QrCode("x", side_mm=side, quiet_modules=quiet)


def test_the_foot_of_a_page_stands_right() -> None:
    document = blocks.Document(title="1", moment=NOON, language="sr-Cyrl-RS", blocks=())

    assert document.page_line(2, 15) == "Страна 2/15".rjust(40)


def test_figures_stay_with_the_name_above_them() -> None:
    lines = blocks.Lines(
        (
            "Артикли",
            "=" * 40,
            "Назив   Цена         Кол.         Укупно",
            "Кафа/ком (Ђ)",
            "        10,00          1           10,00",
            "Име које процесор сече тачно на четрдесе",
            "том ступцу/ком (Ђ)",
            "        10,00      1,560          -15,60",
            "-" * 40,
            "Укупан износ:                      25,60",
        )
    )

    assert lines.kept_with_next == {2, 3, 5, 6}  # the heading of the items with them


def test_a_line_of_words_is_parted_from_the_next_at_will() -> None:
    assert blocks.Lines(("Хвала", "", "10,00", "дођите")).kept_with_next == frozenset()
