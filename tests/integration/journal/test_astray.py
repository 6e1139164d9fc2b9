"""An index that leads to the row of another sale, with sums that fit: the row is no answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import DatabaseDamaged
from tests.fakes.faulty_disk import PAGE, checksum
from tests.integration.journal.test_journal import LANE, NOW, WHY, command, receipt, request

SALES = (1, 2, 3)
"""The first is queued, the others are signed."""


@contextmanager
def astray(folder: Path, right: bytes, wrong: bytes) -> Iterator[SqliteJournal]:
    """Open the journal after these bytes of an index, and the sum of its page, were changed."""
    path = folder / "journal.db"
    content = path.read_bytes()
    assert content.count(right) == 1, content.count(right)
    start = content.index(right) // PAGE * PAGE
    page = content[start : start + PAGE].replace(right, wrong)
    path.write_bytes(content[:start] + page[:-8] + checksum(page) + content[start + PAGE :])
    journal = SqliteJournal(path, seconds=lambda: 0.0)
    try:
        yield journal
    finally:
        journal.close()


@pytest.fixture
def prepared(folder: Path) -> Iterator[SqliteJournal]:
    journal = SqliteJournal(folder / "journal.db", seconds=lambda: 0.0)
    for number in SALES:
        hashed = f"hash{number}".encode()
        journal.add_command(command(number, keyless=True, body_hash=hashed), [request(number)])
    for number in SALES[1:]:
        sign(journal, f"c{number}", number)
    yield journal
    journal.close()


def sign(journal: SqliteJournal, request_id: str, number: int) -> None:
    journal.send(request_id, lane=LANE, clock=NOW, now=NOW)
    journal.sign(request_id, receipt(f"ABCD1234-ABCD1234-{number}"), lane=LANE, now=NOW)


def test_the_requests_of_a_command_and_states(prepared: SqliteJournal, folder: Path) -> None:
    """They lead to another command's, or to one that is not there."""
    prepared.close()
    index, right = b"\x04\x11\x08\x11c1c", b"1"
    for wrong in (b"2", b"0"):
        with astray(folder, index + right, index + wrong) as journal:
            for read in (journal.requests_of, journal.statuses_of):
                if (read, wrong) != (journal.statuses_of, b"0"):
                    with pytest.raises(DatabaseDamaged):
                        read("c1")
        right = wrong


def test_the_twin_of_a_body_without_a_key(prepared: SqliteJournal, folder: Path) -> None:
    prepared.mark_delivered("c2", now=NOW)
    assert prepared.keyless_twin("local", b"hash3") == "c3"
    prepared.close()
    index = b"localhash3undelivered"
    with (
        astray(folder, index + b"\x03", index + b"\x02") as journal,
        pytest.raises(DatabaseDamaged),
    ):
        journal.keyless_twin("local", b"hash3")


def test_a_pair_that_is_half_done(
    prepared: SqliteJournal, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pair = [request(4), request(5, command_id="c4", child=1)]
    prepared.add_command(command(4), pair)
    sign(prepared, "c4", 4)
    prepared.settle("c5", RequestState.RELEASED, reason=WHY, now=NOW)
    assert prepared.half_done() == ("c4",)
    prepared.close()
    with astray(folder, b"\x03\x11\x11c4c5", b"\x03\x11\x11c4c3") as journal:
        assert journal.half_done() == ()
    assert "another row where the one asked for" in caplog.text


def test_what_is_in_its_lane(prepared: SqliteJournal, folder: Path) -> None:
    prepared.send("c1", lane=LANE, clock=NOW, now=NOW)
    prepared.close()
    index = b"\x11" + LANE.name.encode() + b"c"
    with astray(folder, index + b"1", index + b"2") as journal, pytest.raises(DatabaseDamaged):
        journal.in_lane(LANE.name)


def test_what_is_open(
    prepared: SqliteJournal, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert [one.id for one in prepared.open_requests()] == ["c1"]
    prepared.close()
    index = b"\x03\x05\x11" + round(NOW.timestamp() * 1000).to_bytes(6, "big") + b"c"
    with astray(folder, index + b"1", index + b"2") as journal:
        assert journal.open_requests() == ()
    assert "another row where the one asked for" in caplog.text


def test_a_chain(prepared: SqliteJournal, folder: Path) -> None:
    prepared.add_command(command(4), [request(4, chain="c2")])
    prepared.close()
    index = b"\x03\x11\x11c2c"
    with astray(folder, index + b"4", index + b"3") as journal, pytest.raises(DatabaseDamaged):
        journal.chain("c2")
