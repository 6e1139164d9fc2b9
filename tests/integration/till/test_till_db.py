"""The promises of the real `till.db` that no fake keeps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from pos_app import errors
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.sqlite import kept_open
from pos_app.adapters.sqlite.contents import contradictions
from pos_app.adapters.sqlite.till.contents import till_contents
from pos_app.adapters.sqlite.till.schema import TILL_MIGRATIONS
from pos_app.adapters.sqlite.till.till import TillDatabase, open_till, unsent_of
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.errors import NotAllowed
from pos_app.selling.attention.pair_decisions import PairDecision
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.reports.receivables import CollectedPayment, Collecting
from pos_app.selling.sale.sale import UNCONFIRMED, ReceiptFacts
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.drawer_openings import DrawerOpening, OpeningOutcome
from pos_app.selling.shift.cash import MoveKind
from pos_app.selling.shift.count import CountForm
from pos_app.selling.shift.shift import FloatIs
from tests.fakes.counter import Counter
from tests.fakes.inner_connection import connection_of
from tests.sweep import each

TILL = "till-1"


@pytest.fixture
def database(folder: Path) -> Iterator[TillDatabase]:
    opened = open_till(folder / "till", till_id=TILL)
    yield opened
    opened.close()


@pytest.fixture
def raw(database: TillDatabase) -> apsw.Connection:
    return connection_of(database)


def done(database: TillDatabase) -> str:
    counter = Counter(database)
    key = counter.sell().key
    now = counter.clock.now()
    database.sales.move(key, SaleState.SENDING, at=now)
    receipt = ReceiptFacts("receipt-1", "ABCD1234-ABCD1234-1", now)
    database.sales.move(key, SaleState.DONE, at=now, receipt=receipt)
    return key


@pytest.fixture
def _a_done_sale(database: TillDatabase) -> None:
    done(database)


@pytest.mark.usefixtures("_a_done_sale")
@each(
    "statement",
    [
        "UPDATE sales SET total = total + 1",
        "UPDATE sales SET body = x'00'",
        "UPDATE sales SET key = lower(hex(randomblob(16)))",
        "UPDATE sales SET sequence = 9",
        "UPDATE sales SET epoch = 'E'",
        "UPDATE sales SET state = 'frozen'",
        "UPDATE sales SET fiscal_number = 'X'",
        "UPDATE sales SET reason_text = 'x'",
        "UPDATE sales SET reason_field = 'x'",
        "UPDATE sales SET attempts = 0",
        "UPDATE sales SET drop_reason = 'x'",
        "DELETE FROM sales",
        "UPDATE sale_payments SET on_receipt = 0",
        "DELETE FROM sale_payments",
        "UPDATE sale_events SET text = 'x'",
        "DELETE FROM sale_events",
        "UPDATE cart_lines SET quantity = 1000",
        "DELETE FROM cart_lines",
        "UPDATE carts SET cashier = 'x' WHERE state = 'done'",
        "DELETE FROM carts",
    ],
)
def test_a_done_sale_is_never_rewritten(raw: apsw.Connection, statement: str) -> None:
    with pytest.raises(apsw.ConstraintError, match="life: "):
        raw.execute(statement)


@pytest.fixture
def _a_frozen_sale(database: TillDatabase) -> None:
    Counter(database).sell()


@pytest.mark.usefixtures("_a_frozen_sale")
@each(
    "statement",
    [
        "UPDATE sales SET total = 1",
        "UPDATE sales SET frozen_at = 'x'",
        "UPDATE sales SET cashier = 'x'",
        "UPDATE sales SET state = 'done', fiscal_number = 'X', receipt_id = 'x', signed_at = 'x'",
        "UPDATE sales SET state = 'cancelled'",
        "UPDATE sales SET state = 'nonsense'",
    ],
)
def test_what_was_frozen_stays(raw: apsw.Connection, statement: str) -> None:
    with pytest.raises(apsw.ConstraintError):
        raw.execute(statement)


def test_nothing_is_done_without_a_receipt(database: TillDatabase) -> None:
    counter = Counter(database)
    key = counter.sell().key
    database.sales.move(key, SaleState.SENDING, at=counter.clock.now())
    with pytest.raises(apsw.ConstraintError):
        database.sales.move(key, SaleState.DONE, at=counter.clock.now())


def test_a_folder_is_opened_once_and_by_its_own_till(folder: Path) -> None:
    till = folder / "till"
    with closing(open_till(till, till_id=TILL)), pytest.raises(errors.AlreadyRunning):
        open_till(till, till_id=TILL)
    with pytest.raises(errors.DatabaseDamaged):
        open_till(folder / "till", till_id="another")
    open_till(folder / "till", till_id=TILL).close()


def test_what_is_open_is_copied_again_only_after_a_while(
    database: TillDatabase,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """An idle till checks its files all the time; a copy may have some hundred MB."""
    counter = Counter(database)
    counter.sell()
    place = folder / "till"
    place.rename(folder / "moved")
    for _ in range(3):
        with pytest.raises(errors.FilesReplaced) as told:
            database.tidy()
        assert told.value.kind == "uncopied"
    assert caplog.text.count("can't be copied") == 1
    place.mkdir()
    monkeypatch.setattr(kept_open, "COPY_AGAIN_SECONDS", 0.0)
    with pytest.raises(errors.FilesReplaced):
        database.tidy()
    (copy,) = place.glob("till-kept-*.db")
    with pytest.raises(errors.FilesReplaced) as later:
        database.tidy()
    assert later.value.values["copy"] == str(copy)


def test_a_file_that_another_holds_is_told_as_busy(database: TillDatabase, folder: Path) -> None:
    sale = Counter(database).sell()
    connection_of(database.sales).set_busy_timeout(1)
    raw = apsw.Connection(str(folder / "till" / "till.db"))
    raw.execute("BEGIN IMMEDIATE")
    with pytest.raises(errors.DatabaseBusy):
        database.sales.remember_journal(JournalMark("journal-1", 1))
    with pytest.raises(errors.DatabaseBusy):
        database.sales.mark_shown(sale.key)
    raw.close()
    database.sales.remember_journal(JournalMark("journal-1", 1))


@each(
    "read",
    [
        lambda till: till.sales.queue(),
        lambda till: till.sales.waiting(),
        lambda till: till.sales.remembered(),
        lambda till: till.sales.done_to_be_seen(),
        lambda till: till.sales.sold_unknown(),
        lambda till: till.carts.suspended(),
        lambda till: till.carts.open_cart(training=False),
    ],
)
@each(
    ("fault", "told"),
    [
        (apsw.BusyError("locked"), errors.DatabaseBusy),
        (apsw.CorruptError("torn"), errors.DatabaseDamaged),
    ],
)
def test_a_read_that_fails_is_an_error_of_ours(
    database: TillDatabase,
    read: Callable[[TillDatabase], object],
    fault: apsw.Error,
    told: type[errors.MachineError],
) -> None:
    def refuse(*_: object) -> bool:
        raise fault

    connection_of(database.sales).exec_trace = refuse
    with pytest.raises(told):
        read(database)
    connection_of(database.sales).exec_trace = None


@pytest.mark.parametrize(
    "statement",
    ["DROP TABLE made_by", "UPDATE made_by SET steps = 'others'", "PRAGMA user_version=19"],
)
def test_a_database_of_an_unreleased_build_is_told_as_such(folder: Path, statement: str) -> None:
    open_till(folder / "till", till_id=TILL).close()
    with closing(apsw.Connection(str(folder / "till" / "till.db"))) as older:
        older.execute(statement)
    with pytest.raises(errors.DatabaseDamaged, match="unreleased build") as told:
        open_till(folder / "till", till_id=TILL)
    assert told.value.kind == "unreleased"
    assert "backup" in told.value.do
    assert "folder away" not in told.value.do


def test_no_row_of_a_history_is_replaced(database: TillDatabase, raw: apsw.Connection) -> None:
    """For REPLACE SQLite deletes a row without its trigger, which would keep it."""
    done(database)
    shifts, now = database.shifts, datetime(2026, 11, 24, tzinfo=UTC)
    shift = shifts.begin(Money(100), FloatIs.TYPED, by="Мира", at=now)
    shifts.move(MoveKind.OUT, Money(10), reason="хлеб", by="Мира", at=now)
    shifts.draft(shift, CountForm(), by="Мира", at=now)
    database.drawer.begin_opening(by="Мира", at=now)
    collected(database, key="a")
    database.collected.take_back([1], by="Мира", at=now)
    for table in (
        *("sale_events", "drawer_openings", "acts", "shifts", "cash_moves", "counts"),
        *("collected", "collected_taken_back"),
    ):
        with pytest.raises(apsw.ConstraintError, match="history never changes"):
            raw.execute(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table} LIMIT 1")


def collected(database: TillDatabase, *, key: str, amount: int = 40) -> list[CollectedPayment]:
    log, day = database.collected, date(2026, 11, 20)
    log.collect(
        (Collecting("A-A-1", "10:123456788", Money(amount)), Collecting("A-A-2", "", Money(7))),
        key=key, day=day, note="извод 3", by="Мира", at=datetime(2026, 11, 24, tzinfo=UTC),
    )  # fmt: skip
    return list(log.collected(first=date.min, last=day, after=0, limit=9))


def test_money_that_came_in_is_written_down_once_for_a_press_and_taken_back_once(
    database: TillDatabase,
) -> None:
    now, log = datetime(2026, 11, 25, tzinfo=UTC), database.collected
    collected(database, key="a")
    first, second = collected(database, key="a")
    assert (first.number, first.amount, first.note, first.by) == (
        "A-A-1", Money(40), "извод 3", "Мира",
    )  # fmt: skip
    assert [one.number for one in log.of_press("a")] == ["A-A-1", "A-A-2"]
    for _ in range(2):
        log.take_back([first.id], by="Ана", at=now)
    assert log.of_press("a") == [second]
    assert len(collected(database, key="b")) == 3
    assert log.collected(first=date(2026, 11, 21), last=date.max, after=0, limit=9) == []
    done = [
        (one.done, one.subject, one.before, one.after)
        for one in database.acts.acts(
            since=datetime(2026, 11, 23, tzinfo=UTC), until=now + timedelta(days=1)
        )
    ]
    assert done[:3] == [
        (NotedAct.COLLECTED, "A-A-1", "", "40.00"),
        (NotedAct.COLLECTED, "A-A-2", "", "7.00"),
        (NotedAct.COLLECTED_TAKEN_BACK, "A-A-1", "40.00", ""),
    ]
    assert len(done) == 5


# --- decisions on pairs ---------------------------------------------------------------------------
NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
UNDONE = PairDecision(
    "r-1", NOW, "Власник", True, Money("842.50"), Operation.REFUND, "ABCD1234-ABCD1234-8660"
)


def told(database: TillDatabase) -> list[PairDecision]:
    return list(database.decisions.decisions(since=NOW))


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


# --- openings of the drawer by hand ---------------------------------------------------------------
@each(
    "sql",
    [
        "UPDATE drawer_openings SET cashier = 'x'",
        "UPDATE drawer_openings SET at = 'x'",
        "DELETE FROM drawer_openings",
        "UPDATE drawer_openings SET outcome = 'x'",
        "UPDATE pair_decisions SET manager = 'x'",
    ],
)
def test_the_file_itself_lets_nobody_change_or_forget_one(database: TillDatabase, sql: str) -> None:
    database.drawer.begin_opening(by="Мира", at=NOW)
    database.decisions.keep_decision(UNDONE)
    with pytest.raises(apsw.ConstraintError):
        connection_of(database.drawer).execute(sql)


# --- a confirm that the disk refused --------------------------------------------------------------
async def test_what_was_perhaps_told_as_failed_is_not_sent(folder: Path) -> None:
    database = open_till(folder, till_id=TILL)
    counter = Counter(database)
    sale = counter.sell()
    # As after a power cut: the disk had stored the confirm that it reported as failed.
    connection_of(database).execute("UPDATE meta SET unconfirmed = ?", (sale.key,))
    database.close()

    database = open_till(folder, till_id=TILL)
    again = Counter(database)
    again.server = counter.server
    again.restart()
    await again.steps(20)
    assert again.handed() == []
    kept = database.sales.sale(sale.key)
    assert (kept.state, kept.reason and kept.reason.code) == (SaleState.REFUSED, UNCONFIRMED)
    again.outbox.try_again(sale.key)
    await again.until(lambda: again.state(sale) is SaleState.DONE)
    assert again.handed() == [1]
    database.close()


def test_no_confirm_is_a_part_of_another_change(folder: Path) -> None:
    """Otherwise its mark would reach the disk together with the mark's removal."""
    database = open_till(folder, till_id=TILL)
    counter = Counter(database)
    with pytest.raises(AssertionError, match="part of another change"), database.acts.together():
        counter.sell()
    assert not database.sales.last(1)
    assert counter.sell().state is SaleState.FROZEN
    database.close()


def test_a_pin_that_nobody_has_leaves_the_file_whole(folder: Path) -> None:
    with closing(open_till(folder / "till", till_id=TILL)) as till:
        for right in (False, False, True):
            till.people.note_try(None, right=right, at=datetime(2026, 11, 27, tzinfo=UTC))
            file = connection_of(till)
            assert contradictions(file, TILL_MIGRATIONS, till_contents) == []
        assert till.people.wrong_tries(None).count == 0


def test_an_opening_is_kept_before_the_drawer_and_ends_once(database: TillDatabase) -> None:
    log = database.drawer
    number = log.begin_opening(by="Мира", at=NOW)
    assert log.openings(since=NOW) == [DrawerOpening(number, NOW, "Мира", OpeningOutcome.ASKED)]
    log.end_opening(number, OpeningOutcome.OPENED)
    assert log.openings(since=NOW) == [DrawerOpening(number, NOW, "Мира", OpeningOutcome.OPENED)]
    with pytest.raises(NotAllowed):
        log.end_opening(number, OpeningOutcome.SHUT)


def test_the_first_word_about_a_receipt_stays(database: TillDatabase) -> None:
    database.decisions.keep_decision(UNDONE)
    database.decisions.keep_decision(replace(UNDONE, by="Неко други"))
    assert told(database) == [UNDONE]


FINISHED = PairDecision("r-2", NOW + timedelta(minutes=5), "Ана", False)


def test_they_are_there_after_a_restart(folder: Path) -> None:
    before = open_till(folder / "till", till_id="till-1")
    for decision in (FINISHED, UNDONE):
        before.decisions.keep_decision(decision)
    before.close()
    after = open_till(folder / "till", till_id="till-1")
    assert told(after) == [UNDONE, FINISHED]
    after.close()


def test_a_copy_is_opened_though_a_program_that_starts_has_its_lock_still(tmp_path: Path) -> None:
    """Until it runs, a child has the open files of its parent."""
    open_till(tmp_path, till_id=TILL).close()
    held = FolderLock(tmp_path / "unsent.lock", what="till")
    released = threading.Timer(0.2, held.close)
    released.start()
    with unsent_of(tmp_path, till_id=TILL) as (unsent, behind):
        assert (sum(unsent.sales.counts().values()), behind) == (0, 0)
    released.join()
