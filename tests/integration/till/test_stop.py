"""`pos-app stop`: till and server end as a person would end them, or all stays as it was."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from pos_app import settings
from pos_app.adapters.backup.sets import found_sets
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.first_start_file import NAME, FirstStartFile
from pos_app.adapters.data_folder.lock import is_held
from pos_app.adapters.data_folder.running_mark import names_of, others_run
from pos_app.adapters.http_server.listening import free_port
from pos_app.adapters.server_process.address import SERVER_LOCK
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.till.till import LOCK_NAME
from pos_app.bootstrap.commands.stop import BUSY, STOPPED
from pos_app.bootstrap.till import core
from pos_app.bootstrap.till.demo import prepare_demo
from pos_app.bootstrap.till.till import CashierInSettings, DisplayInSettings, FirstStartHere
from pos_app.cashier.services.display_setup import DisplaySetup
from pos_app.selling.first_start import FirstStart, ShopChoice
from pos_app.selling.people.manager_pin import DEMO_PIN, check_pin
from pos_app.selling.sale.cashier_setup import CashierSetup
from pos_app.settings import Settings
from tests.e2e.nursery import Life, door
from tests.integration.test_server_program import demo_shop, run
from tests.sweep import LONG, each

STANDING = "tests.integration.till.standing_till"
TILL_LOCK = Path("till", LOCK_NAME)


@contextmanager
def standing(shop: Path, what: str) -> Iterator[tuple[Life, str]]:
    till = Life(door(), ["-m", STANDING, str(shop), what], env=os.environ)
    try:
        said = till.stdout.readline().split()
        assert said[0] == "stands"
        yield till, said[-1]
    finally:
        if till.poll() is None:
            till.send_signal(signal.SIGCONT)
            till.terminate()
        till.communicate(timeout=30)


def stop(shop: Path, wait: int = 30) -> subprocess.CompletedProcess[str]:
    return run("stop", "--data", str(shop), "--wait", str(wait))


def runs(shop: Path) -> tuple[bool, bool]:
    return is_held(shop / TILL_LOCK), is_held(shop / SERVER_LOCK)


def test_where_nothing_runs_nothing_is_made_and_all_is_stopped(tmp_path: Path) -> None:
    done = stop(tmp_path / "nothing")
    assert done.returncode == STOPPED, done.stderr
    assert (done.stdout, done.stderr) == (f"Nothing runs on {tmp_path / 'nothing'}.\n", "")
    assert not (tmp_path / "nothing").exists()


FILES = "The till writes a file or a backup now."
MANY = "The till changes or reads many articles now."


@pytest.mark.skipif(os.name != "posix", reason="a stopped process")
@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("backup", FILES),
        pytest.param("receipts", FILES, marks=LONG),
        pytest.param("articles", MANY, marks=LONG),
    ],
)
def test_what_is_being_written_is_waited_for(tmp_path: Path, what: str, told: str) -> None:
    shop = demo_shop(tmp_path / "shop", has_own_port=True)
    with standing(shop, what) as (till, writer):
        done = stop(shop, wait=10)  # a busy machine takes seconds to answer
        assert done.returncode == BUSY
        assert f"{told} What runs on {shop} goes on; nothing was changed." in done.stderr
        assert runs(shop) == (True, True)
        done_at_last: list[subprocess.CompletedProcess[str]] = []
        stopping = threading.Thread(target=lambda: done_at_last.append(stop(shop, wait=60)))
        stopping.start()
        os.kill(int(writer), signal.SIGCONT)
        stopping.join(90)
        (done,) = done_at_last
        assert done.returncode == STOPPED, done.stderr
        assert till.wait(10) == 0
    assert runs(shop) == (False, False)
    if what == "backup":
        (made,) = found_sets(shop, "")
        assert run("check", "--data", made.folder).returncode == 0
    else:
        assert openpyxl.load_workbook(f"{shop}.xlsx").active
    assert run("check", "--data", str(shop)).returncode == 0


def test_another_shop_is_one_whose_mutex_is_none_of_ours(tmp_path: Path) -> None:
    ours, demo, other = tmp_path, tmp_path / "demo", tmp_path / "other"
    table = {
        (("till", demo), ("server", demo), ("server", ours)): False,
        (("till", ours), ("server", ours)): False,
        (("till", ours), ("till", other)): True,
        (("server", other),): True,
        (): False,
    }
    for running, others in table.items():
        held = [name for kind, folder in running for name in names_of(kind, folder)]  # type: ignore[arg-type]
        assert others_run([ours, demo], count=held.count) is others, running


# --- the first start of a folder ---
ROOT = Path(__file__).parents[3]


@each("content", ["", "{", '{"choice": "x"}', "[]", "null", '{"choice": 1}'])
def test_a_file_that_can_t_be_read_keeps_no_shop_from_selling(tmp_path: Path, content: str) -> None:
    (tmp_path / NAME).write_text(content)
    assert not FirstStartFile(tmp_path).read().is_wanted


def test_where_the_customer_display_stands_is_kept_in_the_settings(tmp_path: Path) -> None:
    kept_in = DisplayInSettings(tmp_path)
    for setup, kept in (
        (DisplaySetup("KUPAC", "slike", "dark"), ("KUPAC", "slike", "dark")),
        (DisplaySetup("DELL"), ("DELL", "", "till")),
    ):
        kept_in.save(setup)
        read = settings.load(tmp_path).customer_display
        assert (read.monitor, read.pictures, read.theme) == kept


def test_the_language_is_kept_in_the_settings(tmp_path: Path) -> None:
    FirstStartHere(settings.load(tmp_path)).keep_language("sr-Latn")
    assert settings.load(tmp_path).till.language == "sr-Latn"


@pytest.mark.parametrize("language", ["sr-Latn", "en"])
def test_first_start_and_demo_speak_as_the_setup_did(tmp_path: Path, language: str) -> None:
    """The setup writes the language into a data folder without settings."""
    setup = (ROOT / "packaging/windows/setup.nsi").read_text("utf-8")
    assert f'StrCpy $0 "{language}"' in setup
    (written,) = re.findall(r"""FileWrite \$1 '(\[till\].*)'""", setup)
    words = written.replace(r"$\n", "\n").replace("$0", language)
    (tmp_path / settings.FILE_NAME).write_text(words, "ascii")
    first = FirstStartHere(settings.load(tmp_path))
    assert first.read().is_wanted
    assert first.shop().till.language == language
    first.save(FirstStart(ShopChoice.DEMO))
    assert first.shop().till.language == language
    CashierInSettings(tmp_path).save(CashierSetup("Мира", in_vat=True))
    assert settings.load(tmp_path).till.language == language


# --- the first scan -------------------------------------------------------------------------------
def test_the_first_scan_waits_for_no_shape_and_no_http(tmp_path: Path) -> None:
    """The till has a Python of its own, since a fork of the nursery has loaded everything."""
    demo_shop(tmp_path, has_own_port=True)
    words = [sys.executable, "-m", STANDING, str(tmp_path), "cart"]
    till = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        word, total, *loaded = till.stdout.readline().split()
        then = till.stdout.readline()
    finally:
        till.terminate()
        till.communicate(timeout=30)
    assert (word, then) == ("stands", "reads GS1\n"), "that is loaded later, and before a scan"
    assert total != "0.00"
    assert loaded == []


# --- the demo shop beside other programs (exactly-once.md, "The open local server", 7) ---
@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return prepare_demo(tmp_path_factory.mktemp("demo") / "shop", tell=lambda line: None)


def test_a_demo_has_the_manager_s_pin_that_its_screen_shows(shop: Settings) -> None:
    with core.open_till_core(shop) as opened:
        manager = opened.database.manager
        asyncio.run(check_pin(manager, pin=DEMO_PIN, clock=SystemClock()))


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_where_its_port_is_taken_it_has_another(address: str) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as stranger:
        stranger.bind((address, 0))
        stranger.listen()
        taken = stranger.getsockname()[1]
        assert free_port(taken) not in (taken, 0)
    assert free_port(taken) == taken


@contextmanager
def of_manager(shop: Settings) -> Iterator[tuple[SqliteCatalogue, SqliteCatalogueEditor]]:
    path = catalogue_file(shop.data)
    with closing(SqliteCatalogue(path)) as shelf, closing(SqliteCatalogueEditor(path)) as desk:
        yield shelf, desk


def test_what_a_manager_changed_in_a_demo_stays_until_it_is_refilled(tmp_path: Path) -> None:
    shop = prepare_demo(tmp_path / "shop", tell=lambda line: None)
    catalogue_file(shop.data).unlink()
    SqliteCatalogue(catalogue_file(shop.data)).close()
    prepare_demo(shop.data, tell=lambda line: None)  # the first filling was cut off
    with of_manager(shop) as (shelf, desk):
        store = shelf.store()
        assert store is not None
        desk.keep_store(replace(store, city="Пирот", is_sound_enabled=not store.is_sound_enabled))
        changed, generation = shelf.store(), shelf.generation()
        opened = run("demo", "--data", str(shop.data), "--prepare")
        assert opened.returncode == 0
        assert opened.stderr.startswith(f"Demo shop in {shop.data}, as it was left")
        assert (shelf.store(), shelf.generation()) == (changed, generation)
        refilled = run("demo", "--data", str(shop.data), "--prepare", "--refill")
        assert refilled.returncode == 0
        assert shelf.store() == store
