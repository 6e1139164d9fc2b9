"""The server's printers over HTTP: shown, found, tried, changed; a trial page."""

from __future__ import annotations

from pos_app import wire
from pos_app.adapters.api_client import exchange
from pos_app.domain import printer_setup
from pos_app.domain.server_status import DeliveryJob

_ASK_SECONDS = 5.0
_TRY_SECONDS = 20.0
"""This is longer than the server asks a printer, or a print service for its queues."""
_PAGE_SECONDS = 60.0
"""This is longer than the server waits for the end of the page."""


class PrintersHttp:
    """The port PrinterSetupService over HTTP."""

    def __init__(self, api: exchange.LocalApi) -> None:
        self._api = api

    async def setup(self) -> printer_setup.PrinterSetup:
        return exchange.record_of(
            printer_setup.PrinterSetup, await self._api.ask("/till/printers", seconds=_ASK_SECONDS)
        )

    async def found(self) -> tuple[printer_setup.FoundPrinter, ...]:
        reply = await self._api.ask("/till/printers/found", seconds=_TRY_SECONDS)
        return exchange.records_of(printer_setup.FoundPrinter, reply)

    async def try_out(
        self, use: printer_setup.PrinterUse, change: printer_setup.PrinterChange
    ) -> printer_setup.PrinterTrial:
        body = _said(change) | {"use": use.value}
        reply = await self._api.tell("/till/printers/test", body, seconds=_TRY_SECONDS)
        return exchange.record_of(printer_setup.PrinterTrial, reply)

    async def print_page(self, use: printer_setup.PrinterUse, *, key: str, by: str) -> DeliveryJob:
        body = {"use": use.value, "key": key, "by": by}
        reply = await self._api.tell("/till/printers/page", body, seconds=_PAGE_SECONDS)
        return exchange.record_of(DeliveryJob, reply)

    async def change(self, change: printer_setup.PrinterChange, *, by: str) -> None:
        body = _said(change) | {"by": by}
        exchange.checked(
            await self._api.tell("/till/printers", body, seconds=_TRY_SECONDS, method="PUT")
        )


def _said(change: printer_setup.PrinterChange) -> dict[str, object]:
    """The members of a change; those that are left out stay as they are."""
    members = wire.records.to_json(printer_setup.PrinterChange, change)
    assert isinstance(members, dict)
    return {name: value for name, value in members.items() if value is not None}
