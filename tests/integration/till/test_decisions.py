"""Decisions on pairs outlive the till, never change, and are removed once no screen shows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.sqlite.till.till import TillDatabase, open_till
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.operations import Operation
from pos_app.errors import DatabaseDamaged, DiskFull
from pos_app.selling.attention.pair_decisions import KEPT, PairDecision
from tests.fakes.faulty_file import refused
from tests.fakes.inner_connection import connection_of
from tests.fakes.ready_tables import open_ready

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
UNDONE = PairDecision(
    "r-1", NOW, "Власник", True, Money("842.50"), Operation.REFUND, "ABCD1234-ABCD1234-8660"
)
FINISHED = PairDecision("r-2", NOW + timedelta(minutes=5), "Ана", False)
"""The least that a server reports of a decision."""


@pytest.fixture
def database(folder: Path) -> Iterator[TillDatabase]:
    made = open_ready(folder / "till")
    yield made
    made.close()


def told(database: TillDatabase) -> list[PairDecision]:
    return list(database.decisions.decisions(since=NOW))


def test_they_are_there_after_a_restart(folder: Path) -> None:
    before = open_till(folder / "till", till_id="till-1")
    for decision in (FINISHED, UNDONE):
        before.decisions.keep_decision(decision)
    before.close()
    after = open_till(folder / "till", till_id="till-1")
    assert told(after) == [UNDONE, FINISHED]
    after.close()


def test_the_first_word_about_a_receipt_stays(database: TillDatabase) -> None:
    database.decisions.keep_decision(UNDONE)
    database.decisions.keep_decision(replace(UNDONE, by="Неко други"))
    assert told(database) == [UNDONE]


def test_what_no_screen_shows_goes_with_the_next_one(database: TillDatabase) -> None:
    log = database.decisions
    edge = replace(UNDONE, receipt_id="r-edge", at=FINISHED.at - KEPT)
    old = replace(UNDONE, receipt_id="r-old", at=edge.at - timedelta(seconds=1))
    for decision in (old, edge, FINISHED):
        log.keep_decision(decision)
    assert list(log.decisions(since=old.at)) == [edge, FINISHED]


@pytest.mark.parametrize(
    "damage",
    [
        "'r-x', '2026-13-45', 'Ана', 1, NULL, NULL, ''",
        "'r-x', '2026-11-20T09:31:00.000000+00:00', 'Ана', 1, NULL, 'no such operation', ''",
        "'r-x', '2026-11-20T09:31:00.000000+00:00', 'Ана', 1, 99999999999999999, NULL, ''",
    ],
)
def test_a_damaged_row_hides_no_other(
    database: TillDatabase, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    database.decisions.keep_decision(UNDONE)
    connection_of(database.decisions).execute(f"INSERT INTO pair_decisions VALUES ({damage})")
    assert told(database) == [UNDONE]
    assert told(database) == [UNDONE]
    assert [one.message.endswith("(r-x)") for one in caplog.records] == [True]


def test_the_file_itself_lets_nobody_change_one(database: TillDatabase) -> None:
    database.decisions.keep_decision(UNDONE)
    with pytest.raises(apsw.ConstraintError):
        connection_of(database.decisions).execute("UPDATE pair_decisions SET manager = 'x'")


def test_faults_of_the_file_are_ours(database: TillDatabase) -> None:
    connection = connection_of(database.decisions)
    with refused(connection, apsw.FullError("full")), pytest.raises(DiskFull):
        database.decisions.keep_decision(UNDONE)
    with refused(connection, apsw.CorruptError("torn")), pytest.raises(DatabaseDamaged):
        told(database)
    assert told(database) == []
