"""Every scene of the till in one shape of its own; `make screenshots` looks at all shapes.

A program of its own walks through them, because Attention's scenes run a loop of their own.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.gui import pictures
from tests.gui.crawl import __main__ as crawl
from tests.gui.crawl.scenes import SHARES
from tests.gui.settings import screens
from tests.sweep import sampled

ROOT = Path(__file__).parents[3]
PROGRAM = """
import sys
sys.modules["hypothesis"] = None
from tests.gui.crawl.__main__ import main
sys.exit(main())
"""
"""The walk without what a developer's machine alone has: the installed tree on Windows, which opens
the scenes too, has of the tests' needs only pytest."""


@pytest.mark.parametrize("share", sampled(range(SHARES)))
def test_nothing_is_cut_covered_small_faint_or_unnamed(share: int) -> None:
    command = ["-c", PROGRAM, f"--share={share}", "--no-pictures", "--jobs=1"]
    told = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert told.returncode == 0, told.stdout or told.stderr
    assert "never awaited" not in told.stderr


def test_a_filter_that_nothing_matches_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(tmp_path / "pictures")
    settings = partial(pictures.main, "the settings", screens.WANTED, screens.posed)
    for main, only in ((crawl.main, "payments-"), (settings, "stor")):
        monkeypatch.setattr(sys, "argv", ["pictures", folder, f"--only={only}"])
        with pytest.raises(SystemExit, match=only):
            main()
