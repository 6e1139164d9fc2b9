"""On every screen with a field somebody types, and scans: some scenes in `make test`, all in `make
faults`.

A program of its own scans, because each scene has a window and a loop of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CHOSEN = (
    "settings-mail", "first_start-store", "catalogue-edited", "advances-paid", "refund-whole",
    "attention-doubt",
)  # fmt: skip
"""Scenes of each kind of screen: behind the PIN, with a sum, before the sale, with a use for an
article's code, with nothing to type."""


def _program(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.gui.crawl.scans", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_scan_leads_away_from_nothing_that_is_typed() -> None:
    told = _program("--only", *CHOSEN)
    assert told.returncode == 0, told.stdout or told.stderr


@pytest.mark.deadline(3600)
@pytest.mark.long
def test_no_scan_leads_away_from_any_screen() -> None:
    told = _program()
    assert told.returncode == 0, told.stdout or told.stderr
