"""Shows, tries and changes the server's processor, printers, mail and platform, over HTTP.

Source: exactly-once.md, step 10 and "Other holes".
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from pos_app import wire
from pos_app.adapters.api_client import exchange
from pos_app.adapters.api_client.port_client import port_client
from pos_app.adapters.api_client.receipts import issued_by
from pos_app.domain.article.store import Store
from pos_app.domain.setup import platform_setup
from pos_app.domain.setup.mail_setup import MailSetupService
from pos_app.domain.setup.platform_key import KeyTerms
from pos_app.domain.setup.printer_setup import PrinterSetupService
from pos_app.domain.setup.processor import PinResult
from pos_app.domain.setup.processor_setup import ProcessorChange, ProcessorSetup, ProcessorTrial
from pos_app.errors import Invalid, OutcomeUnknown
from pos_app.selling.server.answers import IssueAnswer

_ASK_SECONDS = 5.0
_SHOWN_SECONDS = 15.0
"""The server may open the stored certificate for 10 s."""
_TRY_SECONDS = 25.0
"""The time for a V-PFR on a slow connection to connect and to answer; before that the server may
open a certificate for 10 s."""
_PIN_SECONDS = 60.0
"""A receipt in flight goes first, and its answer may take 40 s."""
_PRINTER_SECONDS = 20.0
"""This is longer than the server waits for a printer, or for a print service's queues."""
_PAGE_SECONDS = 60.0
"""This is longer than the server waits for the end of the page."""
_PASSWORD_SECONDS = 20.0
_TRIAL_SECONDS = 40.0
"""This is longer than the server waits for the mail server."""
_REMOTE_SECONDS = 25.0
"""The server asks the platform over a slow connection."""


class ProcessorHttp:
    """The port ServerProcessorSetup over HTTP."""

    def __init__(self, api: exchange.LocalApi) -> None:
        self._api = api

    async def setup(self) -> ProcessorSetup:
        reply = await self._api.ask("/till/processor", seconds=_SHOWN_SECONDS)
        return exchange.record_of(ProcessorSetup, reply)

    async def try_out(self, change: ProcessorChange) -> ProcessorTrial:
        path, body = "/till/processor/test", wire.server.change_body(change)
        return exchange.record_of(
            ProcessorTrial, await self._api.send(path, body, seconds=_TRY_SECONDS)
        )

    async def change(self, change: ProcessorChange, *, by: str) -> None:
        body = wire.server.change_body(change) | {"by": by}
        exchange.checked(
            await self._api.send("/till/processor", body, seconds=_TRY_SECONDS, method="PUT")
        )

    async def enter_pin(self, pin: str, *, by: str) -> PinResult:
        body = {"pin": pin, "by": by}
        reply = exchange.checked(
            await self._api.send("/till/processor/pin", body, seconds=_PIN_SECONDS)
        )
        try:
            return PinResult(wire.reading.read(wire.server.PinAnswer, reply.body).result)
        except (Invalid, ValueError) as error:
            raise OutcomeUnknown("pin_unread") from error

    async def issue(self, body: bytes, *, key: str, by: str) -> IssueAnswer:
        headers = {"Idempotency-Key": key, "X-Cashier": quote(by, safe="")}
        return await issued_by(self._api, body, headers)


def printers_at(api: exchange.LocalApi) -> PrinterSetupService:
    longer = {"setup": _ASK_SECONDS, "print_page": _PAGE_SECONDS}
    return port_client(
        PrinterSetupService, api, "printers", seconds=_PRINTER_SECONDS, longer=longer
    )


def mail_at(api: exchange.LocalApi) -> MailSetupService:
    longer = {"send_trial": _TRIAL_SECONDS, "keep_password": _PASSWORD_SECONDS}
    return port_client(MailSetupService, api, "mail", seconds=_ASK_SECONDS, longer=longer)


class PlatformHttp:
    """The port ServerPlatformSetup over HTTP."""

    def __init__(self, api: exchange.LocalApi) -> None:
        self._api = api

    async def setup(self) -> platform_setup.PlatformSetup:
        return exchange.record_of(
            platform_setup.PlatformSetup,
            await self._api.ask("/till/platform", seconds=_ASK_SECONDS),
        )

    async def try_out(self, change: platform_setup.PlatformChange) -> platform_setup.PlatformTrial:
        return exchange.record_of(
            platform_setup.PlatformTrial, await self._send("/test", _change_to_json(change))
        )

    async def change(self, change: platform_setup.PlatformChange, *, by: str) -> None:
        exchange.checked(await self._send("", _change_to_json(change) | {"by": by}, method="PUT"))

    async def keys(self) -> tuple[platform_setup.PlatformKey, ...]:
        reply = await self._api.ask("/till/platform/keys", seconds=_REMOTE_SECONDS)
        return exchange.records_of(platform_setup.PlatformKey, reply)

    async def add_key(self, terms: KeyTerms, *, press: str) -> platform_setup.NewPlatformKey:
        reply = await self._send("/keys", wire.keys_and_clients.terms_to_json(terms), press=press)
        return exchange.record_of(platform_setup.NewPlatformKey, reply)

    async def rotate_key(self, key_id: str, *, press: str) -> platform_setup.NewPlatformKey:
        path = f"/keys/{quote(key_id, safe='')}/rotate"
        return exchange.record_of(
            platform_setup.NewPlatformKey, await self._send(path, {}, press=press)
        )

    async def revoke_key(self, key_id: str) -> None:
        exchange.checked(await self._send(f"/keys/{quote(key_id, safe='')}", {}, method="DELETE"))

    async def add_store(self, name: str, *, press: str) -> platform_setup.PlatformStore:
        return exchange.record_of(
            platform_setup.PlatformStore, await self._send("/stores", {"name": name}, press=press)
        )

    async def change_store(self, before: Store, after: Store) -> Store:
        path = f"/stores/{quote(before.id, safe='')}"
        changed = wire.store.changed_members(before, after)
        was = {
            name: value
            for name, value in wire.store.store_to_json(before).items()
            if name in changed
        }
        reply = await self._send(path, {"changed": changed, "was": was}, method="PUT")
        exchange.checked(reply)
        try:
            return wire.store.store_from_json(reply.body)
        except Invalid as error:
            raise exchange.no_sense(error) from error

    async def _send(
        self, path: str, body: Mapping[str, object], *, method: str = "POST", press: str = ""
    ) -> exchange.Reply:
        whole, headers = f"/till/platform{path}", {"Idempotency-Key": press} if press else {}
        return await self._api.send(
            whole, body, seconds=_REMOTE_SECONDS, headers=headers, method=method
        )


def _change_to_json(change: platform_setup.PlatformChange) -> dict[str, object]:
    """The members of a change; those that are left out stay as they are."""
    members = wire.records.to_json(type(change), change)
    assert isinstance(members, dict)
    return {name: value for name, value in members.items() if value is not None}
