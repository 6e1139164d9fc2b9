"""A set is restored at the till's own page: real window, server, processor and files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pos_app.adapters.data_folder import TILL
from pos_app.adapters.data_folder.upgrade_mark import BACKUPS
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


def rows(data: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(open_reader(data)) as connection:
        return list(connection.execute(sql))


def test_what_was_sold_since_is_told_set_aside_and_never_doubled(shop: programs.Shop) -> None:
    till = shop.run("-m", "tests.e2e.putting_back_till", str(shop.data), name="till")
    assert till.wait(programs.PATIENCE * 2) == 0, till.errors()
    said = ("sold", "asks", "meanwhile", "has")
    told = [line for _, line in till.told if line.startswith(said)]
    assert len(told) == 6, f"{told}\n{till.errors()}"
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
