from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.documents import columns


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Кафа\t200g", "Кафа 200g"),
        ("Кафа\x1b[2J", "Кафа [2J"),
        ("Кафа\x00\x07", "Кафа  "),
        ("a\u202egnp.exe", "a gnp.exe"),  # a mark that turns the direction of reading
        ("a\u200bb\u2028c\x85d", "a b c d"),
        ("20\u00a0%", "20 %"),
        ("c\u030cas", "čas"),
        ("Љубав – “ok” €", "Љубав – “ok” €"),
    ],
)
def test_only_letters_signs_and_blanks_reach_the_paper(text: str, shown: str) -> None:
    assert columns.clean(text) == shown


@given(st.text())
def test_cleaned_text_is_printable(text: str) -> None:
    assert columns.clean(text).isprintable()


def test_lines_end_in_any_of_the_usual_ways() -> None:
    assert columns.split_lines("а\r\nб\nв\rг\x0bд") == ["а", "б", "в", "г д"]


def test_a_hard_cut_loses_nothing() -> None:
    assert columns.cut("абвгд", 2) == ["аб", "вг", "д"]


@pytest.mark.parametrize(
    ("line", "broken"),
    [
        ("", [""]),
        ("кратко", ["кратко"]),
        ("један два три", ["један", "два три"]),
        ("нај-нај-нај-дужи", ["нај-нај-", "нај-дужи"]),
        ("неподељиво", ["неподељи", "во"]),
    ],
)
def test_a_line_breaks_between_words(line: str, broken: list[str]) -> None:
    assert columns.wrapped(line, 8) == broken


def test_a_pair_fills_the_line() -> None:
    assert columns.pair("Готовина:", "500,00") == ["Готовина:" + " " * 25 + "500,00"]


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ("x" * 34, ["Чек: " + " " + "x" * 34]),
        ("x" * 35, ["Чек: " + "x" * 35]),
        ("x" * 36, ["Чек: " + "x" * 35, "x"]),
    ],
)
def test_a_pair_without_room_for_a_blank_is_cut(value: str, lines: list[str]) -> None:
    assert columns.pair("Чек:", value) == lines
