"""The command line's answer to an unknown word."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pos_app.__main__ import main


@pytest.mark.parametrize("port", ["x", "", "-1", "65536", "1.5", "1_0", "٣", "99999999999"])
@pytest.mark.parametrize("option", ["--port", "--control-port"])
def test_a_port_that_is_none(option: str, port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["processor", f"{option}={port}"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert f"argument {option}: a port is a number from 0 to 65535, not {port!r}" in told


def test_a_till_loads_only_what_it_shows_first() -> None:
    """Screens to be opened, Attention and the HTTP client are loaded after the first scan."""
    loaded = (
        "import pos_app.bootstrap.till.till, sys;"
        " print(*(name for name, one in sys.modules.items() if one is not None))"
    )
    told = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True
    )
    later = ("httpx", "pos_app.cashier.attention.", "pos_app.cashier.settings.view")
    assert "pos_app.cashier.window.till_window" in told.stdout.split()
    assert [one for one in told.stdout.split() if one.startswith(later)] == []


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is glibc's")
def test_a_program_keeps_no_memory_of_the_hash_of_a_pin() -> None:
    """Each hash takes 19 MiB. From the second one on, glibc itself would keep them."""
    script = """
from pathlib import Path
from pos_app.adapters.pin_hash import is_pin, pin_hash
from pos_app.bootstrap.programs import return_large_blocks
return_large_blocks()
kept = pin_hash("2580")
resident = lambda: int(Path("/proc/self/statm").read_text().split()[1]) * 4
before = resident()
assert is_pin("2580", kept) and is_pin("2580", kept) and not is_pin("2581", kept)
print(resident() - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 5_000, "KiB"
