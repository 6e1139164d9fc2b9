"""The log that a till writes into its data folder, by real tills without a screen."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pos_app import __version__
from pos_app.log import MOST_BYTES
from tests.e2e.nursery import Life, born
from tests.integration.test_chain_program import until
from tests.integration.test_server_program import demo_shop, run


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return demo_shop(tmp_path / "shop", has_own_port=True)


def started(shop: Path, *, platform: str = "offscreen") -> Life:
    with Path(os.devnull).open("wb") as nowhere:
        return born("till", "--data", str(shop), errors=nowhere, QT_QPA_PLATFORM=platform)


def status_of(shop: Path, *, platform: str = "offscreen") -> int:
    """Run a till that ends by itself; return its status."""
    till = started(shop, platform=platform)
    till.communicate(60)
    return till.wait()


def logged(shop: Path) -> str:
    return (shop / "logs" / "till.log").read_text(encoding="utf-8")


def opened_and_closed(shop: Path) -> None:
    till = started(shop)
    try:
        until((shop / "journal" / "server.address").is_file)
        assert run("stop", "--data", str(shop), "--wait", "60").returncode == 0
        assert till.wait(60) == 0
    finally:
        till.kill()
        till.communicate()


def test_a_till_tells_its_begin_and_its_end(shop: Path) -> None:
    opened_and_closed(shop)
    first, *_, last = logged(shop).splitlines()
    assert f"the till starts version={__version__}" in first
    assert last.endswith("the till ends")
    assert (shop / "logs" / "till.log").stat().st_mode & 0o077 == 0


def test_a_till_that_can_not_start_tells_why(shop: Path) -> None:
    (shop / "settings.toml").write_text("[server]\nport = 'many'\n", encoding="utf-8")
    assert status_of(shop) == 1
    _, why, last = logged(shop).splitlines()
    assert "ERROR" in why
    assert "server.port" in why
    assert last.endswith("the till ends")


def test_a_till_that_qt_ends_tells_what_qt_said_and_where(shop: Path) -> None:
    assert status_of(shop, platform="none-such") == 1
    told = logged(shop)
    assert "Qt: " in told
    assert "none-such" in told
    assert told.splitlines()[-1].endswith("the till ends")


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_a_till_that_is_aborted_tells_where(shop: Path) -> None:
    till = started(shop)
    try:
        until((shop / "journal" / "server.address").is_file)
        till.send_signal(signal.SIGABRT)
        till.communicate(60)
        assert till.wait() == -signal.SIGABRT
    finally:
        assert run("stop", "--data", str(shop), "--wait", "60").returncode == 0
    assert "Fatal Python error: Aborted" in logged(shop)
    assert "app.py" in logged(shop)


def test_of_a_long_log_the_newest_lines_are_kept(shop: Path) -> None:
    file = shop / "logs" / "till.log"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"a line of an older day\n" * (MOST_BYTES // 20))
    (shop / "settings.toml").write_text("[server]\nport = 'many'\n", encoding="utf-8")
    assert status_of(shop) == 1
    assert file.stat().st_size < MOST_BYTES
    told = logged(shop)
    assert told.startswith("a line of an older day\n")
    assert "server.port" in told


def test_where_no_log_can_be_kept_the_till_opens_all_the_same(shop: Path) -> None:
    (shop / "logs" / "till.log").mkdir(parents=True)
    opened_and_closed(shop)


def test_a_till_with_a_damaged_file_of_the_program_tells_it(tmp_path: Path) -> None:
    """It ends before its own modules are loaded, and nobody in a shop sees a terminal."""
    damaged, shop = tmp_path / "damaged", tmp_path / "shop"
    damaged.mkdir()
    (damaged / "tomllib.py").write_text("raise RuntimeError('the disk lost it')\n")
    done = subprocess.run(
        [sys.executable, "-m", "pos_app", "--data", str(shop)],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(damaged)},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    told = logged(shop)
    assert "ERROR" in told
    assert "the disk lost it" in told
    assert "tomllib.py" in told
    assert (shop / "logs" / "till.log").stat().st_mode & 0o077 == 0
    assert shop.stat().st_mode & 0o077 == 0
