"""A set is restored at the till's own page: real window, server, processor and files."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pos_app.adapters.data_folder import TILL
from pos_app.adapters.data_folder.upgrade_mark import BACKUPS, RESTORE_MARK
from pos_app.adapters.sqlite.database import open_reader
from pos_app.pfr_emulator.ledger import read_entries
from tests.e2e import shop as programs
from tests.integration.test_server_program import run


@pytest.fixture
def shop(shop: programs.Shop) -> Iterator[programs.Shop]:
    """Its processor runs; no till or server is left behind."""
    shop.processor()
    yield shop
    assert run("stop", "--data", str(shop.data)).returncode == 0


def at_till(shop: programs.Shop, how: str) -> tuple[int, list[str]]:
    till = shop.run("-m", "tests.e2e.putting_back_till", str(shop.data), how, name="till")
    status = till.wait(programs.PATIENCE * 2)
    return status, [line for _, line in till.told if line.split()[0] in TOLD]


TOLD = frozenset({"sold", "asks", "meanwhile", "dies", "has"})


def rows(data: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(open_reader(data)) as connection:
        return list(connection.execute(sql))


def test_what_was_sold_since_is_told_set_aside_and_never_doubled(shop: programs.Shop) -> None:
    status, told = at_till(shop, "whole")
    assert status == 0, shop.running[-1].errors()
    assert len(told) == 6, f"{told}\n{shop.running[-1].errors()}"
    assert told[:3] == ["sold done"] * 3
    assert "2 издата рачуна" in told[3]
    assert "2 продаје ове касе" in told[3]
    assert told[4].startswith("meanwhile Копија се враћа")
    assert told[5].startswith("has 1 cases restored")
    assert len(read_entries(shop.ledger_folder)) == 3, "nothing was sent once more"
    (aside,) = (shop.data / BACKUPS).glob("set-aside-*")
    assert rows(aside / TILL, "SELECT count(*) FROM sales") == [(3,)]
    assert rows(shop.data / TILL, "SELECT count(*) FROM sales") == [(1,)]
    kept = "SELECT done, by_name, lifted_by FROM acts WHERE done = 'put_back'"
    ((_, by, lifted_by),) = rows(shop.data / TILL, kept)
    assert by
    assert lifted_by
    assert rows(aside / TILL, kept) == []


@pytest.mark.long
def test_killed_half_in_its_place_it_is_gone_on_with(shop: programs.Shop) -> None:
    status, told = at_till(shop, "killed")
    assert (status, told[-1]) == (-signal.SIGKILL, "dies")
    assert (shop.data / RESTORE_MARK).exists()
    assert run("check", "--data", str(shop.data)).returncode == 4
    assert not (shop.data / RESTORE_MARK).exists()
    status, told = at_till(shop, "whole")
    assert (status, told[0][:20]) == (0, "has 1 cases restored")
    assert len(read_entries(shop.ledger_folder)) == 3
