"""Every scene of the till in one shape of its own; `make screenshots` looks at all shapes.

A program of its own walks through them, because Attention's scenes run a loop of their own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_nothing_is_cut_covered_small_faint_or_unnamed() -> None:
    command = ["-m", "tests.gui.crawl", "--share", "--no-pictures", "--jobs=2"]
    told = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert told.returncode == 0, told.stdout or told.stderr
