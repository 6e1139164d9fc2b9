"""Measures the list of receipts: its pages, its search while typing, its turnover and reports.

Questions go over HTTP, as from the till, to a server whose list has generated receipts
(`many_receipts`): an equally large journal would take most of an hour to make, so that the list
stands beside a smaller one.
"""

from __future__ import annotations

import asyncio
import gc
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

import httpx

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipt_reading import receipts_at
from pos_app.adapters.data_folder import JOURNAL, RECEIPT_INDEX
from pos_app.adapters.data_folder.install import known_install
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.reports import ReportSums
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.selling.reports import report
from pos_app.selling.reports.periods import Period
from tests.bench.big_journal import id_of
from tests.bench.figures import Figure, NotMeasured, Target, timed
from tests.bench.journal import fill
from tests.bench.local_api import serving
from tests.bench.many_receipts import LAST
from tests.bench.many_receipts import fill as fill_list
from tests.bench.place import Place
from tests.fakes.no_tls import NO_TLS

PAGE = 50
_PAGE = Target(100, 100)
_TYPED = Target(100, 100)
_TURNOVER = Target(2_000, 2_000)
_SHARE_OF_JOURNAL = 50
"""The list goes on from a journal that is smaller by this factor."""
_FAR = 5_000_000
"""The first number here; no other part of the bench fills a journal so far."""
_PAGES = 20
_LEAST_OPEN, _MOST_OPEN = 20, 1_000
"""Open advances: a shop has a few at a time; one in a thousand receipts is more than any has."""
_ADVANCES = Target(50, 50)
_REPORT = Target(2_000, 2_000)
_LATER = frozenset({PaymentMethod.WIRE_TRANSFER, PaymentMethod.CHECK})
_TOLD_SECONDS = 60.0
_WORDS = ("mleko sveže", "сир млади", "čoko", "Јелена", "100000040", "8600000", "š", "ђ")
_ENDS = ("1998597", "07", "abc")
_AMOUNTS = ("2", "28", "287", "2872")
_REFUND = ReceiptKind(InvoiceType.NORMAL, TransactionType.REFUND)
_RAREST = ReceiptKind(InvoiceType.TRAINING, TransactionType.REFUND)
_FILTERS = (
    receipt_list.EVERYTHING,
    receipt_list.ReceiptQuery(since=LAST - timedelta(hours=12)),
    receipt_list.ReceiptQuery(since=LAST - timedelta(days=400), until=LAST - timedelta(days=370)),
    receipt_list.ReceiptQuery(kinds=frozenset({_REFUND})),
    receipt_list.ReceiptQuery(kinds=frozenset({_RAREST})),
    receipt_list.ReceiptQuery(payments=frozenset({PaymentMethod.CASH})),
    receipt_list.ReceiptQuery(payments=frozenset({PaymentMethod.VOUCHER})),
    receipt_list.ReceiptQuery(cashier="Јелена Нешић"),
    receipt_list.ReceiptQuery(program="web"),
    receipt_list.ReceiptQuery(buyer="10:100000040"),
    receipt_list.ReceiptQuery(asks_e_invoice=True),
    receipt_list.ReceiptQuery(
        cashier="Ана Илић", program="web", payments=frozenset({PaymentMethod.CARD})
    ),
    receipt_list.ReceiptQuery(kinds=frozenset({_REFUND}), program="web"),
    receipt_list.ReceiptQuery(payments=frozenset({PaymentMethod.VOUCHER}), cashier="Јелена Нешић"),
    receipt_list.ReceiptQuery(program="web", asks_e_invoice=True),
    receipt_list.ReceiptQuery(kinds=frozenset({_REFUND}), words="mleko"),
    receipt_list.ReceiptQuery(words="mleko", least=Money(500), most=Money(3000)),
)


def measure(place: Place) -> Iterator[Figure]:
    receipts = max(place.size.stored)
    many = max(500, receipts // _SHARE_OF_JOURNAL)
    fill(place, many, first=_FAR)
    path = place.data / RECEIPT_INDEX
    shutil.rmtree(path.parent, ignore_errors=True)
    path.parent.mkdir()
    known = [id_of(_FAR + one) for one in range(many)]
    fill_list(path, receipts, journal=place.data / JOURNAL, known=known)
    advances = max(_LEAST_OPEN, min(receipts // 1_000, _MOST_OPEN))
    install = known_install(place.data)
    assert install is not None
    with serving(place), asyncio.Runner() as runner:
        _begin_advances(place.shop.url, advances)
        api = LocalApi(place.shop.url, install)
        for figure in _Asked(runner, receipts_at(api), advances).figures(place.size.rounds):
            yield replace(figure, size=receipts)
        runner.run(api.close())


def _begin_advances(url: str, many: int) -> None:
    article = {"name": "Торта", "taxRateLabel": "Ђ", "unit": "ком"}
    body = {
        "invoiceType": "advance",
        "transactionType": "sale",
        "payments": {"cash": 100},
        "items": [{"quantity": 1, "unitPrice": 500, "article": article}],
        "receiptDelivery": {"pdf": False},
    }
    with httpx.Client(trust_env=False, verify=NO_TLS, timeout=60) as client:
        for number in range(many):
            key = {"Idempotency-Key": f"advance-{number:016}"}
            answer = client.post(f"{url}/fiscalization/receipts", json=body, headers=key)
            answer.raise_for_status()


@dataclass
class _Asked:
    """The list as the till asks it, over HTTP to the program that serves it."""

    runner: asyncio.Runner
    port: ServerReceipts
    open_advances: int

    def figures(self, rounds: int) -> Iterator[Figure]:
        if len(self._page(receipt_list.EVERYTHING).rows) < PAGE:
            raise NotMeasured("the list has no receipts")
        gc.freeze()  # as the till does once its window is shown
        first, further = list[float](), list[float]()
        for query in _FILTERS * rounds:
            times = self._walked(query)
            first.append(times[0])
            further += times[1:]
        yield Figure.of(f"  first page of {PAGE}, by all kinds of filters", first, _PAGE)
        yield Figure.of("  each further page", further, _PAGE)
        for name, queries in (
            ("words", [receipt_list.ReceiptQuery(words=text) for text in _typed(_WORDS)]),
            (
                "the end of a number",
                [receipt_list.ReceiptQuery(number=text) for text in _typed(_ENDS)],
            ),
            ("an amount", [_dinars(text) for text in _AMOUNTS]),
        ):
            times = [timed(partial(self._page, query)) for query in queries * rounds]
            yield Figure.of(f"  search as it is typed: {name}", times, _TYPED)
        days = (0.5, 30, 365, 1096)
        periods = [receipt_list.ReceiptQuery(since=LAST - timedelta(days=many)) for many in days]
        times = [timed(partial(self._turnover, query)) for query in periods * rounds]
        yield Figure.of("  turnover of a day to three years", times, _TURNOVER)
        many = len(self._receivables().receivables)
        times = [timed(self._receivables) for _ in range(5 * rounds)]
        yield Figure.of(f"  {many:,} receivables of three years, all of them", times, _REPORT)
        for name in report.ReportName:
            if name.is_of_server and name is not report.ReportName.RECEIVABLES:
                times = [timed(partial(self._report, name)) for _ in range(5 * rounds)]
                title = f"  report of a year with the one before, by {name}, all its rows"
                yield Figure.of(title, times, _REPORT)
        self._wait_for_advances()
        times = [timed(self._advances) for _ in range(40 * rounds)]
        name = f"  {self.open_advances:,} open advances, each with what is paid and remains"
        yield Figure.of(name, times, _ADVANCES)

    def _report(self, name: report.ReportName) -> report.Report:
        period = Period(LAST.date() - timedelta(days=364), LAST.date())
        choice = report.ReportChoice(name, period, period.before())
        work = report.turnover_report(
            choice, self.port.report, categories={}, report_progress=lambda *_: None
        )
        return self.runner.run(work)

    def _receivables(self) -> ReportSums:
        period = Period(LAST.date(), LAST.date())
        choice = report.ReportChoice(report.ReportName.RECEIVABLES, period, period.before())
        work = report.asked_receivables(
            choice, self.port.report, methods=_LATER, report_progress=lambda *_: None
        )
        return self.runner.run(work)

    def _advances(self) -> int:
        return len(self.runner.run(self.port.advances()).advances)

    def _wait_for_advances(self) -> None:
        """Wait until each advance was read from its chain once."""
        end = time.monotonic() + _TOLD_SECONDS
        while self._advances() < self.open_advances:
            if time.monotonic() > end:
                raise NotMeasured(f"the server tells of {self._advances()} open advances")
            time.sleep(0.2)

    def _walked(self, query: receipt_list.ReceiptQuery) -> list[float]:
        times = list[float]()
        after: receipt_list.ListPosition | None = None
        while len(times) < _PAGES and (after is not None or not times):
            began = time.perf_counter()
            page = self._page(query, after)
            times.append((time.perf_counter() - began) * 1000)
            after = page.go_on
        return times

    def _page(
        self, query: receipt_list.ReceiptQuery, after: receipt_list.ListPosition | None = None
    ) -> receipt_list.ListPage:
        return self.runner.run(self.port.page(query, after=after, most=PAGE))

    def _turnover(self, query: receipt_list.ReceiptQuery) -> receipt_list.ReportedTurnover:
        return self.runner.run(self.port.turnover(query))


def _typed(texts: Sequence[str]) -> list[str]:
    """Each text as it grows, key by key."""
    return [text[: end + 1] for text in texts for end in range(len(text))]


def _dinars(text: str) -> receipt_list.ReceiptQuery:
    return receipt_list.ReceiptQuery(least=Money(text), most=Money(f"{text}.99"))
