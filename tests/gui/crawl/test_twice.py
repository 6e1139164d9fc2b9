"""Every control that is pressed twice, and every key that is struck twice and held, acts once.

`make test` tries some of them, `make faults` all. A program of its own presses them,
because each scene has a window and a loop of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.gui.crawl.scenes import SCENES

ROOT = Path(__file__).parents[3]
CHOSEN = ("sale-sale", "refund-refund", "payment-mixed", "correction-start")
"""The scenes with the most acts, and with those that issue and give back."""


def _program(out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.gui.crawl.twice", str(out), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_some_controls_act_once(tmp_path: Path) -> None:
    told = _program(tmp_path, "--only", *CHOSEN, "--share=30", "--jobs=1")
    assert told.returncode == 0, told.stdout or told.stderr


PARTS = (
    ("sale-",),
    ("payment-", "refund-", "closing-"),
    ("correction-", "exchange-", "advances-", "shift-"),
    ("attention-", "receipts-"),
    ("settings-",),
    ("catalogue-", "reports-", "first_start-", "sign_in-"),
)
"""The rooms of the scenes, in parts of some half an hour each."""


def test_every_scene_is_in_one_part() -> None:
    for scene in SCENES:
        parts = sum(any(room in scene.title for room in part) for part in PARTS)
        assert parts == (scene.room not in ("look", "display")), scene.title


@pytest.mark.deadline(7200)
@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_every_control_acts_once(tmp_path: Path, part: tuple[str, ...]) -> None:
    told = _program(tmp_path, "--only", *part, "--jobs=2")
    assert told.returncode == 0, told.stdout or told.stderr
