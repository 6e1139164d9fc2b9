"""The list has each receipt of the journal once, whatever happens to programs and files."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, closing
from decimal import Decimal
from io import StringIO
from itertools import cycle
from pathlib import Path

import apsw
import httpx
import pytest

from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.receipt_index import feeding, index_file, receipt_index, schema
from pos_app.adapters.sqlite.receipt_index.index_file import ReceiptIndexFile
from pos_app.adapters.sqlite.receipt_index.receipt_index import ReceiptIndex
from pos_app.bootstrap.commands.check import WHOLE, check_command
from pos_app.domain.money.payment import MAY_BE_PAID_LATER, PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.receipt_list import EVERYTHING, HandOver, ListedReceipt, ReceiptQuery
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.errors import DatabaseDamaged, DiskFull
from tests.fakes.inner_connection import connection_of
from tests.fakes.no_tls import NO_TLS
from tests.integration.fiscalization.shop import SALE, opened
from tests.integration.fiscalization.test_operations import ADVANCE, BUYER, PDF, REST
from tests.integration.local_api.wires import until
from tests.integration.test_server_program import program

LIST = Path("receipt-index", "receipt-index.db")
JOURNAL = Path("journal", "journal.db")
KEYS = tuple(f"{place:016}" for place in range(100))


def list_of(folder: Path) -> ReceiptIndexFile:
    return ReceiptIndexFile(folder / LIST, folder / JOURNAL)


def whole(file: ReceiptIndexFile) -> tuple[ListedReceipt, ...]:
    while file.step():
        pass
    page = file.page(EVERYTHING, None, 1000)
    assert page.state.is_whole, page.state
    assert page.go_on is None
    return page.rows


def numbers_in(folder: Path) -> list[str]:
    with closing(open_reader(folder / JOURNAL)) as connection:
        rows = connection.execute("SELECT number FROM receipts ORDER BY sdc_time DESC, answer DESC")
        return [str(row[0]) for row in rows]


def told(rows: Sequence[ListedReceipt]) -> list[str]:
    return [row.number for row in rows]


async def sold(folder: Path, keys: Sequence[str]) -> None:
    async with opened(folder) as shop:
        for key in keys:
            await shop.sell(key=key)


# --- what a row says -----------------------------------------------------------------------------
async def test_each_receipt_of_a_life_is_a_row(folder: Path) -> None:
    async with opened(folder) as shop:
        first = await shop.sell(ADVANCE)
        await shop.act("close", first.receipt_id, REST | {"payments": {"card": 12000}})
        sale = await shop.sell(SALE | {"payments": {"card": 100, "cash": Decimal("17.98")}})
        await shop.act("copy", sale.receipt_id, PDF)
        await shop.act(
            "refund", sale.receipt_id, {"payments": {"cash": Decimal("117.98")}, **BUYER, **PDF}
        )
        await shop.sell(SALE | {"invoiceType": "training"})
        await shop.sell(SALE | {"invoiceType": "proforma"})
        with closing(list_of(folder)) as file:
            rows = whole(file)
            assert told(rows) == numbers_in(folder)
            for row in rows:
                request = shop.journal.request(row.request_id)
                receipt = shop.journal.receipt(row.request_id)
                assert (row.number, row.at) == (receipt.invoice_number, receipt.sdc_time)
                assert row.total == receipt.total_amount == request.document.total
                assert row.kind.invoice_type is request.document.invoice_type
                assert row.kind.transaction_type is request.document.transaction_type
            kinds = [f"{row.kind.invoice_type} {row.kind.transaction_type}" for row in rows[::-1]]
            assert kinds == [
                *("advance sale", "advance refund", "normal sale"),
                *("normal sale", "copy sale", "normal refund", "copy refund"),
                *("training sale", "proforma sale"),
            ]
            numbers = told(rows)[::-1]
            of = dict(zip(numbers, (row.referent for row in rows[::-1]), strict=True))
            assert [of[numbers[place]] for place in (0, 1, 3, 4, 5, 6)] == [
                *(None, numbers[0], None, numbers[3], numbers[3], numbers[5])
            ]
            assert of[numbers[2]] in numbers[:2]
            refund = rows[3]
            assert (refund.buyer, refund.program) == (BUYER["buyerId"], "local")
            by_two = next(row for row in rows if row.number == sale.receipt.invoice_number)
            assert by_two.payments == (PaymentMethod.CASH, PaymentMethod.CARD)
            turnover = file.turnover(EVERYTHING).turnover
            assert turnover.receipts == 5
            assert sum(turnover.not_turnover().values()) == 4


async def test_it_grows_by_itself(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipt_index, "GATHER_SECONDS", 0.01)
    monkeypatch.setattr(receipt_index, "LONGEST_WAIT_SECONDS", 30.0)
    quiet, asked = [0.0], list[float]()

    def quiet_seconds() -> float:
        asked.append(quiet[0])
        return quiet[0]

    async with opened(folder) as shop:

        def fed(quiet_seconds: Callable[[], float]) -> AbstractAsyncContextManager[None]:
            index = ReceiptIndex(folder / LIST, folder / JOURNAL)
            return index.fed(shop.lane.changes, quiet_seconds=quiet_seconds)

        await shop.sell(key=KEYS[0])
        async with fed(quiet_seconds):
            await until(lambda: len(asked) > 3)
            assert listed_in(folder) == 0
            quiet[0] = 1.0
            await until(lambda: listed_in(folder) == 1)
        async with fed(lambda: 9.0):
            await shop.sell(key=KEYS[1])
            await until(lambda: listed_in(folder) == 2)
        monkeypatch.setattr(receipt_index, "LONGEST_WAIT_SECONDS", 0.1)
        async with fed(lambda: 0.0):
            await shop.sell(key=KEYS[2])
            await until(lambda: listed_in(folder) == 3)


def listed_in(folder: Path) -> int:
    with closing(list_of(folder)) as file:
        return len(file.page(EVERYTHING, None, 50).rows)


# --- how it grows --------------------------------------------------------------------------------
DIES = """
import os, signal, sys
from pathlib import Path
import apsw
from pos_app.adapters.sqlite.receipt_index import feeding
from pos_app.adapters.sqlite.receipt_index.index_file import ReceiptIndexFile
feeding.AT_ONCE = 4
left, when = 0, ""

def commit():
    global left
    left -= 1
    if left == 0 and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    return False

def after(connection, name, pages):
    if left <= 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return apsw.SQLITE_OK

def watch(connection):
    if connection.filename.endswith("receipt-index.db"):
        connection.set_commit_hook(commit)
        connection.set_wal_hook(after)

apsw.connection_hooks.append(watch)
journal, lists = Path(sys.argv[1]), [Path(word) for word in sys.argv[2:]]
for path in lists:
    number, when = path.parent.name.split()
    left, pid = int(number), os.fork()
    if not pid:
        file = ReceiptIndexFile(path, journal)
        while file.step():
            pass
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == signal.SIGKILL, path
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
async def test_a_kill_at_any_commit_leaves_nothing_out_and_nothing_twice(folder: Path) -> None:
    await sold(folder, KEYS[:12])
    numbers, journal = numbers_in(folder), folder / JOURNAL
    lists = [
        folder / f"{commit} {when}" / LIST.name
        for commit, when in zip(range(1, 9), cycle(("before", "after")), strict=False)
    ]
    program = await asyncio.create_subprocess_exec(sys.executable, "-c", DIES, journal, *lists)
    assert await program.wait() == 0
    for path in lists:
        with closing(ReceiptIndexFile(path, journal)) as file:
            assert told(whole(file)) == numbers
            turnover = file.turnover(EVERYTHING).turnover
            assert turnover.receipts == len(numbers)


# --- another journal, a damaged file -------------------------------------------------------------
async def test_a_journal_that_was_put_back_has_its_own_list(folder: Path, tmp_path: Path) -> None:
    """So has one that went on further than the list: its last rows are now other ones."""
    await sold(folder, KEYS[:3])
    shutil.copytree(folder / "journal", tmp_path / "copy")
    await sold(folder, KEYS[3:6])
    with closing(list_of(folder)) as file:
        assert len(whole(file)) == 6
    shutil.copytree(folder / LIST.parent, tmp_path / "list")
    for first, last in ((6, 6), (6, 14)):
        shutil.rmtree(folder / "journal")
        shutil.copytree(tmp_path / "copy", folder / "journal")
        shutil.rmtree(folder / LIST.parent)
        shutil.copytree(tmp_path / "list", folder / LIST.parent)
        await sold(folder, KEYS[first:last])
        with closing(list_of(folder)) as file:
            assert told(whole(file)) == numbers_in(folder)
        assert len(numbers_in(folder)) == 3 + last - first


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for place in range(5_000, len(content), 4096):
        content[place] ^= 0xFF
    path.write_bytes(content)


def _version(path: Path) -> None:
    with closing(with_checksums(path)) as connection:
        keep_log(connection)
        connection.execute("PRAGMA user_version=999")


def _other_tables(path: Path) -> None:
    with closing(with_checksums(path)) as connection:
        keep_log(connection)
        connection.execute("UPDATE made_by SET steps = 'another version'")


def _another(path: Path) -> None:
    with closing(with_checksums(path)) as connection:
        keep_log(connection)
        connection.execute("UPDATE fed SET journal = 'of another shop'")


DAMAGES: dict[str, Callable[[Path], object]] = {
    "missing": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "no database": lambda path: path.write_bytes(b"x" * 20_000),
    "cut": lambda path: os.truncate(path, 12_288),
    "flipped": _flip,
    "of a later version": _version,
    "of an earlier version": _other_tables,
    "of another journal": _another,
}


async def test_a_list_that_can_not_be_used_is_made_again(folder: Path) -> None:
    await sold(folder, KEYS[:5])
    for name, damage in DAMAGES.items():
        with closing(list_of(folder)) as file:
            rows = whole(file)
            connection_of(file).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        damage(folder / LIST)
        with closing(list_of(folder)) as file:
            assert whole(file) == rows, name
            assert file.turnover(EVERYTHING).turnover is not None
    with closing(list_of(folder)) as file:
        rows = whole(file)
        connection = connection_of(file)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA cache_size=0")
        _flip(folder / LIST)
        file.page(EVERYTHING, None, 50)
        assert whole(file) == rows


# --- faults --------------------------------------------------------------------------------------
async def test_damaged_receipt_is_left_out(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    await sold(folder, KEYS[:5])
    numbers = numbers_in(folder)
    with closing(apsw.Connection(str(folder / JOURNAL))) as connection:
        keep_log(connection)
        connection.execute(
            "DROP TRIGGER requests_final; UPDATE requests SET planned = x'00' WHERE id ="
            " (SELECT request_id FROM receipts WHERE number = ?)",
            (numbers[2],),
        )
    with closing(list_of(folder)) as file, caplog.at_level(logging.ERROR):
        rows = whole(file)
        assert told(rows) == [*numbers[:2], *numbers[3:]]
        assert file.state.left_out == 1
        assert sum("left out of the list" in one.getMessage() for one in caplog.records) == 1


async def test_a_full_disk_is_told_with_what_is_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(folder) as shop:
        index = ReceiptIndex(folder / LIST, folder / JOURNAL)
        async with index.fed(shop.lane.changes):
            await shop.sell(key=KEYS[0])
            assert len((await index.page(EVERYTHING)).rows) == 1
            monkeypatch.setattr(index_file, "LEAST_ROOM", 10**18)
            issued = await shop.sell(key=KEYS[1])
            page = await index.page(EVERYTHING)
            assert len(page.rows) == 1
            assert isinstance(page.state.trouble, DiskFull)
            assert not page.state.is_whole
            monkeypatch.undo()
            page = await index.page(EVERYTHING)
            assert page.state.is_whole
            assert page.rows[0].number == issued.receipt.invoice_number


async def test_a_disk_that_takes_no_more_costs_no_receipt(folder: Path) -> None:
    """SQLite's own limit replaces the disk's."""
    await sold(folder, KEYS[:3])
    with closing(list_of(folder)) as file:
        whole(file)
        connection = connection_of(file)
        connection.execute("VACUUM")
        connection.pragma("max_page_count", connection.pragma("page_count"))
        await sold(folder, KEYS[3:90])
        while file.step():
            pass
        assert isinstance(file.state.trouble, DiskFull)
        assert len(file.page(EVERYTHING, None, 100).rows) < 90
        connection.pragma("max_page_count", 1_000_000)
        assert told(whole(file)) == numbers_in(folder)
        turnover = file.turnover(EVERYTHING).turnover
        assert turnover.receipts == 90


async def test_a_journal_that_can_not_be_read_is_told(folder: Path) -> None:
    await sold(folder, KEYS[:2])
    with closing(list_of(folder)) as file:
        rows = whole(file)
    (folder / JOURNAL).rename(folder / "away")
    with closing(list_of(folder)) as file:
        file.step()
        page = file.page(EVERYTHING, None, 50)
        assert told(page.rows) == told(rows)
        assert {row.handed_over for row in page.rows} == {HandOver.UNKNOWN}
        assert isinstance(page.state.trouble, DatabaseDamaged)
        assert file.listed([rows[0].request_id]) == ()
    (folder / "away").rename(folder / JOURNAL)
    with closing(list_of(folder)) as file:
        assert whole(file) == rows
        assert file.listed([rows[1].request_id, "unknown", rows[0].request_id]) == rows


def test_the_codebooks_are_part_of_what_makes_the_file() -> None:
    """Rows store positions in them: a file made with other codebooks is made anew."""
    (step,) = schema.MIGRATIONS
    told = [line.removeprefix("-- ") for line in step.splitlines() if line.startswith("-- ")]
    methods, told = told[: len(PaymentMethod)], told[len(PaymentMethod) :]
    labels, told = told[: len(TaxLabel)], told[len(TaxLabel) :]
    many = len(InvoiceType) * len(TransactionType)
    kinds, told = told[:many], told[many:]
    assert labels == [f"{place}: {label}" for place, label in enumerate(TaxLabel)]
    assert methods == [f"{place}: {method}" for place, method in enumerate(PaymentMethod)]
    assert (kinds[0], len(kinds)) == ("0: normal sale", many)
    assert told == [
        f"{place}: {one}"
        for codebook in (MAY_BE_PAID_LATER, schema.ROLES)
        for place, one in enumerate(codebook)
    ]


async def test_advances_that_are_not_closed_are_known_however_the_list_is_made(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made from the journal's end, it takes a closing in before its advance."""
    async with opened(folder) as shop:
        with closing(list_of(folder)) as file:
            chains = []
            for place in range(3):
                issued = await shop.sell(ADVANCE, key=KEYS[place])
                chains.append(issued.receipt_id)
                whole(file)
                assert open_in(file) == set(chains)
            paid = {"payments": {"card": 3000}, **PDF}
            await shop.act("advance", chains[0], paid, key=KEYS[10])
            await shop.act("close", chains[0], REST, key=KEYS[11])
            back = {"payments": {"cash": 6000}, **BUYER, **PDF}
            await shop.act("refund", chains[1], back, key=KEYS[12])
            whole(file)
            assert open_in(file) == {chains[2]}
    monkeypatch.setattr(feeding, "AT_ONCE", 1)
    (folder / LIST).unlink()
    with closing(list_of(folder)) as anew:
        seen = list[set[str]]()
        while anew.step():
            seen.append(open_in(anew))
            assert not anew.open_advances().is_whole
        whole(anew)
        assert open_in(anew) == {chains[2]}
        assert anew.open_advances().is_whole
        assert all(len(told) <= 1 for told in seen)


def open_in(file: ReceiptIndexFile) -> set[str]:
    return {one.receipt_id for one in file.open_advances().advances}


# --- the server as a program makes the list by itself ---
WITHIN = 20.0
TEA = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"card": 100},
    "items": [{"quantity": 1, "unitPrice": 100, "article": {"name": "Чај", "taxRateLabel": "Ђ"}}],
    "receiptDelivery": {"pdf": False},
}


def issue(address: str, key: str) -> str:
    answer = httpx.post(
        f"{address}/fiscalization/receipts",
        json=TEA,
        headers={"Idempotency-Key": key},
        trust_env=False,
        verify=NO_TLS,
        timeout=WITHIN,
    )
    assert answer.is_success
    return str(answer.json()["invoiceNumber"])


def grown_to(data: Path, numbers: list[str]) -> None:
    end, listed = time.monotonic() + WITHIN, list[str]()
    while listed != numbers and time.monotonic() < end:
        time.sleep(0.02)  # waits for the server
        if (data / LIST).exists():
            with closing(ReceiptIndexFile(data / LIST, data / JOURNAL)) as file:
                page = file.page(EVERYTHING, None, 50)
                listed = [row.number for row in page.rows]
    assert listed == numbers


def test_what_was_signed_before_and_after_a_kill_is_in_the_list(folder: Path) -> None:
    with program("server", "--data", str(folder), "--port", "0") as (child, address):
        numbers = [issue(address, "a" * 20)]
        grown_to(folder, numbers)
        numbers.insert(0, issue(address, "b" * 20))
        child.send_signal(signal.SIGKILL)
        child.wait()
    with program("server", "--data", str(folder), "--port", "0") as (child, address):
        grown_to(folder, numbers)
        numbers.insert(0, issue(address, "c" * 20))
        grown_to(folder, numbers)
        child.terminate()
        assert child.wait() == 0
    with closing(ReceiptIndexFile(folder / LIST, folder / JOURNAL)) as file:
        assert not file.step()
        assert file.state.is_whole
        found = file.page(ReceiptQuery(words="caj"), None, 50)
        assert [row.number for row in found.rows] == numbers
    path = folder / LIST
    assert check(folder) == (WHOLE, [])
    path.write_bytes(path.read_bytes()[:-4096] + bytes(4096))
    status, (told,) = check(folder)
    assert (status, told.startswith(f"{LIST}: damaged: ")) == (WHOLE, True)
    assert told.endswith("Nothing is lost: the server makes it again of the journal.")


def check(data: Path) -> tuple[int, list[str]]:
    out = StringIO()
    status = check_command(data, out=out)
    return status, [line for line in out.getvalue().splitlines() if "receipt-index" in line]
