"""The public contracts are files in git: who changes one says so in CHANGELOG.md."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from tests.upgrade.contracts import (
    DOCUMENTS,
    RELEASES,
    Contract,
    changed,
    contracts,
    openapi_documents,
    plain,
)

CHANGELOG = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
RELEASED = sorted(
    (one.parent.name for one in RELEASES.glob("*/contracts.json")),
    key=lambda version: tuple(map(int, version.split("."))),
)


@cache
def now() -> dict[str, Contract]:
    found: dict[str, Contract] = plain(contracts())
    return found


def told_since(version: str, text: str = CHANGELOG) -> str:
    return re.split(rf"^## \[{re.escape(version)}\]", text, maxsplit=1, flags=re.MULTILINE)[0]


def untold(names: list[str], text: str) -> list[str]:
    """Return the changes whose entry is not named between backticks."""
    return [one for one in names if f"`{one.partition(': ')[2]}`" not in text]


def test_the_documents_in_git_are_those_that_are_served() -> None:
    for name, document in plain(openapi_documents()).items():
        stored = json.loads((DOCUMENTS / f"{name}.json").read_text(encoding="utf-8"))
        assert stored == document, f"write {name} anew: python -m tests.upgrade.contracts"


@pytest.mark.parametrize("version", RELEASED[-1:])
def test_each_change_since_the_release_is_told(version: str) -> None:
    before = json.loads((RELEASES / version / "contracts.json").read_text(encoding="utf-8"))
    assert untold(changed(before, now()), told_since(version)) == []


def test_a_change_that_nobody_tells_is_found() -> None:
    same: dict[str, Contract] = {"errors": {"1 A fix": 400}}
    before = same | {"settings": {"till.name": "", "till.gone": 1}}
    later = same | {"settings": {"till.name": "x", "till.new": 1}}
    names = changed(before, later)
    assert names == ["settings: till.gone", "settings: till.name", "settings: till.new"]
    log = (
        "## [Unreleased]\n\n- `till.name`, `till.new`\n\n## [4.0.0] - 2026-12-01\n\n- `till.gone`\n"
    )
    assert untold(names, told_since("4.0.0", log)) == ["settings: till.gone"]
    assert untold(names, told_since("4.0.1", log)) == []
