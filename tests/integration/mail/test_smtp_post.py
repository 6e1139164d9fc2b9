"""Letters over a real SMTP server: sent encrypted, surely not sent, or unknown."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from email import message_from_bytes
from pathlib import Path
from typing import Any, Literal

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


@pytest.mark.parametrize(("wire", "how"), [("starttls", {}), ("tls", login())])
async def test_a_letter_arrives_whole(
    wire: mail_server.Wire, how: dict[str, Any], trusted: mail_server.Certificates
) -> None:
    box = mail_server.MailBox()
    async with post_to(box, trusted, wire, **how) as post:
        assert await post.check() is None
        assert await post.send(LETTER) == SENT
    (got,) = box.letters
    assert (got.mail_from, got.rcpt_tos) == (SHOP.address, [LETTER.to])
    assert isinstance(got.content, bytes)
    mail = message_from_bytes(got.content)
    parts: Any = mail.get_payload()
    assert parts[1].get_payload(decode=True) == LETTER.pdf


async def test_a_server_without_encryption_gets_nothing(trusted: mail_server.Certificates) -> None:
    box = mail_server.MailBox()
    async with post_to(box, trusted, "clear", user="shop", password=Secret("canary")) as post:
        assert failed(await post.send(LETTER)) == (Trouble.NO_ENCRYPTION, False)
    assert box.asked == []


@pytest.mark.parametrize("wrong", ["of another name", "expired", "of an unknown authority"])
async def test_a_wrong_certificate_gets_nothing(wrong: str, tmp_path: Path) -> None:
    host = "other.test" if "name" in wrong else "localhost"
    shown = mail_server.certificates(tmp_path, host=host, expired=wrong == "expired")
    box = mail_server.MailBox()
    settings: dict[str, Any] = {"ca_file": None} if "authority" in wrong else {}
    async with post_to(box, shown, **settings) as post:
        assert failed(await post.send(LETTER)) == (Trouble.CERTIFICATE, False)
    assert box.asked == []


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


async def test_a_wrong_password_sends_nothing_and_is_told_nowhere(
    trusted: mail_server.Certificates, caplog: pytest.LogCaptureFixture
) -> None:
    box = mail_server.MailBox(says_passwords=True)
    caplog.set_level(logging.DEBUG)
    async with post_to(box, trusted, **login(b"canary-wrong")) as post:
        outcome = await post.send(LETTER)
        checked = await post.check()
    refused = "The mail server refused: 535"
    assert outcome == device_ports.Failed(Trouble.LOGIN, refused, may_be_repeated=False)
    assert checked.trouble is Trouble.LOGIN
    assert box.asked == []
    ours = [record for record in caplog.records if record.name.startswith("pos_app")]
    assert ours
    assert "canary" not in repr([vars(record) for record in ours])


@pytest.mark.parametrize(
    ("command", "trouble"),
    [("MAIL", Trouble.SENDER), ("RCPT", Trouble.RECIPIENT), ("DATA", Trouble.REFUSED)],
)
async def test_a_refusal_is_surely_not_sent(
    command: str, trouble: Trouble, trusted: mail_server.Certificates
) -> None:
    for code, is_repeated in ((450, True), (550, False)):
        box = mail_server.MailBox(replies={command: f"{code} no such mailbox"})
        async with post_to(box, trusted) as post:
            outcome = await post.send(LETTER)
        words = f"The mail server refused: {code} no such mailbox"
        assert outcome == device_ports.Failed(trouble, words, may_be_repeated=is_repeated)
        assert box.letters == []


@pytest.mark.parametrize("way", ["dies", "hangs"])
async def test_a_server_that_dies_or_hangs_after_the_letter_leaves_it_unknown(
    way: Literal["dies", "hangs"], trusted: mail_server.Certificates
) -> None:
    async with post_to(mail_server.MailBox(after_data=way), trusted, whole_seconds=1.0) as post:
        outcome = await post.send(LETTER)
    assert isinstance(outcome, device_ports.Unproven)
    assert way == "hangs" or outcome.trouble is Trouble.CUT_OFF


async def test_a_server_that_says_nothing_surely_got_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = MailServer("localhost", silent.getsockname()[1], "tls")
        outcome = await SmtpMailer(server, SHOP, step_seconds=30, whole_seconds=0.3).send(LETTER)
        assert outcome == device_ports.Failed(Trouble.STUCK, "The mail server takes too long.")
        silent.accept()[0].close()


async def test_a_server_that_is_not_there_is_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    for host in ("localhost", "no-such-host.invalid", "a..b", "пример"):
        trouble = Trouble.AWAY if host == "localhost" else Trouble.NO_HOST
        outcome = await SmtpMailer(MailServer(host, free, "starttls"), SHOP).send(LETTER)
        assert failed(outcome) == (trouble, True), host


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
