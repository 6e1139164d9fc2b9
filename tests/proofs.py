"""The counts of tests with faults: written to a file by each run, and added up in one table.

python -m tests.proofs            # prints the table of `build/faults.json`
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import pytest

PROPERTY = "proof"
TESTS = Path(__file__).parent
WRITTEN = Path(__file__).parents[1] / "build" / "faults.json"
KINDS = {
    "kills": r"kill|test_relay",
    "cuts": r"power_cut|nth_access|another_program|failing_reads",
    "restores": r"restored|backup|damaged|flipped|test_check",
    "fuzzed requests": r"random_requests",
    "machines": r"machine|legal_life",
    "other faults": "",
}
"""What the file's name of a test has, by the kind of its faults: the first that fits."""

_TEST = re.compile(r"^\s*(?:async )?def (test_\w+)", re.MULTILINE)


@dataclass
class Proof:
    """The counts of one kind of fault. tried: how often; in_flight: how often a receipt was under
    way then; lost, doubled: receipts; stuck: keys with no end; person: those that a person has to
    end. recovered: seconds until all was well again, of each that was measured."""

    name: str
    kind: str = "other faults"
    tried: int = 0
    in_flight: int = 0
    lost: int = 0
    doubled: int = 0
    stuck: int = 0
    person: int = 0
    recovered: list[float] = field(default_factory=list)

    def count(self, *, signed: int, is_open: bool = False) -> None:
        """Count one more key, for which the processor holds `signed` receipts; one is right."""
        self.tried += 1
        self.lost += signed == 0 and not is_open
        self.doubled += max(0, signed - 1)
        self.stuck += is_open

    def killed(self, *, in_flight: bool) -> None:
        """Count one more kill. in_flight: whether it met a receipt under way."""
        self.tried += 1
        self.in_flight += in_flight

    @property
    def wrong(self) -> str:
        """The harm in words; "" for none."""
        harm = {"lost": self.lost, "doubled": self.doubled, "stuck": self.stuck}
        return ", ".join(f"{name} {many}" for name, many in harm.items() if many)


def kind_of(path: Path) -> str:
    """Name the kind of faults of a file of tests."""
    inside = path.relative_to(TESTS).as_posix() if path.is_relative_to(TESTS) else path.name
    return next(kind for kind, names in KINDS.items() if re.search(names, inside))


def failed(members: dict[str, Any]) -> dict[str, Any]:
    """The counts of a failed test: where it counted no harm itself, one key counts as stuck."""
    is_told = members["lost"] or members["doubled"] or members["stuck"]
    return members if is_told else members | {"stuck": 1, "tried": max(1, members["tried"])}


def summed(all_members: Iterable[dict[str, Any]], by: str = "name") -> dict[str, Proof]:
    """One row a name, or a kind; those of several workers and tests are added up."""
    rows: dict[str, Proof] = {}
    for members in all_members:
        row = rows.setdefault(members[by], Proof(members[by], members["kind"]))
        for name in members.keys() - {"name", "kind"}:
            setattr(row, name, getattr(row, name) + members[name])
    return rows


def at(values: Sequence[float], percent: int) -> float:
    """The smallest value that `percent` per cent of the values do not exceed."""
    return sorted(values)[math.ceil(len(values) * percent / 100) - 1]


def table_of_proofs(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The table: a row a kind, also where nothing of a kind was tried."""
    yield (
        f"{'':16}{'tried':>9}{'in flight':>11}{'lost':>6}{'doubled':>9}{'stuck':>7}{'person':>8}"
        f"{'p50':>10}{'p99':>10}"
    )
    kinds = summed(rows, by="kind")
    for kind in KINDS:
        row = kinds.get(kind, Proof(kind))
        p50, p99 = (f"{at(row.recovered, n):.2f} s" if row.recovered else "" for n in (50, 99))
        yield (
            f"{kind:16}{row.tried:>9}{row.in_flight:>11}{row.lost:>6}{row.doubled:>9}{row.stuck:>7}"
            f"{row.person:>8}{p50:>10}{p99:>10}"
        )


def write(rows: dict[str, Proof], *, of_all: bool = False) -> None:
    """Write `build/faults.json`; rows of tests that were run before stay there while those tests
    exist. of_all: every test was run, so there are no others."""
    tests = set() if of_all else _tests()
    known = {row["name"]: row for row in _written() if row["name"] in tests}
    known |= {name: asdict(row) for name, row in rows.items()}
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
    names = {member.name for member in fields(Proof)}
    return [row for row in rows if row.keys() == names]  # a file may be of an older state


def main(failed_runs: Sequence[str]) -> int:
    """Print the table, and what is wrong; returns 0 where nothing is.

    failed_runs: the runs of tests that failed before.
    """
    rows = _written()
    wrong = [f"the run of {run} failed" for run in failed_runs]
    wrong += [f"{row['name']}: {words}" for row in rows if (words := Proof(**row).wrong)]
    tried = {row["kind"] for row in rows if row["tried"]}
    wrong += [f"{kind}: nothing was tried" for kind in KINDS if kind not in tried]
    sys.stdout.write("\n".join((*table_of_proofs(rows), *wrong)) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
