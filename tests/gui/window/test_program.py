"""The program around the window: it starts, sells, shows its own bugs, and ends in order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_it_sells_and_closes_cleanly(tmp_path: Path) -> None:
    picture = tmp_path / "till.png"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.gui.window.program", tmp_path / "d", picture],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.splitlines() == [
        "ready ('background 1',)",
        "no keyboard but ours True",
        "total 198.98",
        "notice ['Bug']",
        "issued Готовина 199,00. издат. ABCD1234-ABCD1234-1",
        "the counter was closed",
        "ended 0 signed 1",
    ], done.stderr
    assert "a bug of this program" in done.stderr
    assert "never awaited" not in done.stderr
    assert "was destroyed" not in done.stderr
    assert picture.stat().st_size > 20_000
