"""The libraries that a real till has loaded when its first article is in the cart."""

from __future__ import annotations

from pathlib import Path

from tests.integration.test_server_program import run
from tests.integration.till.test_stop import standing_as_told
from tests.ports import free_ports


def test_the_first_scan_waits_for_no_shape_and_no_http(tmp_path: Path) -> None:
    assert run("demo", "--prepare", "--data", str(tmp_path)).returncode == 0
    (port,) = free_ports(1)
    with (tmp_path / "settings.toml").open("a") as file:
        file.write(f"\n[server]\nport = {port}\n")
    with standing_as_told(tmp_path, "cart") as (_, told):
        word, total, *loaded = told.split()
    assert word == "stands"
    assert total != "0.00"
    assert loaded == []
