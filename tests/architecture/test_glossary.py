"""Each word of the glossary stands there once and names a module that exists."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")


def faults(text: str) -> list[str]:
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    terms = [row for row in rows if row[0] != "term" and not set(row[0]) <= set("-|")]
    found = [f"{row[0]}: not four columns" for row in terms if len(row) != 4]
    for row in terms:
        places = re.findall(r"`(pos_app/[^`]+)`", row[-1])
        found += [f"{row[0]}: {place} is gone" for place in places if not (ROOT / place).exists()]
        found += [] if places else [f"{row[0]}: it lives nowhere"]
    words = Counter(word for row in terms for word in row[0].split(", "))
    return [*found, *(f"{word}: told twice" for word, count in words.items() if count > 1)]


def test_each_word_lives_where_it_says() -> None:
    assert faults(GLOSSARY) == []


@pytest.mark.parametrize(
    "row",
    [
        "| lane | the way | – | `pos_app/fiscalization/gone.py` |",
        "| lane | the way | – | nowhere |",
        "| lane | the way | `pos_app/errors.py` |",
        "| lane | a | – | `pos_app/errors.py` |\n| lane | b | – | `pos_app/log.py` |",
    ],
)
def test_a_wrong_row_is_found(row: str) -> None:
    assert faults(row)
