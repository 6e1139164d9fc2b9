"""journal.db refuses what the table of states does not have, and keeps what it was given."""

from __future__ import annotations

import itertools
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from pos_app import errors
from pos_app.adapters.sqlite.database import check_library
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.journal.packing import packed
from pos_app.adapters.sqlite.journal.rows import receipt_of
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.domain.receipt.request import FrozenArticle, InvoiceType, TransactionType
from pos_app.domain.receipt.states import BEGINNINGS, MOVES, AnswerClass, RequestState
from pos_app.fiscalization import ports
from pos_app.fiscalization.plans.planned import PlannedReceipt

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
    """Make a request of that state, by the moves that exist, in a lane of its own."""
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


def test_a_request_begins_in_no_other_state(journal: SqliteJournal) -> None:
    for state in set(RequestState) - BEGINNINGS:
        with pytest.raises(errors.NotAllowed):
            journal.add_command(command(), [request(state=state)])
    assert journal.restores.tip.rows == 0


def test_what_was_stored_is_read_back(journal: SqliteJournal) -> None:
    journal.add_command(command(), [request()])
    assert journal.command("c1") == command()
    assert journal.requests_of("c1") == (request(),)
    journal.send("c1", lane=LANE, clock=NOW, now=NOW)
    journal.sign("c1", receipt(), lane=replace(LANE, counter=8, tin="100000008"), now=NOW)
    assert journal.receipt("c1") == receipt()
    assert journal.request_of_number("ABCD1234-ABCD1234-8") == journal.request("c1")
    assert journal.lane("main") == ports.LaneState("main", "ABCD1234", "100000008", 8)


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
