"""Another program, whose SQLite knows no checksums, opens and closes what a killed server left.

Source: exactly-once.md, "Restores, replacements, damage".
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.adapters.sqlite.contents import contradictions
from pos_app.adapters.sqlite.integrity import faults_of
from pos_app.adapters.sqlite.journal.contents import journal_contents
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.journal.schema import MIGRATIONS
from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import DatabaseDamaged, MachineError
from pos_app.fiscalization.issuing.cancel import cancel
from tests.bench.big_journal import Triggerless
from tests.fakes.faulty_disk import PAGE, checksum, flip
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.shop import opened
from tests.integration.journal.test_jobs import PAPER
from tests.integration.journal.test_journal import LANE, NOW, WHY, command, receipt, request
from tests.integration.local_api.test_half_done_pairs import CASH, corrected, refused_closing
from tests.integration.local_api.test_pairs import BACK, SALE, act
from tests.integration.local_api.test_receipts import keyed
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import DELIVERED
from tests.proofs import Proof
from tests.sweep import LONG

KEYS = [f"key-of-number-{number:02}" for number in range(8)]
LOOK = (
    "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute({0!r}).fetchall();"
    " c.commit(); c.close()"
)
OTHER = SALE | {"payments": {"cash": 600}}


async def left_by_a_kill(folder: Path) -> Path:
    async with running(folder / "live") as server:
        await a_day(server)
        shutil.copytree(folder / "live" / "journal", folder / "killed")
    return folder / "killed" / "journal.db"


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(left_by_a_kill(tmp_path_factory.mktemp("killed")))


def copied(killed: Path, folder: Path) -> Path:
    return Path(shutil.copytree(killed.parent, folder)) / killed.name


async def a_day(server: Running) -> None:
    sale, other, refund, refused_first, in_doubt, _, closing, copied = map(keyed, KEYS)
    assert (await server.issue(SALE, headers=sale)).status_code == 200
    assert (await server.issue(SALE)).status_code == 200
    number = (await server.issue(SALE, headers=other)).json()["invoiceNumber"]
    assert (await act(server, "refund", number, BACK, headers=refund)).status_code == 200
    server.shop.fault("refuse", code="2310")
    assert (await server.issue(SALE, headers=refused_first)).status_code == 400
    assert (await server.issue(OTHER, headers=refused_first)).status_code == 200
    server.shop.fault("drop")
    await server.issue(OTHER, headers=in_doubt)
    await server.shop.until(KEYS[4], "released")
    cancel(service=server.shop.service, origin="local", key=KEYS[5], cashier="Мика")
    receipt_id = await refused_closing(server, headers=closing)
    assert (await corrected(server, receipt_id, CASH)).status_code == 200
    assert (await act(server, "copy", number, DELIVERED, headers=copied)).status_code == 200
    server.shop.journal.jobs.add(PAPER, key="k" * 16, now=NOW)


def looked_at(path: Path, sql: str = "SELECT count(*) FROM sqlite_schema") -> None:
    subprocess.run([sys.executable, "-c", LOOK.format(sql), str(path)], check=True)


def told(journal: SqliteJournal) -> Iterator[object]:
    for key in KEYS:
        name = receipt_id(origin="local", key=key)
        yield journal.command_by_key("local", key)
        for asked in journal.requests_of(name):
            yield asked
            yield journal.receipt(asked.id), journal.reference(asked.id)
            yield journal.chain(asked.chain)
            yield journal.absent_of(asked.id)
        for found in journal.statuses_of(name):
            yield found
            yield None if found.number is None else journal.status_by_reference(found.number)


def read(path: Path) -> list[object]:
    """Raises MachineError where the journal is not opened."""
    answers = []
    with closing(SqliteJournal(path)) as journal:
        reading = told(journal)
        while True:
            try:
                answers.append(next(reading))
            except StopIteration:
                return answers


def test_a_look_after_a_kill_damages_nothing(killed: Path, folder: Path) -> None:
    ours, path = copied(killed, folder / "ours"), copied(killed, folder / "theirs")
    before = read(ours)
    assert ours.with_name("journal.db-wal").exists(), "our own log stays"
    looked_at(path)
    assert not path.with_name("journal.db-wal").exists()
    assert read(path) == before
    with closing(SqliteJournal(path)) as journal:
        assert faults_of(connection_of(journal)) == []


def test_a_start_that_was_cut_off_goes_on(killed: Path, folder: Path) -> None:
    path = copied(killed, folder / "copy")
    looked_at(path)
    content = path.read_bytes()
    pages = [content[start : start + PAGE] for start in range(0, len(content), PAGE)]
    sealed = [page[:-8] + checksum(page) for page in pages]
    half = len(pages) // 2
    path.write_bytes(b"".join(sealed[:half] + pages[half:]))
    with closing(SqliteJournal(path)) as journal:
        assert faults_of(connection_of(journal)) == []
    assert path.read_bytes()[PAGE:] == b"".join(sealed)[PAGE:]  # sealed in reserved bytes


def test_what_does_not_prove_itself_is_left_as_it_was(
    killed: Path, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = copied(killed, folder / "copy")
    looked_at(path, "UPDATE commands SET accepted_at = accepted_at + 1 WHERE row = 1")
    before = path.read_bytes()
    with pytest.raises(DatabaseDamaged):
        SqliteJournal(path)
    assert path.read_bytes() == before
    assert "has not the receipts, or the time" in caplog.text


def test_a_copy_by_another_program_is_taken(killed: Path, folder: Path) -> None:
    path, copy = copied(killed, folder / "killed"), folder / "copy" / "journal.db"
    copy.parent.mkdir()
    looked_at(path, f"VACUUM INTO '{copy}'")
    assert read(copy) == read(path)
    with closing(SqliteJournal(copy)) as journal:
        assert faults_of(connection_of(journal)) == []


def places(page: bytes, turns: int) -> Iterator[int]:
    telling = [place for place, byte in enumerate(page[:-8]) if byte]
    step = max(1, len(telling) // turns)
    return itertools.islice(iter(telling[step // 2 :: step]), turns)


@pytest.mark.deadline(3600)
@pytest.mark.faults
def test_a_flipped_byte_in_what_another_program_wrote(
    killed: Path, folder: Path, times: int, proof: Proof
) -> None:
    """A page that does not prove itself is damaged, and is never sealed."""
    path = copied(killed, folder / "killed")
    before = read(copied(killed, folder / "ours"))
    looked_at(path)
    content, outcomes, wrong = path.read_bytes(), {"refused": 0, "read": 0}, []
    flipped = folder / "flipped" / path.name
    for page in range(len(content) // PAGE):
        whole = content[page * PAGE : (page + 1) * PAGE]
        for turn, place in enumerate(places(whole, times // 25 if times > 50 else 1)):
            shutil.rmtree(flipped.parent, ignore_errors=True)
            flipped.parent.mkdir()
            flipped.write_bytes(content)
            flip(flipped, page, place, bits=1 << turn % 8)
            proof.tried += 1
            try:
                if read(flipped) != before:
                    wrong.append((page, place))
                outcomes["read"] += 1
            except MachineError:
                outcomes["refused"] += 1
    proof.lost += len(wrong)
    assert not wrong
    assert min(outcomes.values()) > 0, outcomes


# --- each value of a sound journal that is changed contradicts another ---
LAST = "substr({0}, 1, length({0}) - 1) || CASE substr({0}, -1) WHEN '1' THEN '3' ELSE '1' END"
CHANGED = {
    "INTEGER": "CASE {0} WHEN 0 THEN 1 WHEN 1 THEN 0 ELSE {0} + 1 END",
    "TEXT": LAST,
    "BLOB": f"unhex({LAST.format('hex({0})')})",
}
"""Per type, an expression that makes another value."""
TOLD_ONCE = {
    *("commands.delivered_at", "commands.heard", "superseded.until"),
    *("notes.at", "notes.what", "notes.request_id", "notes.words"),
    *("looks.began", "looks.ended", "looks.counter", "looks.times"),
    *("jobs.attempts", "jobs.sending", "jobs.made_at", "jobs.asked_at", "jobs.changed_at"),
    *("jobs.next_at", "jobs.words", "jobs.aside", "meta.name", "meta.value"),
    *("lanes.tin", "lanes.counter", "lanes.is_counted", "lanes.place"),
}
"""Values that nothing else in the journal repeats: they decide no answer about a receipt."""
IN_AN_INDEX = {
    *("jobs.id", "jobs.till_key", "jobs.target"),
    *("absent.settled", "requests.follows_signed"),
}
"""A flipped byte in these columns shows in the index; a written value changes both."""


ALL = 10_000


class Undone(Exception):
    pass


def cells(connection: apsw.Connection, most: int) -> Iterator[tuple[str, str, str, str]]:
    """Yield table, column and type, and a condition that holds for one row with a value there; of
    each column at most so many rows, spread over all."""
    tables = "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    tables += " AND name NOT GLOB 'sqlite_*'"
    for table, has_no_rowid in connection.execute(tables).fetchall():
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        names = "rowid"
        if has_no_rowid:
            names = ", ".join(f'"{column[1]}"' for column in columns if column[5])
        for _, column, kind, *_ in columns:
            of = f"FROM {table} WHERE {column} IS NOT NULL"
            rows = range(connection.execute(f"SELECT count(*) {of}").get)
            for place in rows[:: max(1, len(rows) // most)]:
                one = f"({names}) = (SELECT {names} {of} LIMIT 1 OFFSET {place})"
                yield str(table), str(column), str(kind), one


def found(connection: apsw.Connection) -> list[str]:
    told = [row[0] for row in connection.execute("PRAGMA integrity_check(10)")]
    return contradictions(connection, MIGRATIONS, journal_contents) if told == ["ok"] else told


@pytest.mark.deadline(300)
@pytest.mark.parametrize("most", [1, pytest.param(ALL, marks=LONG)])
async def test_each_value_proves_itself(folder: Path, most: int) -> None:
    path = await left_by_a_kill(folder)
    missed = set()
    with closing(with_checksums(path)) as connection:
        keep_log(connection)
        connection.execute("PRAGMA foreign_keys=OFF; PRAGMA ignore_check_constraints=ON")
        assert found(connection) == []
        for table, column, kind, one in cells(connection, most):
            value = CHANGED[kind].format(column)
            with suppress(Undone, apsw.ConstraintError), connection:
                with Triggerless(connection):
                    connection.execute(f"UPDATE {table} SET {column} = {value} WHERE {one}")
                connection.execute("PRAGMA ignore_check_constraints=OFF")
                if not found(connection):
                    missed.add(f"{table}.{column}")
                connection.execute("PRAGMA ignore_check_constraints=ON")
                raise Undone
    known = TOLD_ONCE | IN_AN_INDEX
    assert missed <= known
    assert missed == known or most < ALL


async def test_a_lane_that_was_named_before_anything_was_sent_is_no_damage(folder: Path) -> None:
    """It began with one development processor and sold at the next."""
    async with opened(folder) as shop:
        await shop.sell()
        uid = shop.processor.uid
    with closing(with_checksums(folder / "journal" / "journal.db")) as connection:
        keep_log(connection)
        with Triggerless(connection):
            for table, column in (("requests", "lane"), ("lanes", "name")):
                connection.execute(
                    f"UPDATE {table} SET {column} = 'DEVEL0P1' WHERE {column} = ?", (uid,)
                )
            connection.execute("UPDATE meta SET value = 'DEVEL0P1' WHERE name = 'element'")
        assert found(connection) == []
        with Triggerless(connection):
            connection.execute("UPDATE lanes SET uid = 'XXXXXXX1'")
        (told,) = found(connection)
        assert "DEVEL0P1" in told
    async with opened(folder) as shop:
        with Triggerless(connection_of(shop.journal)):
            connection_of(shop.journal).execute("UPDATE lanes SET uid = ?", (uid,))
        await shop.sell()
        assert shop.lane.element == uid


# --- an index that leads to the row of another sale, with sums that fit ---
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
