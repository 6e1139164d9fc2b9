"""The tables of keys and of screens: each is named there, and nowhere else in the till."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from pos_app import cashier
from pos_app.cashier import commands
from pos_app.cashier.attention.view import AttentionScreen
from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.cashier.texts.lookup import Texts

ROOM = Path(cashier.__file__).parent
KEY = r"(?:F(?:[1-9]|1[0-2])|Esc|Enter|Return|Del|(?:Alt|Ctrl|Shift)\+[^\"']*)"
NAME_OF_A_KEY = re.compile(KEY)
PERHAPS = re.compile(rf"([\"']){KEY}\1")
"""A file without this has no such text, and need not be parsed, which takes ten times as long."""


def test_no_other_file_names_a_key() -> None:
    named = [
        f"{path.relative_to(ROOM)}:{node.lineno} {node.value}"
        for path in ROOM.rglob("*.py")
        if path.name not in ("commands.py", "screens.py") and path.parent.name != "scanner"
        for source in [path.read_text(encoding="utf-8")]
        if PERHAPS.search(source)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if NAME_OF_A_KEY.fullmatch(node.value)
    ]
    assert named == []


def test_each_screen_tells_its_keys_once_and_the_way_back() -> None:
    texts = Texts("en")
    screens = (AttentionScreen, CatalogueScreen, SettingsScreen)
    pages = [*(commands.help_page(page, texts) for page in commands.KeyPage)]
    catalogue = CatalogueScreen
    pages_there = (catalogue.names_keys, catalogue.decisions_keys, catalogue.import_keys)
    of_screens = (*(screen.help_keys for screen in screens), *pages_there)
    for told in (*pages, *(commands.help_rows(rows, texts) for rows in of_screens)):
        caps = [cap for cap, _ in told]
        assert len(caps) == len(set(caps))
        assert commands.cap_of(commands.TillCommand.BACK) in caps
