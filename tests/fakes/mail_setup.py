"""A server whose mail can be set up and tried: the port MailSetupService without a server."""

from __future__ import annotations

from dataclasses import replace

from pos_app.domain.setup.mail_setup import MailSetup, MailTrial
from pos_app.errors import NotDelivered, PosError


class MailInMemory:
    """trial: the answer to a trial. away: how many requests for a trial fail first because the
    server is away. refuses: the error that a given password raises."""

    def __init__(self) -> None:
        self.told = MailSetup(has_password=False)
        self.trial = MailTrial()
        self.away = 0
        self.refuses: PosError | None = None
        self.passwords: list[str] = []
        self.sent: list[str] = []

    async def setup(self) -> MailSetup:
        return self.told

    async def send_trial(self, to: str, *, by: str) -> MailTrial:
        if self.away:
            self.away -= 1
            raise NotDelivered(what="The server is away.")
        self.sent.append(to)
        return self.trial

    async def keep_password(self, password: str, *, by: str) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.passwords.append(password)
        self.told = replace(self.told, has_password=bool(password))
