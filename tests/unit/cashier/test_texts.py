"""The words: complete in both languages, Latin made whole, plurals right, errors in three parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pos_app import po_file
from pos_app.cashier.services.long_work import time_left
from pos_app.cashier.texts.lookup import LANGUAGES, Language, NoticeWords, Texts
from pos_app.domain.money.money import Money
from pos_app.errors import DiskFull, Invalid, NotAllowed, PortTaken, PosError, TextsDamaged
from tests.sweep import each

CATALOGUE = po_file.own("sr")
SERBIAN = {key: "\n".join(forms) for key, forms in CATALOGUE.forms.items()}
ENGLISH = {
    key: "\n".join(forms)
    for key, forms in po_file.own("en").forms.items()
    if not key.startswith("error.")
}
NAMES = re.compile(r"{(\w+)}")
CYRILLIC = re.compile(r"[\u0400-\u04FF]")


def test_no_cyrillic_is_left_in_latin_but_the_language_s_own_name() -> None:
    words = Texts("sr-Latn")
    for key, text in SERBIAN.items():
        values = dict.fromkeys(NAMES.findall(text), "X")
        if not key.startswith("language."):
            made = words.count(key, 1, **values) if "\n" in text else words(key, **values)
            assert not CYRILLIC.search(made), key


@each(
    ("n", "serbian", "english"),
    [
        (0, "0 ставки", "0 items"), (1, "1 ставка", "1 item"), (2, "2 ставке", "2 items"),
        (4, "4 ставке", "4 items"), (5, "5 ставки", "5 items"), (11, "11 ставки", "11 items"),
        (12, "12 ставки", "12 items"), (21, "21 ставка", "21 items"),
        (22, "22 ставке", "22 items"), (25, "25 ставки", "25 items"),
        (111, "111 ставки", "111 items"), (121, "121 ставка", "121 items"),
    ],
)  # fmt: skip
def test_plurals(n: int, serbian: str, english: str) -> None:
    assert Texts("sr-Cyrl").count("more.removed_words", n) == serbian
    assert Texts("en").count("more.removed_words", n) == english


def test_counts_and_times_are_written_as_people_read_them() -> None:
    serbian, english = Texts("sr-Cyrl"), Texts("en")
    assert serbian.count("cat.import.do", 200_000) == "Увези 200.000 артикала"
    assert english.count("cat.import.do", 200_000) == "Import 200.000 items"
    told = [time_left(serbian, seconds) for seconds in (None, 89, 90, 1052)]
    assert told == ["", "још око 89 s", "још око 2 мин", "још око 18 мин"]


def test_an_error_is_told_by_code_and_kind_else_by_code_else_as_it_was_raised() -> None:
    words = Texts()
    assert words.error(Invalid("decimals", what="x")).happened == "Превише децимала"
    assert words.error(Invalid("strange", what="x")).happened == "Унос није исправан"
    kept = words.error(DiskFull(what="The disk is full.")).safe
    assert kept == "Што је раније потврђено, сачувано је; ово није сачувано."
    without_its_port = PortTaken(what="The port is taken.", safe="Nothing is lost.", do="Wait.")
    assert words.error(without_its_port) == NoticeWords(
        "The port is taken", "Nothing is lost.", "Wait."
    )
    error = Invalid("number", what="the quantity is not a number")
    assert Texts("en").error(error) == NoticeWords("The quantity is not a number")
    held = NotAllowed("not_held", what="This cart is not held.", safe="It is kept.", do="Look.")
    assert Texts("en").error(held) == NoticeWords("This cart is not held", "It is kept.", "Look.")


def every_error() -> Iterator[PosError]:
    """One error for each text of errors that names values, with an amount in place of each."""
    classes, waiting = dict[str, type[PosError]](), [PosError]
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        if one.__module__ == PosError.__module__:
            classes[one.code] = one
    for key, forms in po_file.own("en").forms.items():
        _, _, rest = key.partition("error.")
        code, _, kind = rest.partition(".")
        names = {*NAMES.findall(forms[0])} - {"field"}
        if code in classes and names:
            values: dict[str, Any] = dict.fromkeys(names, Money("6235.91"))
            yield classes[code](kind, **values)


@each("language", LANGUAGES)
def test_an_error_writes_its_amounts_as_the_till_does(language: Language) -> None:
    words, tried = Texts(language), list(every_error())
    for error in tried:
        told = words.error(error)
        assert "6235.91" not in f"{told}", (error.code, error.full_kind)
    assert len(tried) > 100
    rest = Invalid("above_rest", field="amount", rest=Money("6235.91"))
    assert "6.235,91" in words.error(rest).happened


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
