"""The tables of keys and of screens: each is named there, and nowhere else in the till."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from pos_app import cashier

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
