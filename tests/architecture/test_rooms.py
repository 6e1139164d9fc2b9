"""Each room of the cashier and the domain is told in docs/architecture.md by its own first line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines()


def first_line(package: Path) -> str:
    told = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))
    assert told is not None, package
    return told.splitlines()[0]


def rooms_of(hall: str) -> list[str]:
    """The rows of the page for a package's rooms, by name."""
    folders = sorted(one.parent for one in (ROOT / "pos_app" / hall).glob("*/__init__.py"))
    return [f"| `{hall}/{one.name}/` | {first_line(one)} |" for one in folders]


@pytest.mark.parametrize("hall", ["cashier", "domain"])
def test_the_page_tells_each_room_as_it_tells_itself(hall: str) -> None:
    told = [line for line in PAGE if line.startswith(f"| `{hall}/") and line.count("|") == 3]
    assert told == rooms_of(hall)
