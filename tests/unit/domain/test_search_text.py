"""Search text: folding, the words of a query, marked hits."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from pos_app.domain.text import search_text
from pos_app.domain.text.transliteration import LETTERS, latin
from tests.sweep import each

SERBIAN = "".join(LETTERS) + "".join(LETTERS).upper()
NAMES = st.text(alphabet=SERBIAN + "čćšžđČĆŠŽĐabyqxw0123456789 ,.%/-", max_size=40)


@each(
    ("text", "folded"),
    [
        ("Сир млади домаћи", "sir mladi domaci"),
        ("Sir mladi domaći", "sir mladi domaci"),
        ("љубичица", "ljubicica"),
        ("Ljubičica", "ljubicica"),
        ("LJUBIČICA", "ljubicica"),
        ("ЊОКЕ", "njoke"),
        ("Џем од шљива", "dzem od sljiva"),
        ("Džem od šljiva", "dzem od sljiva"),
        ("Ђурђевак", "djurdjevak"),
        ("Đurđevak", "djurdjevak"),
        ("Djurdjevak", "djurdjevak"),
        ("ћуфте чај цвет", "cufte caj cvet"),
        ("Млеко свеже 2,8 % 1 l", "mleko sveze 2 8 1 l"),
        ("Coca-Cola 0.5L", "coca cola 0 5l"),
        ("  Хлеб\tбели \u00a0 500g ", "hleb beli 500g"),
        ("c\u030caj", "caj"),
        ("Crème brûlée", "creme brulee"),
        ("ǆem", "dzem"),
        ("№ 5 m²", "no 5 m2"),
        ("Straße", "strasse"),
        ("йогурт Ѓорче", "iogurt gorce"),
        ("\u200bсо\u00adк", "sok"),
        ("", ""),
        (" -,. ", ""),
    ],
)
def test_both_scripts_fold_to_bare_latin(text: str, folded: str) -> None:
    assert search_text.fold(text) == folded


@given(NAMES)
def test_a_name_folds_alike_in_both_scripts(name: str) -> None:
    assert search_text.fold(latin(name)) == search_text.fold(name)


@given(st.text(max_size=30))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert search_text.fold(search_text.fold(text)) == search_text.fold(text)


@given(st.text(max_size=30))
@example("\u0439\u0130\u1e9e\ufb03")
def test_case_is_of_no_matter(text: str) -> None:
    assert search_text.fold(text.lower()) == search_text.fold(text)


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
    ("name", "query", "found"),
    [
        ("Сир фета 250 g", "feta sir", True),
        ("Сир фета 250 g", "sir 25", True),
        ("Бурек са сиром", "sir", True),
        ("Сирће јабуково", "sirc jab", True),
        ("Ђумбир", "dj", True),
        ("Ђумбир", "đum", True),
        ("Ђумбир", "dum", False),
        ("Кесир", "sir", False),
        ("Сир фета", "sir gauda", False),
        ("Сир", "", True),
    ],
)
def test_each_word_of_the_query_begins_a_word_of_the_name(
    name: str, query: str, found: bool
) -> None:
    assert search_text.matches(name, query) is found


@each(
    ("name", "query", "marked"),
    [
        ("Сир млади домаћи", "sir", ["Сир"]),
        ("Сирни намаз са паприком 150 g", "sir ", ["Сир"]),
        ("Бурек са сиром 250 g", "sir", ["сир"]),
        ("Sir sa sirćetom", "СИР", ["Sir", "sir"]),
        ("Сир фета 250 g", "fet 250", ["фет", "250"]),
        ("Сирни", "s sir", ["Сир"]),
        ("Љута", "l", ["Љ"]),
        ("Љута", "lju", ["Љу"]),
        ("Ljuta", "lj", ["Lj"]),
        ("Џем", "dz", ["Џ"]),
        ("c\u030caj", "c", ["c\u030c"]),
        ("Млеко 2,8 %", "2,8", ["2", "8"]),
        ("(Сир)", "sir", ["Сир"]),
        ("Кесир", "sir", []),
        ("Сир", "", []),
    ],
)
def test_hits_are_ranges_of_the_original_name(name: str, query: str, marked: list[str]) -> None:
    assert [name[begin:end] for begin, end in search_text.hits(name, query)] == marked


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
