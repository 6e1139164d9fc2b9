"""The words: complete in both languages, Latin made whole, plurals right, errors in three parts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from pos_app import po_file
from pos_app.cashier.services.long_work import time_left
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.errors import TextsDamaged
from tests.sweep import each

CATALOGUE = po_file.own("sr")
SERBIAN = {key: "\n".join(forms) for key, forms in CATALOGUE.forms.items()}
ENGLISH = {
    key: "\n".join(forms)
    for key, forms in po_file.own("en").forms.items()
    if not key.startswith("error.")
}


def test_counts_and_times_are_written_as_people_read_them() -> None:
    serbian, english = Texts("sr-Cyrl"), Texts("en")
    assert serbian.count("cat.import.do", 200_000) == "Увези 200.000 артикала"
    assert english.count("cat.import.do", 200_000) == "Import 200.000 items"
    told = [time_left(serbian, seconds) for seconds in (None, 89, 90, 1052)]
    assert told == ["", "још око 89 s", "још око 2 мин", "још око 18 мин"]


@each("language", LANGUAGES)
def test_a_text_that_was_taken_out_of_the_file_is_named(language: Language) -> None:
    with pytest.raises(TextsDamaged, match=r"nobody\.wrote\.this"):
        Texts(language)("nobody.wrote.this")
    with pytest.raises(TextsDamaged, match=rf"{language[:2]}\.po"):
        Texts(language).count("nobody.wrote.this", 3)


TO_THE_TILL = re.compile(
    r"\b(скенирај|провери|изабери|упиши|унеси|настави|остави|врати|позови|зови|инсталирај|угаси"
    r"|исправи|укуцај|притисни|покрени|ослободи|одговори|јави|направи|продај|покушај|погледај"
    r"|сачекај|додај|измери|пређи|постави|запиши|отвори|припреми|бриши|твој\w*|теби|тебе)\b",
    re.IGNORECASE,
)
"""Orders of a person to the till, as on a key: "Остави". The till says "Оставите" to the person."""


PRESSED = frozenset({"search.clear"})
"""The text of a key that stands among such texts."""


def sentences() -> list[tuple[str, str]]:
    """Sentences, parts of notices, prompts and faults of fields, and the steps of a case."""
    parts = (".safe", "_words", ".words")
    prompts = ("search.", "att.step.", "pay.fault.")
    return [
        (key, text)
        for key, text in SERBIAN.items()
        if text.endswith((".", "?"))
        or key.endswith(parts)
        or (key.startswith(prompts) and key not in PRESSED)
    ]


def test_a_person_is_spoken_to_formally() -> None:
    informal = {key: found[0] for key, text in sentences() if (found := TO_THE_TILL.search(text))}
    assert informal == {}
    assert len(sentences()) > 150


BARE = re.compile(r"(?:Да|Не|Yes|No)(?:,.*[^.]|)")
OF_QT = {"file.yes", "file.no"}
"""The answers of the system's window for files, which asks in its own words."""


@each("spoken", (SERBIAN, ENGLISH))
def test_an_answer_is_read_without_its_question(spoken: Mapping[str, str]) -> None:
    assert {key for key, text in spoken.items() if BARE.fullmatch(text)} == OF_QT


# --- what is not paid is a cart; a receipt is what was or will be issued -------------------------

CALLS_A_CART_A_RECEIPT = re.compile(
    r"рачун је (празан|какав|сачуван)|рачун остаје|\bостав\w* рачун|није на рачуну"
    r"|рачун\w* више није остављен|ставке рачуна"
    r"|receipt is (empty|as it was|kept|not held)|\bh[eo]ld (the )?receipt|items of the receipt"
    r"|is not on the receipt",
    re.IGNORECASE,
)


def test_what_is_not_paid_is_called_a_cart() -> None:
    for spoken in (SERBIAN, ENGLISH):
        wrong = {key for key, text in spoken.items() if CALLS_A_CART_A_RECEIPT.search(text)}
        assert wrong == set()


@each(
    "text",
    [
        "Ништа није издато; рачун је какав је био.", "Остављени рачуни", "Рачун је празан",
        "Оставите рачун са F6.", "The receipt is as it was.", "Held receipts", "Hold the receipt",
    ],
)  # fmt: skip
def test_a_cart_that_is_called_a_receipt_is_found(text: str) -> None:
    assert CALLS_A_CART_A_RECEIPT.search(text)


HEADER = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
PAY = 'msgid "key.pay"\nmsgstr "Наплата"\n'


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "No such file"),
        (b"", "Plural-Forms"),
        (b"\xff\xfe", "utf-8"),
        (PAY.encode(), "Plural-Forms"),
        ((HEADER + PAY.replace("Наплата", "")).encode(), "key.pay has no words"),
        ((HEADER + PAY.replace('pay"', "pay")).encode(), 'msgid "key.pay'),
        ((HEADER + "???\n" + PAY).encode(), "???"),
    ],
)
def test_a_damaged_file_of_texts_is_told_with_its_place(
    tmp_path: Path, content: bytes | None, why: str
) -> None:
    path = tmp_path / "sr.po"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(po_file.Damaged) as told:
        po_file.read(path)
    assert why in told.value.why
    assert told.value.path == path
