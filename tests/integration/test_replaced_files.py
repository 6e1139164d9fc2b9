"""Files are replaced under a running server: nothing is signed that nobody will find.

Source: exactly-once.md, "Storage".
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.adapters.data_folder.held_file import HeldFile
from pos_app.adapters.data_folder.settings_file import settings_with, write_settings
from pos_app.adapters.sqlite.database import open_reader
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.settings import LAST_GOOD
from tests.fakes.no_tls import NO_TLS
from tests.fakes.processor_key import give_key
from tests.integration.test_server_program import SALE, demo, post, program
from tests.sweep import sampled

__all__ = ["demo"]


def put_back(path: Path) -> None:
    """Replace the file by a copy, as a person does with a backup."""
    copy = path.with_name("backup")
    shutil.copyfile(path, copy)
    copy.replace(path)


REPLACED: dict[str, Callable[[Path], object]] = {
    "put back": put_back,
    "its log put back": lambda path: put_back(path.with_name("journal.db-wal")),
    "deleted": Path.unlink,
    "its folder replaced": lambda path: shutil.copytree(
        path.parent.rename(path.parent.with_name("before")), path.parent
    ),
}


@pytest.fixture
def shop(demo: Path, tmp_path: Path) -> Path:
    return shutil.copytree(demo, tmp_path / "shop")


def sold(address: str, key: str) -> Any:
    return post(address, SALE, **{"Idempotency-Key": key})


def of(number: int) -> str:
    return f"key-of-sale-number-{number}"


@pytest.mark.parametrize("act", sampled(REPLACED.values()), ids=REPLACED)
def test_a_journal_that_was_replaced(shop: Path, act: Callable[[Path], object]) -> None:
    path = shop / "journal" / "journal.db"
    with program("server", "--data", str(shop), "--port", "0") as (_, address):
        first = sold(address, of(1))
        assert first.status_code == 200, first.text
        act(path)
        told = sold(address, of(2))
        assert (told.status_code, told.json()["class"]) == (400, "wait"), told.text
        assert "was moved, deleted or replaced while the program had it open" in told.text
        found = httpx.get(
            f"{address}/fiscalization/receipts/{first.json()['id']}", trust_env=False, verify=NO_TLS
        )
        assert found.json()["invoiceNumber"] == first.json()["invoiceNumber"]
    assert [one.number for one in read_entries(shop / "processor")] == [
        first.json()["invoiceNumber"]
    ]
    (copy,) = path.parent.glob("journal-kept-*.db")
    with closing(open_reader(copy)) as kept:
        assert kept.execute("SELECT number FROM receipts").get == first.json()["invoiceNumber"]


def test_a_file_whose_number_the_system_does_not_tell(tmp_path: Path) -> None:
    """Windows gives no number for a file looked up in its folder: only its name can be looked
    for."""
    path = tmp_path / "file"
    path.touch()
    held = HeldFile(path, device=0, inode=0)
    assert held.is_there()
    path.unlink()
    assert not held.is_there()


def test_a_copy_of_the_settings_that_can_t_be_made_keeps_nobody_from_selling(shop: Path) -> None:
    (shop / LAST_GOOD).unlink(missing_ok=True)
    (shop / LAST_GOOD).mkdir()
    with program("server", "--data", str(shop), "--port", "0") as (server, address):
        assert sold(address, of(1)).status_code == 200
        server.terminate()
        _, log = server.communicate(timeout=20)
    assert "the settings can't be kept a second time" in log


def test_two_servers_after_the_lock_was_deleted(shop: Path) -> None:
    give_key(shop / "elsewhere" / "processor")
    elsewhere = str(shop / "elsewhere")
    with program("processor", "--data", elsewhere, "--port", "0") as (_, processor):
        write_settings(shop, settings_with(shop, {"processor.url": processor})[1])
        with program("server", "--data", str(shop), "--port", "0") as (_, address):
            assert sold(address, of(1)).status_code == 200
            (shop / "journal" / "server.lock").unlink()
            with program("server", "--data", str(shop), "--port", "0") as (_, second):
                refused = sold(address, of(2))
                assert (refused.status_code, refused.json()["class"]) == (400, "wait")
                assert "another program may work with the same data" in refused.text
                assert sold(second, of(2)).status_code == 200
    assert len(read_entries(shop / "elsewhere" / "processor")) == 2
