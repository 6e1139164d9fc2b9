"""The list of the server's receipts as the till gets it: over HTTP from a real journal, and from
the fake that replaces it in the tests of the window."""

from __future__ import annotations

import asyncio
import csv
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import openpyxl
import pytest

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipt_reading import receipts_at
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.catalogue_files.spreadsheets import look_at, rows_of
from pos_app.adapters.data_folder import JOURNAL, RECEIPT_INDEX
from pos_app.adapters.receipt_export import ReceiptExportProcess
from pos_app.adapters.sqlite.receipt_index.index_file import ReceiptIndexFile
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRows
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.receipt_list import EVERYTHING, ReceiptQuery
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.text.instant import in_belgrade
from pos_app.errors import PosError
from pos_app.selling.file_work import FileDone, FileWork
from pos_app.selling.receipts.export import OF_LINES, OF_RECEIPTS
from tests.bench.big_journal import multiply
from tests.e2e.nursery import RECEIPT_EXPORT, child
from tests.fakes.server_receipts import ReceiptsInMemory
from tests.integration.catalogue.test_sheets import children, memory_of
from tests.integration.fiscalization.shop import SALE, Offers, Shop
from tests.integration.fiscalization.test_operations import ADVANCE, BUYER, PDF, REST
from tests.integration.local_api.wires import Running, running, until
from tests.integration.local_api.wronged import error_of

PRINTED = {"receiptDelivery": {"thermalPrinter": True}}
COFFEE: dict[str, Any] = {
    "payments": {"card": 1500, "cash": 800},
    "items": [{"sku": 2, "quantity": 1, "unitPrice": Decimal(2300)}],
    "buyerId": "10:104982316",
}
REFUND = ReceiptKind(InvoiceType.NORMAL, TransactionType.REFUND)


async def lived(shop: Shop) -> None:
    bread = await shop.sell(SALE | PRINTED)
    await shop.act(
        "refund", bread.receipt_id, {"payments": {"cash": Decimal("117.98")}, **BUYER, **PDF}
    )
    coffee = await shop.sell(SALE | COFFEE)
    await shop.act("copy", coffee.receipt_id, PDF)
    await shop.sell(SALE | {"invoiceType": "proforma"})
    advance = await shop.sell(ADVANCE)
    await shop.act("close", advance.receipt_id, REST | {"payments": {"card": 12000}})


def in_memory(shop: Shop) -> ReceiptsInMemory:
    path = shop.folder / JOURNAL
    with closing(SignedRows(path)) as journal:
        rows = journal.signed(1, journal.last()[0])
        kinds = [(str(row.id), row.document.kind) for row in rows]
        told = journal.handed_over(kinds)
    jobs = dict[str, tuple[DeliveryJob, ...]]()
    for row in rows:
        jobs[str(row.id)] = shop.journal.jobs.of_receipt(str(row.id))
    kept = {
        request_id for request_id, how in told.items() if how is receipt_list.HandOver.STAYS_HERE
    }
    return ReceiptsInMemory(rows, jobs, kept_here=kept)


async def numbers(receipts: ServerReceipts, query: receipt_list.ReceiptQuery) -> list[str]:
    page = await receipts.page(query)
    assert page.go_on is None
    return [row.number for row in page.rows][::-1]


@asynccontextmanager
async def life(folder: Path) -> AsyncIterator[tuple[Shop, ServerReceipts, list[str]]]:
    async with running(folder, store=Offers(frozenset({"thermal"}))) as server:
        await lived(server.shop)
        async with LocalApi(server.url, server.install) as api:
            await FiscalHttp(api).prove()
            receipts = receipts_at(api)
            yield server.shop, receipts, await numbers(receipts, receipt_list.EVERYTHING)


async def test_the_list_over_http_and_its_fake_answer_alike(folder: Path) -> None:
    async with life(folder) as (shop, receipts, n):
        assert len(n) == 9
        fake = in_memory(shop)
        end = n[3].rpartition("-")[2]
        newest = (await receipts.page(receipt_list.EVERYTHING)).rows[0].at
        questions = {
            receipt_list.EVERYTHING: n,
            receipt_list.ReceiptQuery(number=end): [one for one in n if one.endswith(end)],
            receipt_list.ReceiptQuery(number=n[3].lower()): [n[3]],
            receipt_list.ReceiptQuery(least=Money(2000), most=Money("2999.99")): n[3:5],
            receipt_list.ReceiptQuery(words="hleb"): [*n[:3], n[5]],
            receipt_list.ReceiptQuery(words="8600000000018"): n[3:5],
            receipt_list.ReceiptQuery(words="сир"): [],
            receipt_list.ReceiptQuery(buyer="10:104982316"): n[3:5],
            receipt_list.ReceiptQuery(kinds=frozenset({REFUND})): [n[1]],
            receipt_list.ReceiptQuery(payments=frozenset({PaymentMethod.CARD})): [*n[3:5], n[8]],
            receipt_list.ReceiptQuery(cashier="Ана"): [],
            receipt_list.ReceiptQuery(program="web"): [],
            receipt_list.ReceiptQuery(until=newest - timedelta(days=1)): [],
        }
        for each in (receipts, fake):
            for query, expected in questions.items():
                assert await numbers(each, query) == expected, query
            told, after = list[receipt_list.ListedReceipt](), None
            for size in (1, 4, 2, 2):
                page = await each.page(receipt_list.EVERYTHING, after=after, most=size)
                assert len(page.rows) == size
                told, after = [*told, *page.rows], page.go_on
            assert after is None
            assert [row.number for row in reversed(told)] == n
            choices = await each.choices()
            assert (choices.cashiers, choices.programs) == (("Мика",), ("local",))
        assert (await receipts.page(receipt_list.EVERYTHING)).rows == (
            (await fake.page(receipt_list.EVERYTHING)).rows
        )
        waits, kept = await receipts.waiting(), await fake.waiting()
        assert [one.receipt for one in waits.rows] == [one.receipt for one in kept.rows]
        told_jobs, kept_jobs = (
            [[job.id for job in one.jobs] for one in each.rows] for each in (waits, kept)
        )
        assert (waits.go_on, waits.many, told_jobs) == (kept.go_on, kept.many, kept_jobs)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"most": 0}, "most"),
    ({"most": 201}, "most"),
    ({"most": "50"}, "most"),
    ({"query": 5}, "query"),
    ({"query": {"since": "yesterday"}}, "query.since"),
    ({"query": {"since": "9999-12-31T23:59:59Z"}}, "query.since"),
    ({"query": {"kinds": ["sale"]}}, "query.kinds[0]"),
    ({"query": {"payments": ["gold"]}}, "query.payments[0]"),
    ({"query": {"least": "5"}}, "query.least"),
    ({"query": {"most": 10**13}}, "query.most"),
    ({"query": {"words": "x" * 201}}, "query.words"),
    ({"after": {"at": 2**70, "row": 1}}, "after.at"),
    ({"after": {"at": 1}}, "after.row"),
]


async def test_only_the_till_is_told_and_a_wrong_question_is_named(folder: Path) -> None:
    of_query = [(body, field) for body, field in WRONG if "query" in body]
    asked = [*product(["page"], WRONG), *product(["turnover"], of_query)]
    async with running(folder) as server:
        for method, (wrong, field) in asked:
            path, body = f"/till/receipts/{method}", {"query": {}, **wrong}
            answer = await server.ask("POST", path, headers=server.till, json=body)
            assert answer.status_code == 400, body
            assert f'"{field}"' in error_of(answer)["message"]
        url = ""
        for method in ("page", "turnover", "choices", "waiting"):
            url, body = f"/till/receipts/{method}", {"query": {}}
            assert (await server.ask("POST", url, json=body)).status_code == 401
        wrong_row = {"before": "x"}
        answer = await server.ask("POST", url, headers=server.till, json=wrong_row)
        assert (answer.status_code, "before" in answer.text) == (400, True)


# --- the list as a sheet: the real process asks a real server, and the sheet is read back ---------


@dataclass
class Export:
    """A server with receipts, and the sheets written of them."""

    server: Running
    process: ReceiptExportProcess
    folder: Path

    async def rows(
        self, name: str, query: ReceiptQuery = EVERYTHING, *, by_lines: bool = False
    ) -> list[dict[str, str]]:
        path = self.folder / name
        done = await ended(self.process.export(query, path, by_lines=by_lines))
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file, delimiter=";"))
        assert done == FileDone(len(rows), 0)
        return rows[::-1]


@asynccontextmanager
async def export(folder: Path, *, is_real: bool = False) -> AsyncIterator[Export]:
    """Its process starts in the nursery, unless its memory is measured."""
    async with running(folder, store=Offers(frozenset({"thermal"}))) as server:
        api = LocalApi(server.url, server.install)
        out = folder / "out"
        out.mkdir(exist_ok=True)
        command = None if is_real else child(RECEIPT_EXPORT)
        with closing(ReceiptExportProcess(api, folder, command=command)) as process:
            yield Export(server, process, out)


async def ended(
    work: FileWork, *, while_it_runs: Callable[[], object] = lambda: None
) -> FileDone | PosError:
    told = work.result()
    while told is None:
        while_it_runs()
        await asyncio.sleep(0.02)
        told = work.result()
    assert isinstance(told, FileDone | PosError)
    return told


def names_in(folder: Path) -> list[str]:
    return [one.name for one in folder.iterdir()]


EVIL, PUBLIC = '=HYPERLINK("http://example.invalid";"пиши")', "12:100000049:12345"
MIXED: dict[str, Any] = {
    "payments": {"card": 1500, "cash": Decimal("2417.98")},
    "items": [
        {"sku": 1, "quantity": 2, "unitPrice": Decimal("58.99")},
        {"sku": 2, "quantity": Decimal("1.5"), "unitPrice": Decimal(2400)},
        {"quantity": 1, "unitPrice": 200, "article": {"name": EVIL, "taxRateLabel": "А"}},
    ],
    "buyerId": PUBLIC,
}


def number(cell: str) -> Decimal:
    return Decimal(cell.replace(",", "."))


async def test_a_row_a_receipt_or_a_line_as_serbian_excel_opens_it(folder: Path) -> None:
    async with export(folder) as to:
        shop = to.server.shop
        sold = await shop.sell(SALE | MIXED | PRINTED)
        half = {"items": [{"line": 1, "quantity": Decimal("0.5")}], "buyerId": PUBLIC, **PDF}
        await shop.act("refund", sold.receipt_id, half | {"payments": {"card": 1200}})
        sale, refund = await to.rows("receipts.csv")
        back, *lines = (await to.rows("lines.csv", by_lines=True))[::-1]
        for name, heads in (("receipts", OF_RECEIPTS), ("lines", OF_LINES)):
            raw = (to.folder / f"{name}.csv").read_bytes()
            assert raw.startswith(b"\xef\xbb\xbf" + ";".join(heads).encode())
        path = to.folder / "lines.xlsx"
        await ended(to.process.export(EVERYTHING, path, by_lines=True))
        _, *rows = openpyxl.load_workbook(path).worksheets[0].iter_rows()
        assert all(cell.data_type != "f" for row in rows for cell in row)
        assert {3600, EVIL} <= {cell.value for row in rows for cell in row}
        written = ZipFile(path).read("xl/worksheets/sheet1.xml").decode()
        assert re.findall(r"<v>-?\d+\.\d{13,}</v>", written) == []
    signed = sold.receipt
    assert (sale["Број"], sale["Бројач"]) == (signed.invoice_number, signed.invoice_counter)
    assert sale["Време"] == f"{in_belgrade(signed.sdc_time):%d.%m.%Y. %H:%M:%S}"
    assert (sale["Врста"], sale["Референца"], sale["Купац"]) == ("Промет продаја", "", PUBLIC)
    assert (sale["Готовина"], sale["Платна картица"], sale["Чек"]) == ("2417,98", "1500,00", "")
    taxes = {one.label: one.amount for one in signed.tax_items or ()}
    for label, gross in (("Ђ", "3600"), ("Е", "117.98"), ("А", "200")):
        assert number(sale[f"ПДВ {label}"]) == taxes[label]
        assert number(sale[f"Основица {label}"]) == Decimal(gross) - taxes[label]
    assert (sale["ПДВ Г"], sale["Основица Г"]) == ("", "")
    assert (sale["Укупно"], sale["Касир"]) == ("3917,98", "Мика")
    assert (sale["Уручење"], sale["Е-фактура"]) == ("чека штампу", "да")
    assert (refund["Врста"], refund["Референца"]) == ("Промет рефундација", sale["Број"])
    assert (refund["Укупно"], refund["Платна картица"]) == ("-1200,00", "-1200,00")
    assert number(refund["Основица Ђ"]) + number(refund["ПДВ Ђ"]) == -1200
    by_name = {one["Назив"]: one for one in lines}
    coffee = next(one for one in lines if one["Шифра"] == "2")
    assert f"'{EVIL}" in by_name
    assert (coffee["ЕАН"], coffee["Ознака"], number(coffee["Стопа"])) == ("8600000000018", "Ђ", 20)
    assert (coffee["Количина"], coffee["Цена"], coffee["Износ"]) == ("1,50", "2400,00", "3600,00")
    assert (back["Количина"], back["Износ"]) == ("-0,50", "-1200,00")


async def test_of_cash_stands_what_the_change_leaves(folder: Path) -> None:
    async with export(folder) as to:
        shop = to.server.shop
        await shop.sell(SALE)  # 117,98 of 200,00
        advance = await shop.sell(SALE | {"invoiceType": "advance", "payments": {"cash": 50}})
        await shop.act("close", advance.receipt_id, {"payments": {"cash": 100}, **PDF})
        told = [(one["Готовина"], one["Укупно"]) for one in await to.rows("receipts.csv")]
    assert told == [("117,98", "117,98"), *[("50,00", "50,00"), ("-50,00", "-50,00")],
                    ("67,98", "117,98")]  # fmt: skip


# --- many, and what goes wrong -------------------------------------------------------------------
async def many(folder: Path, receipts: int) -> None:
    async with running(folder) as server:
        await server.shop.sell()
    multiply(folder / JOURNAL, receipts - 1)
    with closing(ReceiptIndexFile(folder / RECEIPT_INDEX, folder / JOURNAL)) as file:
        while file.step():
            pass


async def whole_sheet(folder: Path, receipts: int, name: str) -> int:
    await many(folder, receipts)
    others = children()
    async with export(folder, is_real=True) as to:
        work, seen, most = to.process.export(EVERYTHING, to.folder / name), list[int](), 0

        def watch() -> None:
            nonlocal most
            most = max(most, memory_of(children() - others))
            seen.append(work.progress.done)
            assert work.progress.whole in (0, receipts)

        assert await ended(work, while_it_runs=watch) == FileDone(receipts, 0)
        assert seen == sorted(seen)
        assert len(set(seen)) > 2
        numbers = [row[0] for row in rows_of(look_at(to.folder / name))][1:]
        assert len(numbers) == len(set(numbers)) == receipts
    return most


@pytest.mark.long
@pytest.mark.deadline(1200)
@pytest.mark.parametrize("name", ["all.csv", "all.xlsx"])
async def test_100_000_receipts_with_little_memory(folder: Path, name: str) -> None:
    assert await whole_sheet(folder, 100_000, name) < 150 * 1024 * 1024


async def test_one_that_is_ended_leaves_what_was_there_before(folder: Path) -> None:
    await many(folder, 1_000)
    async with export(folder) as to:
        path = to.folder / "all.csv"
        path.write_text("before")
        work = to.process.export(EVERYTHING, path)
        await until(lambda: bool(work.progress.done))
        assert len(names_in(to.folder)) == 2
        work.stop()
        told = await ended(work)
        assert isinstance(told, FileDone)
        assert 0 < told.done < 1_000
        assert (names_in(to.folder), path.read_text()) == (["all.csv"], "before")
