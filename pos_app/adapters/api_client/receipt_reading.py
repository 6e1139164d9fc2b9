"""Receipts of the server's journal, as the till shows them."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from pos_app.adapters.api_client.exchange import LocalApi, checked, no_sense
from pos_app.documents.blocks import document_of
from pos_app.domain.open_advances import OpenAdvances
from pos_app.domain.receipt_overview import ReceiptOverview
from pos_app.errors import Invalid
from pos_app.selling.server.ports import ShownReceipt
from pos_app.wire.records import from_json

READ_SECONDS = 10.0


class ReceiptReadingHttp:
    """The port ServerReceipts over HTTP."""

    def __init__(self, api: LocalApi) -> None:
        self._api = api

    async def receipt(self, reference: str) -> ShownReceipt:
        path = f"/till/receipts/{quote(reference, safe='')}"
        body = checked(await self._api.ask(path, seconds=READ_SECONDS)).body
        try:
            if not isinstance(body, Mapping):
                raise Invalid('"value" must be of type object', field="")
            overview = from_json(ReceiptOverview, body.get("overview"))
            paper = body.get("paper")
            return ShownReceipt(
                overview,
                document_of(paper, of_receipt=True) if isinstance(paper, Mapping) else None,
            )
        except Invalid as error:
            raise no_sense(error) from error

    async def advances(self) -> OpenAdvances:
        body = checked(await self._api.ask("/till/advances", seconds=READ_SECONDS)).body
        try:
            return from_json(OpenAdvances, body)
        except Invalid as error:
            raise no_sense(error) from error
