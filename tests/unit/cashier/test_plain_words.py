"""No text for a cashier has a technical word; words to read out to somebody come as a value."""

from __future__ import annotations

import re
from fnmatch import fnmatch

from pos_app import po_file
from tests.sweep import each
from tests.unit.cashier.test_refusals_have_words import everywhere

TECHNICAL = re.compile(
    r"`"
    r"|pos-app|--\w|Ctrl\+C\b"
    r"|\.(?:toml|json|db|log|py|exe|ini)\b"
    r"|\b[a-z]+(?:_[a-z]+)+\b"  # a name of the program
    r"|(?<![@\w])[a-z]{2,}\.[a-z]{2,}\b"  # a setting
    r"|\b(?:\d{1,3}\.){3}\d{1,3}\b"
    r"|\b(?:settings?|defaults?|ports?|hosts?|tokens?|databases?|logs?|logged|ledger|folders?|API|LAN"
    r"|URL|HTTP|JSON|SQL\w*|UTF-8|articles?)\b"
    r"|\b(?:подешавањ\w*|порт(?:а|у|ом|ови)?|баз[ауеом]{1,2}|фасцикл\w*|библиотек\w*)\b",
    re.IGNORECASE,
)
"""Names, files, commands and jargon. An article is an item in English, as on the keys."""

LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
KNOWN_IN_LATIN = frozenset({
    "PDF", "QR", "Enter", "Esc", "Tab", "MB", "GB", "Windows", "Latinica", "English", "ime",
    "firma", "rs",
})  # fmt: skip
"""Words that a cashier reads in Latin letters in a Cyrillic text."""
OF_SETTINGS = ("set.", "first.", "rep.", "more.settings", "right.settings")
"""Texts of the screens on which a manager sets the till up."""
SCREEN_NAME = frozenset({"settings", "подешавања"})
KNOWN_TO_MANAGER = frozenset({
    "PFX", "CA", "GLN", "https", "ms", "mm", "USB", "Windows", "CSV",
    "XLSX", "ODS", "XLS", "kg", "srpski", "latinica",
})  # fmt: skip
"""Words that the Tax Administration, the platform and other programs use for what they give."""
OF_API = (
    "set.api.", "set.page.api", "set.running.token", "set.value.server.", "set.backup.secrets",
)  # fmt: skip
"""Texts of the page that a manager opens with the person who sets up other programs."""
KNOWN_TO_PROGRAMMER = frozenset({"api", "token", "tokens", "port", "порт", "curl"})
"""Words that the settings of those programs use."""
OF_DEVICES = (
    "set.scan.", "set.group.scanner.", "set.value.scanner.", "set.value.mail.", "set.mail.",
)  # fmt: skip
"""Texts about a scanner, and about the shop's mail server."""
IN_THEIR_BOOKLET = frozenset({
    "port", "порт", "порту", "AIM", "COM", "dev", "ttyACM", "QWERTZ", "Tab", "TLS", "STARTTLS",
    "PEM",
})  # fmt: skip
"""Words that the scanner's booklet and the letter of the mail's provider use."""
OF_CASHIER_LOG = ("rep.list.acts", "rep.title.acts")
"""The name of the report of what cashiers did; its "log" is no file."""
VALUE = re.compile(r"{\w+}")
QUOTE = "'"
OF_COMMANDS = ("adapters/backup/", "bootstrap/")
"""What they refuse is told at a terminal too, in its words."""

SERBIAN = po_file.own("sr").forms
ENGLISH = {
    key: text for key, text in po_file.own("en").forms.items() if not key.startswith("error.")
}
ALL = [(key, form) for each in (SERBIAN, ENGLISH) for key, forms in each.items() for form in forms]


def plain(text: str) -> str:
    """The text without the names of its values."""
    return VALUE.sub(" ", text)


def test_no_text_has_a_technical_word() -> None:
    found = {
        (key, told)
        for key, text in ALL
        for told in TECHNICAL.findall(plain(text))
        if not (key.startswith(OF_SETTINGS) and told.lower() in SCREEN_NAME)
        if not (key.startswith(OF_API) and told.lower() in KNOWN_TO_PROGRAMMER)
        if not (key.startswith(OF_DEVICES) and told.lower() in IN_THEIR_BOOKLET)
        if not (key in OF_CASHIER_LOG and told.lower() == "log")
    }
    assert found == set()


def test_what_the_till_refuses_has_no_technical_word_in_english_either() -> None:
    """A till in English shows these texts."""
    codes = {"NotAllowed": "not_allowed", "NotFound": "not_found"}
    keys = {
        f"error.{codes[one.name]}.{VALUE.sub('*', (one.kind or '').removeprefix('f').strip(QUOTE))}"
        for one in everywhere()
        if not one.place.startswith(OF_COMMANDS)
    }
    made = [one for one in keys if "*" in one]
    told = [
        plain(form)
        for key, forms in po_file.own("en").forms.items()
        for whole in [key.removesuffix(".safe").removesuffix(".do")]
        if whole in keys or any(fnmatch(whole, one) for one in made)
        for form in forms
    ]
    assert {(one, found[0]) for one in told if (found := TECHNICAL.search(one))} == set()
    assert len(told) > 50


def test_a_serbian_text_has_no_english_word() -> None:
    found = {
        (key, word)
        for key, forms in SERBIAN.items()
        for form in forms
        for word in LATIN_WORD.findall(plain(form))
        if word not in KNOWN_IN_LATIN
        if not (key.startswith(OF_SETTINGS) and word in KNOWN_TO_MANAGER)
        if not (key.startswith(OF_API) and word.lower() in KNOWN_TO_PROGRAMMER)
        if not (key.startswith(OF_DEVICES) and word in IN_THEIR_BOOKLET)
    }
    assert found == set()


def test_no_text_shouts() -> None:
    assert {key for key, text in ALL if "!" in text} == set()


@each(
    "text",
    [
        "Подешава се у settings.toml.", "Call `sync` first.",
        "Import them with pos-app sync FILE.",
        "Choose another folder with --data.", "a shared lan_token", "in the setting server.port",
        "Порт је заузет", "Базу је писала новија верзија", "Set it to 127.0.0.1.",
        "It is in the log.", "Articles as a list", "локални API је искључен",
    ],
)  # fmt: skip
def test_a_technical_word_is_found(text: str) -> None:
    assert TECHNICAL.search(text)


@each(
    "text", ["ime@firma.rs", "нпр. 19.11.2026", "e.g. 14:30", "Купац пристаје", "Tap to resolve."]
)
def test_plain_words_are_left_alone(text: str) -> None:
    assert not TECHNICAL.search(text)
