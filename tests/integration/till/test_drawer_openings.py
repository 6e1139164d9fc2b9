"""Openings of the drawer by hand are stored; each ends once, and none is ever changed or
removed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.sqlite.till.till import TillDatabase
from pos_app.errors import NotAllowed
from pos_app.selling.server.drawer_openings import DrawerOpening, OpeningOutcome
from tests.fakes.inner_connection import connection_of
from tests.fakes.ready_tables import open_ready

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


@pytest.fixture
def database(folder: Path) -> Iterator[TillDatabase]:
    made = open_ready(folder / "till")
    yield made
    made.close()


def test_it_is_kept_before_the_drawer_is_asked_and_ends_once(database: TillDatabase) -> None:
    log = database.drawer
    number = log.begin_opening(by="Мира", at=NOW)
    assert log.openings(since=NOW) == [DrawerOpening(number, NOW, "Мира", OpeningOutcome.ASKED)]
    log.end_opening(number, OpeningOutcome.OPENED)
    assert log.openings(since=NOW) == [DrawerOpening(number, NOW, "Мира", OpeningOutcome.OPENED)]
    with pytest.raises(NotAllowed):
        log.end_opening(number, OpeningOutcome.SHUT)


def test_they_are_told_from_a_moment_on(database: TillDatabase) -> None:
    for minute in range(3):
        database.drawer.begin_opening(by=f"{minute}", at=NOW + timedelta(minutes=minute))
    told = database.drawer.openings(since=NOW + timedelta(minutes=1))
    assert [one.cashier for one in told] == ["1", "2"]


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE drawer_openings SET cashier = 'x'",
        "UPDATE drawer_openings SET at = 'x'",
        "DELETE FROM drawer_openings",
        "UPDATE drawer_openings SET outcome = 'x'",
    ],
)
def test_the_file_itself_refuses_to_forget(database: TillDatabase, sql: str) -> None:
    database.drawer.begin_opening(by="Мира", at=NOW)
    with pytest.raises(apsw.ConstraintError):
        connection_of(database.drawer).execute(sql)
