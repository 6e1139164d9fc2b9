"""A data folder as Windows may give it: a user's name in Cyrillic, and a path of 250 characters."""

from __future__ import annotations

import zoneinfo
from pathlib import Path

from pos_app.adapters.sqlite.till import LOCK_NAME
from pos_app.bootstrap.upgrade import DONE
from pos_app.pfr_emulator.ledger import read_entries
from tests.integration.test_server_program import SALE, post, program, run
from tests.integration.till.test_stop import standing, waited

USER = "Миодраг Ђорђевић"
LENGTH = 250


def far(tmp_path: Path) -> Path:
    """Names of a hundred letters at most, so that each is one for the file system too."""
    folder = tmp_path / USER
    while (left := LENGTH - len(str(folder)) - 1) > 0:
        folder /= ("подаци касе " * 9)[: min(left, 100)].replace(" ", "-")
    return folder


def test_every_program_works_there(tmp_path: Path) -> None:
    data = far(tmp_path)
    assert len(str(data)) >= LENGTH
    assert run("demo", "--prepare", "--data", str(data)).returncode == 0
    with program("server", "--data", str(data), "--port", "0") as (_, address):
        assert post(address, SALE).status_code == 200
        assert run("stop", "--data", str(data)).returncode == 0
    assert len(read_entries(data / "processor")) == 1
    with standing(data, "cart") as till:
        assert waited((data / "journal" / "server.address").exists)
        stopped = run("stop", "--data", str(data))
        assert (stopped.returncode, till.wait(10)) == (0, 0), stopped.stderr
    assert (data / "till" / LOCK_NAME).exists()
    assert run("upgrade", "--data", str(data)).returncode == DONE
    checked = run("check", "--data", str(data))
    assert checked.returncode == 0, checked.stdout


def test_the_shop_s_zone_comes_from_the_package_where_the_system_has_none() -> None:
    try:
        zoneinfo.reset_tzpath(to=())
        assert zoneinfo.ZoneInfo.no_cache("Europe/Belgrade").key == "Europe/Belgrade"
    finally:
        zoneinfo.reset_tzpath()
