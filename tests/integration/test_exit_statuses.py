"""Each command ends with the statuses that docs/install/commands.md tells, and with no other."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import platformdirs.macos
import platformdirs.unix
import platformdirs.windows
import pytest

from pos_app import __version__, settings
from pos_app.adapters.backup.sets import found_sets
from pos_app.adapters.data_folder import JOURNAL
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.server_process.address import SERVER_LOCK
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.till.till import LOCK_NAME, open_till
from pos_app.bootstrap.commands import backup, check, stop, upgrade
from pos_app.bootstrap.synchronisation import sync
from pos_app.bootstrap.till.demo import demo_folder
from pos_app.pfr_emulator.faults import Kind
from tests.e2e import nursery
from tests.e2e.nursery import born
from tests.integration.shown import send
from tests.integration.test_backup import write_on
from tests.integration.test_server_program import demo, program, run

__all__ = ["demo"]
Act = Callable[[Path], int]


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

    def done(shop: Path) -> int:
        with FolderLock(shop / lock, what="program"):
            return act(shop)

    return done


def interrupted(shop: Path) -> int:
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


# --- README, the first receipt and the page of commands ---
ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FIRST = (ROOT / "docs/integrate/first-receipt.md").read_text(encoding="utf-8")
PROGRAMS = (ROOT / "docs/install/commands.md").read_text(encoding="utf-8")


def table(head: str) -> dict[str, str]:
    pattern = rf"^\| {re.escape(head)} \|.*\n\|[-|]+\n((?:\|.*\n)+)"
    found = re.search(pattern, PROGRAMS, re.MULTILINE)
    assert found, head
    rows = [line.strip("| ").split(" | ", 1) for line in found[1].splitlines()]
    return {first.strip("`"): second for first, second in rows}


# --- commands ------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["README.md", "docs/develop.md"])
def test_every_make_word_is_there(page: str) -> None:
    shown = set(re.findall(r"\bmake (\w+)\b", (ROOT / page).read_text(encoding="utf-8")))
    words = shown & {"run", "test", "check", "format", "bench", "faults", "clean"}
    assert words
    for word in words:
        dry = subprocess.run(["make", "-n", word], cwd=ROOT, capture_output=True, check=False)
        assert dry.returncode == 0, dry.stderr


def test_the_pictures_are_of_this_version() -> None:
    made_of = (ROOT / "docs/pictures/version").read_text(encoding="utf-8").strip()
    assert made_of == __version__, "python -m tests.gui.crawl.shown"


def test_the_readme_and_the_changelog_are_short() -> None:
    assert len(README.splitlines()) <= 100
    newest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## [")[2]
    assert len(newest.encode()) <= 6_000


# --- the API -------------------------------------------------------------------------------------
def curl(address: str, having: str) -> Any:
    pages = (README + FIRST).replace(":9997/", ":9999/")  # the demo's port, and a server's
    shown = re.findall(r"```sh\ncurl (.*?)```", pages, re.DOTALL)
    (found,) = {command for command in shown if having in command}
    answer = send(found, address)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_receipt_from_another_program(folder: Path) -> None:
    assert run("demo", "--data", str(folder / "shop"), "--prepare").returncode == 0
    with program("server", "--data", str(folder / "shop"), "--port", "0") as (_, address):
        first, again = (curl(address, "Idempotency-Key") for _ in range(2))
        found = curl(address, "/key:")
    assert first["totalAmount"] == 117.98
    assert first["invoiceNumber"] == again["invoiceNumber"] == found["invoiceNumber"]
    assert first["pdf"].startswith(address)


# --- folders -------------------------------------------------------------------------------------
def test_the_data_folder_of_each_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("LOCALAPPDATA", r"%LOCALAPPDATA%")
    by_env = platformdirs.windows.get_win_folder_from_env_vars
    monkeypatch.setattr(platformdirs.windows, "get_win_folder", by_env)
    shown = {
        name: path.strip("`").replace("~", str(Path.home()))
        for name, path in table("system").items()
    }
    assert shown["Linux"] == platformdirs.unix.Unix("pos-app", appauthor=False).user_data_dir
    assert shown["macOS"] == platformdirs.macos.MacOS("pos-app", appauthor=False).user_data_dir
    windows = platformdirs.windows.Windows("pos-app", appauthor=False).user_data_dir
    assert shown["Windows, without it"].replace("\\", "/") == windows.replace("\\", "/")


@pytest.mark.skipif(sys.platform != "linux", reason="the other two are shown by the test above")
def test_the_demo_lies_beside_a_shop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/share")
    assert settings.default_data_folder() == Path("/share/pos-app")
    assert demo_folder() == Path("/share/pos-app-demo")


DOCS = Path(__file__).parents[2] / "docs"
FILE_PAGE = (DOCS / "shop/articles-from-a-file.md").read_text(encoding="utf-8")
PROCESSOR_PAGE = (DOCS / "processor.md").read_text(encoding="utf-8")


def test_the_articles_of_the_page_come_in(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", FILE_PAGE, re.DOTALL)
    file = tmp_path / "articles.json"
    file.write_text(shown, encoding="utf-8")
    done = run("sync", str(file), "--data", str(tmp_path / "shop"), "--accept-removals")
    assert done.returncode == 0, done.stderr
    assert "2 added" in done.stdout + done.stderr


def test_every_kind_of_fault_is_told() -> None:
    table = PROCESSOR_PAGE.partition("| `kind` |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
    assert {kind for row in rows for kind in re.findall(r"`(\w+)`", row)} == set(get_args(Kind))


# --- the reader of a program's output goes, or knows fewer letters ---


@pytest.fixture
def pipe() -> Iterator[int]:
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


def status(*words: str, out: int, errors: int = subprocess.PIPE) -> tuple[int, str]:
    command = (sys.executable, "-m", "pos_app", *words)
    child = subprocess.Popen(command, stdout=out, stderr=errors, text=True)
    _, said = child.communicate(timeout=60)
    return child.returncode, said or ""


def test_a_letter_that_the_reader_does_not_take_is_escaped(folder: Path) -> None:
    made = nursery.ended("platform", "account", "add", "Чај", "--data", str(folder)).stdout.strip()
    words = ("platform", "account", "list", "--data", str(folder))
    told = subprocess.run(
        (sys.executable, "-m", "pos_app", *words),
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == f"{made}  \\u0427\\u0430\\u0458\n"


# --- what is not installed ------------------------------------------------------------------------
WITHOUT_A_PACKAGE = """
import sys
sys.modules["sqlalchemy"] = None  # as where it is not installed
from pos_app.__main__ import main
sys.exit(main())
"""


def test_the_platform_names_what_it_lacks_and_where_to_host_it(tmp_path: Path) -> None:
    words = ("platform", "--data", str(tmp_path / "data"), "account", "list")
    told = subprocess.run(
        [sys.executable, "-c", WITHOUT_A_PACKAGE, *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert told.returncode == 1
    assert '"sqlalchemy"' in told.stderr
    assert 'pip install "pos-app[platform]"' in told.stderr
    assert "Linux" in told.stderr
    assert "Traceback" not in told.stderr
    assert not (tmp_path / "data").exists()
