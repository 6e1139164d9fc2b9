"""Each command ends with the statuses that docs/install/commands.md tells, and with no other."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.adapters.backup.sets import found_sets
from pos_app.adapters.data_folder import JOURNAL
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.server_process.address import SERVER_LOCK
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.till.till import LOCK_NAME, open_till
from pos_app.bootstrap.commands import backup, check, stop, upgrade
from pos_app.bootstrap.synchronisation import sync
from tests.e2e.nursery import born
from tests.integration.test_backup import write_on
from tests.integration.test_readme import PROGRAMS, table
from tests.integration.test_server_program import demo, run

__all__ = ["demo"]
Act = Callable[[Path], int]
"""Ends a command on a shop of the demo, and returns its status."""


def ended(shop: Path, *words: str) -> int:
    return run(*words, "--data", str(shop)).returncode


def listed(shop: Path, products: object) -> str:
    place = shop.with_name("list.json")
    place.write_text(json.dumps({"products": products}), encoding="utf-8")
    return str(place)


ONE = [{"id": "1", "sku": 1, "name": "Хлеб", "price": 10, "taxRateLabel": "Ђ"}]


def with_settings(shop: Path, text: str) -> Path:
    with (shop / "settings.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n{text}\n")
    return shop


def with_platform(shop: Path, url: str) -> Path:
    secrets = shop / "secrets.toml"
    secrets.write_text('platform_secret = "s"\n', encoding="utf-8")
    secrets.chmod(0o600)
    return with_settings(shop, f'[platform]\nurl = "{url}"\nkey = "pk"')


def damaged(shop: Path) -> Path:
    path = shop / "catalogue" / "catalogue.db"
    content = bytearray(path.read_bytes())
    content[5 * 4096 + 100] ^= 0x41
    path.write_bytes(content)
    return shop


def beside(lock: Path, act: Act) -> Act:
    """Do it while another program has that lock of the folder."""

    def done(shop: Path) -> int:
        with FolderLock(shop / lock, what="program"):
            return act(shop)

    return done


def interrupted(shop: Path) -> int:
    """Press Ctrl+C while a command waits for its file."""
    pipe = shop.with_name("list.json")
    os.mkfifo(pipe)
    child = born("sync", str(pipe), "--data", str(shop))
    with pipe.open("wb"):  # opened once the command reads
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=60)
    return child.wait()


PRESSED_WHILE_LOADED = """
import os, signal, sys
class Presses:
    def find_spec(self, name, path, target=None):
        if name == "pos_app.bootstrap.programs":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Presses())
from pos_app.__main__ import main
sys.exit(main(["check"]))
"""


def test_ctrl_c_while_a_program_is_loaded_ends_it_without_a_traceback() -> None:
    words = [sys.executable, "-c", PRESSED_WHILE_LOADED]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")


def put_back_over_newer(shop: Path) -> int:
    SqliteJournal(shop / JOURNAL).close()
    open_till(shop / "till", till_id=open_install(shop, environment="demo").till_id).close()
    assert ended(shop, "backup") == 0
    write_on(shop, "newer")
    (made,) = found_sets(shop, "")
    return ended(shop, "restore", made.name)


TILL_LOCK = Path("till", LOCK_NAME)
SYNC_LOCK = Path("catalogue", "sync.lock")
OF_ALL: dict[tuple[str, int], Act] = {
    ("each", 0): lambda shop: ended(shop, "check"),
    ("each", 1): lambda shop: ended(shop / "settings.toml", "check"),
    ("each", 2): lambda shop: ended(shop, "check", "--sideways"),
    ("each", 130): interrupted,
}
ENDS: dict[tuple[str, int], Act] = {
    ("sync", sync.DONE): lambda shop: ended(shop, "sync", listed(shop, ONE), "--accept-removals"),
    ("sync", sync.FAILED): lambda shop: ended(shop / "settings.toml", "sync", listed(shop, ONE)),
    ("sync", sync.BAD_LIST): lambda shop: ended(shop, "sync", listed(shop, "none")),
    ("sync", sync.BUSY): beside(SYNC_LOCK, lambda shop: ended(shop, "sync", listed(shop, ONE))),
    ("sync", sync.WAITING): lambda shop: ended(shop, "sync", listed(shop, ONE)),
    ("sync", sync.AWAY): lambda shop: ended(with_platform(shop, "https://127.0.0.1:1/v2"), "sync"),
    ("check", check.WHOLE): lambda shop: ended(shop, "check"),
    ("check", check.DAMAGED): lambda shop: ended(damaged(shop), "check"),
    ("check", check.WARNED): lambda shop: ended(
        with_platform(shop, "http://203.0.113.7/v2"), "check"
    ),
    ("stop", stop.BUSY): beside(TILL_LOCK, lambda shop: ended(shop, "stop", "--wait", "1")),
    ("upgrade", upgrade.PUT_BACK): lambda shop: ended(damaged(shop), "upgrade"),
    ("upgrade", stop.BUSY): beside(SERVER_LOCK, lambda shop: ended(shop, "upgrade")),
    ("backup", backup.WARNED): lambda shop: ended(
        with_settings(shop, '[backup]\nfolder = "/no/such/drive"'), "backup"
    ),
    ("restore", backup.ASKED): put_back_over_newer,
    ("restore", backup.BUSY): beside(SERVER_LOCK, lambda shop: ended(shop, "restore", "any")),
}


def told() -> set[tuple[str, int]]:
    """Return command and status of each row of the page's tables."""
    rows = {
        (name, int(status)) for name in ("sync", "check") for status in table(f"status of `{name}`")
    }
    for first in table("status of others"):
        name, _, status = first.partition("` ")
        rows.add((name, int(status)))
    return rows


def test_each_status_is_told_and_no_other() -> None:
    assert told() == ENDS.keys()
    section = PROGRAMS.partition("## Exit statuses")[2].partition("\n| ")[0]
    of_all = {int(one) for one in re.findall(r"\bwith (?:status )?(\d+)\b", section)}
    assert of_all == {status for _, status in OF_ALL}


@pytest.fixture
def shop(demo: Path, tmp_path: Path) -> Path:
    return shutil.copytree(demo, tmp_path / "shop")


@pytest.mark.parametrize(("command", "status"), [*OF_ALL, *ENDS])
def test_a_command_ends_with_what_is_told(command: str, status: int, shop: Path) -> None:
    assert (OF_ALL | ENDS)[command, status](shop) == status
