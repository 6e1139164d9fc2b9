"""Receipts of the server's journal, as the till shows them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.port_client import port_client
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.errors import NoSuchReceipt, Refused
from pos_app.wire.problem import NOT_FOUND

READ_SECONDS = 10.0
SEARCH_SECONDS = 30.0
"""The server asks the other tills of a shop, each for three seconds."""
REPORT_SECONDS = 60.0


def receipts_at(api: LocalApi, *, listing: LocalApi | None = None) -> ServerReceipts:
    """Return the port over HTTP. listing: a connection of its own for the list, so that a receipt
    whose layout takes long does not delay the list. A search elsewhere and a report have one each,
    since they may take long."""
    reading = port_client(
        ServerReceipts,
        api,
        "receipts",
        seconds=READ_SECONDS,
        seconds_of={"elsewhere": SEARCH_SECONDS, "report": REPORT_SECONDS},
        apart=("elsewhere", "report"),
    )

    async def receipt(reference: str) -> ShownReceipt:
        try:
            return await reading.receipt(reference)
        except Refused as error:
            if error.reply_code == str(NOT_FOUND.code):
                raise NoSuchReceipt() from error
            raise

    own: dict[str, Callable[..., Awaitable[Any]]] = {
        "receipt": receipt,
        "advances": reading.advances,
        "elsewhere": reading.elsewhere,
        "report": reading.report,
    }
    return port_client(ServerReceipts, listing or api, "receipts", seconds=READ_SECONDS, own=own)
