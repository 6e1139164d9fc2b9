"""The list of the server's receipts as the till gets it: over HTTP from a real journal, and from
the fake that replaces it in the tests of the window."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipt_reading import receipts_at
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.data_folder import JOURNAL
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRows
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.errors import DiskFull, NotDelivered, OutcomeUnknown
from pos_app.fiscalization.device_ports import DeviceTrouble
from tests.fakes.server_receipts import ReceiptsInMemory
from tests.integration.fiscalization import test_operations
from tests.integration.fiscalization.shop import SALE, Shop, unreachable
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import error_of
from tests.integration.till.test_fiscal_http import http, listening, says

PRINTED = {"receiptDelivery": {"thermalPrinter": True}}
COFFEE: dict[str, Any] = {
    "payments": {"card": 1500, "cash": 800},
    "items": [{"sku": 2, "quantity": 1, "unitPrice": Decimal(2300)}],
    "buyerId": "10:104982316",
}
REFUND = ReceiptKind(InvoiceType.NORMAL, TransactionType.REFUND)


class Printing:
    refuses_without_mail = False

    def print_methods(self) -> frozenset[str]:
        return frozenset({"thermal"})


@dataclass
class Life:
    """The issued receipts, the oldest first: coffee with a buyer, a refund of bread, and so on."""

    receipts: ServerReceipts
    shop: Shop
    numbers: list[str]

    async def numbers_of(self, query: receipt_list.ReceiptQuery) -> list[str]:
        page = await self.receipts.page(query)
        assert page.go_on is None
        return [row.number for row in page.rows]


async def lived(shop: Shop) -> None:
    bread = await shop.sell(SALE | PRINTED)
    await shop.act(
        "refund",
        bread.receipt_id,
        {"payments": {"cash": Decimal("117.98")}, **test_operations.BUYER, **test_operations.PDF},
    )
    coffee = await shop.sell(SALE | COFFEE)
    await shop.act("copy", coffee.receipt_id, test_operations.PDF)
    await shop.sell(SALE | {"invoiceType": "proforma"})
    advance = await shop.sell(test_operations.ADVANCE)
    await shop.act(
        "close", advance.receipt_id, test_operations.REST | {"payments": {"card": 12000}}
    )


def in_memory(server: Running) -> ReceiptsInMemory:
    path = server.shop.folder / JOURNAL
    with closing(SignedRows(path)) as journal:
        rows = journal.signed(1, journal.last()[0])
        kinds = [(str(row.id), row.document.kind) for row in rows]
        told = journal.handed_over(kinds)
    jobs = dict[str, tuple[DeliveryJob, ...]]()
    for row in rows:
        jobs[str(row.id)] = server.shop.journal.jobs.of_receipt(str(row.id))
    kept = {
        request_id for request_id, how in told.items() if how is receipt_list.HandOver.STAYS_HERE
    }
    return ReceiptsInMemory(rows, jobs, kept_here=kept)


@asynccontextmanager
async def life(folder: Path, way: str) -> AsyncIterator[Life]:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(running(folder, store=Printing()))
        await lived(server.shop)
        receipts: ServerReceipts = in_memory(server)
        numbers = [row.number for row in (await receipts.page(receipt_list.EVERYTHING)).rows][::-1]
        if way == "http":
            api = await stack.enter_async_context(LocalApi(server.url, server.install))
            await FiscalHttp(api).prove()
            receipts = receipts_at(api)
        yield Life(receipts, server.shop, numbers)


@pytest.fixture(params=["http", "memory"])
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def test_what_each_question_finds(folder: Path, way: str) -> None:
    async with life(folder, way) as shop:
        n = shop.numbers
        assert len(n) == 9
        assert await shop.numbers_of(receipt_list.EVERYTHING) == n[::-1]
        end = n[3].rpartition("-")[2]
        questions = {
            receipt_list.ReceiptQuery(number=end): [one for one in n if one.endswith(end)],
            receipt_list.ReceiptQuery(number=n[3].lower()): [n[3]],
            receipt_list.ReceiptQuery(least=Money(2000), most=Money("2999.99")): n[3:5],
            receipt_list.ReceiptQuery(words="hleb"): [*n[:3], n[5]],
            receipt_list.ReceiptQuery(words="кафа"): n[3:5],
            receipt_list.ReceiptQuery(words="8600000000018"): n[3:5],
            receipt_list.ReceiptQuery(words="10498"): n[3:5],
            receipt_list.ReceiptQuery(words="сир"): [],
            receipt_list.ReceiptQuery(buyer="10:104982316"): n[3:5],
            receipt_list.ReceiptQuery(kinds=frozenset({REFUND})): [n[1]],
            receipt_list.ReceiptQuery(payments=frozenset({PaymentMethod.CARD})): [*n[3:5], n[8]],
            receipt_list.ReceiptQuery(cashier="Мика"): n,
            receipt_list.ReceiptQuery(cashier="Ана"): [],
            receipt_list.ReceiptQuery(program="web"): [],
        }
        for query, expected in questions.items():
            assert await shop.numbers_of(query) == expected[::-1], query
        newest = (await shop.receipts.page(receipt_list.EVERYTHING)).rows[0].at
        assert (
            await shop.numbers_of(receipt_list.ReceiptQuery(until=newest - timedelta(days=1))) == []
        )
        choices = await shop.receipts.choices()
        assert (choices.cashiers, choices.programs) == (("Мика",), ("local",))


async def test_a_row_says_what_the_list_shows(folder: Path, way: str) -> None:
    async with life(folder, way) as shop:
        page = await shop.receipts.page(receipt_list.EVERYTHING)
        assert page.state.is_whole
        assert page.state.trouble is None
        rows = page.rows[::-1]
        coffee, refund = rows[3], rows[1]
        assert (coffee.total, coffee.buyer) == (Money(2300), "10:104982316")
        assert coffee.payments == (PaymentMethod.CASH, PaymentMethod.CARD)
        assert (refund.kind, refund.referent) == (REFUND, rows[0].number)
        assert (refund.total, refund.cashier) == (Money("117.98"), "Мика")
        assert [row.handed_over for row in rows] == [
            receipt_list.HandOver.WAITING,
            *[receipt_list.HandOver.NONE] * 6,
            receipt_list.HandOver.STAYS_HERE,
            receipt_list.HandOver.NONE,
        ]


async def test_pages_follow_one_another(folder: Path, way: str) -> None:
    async with life(folder, way) as shop:
        told, after = list[receipt_list.ListedReceipt](), None
        for size in (1, 4, 2, 2):
            page = await shop.receipts.page(receipt_list.EVERYTHING, after=after, most=size)
            assert len(page.rows) == size
            told, after = [*told, *page.rows], page.go_on
        assert after is None
        assert [row.number for row in told] == shop.numbers[::-1]


async def test_turnover_leaves_out_what_is_none(folder: Path, way: str) -> None:
    async with life(folder, way) as shop:
        told = await shop.receipts.turnover(receipt_list.ReceiptQuery(words="hleb"))
        assert told.state.is_whole
        turnover = told.turnover
        assert turnover is not None
        assert (turnover.sales, turnover.refunds) == (Decimal("117.98"), Decimal("117.98"))
        assert turnover.documents[REFUND] == 1
        assert turnover.not_turnover() == {InvoiceType.COPY: 1, InvoiceType.PROFORMA: 1}
        none = (await shop.receipts.turnover(receipt_list.ReceiptQuery(words="сир"))).turnover
        assert none is not None
        assert (none.net, none.documents) == (0, {})


async def test_what_needs_something_is_told_with_its_jobs(folder: Path) -> None:
    async with life(folder, "http") as shop:
        jobs, now = shop.shop.journal.jobs, shop.shop.service.clock.now()
        (paper,) = jobs.not_done()
        page = await shop.receipts.waiting()
        (waiting,) = page.rows
        assert (page.go_on, page.many) == (None, 1)
        assert (waiting.receipt.number, waiting.receipt.handed_over) == (
            shop.numbers[0],
            receipt_list.HandOver.WAITING,
        )
        assert [(job.id, job.method) for job in waiting.jobs] == [(paper.id, JobMethod.THERMAL)]
        assert (await shop.receipts.waiting(before=paper.id)).rows == ()
        jobs.start(paper.id, now=now)
        jobs.end(paper.id, JobState.FAILED, now=now, trouble=DeviceTrouble.PAPER_OUT)
        ((failed,), row) = (await shop.receipts.waiting()).rows[0].jobs, await first(shop)
        assert (failed.trouble, row.handed_over) == ("paper_out", receipt_list.HandOver.NOT_PRINTED)
        jobs.again(paper.id, by="Ана", now=now)
        jobs.start(paper.id, now=now)
        jobs.end(paper.id, JobState.DONE, now=now)
        assert (await shop.receipts.waiting()).rows == ()
        assert (await first(shop)).handed_over is receipt_list.HandOver.DONE


async def first(shop: Life) -> receipt_list.ListedReceipt:
    (row,) = (await shop.receipts.page(receipt_list.ReceiptQuery(number=shop.numbers[0]))).rows
    return row


async def test_the_fake_tells_what_waits_as_the_server_does(folder: Path) -> None:
    async with running(folder, store=Printing()) as server:
        await lived(server.shop)
        async with LocalApi(server.url, server.install) as api:
            await FiscalHttp(api).prove()
            told = await receipts_at(api).waiting()
            ours = await in_memory(server).waiting()
    assert (told.go_on, told.many) == (ours.go_on, ours.many)
    assert [one.receipt for one in told.rows] == [one.receipt for one in ours.rows]
    assert [[job.id for job in one.jobs] for one in told.rows] == [
        [job.id for job in one.jobs] for one in ours.rows
    ]


async def test_what_keeps_the_list_from_growing_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with life(folder, "http") as shop:
        await shop.receipts.page(receipt_list.EVERYTHING)
        monkeypatch.setattr("pos_app.adapters.sqlite.receipt_index.index_file.LEAST_ROOM", 2**62)
        page = await shop.receipts.page(receipt_list.EVERYTHING)
        assert isinstance(page.state.trouble, DiskFull)
        assert "Nothing is lost" in page.state.trouble.safe
        assert not page.state.is_whole
        assert len(page.rows) == 9


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


async def test_a_question_without_sense_names_what_is_wrong(folder: Path) -> None:
    of_query = [(body, field) for body, field in WRONG if "query" in body]
    asked = [*product(["page"], WRONG), *product(["turnover"], of_query)]
    async with running(folder) as server:
        for method, (wrong, field) in asked:
            path, body = f"/till/receipts/{method}", {"query": {}, **wrong}
            answer = await server.ask("POST", path, headers=server.till, json=body)
            assert answer.status_code == 400, body
            assert f'"{field}"' in error_of(answer)["message"]


async def test_only_the_till_is_told(folder: Path) -> None:
    async with running(folder) as server:
        for method in ("page", "turnover", "choices", "waiting"):
            url = f"/till/receipts/{method}"
            body: dict[str, Any] = {"query": {}}
            assert (await server.ask("POST", url, json=body)).status_code == 401
            told = await server.ask("POST", url, headers=server.till, json=body)
            assert told.status_code == 200, told.text
        url = "/till/receipts/waiting"
        wrong = await server.ask("POST", url, headers=server.till, json={"before": "x"})
    assert (wrong.status_code, "before" in wrong.text) == (400, True)


async def test_a_server_that_is_away_and_one_that_makes_no_sense(folder: Path) -> None:
    async with running(folder) as server, LocalApi(await unreachable(), server.install) as api:
        for asked in (receipts_at(api).page(receipt_list.EVERYTHING), receipts_at(api).waiting()):
            with pytest.raises(NotDelivered):
                await asked
    for body in (b"[]", b'{"result":{"rows":5}}', b"null"):
        async with listening(says(http(200, body))) as api:
            with pytest.raises(OutcomeUnknown):
                await receipts_at(api).page(receipt_list.EVERYTHING)
