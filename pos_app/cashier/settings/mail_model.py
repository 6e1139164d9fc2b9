"""The shop's outgoing mail as it is typed, its password, and a trial mail.

Source: till.md (Settings).
"""

from __future__ import annotations

import asyncio

from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.values import VALUE_PAGES, ValuePage, ValuesModel
from pos_app.domain.setup.mail_setup import MailSetup, MailTrial
from pos_app.domain.text.email_address import checked_address
from pos_app.errors import Invalid, NotDelivered, RemoteError
from pos_app.settings import named

HOST, SENDER, REPLY_TO = named("mail", "host", "sender", "reply_to")
ASKED_AGAIN_MS = 5000
"""Pause between two questions to a server that does not answer."""
AWAY_MS = 15_000
"""The longest wait for a server that opens the shop anew after a change."""


class MailModel(ValuesModel):
    """password: typed and not stored yet; to: the trial mail's address."""

    def __init__(self, services: TillServices) -> None:
        groups = VALUE_PAGES[ValuePage.MAIL]
        super().__init__(services, [one for group in groups for one in group.values])
        self.password = ""
        self.to = ""
        self.server_answer: MailSetup | None = None
        self.trial: MailTrial | None = None
        self._asked_at = services.till.clock.ticks() - ASKED_AGAIN_MS

    # --- the password ----------------------------------------------------------------------------

    def type_password(self, typed_text: str) -> None:
        if typed_text != self.password:
            self.password = typed_text
            self.failure = self.saved_at = None
            self.announce()

    @property
    def is_given(self) -> bool:
        """Whether the password is kept elsewhere, and changed there."""
        return self.server_answer is not None and self.server_answer.given_elsewhere

    async def ask(self) -> None:
        """Ask the server whether it has a password. The bottom line of the window says if the
        server is away."""
        mail = self.services.mail_setup
        if mail is None or not self.is_to_ask:
            return
        self._asked_at = self.services.till.clock.ticks()
        try:
            self.server_answer = await mail.setup()
        except RemoteError:
            return
        self.announce()

    @property
    def is_to_ask(self) -> bool:
        since = self.services.till.clock.ticks() - self._asked_at
        return self.server_answer is None and since >= ASKED_AGAIN_MS

    # --- saved -----------------------------------------------------------------------------------

    def fault_of(self, setting: str) -> str:
        if fault := super().fault_of(setting):
            return fault
        typed = str(self.typed_values[setting]).strip()
        is_needed = setting == SENDER and bool(str(self.typed_values[HOST]).strip())
        if setting in (SENDER, REPLY_TO) and (typed or is_needed) and not _is_address(typed):
            return "address"
        return ""

    @property
    def wrong(self) -> str:
        """The first wrong setting. It may be an empty sender that was not changed, because a host
        needs one."""
        is_lacking = bool(self.has_changes and self.fault_of(SENDER))
        return super().wrong or (SENDER if is_lacking else "")

    @property
    def has_changes(self) -> bool:
        return super().has_changes or bool(self.password)

    def drop(self) -> None:
        self.password = ""
        super().drop()

    async def save(self) -> None:
        """Save the settings first, because the server reads them when it is given the password."""
        self.trial = None
        if self.changed:
            await super().save()
        elif self.can_save:
            await self._have_server_read_it()

    async def _have_server_read_it(self) -> None:
        mail, password = self.services.mail_setup, self.password
        if not password or mail is None:
            await super()._have_server_read_it()
            return

        async def change() -> None:
            await mail.keep_password(password, by=self.services.cashier)

        await self.save_change(change, note_saved=self._note_password)

    def _note_password(self) -> None:
        self.password, self.server_answer = "", None
        self._asked_at = self.services.till.clock.ticks()  # the server is away for a moment
        self.saved_at = self.services.till.clock.now()

    # --- tried -----------------------------------------------------------------------------------

    def type_to(self, typed_text: str) -> None:
        if typed_text != self.to:
            self.to, self.trial = typed_text, None
            self.announce()

    @property
    def has_mail(self) -> bool:
        return bool(self.services.settings.mail.host)

    @property
    def can_try(self) -> bool:
        is_free = not self.has_changes and not self.running
        is_there = self.has_mail and self.services.mail_setup is not None
        return is_free and is_there and _is_address(self.to.strip())

    async def send_trial(self) -> None:
        """Send a trial mail now or not at all; the result is in `trial`."""
        if not self.can_try:
            return
        self.trial = None
        self.trial = await self.act("trial", self._send)
        self.announce()

    async def _send(self) -> MailTrial:
        """Send. The server is away briefly after a change; NotDelivered means that nothing was
        sent, so it is tried again."""
        mail, clock = self.services.mail_setup, self.services.till.clock
        assert mail is not None
        deadline, never = clock.ticks() + AWAY_MS, asyncio.Event()
        while True:
            try:
                return await mail.send_trial(self.to.strip(), by=self.services.cashier)
            except NotDelivered:
                if clock.ticks() >= deadline:
                    raise
            await clock.pause(250, until=never)

    def leave(self) -> None:
        self.password, self.trial = "", None
        super().leave()


def _is_address(text: str) -> bool:
    try:
        checked_address(text)
    except Invalid:
        return False
    return True
