"""The texts are complete in each language, and each is used and gets its values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from gettext import c2py
from pathlib import Path

import polib
import pytest

from pos_app import po_file
from tests.architecture import texts
from tests.architecture.texts import Code, Raised

ROOT = Path(__file__).parents[2]
LANGUAGES = tuple(sorted(path.stem for path in po_file.path_of("en").parent.glob("*.po")))
ERROR = "error."
SOME = 200
"""The numbers whose plural is tried."""


@cache
def catalogue(language: str) -> polib.POFile:
    return polib.pofile(str(po_file.path_of(language)))


@cache
def product() -> Code:
    return Code.of(ROOT / "pos_app")


@cache
def raised() -> list[Raised]:
    return [*texts.raised_in(product())]


def forms_of(entry: polib.POEntry) -> tuple[str, ...]:
    return (*entry.msgstr_plural.values(),) if entry.msgid_plural else (entry.msgstr,)


def by_key(language: str) -> dict[str, tuple[str, ...]]:
    return {entry.msgid: forms_of(entry) for entry in catalogue(language)}


def of_errors(language: str) -> dict[str, tuple[str, ...]]:
    told = by_key(language)
    return {key.removeprefix(ERROR): told[key] for key in told if key.startswith(ERROR)}


def of_screens(language: str) -> dict[str, tuple[str, ...]]:
    told = by_key(language)
    return {key: told[key] for key in told if not key.startswith(ERROR)}


def faults(entries: list[polib.POEntry], plurals: int) -> Iterator[str]:
    """The faults within the file of a language. plurals: the number of its forms."""
    keys = [entry.msgid for entry in entries]
    yield from (f"{key}: written twice" for key in {*keys} if keys.count(key) > 1)
    for entry in entries:
        key, every = entry.msgid, forms_of(entry)
        if entry.msgctxt is not None or entry.msgid_plural not in ("", key):
            yield f"{key}: an entry's id is its msgid, and its msgid_plural if it has plurals"
        if "fuzzy" in entry.flags or entry.obsolete:
            yield f"{key}: fuzzy or obsolete"
        if not all(every):
            yield f"{key}: not translated"
        if any(form != form.strip() for form in every):
            yield f"{key}: begins or ends with a space"
        if entry.msgid_plural and len(every) != plurals:
            yield f"{key}: {len(every)} forms, not {plurals}"
        try:
            named = {frozenset(texts.names_in([form]) - {"n"}) for form in every}
        except ValueError as error:
            yield f"{key}: {error}"
            continue
        if len(named) > 1:
            yield f"{key}: its values differ between its forms"


def differences(one: dict[str, tuple[str, ...]], other: dict[str, tuple[str, ...]]) -> set[str]:
    """The ids of texts that one language lacks, or that differ in their values or plurals."""

    def shape(forms: tuple[str, ...]) -> tuple[bool, set[str]]:
        names = texts.names_in(forms)
        return len(forms) > 1, names - {"n"} if len(forms) > 1 else names

    both = one.keys() & other.keys()
    return {key for key in both if shape(one[key]) != shape(other[key])} | one.keys() ^ other.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_of_a_language_is_whole(language: str) -> None:
    told = catalogue(language).metadata["Plural-Forms"]
    found = re.search(r"nplurals=(\d+); *plural=(.+);", told)
    assert found
    plurals, plural = int(found[1]), c2py(found[2])
    assert {plural(n) for n in range(SOME)} == set(range(plurals))
    assert [*faults(list(catalogue(language)), plurals)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_program_reads_it_as_the_tools_do(language: str) -> None:
    assert po_file.own(language).forms == by_key(language)


def test_the_texts_of_errors_are_the_last_of_the_english_file() -> None:
    english = po_file.own("en").forms
    errors = {key: forms for key, forms in english.items() if key.startswith("error.")}
    assert po_file.english_errors() == errors


NEVER_ASKED = {
    "att.op.issue",
    "receipts.copy.under_way",
    "set.pfr.choose.pac",
    "set.prn.page.dropped",
    "set.prn.page.waiting",
    "status.server.stranger",
    "typing.script",
    "typing.shift",
}
"""Ids of members that the code excludes before it asks for the text, or of a likely enumeration
that it does not mean."""
OF_SERVER_ACTS = ("receipt.", "drawer.")
"""Ids that are made whole of an act and its outcome, in pos_app/cashier/sale/notices.py."""


def test_code_and_file_agree_and_each_member_that_makes_an_id_has_its_text() -> None:
    """All of it in one test, since the code is read for it once, in seconds."""
    told = of_screens("en")
    spaces = {key.split(".")[0] for key in told if "." in key}
    uses = texts.uses(product(), spaces, "pos_app/cashier/")
    words = product().words()
    for language in LANGUAGES:
        found = texts.disagreements(of_screens(language), uses, words)
        assert [one for one in found if not one.lstrip('"').startswith(OF_SERVER_ACTS)] == []
    assert texts.untold(told, uses, product().enumerations()) == NEVER_ASKED


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_each_text_of_the_screens_with_the_same_values(language: str) -> None:
    assert differences(of_screens("en"), of_screens(language)) == set()


def test_errors_and_file_agree_and_each_error_has_english_words() -> None:
    for language in LANGUAGES:
        assert [*texts.wrong_errors(of_errors(language), raised())] == [], language
    assert [*texts.wordless(of_errors("en"), raised())] == []
    assert [*texts.unused(of_errors("en"), raised())] == []


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
    told = of_errors("sr")
    missing = {
        name
        for name, kind in texts.errors_in(product()).items()
        if not any(f"pos_app/{room}/" in kind.location for room in SERVERS)
        if name not in WITHOUT_WORDS and not any(code in told for code in kind.codes)
    }
    assert missing == set()
    assert {one.codes[0] for one in raised()}.isdisjoint({"pos_error", "remote_error"})


COUNTED = re.compile(r"\{(?:n|of|many|rows|count|waiting)\} (?!од\b)[а-яђјљњћџ]")
"""A number before a word that it governs."""
SAME_FOR_ALL = {
    "receipts.not_whole": "од 1, 2 and 5 рачуна",
    "rep.asking_days": "од 1, 2 and 5 дана",
    "cat.conflicts.more": "the number is the subject: још 1, 2 and 5 биће",
    "shift.kinds": "од 1, 2 and 5 вредности",
    "cat.minutes_left": "мин is not inflected",
}
"""Texts with one form for every number, and why."""


def test_a_counted_word_has_the_forms_of_its_numbers() -> None:
    """Serbian has three: 1 ред, 2 реда, 5 редова."""
    single = {key: forms[0] for key, forms in by_key("sr").items() if len(forms) == 1}
    counted = {key for key, text in single.items() if COUNTED.search(text)}
    assert counted == SAME_FOR_ALL.keys()


# --- each of them is found -----------------------------------------------------------------------


def entry(key: str, *forms: str, **more: object) -> polib.POEntry:
    if len(forms) == 1:
        return polib.POEntry(msgid=key, msgstr=forms[0], **more)
    plural = {"msgid_plural": key, "msgstr_plural": dict(enumerate(forms))}
    return polib.POEntry(msgid=key, **plural | more)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (entry("a", ""), "not translated"),
        (entry("a", "{n} ставка", "", "{n} ставки"), "not translated"),
        (entry("a", "{n} ставка", "{n} ставки"), "2 forms"),
        (entry("a", "{n} {of}", "{n} {off}", "{n} {of}"), "differ"),
        (entry("a", "Плати {total"), "expected"),
        (entry("a", "Плати", flags=["fuzzy"]), "fuzzy"),
        (entry("a", "Плати "), "space"),
        (entry("a", "Плати", msgctxt="b"), "msgid"),
        (entry("a", "{n} ставка", "{n} ставке", "{n} ставки", msgid_plural="b"), "msgid"),
    ],
)
def test_a_wrong_text_is_found(wrong: polib.POEntry, told: str) -> None:
    assert [told in one for one in faults([wrong], 3)] == [True]


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


def disagreements(source: str, told: texts.Forms = TOLD) -> list[str]:
    code = Code({"shown.py": ast.parse(source)})
    return [*texts.disagreements(told, texts.uses(code, {"key", "why"}), code.words())]


def test_what_agrees_is_left_alone() -> None:
    assert disagreements(USED) == []


@pytest.mark.parametrize(
    ("there", "instead", "told"),
    [
        ('texts("key.pay")', 'texts("key.pey")', "no text has the key"),
        ('texts("key.pay")', 'key = "key.pey"', "no text has the key"),
        ('texts("key.pay")', "texts('key.pey' if n else 'key.pay')", "no text has the key"),
        ('texts("key.pay")', "k = 'key.pey' if n else 'key.pay'; texts(k)", "no text has the key"),
        ('texts("key.pay")', 'print("nothing")', "used nowhere"),
        ('texts(f"why.{why}")', 'texts(f"whys.{n}")', "no text has the key"),
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
    found = disagreements(USED.replace(there, instead))
    assert any(told in one for one in found), found
