"""The bench as a program: its cheapest part, from the command line to the line of a figure."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FIGURE = re.compile(
    r"^durable commit of one row +(?P<median>[\d.,]+) +(?P<p99>[\d.,]+) ms +(?P<count>\d+)"
    r" +≤ –/50 +(?P<mark>ok|MISSED) +(?P<cpu>[\d.]+) +(?P<fsync>[\d.]+) +(?P<load>[\d.]+)$",
    re.MULTILINE,
)


def bench(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.bench", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )


def test_a_figure_is_told_beside_its_target_and_the_machine() -> None:
    done = bench("--quick", "--only", "commits")
    assert (done.returncode, done.stderr) == (0, "")
    told = FIGURE.search(done.stdout)
    assert told is not None, done.stdout
    assert float(told["p99"]) >= float(told["median"]) > 0
    assert int(told["count"]) > 1
    assert min(float(told["cpu"]), float(told["fsync"])) > 0
    reached = "1" if told["mark"] == "ok" else "0"
    assert f"{reached} of 1 targets reached" in done.stdout


def test_an_unknown_part_is_refused_with_the_names_of_all() -> None:
    refused = bench("--only", "weather")
    assert refused.returncode == 2
    assert "commits" in refused.stderr
    assert "'weather'" in refused.stderr
