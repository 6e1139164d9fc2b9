"""The bench as a program: its command line, and the line and row of each figure."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bench.__main__ import EXTRA, GROWTH, PARTS

ROOT = Path(__file__).parents[2]


def test_figures_are_told_beside_their_targets(tmp_path: Path) -> None:
    written = tmp_path / "build" / "bench.json"
    done = bench(written, "--only", "commits")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    rows = rows_of(written)
    asked = [bool(row["met"]) for row in rows if row["target"] is not None]
    assert f"{sum(asked)} of {len(asked)} targets reached" in done.stdout
    row = rows[0]
    assert (row["name"], row["unit"]) == ("durable commit of one row", "ms")
    assert row["median"] > 0 < row["samples"]
    assert set(row["reference"]) == {"cpu_ms", "fsync_ms", "load"}


TOGETHER = ("commits", "import", "start", "scans", "searches", "table", "sales", "api")
"""Parts that share one catalogue, one window and one server."""
OTHERS = tuple(part for part in PARTS if part not in TOGETHER)


def bench(written: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.bench", "--quick", "--json", str(written), *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )


def rows_of(written: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(written.read_text(encoding="utf-8"))["rows"]
    return rows


@pytest.mark.long
@pytest.mark.parametrize(
    "parts", [TOGETHER, OTHERS, tuple(EXTRA)], ids=["together", "others", "growth"]
)
def test_every_part_gives_its_short_figures(tmp_path: Path, parts: tuple[str, ...]) -> None:
    written = tmp_path / "bench.json"
    done = bench(written, "--only", *parts)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "NOT MEASURED" not in done.stdout
    rows = rows_of(written)
    assert all(row["median"] is not None and row["samples"] for row in rows)
    grown = [row for row in rows if row["part"].startswith("growth")]
    assert all(row["size"] and f"{row['size']} " not in row["name"] for row in grown)
    assert len({row["part"] for row in grown}) == len(set(parts) & set(GROWTH))
