"""Files of a data folder that are another shop's, older, closed or missing, and settings that a
shop loses: programs and `check` name each truly, and advise nobody to put one away."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.bootstrap.till.core import open_till_core
from pos_app.errors import FilesReplaced
from pos_app.pfr_emulator.ledger import read_entries
from tests.e2e.real_shop import RealShop, at_work, real_shop, sold_and_waiting, until
from tests.e2e.shop import Shop
from tests.integration.test_server_program import run
from tests.sweep import sampled

WHOLE, DAMAGED, WARNED = 0, 1, 4


@pytest.fixture(scope="module")
def left(
    tmp_path_factory: pytest.TempPathFactory, catalogue: Path, nursery: Path
) -> Iterator[tuple[Shop, Shop]]:
    """Two shops whose programs have ended, each with a receipt and a sale that waits."""
    folder = tmp_path_factory.mktemp("left")
    with (
        real_shop(folder / "one", catalogue, nursery) as one,
        real_shop(folder / "two", catalogue, nursery) as two,
    ):
        for shop in (one, two):
            asyncio.run(sold_and_waiting(shop))
        yield one, two


@pytest.fixture
def shop(left: tuple[Shop, Shop], tmp_path: Path) -> Iterator[Shop]:
    """A complete copy of the first one."""
    one, _ = left
    shutil.copytree(one.folder, tmp_path / "shop")
    made = RealShop(
        tmp_path / "shop", one.port, one.processor_port, one.control_port, nursery=one.nursery
    )
    try:
        yield made
    finally:
        made.close()


def told_by(*words: str, before: tuple[str, ...] = ()) -> tuple[int, str]:
    """Status and words of a program that advises nobody to put a file away."""
    if before:
        command = [*before, sys.executable, "-m", "pos_app", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    else:
        done = run(*words)
    told = done.stdout + done.stderr
    assert "Traceback" not in told, told
    assert not re.search("[Mm]ove (it|the file) away", told), told
    return done.returncode, told


def check(data: Path, *more: str, before: tuple[str, ...] = ()) -> tuple[int, str]:
    return told_by("check", "--data", str(data), *more, before=before)


def refused(*words: str) -> str:
    status, told = told_by(*words)
    assert status == 1, told
    return told


async def signed_once(shop: Shop) -> None:
    """What waits gets its receipt, once."""
    processor, server = shop.processor(), shop.server()
    async with at_work(shop) as till:
        (waiting,) = till.core.database.sales.waiting()
        await till.done(waiting)
    server.stop()
    processor.stop()
    assert check(shop.data)[0] == WHOLE, check(shop.data)
    assert len(read_entries(shop.ledger_folder)) == 2
    assert not (shop.data / "processor").exists()


LOSSES: dict[str, Callable[[Path], object]] = {
    "damaged": lambda path: path.write_bytes(path.read_bytes()[:-30]),
    "missing": Path.unlink,
    "empty": lambda path: path.write_bytes(bytes(path.stat().st_size)),
}


@pytest.mark.parametrize("loss", sampled(LOSSES))
async def test_an_identity_that_is_lost_is_made_again_of_the_databases(
    shop: Shop, loss: str
) -> None:
    path = shop.data / "install.json"
    before = json.loads(path.read_bytes())
    LOSSES[loss](path)
    for words in (("server", "--port", "0"), ("till",), ("forget-pin",)):
        assert f"The file {path} is {loss}" in refused(*words, "--data", str(shop.data))
    status, told = check(shop.data)
    assert (status, f"{path} is {loss}" in told) == (DAMAGED, True), told
    assert path.exists() is (loss != "missing")
    status, told = check(shop.data, "--put-back")
    assert (status, "install.json: made again" in told) == (WHOLE, True), told
    after = json.loads(path.read_bytes())
    same = ("install_id", "till_id", "environment")
    assert [after[name] for name in same] == [before[name] for name in same]
    assert after["token"] != before["token"]
    assert path.with_name("install.json.damaged").exists() is (loss == "damaged")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    await signed_once(shop)


def test_damaged_settings_are_kept_aside_and_the_last_good_ones_put_back(shop: Shop) -> None:
    path, last = shop.data / "settings.toml", shop.data / "settings.last-good.toml"
    good = path.read_bytes()
    last.write_bytes(good)
    damaged = [b"[till\nname", b"[processor]\nkind = ", good.decode().encode("utf-16")]
    for content in damaged:
        path.write_bytes(content)
        status, told = check(shop.data)
        assert (status, "pos-app check --put-back` keeps" in told) == (DAMAGED, True), told
        status, told = check(shop.data, "--put-back")
        assert (status, "it was damaged, and is kept as" in told) == (WHOLE, True), told
        assert path.read_bytes() == good
    kept = sorted(path.parent.glob("settings.toml.damaged*"))
    assert [one.read_bytes() for one in kept] == damaged
    last.unlink()
    path.write_text("[till")
    status, told = check(shop.data, "--put-back")
    assert (status, "not put back. There is no copy" in told) == (DAMAGED, True), told
    assert path.read_text() == "[till"


def test_a_damaged_identity_that_no_database_knows_stays(shop: Shop) -> None:
    """It is superfluous only where something else knows its content."""
    path = shop.data / "install.json"
    LOSSES["damaged"](path)
    held = path.read_bytes()
    for name in ("journal", "till", "catalogue"):
        (shop.data / name / f"{name}.db").write_bytes(b"no database")
    done = run("check", "--put-back", "--data", str(shop.data))
    assert (done.returncode, "can't be made again" in done.stderr) == (1, True), done.stderr
    assert path.read_bytes() == held


def test_an_identity_is_not_made_while_a_program_runs_that_has_one(shop: Shop) -> None:
    server = shop.server()
    (shop.data / "install.json").unlink()
    done = run("check", "--put-back", "--data", str(shop.data))
    assert (done.returncode, "Another server is running" in done.stderr) == (1, True), done.stderr
    assert not (shop.data / "install.json").exists()
    server.stop()


@pytest.mark.parametrize(
    ("swapped", "status", "told_of"),
    [
        ("install.json", DAMAGED, ("till/till.db", "journal/journal.db", "catalogue/catalogue.db")),
        ("till", DAMAGED, ("till/till.db",)),
        ("journal", DAMAGED, ("journal/journal.db",)),
        ("catalogue", WARNED, ("catalogue/catalogue.db",)),
    ],
)
def test_a_file_of_another_shop_is_told(
    shop: Shop, left: tuple[Shop, Shop], swapped: str, status: int, told_of: tuple[str, ...]
) -> None:
    _, two = left
    place, other = shop.data / swapped, two.data / swapped
    if other.is_dir():
        shutil.rmtree(place)
        shutil.copytree(other, place)
    else:
        shutil.copy(other, place)
    found, told = check(shop.data)
    words = "belongs to another till"
    named = [line.split(":")[0] for line in told.splitlines() if words in line]
    assert (found, sorted(named)) == (status, sorted(told_of)), told
    if "till/till.db" in told_of:
        assert "belongs to another till" in refused("till", "--data", str(shop.data))


def put_older(shop: Shop) -> None:
    shutil.rmtree(shop.data / "till")
    shutil.copytree(shop.folder / "older", shop.data / "till")


def without_log(shop: Shop) -> None:
    for end in ("-wal", "-shm"):
        (shop.data / "till" / f"till.db{end}").unlink()


def without_file(shop: Shop) -> None:
    for path in (shop.data / "till").glob("till.db*"):
        path.unlink()


@pytest.mark.parametrize(
    ("loss", "numbers"),
    sampled(
        [
            (without_file, "3 sales, 1 to 3,"),
            (put_older, "least sale 3,"),
            (without_log, "least sale 3,"),
        ]
    ),
)
async def test_confirmed_sales_that_a_till_lacks_are_told_until_a_manager_looked(
    shop: Shop, loss: Callable[[Shop], None], numbers: str
) -> None:
    """Four sales wait, the journal knows the first; a file without them takes the till's place."""
    shutil.copytree(shop.data / "till", shop.folder / "older")
    processor = shop.processor()
    server = shop.server()
    async with at_work(shop) as till:
        (waiting,) = till.core.database.sales.waiting()
        await till.done(waiting)
        processor.stop()
        first, *_ = [till.sell() for _ in range(4)]
        await until(lambda: till.now(first).reason is not None)
        shutil.copytree(shop.data / "till", shop.folder / "killed")
    server.kill()
    shutil.rmtree(shop.data / "till")
    shutil.copytree(shop.folder / "killed", shop.data / "till")
    loss(shop)
    assert check(shop.data)[0] == WARNED, check(shop.data)
    shop.processor()
    server = shop.server()
    async with at_work(shop) as till:
        await until(lambda: till.core.database.sales.lacking() is not None)
        await till.done(till.sell())
    server.stop()
    for _ in range(2):
        status, told = check(shop.data)
        assert (status, numbers in told, "Delete nothing" in told) == (WARNED, True, True), told
    await looked_at(shop)


async def looked_at(shop: Shop) -> None:
    async with at_work(shop) as till:
        sales = till.core.database.sales
        sales.close_lacking(by="Управник", at=till.core.till.clock.now())
    assert check(shop.data)[0] == WHOLE, check(shop.data)


async def test_what_was_open_when_the_file_was_replaced_is_told_until_a_manager_looked(
    shop: Shop,
) -> None:
    """The till's file is replaced under the open till, which keeps its open files beside."""
    shutil.copytree(shop.data / "till", shop.folder / "older")
    async with at_work(shop) as till:
        lost = [till.sell() for _ in range(2)]
        for path in (shop.data / "till").glob("till.db*"):
            path.unlink()
        for path in (shop.folder / "older").glob("till.db*"):
            shutil.copy(path, shop.data / "till")
        with pytest.raises(FilesReplaced):
            till.sell()
    (kept,) = (shop.data / "till").glob("till-kept-*.db")
    numbers = f"{lost[0].sequence} to {lost[1].sequence}"
    for _ in ("before the next start", "after it"):
        status, told = check(shop.data)
        named = f"2 sales, {numbers}", kept.name, "Delete nothing"
        assert (status, [one in told for one in named]) == (WARNED, [True] * 3), told
        async with at_work(shop) as till:
            lacking = till.core.database.sales.lacking()
            assert (lacking.many, lacking.files) == (2, (kept.name,))
    await looked_at(shop)
    async with at_work(shop) as till:
        assert till.core.database.sales.lacking() is None
    assert kept.exists()
    (shop.data / "till" / "till.db").unlink()
    status, told = check(shop.data)
    assert (status, kept.name in told) == (WARNED, True), told


async def test_a_till_or_catalogue_that_was_taken_away_is_told(shop: Shop) -> None:
    shutil.move(shop.data / "catalogue", shop.folder / "catalogue")
    status, told = check(shop.data)
    assert (status, "catalogue/catalogue.db: It was taken away" in told) == (WARNED, True), told
    shutil.move(shop.folder / "catalogue", shop.data / "catalogue")
    shutil.rmtree(shop.data / "till")
    status, told = check(shop.data)
    assert (status, "the journal has 2 sales" in told) == (WARNED, True), told


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0 or not shutil.which("unshare"),
    reason="a disk that can only be read",
)
def test_a_disk_that_is_only_read_is_told_as_that(shop: Shop) -> None:
    only_read = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    before = ("unshare", "-m", "sh", "-c", only_read, str(shop.data))
    for words in ("server", "till"):
        status, told = told_by(words, "--data", str(shop.data), before=before)
        assert (status, "can only be read now" in told) == (1, True), told
        assert "right to write" not in told
    assert check(shop.data, before=before)[0] == WHOLE


LAST = "settings.last-good.toml"
CUT = "# The shop in Novi Sad.\n[server]\nport = {port}\n"
"""The rest of the settings: they are valid, and name no processor."""
SETTINGS_LOSSES: dict[str, Callable[[Path, int], object]] = {
    "cut": lambda path, port: path.write_text(CUT.format(port=port)),
    "gone": lambda path, _: path.unlink(),
    "empty": lambda path, _: path.write_bytes(b""),
    "zeros": lambda path, _: path.write_bytes(bytes(path.stat().st_size)),
    "cut within a line": lambda path, _: path.write_bytes(path.read_bytes()[:60]),
}


@pytest.mark.parametrize("loss", sampled(SETTINGS_LOSSES))
async def test_nothing_is_issued_by_another_processor(shop: Shop, loss: str) -> None:
    path, last = shop.data / settings.FILE_NAME, shop.data / LAST
    whole = path.read_bytes()
    assert last.read_bytes() == whole
    SETTINGS_LOSSES[loss](path, shop.port)
    found = path.read_bytes() if path.exists() else None
    server = shop.run("-m", "pos_app", "server", "--data", str(shop.data), "--log-json", name="no")
    assert server.wait() == 1
    told = json.loads(server.told[-1][1])["refused"]
    words = f"{told['what']} {told['safe']} {told['do']}"
    assert told["code"] == "settings_broken", words
    assert LAST in words
    assert "move" not in words
    assert "default" not in words
    status, answer = check(shop.data)
    assert status == 1, answer
    assert LAST in answer
    if loss != "cut":  # with those it opens, and tells in Attention that its server does not
        till = run("till", "--data", str(shop.data))
        assert (till.returncode, str(path) in till.stderr) == (1, True), till.stderr
    assert (path.read_bytes() if path.exists() else None) == found
    assert last.read_bytes() == whole, "what was lost was taken for good"
    assert not (shop.data / "processor").exists()
    shutil.copy(last, path)
    await signed_once(shop)


def test_a_test_shop_never_becomes_a_real_one(folder: Path) -> None:
    """The defaults, which count where settings and their copy are lost, are of a real shop."""
    path = folder / settings.FILE_NAME
    path.write_text('environment = "sandbox"\n', encoding="utf-8")
    with open_till_core(settings.load(folder)):
        pass
    assert check(folder)[0] == WHOLE
    path.write_text('environment = "production"\n', encoding="utf-8")
    status, told = check(folder)
    assert (status, 'belongs to the environment "sandbox"' in told) == (DAMAGED, True), told
    path.unlink()
    for program in ("check", "till"):
        told = refused(program, "--data", str(folder))
        assert f"The settings file {path} is missing" in told, told
        assert 'environment = "sandbox"' in told, told
