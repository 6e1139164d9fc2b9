from __future__ import annotations

from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pos_app.documents.receipt_journal import printed_payments, printed_totals, read_journal
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.text.transliteration import latin
from pos_app.pfr_emulator.invoice import Payment, PaymentType
from tests.sweep import each
from tests.unit.documents import papers

CYRILLIC, LATIN = ReceiptLanguage.CYRILLIC, ReceiptLanguage.LATIN


def on_paper(text: str, language: ReceiptLanguage = LATIN) -> list[str]:
    journal = read_journal(text, language=language)
    assert journal is not None
    return [*journal.above, *journal.end]


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


LONG_NAME = "Љубинка Хаџи-Његован Крањчевић-Ђурђевић"
MILLION = Payment(Decimal(1_000_000), PaymentType.OTHER)  # the processor has cut its line already
REFERENT = "ABCD1234-ABCD1234-8652"


@each(
    ("fields", "shown"),
    [
        ({"cashier": LONG_NAME}, ["Kasir: Ljubinka Hadži-Njegovan Kranjčevi", "ć-Đurđević"]),
        ({"cashier": "Љ" * 17}, ["Kasir: " + "LJ" * 16 + "L", "J"]),
        ({"cashier": "Љ" * 16}, ["Kasir: " + " " + "LJ" * 16]),
        ({"payments": (MILLION,)}, ["Drugo bezgotovinsko plaćanje: 1.000.000,", "00"]),
        ({"esir_time": papers.NOON}, ["ESIR vreme:          05.01.2026. 9:07:03"]),
        ({"referent_number": REFERENT}, [f"Ref. broj:        {REFERENT}"]),
    ],
)
def test_label_and_value_are_laid_out_again(fields: dict[str, Any], shown: list[str]) -> None:
    lines = on_paper(papers.journal_of("Кафа", **fields))

    first = lines.index(shown[0])
    assert lines[first : first + len(shown)] == shown


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


JOURNAL = """\
============ ФИСКАЛНИ РАЧУН ============
Касир:                            Готовина
-------------ПРОМЕТ РЕФУНДАЦИЈА---------
Артикли
========================================
Назив   Цена         Кол.         Укупно
Хлеб (бели) 500 g/ком (Е)
        58,99          2         -117,98
Кафа млевена Златна, пржена и паковања 2
00 g/ком (Ђ)
     1.279,99          1       -1.279,99
Млеко/l (Е)
       100,00          1         -100,00
----------------------------------------
Укупна рефундација:             1.497,97
Готовина:                         100,00
Платна картица:                 1.397,97
========================================
"""


def test_items_are_summed_by_label_and_payments_by_method() -> None:
    assert printed_totals(JOURNAL) == {"Е": Money("217.98"), "Ђ": Money("1279.99")}
    told = printed_payments(JOURNAL)
    assert told == {PaymentMethod.CASH: Money(100), PaymentMethod.CARD: Money("1397.97")}
    assert printed_totals("") == {}, "of another text nothing is read"
    assert printed_payments("Хвала на куповини") == {}
