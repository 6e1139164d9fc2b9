"""Letters over a real SMTP server: sent encrypted, surely not sent, or unknown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.mail.smtp import MailServer, Security, SmtpMailer
from pos_app.adapters.secrets.secret import Secret
from pos_app.fiscalization import device_ports
from tests.fakes import mail_server
from tests.unit.mail.test_mail_message import LETTER, SHOP

Trouble = device_ports.DeviceTrouble
SENT = device_ports.Delivered(device_ports.HandoverProof.CARRIED_OUT)


@pytest.fixture(scope="module")
def trusted(tmp_path_factory: pytest.TempPathFactory) -> mail_server.Certificates:
    return mail_server.certificates(tmp_path_factory.mktemp("trusted"))


@asynccontextmanager
async def post_to(
    box: mail_server.MailBox,
    trusted: mail_server.Certificates,
    wire: mail_server.Wire = "starttls",
    **changed: Any,
) -> AsyncIterator[SmtpMailer]:
    """Yield a mailer with short limits. login: the server asks for one. changed: other settings."""
    login = changed.pop("login", False)
    whole = changed.pop("whole_seconds", 10.0)
    async with mail_server.serving(box, wire, trusted.server, login=login) as port:
        security: Security = "tls" if wire == "tls" else "starttls"
        server = MailServer("localhost", port, security, ca_file=trusted.authority)
        yield SmtpMailer(replace(server, **changed), SHOP, step_seconds=5.0, whole_seconds=whole)


def login(password: bytes = mail_server.PASSWORD) -> dict[str, Any]:
    return {"login": True, "user": mail_server.USER.decode(), "password": Secret(password.decode())}


def failed(outcome: object) -> tuple[Trouble, bool]:
    assert isinstance(outcome, device_ports.Failed)
    return outcome.trouble, outcome.may_be_repeated


async def test_a_missing_file_of_certificates_is_named(trusted: mail_server.Certificates) -> None:
    async with post_to(mail_server.MailBox(), trusted, ca_file=Path("/nowhere.pem")) as post:
        outcome = await post.check()
    assert outcome.trouble is Trouble.CERTIFICATE


@pytest.mark.parametrize(("wire", "lacking"), [("starttls", ("PLAIN",)), ("tls", ())])
async def test_a_password_of_any_letters_opens_the_server(
    wire: mail_server.Wire, lacking: tuple[str, ...], trusted: mail_server.Certificates
) -> None:
    password = "шифра-ž-1".encode()
    box = mail_server.MailBox(password=password, takes_no=lacking)
    async with post_to(box, trusted, wire, **login(password)) as post:
        assert await post.check() is None
        assert await post.send(LETTER) == SENT
    async with post_to(box, trusted, wire, **login("шифра-2".encode())) as post:
        assert failed(await post.send(LETTER))[0] is Trouble.LOGIN


async def test_no_way_for_such_a_password_is_in_words(trusted: mail_server.Certificates) -> None:
    box = mail_server.MailBox(takes_no=("PLAIN", "LOGIN"))
    async with post_to(box, trusted, **login("шифра".encode())) as post:
        outcome = await post.send(LETTER)
    words = "The mail server has no way of login for a password with such letters."
    assert outcome == device_ports.Failed(Trouble.LOGIN, words, may_be_repeated=False)


async def test_a_wrong_address_is_told_before_anything_is_connected_to() -> None:
    server = MailServer("no-such-host.invalid", 25, "starttls")
    outcome = await SmtpMailer(server, SHOP).send(replace(LETTER, to="a@b.rs\r\nRCPT TO:<c@d.rs>"))
    assert failed(outcome) == (Trouble.RECIPIENT, False)


async def test_a_letter_that_was_called_off_never_leaves(trusted: mail_server.Certificates) -> None:
    gate = asyncio.Event()
    waiting = asyncio.Event()

    class Slow(mail_server.MailBox):
        async def handle_RCPT(self, *given: Any) -> str:
            waiting.set()
            await gate.wait()
            return await super().handle_RCPT(*given)

    box = Slow()
    async with post_to(box, trusted) as post:
        sending = asyncio.create_task(post.send(LETTER))
        await waiting.wait()
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending
        gate.set()
    assert box.letters == []
    assert "DATA" not in box.asked
