"""Each word of the glossary stands there once, has a meaning, and names a module that exists."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
CODE = ROOT / "pos_app"
_LEAST_WORDS = 150
_COLUMNS = 4


def rows_of(text: str) -> list[list[str]]:
    lines = [line[1:].removesuffix("|") for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    return [row for row in rows if row[0] != "term" and not set(row[0]) <= {"-"}]


def words_of(rows: list[list[str]]) -> list[str]:
    return [word for row in rows for word in row[0].split(", ")]


def is_there(place: str) -> bool:
    return (CODE / f"{place}.py").is_file() or (CODE / place / "__init__.py").is_file()


def faults(text: str) -> list[str]:
    terms = rows_of(text)
    found = [f"{row[0]}: not four columns" for row in terms if len(row) != _COLUMNS]
    for row in terms:
        places = re.findall(r"`([^`]+)`", row[-1])
        found += [f"{row[0]}: {place} is gone" for place in places if not is_there(place)]
        found += [] if places else [f"{row[0]}: it lives nowhere"]
        found += [] if row[-2] else [f"{row[0]}: it has no meaning"]
    told = Counter(words_of(terms))
    return [*found, *(f"{word}: told twice" for word, count in told.items() if count > 1)]


def test_each_word_lives_where_it_says() -> None:
    assert faults(GLOSSARY) == []
    assert len(words_of(rows_of(GLOSSARY))) > _LEAST_WORDS


@pytest.mark.parametrize(
    "row",
    [
        "| lane | | the way | `fiscalization/gone` |",
        "| lane | | the way | `fiscalization/lane/lane.py` |",
        "| lane | | the way | nowhere |",
        "| lane | | | `errors` |",
        "| lane | the way | `errors` |",
        "| lane | | a | `errors` |\n| lane | | b | `log` |",
    ],
)
def test_a_wrong_row_is_found(row: str) -> None:
    assert faults(row)


def test_a_right_row_is_none() -> None:
    assert not faults("| lane, way | пут | the way | `errors` |\n| log | | a | `fiscalization` |")
