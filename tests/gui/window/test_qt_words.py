"""Qt's own words are the till's, in each language: its file dialog and its questions."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLibraryInfo

from pos_app.cashier.ui.qt_words import CONTEXTS
from tests.gui.window.hands import Hands

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
ENGLISH = re.compile(r"[A-Za-z]{2,}")
KEYS = re.compile(r"\t.*|(Alt|Ctrl|Shift)\+\w+")
"""A menu tells keys beside its words, as they are printed on keyboards."""
NEVER = {
    "About Qt", "Apply", "Abort", "Close without Saving", "Discard", "False", "Help",
    "Hide Details...", "Ignore", "N&o to All", "Reset", "Restore Defaults", "Retry", "Save All",
    "Show Details...", "True", "Yes to &All",
}  # fmt: skip
"""Words of buttons, questions and cells that the till does not use."""


NO_WORDS = 0xFFFFFFFF


def told_by_qt() -> Iterator[tuple[str, str]]:
    """Each class with each text of Qt's, as Qt's translations list them."""
    places = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    content = (places / "qtbase_hr.qm").read_bytes()
    at, messages = 16, b""
    while at < len(content):
        section, length = struct.unpack_from(">BI", content, at)
        messages = content[at + 5 : at + 5 + length] if section == 0x69 else messages
        at += 5 + length
    at, context, source = 0, "", ""
    while at < len(messages):
        part, at = messages[at], at + 1
        if part == 1:
            yield context, source
            continue
        length = struct.unpack_from(">I", messages, at)[0] if part != 5 else 0
        length = 0 if length == NO_WORDS else length
        words = messages[at + 4 : at + 4 + length]
        at += 4 + length
        match part:
            case 6:
                source = words.decode()
            case 7:
                context = words.decode()


def test_qt_says_nothing_in_english_in_a_serbian_window(hands: Hands) -> None:
    seen = {
        (context, source)
        for context, source in told_by_qt()
        if context in CONTEXTS and source not in NEVER
    }
    assert {context for context, _ in seen} == CONTEXTS
    english = [
        (context, source, told)
        for context, source in sorted(seen)
        if ENGLISH.search(
            KEYS.sub("", told := QCoreApplication.translate(context, source)).replace("%1", "")
        )
        and "<h3>" not in source
    ]
    assert english == []
    cyrillic = {source: QCoreApplication.translate(context, source) for context, source in seen}
    hands.window.change(language="sr-Latn")
    assert QCoreApplication.translate("QLineEdit", "&Copy") == "Kopiraj"
    hands.window.change(language="en")
    assert QCoreApplication.translate("QLineEdit", "&Copy") == "Copy"
    assert QCoreApplication.translate("QFileDialog", "Forward") == "Forward"
    hands.window.change(language="sr-Cyrl")
    assert all(QCoreApplication.translate("QFileDialog", one) for one in cyrillic)
