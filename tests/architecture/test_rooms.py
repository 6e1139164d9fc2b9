"""Each room is told in docs/architecture.md by its own first line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
HALLS = ("cashier", "selling", "fiscalization", "domain", "adapters", "bootstrap")
"""The packages whose rooms have a section of their own."""


def first_line(package: Path) -> str:
    told = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))
    assert told is not None, package
    return told.splitlines()[0]


def rooms_of(hall: Path) -> list[str]:
    """The rows of the page for a package's rooms, by name."""
    folders = sorted(one.parent for one in hall.glob("*/__init__.py"))
    return [f"| `{one.name}/` | {first_line(one)} |" for one in folders]


def told(heading: str) -> list[str]:
    below = PAGE.partition(f"\n{heading}\n")[2].partition("\n#")[0]
    return [line for line in below.splitlines() if line.startswith("| `")]


@pytest.mark.parametrize("hall", HALLS)
def test_the_page_tells_each_room_as_it_tells_itself(hall: str) -> None:
    assert told(f"### In `{hall}`") == rooms_of(ROOT / "pos_app" / hall)


def test_the_page_tells_each_package_as_it_tells_itself() -> None:
    assert told("## Where things live") == rooms_of(ROOT / "pos_app")
