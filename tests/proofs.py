"""The counts of tests with faults: shown when a run ends, and written to a file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

PROPERTY = "proof"
TESTS = Path(__file__).parent
WRITTEN = Path(__file__).parents[1] / "build" / "faults.json"

_TEST = re.compile(r"^\s*(?:async )?def (test_\w+)", re.MULTILINE)


@dataclass
class Proof:
    """The counts of one kind of fault. tried: how often; lost, doubled: receipts; stuck: keys with
    no end."""

    name: str
    tried: int = 0
    lost: int = 0
    doubled: int = 0
    stuck: int = 0

    def count(self, *, signed: int, is_open: bool = False) -> None:
        """Count one more key, for which the processor holds `signed` receipts; one is right."""
        self.tried += 1
        self.lost += signed == 0 and not is_open
        self.doubled += max(0, signed - 1)
        self.stuck += is_open


def failed(members: dict[str, Any]) -> dict[str, Any]:
    """The counts of a failed test: where it counted no harm itself, one key counts as stuck."""
    is_told = members["lost"] or members["doubled"] or members["stuck"]
    return members if is_told else members | {"stuck": 1, "tried": max(1, members["tried"])}


def summed(all_members: Iterable[dict[str, Any]]) -> list[Proof]:
    """One row a name, by name; those of several workers are added up."""
    rows: dict[str, Proof] = {}
    for members in all_members:
        row = rows.setdefault(members["name"], Proof(members["name"]))
        row.tried += members["tried"]
        row.lost += members["lost"]
        row.doubled += members["doubled"]
        row.stuck += members["stuck"]
    return [rows[name] for name in sorted(rows)]


def table_of_proofs(rows: Iterable[Proof]) -> Iterator[str]:
    yield f"{'tried':>8} {'lost':>6} {'doubled':>8} {'stuck':>6}"
    for row in rows:
        yield f"{row.tried:>8} {row.lost:>6} {row.doubled:>8} {row.stuck:>6}  {row.name}"


def write(rows: Iterable[Proof], *, of_all: bool = False) -> None:
    """Write `build/faults.json`; rows of tests that were run before stay there while those tests
    exist. of_all: every test was run, so there are no others."""
    tests = set() if of_all else _tests()
    known = {row["name"]: row for row in _written() if row["name"] in tests}
    known |= {row.name: asdict(row) for row in rows}
    WRITTEN.parent.mkdir(exist_ok=True)
    told = {"rows": [known[name] for name in sorted(known)]}
    WRITTEN.write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")


def is_whole(config: pytest.Config) -> bool:
    """Tell whether every test is run: none is named, and none is left out."""
    some = ("keyword", "markexpr", "maxfail", "lf", "deselect", "ignore", "ignore_glob")
    by_default = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    return by_default and not any(config.getoption(name, None) for name in some)


def _tests() -> set[str]:
    found = (path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    return {name for text in found for name in _TEST.findall(text)}


def _written() -> list[dict[str, Any]]:
    try:
        rows: list[dict[str, Any]] = json.loads(WRITTEN.read_text(encoding="utf-8"))["rows"]
    except (OSError, ValueError, LookupError):
        return []
    return rows
