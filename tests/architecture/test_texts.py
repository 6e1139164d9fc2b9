"""The texts of the till are complete in both languages, and each is used and gets its values."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from gettext import c2py
from pathlib import Path
from re import search

import polib
import pytest

from pos_app.cashier.texts.po_file import read
from tests.architecture import texts
from tests.architecture.texts import Module, Raised, Use

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "resources/texts/sr.po"
ERROR = "error."
SOME = 200
"""The numbers whose plural is tried."""


@cache
def catalogue() -> polib.POFile:
    return polib.pofile(str(CATALOGUE))


@cache
def product() -> list[Module]:
    return texts.modules(ROOT / "pos_app", ROOT)


def forms_of(entry: polib.POEntry) -> list[str]:
    return [*entry.msgstr_plural.values()] if entry.msgid_plural else [entry.msgstr]


def english_of(entry: polib.POEntry) -> list[str]:
    """Its English forms; an error has none, since its English stands where it is raised."""
    if entry.msgctxt is None:
        return []
    return [entry.msgid, entry.msgid_plural] if entry.msgid_plural else [entry.msgid]


def key_of(entry: polib.POEntry) -> str:
    key: str = entry.msgctxt or entry.msgid
    return key


def by_key() -> dict[str, tuple[str, ...]]:
    return {key_of(entry): (*forms_of(entry), *english_of(entry)) for entry in catalogue()}


def faults(entries: list[polib.POEntry], plurals: int) -> Iterator[str]:
    """The faults within the catalogue of texts. plurals: the number of Serbian forms."""
    keys = [key_of(entry) for entry in entries]
    yield from (f"{key}: written twice" for key in {*keys} if keys.count(key) > 1)
    for entry in entries:
        key, every = key_of(entry), [*forms_of(entry), *english_of(entry)]
        if (entry.msgctxt is None) != key.startswith(ERROR):
            yield f"{key}: an error's key is its msgid, any other its msgctxt"
        if "fuzzy" in entry.flags or entry.obsolete:
            yield f"{key}: fuzzy or obsolete"
        if not all(every):
            yield f"{key}: not translated"
        if any(form != form.strip() for form in every):
            yield f"{key}: begins or ends with a space"
        if entry.msgid_plural and len(forms_of(entry)) != plurals:
            yield f"{key}: {len(forms_of(entry))} forms, not {plurals}"
        try:
            named = {frozenset(texts.names_in(form) - {"n"}) for form in every}
            of_number = {"n" in texts.names_in(form) for form in every}
        except ValueError as error:
            yield f"{key}: {error}"
            continue
        if len(named) > 1 or (not entry.msgid_plural and len(of_number) > 1):
            yield f"{key}: its values differ between languages"


def test_the_catalogue_is_whole() -> None:
    told = catalogue().metadata["Plural-Forms"]
    found = search(r"nplurals=(\d+); *plural=(.+);", told)
    assert found
    plurals, plural = int(found[1]), c2py(found[2])
    assert {plural(n) for n in range(SOME)} == set(range(plurals))
    assert [*faults(list(catalogue()), plurals)] == []


def test_the_till_reads_it_as_the_tools_do() -> None:
    made = read(CATALOGUE)
    assert made.translated == {key_of(entry): (*forms_of(entry),) for entry in catalogue()}
    assert made.english == {
        key_of(entry): (*told,) for entry in catalogue() if (told := english_of(entry))
    }


def test_code_and_catalogue_agree() -> None:
    told = {key: forms for key, forms in by_key().items() if not key.startswith(ERROR)}
    spaces = {key.split(".")[0] for key in told if "." in key}
    uses = texts.uses(texts.modules(ROOT / "pos_app/cashier", ROOT), spaces)
    assert [*texts.disagreements(serbian(told), uses)] == []


def serbian(told: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    forms = {key_of(entry): (*forms_of(entry),) for entry in catalogue()}
    return {key: forms[key] for key in told}


def test_errors_and_catalogue_agree() -> None:
    told = {
        key.removeprefix(ERROR): forms for key, forms in by_key().items() if key.startswith(ERROR)
    }
    raised = texts.raised_in(product())
    assert [*texts.wrong_errors(told, raised)] == []


SERVERS = ("fiscalization", "local_api", "platform_api", "pfr_emulator", "http_front")
"""Packages whose errors the till does not see: over HTTP they come as refused, or unknown."""
WITHOUT_WORDS = {
    "PosError": "what is raised is always a kind of it",
    "RemoteError": "likewise",
    "AlreadyStored": "in the server's journal alone",
    "TextsDamaged": "there are none to tell it with",
    "NoReceipt": "of a sale without a window",
}


def test_every_error_that_the_till_can_show_has_words() -> None:
    """An error has its own words, or those of an error that it derives from."""
    told = by_key().keys()
    missing = {
        kind.name
        for kind in texts.errors_in(product())
        if kind.room not in SERVERS and kind.name not in WITHOUT_WORDS
        if not any(f"{ERROR}{code}" in told for code in kind.codes)
    }
    assert missing == set()
    raised = {one.code for one in texts.raised_in(product())}
    assert raised.isdisjoint({"pos_error", "remote_error"})


# --- each of them is found -----------------------------------------------------------------------


def entry(key: str, english: str, *serbian: str, **more: object) -> polib.POEntry:
    if len(serbian) == 1:
        return polib.POEntry(msgctxt=key, msgid=english, msgstr=serbian[0], **more)
    forms = dict(enumerate(serbian))
    return polib.POEntry(
        msgctxt=key, msgid=english, msgid_plural=english, msgstr_plural=forms, **more
    )


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (entry("a", "Pay", ""), "not translated"),
        (entry("a", "{n} item", "{n} ставка", "", "{n} ставки"), "not translated"),
        (entry("a", "{n} item", "{n} ставка", "{n} ставки"), "2 forms"),
        (entry("a", "Pay {total}", "Плати {totl}"), "differ"),
        (entry("a", "Pay {total}", "Плати"), "differ"),
        (entry("a", "Pay {total", "Плати {total}"), "expected"),
        (entry("a", "Pay", "Плати", flags=["fuzzy"]), "fuzzy"),
        (entry("a", "Pay", "Плати "), "space"),
        (entry("error.invalid", "No", "Не"), "msgid"),
        (polib.POEntry(msgid="a", msgstr="Плати"), "msgctxt"),
    ],
)
def test_a_wrong_text_is_found(wrong: polib.POEntry, told: str) -> None:
    assert [told in one for one in faults([wrong], 3)] == [True]


def test_a_key_that_is_written_twice_is_found() -> None:
    assert [*faults([entry("a", "Pay", "Плати"), entry("a", "Pay", "Плати")], 3)]


TOLD = {
    "key.pay": ("Наплата",),
    "key.pay.short": ("Плати",),
    "why.no_line": ("Ништа",),
    "why.empty": ("Празно",),
    "items": ("{n} ставка", "{n} ставке", "{n} ставки"),
    "price": ("{price} за {unit}",),
}
USED = """
def shown(texts, why: Literal["no_line", "empty"], n):
    texts("key.pay"), texts("key.pay.short"), texts(f"why.{why}")
    texts.count("items", n), texts("price", price=1, unit=2)
"""


def used(source: str) -> list[Use]:
    tree = ast.parse(f"from typing import Literal\n{source}")
    module = Module("typing", tree, "shown.py")
    return texts.uses(texts.linked([module]), {"key", "why"})


def test_what_agrees_is_left_alone() -> None:
    assert [*texts.disagreements(TOLD, used(USED))] == []


@pytest.mark.parametrize(
    ("there", "instead", "told"),
    [
        ('texts("key.pay")', 'texts("key.pey")', "no text has the key"),
        ('texts("key.pay")', 'key = "key.pey"', "no text has the key"),
        ('texts("key.pay")', "texts('key.pey' if n else 'key.pay')", "no text has the key"),
        ('texts("key.pay")', 'print("nothing")', "used nowhere"),
        ('texts(f"why.{why}")', 'texts(f"whys.{n}")', "no text has such a key"),
        ('texts(f"why.{why}")', 'texts("why.empty")', "used nowhere"),
        ("unit=2", "unti=2", "takes"),
        (", unit=2", "", "takes"),
        ("unit=2", "unit=2, more=3", "no such text takes"),
        ('texts.count("items", n)', 'texts("items")', "3 forms"),
        ('texts("key.pay")', 'texts.count("key.pay", n)', "1 forms"),
    ],
)
def test_what_does_not_agree_is_found(there: str, instead: str, told: str) -> None:
    assert there in USED
    found = [*texts.disagreements(TOLD, used(USED.replace(there, instead)))]
    assert any(told in one for one in found), found


@pytest.mark.parametrize(
    "source",
    [
        'def a(texts, n):\n    key = "why.empty" if n else "why.no_line"\n    return texts(key)',
        'def a(texts, key):\n    texts(f"why.{key}")\na(1, "empty"), a(1, key="no_line")',
        'def a(texts):\n    texts(f"why.{b()}")\ndef b():\n    return "empty" if 1 else "no_line"',
        'KEYS = {1: "why.empty", 2: "why.no_line"}',
    ],
)
def test_a_key_is_followed_to_where_it_is_made(source: str) -> None:
    told = {key: TOLD[key] for key in ("why.no_line", "why.empty")}
    assert [*texts.disagreements(told, used(source))] == []
    more = {**told, "why.other": ("Друго",)}
    assert [*texts.disagreements(more, used(source))] == ['"why.other" is used nowhere']


RAISED = [Raised("a.py:1", "invalid", frozenset({"number"}), frozenset({"kind", "most"}))]


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("invalid.nomber", "no such error"),
        ("invald", "no such error"),
        ("invalid.number.safe", "there is no"),
    ],
)
def test_a_text_of_no_error_is_found(key: str, told: str) -> None:
    (found,) = texts.wrong_errors({key: ("Не",)}, RAISED)
    assert told in found


def test_an_error_without_the_value_that_its_text_names_is_found() -> None:
    assert [*texts.wrong_errors({"invalid.number": ("До {most}",)}, RAISED)] == []
    assert [*texts.wrong_errors({"invalid.number": ("До {least}",)}, RAISED)]
