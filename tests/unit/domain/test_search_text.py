"""Search text: folding, the words of a query, marked hits."""

from __future__ import annotations

import random

from hypothesis import example, given
from hypothesis import strategies as st

from pos_app.domain.text import search_text
from pos_app.domain.text.sort_text import sort_key
from pos_app.domain.text.transliteration import LETTERS, latin
from tests.sweep import each

SERBIAN = "".join(LETTERS) + "".join(LETTERS).upper()
NAMES = st.text(alphabet=SERBIAN + "čćšžđČĆŠŽĐabyqxw0123456789 ,.%/-", max_size=40)


@each(
    ("text", "folded"),
    [
        ("Сир млади домаћи", "sir mladi domaci"), ("Sir mladi domaći", "sir mladi domaci"),
        ("љубичица", "ljubicica"), ("Ljubičica", "ljubicica"), ("LJUBIČICA", "ljubicica"),
        ("ЊОКЕ", "njoke"), ("Џем од шљива", "dzem od sljiva"), ("Džem od šljiva", "dzem od sljiva"),
        ("Ђурђевак", "djurdjevak"), ("Đurđevak", "djurdjevak"), ("Djurdjevak", "djurdjevak"),
        ("ћуфте чај цвет", "cufte caj cvet"), ("Млеко свеже 2,8 % 1 l", "mleko sveze 2 8 1 l"),
        ("Coca-Cola 0.5L", "coca cola 0 5l"), ("  Хлеб\tбели \u00a0 500g ", "hleb beli 500g"),
        ("c\u030caj", "caj"), ("Crème brûlée", "creme brulee"), ("ǆem", "dzem"),
        ("№ 5 m²", "no 5 m2"), ("Straße", "strasse"), ("йогурт Ѓорче", "iogurt gorce"),
        ("\u200bсо\u00adк", "sok"), ("", ""), (" -,. ", ""),
    ],
)  # fmt: skip
def test_both_scripts_fold_to_bare_latin(text: str, folded: str) -> None:
    assert search_text.fold(text) == folded


@given(NAMES, st.text(max_size=30))
@example("", "\u0439\u0130\u1e9e\ufb03")
def test_a_name_folds_alike_in_both_scripts_and_in_each_case(name: str, text: str) -> None:
    assert search_text.fold(latin(name)) == search_text.fold(name)
    assert search_text.fold(text.lower()) == search_text.fold(text)
    assert search_text.fold(search_text.fold(text)) == search_text.fold(text)


@each(
    ("query", "parts"),
    [
        ("sir", ["sir"]),
        ("СИР  фета", ["sir", "feta"]),
        ("sir, sir", ["sir"]),
        ("2,8", ["2", "8"]),
        ("", []),
        ("%", []),
        ('"; DROP* NEAR', ["drop", "near"]),
    ],
)
def test_the_words_of_a_query(query: str, parts: list[str]) -> None:
    assert search_text.words(query) == parts


@each(
    ("name", "query", "marked"),
    [
        ("Сир млади домаћи", "sir", ["Сир"]), ("Бурек са сиром 250 g", "sir", ["сир"]),
        ("Сирни намаз са паприком 150 g", "sir ", ["Сир"]), ("Сирни", "s sir", ["Сир"]),
        ("Sir sa sirćetom", "СИР", ["Sir", "sir"]), ("Сир фета 250 g", "fet 250", ["фет", "250"]),
        ("Љута", "l", ["Љ"]), ("Љута", "lju", ["Љу"]), ("Ljuta", "lj", ["Lj"]),
        ("Џем", "dz", ["Џ"]), ("c\u030caj", "c", ["c\u030c"]), ("Млеко 2,8 %", "2,8", ["2", "8"]),
        ("(Сир)", "sir", ["Сир"]), ("Кесир", "sir", []), ("Сир", "", []),
        ("Ђумбир", "đum", ["Ђум"]), ("Ђумбир", "dum", []), ("Сир фета", "sir gauda", ["Сир"]),
    ],
)  # fmt: skip
def test_hits_are_ranges_of_the_original_name(name: str, query: str, marked: list[str]) -> None:
    assert [name[begin:end] for begin, end in search_text.hits(name, query)] == marked


@each(
    ("name", "query", "found"),
    [
        ("Сир фета 250 g", "feta sir", True), ("Сир фета 250 g", "sir 25", True), ("Сир", "", True),
        ("Сирће јабуково", "sirc jab", True), ("Ђумбир", "dj", True), ("Ђумбир", "dum", False),
        ("Кесир", "sir", False), ("Сир фета", "sir gauda", False),
    ],
)  # fmt: skip
def test_each_word_of_the_query_begins_a_word_of_the_name(
    name: str, query: str, found: bool
) -> None:
    assert search_text.matches(name, query) is found


@given(NAMES, st.text(alphabet=SERBIAN + "abcč 12,", max_size=12))
def test_hits_are_in_order_apart_and_begin_with_what_was_asked(name: str, query: str) -> None:
    ranges = search_text.hits(name, query)
    behind = 0
    for begin, end in ranges:
        assert behind <= begin < end <= len(name)
        behind = end
        assert any(
            search_text.fold(name[begin:end]).startswith(part) for part in search_text.words(query)
        )
    if search_text.words(query) and search_text.matches(name, query):
        assert ranges


@given(NAMES)
def test_a_name_found_by_itself_is_marked_whole(name: str) -> None:
    assert search_text.matches(name, name)
    marked = " ".join(
        search_text.fold(name[begin:end]) for begin, end in search_text.hits(name, name)
    )
    assert marked == search_text.fold(name)


@each(
    ("cyrillic", "written"),
    [
        ("Хлеб бели Сава 500 g", "Hleb beli Sava 500 g"), ("Љубав", "Ljubav"), ("ЉУБАВ", "LJUBAV"),
        ("љубав", "ljubav"), ("КОЊ", "KONJ"), ("ДОЊИ ЏЕП", "DONJI DŽEP"), ("Џеп", "Džep"),
        ("Љ", "Lj"), ("Њ. Њ. Његош", "Nj. Nj. Njegoš"), ("А.Џ. Б", "A.Dž. B"),
        ("УЉ-500", "ULJ-500"), ("ФИСКАЛНИ РАЧУН", "FISKALNI RAČUN"), ("АР", "AR"),
        ("Ђурђевак, ћуфте, чај, жито, шљива", "Đurđevak, ćufte, čaj, žito, šljiva"),
        ("8652/11389ПП", "8652/11389PP"),
    ],
)  # fmt: skip
def test_cyrillic_is_written_in_latin(cyrillic: str, written: str) -> None:
    assert latin(cyrillic) == written


@each("text", ["", "ABCD1234-ABCD1234-8652", "Coca-Cola 0,5 l", "ljubičica", "ыѓќ", "1.234,50"])
def test_what_is_not_serbian_cyrillic_stays(text: str) -> None:
    assert latin(text) == text


@given(st.text(alphabet=SERBIAN + " -0123456789Aa", max_size=40))
def test_no_serbian_letter_is_left_and_case_is_kept(text: str) -> None:
    written = latin(text)
    assert not set(written) & set(SERBIAN)
    assert written.lower() == latin(text.lower())
    assert latin(written) == written


IN_ORDER = (
    "7 Days кроасан",
    "Авокадо", "Ајвар", "ананас", "Бадем", "Вода", "Грожђе", "Дуван", "Ђумбир", "Ескајмо", "Жваке",
    "Зејтин", "Инћун", "Јабука", "Кекс", "Лук", "Љубичица", "Млеко", "Нар", "Њоке", "Орах",
    "Плазма", "„Плазма“ кекс", "Рум", "Сир", "Сир млади", "Со", "Торта", "Ћуфте", "Уље", "Филм",
    "Хлеб", "Цимет", "Чај", "Џем", "Шећер",
    "Ajvar", "Banana", "Cimet", "CRÈME", "Čaj", "Ćevap", "Dunja", "Džem", "Đumbir",
    "Luk", "Ljubičica", "Nož", "njoke", "Orah", "Sir", "Šećer", "Wafel", "Zejtin", "Žvake",
)  # fmt: skip


def test_both_alphabets_are_in_their_own_order_whatever_the_case() -> None:
    mixed = list(IN_ORDER)
    random.Random(7).shuffle(mixed)
    assert sorted(mixed, key=sort_key) == list(IN_ORDER)
    assert sort_key("ЂУМБИР") == sort_key("ђумбир")
    assert sort_key("LJUTO") == sort_key("Ljuto") == sort_key("ljuto")
    for odd in ("", "…", "日本"):
        assert sort_key(odd), "it sorts somewhere"
