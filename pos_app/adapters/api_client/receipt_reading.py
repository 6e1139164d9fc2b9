"""Receipts of the server's journal, as the till shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote

from pos_app import wire
from pos_app.adapters.api_client import exchange
from pos_app.documents.blocks import document_of
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.open_advances import OpenAdvances
from pos_app.domain.receipt.receipt_elsewhere import SearchElsewhere
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.reports import ReportAsked, ReportSums
from pos_app.domain.receipt.verification import decode
from pos_app.errors import Invalid, NoSuchReceipt
from pos_app.selling.server.ports import ShownElsewhere, ShownReceipt

READ_SECONDS = 10.0
SEARCH_SECONDS = 30.0
"""The server asks the other tills of a shop, each for three seconds."""
REPORT_SECONDS = 60.0
_REPORT = "/till/report"
_NOT_FOUND = 404
_LIST = "/till/receipt-list"


class ReceiptReadingHttp:
    """The port ServerReceipts over HTTP. listing: a connection of its own for the list, so that a
    receipt whose layout takes long does not delay the list."""

    def __init__(self, api: exchange.LocalApi, *, listing: exchange.LocalApi | None = None) -> None:
        self._api = api
        self._listing = listing or api

    async def receipt(self, reference: str) -> ShownReceipt:
        if reference.startswith("-"):
            reference = await self._newest(reference)
        path = f"/till/receipts/{quote(reference, safe='')}"
        reply = await self._api.ask(path, seconds=READ_SECONDS)
        if reply.status == _NOT_FOUND:
            raise _no_such_receipt()
        body = exchange.checked(reply).body
        try:
            if not isinstance(body, Mapping):
                raise Invalid("object_value", field="")
            overview = wire.records.from_json(ReceiptOverview, body.get("overview"))
            paper = body.get("paper")
            return ShownReceipt(
                overview,
                document_of(paper, of_receipt=True) if isinstance(paper, Mapping) else None,
            )
        except Invalid as error:
            raise exchange.no_sense(error) from error

    async def elsewhere(self, number: str) -> ShownElsewhere:
        """Search on a connection of its own, since it may take long."""
        async with exchange.LocalApi(self._api.url, self._api.install) as api:
            path = f"/till/receipts-elsewhere/{quote(number, safe='')}"
            body = exchange.checked(await api.ask(path, seconds=SEARCH_SECONDS)).body
        try:
            if not isinstance(body, Mapping):
                raise Invalid("object_value", field="")
            search = wire.records.from_json(SearchElsewhere, body.get("search"))
            paper = body.get("paper")
            if not search.verification_url:
                return ShownElsewhere(search)
            receipt = ForeignReceipt.of(decode(search.verification_url))
            return ShownElsewhere(
                search,
                replace(
                    receipt, till=search.till, payments=search.payments, by_label=search.by_label
                ),
                document_of(paper, of_receipt=True) if isinstance(paper, Mapping) else None,
            )
        except Invalid as error:
            raise exchange.no_sense(error) from error

    async def _newest(self, end: str) -> str:
        """Return the id of the newest receipt whose number ends so. Another element, such as an
        earlier card, may have counted as far."""
        rows = (await self.page(receipt_list.ReceiptQuery(number=end), most=1)).rows
        if not rows:
            raise _no_such_receipt()
        return rows[0].request_id

    async def advances(self) -> OpenAdvances:
        body = await self._api.ask("/till/advances", seconds=READ_SECONDS)
        return exchange.record_of(OpenAdvances, body)

    async def page(
        self,
        query: receipt_list.ReceiptQuery,
        *,
        after: receipt_list.ListPosition | None = None,
        most: int = 50,
        figures: bool = False,
    ) -> receipt_list.ListPage:
        """figures: whether each row comes with its figures, for a sheet."""
        body = wire.records.written(
            receipt_list.ListAsked, receipt_list.ListAsked(query, after, most, figures)
        )
        return exchange.record_of(
            receipt_list.ListPage, await self._listing.send(_LIST, body, seconds=READ_SECONDS)
        )

    async def turnover(self, query: receipt_list.ReceiptQuery) -> receipt_list.ReportedTurnover:
        path, body = (
            f"{_LIST}/turnover",
            wire.records.written(receipt_list.ListAsked, receipt_list.ListAsked(query)),
        )
        return exchange.record_of(
            receipt_list.ReportedTurnover,
            await self._listing.send(path, body, seconds=READ_SECONDS),
        )

    async def report(self, asked: ReportAsked) -> ReportSums:
        """Ask on a connection of its own, so that the list goes on meanwhile."""
        async with exchange.LocalApi(self._api.url, self._api.install) as api:
            body = wire.records.written(ReportAsked, asked)
            return exchange.record_of(
                ReportSums, await api.send(_REPORT, body, seconds=REPORT_SECONDS)
            )

    async def choices(self) -> receipt_list.ListChoices:
        return exchange.record_of(
            receipt_list.ListChoices,
            await self._listing.ask(f"{_LIST}/choices", seconds=READ_SECONDS),
        )

    async def waiting(self, *, before: int | None = None) -> receipt_list.WaitingPage:
        path = f"{_LIST}/waiting" + ("" if before is None else f"?before={before}")
        return exchange.record_of(
            receipt_list.WaitingPage, await self._listing.ask(path, seconds=READ_SECONDS)
        )


def _no_such_receipt() -> NoSuchReceipt:
    return NoSuchReceipt()
