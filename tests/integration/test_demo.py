"""The demo shop beside other programs: its port, its folder, and a server that a person runs on it.

Source: exactly-once.md, "The open local server", 7.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from pos_app import settings
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.http_server.listening import free_port
from pos_app.adapters.server_process.address import SERVER_LOCK, last_server
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.checksums import with_checksums
from pos_app.bootstrap.till import core
from pos_app.bootstrap.till.core import left_over_port
from pos_app.bootstrap.till.demo import demo_at_its_port, prepare_demo
from pos_app.errors import AlreadyRunning
from pos_app.selling.people.manager_pin import DEMO_PIN, check_pin
from pos_app.settings import Settings
from tests.integration.test_server_program import program, run
from tests.sweep import each


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return prepare_demo(tmp_path_factory.mktemp("demo") / "shop", tell=lambda line: None)


def test_a_demo_has_one_port(shop: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A free port replaces the real one, which a demo on this machine may hold."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
    monkeypatch.setattr(core, "DEMO_PORT", port)
    assert demo_at_its_port(shop).server.port == port
    asked = settings.load(shop.data, server={"port": 12345})
    assert demo_at_its_port(asked).server.port == 12345


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
    """It also stays while a till has the folder open."""
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


def test_a_server_that_a_person_started_is_never_stopped(shop: Settings) -> None:
    with program("server", "--data", str(shop.data), "--port", "0") as (server, address):
        refused = run("demo", "--data", str(shop.data))
        assert refused.returncode == 1
        assert f"A server that you started runs on the demo's folder {shop.data}, at {address}" in (
            refused.stderr
        )
        assert "It goes on, and nothing was changed." in refused.stderr
        assert "Ctrl+C" in refused.stderr
        assert httpx.get(f"{address}/health", trust_env=False).is_success
        with pytest.raises(AlreadyRunning):
            demo_at_its_port(shop)
        server.kill()
        server.wait(20)
    seen = last_server(shop.data)
    assert seen.by_hand
    assert left_over_port(shop.data) is None
    demo_at_its_port(shop)  # one that was killed stands in no way


def test_a_left_over_server_gives_back_its_port(
    shop: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    monkeypatch.setattr(core, "DEMO_PORT", port)
    words = ("server", "--data", str(shop.data), "--port", str(port))
    with program(*words, "--for-till"):
        assert left_over_port(shop.data) == port
        assert demo_at_its_port(shop).server.port == port
    assert left_over_port(shop.data) is None  # it was killed; its address stays in the folder
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", port))
        stranger.listen()
        assert demo_at_its_port(shop).server.port != port


@each(
    "written", ["", "\n", "http://127.0.0.1\n", "ftp://127.0.0.1:1\n", "http://a:1\nhand\nx", "\0"]
)
def test_an_address_that_can_t_be_read_is_none(folder: Path, written: str) -> None:
    place = folder / SERVER_LOCK.parent
    place.mkdir(exist_ok=True)
    (place / "server.address").write_text(written)
    assert last_server(folder) is None


def test_a_demo_of_an_unreleased_build_is_set_aside(tmp_path: Path) -> None:
    data = tmp_path / "demo"
    assert run("demo", "--data", str(data), "--prepare").returncode == 0
    with closing(with_checksums(catalogue_file(data))) as connection:
        connection.pragma("user_version", 11)
    old = catalogue_file(data).read_bytes()
    told = run("demo", "--data", str(data), "--prepare")
    assert told.returncode == 0, told.stderr
    assert f"{data}-old-1" in told.stderr
    assert catalogue_file(tmp_path / "demo-old-1").read_bytes() == old
    again = run("demo", "--data", str(data), "--prepare")
    assert (again.returncode, "as it was left" in again.stderr) == (0, True)
    assert not (tmp_path / "demo-old-2").exists()
