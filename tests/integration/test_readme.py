"""The commands of the README and of the page of commands work as shown, and the names in them are
right."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import platformdirs.macos
import platformdirs.unix
import platformdirs.windows
import pytest

from pos_app import __main__ as command_line
from pos_app import __version__, settings
from pos_app.adapters.backup.sets import found_sets
from pos_app.bootstrap.till.demo import demo_folder
from pos_app.pfr_emulator.condition import Condition
from pos_app.pfr_emulator.faults import Fault, Kind
from tests.integration.shown import send
from tests.integration.test_server_program import program, run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAMS = (ROOT / "docs/install/commands.md").read_text(encoding="utf-8")
TEXT = re.sub(r"\s+", " ", README)


def table(head: str) -> dict[str, str]:
    """Return the rows of the table of commands.md whose first column has that head."""
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


SHOWN = {
    *("make run", "make test"),
    *("pos-app", "pos-app check", "pos-app stop", "pos-app upgrade", "pos-app processor"),
    *("pos-app server", "pos-app server --data shop", "pos-app platform"),
    *("pos-app sync", "pos-app sync FILE", "pos-app forget-pin"),
    *("pos-app backup", "pos-app restore SET"),
    *("pos-app demo", "pos-app demo --data shop --prepare"),
}
"""Each has its own tests, among others in test_exit_statuses.py; here these are taken as shown."""


def test_each_command_that_is_shown_is_taken() -> None:
    assert set(commands()) == SHOWN
    for command in SHOWN:
        program, *words = command.split()
        if program == "pos-app":
            with pytest.raises(SystemExit, match=r"^0$"):
                command_line.main([*words, "--help"])


def test_a_person_fills_a_demo_serves_it_makes_a_backup_and_puts_it_back(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "shop"))
    assert run("demo", *data, "--prepare").returncode == 0
    with program("server", *data, "--port", "0") as (server, address):
        assert address.startswith("http://127.0.0.1:")
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0
    assert run("backup", *data, is_real=True).returncode == 0
    (one,) = found_sets(tmp_path / "shop", "")
    assert run("restore", *data).returncode == 0
    assert run("restore", one.name, *data, is_real=True).returncode == 0


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


def test_the_faults_and_conditions_that_are_shown_are_taken() -> None:
    (shown,) = re.findall(r"^    curl (.*)$", PROCESSOR_PAGE, re.MULTILINE)
    assert Fault.model_validate(json.loads(shlex.split(shown)[-1])).kind == "refuse"
    (conditions,) = re.findall(r"^\| `PATCH /state` \|(.*)\|$", PROCESSOR_PAGE, re.MULTILINE)
    told = [json.loads(body) for body in re.findall(r"`(\{.*?\})`", conditions)]
    assert len(told) == 3
    for change in told:
        assert Condition.model_validate(change) != Condition()
