"""The mail's page of the settings, at the server: whether the password is kept, and a trial mail.

The trial goes through the adapter that sends receipts, with shorter times, because a person waits
for it. A trial is no job: if it fails, it is not sent later.
"""

from __future__ import annotations

import asyncio
import os

from pos_app import log
from pos_app.adapters.secrets.names import MAIL_PASSWORD
from pos_app.adapters.secrets.reading import given_elsewhere, read_secret, write_secrets
from pos_app.adapters.secrets.secret import Secret
from pos_app.bootstrap.issuing.devices import mailer_of
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.clock import Clock
from pos_app.domain.setup.mail_setup import MailSetup, MailTrial
from pos_app.domain.text.email_address import checked_address
from pos_app.errors import SettingsBroken
from pos_app.fiscalization import device_ports
from pos_app.settings import Settings

_STEP_SECONDS, _WHOLE_SECONDS = 8.0, 25.0

_log = log.get(__name__)


class MailSetupInFiles:
    """Implements domain.mail_setup.MailSetupService."""

    def __init__(self, settings: Settings, *, clock: Clock, papers: StorePdf) -> None:
        self._settings, self._clock, self._papers = settings, clock, papers

    async def setup(self) -> MailSetup:
        return await asyncio.to_thread(self._setup)

    def _setup(self) -> MailSetup:
        data = self._settings.data
        elsewhere = given_elsewhere(MAIL_PASSWORD, data=data, variables=os.environ)
        try:
            password = read_secret(MAIL_PASSWORD, data=data, variables=os.environ)
        except SettingsBroken as error:  # the key is gone: a person types a new password
            _log.warning("the password of the mail can't be read: %s", error.what)
            return MailSetup(has_password=False, given_elsewhere=bool(elsewhere))
        return MailSetup(bool(password), bool(elsewhere))

    async def keep_password(self, password: str, *, by: str) -> None:
        """Raises SettingsBroken, DataFolderNotWritable."""
        changes = {MAIL_PASSWORD: Secret(password) if password else None}
        data = self._settings.data
        await asyncio.to_thread(write_secrets, changes, data=data, variables=os.environ)
        _log.warning("the password of the mail was changed by %s", by)

    async def send_trial(self, to: str, *, by: str) -> MailTrial:
        address = checked_address(to.strip())
        try:
            post = await asyncio.to_thread(self._post)
        except SettingsBroken as error:
            return MailTrial(fault="settings", message=error.what)
        if post is None:
            return MailTrial(fault="not_set_up", message="No mail server is set up.")
        now = self._clock.now()
        letter = await asyncio.to_thread(self._papers.trial_letter, at=now)
        outcome = await post.send(
            device_ports.ReceiptMail(
                receipt="trial",
                sending=self._clock.ticks(),
                at=now,
                to=address,
                subject=letter.subject,
                text=letter.text,
                html="",
                pdf=b"",
                file_name="",
            )
        )
        _log.info("a trial mail was asked for by %s", by)
        if isinstance(outcome, device_ports.Delivered):
            return MailTrial()
        return MailTrial(
            outcome.trouble.value,
            outcome.words,
            may_be_sent=not isinstance(outcome, device_ports.Failed),
            tls=outcome.tls if isinstance(outcome, device_ports.Failed) else "",
        )

    def _post(self) -> device_ports.Mailer | None:
        return mailer_of(self._settings, step_seconds=_STEP_SECONDS, whole_seconds=_WHOLE_SECONDS)
