"""The pages that people read stay short, each of them and all together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
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


def faults(found: Mapping[str, int]) -> list[str]:
    whole = sum(found.values())
    told = [f"all pages have {whole} bytes"] if whole > _OF_ALL else []
    long = (name for name, size in found.items() if size > _OF_ONE and name not in _LONGER)
    return [*told, *(f"{name}: {found[name]} bytes" for name in long)]


def test_the_pages_are_short() -> None:
    found = sizes()
    assert len(found) > 20
    assert set(found) >= _LONGER
    assert faults(found) == []


@pytest.mark.parametrize(
    ("found", "many"),
    [
        ({"shop/day.md": 12_001}, 1),
        ({"shop/day.md": 12_000, "glossary.md": 20_000}, 0),
        (dict.fromkeys(map(str, range(17)), 12_000), 1),
    ],
)
def test_a_page_or_a_sum_that_is_too_large_is_told(found: dict[str, int], many: int) -> None:
    assert len(faults(found)) == many
