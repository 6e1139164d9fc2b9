"""Cyrillic written in Latin letters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.text.transliteration import LETTERS, latin
from tests.sweep import each

SERBIAN = "".join(LETTERS) + "".join(LETTERS).upper()


@each(
    ("cyrillic", "written"),
    [
        ("Хлеб бели Сава 500 g", "Hleb beli Sava 500 g"),
        ("Љубав", "Ljubav"),
        ("ЉУБАВ", "LJUBAV"),
        ("љубав", "ljubav"),
        ("КОЊ", "KONJ"),
        ("ДОЊИ ЏЕП", "DONJI DŽEP"),
        ("Џеп", "Džep"),
        ("Љ", "Lj"),
        ("Њ. Њ. Његош", "Nj. Nj. Njegoš"),
        ("А.Џ. Б", "A.Dž. B"),
        ("УЉ-500", "ULJ-500"),
        ("ФИСКАЛНИ РАЧУН", "FISKALNI RAČUN"),
        ("Ђурђевак, ћуфте, чај, жито, шљива", "Đurđevak, ćufte, čaj, žito, šljiva"),
        ("8652/11389ПП", "8652/11389PP"),
        ("АР", "AR"),
    ],
)
def test_cyrillic_is_written_in_latin(cyrillic: str, written: str) -> None:
    assert latin(cyrillic) == written


@each("text", ["", "ABCD1234-ABCD1234-8652", "Coca-Cola 0,5 l", "ljubičica", "ыѓќ", "1.234,50"])
def test_what_is_not_serbian_cyrillic_stays(text: str) -> None:
    assert latin(text) == text


def test_there_are_thirty_letters_and_all_differ() -> None:
    assert len(LETTERS) == 30
    assert len(set(LETTERS.values())) == 30


@given(st.text(alphabet=SERBIAN + " -0123456789Aa", max_size=40))
def test_no_serbian_letter_is_left_and_case_is_kept(text: str) -> None:
    written = latin(text)
    assert not set(written) & set(SERBIAN)
    assert written.lower() == latin(text.lower())
    assert latin(written) == written
