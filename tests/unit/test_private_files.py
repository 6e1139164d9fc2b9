"""The files of a data folder are the user's alone, also those that were left open."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pos_app.adapters.data_folder.private_files import mend, mend_platform

pytestmark = pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")


def left_open(path: Path, mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
    path.write_bytes(b"x")
    path.chmod(mode)
    path.parent.chmod(0o755)
    return path


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


OURS = (
    *("journal/journal.db", "journal/journal.db-wal", "journal/journal.db-shm"),
    *("journal/server.address", "journal/server.lock", "till/till.db", "till/shown/1.pdf"),
    *("catalogue/catalogue.db", "catalogue/files/a/b.png", "processor/ledger.db"),
    *("processor/signing-key.pem", "logs/server.log", "install.json", "settings.toml"),
    "witness.json",
)


PLATFORM = ("platform/platform.db", "settings.toml", "settings.last-good.toml")
SIGNERS = "processor-ca.pem"
"""It lies beside a platform whose signers ask a processor with a certificate."""


def test_all_of_ours_is_mended(folder: Path) -> None:
    files = [left_open(folder / "shop" / name) for name in OURS]
    mend(folder / "shop")
    assert {rights(file) for file in files} == {0o600}
    assert {rights(file.parent) for file in files} == {0o700}
    place = folder / "platform of a host"
    database, *settings = (left_open(place / name) for name in PLATFORM)
    left_open(place / SIGNERS)
    mend(place)
    assert {rights(file) for file in settings} == {0o600}
    assert rights(database.parent) == rights(place) == 0o700


def test_what_is_not_ours_stays(folder: Path) -> None:
    """Nor is a folder of such a name; secrets that others may have read are refused."""
    other, secrets = left_open(folder / "logs/nginx.log"), left_open(folder / "secrets.toml")
    elsewhere = left_open(folder.parent / "elsewhere.txt")
    left_open(folder / "journal/journal.db")
    (folder / "journal/link").symlink_to(elsewhere)
    mend(folder)
    assert rights(other) == rights(secrets) == rights(elsewhere) == 0o644
    assert rights(other.parent) == rights(folder) == 0o755


def test_what_was_opened_to_a_group_stays_and_is_told(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database, settings = left_open(folder / PLATFORM[0]), left_open(folder / PLATFORM[1], 0o640)
    database.parent.chmod(0o2750)
    folder.chmod(0o750)
    mend(folder)
    assert (rights(database.parent), rights(folder), rights(settings)) == (0o2750, 0o750, 0o640)
    told = [one.getMessage() for one in caplog.records]
    assert len(told) == 3
    assert all("open to its group" in one for one in told)


def test_a_folder_with_more_than_a_platform_stays_and_is_told(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database, settings = (left_open(folder / name) for name in PLATFORM[:2])
    other = left_open(folder / "www/index.html")
    mend_platform(folder, tells=True)
    assert (rights(database.parent), rights(settings)) == (0o700, 0o600)
    assert rights(folder) == rights(other.parent) == 0o755
    assert "www" in caplog.text
