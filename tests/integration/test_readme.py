"""The commands of the README and of the page of programs work as shown, and the names in them are
right."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import platformdirs.macos
import platformdirs.unix
import platformdirs.windows
import pytest

from pos_app import settings
from pos_app.adapters.backup.sets import found_sets
from pos_app.adapters.server_process.address import last_server
from pos_app.bootstrap.till.core import DEMO_PORT
from pos_app.bootstrap.till.demo import demo_folder
from pos_app.domain.receipt.receipt_identity import LONGEST_KEY, SHORTEST_KEY
from tests.e2e.nursery import door
from tests.e2e.shop import Program
from tests.fakes.foreign_platform import ForeignPlatform
from tests.integration.shown import send
from tests.integration.test_server_program import program, run
from tests.sweep import LONG

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAMS = (ROOT / "docs/programs.md").read_text(encoding="utf-8")
TEXT = re.sub(r"\s+", " ", README)


def table(head: str) -> dict[str, str]:
    """Return the rows of the table of programs.md whose first column has that head."""
    pattern = rf"^\| {re.escape(head)} \|.*\n\|[-|]+\n((?:\|.*\n)+)"
    found = re.search(pattern, PROGRAMS, re.MULTILINE)
    assert found, head
    rows = [line.strip("| ").split(" | ", 1) for line in found[1].splitlines()]
    return {first.strip("`"): second for first, second in rows}


# --- commands ------------------------------------------------------------------------------------


def commands() -> list[str]:
    """Return every command line of the two pages, without its explanation."""
    shown = re.findall(r"^    ((?:make|pos-app)\b.*)$", README + PROGRAMS, re.MULTILINE)
    return sorted({re.split(r"\s{2,}", line)[0].strip() for line in shown})


REAL = {"backup", "forget-pin", "processor", "restore"}
"""Commands that no other test starts in a Python of its own."""


class Place:
    """An empty folder to work in, which contains the default data folder; programs end with it."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.data = folder / "share" / "pos-app"
        self._stack = stack
        self.env = {
            "XDG_DATA_HOME": str(folder / "share"),
            "QT_QPA_PLATFORM": "offscreen",
            "POS_APP_SERVER__PORT": "0",
            "POS_APP_PLATFORM_SERVER__PORT": "0",
            "PYTHONPATH": str(ROOT),
        }

    def start(self, *words: str) -> Program:
        errors = self.folder / "errors"
        nursery = None if REAL.intersection(words[:1]) else door()
        words = ("-m", "pos_app", *words)
        started = Program(words, env=self.env, errors=errors, cwd=self.folder, nursery=nursery)
        self._stack.callback(started.close)
        return started

    def ends_well(self, *words: str) -> None:
        ended = self.start(*words)
        assert ended.wait() == 0, ended.errors()

    def is_stopped(self, running: Program) -> None:
        running.child.send_signal(signal.SIGINT)
        assert running.wait() == 0, running.errors()

    def prints_its_address(self, *words: str) -> None:
        running = self.start(*words)
        running.until(lambda: running.lines("http://127.0.0.1:"))
        self.is_stopped(running)

    def opens_the_till(self, *words: str) -> None:
        running = self.start(*words)
        running.until(lambda: last_server(self.data) or running.is_over)
        seen = last_server(self.data)
        assert seen is not None, running.errors()
        assert not seen.by_hand
        self.is_stopped(running)


def fills_a_demo_and_serves_it(place: Place) -> None:
    place.ends_well("demo", "--data", "shop", "--prepare")
    place.prints_its_address("server", "--data", "shop")


def brings_articles_in(place: Place) -> None:
    place.ends_well("sync", str(ROOT / "resources" / "demo" / "catalogue.json"))


def goes_to_the_platform(place: Place) -> None:
    with ForeignPlatform().open() as platform:
        platform.add(name="Хлеб", price=1)
        place.env |= {
            "POS_APP_PLATFORM__URL": platform.url,
            "POS_APP_PLATFORM__KEY": platform.key,
            "POS_APP_PLATFORM_SECRET": platform.secret,
        }
        place.ends_well("sync")


def forgets_the_pin(place: Place) -> None:
    place.opens_the_till()
    place.ends_well("forget-pin")


def makes_a_backup(place: Place) -> None:
    brings_articles_in(place)
    place.ends_well("backup")
    assert len(found_sets(place.data, "")) == 1


def puts_back_a_backup(place: Place) -> None:
    makes_a_backup(place)
    (one,) = found_sets(place.data, "")
    place.ends_well("restore")
    place.ends_well("restore", one.name)


CHECKS: dict[str, Callable[[Place], None]] = {
    "pos-app": lambda place: place.opens_the_till(),
    "pos-app server": lambda place: place.prints_its_address("server"),
    "pos-app server --data shop": fills_a_demo_and_serves_it,
    "pos-app sync": goes_to_the_platform,
    "pos-app sync FILE": brings_articles_in,
    "pos-app platform": lambda place: place.prints_its_address("platform"),
    "pos-app forget-pin": forgets_the_pin,
    "pos-app check": lambda place: place.ends_well("check"),
    "pos-app stop": lambda place: place.ends_well("stop"),
    "pos-app backup": makes_a_backup,
    "pos-app restore SET": puts_back_a_backup,
    "pos-app upgrade": lambda place: place.ends_well("upgrade"),
    "pos-app processor": lambda place: place.prints_its_address("processor"),
    "pos-app demo": lambda place: place.ends_well("demo"),
}
PART_OF_ANOTHER = {"pos-app demo --data shop --prepare"}


WITHIN_ANOTHER = {
    "pos-app",
    "pos-app backup",
    "pos-app demo",
    "pos-app server",
    "pos-app sync FILE",
}
"""Commands that the check of another one runs too, or test_server_program.py (the demo): alone they
run in `make faults`."""


@pytest.mark.parametrize(
    "command", [pytest.param(one, marks=LONG if one in WITHIN_ANOTHER else ()) for one in CHECKS]
)
def test_a_command_does_what_it_says(tmp_path: Path, command: str) -> None:
    with ExitStack() as stack:
        CHECKS[command](Place(tmp_path, stack))


def test_no_command_is_shown_that_is_not_run_here() -> None:
    words = {f"make {word}" for word in ("run", "test")}
    assert set(commands()) == set(CHECKS) | PART_OF_ANOTHER | words


@pytest.mark.parametrize("page", ["README.md", "docs/develop.md"])
def test_every_make_word_is_there(page: str) -> None:
    shown = set(re.findall(r"\bmake (\w+)\b", (ROOT / page).read_text(encoding="utf-8")))
    words = shown & {"run", "test", "check", "format", "bench", "faults", "clean"}
    assert words
    for word in words:
        dry = subprocess.run(["make", "-n", word], cwd=ROOT, capture_output=True, check=False)
        assert dry.returncode == 0, dry.stderr


# --- the API -------------------------------------------------------------------------------------


def curl(address: str, having: str) -> Any:
    """Send to another server what the README's curl command with these words sends."""
    shown = re.findall(r"```sh\ncurl (.*?)```", README, re.DOTALL)
    (found,) = [command for command in shown if having in command]
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


def test_how_long_a_key_is() -> None:
    assert f"A key is {SHORTEST_KEY} to {LONGEST_KEY} visible ASCII characters" in TEXT


def test_the_demo_s_port() -> None:
    assert f"reach its server at `http://127.0.0.1:{DEMO_PORT}`" in TEXT


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
