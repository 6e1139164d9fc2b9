"""The server's mail over HTTP: its password, and a trial mail."""

from __future__ import annotations

from pos_app.adapters.api_client.exchange import LocalApi, checked, record_of
from pos_app.domain.mail_setup import MailSetup, MailTrial

_ASK_SECONDS = 5.0
_KEEP_SECONDS = 20.0
_TRIAL_SECONDS = 40.0
"""This is longer than the server waits for the mail server."""


class MailHttp:
    """The port ServerMailSetup over HTTP."""

    def __init__(self, api: LocalApi) -> None:
        self._api = api

    async def setup(self) -> MailSetup:
        return record_of(MailSetup, await self._api.ask("/till/mail", seconds=_ASK_SECONDS))

    async def send_trial(self, to: str, *, by: str) -> MailTrial:
        body = {"to": to, "by": by}
        reply = await self._api.tell("/till/mail/trial", body, seconds=_TRIAL_SECONDS)
        return record_of(MailTrial, reply)

    async def keep_password(self, password: str, *, by: str) -> None:
        body = {"value": password, "by": by}
        path = "/till/secrets/mail_password"
        checked(await self._api.tell(path, body, seconds=_KEEP_SECONDS))
