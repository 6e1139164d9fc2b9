"""Shows, tries and changes the server's processor, printers, mail and platform, over HTTP.

Source: exactly-once.md, step 10 and "Other holes".
"""

from __future__ import annotations

from urllib.parse import quote

from pos_app.adapters.api_client import exchange
from pos_app.adapters.api_client.port_client import port_client
from pos_app.adapters.api_client.receipts import issued_by
from pos_app.domain.setup.local_api_service import LocalApiService
from pos_app.domain.setup.mail_setup import MailSetupService
from pos_app.domain.setup.printer_setup import PrinterSetupService
from pos_app.selling.server.answers import IssueAnswer
from pos_app.selling.server.ports import ServerPlatformSetup, ServerProcessorSetup

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


def processor_at(api: exchange.LocalApi) -> ServerProcessorSetup:
    async def issue(body: bytes, *, key: str, by: str) -> IssueAnswer:
        headers = {"Idempotency-Key": key, "X-Cashier": quote(by, safe="")}
        return await issued_by(api, body, headers)

    return port_client(
        ServerProcessorSetup,
        api,
        "processor",
        seconds=_TRY_SECONDS,
        seconds_of={"setup": _SHOWN_SECONDS, "enter_pin": _PIN_SECONDS},
        own={"issue": issue},
    )


def printers_at(api: exchange.LocalApi) -> PrinterSetupService:
    seconds_of = {"setup": _ASK_SECONDS, "print_page": _PAGE_SECONDS}
    return port_client(
        PrinterSetupService, api, "printers", seconds=_PRINTER_SECONDS, seconds_of=seconds_of
    )


def mail_at(api: exchange.LocalApi) -> MailSetupService:
    seconds_of = {"send_trial": _TRIAL_SECONDS, "keep_password": _PASSWORD_SECONDS}
    return port_client(MailSetupService, api, "mail", seconds=_ASK_SECONDS, seconds_of=seconds_of)


def platform_at(api: exchange.LocalApi) -> ServerPlatformSetup:
    seconds_of = {"setup": _ASK_SECONDS}
    return port_client(
        ServerPlatformSetup, api, "platform", seconds=_REMOTE_SECONDS, seconds_of=seconds_of
    )


def local_api_at(api: exchange.LocalApi) -> LocalApiService:
    seconds_of = {"keep_secret": _REMOTE_SECONDS}
    return port_client(
        LocalApiService, api, "local_api", seconds=_ASK_SECONDS, seconds_of=seconds_of
    )
