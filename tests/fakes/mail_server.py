"""A real SMTP server (aiosmtpd) with certificates of the tests' own, which fails on demand."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import ssl
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Wire = Literal["starttls", "tls", "clear"]
USER, PASSWORD = b"shop", b"canary-8137"


@dataclass(frozen=True)
class Certificates:
    """The files of a certificate authority and a certificate that it signed for one name, for
    ssl."""

    authority: Path
    server: ssl.SSLContext


def certificates(
    folder: Path, *, host: str = "localhost", expired: bool = False, not_yet: bool = False
) -> Certificates:
    authority_key, server_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority_name = _name("Tests' own authority")
    authority = _certificate(authority_name, authority_name, authority_key, authority_key)
    server = _certificate(
        _name(host),
        authority_name,
        server_key,
        authority_key,
        host=host,
        expired=expired,
        not_yet=not_yet,
    )
    authority_file, chain = folder / "authority.pem", folder / "server.pem"
    authority_file.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    chain.write_bytes(
        server_key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + server.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(chain)
    return Certificates(authority_file, context)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signing: ec.EllipticCurvePrivateKey,
    *,
    host: str = "",
    expired: bool = False,
    not_yet: bool = False,
) -> x509.Certificate:
    now = datetime.datetime.now(datetime.UTC)
    day = datetime.timedelta(days=1)
    names: list[x509.GeneralName] = [x509.DNSName(host)] if host else []
    if host == "localhost":
        names.append(x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + day if not_yet else now - 10 * day)
        .not_valid_after(now - day if expired else now + 2 * day)
        .add_extension(x509.BasicConstraints(ca=not host, path_length=None), critical=True)
    )
    if names:
        made = made.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return made.sign(signing, hashes.SHA256())


@dataclass
class MailBox:
    """The server's behaviour and the letters that it received. replies: by command (RCPT, DATA),
    the reply instead of "250 OK".

    after_data: what happens when the whole letter has come: "ok", "dies", or "hangs".
    says_passwords: whether the reply to a refused login quotes it.
    """

    replies: dict[str, str] = field(default_factory=dict)
    after_data: Literal["ok", "dies", "hangs"] = "ok"
    says_passwords: bool = False
    password: bytes = PASSWORD
    takes_no: tuple[str, ...] = ()
    letters: list[Envelope] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    has_letter: asyncio.Event = field(default_factory=asyncio.Event)
    _released: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.asked.append("MAIL")
        if "MAIL" not in self.replies:
            envelope.mail_from = address
        return self.replies.get("MAIL", "250 OK")

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.asked.append("RCPT")
        envelope.rcpt_tos.append(address)
        return self.replies.get("RCPT", "250 OK")

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.asked.append("DATA")
        self.has_letter.set()
        if self.after_data == "dies":
            server.transport.abort()
        if self.after_data == "hangs":
            await self._released.wait()
        reply = self.replies.get("DATA", "250 OK")
        if reply.startswith("250"):
            self.letters.append(envelope)
        return reply

    def release(self) -> None:
        self._released.set()


class _Connection(SMTP):
    @property
    def conversation(self) -> asyncio.Task[None] | None:
        return self._handler_coroutine


def _authenticate(server: Any, session: Any, envelope: Any, how: str, told: Any) -> AuthResult:
    known = (told.login, told.password) == (USER, server.event_handler.password)
    again = f"535 no {told.password.decode()} of \x1b[2J{told.login.decode()}"
    message = again if server.event_handler.says_passwords else None
    return AuthResult(success=known, handled=False, message=message)


@asynccontextmanager
async def serving(
    box: MailBox, wire: Wire, tls: ssl.SSLContext, *, login: bool = False, port: int = 0
) -> AsyncIterator[int]:
    """Serve on a port of the loopback, any free one for 0; yields the port."""
    loop = asyncio.get_running_loop()
    open_now: set[_Connection] = set()

    def protocol() -> _Connection:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a login on a connection that is TLS from the start
            made = _Connection(
                box,
                hostname="mail.test",
                tls_context=tls if wire == "starttls" else None,
                authenticator=_authenticate if login else None,
                auth_required=login,
                auth_require_tls=wire == "starttls",
                auth_exclude_mechanism=box.takes_no,
                loop=loop,
            )
        open_now.add(made)
        return made

    whole = tls if wire == "tls" else None
    server = await loop.create_server(protocol, "127.0.0.1", port, ssl=whole)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        box.release()
        server.close()
        await _end(open_now)


async def _end(open_now: set[_Connection]) -> None:
    for each in open_now:
        if each.transport is not None:
            # An encrypted connection that lost its peer has no protocol left to abort (Python
            # 3.11.2).
            with suppress(AttributeError):
                each.transport.abort()  # type: ignore[attr-defined]
    tasks = [each.conversation for each in open_now if each.conversation is not None]
    if tasks:
        await asyncio.wait(tasks, timeout=5)
