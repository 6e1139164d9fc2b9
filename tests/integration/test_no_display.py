"""The till on a computer without a display, as over ssh: it says so, and Qt does not abort it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.test_server_program import run

SAID = "The till found no display that it can open a window on."
NO_DISPLAY: dict[str, str] = {}
NOBODY_ANSWERS = {"DISPLAY": ":787"}
NO_WAYLAND = {"WAYLAND_DISPLAY": "wayland-787", "XDG_RUNTIME_DIR": "/nonexistent"}
NO_PLUGIN = {"QT_QPA_PLATFORM": "nosuch"}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is a display")


def till(
    data: Path, *more: str, environment: dict[str, str], program: str = "till"
) -> subprocess.CompletedProcess[str]:
    of_display = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    usual = {name: value for name, value in os.environ.items() if name not in of_display}
    return subprocess.run(
        [sys.executable, "-m", "pos_app", program, "--data", str(data), *more],
        env=usual | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    "environment", [NO_DISPLAY, NOBODY_ANSWERS, NO_WAYLAND, NO_PLUGIN], ids=repr
)
def test_a_till_without_a_display_says_so_and_touches_no_shop(
    environment: dict[str, str], tmp_path: Path
) -> None:
    ended = till(tmp_path / "shop", environment=environment)
    assert ended.returncode == 1
    assert SAID in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""
    assert [one.name for one in (tmp_path / "shop").iterdir()] == ["logs"]
    logged = (tmp_path / "shop/logs/till.log").read_text("utf-8")
    assert SAID in logged
    assert logged.splitlines()[-1].endswith("the till ends")


def test_the_program_that_started_it_reads_the_reason(tmp_path: Path) -> None:
    ended = till(tmp_path / "shop", "--log-json", environment=NO_DISPLAY)
    assert ended.returncode == 1
    assert json.loads(ended.stdout.splitlines()[-1])["refused"]["what"] == SAID


def test_so_does_a_demo_on_a_display_that_does_not_answer(tmp_path: Path) -> None:
    assert run("demo", "--prepare", "--data", str(tmp_path / "shop")).returncode == 0
    ended = till(tmp_path / "shop", environment=NOBODY_ANSWERS, program="demo")
    assert (ended.returncode, SAID in ended.stderr) == (1, True)
