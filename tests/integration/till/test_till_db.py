"""The promises of the real `till.db` that no fake keeps."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from pos_app import errors
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite import kept_open
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.schema import MIGRATIONS as OF_THE_CATALOGUE
from pos_app.adapters.sqlite.contents import contradictions
from pos_app.adapters.sqlite.database import open_database
from pos_app.adapters.sqlite.migrations import mark_of
from pos_app.adapters.sqlite.till import till as till_module
from pos_app.adapters.sqlite.till.contents import till_contents
from pos_app.adapters.sqlite.till.rows import SELECT_SALES
from pos_app.adapters.sqlite.till.sales import CLOSED_WITHOUT_GOODS, CREDITS_OWED
from pos_app.adapters.sqlite.till.schema import TILL_MIGRATIONS
from pos_app.adapters.sqlite.till.till import TillDatabase, open_till
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.selling.sale.sale import ReceiptFacts
from pos_app.selling.sale.state import MOVES, SaleState
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


def test_it_holds_the_same_table_of_life(raw: apsw.Connection) -> None:
    stored = set(raw.execute("SELECT old, new FROM sale_moves"))
    assert stored == {(old.value, new.value) for old, news in MOVES.items() for new in news}


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


@pytest.mark.parametrize(
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
def test_what_was_frozen_stays(
    database: TillDatabase, raw: apsw.Connection, statement: str
) -> None:
    Counter(database).sell()
    with pytest.raises(apsw.ConstraintError):
        raw.execute(statement)


def test_nothing_is_done_without_a_receipt(database: TillDatabase) -> None:
    counter = Counter(database)
    key = counter.sell().key
    database.sales.move(key, SaleState.SENDING, at=counter.clock.now())
    with pytest.raises(apsw.ConstraintError):
        database.sales.move(key, SaleState.DONE, at=counter.clock.now())


def test_only_one_till_opens_a_folder(folder: Path) -> None:
    first = open_till(folder / "till", till_id=TILL)
    with pytest.raises(errors.AlreadyRunning):
        open_till(folder / "till", till_id=TILL)
    first.close()
    open_till(folder / "till", till_id=TILL).close()


def test_another_tills_file_is_refused_and_not_locked(folder: Path) -> None:
    open_till(folder / "till", till_id=TILL).close()
    with pytest.raises(errors.DatabaseDamaged):
        open_till(folder / "till", till_id="another")
    open_till(folder / "till", till_id=TILL).close()


def test_scans_are_written_softly_and_sales_firmly(
    database: TillDatabase, raw: apsw.Connection
) -> None:
    levels: list[tuple[str, int]] = []

    def note(_: apsw.Connection) -> bool:
        return False

    def trace(statement: str) -> None:
        if statement.startswith(("INSERT INTO sales ", "\nINSERT INTO sales ")):
            levels.append(("sale", raw.pragma("synchronous")))
        if statement.lstrip().startswith("INSERT INTO cart_lines"):
            levels.append(("line", raw.pragma("synchronous")))

    raw.exec_trace = lambda cursor, sql, bindings: trace(sql) or True
    Counter(database).sell()
    raw.exec_trace = None
    assert set(levels) == {("line", 1), ("sale", 2)}
    assert raw.pragma("synchronous") == 1
    assert raw.pragma("wal_autocheckpoint") == 0


def test_the_log_is_brought_in_when_nothing_is_scanned(
    database: TillDatabase, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    counter = Counter(database)
    for _ in range(30):
        counter.sell()
    main = folder / "till" / "till.db"
    before = main.stat().st_size
    database.tidy()
    assert main.stat().st_size == before

    monkeypatch.setattr(till_module, "TIDY_FROM_PAGES", 1)
    monkeypatch.setattr(till_module, "QUIET_SECONDS", 0.0)
    database.tidy()
    assert main.stat().st_size > before


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


async def test_the_outbox_works_on_the_real_database(database: TillDatabase) -> None:
    counter = Counter(database)
    sales = [counter.sell() for _ in range(3)]
    await counter.until(lambda: set(counter.states()) == {SaleState.DONE})
    assert counter.server.ledger == [sale.key for sale in sales]
    assert database.sales.sale(sales[0].key).receipt is not None


def test_a_file_that_another_program_holds_is_told_as_busy(
    database: TillDatabase, folder: Path
) -> None:
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


@pytest.mark.parametrize(
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
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (apsw.BusyError("locked"), errors.DatabaseBusy),
        (apsw.CorruptError("torn"), errors.DatabaseDamaged),
    ],
    ids=["busy", "corrupt"],
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


@pytest.mark.parametrize("statement", ["DROP TABLE made_by", "UPDATE made_by SET steps = 'others'"])
def test_a_database_of_an_unreleased_build_is_told_as_such(folder: Path, statement: str) -> None:
    open_till(folder / "till", till_id=TILL).close()
    with closing(apsw.Connection(str(folder / "till" / "till.db"))) as older:
        older.execute(statement)
    with pytest.raises(errors.DatabaseDamaged, match="unreleased build") as told:
        open_till(folder / "till", till_id=TILL)
    assert told.value.kind == "unreleased"
    assert "backup" in told.value.do
    assert "folder away" not in told.value.do


def test_a_till_in_place_of_the_catalogue_costs_no_more_than_the_catalogue(folder: Path) -> None:
    """The till's file has as many steps as a catalogue; with more it would be reported as one of a
    newer version, and be left as it is too."""
    path = folder / "till" / "till.db"
    path.parent.mkdir()
    steps = TILL_MIGRATIONS[: len(OF_THE_CATALOGUE)]
    open_database(path, migrations=steps).close()
    other = catalogue_file(folder)
    other.parent.mkdir()
    shutil.copy(folder / "till" / "till.db", other)
    before = other.read_bytes()
    with pytest.raises(errors.DatabaseDamaged) as told:
        SqliteCatalogue(other)
    assert other.read_bytes() == before
    words = f"{told.value.what} {told.value.safe} {told.value.do}"
    assert str(other) in words
    assert "another file" in words
    assert "Delete nothing" in words
    assert "backup" in words
    assert "--data" in words
    assert "before a backup takes its place" in words


def test_a_damaged_page_of_meta_ends_in_words(folder: Path) -> None:
    open_till(folder / "till", till_id=TILL).close()
    path = folder / "till" / "till.db"
    with closing(apsw.Connection(str(path))) as raw:
        page, size = raw.execute(
            "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = 'meta'"
        ).get
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    with pytest.raises(errors.DatabaseDamaged):
        open_till(folder / "till", till_id=TILL)


def test_a_pin_that_nobody_has_leaves_the_file_whole(folder: Path) -> None:
    with closing(open_till(folder / "till", till_id=TILL)) as till:
        for right in (False, False, True):
            till.people.note_try(None, right=right, at=datetime(2026, 11, 27, tzinfo=UTC))
            file = connection_of(till)
            assert contradictions(file, TILL_MIGRATIONS, till_contents) == []
        assert till.people.wrong_tries(None).count == 0


def test_a_file_of_the_build_before_corrections_takes_a_refund_by_hand(folder: Path) -> None:
    """Its tables have three steps; the sales frozen in them keep their targets."""
    steps = TILL_MIGRATIONS[:3]
    assert mark_of(steps) == ("8818b0a36503069beb97ac2f6822049d0b5667b514ad67b7c8b2d1d87071c7b8")
    path = folder / "till" / "till.db"
    path.parent.mkdir()
    with closing(open_database(path, migrations=steps)) as older:
        older.execute("INSERT INTO meta (one, till_id) VALUES (1, ?)", (TILL,))
        for number, (operation, target) in enumerate(
            [("issue", None), ("refund", "r-1"), ("copy", "r-2")], 1
        ):
            key = f"{number:032x}"
            older.execute(_CART_OF_3, (number, key))
            older.execute(_SALE_OF_3, (key, number, number, operation, target))
    with closing(open_till(folder / "till", till_id=TILL)) as database:
        raw = connection_of(database)
        kept = list(raw.execute("SELECT operation, target FROM sales ORDER BY sequence"))
        assert kept == [("issue", None), ("refund", "r-1"), ("copy", "r-2")]
        raw.execute(_CART_OF_3, (4, f"{4:032x}"))
        raw.execute(_SALE_OF_3, (f"{4:032x}", 4, 4, "refund", None))
        with pytest.raises(apsw.ConstraintError):
            raw.execute("UPDATE sales SET target = 'r-3'")
        raw.execute(_CART_OF_3, (5, f"{5:032x}"))
        with pytest.raises(apsw.ConstraintError):
            raw.execute(_SALE_OF_3, (f"{5:032x}", 5, 5, "issue", "r-1"))


def test_a_file_of_the_build_before_closings_by_hand_finds_them(folder: Path) -> None:
    """Its tables have five steps; a refund that gave money back closes nothing."""
    steps = TILL_MIGRATIONS[:5]
    path = folder / "till" / "till.db"
    path.parent.mkdir()
    with closing(open_database(path, migrations=steps)) as older:
        older.execute("INSERT INTO meta (one, till_id) VALUES (1, ?)", (TILL,))
        for number, given in enumerate((100, 0), 1):
            key = f"{number:032x}"
            older.execute(_CART_OF_3, (number, key))
            older.execute(_SALE_OF_3, (key, number, number, "refund", None))
            older.execute("INSERT INTO sale_payments VALUES (?, 0, 'cash', 100, ?)", (key, given))
            older.execute("UPDATE sales SET state = 'sending' WHERE key = ?", (key,))
            older.execute(
                "UPDATE sales SET state = 'done', receipt_id = ?, fiscal_number = ?,"
                " signed_at = '2025-11-20T10:00:00.000000Z' WHERE key = ?",
                (f"r-{number}", f"ABCD1234-ABCD1234-{number}", key),
            )
    with closing(open_till(folder / "till", till_id=TILL)) as database:
        assert [one.sequence for one in database.sales.closed_without_goods()] == [2]
        plan = connection_of(database).execute(
            f"EXPLAIN QUERY PLAN {SELECT_SALES} {CLOSED_WITHOUT_GOODS}"
        )
        told = " ".join(str(row) for row in plan)
        assert "USING INDEX refunds_by_hand" in told
        assert "INDEX carts_that_refer" in told


def test_a_file_of_the_build_before_exchanges_takes_one(folder: Path) -> None:
    """Its tables have six steps; its sales are no exchanges, and its carts have no goods back."""
    steps = TILL_MIGRATIONS[:6]
    path = folder / "till" / "till.db"
    path.parent.mkdir()
    with closing(open_database(path, migrations=steps)) as older:
        older.execute("INSERT INTO meta (one, till_id) VALUES (1, ?)", (TILL,))
        older.execute(_CART_OF_3, (1, f"{1:032x}"))
        older.execute(_SALE_OF_3, (f"{1:032x}", 1, 1, "issue", None))
    with closing(open_till(folder / "till", till_id=TILL)) as database:
        raw = connection_of(database)
        assert database.sales.sale(f"{1:032x}").is_exchange is False
        assert database.carts.cart_of(1).typed_details.goods_back is None
        plan = raw.execute(f"EXPLAIN QUERY PLAN {SELECT_SALES} {CREDITS_OWED}", ("",))
        told = [str(row) for row in plan]
        assert not any("SCAN sales" in one and "USING INDEX exchanged" not in one for one in told)
        assert not any("SCAN a" in one or "SCAN e" in one for one in told)
        assert "INDEX one_open_cart" in " ".join(told)
        assert "INDEX held_carts" in " ".join(told)
        with pytest.raises(apsw.ConstraintError):
            raw.execute("UPDATE sales SET is_exchange = 1")


_CART_OF_3 = """INSERT INTO carts (id, key, kind, state, cashier, opened_at, moved_at)
VALUES (?, ?, 'sale', 'done', 'Мира', '2025-11-20', '2025-11-20')"""
_SALE_OF_3 = """INSERT INTO sales (key, sequence, cart_id, kind, body, total, change, rounding,
    cashier, frozen_at, changed_at, operation, target)
VALUES (?, ?, ?, 'sale', x'7b7d', 100, 0, 0, 'Мира', '2025-11-20', '2025-11-20', ?, ?)"""


def test_no_row_of_a_history_is_replaced(database: TillDatabase, raw: apsw.Connection) -> None:
    """For REPLACE SQLite deletes a row without its trigger, which would keep it."""
    done(database)
    shifts, now = database.shifts, datetime(2026, 11, 24, tzinfo=UTC)
    shift = shifts.begin(Money(100), FloatIs.TYPED, by="Мира", at=now)
    shifts.move(MoveKind.OUT, Money(10), reason="хлеб", by="Мира", at=now)
    shifts.draft(shift, CountForm(), by="Мира", at=now)
    database.drawer.begin_opening(by="Мира", at=now)
    for table in ("sale_events", "drawer_openings", "acts", "shifts", "cash_moves", "counts"):
        with pytest.raises(apsw.ConstraintError, match="history never changes"):
            raw.execute(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table} LIMIT 1")
