"""The pages that people read: short, each room told as it tells itself, and each word of the
glossary once, with a meaning and a module that exists."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
HALLS = ("cashier", "selling", "fiscalization", "domain", "adapters", "bootstrap")
"""The packages whose rooms have a section of their own."""


def first_line(package: Path) -> str:
    docstring = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))
    assert docstring is not None, package
    return docstring.splitlines()[0]


def rooms_of(hall: Path) -> list[str]:
    """The rows of the page for a package's rooms, by name."""
    folders = sorted(one.parent for one in hall.glob("*/__init__.py"))
    return [f"| `{one.name}/` | {first_line(one)} |" for one in folders]


def rows_below(heading: str) -> list[str]:
    below = ARCHITECTURE.partition(f"\n{heading}\n")[2].partition("\n#")[0]
    return [line for line in below.splitlines() if line.startswith("| `")]


@pytest.mark.parametrize("hall", HALLS)
def test_the_page_tells_each_room_as_it_tells_itself(hall: str) -> None:
    assert rows_below(f"### In `{hall}`") == rooms_of(ROOT / "pos_app" / hall)


def test_the_page_tells_each_package_as_it_tells_itself() -> None:
    assert rows_below("## Where things live") == rooms_of(ROOT / "pos_app")


# --- sizes ------------------------------------------------------------------------------------

_OF_ALL, _OF_ONE = 200_000, 12_000
_LONGER = frozenset({"glossary.md"})
"""A table of words, in which nobody reads from top to bottom."""
_LOOKED_UP = frozenset({"reference", "decisions"})


def sizes() -> dict[str, int]:
    """The bytes of each page, without those that are looked up."""
    pages = {page.relative_to(DOCS): page for page in DOCS.rglob("*.md")}
    return {
        name.as_posix(): page.stat().st_size
        for name, page in pages.items()
        if name.parts[0] not in _LOOKED_UP
    }


def too_large(found: Mapping[str, int]) -> list[str]:
    whole = sum(found.values())
    told = [f"all pages have {whole} bytes"] if whole > _OF_ALL else []
    long = (name for name, size in found.items() if size > _OF_ONE and name not in _LONGER)
    return [*told, *(f"{name}: {found[name]} bytes" for name in long)]


def test_the_pages_are_short() -> None:
    found = sizes()
    assert len(found) > 20
    assert set(found) >= _LONGER
    assert too_large(found) == []


# --- the glossary ----------------------------------------------------------------------------

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
CODE = ROOT / "pos_app"
_LEAST_WORDS = 120
_COLUMNS = 4


def rows_of(text: str) -> list[list[str]]:
    lines = [line[1:].removesuffix("|") for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    return [row for row in rows if row[0] != "term" and not set(row[0]) <= {"-"}]


def words_of(rows: list[list[str]]) -> list[str]:
    return [word for row in rows for word in row[0].split(", ")]


def is_there(place: str) -> bool:
    return (CODE / f"{place}.py").is_file() or (CODE / place / "__init__.py").is_file()


def wrong_rows(text: str) -> list[str]:
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
    assert wrong_rows(GLOSSARY) == []
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
    assert wrong_rows(row)
