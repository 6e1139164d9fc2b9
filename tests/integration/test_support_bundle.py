"""The support bundle of a real shop's folder: it has what helps, and no planted secret."""

from __future__ import annotations

import json
import os
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
from pos_app.selling.server.support import LogOf
from pos_app.settings import load

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
