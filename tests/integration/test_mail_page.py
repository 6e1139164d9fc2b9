"""A shop's mail is set up and tried while its server runs; each fault has its own word."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes, policy
from pathlib import Path

import httpx
import pytest

from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.setup import mail_at
from pos_app.adapters.data_folder.settings_file import SettingsFile
from pos_app.domain.setup.mail_setup import MailTrial
from pos_app.errors import NotDelivered, OutcomeUnknown, Refused
from tests.fakes.mail_server import PASSWORD, USER, MailBox, certificates, serving
from tests.fakes.no_tls import NO_TLS
from tests.integration.test_processor_page import Running, assert_nowhere, running

TO = "gazda@primer.rs"


class Desk:
    def __init__(self, server: Running) -> None:
        self.mail, self.server = mail_at(server.api), server
        self._settings, self._desk = SettingsFile(server.folder), DoubtHttp(server.api)

    async def set_up(self, password: str = "", **mail: object) -> None:
        """Write the settings first; then let the server know, once."""
        self._settings.change({f"mail.{name}": value for name, value in mail.items()})
        if password:
            await self.mail.keep_password(password, by="Ана")
        else:
            await self._desk.reopen(by="Ана")

    async def trial(self, to: str = TO) -> MailTrial:
        """Try until the server has opened the shop anew."""
        async with asyncio.timeout(30):
            while True:
                try:
                    return await self.mail.send_trial(to, by="Ана")
                except (NotDelivered, OutcomeUnknown):
                    await asyncio.sleep(0.05)

    async def tells(self, fault: str) -> None:
        """Try until this fault comes: until the shop is opened anew the old settings hold."""
        async with asyncio.timeout(30):
            while (await self.trial()).fault != fault:
                pass


@asynccontextmanager
async def shop(folder: Path, box: MailBox) -> AsyncIterator[Desk]:
    """Run a server whose mail goes to a mail server that requires a login."""
    made = certificates(folder.parent)
    async with serving(box, "starttls", made.server, login=True) as port, running(folder) as server:
        desk = Desk(server)
        await desk.tells("not_set_up")
        assert not (await desk.mail.setup()).has_password
        await desk.set_up(
            PASSWORD.decode(),
            host="localhost",
            port=port,
            user=USER.decode(),
            security="starttls",
            sender="racuni@lipa.rs",
            sender_name="Маркет Липа",
            ca_file=str(made.authority),
        )
        yield desk


@pytest.mark.deadline(120)
async def test_a_trial_mail_arrives_and_each_refusal_is_told_by_its_cause(folder: Path) -> None:
    box = MailBox()
    async with shop(folder, box) as desk:
        await desk.tells("")
        (got,) = box.letters
        assert isinstance(got.content, bytes)
        mail = message_from_bytes(got.content, policy=policy.default)
        assert (got.mail_from, got.rcpt_tos) == ("racuni@lipa.rs", [TO])
        assert "Пробна порука" in mail["Subject"]
        assert "рачуни могу да се шаљу" in mail.get_content()
        assert (await desk.mail.setup()).has_password
        for at, reply, fault in (
            ("MAIL", "550 not you", "sender"),
            ("RCPT", "550 nobody", "recipient"),
            ("DATA", "554 spam", "refused"),
        ):
            box.replies = {at: reply}
            await desk.tells(fault)
        box.replies, box.after_data = {}, "dies"
        trial = await desk.trial()
        assert (trial.fault, trial.may_be_sent) == ("cut_off", True)
        box.after_data = "ok"
        await desk.set_up("canary-wrong-5152")
        await desk.tells("login")
        with pytest.raises(Refused):
            await desk.trial("no address")
        await _refused(desk)
    assert len(box.letters) == 2, "one that came, and one that was cut off at its end"
    secrets = (PASSWORD.decode(), "canary-wrong-5152")
    assert_nowhere(folder, desk.server.log, *secrets)


async def _refused(desk: Desk) -> None:
    """Without the token nothing is shown and nothing sent."""
    async with httpx.AsyncClient(trust_env=False, verify=NO_TLS) as client:
        for method, path in (("POST", "/till/mail/setup"), ("POST", "/till/mail/send_trial")):
            for headers in ({}, {"X-Pos-Token": "wrong"}):
                answer = await client.request(
                    method,
                    desk.server.address + path,
                    json={"to": TO, "by": "Ана"},
                    headers=headers,
                )
                assert answer.status_code == 401, path
