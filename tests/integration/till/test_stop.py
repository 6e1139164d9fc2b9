"""`pos-app stop`: till and server end as a person would end them, or all stays as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import httpx
import openpyxl
import pytest

from pos_app import settings
from pos_app.adapters.backup.sets import found_sets
from pos_app.adapters.data_folder.lock import is_held
from pos_app.adapters.data_folder.running_mark import names_of, others_run
from pos_app.adapters.server_process.address import SERVER_LOCK
from pos_app.adapters.server_process.service import MARK
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.till.till import LOCK_NAME
from pos_app.bootstrap.commands.stop import BUSY, STOPPED
from pos_app.bootstrap.till.core import open_till_core
from pos_app.selling.sale.sell import start
from tests.e2e.nursery import Life, door
from tests.fakes.no_tls import NO_TLS
from tests.integration.test_server_program import SALE, demo_shop, post, program, run
from tests.ports import free_ports
from tests.sweep import LONG

STANDING = "tests.integration.till.standing_till"
LENGTH = 250
TILL_LOCK = Path("till", LOCK_NAME)


def far(folder: Path) -> Path:
    """Return a folder with a user's name in Cyrillic and a path of 250 characters; each name has at
    most a hundred, so that the file system accepts it."""
    folder /= "Миодраг Ђорђевић"
    while (left := LENGTH - len(str(folder)) - 1) > 0:
        folder /= ("подаци касе " * 9)[: min(left, 100)].replace(" ", "-")
    return folder


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Make two shops of one machine, in folders as Windows may give them."""
    both = tuple(far(tmp_path_factory.mktemp(name)) for name in ("one", "other"))
    for shop, port in zip(both, free_ports(2), strict=True):
        assert run("demo", "--prepare", "--data", str(shop)).returncode == 0
        with (shop / "settings.toml").open("a") as file:
            file.write(f"\n[server]\nport = {port}\n")
    return both[0], both[1]


@contextmanager
def standing(shop: Path, what: str) -> Iterator[tuple[Life, str]]:
    """Run the till; yield it once it stands, with the last word that it says then."""
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


def waited(is_so: Callable[[], bool]) -> bool:
    until = time.monotonic() + 30
    while not is_so() and time.monotonic() < until:
        time.sleep(0.05)
    return is_so()


def runs(shop: Path) -> tuple[bool, bool]:
    return is_held(shop / TILL_LOCK), is_held(shop / SERVER_LOCK)


def test_where_nothing_runs_nothing_is_made_and_all_is_stopped(tmp_path: Path) -> None:
    done = stop(tmp_path / "nothing")
    assert done.returncode == STOPPED, done.stderr
    assert (done.stdout, done.stderr) == (f"Nothing runs on {tmp_path / 'nothing'}.\n", "")
    assert not (tmp_path / "nothing").exists()


@pytest.mark.skipif(os.name != "posix", reason="a stopped process")
def test_one_with_a_cart_closes_one_that_is_paid_or_hangs_goes_on(shops: tuple[Path, Path]) -> None:
    """Every other program works in such a folder too."""
    shop, other = shops
    with standing(shop, "cart") as (till, _), standing(other, "payment") as (stays, _):
        assert waited(lambda: runs(shop)[1] and runs(other)[1])
        busy = stop(other, wait=10)  # a busy machine takes seconds to answer
        stays.send_signal(signal.SIGSTOP)
        silent = stop(other, wait=1)
        stays.send_signal(signal.SIGCONT)
        for done, told in ((busy, "A payment is open at the till."), (silent, "does not answer.")):
            assert done.returncode == BUSY
            assert told in done.stderr
            assert "nothing was changed" in done.stderr
        done = stop(shop)
        assert done.returncode == STOPPED, done.stderr
        assert done.stdout == f"Stopped the till and the server. Nothing runs on {shop}.\n"
        assert till.wait(10) == 0
        assert runs(shop) == (False, False)
        assert runs(other) == (True, True)
        assert stays.poll() is None
    for command in ("upgrade", "check"):
        ended = run(command, "--data", str(shop))
        assert ended.returncode == 0, ended.stdout + ended.stderr
    with open_till_core(settings.load(shop)) as core:
        assert len(start(till=core.till, cashier="x").cart.active) == 1


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


def test_a_receipt_at_the_processor_is_waited_for(shops: tuple[Path, Path], tmp_path: Path) -> None:
    """A server that no till started is stopped too."""
    port, control = free_ports(2)
    shop = tmp_path / "shop"
    assert run("demo", "--prepare", "--data", str(shop)).returncode == 0
    words = ["processor", "--data", str(shop), "--port", str(port), "--control-port", str(control)]
    with ExitStack() as stack:
        stack.enter_context(program(*words))
        real = (
            f'[processor]\nkind = "lpfr"\nurl = "http://127.0.0.1:{port}"\n\n[esir]\nib = "1234"\n'
        )
        (shop / "settings.toml").write_text(f'environment = "demo"\n\n{real}', encoding="utf-8")
        _, address = stack.enter_context(program("server", "--data", str(shop), "--port", "0"))
        fault = {"kind": "late_signing", "seconds": 8}
        httpx.post(
            f"http://127.0.0.1:{control}/faults", json=fault, trust_env=False, verify=NO_TLS
        ).raise_for_status()
        answers: list[httpx.Response] = []
        sending = threading.Thread(target=lambda: answers.append(post(address, SALE)))
        sending.start()
        with closing(open_reader(shop / "journal" / "journal.db")) as journal:
            sent = "SELECT count(*) FROM requests WHERE state = 'sending'"
            assert waited(lambda: journal.execute(sent).get == 1)
        done = stop(shop, wait=1)
        assert done.returncode == BUSY
        assert "A receipt is on its way to the fiscal processor." in done.stderr
        assert runs(shop)[1]
        done = stop(shop)
        assert done.returncode == STOPPED, done.stderr
        sending.join(30)
        assert answers[0].status_code == 200


def test_a_service_s_server_is_stopped_by_the_service_alone(shops: tuple[Path, Path]) -> None:
    shop, _ = shops
    (shop / MARK).touch()
    try:
        server = ("server", "--data", str(shop), "--port", "0")
        with program(*server), standing(shop, "cart") as (till, _):
            ended = run("stop", "--service", "--data", str(shop))
            assert ended.returncode == STOPPED, ended.stderr
            assert runs(shop) == (True, False)
            with program(*server):
                done = stop(shop)
                assert done.returncode == STOPPED, done.stderr
                assert till.wait(10) == 0
                assert runs(shop) == (False, True)
    finally:
        (shop / MARK).unlink()


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


def test_the_mutexes_tell_programs_and_folders_apart(tmp_path: Path) -> None:
    every, one = names_of("till", tmp_path)
    assert every == r"Global\pos-app-till"
    assert one.startswith(f"{every}-")
    assert len(one) == len(every) + 25
    assert names_of("till", tmp_path / "x" / "..")[1] == one
    assert names_of("till", tmp_path / "y")[1] != one
    assert names_of("server", tmp_path)[0] == r"Global\pos-app-server"
