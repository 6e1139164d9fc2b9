"""The log that a till writes into its data folder, by real tills without a screen; on a computer
without a display, as over ssh, it says so, and Qt does not abort it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pos_app import __version__
from pos_app.log import MOST_BYTES
from tests.e2e.nursery import Life, born
from tests.integration.test_server_program import demo_shop, run, until


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_shop(tmp_path_factory.mktemp("log") / "shop", has_own_port=True)


@pytest.fixture
def shop(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "shop")


def started(shop: Path) -> Life:
    with Path(os.devnull).open("wb") as nowhere:
        return born("till", "--data", str(shop), errors=nowhere, QT_QPA_PLATFORM="offscreen")


def status_of(shop: Path) -> int:
    """Run a till that ends by itself; return its status."""
    till = started(shop)
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


def test_a_till_that_can_not_start_tells_why_and_a_long_log_is_cut(shop: Path) -> None:
    file = shop / "logs" / "till.log"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"a line of an older day\n" * (MOST_BYTES // 20))
    (shop / "settings.toml").write_text("[server]\nport = 'many'\n", encoding="utf-8")
    assert status_of(shop) == 1
    assert file.stat().st_size < MOST_BYTES
    told = logged(shop)
    assert told.startswith("a line of an older day\n")
    *_, why, last = told.splitlines()
    assert "ERROR" in why
    assert "server.port" in why
    assert last.endswith("the till ends")


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


SAID = "The till found no display that it can open a window on."
NO_DISPLAY: dict[str, str] = {}
NOBODY_ANSWERS = {"DISPLAY": ":787"}
NO_WAYLAND = {"WAYLAND_DISPLAY": "wayland-787", "XDG_RUNTIME_DIR": "/nonexistent"}
NO_PLUGIN = {"QT_QPA_PLATFORM": "nosuch"}


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


@pytest.mark.parametrize("environment", [NOBODY_ANSWERS, NO_WAYLAND, NO_PLUGIN], ids=repr)
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
    assert "Qt: " in logged
    assert ("nosuch" in logged) is (environment == NO_PLUGIN)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is a display")
def test_the_program_that_started_it_reads_the_reason(tmp_path: Path) -> None:
    ended = till(tmp_path / "shop", "--log-json", environment=NO_DISPLAY)
    assert ended.returncode == 1
    assert json.loads(ended.stdout.splitlines()[-1])["refused"]["what"] == SAID
