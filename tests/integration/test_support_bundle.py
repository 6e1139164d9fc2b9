"""The support bundle of a real shop's folder: it has what helps, and no planted secret."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from pos_app import __version__
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.pin_hash import pin_hash
from pos_app.adapters.secrets.names import PROCESSOR_PASSWORD
from pos_app.adapters.secrets.reading import write_secrets
from pos_app.adapters.secrets.secret import Secret
from pos_app.adapters.sqlite.till.till import open_till
from pos_app.adapters.support_bundle import SupportHere
from pos_app.errors import DataFolderNotWritable
from pos_app.log import MOST_BYTES
from pos_app.selling.server.support import LogOf
from pos_app.settings import load
from tests.e2e.nursery import Life, born
from tests.integration.test_server_program import demo_shop, run, until

PAC, PFX_PASSWORD, PLATFORM_SECRET = "CAN4RY", "canary-password-6150", "canary-platform-6151"
BUYER, EMAIL, JMBG = "987654321", "kupac.sa.adresom@primer.rs", "0101990710006"
DATABASE = "postgresql://pos:canary-database-6152@host/db"
QR = "https://suf.purs.gov.rs/v/?vl=A1ZZTlFBSFpCUVFFV0dETTdyJgAAAgUAAMDkNQ"


class Shop:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.install = open_install(folder, environment="production")
        with closing(
            open_till(folder / "till", till_id=self.install.till_id, has_shifts=True)
        ) as till:
            till.manager.save_pin("2580")
        self.hash = pin_hash("2580")
        plain = folder / "secrets.toml"
        plain.write_text(
            f'platform_secret = "{PLATFORM_SECRET}"\nprocessor_pac = "{PAC}"\n', encoding="utf-8"
        )
        plain.chmod(0o600)
        write_secrets({PROCESSOR_PASSWORD: Secret(PFX_PASSWORD)}, data=folder, variables=os.environ)
        (folder / "settings.toml").write_text(
            f'[platform_server]\ndatabase_url = "{DATABASE}"\n[mail]\nhost = "mail.lipa.rs"\n'
            f'sender = "{EMAIL}"\n[platform]\nproxy = "http://ana:canary-proxy@proxy:3128"\n',
            encoding="utf-8",
        )
        self.support = SupportHere(folder, token=self.install.token, clock=SystemClock())
        self._log()

    def _log(self) -> None:
        logs = self.folder / "logs"
        logs.mkdir(exist_ok=True)
        (logs / "till.log").write_text(
            "2026-11-24 05:00:00,001 INFO    pos_app.till: the till starts version=3.2.0\n"
            f"2026-11-24 05:00:01,001 WARNING pos_app.till: token={self.install.token} refused\n"
            f"2026-11-24 05:00:02,001 ERROR   pos_app.till: a bug with 10:{BUYER} and {JMBG}\n"
            f"    Traceback of {EMAIL}\n"
            f"2026-11-24 05:00:03,001 INFO    pos_app.till: {self.hash} {QR}\n"
            f"2026-11-24 05:00:04,001 INFO    pos_app.till: pac={PAC} password: {PFX_PASSWORD}\n",
            encoding="utf-8",
        )
        (logs / "server.log").write_text(
            f'{{"level": "warning", "message": "{PLATFORM_SECRET} for {EMAIL}"}}\n'
            '{"level": "info", "message": "all is well"}\n',
            encoding="utf-8",
        )

    @property
    def secrets(self) -> tuple[str, ...]:
        return (
            self.install.token,
            self.hash,
            self.hash.rpartition("$")[2],
            PAC,
            PFX_PASSWORD,
            PLATFORM_SECRET,
            BUYER,
            EMAIL,
            JMBG,
            "canary",
            QR.rpartition("=")[2],
        )


@pytest.fixture
def shop(folder: Path) -> Shop:
    return Shop(folder)


def test_a_bundle_holds_what_helps_and_no_secret(shop: Shop, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    settings = load(
        shop.folder,
        mail={"host": "mail.lipa.rs", "sender": EMAIL},
        platform_server={"database_url": DATABASE},
        platform={"proxy": "http://ana:canary-proxy@proxy:3128"},
    )
    where = tmp_path / "usb"
    where.mkdir()
    path = shop.support.write_bundle(
        where,
        settings=settings.as_json(),
        findings=["bad: the server is away"],
        progress=lambda done, of: seen.append((done, of)),
    )
    assert list(where.iterdir()) == [path]
    assert path.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(path) as bundle:
        parts = {name: bundle.read(name).decode() for name in bundle.namelist()}
    assert set(parts) == {
        "versions.txt",
        "self-test.txt",
        "settings.json",
        "logs/till.log",
        "logs/server.log",
        "logs/sync.log",
        "files.txt",
        "check.txt",
    }
    assert seen[0] == (0, len(parts))
    assert seen[-1] == (len(parts), len(parts))
    for name, text in parts.items():
        assert not [one for one in shop.secrets if one in text], name
    raw = path.read_bytes()
    assert b"SQLite format 3" not in raw
    assert __version__ in parts["versions.txt"]
    assert parts["self-test.txt"].strip() == "bad: the server is away"
    assert json.loads(parts["settings.json"])["mail"]["host"] == "mail.lipa.rs"
    assert "the till starts version=3.2.0" in parts["logs/till.log"]
    assert "Traceback of …" in parts["logs/till.log"]
    assert "till/till.db" in parts["files.txt"]
    assert "till.db" in parts["check.txt"]
    assert "ended with" in parts["check.txt"]


def test_the_newest_lines_are_masked_and_filtered_with_their_traces(shop: Shop) -> None:
    lines = shop.support.log_lines(LogOf.TILL, warnings=True)
    assert [line[24:31].strip() for line in lines[:2]] == ["WARNING", "ERROR"]
    assert lines[2:] == ["    Traceback of …"]
    assert len(shop.support.log_lines(LogOf.TILL, warnings=False)) == 6
    assert len(shop.support.log_lines(LogOf.SERVER, warnings=True)) == 1
    assert shop.support.log_lines(LogOf.SYNC, warnings=False) == []
    whole = "\n".join(shop.support.log_lines(LogOf.TILL, warnings=False))
    assert not [one for one in shop.secrets if one in whole]
    assert "2026-11-24 05:00:02,001 ERROR" in whole


def test_a_folder_that_is_gone_leaves_nothing_behind(shop: Shop, tmp_path: Path) -> None:
    with pytest.raises(DataFolderNotWritable):
        shop.support.write_bundle(
            tmp_path / "gone", settings={}, findings=[], progress=lambda *_: None
        )
    assert not (tmp_path / "gone").exists()


# --- the log that a till writes ---
@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_shop(tmp_path_factory.mktemp("log") / "shop", has_own_port=True)


@pytest.fixture
def copied_shop(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "shop")


def started(copied_shop: Path) -> Life:
    with Path(os.devnull).open("wb") as nowhere:
        return born("till", "--data", str(copied_shop), errors=nowhere, QT_QPA_PLATFORM="offscreen")


def status_of(copied_shop: Path) -> int:
    till = started(copied_shop)
    till.communicate(60)
    return till.wait()


def logged(copied_shop: Path) -> str:
    return (copied_shop / "logs" / "till.log").read_text(encoding="utf-8")


def opened_and_closed(copied_shop: Path) -> None:
    till = started(copied_shop)
    try:
        until((copied_shop / "journal" / "server.address").is_file)
        assert run("stop", "--data", str(copied_shop), "--wait", "60").returncode == 0
        assert till.wait(60) == 0
    finally:
        till.kill()
        till.communicate()


def test_a_till_tells_its_begin_and_its_end(copied_shop: Path) -> None:
    opened_and_closed(copied_shop)
    first, *_, last = logged(copied_shop).splitlines()
    assert f"the till starts version={__version__}" in first
    assert last.endswith("the till ends")
    assert (copied_shop / "logs" / "till.log").stat().st_mode & 0o077 == 0


def test_a_till_that_can_not_start_tells_why_and_a_long_log_is_cut(copied_shop: Path) -> None:
    file = copied_shop / "logs" / "till.log"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"a line of an older day\n" * (MOST_BYTES // 20))
    (copied_shop / "settings.toml").write_text("[server]\nport = 'many'\n", encoding="utf-8")
    assert status_of(copied_shop) == 1
    assert file.stat().st_size < MOST_BYTES
    told = logged(copied_shop)
    assert told.startswith("a line of an older day\n")
    *_, why, last = told.splitlines()
    assert "ERROR" in why
    assert "server.port" in why
    assert last.endswith("the till ends")


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_a_till_that_is_aborted_tells_where(copied_shop: Path) -> None:
    till = started(copied_shop)
    try:
        until((copied_shop / "journal" / "server.address").is_file)
        till.send_signal(signal.SIGABRT)
        till.communicate(60)
        assert till.wait() == -signal.SIGABRT
    finally:
        assert run("stop", "--data", str(copied_shop), "--wait", "60").returncode == 0
    assert "Fatal Python error: Aborted" in logged(copied_shop)
    assert "app.py" in logged(copied_shop)


def test_where_no_log_can_be_kept_the_till_opens_all_the_same(copied_shop: Path) -> None:
    (copied_shop / "logs" / "till.log").mkdir(parents=True)
    opened_and_closed(copied_shop)


def test_a_till_with_a_damaged_file_of_the_program_tells_it(tmp_path: Path) -> None:
    """It ends before its own modules are loaded, and nobody in a shop sees a terminal."""
    damaged, copied_shop = tmp_path / "damaged", tmp_path / "shop"
    damaged.mkdir()
    (damaged / "tomllib.py").write_text("raise RuntimeError('the disk lost it')\n")
    done = subprocess.run(
        [sys.executable, "-m", "pos_app", "--data", str(copied_shop)],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(damaged)},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    told = logged(copied_shop)
    assert "ERROR" in told
    assert "the disk lost it" in told
    assert "tomllib.py" in told
    assert (copied_shop / "logs" / "till.log").stat().st_mode & 0o077 == 0
    assert copied_shop.stat().st_mode & 0o077 == 0


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
