"""The server's processor over HTTP: shown, tried, changed; the PIN. Source: exactly-once.md,
step 10 and "Other holes"."""

from __future__ import annotations

from urllib.parse import quote

from pos_app import wire
from pos_app.adapters.api_client.exchange import LocalApi, checked, record_of
from pos_app.adapters.api_client.receipts import issued_by
from pos_app.domain.processor import PinResult
from pos_app.domain.processor_setup import ProcessorChange, ProcessorSetup, ProcessorTrial
from pos_app.errors import Invalid, OutcomeUnknown
from pos_app.selling.server.answers import IssueAnswer

_SHOWN_SECONDS = 15.0
"""The server may open the stored certificate for 10 s."""
_TRY_SECONDS = 25.0
"""The time for a V-PFR on a slow connection to connect and to answer; before that the server may
open a certificate for 10 s."""
_PIN_SECONDS = 60.0
"""A receipt in flight goes first, and its answer may take 40 s."""


class ProcessorHttp:
    """The port ServerProcessorSetup over HTTP."""

    def __init__(self, api: LocalApi) -> None:
        self._api = api

    async def setup(self) -> ProcessorSetup:
        reply = await self._api.ask("/till/processor", seconds=_SHOWN_SECONDS)
        return record_of(ProcessorSetup, reply)

    async def try_out(self, change: ProcessorChange) -> ProcessorTrial:
        path, body = "/till/processor/test", wire.server.change_said(change)
        return record_of(ProcessorTrial, await self._api.tell(path, body, seconds=_TRY_SECONDS))

    async def change(self, change: ProcessorChange, *, by: str) -> None:
        body = wire.server.change_said(change) | {"by": by}
        checked(await self._api.tell("/till/processor", body, seconds=_TRY_SECONDS, method="PUT"))

    async def enter_pin(self, pin: str, *, by: str) -> PinResult:
        body = {"pin": pin, "by": by}
        reply = checked(await self._api.tell("/till/processor/pin", body, seconds=_PIN_SECONDS))
        try:
            return PinResult(wire.reading.read(wire.server.PinTold, reply.body).result)
        except (Invalid, ValueError) as error:
            what = "The server's word about the PIN can't be read."
            raise OutcomeUnknown(what) from error

    async def issue(self, body: bytes, *, key: str, by: str) -> IssueAnswer:
        headers = {"Idempotency-Key": key, "X-Cashier": quote(by, safe="")}
        return await issued_by(self._api, body, headers)
