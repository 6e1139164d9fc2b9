"""The libraries that a real till has loaded when its first article is in the cart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.integration.test_server_program import run
from tests.integration.till.test_stop import STANDING
from tests.ports import free_ports

ROOT = Path(__file__).parents[3]


def test_the_first_scan_waits_for_no_shape_and_no_http(tmp_path: Path) -> None:
    """The till has a Python of its own, since a fork of the nursery has loaded everything."""
    assert run("demo", "--prepare", "--data", str(tmp_path)).returncode == 0
    (port,) = free_ports(1)
    with (tmp_path / "settings.toml").open("a") as file:
        file.write(f"\n[server]\nport = {port}\n")
    words = [sys.executable, "-m", STANDING, str(tmp_path), "cart"]
    till = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert till.stdout is not None
        word, total, *loaded = till.stdout.readline().split()
    finally:
        till.terminate()
        till.communicate(timeout=30)
    assert word == "stands"
    assert total != "0.00"
    assert loaded == []
