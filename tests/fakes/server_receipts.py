"""The port ServerReceipts without a server: it applies a query to each receipt."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pos_app.adapters.sqlite.receipt_index.reports import ReportReader
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRow
from pos_app.documents.shown_receipt import ShownElsewhere, ShownReceipt
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.open_advances import OpenAdvances
from pos_app.domain.receipt.receipt_elsewhere import SearchElsewhere, SearchEnd
from pos_app.domain.receipt.reports import ReportAsked, ReportSums
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from pos_app.errors import NoSuchReceipt, PosError
from pos_app.fiscalization.found_by import kept_buyer, methods_of, shown_buyer
from pos_app.fiscalization.jobs import hand_over_of
from tests.integration.receipt_index import model

NOT_ASKED = ShownElsewhere(SearchElsewhere(SearchEnd.NOT_ASKED))
NONE_OPEN = OpenAdvances((), is_whole=True)
_OPEN = frozenset({JobState.WAITING, JobState.RUNNING, JobState.FAILED, JobState.UNPROVEN})


@dataclass
class ReceiptsInMemory:
    """signed: in the order of the journal. jobs: by the request. shown: by id and by number.

    kept_here: requests whose receipt is handed to nobody. state: None if the list is whole.
    open: the open advances. fault: the error that each method raises.
    """

    signed: list[SignedRow] = field(default_factory=list)
    jobs: dict[str, tuple[DeliveryJob, ...]] = field(default_factory=dict)
    details: dict[str, ShownReceipt] = field(default_factory=dict)
    kept_here: set[str] = field(default_factory=set)
    state: receipt_list.ListState | None = None
    open: OpenAdvances = NONE_OPEN
    fault: PosError | None = None
    answers: asyncio.Event | None = None
    at_other_tills: ShownElsewhere = NOT_ASKED
    searching: asyncio.Event | None = None
    reports: int = 0
    """The number of requests for a report."""

    async def receipt(self, reference: str) -> ShownReceipt:
        await self._suffer()
        if reference.startswith("-"):
            reference = next((one for one in reversed(self.details) if one.endswith(reference)), "")
        if reference.upper() in self.details or reference in self.details:
            return self.details.get(reference) or self.details[reference.upper()]
        raise NoSuchReceipt(what="Receipt not found", safe="Nothing was changed.")

    async def elsewhere(self, number: str) -> ShownElsewhere:
        if self.searching is not None:
            await self.searching.wait()
        return self.at_other_tills

    async def advances(self) -> OpenAdvances:
        await self._suffer()
        return self.open

    async def page(
        self,
        query: receipt_list.ReceiptQuery,
        *,
        after: receipt_list.ListPosition | None = None,
        most: int = 50,
        figures: bool = False,
    ) -> receipt_list.ListPage:
        await self._suffer()
        rows = [row for row in self._listed(query) if after is None or row.list_position < after]
        go_on = rows[most - 1].list_position if len(rows) > most else None
        return receipt_list.ListPage(tuple(rows[:most]), go_on, self._state())

    async def turnover(self, query: receipt_list.ReceiptQuery) -> receipt_list.ReportedTurnover:
        await self._suffer()
        return receipt_list.ReportedTurnover(model.turnover_of(self.signed, query), self._state())

    async def report(self, asked: ReportAsked) -> ReportSums:
        await self._suffer()
        self.reports += 1
        with tempfile.TemporaryDirectory() as folder:  # the list computes the sums itself
            model.written(Path(folder) / "list.db", self.signed)
            return ReportReader(Path(folder) / "list.db").report(asked, self._state())

    async def choices(self) -> receipt_list.ListChoices:
        await self._suffer()
        return receipt_list.ListChoices(
            _each_once(row.document.cashier for row in self.signed),
            _each_once(row.program for row in self.signed),
        )

    async def waiting(
        self, *, before: int | None = None, most: int = 50
    ) -> receipt_list.WaitingPage:
        await self._suffer()
        told = list[receipt_list.WaitingReceipt]()
        for row in self._listed(receipt_list.ReceiptQuery()):
            jobs = [job for job in self.jobs.get(row.request_id, ()) if job.state in _OPEN]
            if jobs:
                told.append(receipt_list.WaitingReceipt(row, tuple(reversed(jobs))))
        told.sort(key=lambda one: -one.jobs[0].id)
        page = [one for one in told if before is None or one.jobs[0].id < before]
        go_on = page[most - 1].jobs[0].id if len(page) > most else None
        return receipt_list.WaitingPage(
            tuple(page[:most]), go_on, min(len(told), receipt_list.MOST_COUNTED)
        )

    async def _suffer(self) -> None:
        if self.answers is not None:
            await self.answers.wait()
        if self.fault is not None:
            raise self.fault

    def _state(self) -> receipt_list.ListState:
        return self.state or receipt_list.ListState(len(self.signed), len(self.signed))

    def _listed(self, query: receipt_list.ReceiptQuery) -> list[receipt_list.ListedReceipt]:
        return [self._row(row) for row in model.matching_rows(self.signed, query)]

    def _row(self, row: SignedRow) -> receipt_list.ListedReceipt:
        document, request_id = row.document, str(row.id)
        jobs = self.jobs.get(request_id, ())
        return receipt_list.ListedReceipt(
            list_position=receipt_list.ListPosition(row.at_ms, row.row),
            request_id=request_id,
            at=row.at,
            number=row.number,
            kind=model.kind_of(row),
            total=document.total,
            payments=methods_of(document),
            cashier=document.cashier,
            program=row.program,
            buyer=document.buyer and shown_buyer(kept_buyer(document.buyer)),
            asks_e_invoice=document.asks_e_invoice,
            referent=row.referent,
            handed_over=hand_over_of(
                [(job.method, job.state, job.trouble is not None) for job in jobs],
                stays_here=request_id in self.kept_here,
            ),
        )


def _each_once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
