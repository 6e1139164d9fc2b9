"""The till's own papers and its cash drawer, at the server's printer."""

from __future__ import annotations

from collections.abc import Mapping

from pos_app import errors, wire
from pos_app.adapters.api_client.exchange import LocalApi, Reply, checked
from pos_app.adapters.api_client.receipts import ASK_SECONDS
from pos_app.documents.blocks import Document, plain

DRAWER_SECONDS = 10.0
"""The server gives the printer eight seconds."""


class PaperHttp:
    """The port ServerReceiptPrinter over HTTP."""

    def __init__(self, api: LocalApi) -> None:
        self._api = api

    async def print(self, paper: Document, *, key: str, on_a4: bool = False) -> None:
        body = {"key": key, "paper": plain(paper), "pages": on_a4}
        checked(await self._api.send("/till/print", body, seconds=ASK_SECONDS))

    async def open_drawer(self, *, key: str, by: str) -> None:
        """Open the drawer now. Raises Refused, NotDelivered, OutcomeUnknown. After a lost answer it
        asks once more; the same key never gives a second pulse.
        """
        body = {"key": key, "by": by}
        try:
            reply = await self._api.send("/till/drawer", body, seconds=DRAWER_SECONDS)
        except errors.OutcomeUnknown:
            reply = await self._asked_again(body)
        try:
            drawer_answer = wire.reading.read(wire.server.DrawerAnswer, checked(reply).body)
        except errors.Invalid as error:
            raise errors.OutcomeUnknown("server_unread", why=error.what) from error
        if drawer_answer.outcome == "failed":
            raise errors.Refused("drawer_shut", reply_code=drawer_answer.trouble or "")
        if drawer_answer.outcome != "delivered":
            raise errors.OutcomeUnknown("drawer")

    async def _asked_again(self, body: Mapping[str, object]) -> Reply:
        """Ask about a pulse whose answer was lost. Raises OutcomeUnknown when nobody answers."""
        try:
            return await self._api.send("/till/drawer", body, seconds=DRAWER_SECONDS)
        except errors.NotDelivered as error:
            raise errors.OutcomeUnknown(what=error.what) from error
