"""`pos-app platform` as a program: its command line, workers and end, and exchanged files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from pos_app.bootstrap.platform.accounts import add_account, add_key
from pos_app.settings import Settings
from tests.e2e.nursery import Life, born
from tests.integration.test_server_program import run as command
from tests.integration.till.test_program_replaced import tree


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the platform; test_packaged.py runs some in a Python of their own."""
    return command("platform", *words)


@contextmanager
def serving(*words: str, **environment: str) -> Iterator[tuple[Life, str]]:
    """Run a platform; yield it with the address that it printed."""
    child = born("platform", *words, **environment)
    try:
        yield child, child.stdout.readline().strip()
    finally:
        if child.poll() is None:
            child.kill()
        child.communicate()


async def key_of_new_account(shop: Settings) -> tuple[str, str, str]:
    account = await add_account(shop, "Прва")
    key = await add_key(shop, account)
    return key.id, key.secret, account


def eventually(is_so: Callable[[], bool], *, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it did not become so"
        time.sleep(0.02)


def workers_of(parent: int) -> set[int]:
    found = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")
    return set(map(int, found.split()))


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2]
    except OSError:
        return False
    return state.split()[0] != "Z"


def test_a_folder_made_for_it_is_its_user_s_alone_from_the_first_start(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    settings_file = folder / "settings.toml"
    settings_file.write_text("[platform_server]\nworkers = 1\n", "utf-8")
    settings_file.chmod(0o644)
    with serving("--data", str(folder), "--port", "0"):
        places = (folder, folder / "platform", folder / "platform/files", settings_file)
        found = [oct(place.stat().st_mode & 0o777) for place in places]
    assert found == ["0o700", "0o700", "0o700", "0o600"]


def test_what_is_refused_with_a_word(folder: Path) -> None:
    data = ("--data", str(folder))
    assert run("account", "add", "Прва", *data).returncode == 0
    for words, told in (
        (("key", "add", "nobody"), 'There is no account "nobody"'),
        (("key", "revoke", "nothing"), "Key not found"),
        (("key", "add", "nobody", "--scope", "all"), '"scopes[0]" must be one of'),
        (("--workers", "2", "--port", "0"), "PostgreSQL"),
        (("account", "add", " "), '"name" is not allowed to be empty'),
        (("account", "add", "а" * 5000), '"name" length must be less than or equal to 100'),
        (("account", "add", "а\nб"), '"name" must not contain control characters'),
        (("key", "add", "nobody", "--name", "а\nб"), '"name" must not contain control characters'),
        (("seen", "--by", "\t"), '"by" is not allowed to be empty'),
    ):
        ended = run(*words, *data)
        assert (ended.returncode, ended.stdout) == (1, "")
        assert told in ended.stderr
        assert "Traceback" not in ended.stderr


LOOKS = (
    *(("account", "list"), ("key", "list", "nobody"), ("key", "add", "nobody")),
    *(("key", "revoke", "pk_" + 22 * "x"), ("seen", "--by", "Ана"), ("backup", "copy.db")),
)
"""These make no platform; only a first account does."""


def test_a_look_where_no_platform_is_makes_none(folder: Path) -> None:
    missing = folder / "mistyped"
    for place, looks, told in (
        (missing, LOOKS[::2], f"There is no folder {missing}."),
        (folder, LOOKS[1::2], f"There is no database of a platform in the folder {folder}."),
    ):
        for look in looks:
            ended = run(*look, "--data", str(place))
            assert (ended.returncode, ended.stdout) == (1, ""), look
            assert told in ended.stderr
        assert not missing.exists()
        assert list(folder.iterdir()) == []


def test_workers_have_a_password_from_no_environment_and_end_with_their_parent(
    folder: Path, postgresql_address: str
) -> None:
    secret = f"{postgresql_address}&password=tajna"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.toml").write_text(
        f'[platform_server]\ndatabase_url = "{secret}"\nworkers = 2\n', encoding="utf-8"
    )
    with serving("--data", str(folder), "--port", "0") as (parent, address):
        assert httpx.get(f"{address}/ready", trust_env=False).status_code == 200
        workers = workers_of(parent.pid)
        assert len(workers) == 2
        for process in workers:  # the parent is a fork, whose environment is the nursery's
            for told in ("environ", "cmdline"):
                assert b"tajna" not in Path(f"/proc/{process}/{told}").read_bytes()
        parent.kill()
        parent.wait()
        eventually(lambda: not any(map(is_running, workers)))


def test_doubts_without_a_number_of_signers_ask_for_it(folder: Path) -> None:
    """Unknown signers may be running: the message must not advise to start the platform."""
    assert run("account", "add", "Прва", "--data", str(folder)).returncode == 0
    done = run("doubts", "list", "--data", str(folder))
    assert done.returncode == 1
    assert "--signers N" in done.stderr
    assert "do not answer" not in done.stderr
    away = run("doubts", "list", "--signers", "2", "--data", str(folder))
    assert away.returncode == 1
    assert "signers of this platform do not answer" in away.stderr


__all__ = ["tree"]

NOT_AGAIN = "is not started again: another version of the program was installed"
SAID = "Another version of the program was installed while this one runs."


def exchange(tree: Path) -> None:
    """Install another version, as dpkg does: a new file takes the name of the old one."""
    old = tree / "pos_app/__init__.py"
    new = old.with_name("__init__.py.dpkg-new")
    new.write_text(old.read_text("utf-8").replace('__version__ = "', '__version__ = "99.'), "utf-8")
    new.replace(old)


@contextmanager
def platform_of(tree: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    """Run the platform of a tree; yield it with its address and its log."""
    log = tree.parent / "platform.log"
    program = [sys.executable, "-P", "-m", "pos_app", "platform", "--port", "0", *words]
    with log.open("wb") as errors:
        child = subprocess.Popen(
            program,
            env=os.environ | {"PYTHONPATH": str(tree)},
            cwd=tree.parent,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    assert child.stdout is not None
    with child:
        try:
            yield child, child.stdout.readline().strip(), log
        finally:
            child.terminate()


def test_none_of_another_version_begins(tree: Path, folder: Path, postgresql_address: str) -> None:
    words = ("--data", str(folder), "--database-url", postgresql_address, "--workers", "2")
    with platform_of(tree, *words) as (parent, address, log):
        first, second = workers_of(parent.pid)
        version = httpx.get(f"{address}/health", trust_env=False, timeout=30).json()["version"]
        exchange(tree)
        os.kill(first, signal.SIGKILL)
        eventually(lambda: NOT_AGAIN in log.read_text("utf-8"))
        assert workers_of(parent.pid) == {second}
        told = httpx.get(f"{address}/health", trust_env=False, timeout=30).json()
        assert (told["version"], told["warnings"]) == (version, [f"{SAID} Start it anew."])
        os.kill(second, signal.SIGKILL)
        assert parent.wait(30) == 1  # its service starts the whole platform anew
    assert SAID in log.read_text("utf-8")
