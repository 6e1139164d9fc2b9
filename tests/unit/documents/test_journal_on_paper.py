from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Literal

from hypothesis import given
from hypothesis import strategies as st

from pos_app.documents.receipt_journal import read_journal
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.text.transliteration import latin
from pos_app.pfr_emulator.invoice import Payment, PaymentType
from tests.sweep import each
from tests.unit.documents import papers

CYRILLIC, LATIN = ReceiptLanguage.CYRILLIC, ReceiptLanguage.LATIN


def on_paper(text: str, language: ReceiptLanguage = LATIN) -> list[str]:
    journal = read_journal(text, language=language)
    assert journal is not None
    return [*journal.above, *journal.end]


@each("language", [CYRILLIC, LATIN])
@each("header", ["centred", "plain"])
@each("ending", ["padded", "bare"])
def test_both_ages_of_the_journal_are_read(
    language: ReceiptLanguage, header: Literal["centred", "plain"], ending: str
) -> None:
    """The seller is centred or not; the last part of a cut name is filled up with blanks or not."""
    name, cashier = "Њоки са пршутом и павлаком из Косјерића", "Љубица Његош " * 4
    signed = papers.journal_of(name, "Кафа", header=header, cashier=cashier.strip())
    if ending == "bare":
        signed = re.sub(r" {2,}\r\n", "\r\n", signed)
    words = " ".join("".join(on_paper(signed, language)).split())
    said = (lambda text: text) if language is CYRILLIC else latin
    assert said("1000001-ПРОБНА ПРОДАВНИЦА") in words
    assert {len(line) <= 40 for line in on_paper(signed, language)} == {True}
    lines = on_paper(signed, language)
    first = next(i for i, line in enumerate(lines) if line.startswith(said("Касир: ")))
    assert lines[first] + lines[first + 1].rstrip() == said(f"Касир: {cashier.strip()}")
    item = next(i for i, line in enumerate(lines) if line.startswith(said("Њоки")))
    assert lines[item] + lines[item + 1].rstrip() == said(name) + " (Ђ)"
    assert lines[item + 2].split() == ["10,00", "1", "10,00"]


@each("text", ["", "\r\n", "  \r\n\t\r\n"])
def test_a_journal_without_words_is_none(text: str) -> None:
    assert read_journal(text, language=CYRILLIC) is None


def test_a_line_wider_than_the_paper_breaks_between_words() -> None:
    name = "ДРУШТВО СА ОГРАНИЧЕНОМ ОДГОВОРНОШЋУ ЉУБИЧИЦА ЊЕГОШ"

    assert on_paper(f"{name}\r\nкрај", CYRILLIC) == [
        "ДРУШТВО СА ОГРАНИЧЕНОМ ОДГОВОРНОШЋУ",
        "ЉУБИЧИЦА ЊЕГОШ",
        "крај",
    ]


# --- Latin -------------------------------------------------------------------------------------


def test_a_whole_journal_in_latin() -> None:
    assert on_paper(papers.SALE.replace("\n", "\r\n")) == papers.SALE_IN_LATIN.splitlines()


@each(
    ("signed", "shown"),
    [
        # one more letter than columns: the filler gives way
        ("Љубитељ:                      пошиљалац!", "Ljubitelj:                   pošiljalac!"),
        ("=========== ЉУБИТЕЉИ ЊЕГОША ============", "=========== LJUBITELJI NJEGOŠA ========="),
        # no filler at all: the row breaks
        ("Љиљана и Његош живе у Љубљани, крај реке", None),
    ],
)
def test_a_line_of_any_layout_fits(signed: str, shown: str | None) -> None:
    assert len(signed) == 40
    lines = on_paper(f"{signed}\r\nкрај")[:-1]

    assert lines == ([shown] if shown else ["Ljiljana i Njegoš žive u Ljubljani, kraj", "reke"])


@each(
    ("fields", "shown"),
    [
        (
            {"cashier": "Љубинка Хаџи-Његован Крањчевић-Ђурђевић"},
            ["Kasir: Ljubinka Hadži-Njegovan Kranjčevi", "ć-Đurđević"],
        ),
        ({"cashier": "Љ" * 17}, ["Kasir: " + "LJ" * 16 + "L", "J"]),
        ({"cashier": "Љ" * 16}, ["Kasir: " + " " + "LJ" * 16]),
        (
            # the processor has cut it already
            {"payments": (Payment(Decimal(1_000_000), PaymentType.OTHER),)},
            ["Drugo bezgotovinsko plaćanje: 1.000.000,", "00"],
        ),
        ({"esir_time": papers.NOON}, ["ESIR vreme:          05.01.2026. 9:07:03"]),
        (
            {"referent_number": "ABCD1234-ABCD1234-8652"},
            ["Ref. broj:        ABCD1234-ABCD1234-8652"],
        ),
    ],
)
def test_label_and_value_are_laid_out_again(fields: dict[str, Any], shown: list[str]) -> None:
    lines = on_paper(papers.journal_of("Кафа", **fields))

    first = lines.index(shown[0])
    assert lines[first : first + len(shown)] == shown


@each("letters", "ЂЕГА")
def test_tax_labels_stay_what_they_are(letters: str) -> None:
    lines = on_paper(
        papers.SALE.replace("(Ђ)", f"({letters})").replace("\nЂ   ", f"\n{letters}   ")
    )

    assert f"i sos 500g/kom ({letters})" in lines
    assert f"{letters}          O-PDV   20,00%          40,17" in lines


NAMES = st.text(alphabet="љњџЉЊЏабвГД Zz09-(),.", min_size=1, max_size=130)


@given(st.lists(NAMES, min_size=1, max_size=4))
def test_every_name_is_joined_written_in_latin_and_cut_again(names: list[str]) -> None:
    lines = on_paper(papers.journal_of(*names))

    at = lines.index("Naziv   Cena         Kol.         Ukupno") + 1
    for name in names:
        shown = ""
        while len(shown) < len(f"{latin(name)} (Ђ)"):
            shown += lines[at]
            at += 1
        assert shown == f"{latin(name)} (Ђ)"
        assert lines[at] == "        10,00          1           10,00"
        at += 1
    assert lines[at] == "-" * 40


@given(st.lists(st.text(max_size=60), max_size=12))
def test_nothing_is_left_out_of_a_journal_of_unknown_layout(given_lines: list[str]) -> None:
    text = "\r\n".join(["Назив   Цена         Кол.         Укупно", *given_lines, "крај"])
    cyrillic, shown = on_paper(text, CYRILLIC), on_paper(text)

    assert all(len(line) <= 40 and line.isprintable() for line in (*cyrillic, *shown))
    assert _letters("".join(shown)) == _letters(latin("\n".join(cyrillic)))


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter not in "\n =-").lower()
