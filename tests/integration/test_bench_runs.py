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
from tests.bench.__main__ import ALL, EXTRA, GROWTH, main
from tests.bench.big_journal import multiply
from tests.integration.fiscalization.late_shop import late_shop
from tests.integration.fiscalization.test_put_back import KEY, sell_as_till

ROOT = Path(__file__).parents[2]
FIGURE = re.compile(
    r"^durable commit of one row +(?P<median>[\d.,]+) +(?P<p99>[\d.,]+) ms +(?P<count>\d+)"
    r" +≤ –/50 +(?P<mark>ok|MISSED) +(?P<cpu>[\d.]+) +(?P<fsync>[\d.]+) +(?P<load>[\d.]+)$",
    re.MULTILINE,
)


TOGETHER = ("commits", "import", "start", "scans", "searches", "table", "sales", "api", "lookups")
"""Parts that share one catalogue, one window and one server."""
OTHERS = tuple(part for part in ALL if part not in TOGETHER)


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


def test_figures_are_told_beside_their_targets_and_the_machine(tmp_path: Path) -> None:
    written = tmp_path / "build" / "bench.json"
    done = bench(written, "--only", "commits")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    rows = rows_of(written)
    asked = [bool(row["met"]) for row in rows if row["target"] is not None]
    assert f"{sum(asked)} of {len(asked)} targets reached" in done.stdout

    told = FIGURE.search(done.stdout)
    assert told is not None, done.stdout
    assert float(told["p99"]) >= float(told["median"]) > 0
    assert int(told["count"]) > 1
    assert min(float(told["cpu"]), float(told["fsync"])) > 0
    row = rows[0]
    assert row["median"] == pytest.approx(float(told["median"]), abs=0.06)
    assert row["name"] == "durable commit of one row"
    assert (row["unit"], row["target"]) == ("ms", "≤ –/50")
    assert (row["met"], row["samples"]) == (told["mark"] == "ok", int(told["count"]))
    assert set(row["reference"]) == {"cpu_ms", "fsync_ms", "load"}


@pytest.mark.long
@pytest.mark.parametrize("parts", [TOGETHER, OTHERS, EXTRA], ids=["together", "others", "growth"])
def test_every_part_gives_its_figures_in_the_short_form(
    tmp_path: Path, parts: tuple[str, ...]
) -> None:
    """The parts run one after the other over one shop, as in `make bench`."""
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
@pytest.mark.parametrize("part", [*ALL, *EXTRA])
def test_each_part_runs_alone(tmp_path: Path, part: str) -> None:
    done = bench(tmp_path / "bench.json", "--only", part)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_a_part_that_breaks_is_told_and_ends_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a process of its own the bench looks for its programs' bytecode elsewhere, so the setting
    is put back."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")
    kept, written = tmp_path / "kept", tmp_path / "bench.json"
    kept.mkdir()
    (kept / "commits").write_text("where a folder should be")
    words = ["--quick", "--json", str(written), "--only", "commits", "import", "--keep", str(kept)]
    assert main(words) == 1
    told = capsys.readouterr().out
    assert "NOT MEASURED" in told
    assert "1 parts NOT MEASURED" in told
    assert {row["part"] for row in rows_of(written)} == {"catalogue"}


async def test_a_journal_is_filled_from_the_receipt_of_a_till(folder: Path) -> None:
    """A receipt's number in the till is unique, so the copies have none."""
    async with late_shop(folder) as shop:
        await sell_as_till(shop, KEY, till_sequence=1)
    path = folder / "journal.db"
    multiply(path, 10)
    with closing(open_reader(path)) as connection:
        assert connection.execute("SELECT count(*) FROM receipts").get == 11


def test_an_unknown_part_is_refused_with_the_names_of_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--quick", "--only", "weather"])
    told = capsys.readouterr().err
    assert "commits" in told
    assert "'weather'" in told
