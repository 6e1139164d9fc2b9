"""The bench as a program: its command line, and the line and row of each figure."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.sqlite.database import open_reader
from tests.bench.__main__ import ALL, EXTRA, GROWTH
from tests.bench.big_journal import multiply
from tests.integration.fiscalization.late_shop import late_shop
from tests.integration.fiscalization.test_put_back import KEY, sell_as_till
from tests.sweep import LONG

ROOT = Path(__file__).parents[2]
FIGURE = re.compile(
    r"^durable commit of one row +(?P<median>[\d.,]+) +(?P<p99>[\d.,]+) ms +(?P<count>\d+)"
    r" +≤ –/50 +(?P<mark>ok|MISSED) +(?P<cpu>[\d.]+) +(?P<fsync>[\d.]+) +(?P<load>[\d.]+)$",
    re.MULTILINE,
)


EVERY = (*ALL, *EXTRA)
OVER_A_CATALOGUE = ALL[: ALL.index("platform")]
RUNS = (OVER_A_CATALOGUE, ALL[len(OVER_A_CATALOGUE) :])
"""Those of the first run share one catalogue, and the till's one window."""


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


def test_a_figure_is_told_beside_its_target_and_the_machine(tmp_path: Path) -> None:
    written = tmp_path / "build" / "bench.json"
    done = bench(written, "--only", "commits")
    assert (done.returncode, done.stderr) == (0, "")
    told = FIGURE.search(done.stdout)
    assert told is not None, done.stdout
    assert float(told["p99"]) >= float(told["median"]) > 0
    assert int(told["count"]) > 1
    assert min(float(told["cpu"]), float(told["fsync"])) > 0
    reached = "1" if told["mark"] == "ok" else "0"
    assert f"{reached} of 1 targets reached" in done.stdout
    (row,) = rows_of(written)
    assert row["median"] == pytest.approx(float(told["median"]), abs=0.06)
    assert row["name"] == "durable commit of one row"
    assert (row["unit"], row["target"]) == ("ms", "≤ –/50")
    assert (row["met"], row["samples"]) == (told["mark"] == "ok", int(told["count"]))
    assert set(row["reference"]) == {"cpu_ms", "fsync_ms", "load"}


@pytest.mark.parametrize(
    "parts", [*RUNS, pytest.param(EXTRA, marks=LONG)], ids=["till", "platform", "growth"]
)
def test_every_part_gives_its_figures_in_the_short_form(
    tmp_path: Path, parts: tuple[str, ...]
) -> None:
    """They run one after the other over one shop, as in `make bench`. Those of `make growth` run in
    `make faults` alone."""
    written = tmp_path / "bench.json"
    done = bench(written, "--only", *parts)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "NOT MEASURED" not in done.stdout
    rows = rows_of(written)
    assert all(row["median"] is not None and row["samples"] for row in rows)
    grown = [row for row in rows if row["part"].startswith("growth")]
    assert all(row["size"] and f"{row['size']} " not in row["name"] for row in grown)
    assert len({row["part"] for row in grown}) == len(set(parts) & set(GROWTH))


@pytest.mark.long
@pytest.mark.parametrize("part", EVERY)
def test_each_part_runs_alone(tmp_path: Path, part: str) -> None:
    done = bench(tmp_path / "bench.json", "--only", part)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_a_part_that_breaks_is_told_and_ends_no_other(tmp_path: Path) -> None:
    kept, written = tmp_path / "kept", tmp_path / "bench.json"
    kept.mkdir()
    (kept / "commits").write_text("where a folder should be")
    done = bench(written, "--only", "commits", "import", "--keep", str(kept))
    assert done.returncode == 1
    assert "NOT MEASURED" in done.stdout
    assert "1 parts NOT MEASURED" in done.stdout
    assert {row["part"] for row in rows_of(written)} == {"catalogue"}


async def test_a_journal_is_filled_from_the_receipt_of_a_till(folder: Path) -> None:
    """A receipt's number in the till is unique, so the copies have none."""
    async with late_shop(folder) as shop:
        await sell_as_till(shop, KEY, till_sequence=1)
    path = folder / "journal.db"
    multiply(path, 10)
    with closing(open_reader(path)) as connection:
        assert connection.execute("SELECT count(*) FROM receipts").get == 11


def test_an_unknown_part_is_refused_with_the_names_of_all(tmp_path: Path) -> None:
    refused = bench(tmp_path / "bench.json", "--only", "weather")
    assert refused.returncode == 2
    assert "commits" in refused.stderr
    assert "'weather'" in refused.stderr
