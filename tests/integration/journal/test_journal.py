"""journal.db refuses what the table of states does not have, and keeps what it was given."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from pos_app import errors
from pos_app.adapters.sqlite.database import check_library, open_database, open_reader, transaction
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.journal.packing import packed
from pos_app.adapters.sqlite.journal.rows import receipt_of
from pos_app.adapters.sqlite.till.till import open_till
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.domain.receipt.request import FrozenArticle, InvoiceType, TransactionType
from pos_app.domain.receipt.states import MOVES, AnswerClass, RequestState
from pos_app.errors import DiskFailed
from pos_app.fiscalization import ports
from pos_app.fiscalization.plans.planned import PlannedReceipt
from tests.fakes import faulty_disk
from tests.sweep import pairs

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LANE = ports.LaneState("main", "ABCD1234", None, 7)
WHY = ports.StateReason(AnswerClass.WAIT, "away", "The processor is away.")


@pytest.fixture
def journal(folder: Path):  # type: ignore[no-untyped-def]
    opened = SqliteJournal(folder / "journal.db")
    yield opened
    opened.close()


def command(number: int = 1, **members: object) -> ports.Command:
    made = ports.Command(
        id=f"c{number}",
        origin="local",
        key=f"{number:016}",
        keyless=False,
        operation=Operation.ISSUE,
        cashier="Мика",
        body=b'{"a":1}',
        body_hash=b"hash",
        facts=(None, FrozenArticle("Хлеб", TaxLabel.E, "ком", "8600000000018")),
        accepted_at=NOW,
        till_sequence=2 + number,
    )
    return replace(made, **members)  # type: ignore[arg-type]


def request(number: int = 1, **members: object) -> ports.Request:
    line = FiscalLine("Хлеб/ком", TaxLabel.E, Quantity("1.560"), Money("189.99"), Money("296.38"))
    made = ports.Request(
        id=f"c{number}",
        command_id=f"c{number}",
        child=0,
        lane="main",
        state=RequestState.QUEUED,
        pfr_request_id="f" * 32,
        planned=PlannedReceipt(
            document=FiscalDocument(
                InvoiceType.NORMAL,
                TransactionType.SALE,
                (line,),
                ((PaymentMethod.CASH, Money("296.38")),),
                "Мика",
                esir_number="1/3.2.0",
                pos_time=NOW,
            )
        ),
        chain=f"c{number}",
        attempt=1,
        changed_at=NOW,
    )
    return replace(made, **members)  # type: ignore[arg-type]


def receipt(number: str = "ABCD1234-ABCD1234-8") -> SignedReceipt:
    return SignedReceipt(
        sdc_time=NOW,
        sdc_time_text="2026-11-20T13:00:00+01:00",
        invoice_counter="8/8ПП",
        invoice_number=number,
        signed_by="ABCD1234",
        encrypted_internal_data="AAAA",
        journal="ЋЋЋ\r\n",
        total_counter=8,
        total_amount=Money("296.38"),
    )


def bring_to(journal: SqliteJournal, state: RequestState, number: int = 1) -> None:
    lane = replace(LANE, name="main" if number == 1 else f"lane{number}")
    of, made = f"c{number}", request(number, lane=lane.name)
    if state in (RequestState.CANCELLED, RequestState.NEEDS_HUMAN):
        journal.add_command(command(number), [replace(made, state=state, reason=WHY)])
        return
    journal.add_command(command(number), [made])
    if state is RequestState.QUEUED:
        return
    if state is not RequestState.RELEASED:
        journal.send(of, lane=lane, clock=NOW, now=NOW)
    if state is RequestState.SIGNED:
        journal.sign(of, receipt(f"ABCD1234-ABCD1234-{7 + number}"), lane=lane, now=NOW)
    elif state is not RequestState.SENDING:
        journal.settle(of, state, reason=WHY, now=NOW)


def test_storage_refuses_every_move_that_the_table_does_not_have(journal: SqliteJournal) -> None:
    for number, (old, new) in enumerate(itertools.product(RequestState, RequestState), start=1):
        bring_to(journal, old, number)
        if new in MOVES[old]:
            journal.settle(f"c{number}", new, reason=WHY, now=NOW)
        else:
            with pytest.raises(errors.NotAllowed):
                journal.settle(f"c{number}", new, reason=WHY, now=NOW)
        kept = journal.request(f"c{number}")
        assert kept.state is (new if new in MOVES[old] else old), (old, new)


def test_one_key_has_one_command(journal: SqliteJournal) -> None:
    """A command has the id of its key, so that one index keeps both unique."""
    of_key = receipt_id(origin="api", key="k" * 16)
    first, second = (command(number, id=of_key, origin="api", key="k" * 16) for number in (1, 2))
    journal.add_command(first, [request(1, command_id=of_key, child=1)])
    with pytest.raises(errors.AlreadyStored):
        journal.add_command(second, [request(2, command_id=of_key, child=2)])


def test_one_number_has_one_receipt(journal: SqliteJournal) -> None:
    for number in (1, 2):
        journal.add_command(command(number), [request(number)])
        journal.send(f"c{number}", lane=LANE, clock=NOW, now=NOW)
        if number == 1:
            journal.sign("c1", receipt(), lane=LANE, now=NOW)
    with pytest.raises(errors.NotAllowed):
        journal.sign("c2", receipt(), lane=LANE, now=NOW)
    kept = journal.request("c2")
    assert kept.state is RequestState.SENDING


def test_one_request_of_a_lane_is_in_flight(journal: SqliteJournal) -> None:
    journal.add_command(command(1), [request(1)])
    journal.add_command(command(2), [request(2)])
    journal.send("c1", lane=LANE, clock=NOW, now=NOW)
    with pytest.raises(errors.NotAllowed):
        journal.send("c2", lane=LANE, clock=NOW, now=NOW)
    journal.settle("c1", RequestState.UNKNOWN, reason=WHY, now=NOW)
    with pytest.raises(errors.NotAllowed):
        journal.send("c2", lane=LANE, clock=NOW, now=NOW)


def test_what_is_signed_is_for_ever(journal: SqliteJournal, folder: Path) -> None:
    bring_to(journal, RequestState.SIGNED)
    with closing(apsw.Connection(str(folder / "journal.db"))) as other:
        for sql in (
            "UPDATE receipts SET number = 'X'",
            "DELETE FROM receipts",
            "UPDATE requests SET attempt = 9",
            "DELETE FROM requests",
            "UPDATE attempts SET state = 'queued'",
        ):
            with pytest.raises(apsw.ConstraintError):
                other.execute(sql)


def test_another_programs_database_is_left_alone(folder: Path) -> None:
    foreign = apsw.Connection(str(folder / "journal.db"))
    foreign.execute("CREATE TABLE theirs (a)")
    foreign.close()
    with pytest.raises(errors.DatabaseDamaged):
        SqliteJournal(folder / "journal.db")


def test_a_library_that_loses_data_is_refused() -> None:
    for version in ("3.40.1", "3.51.2", "3.50.6", "3.44.5", "3.45.0"):
        with pytest.raises(errors.UnsafeSqlite):
            check_library(version)
    for mended in ("3.51.3", "3.54.0", "3.50.7", "3.44.6"):
        check_library(mended)


def test_a_doubt_and_the_lane_it_frees_are_one_transaction(journal: SqliteJournal) -> None:
    bring_to(journal, RequestState.UNKNOWN)
    freed = replace(LANE, counter=None)
    journal.settle("c1", RequestState.NEEDS_HUMAN, reason=WHY, now=NOW, lane=freed)
    assert journal.lane("main") == freed
    with pytest.raises(errors.NotAllowed):
        journal.settle("c1", RequestState.SENDING, reason=WHY, now=NOW, lane=LANE)
    assert journal.lane("main") == freed


def test_a_real_processor_is_noted_before_it_is_asked(journal: SqliteJournal, folder: Path) -> None:
    """Otherwise, once the settings are lost, the development processor would sign what waits."""
    owner = {"install_id": "i", "till_id": "t", "environment": "production"}
    journal.mark_chosen(real=False, owner=owner)
    with closing(apsw.Connection(str(folder / "journal.db"))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(errors.DatabaseBusy):
            journal.mark_chosen(real=True, owner=owner)
        other.execute("ROLLBACK")
    assert not journal.is_fiscal()
    journal.add_command(command(), [request()])
    assert journal.is_fiscal()


# --- a commit reported as failed is not found after a crash ---
TABLE = "CREATE TABLE told (number INTEGER PRIMARY KEY, body TEXT) STRICT"


def store(connection: apsw.Connection, number: int, size: int = 10) -> None:
    with transaction(connection):
        connection.execute("INSERT INTO told VALUES (?, ?)", (number, "x" * size))


def found(folder: Path) -> list[int]:
    with closing(open_database(folder / "a.db", migrations=[TABLE])) as connection:
        return [row[0] for row in connection.execute("SELECT number FROM told ORDER BY number")]


@pytest.mark.parametrize(
    ("kind", "size", "checkpointed"),
    pairs([faulty_disk.WRITE, faulty_disk.SYNC], [10, 30_000], [False, True]),
)
def test_a_commit_told_as_failed_is_undone(
    tmp_path: Path, kind: str, size: int, checkpointed: bool
) -> None:
    path = tmp_path / "live" / "a.db"
    with (
        faulty_disk.faulty(path) as disk,
        closing(open_database(path, migrations=[TABLE])) as connection,
    ):
        store(connection, 1)
        if checkpointed:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
        nth = 0
        told, uncertain = [1], 0
        while True:
            nth += 1
            disk.fail(kind, nth)
            before = len(disk.failed)
            try:
                store(connection, 1 + nth, size)
            except DiskFailed as error:
                uncertain += error.kind == "uncertain"
            else:
                told.append(1 + nth)
            assert found(faulty_disk.crashed(path.parent, tmp_path / f"{nth}")) == told
            if len(disk.failed) == before:
                break
        assert (nth > 1, uncertain) == (True, 0)
        disk.mend()
        store(connection, 1000)
        assert found(faulty_disk.crashed(path.parent, tmp_path / "after")) == [*told, 1000]


def test_what_can_not_be_undone_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "live" / "a.db"
    with (
        faulty_disk.faulty(path) as disk,
        closing(open_database(path, migrations=[TABLE])) as connection,
    ):
        disk.fail(faulty_disk.SYNC, 1, times=1000)
        with pytest.raises(DiskFailed) as told:
            store(connection, 1)
        assert told.value.kind == "uncertain"
        disk.mend()
        store(connection, 2)
        assert found(faulty_disk.crashed(path.parent, tmp_path / "after")) == [2]


# --- another program reads our files while they are in use ---
_READ = """
import sqlite3, sys
for words in sys.argv[2:]:
    connection = sqlite3.connect(sys.argv[1])
    for one in words.split(";"):
        try:
            connection.execute(one).fetchall()
        except sqlite3.OperationalError as error:
            print(error)
    connection.close()
"""
LOOKS = (
    "SELECT count(*) FROM sqlite_schema",
    "BEGIN EXCLUSIVE; ROLLBACK",
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "VACUUM",
)


def foreign(path: Path, *words: str) -> str:
    """Run these statements in a program with Python's own sqlite3; return what it prints."""
    child = [sys.executable, "-c", _READ, str(path), *words]
    return subprocess.run(child, capture_output=True, text=True, check=True, timeout=60).stdout


def journal_file(folder: Path) -> tuple[Path, Callable[[], None]]:
    path = folder / "journal.db"
    return path, SqliteJournal(path).close


def till_file(folder: Path) -> tuple[Path, Callable[[], None]]:
    opened = open_till(folder, till_id="till")
    return folder / "till.db", opened.close


@pytest.mark.parametrize("made", [journal_file, till_file])
def test_the_log_that_we_write_to_stays(
    tmp_path: Path, made: Callable[[Path], tuple[Path, Callable[[], None]]]
) -> None:
    """Without a lock of ours the other program would take itself for the last to close the file."""
    path, close = made(tmp_path)
    try:
        log = path.with_name(f"{path.name}-wal")
        before = log.stat().st_ino
        foreign(path, *LOOKS)
        assert log.stat().st_ino == before
    finally:
        close()


def test_a_reader_of_ours_lets_nobody_take_the_file(tmp_path: Path) -> None:
    """A second connection of one program takes no lock from the first."""
    path, close = journal_file(tmp_path)
    try:
        open_reader(path).close()
        told = foreign(path, "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE")
        assert "locked" in told
    finally:
        close()
    with closing(apsw.Connection(str(path))) as connection:
        assert connection.pragma("integrity_check") == "ok"


def test_a_stored_row_that_can_not_be_read_is_damage(journal: SqliteJournal, folder: Path) -> None:
    for number, (table, column, content) in enumerate(
        (
            ("commands", "body", b"\0"),
            ("commands", "facts", b"\0"),
            ("requests", "planned", b"\0"),
            ("requests", "planned", packed(b"{}")),
        ),
        start=1,
    ):
        bring_to(journal, RequestState.RELEASED, number)
        with closing(apsw.Connection(str(folder / "journal.db"))) as other:
            other.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (content, f"c{number}"))
        read = journal.command if table == "commands" else journal.request
        with pytest.raises(errors.DatabaseDamaged):
            read(f"c{number}")
    with pytest.raises(errors.DatabaseDamaged):
        receipt_of(packed(b"{}"))


def test_a_restart_leaves_nothing_queued_or_sending(folder: Path) -> None:
    journal = SqliteJournal(folder / "journal.db")
    journal.add_command(command(1), [request(1)])
    journal.add_command(command(2), [request(2)])
    journal.send("c1", lane=LANE, clock=NOW, now=NOW)
    journal.close()
    again = SqliteJournal(folder / "journal.db")
    assert again.identity == journal.identity
    journal = again
    journal.recover(now=NOW)
    states = {row.id: row.state for row in (*journal.requests_of("c1"), *journal.requests_of("c2"))}
    assert states == {"c1": RequestState.UNKNOWN, "c2": RequestState.RELEASED}
    assert [row.id for row in journal.open_requests()] == ["c1"]
    journal.close()


def test_a_corrected_body_keeps_the_old_one(journal: SqliteJournal, folder: Path) -> None:
    bring_to(journal, RequestState.REJECTED)
    corrected = command(body=b'{"a":2}', body_hash=b"other")
    journal.requeue(corrected, [request(changed_at=NOW + timedelta(seconds=1))])
    kept = journal.request("c1")
    assert journal.command("c1") == corrected
    assert (kept.state, kept.attempt, kept.reason) == (RequestState.QUEUED, 2, None)
    other = apsw.Connection(str(folder / "journal.db"))
    assert other.execute("SELECT body_hash FROM superseded").fetchall() == [(b"hash",)]
    states = [row[0] for row in other.execute("SELECT state FROM attempts ORDER BY rowid")]
    assert states == ["queued", "sending", "rejected", "queued"]
    other.close()
