"""A second till is opened on the data folder of one that is open."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.shop import until
from tests.integration.test_server_program import run

ROOT = Path(__file__).parents[2]
OFFSCREEN = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
OPEN = """
import sys
from pathlib import Path
from pos_app import settings
from pos_app.bootstrap.till.till import TillProgram
shop = settings.load(Path(sys.argv[1]), server={"port": 0})
TillProgram(shop).run(on_ready=lambda window: print("stands", flush=True), size=(1366, 768))
"""


@pytest.fixture
def open_till(folder: Path) -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-c", OPEN, str(folder)]
    till = subprocess.Popen(words, cwd=ROOT, env=OFFSCREEN, stdout=subprocess.PIPE, text=True)
    assert till.stdout.readline() == "stands\n"
    yield till
    till.send_signal(signal.SIGTERM)
    assert till.wait(30) == 0
    till.stdout.close()


def start_another(folder: Path, *, is_real: bool = False) -> subprocess.CompletedProcess[str]:
    """Start another till as a second press on the icon does."""
    return run("till", "--data", str(folder), is_real=is_real)


@pytest.mark.skipif(sys.platform == "win32", reason="there a program can't be stopped for a while")
def test_the_second_calls_the_first_or_tells_that_it_hangs(
    folder: Path, open_till: subprocess.Popen[str]
) -> None:
    open_till.send_signal(signal.SIGSTOP)
    try:
        done = start_another(folder, is_real=True)
    finally:
        open_till.send_signal(signal.SIGCONT)
    assert done.returncode == 1
    assert "does not answer" in done.stderr

    def heard() -> subprocess.CompletedProcess[str] | None:
        """A busy machine may not answer in time."""
        done = start_another(folder)
        return None if done.returncode else done

    assert until(heard).stdout == ""
    assert open_till.poll() is None
