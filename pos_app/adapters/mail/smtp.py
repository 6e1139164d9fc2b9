"""Sends the shop's mail over SMTP, encrypted or not at all.

The decisive moment is the end of DATA: before it a letter surely did not leave, after the server's
250 it did, and between the two the outcome is unknown. smtplib blocks, so it works in a thread; a
cancelled thread can't pass that moment any more (`_Point`).
Source: RFC 5321 (4.1.1.4, 4.2), RFC 3207, RFC 8314.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import re
import smtplib
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pos_app import log
from pos_app.adapters.mail.message import Envelope, Shop, envelope
from pos_app.adapters.secrets.secret import Secret
from pos_app.characters import one_line
from pos_app.errors import Invalid
from pos_app.fiscalization import device_ports
from pos_app.lazy_dataclass import dataclass
from pos_app.tls_faults import OF_CERTIFICATE, tls_fault, tls_sentence

Security = Literal["starttls", "tls"]

_OURSELVES = "[127.0.0.1]"
"""The name in our greeting. The machine's full name would be looked up, which may take long."""
_OK, _GO_ON = 250, 354
_READY = 220
_PASSWORD_NEXT = 334
_LOGGED_IN = frozenset({235, 503})
"""503: the server has the login already."""
_TRIED_AGAIN = range(400, 500)

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class MailServer:
    """The server that takes the shop's mail. user: "" where it asks for no login. ca_file:
    certificates that are trusted besides the system's own."""

    host: str
    port: int
    security: Security
    user: str = ""
    password: Secret = Secret("")
    ca_file: Path | None = None


class SmtpMailer:
    """Implements Mailer. step_seconds: the limit for an answer; whole_seconds: for a letter."""

    def __init__(
        self,
        server: MailServer,
        shop: Shop,
        *,
        step_seconds: float = 20.0,
        whole_seconds: float = 90.0,
    ) -> None:
        self._server = server
        self._shop = shop
        self._step_seconds = step_seconds
        self._whole_seconds = whole_seconds

    async def send(self, letter: device_ports.ReceiptMail) -> device_ports.HandOver:
        try:
            ready = envelope(letter, self._shop)
        except Invalid as error:
            return _noted(
                "send",
                device_ports.Failed(
                    device_ports.DeviceTrouble.RECIPIENT, error.what, may_be_repeated=False
                ),
            )
        return _noted("send", await self._in_thread(lambda visit: visit.send(ready)))

    async def check(self) -> device_ports.Failed | None:
        outcome = _noted("check", await self._in_thread(_Visit.check))
        return outcome if isinstance(outcome, device_ports.Failed) else None

    async def _in_thread(
        self, act: Callable[[_Visit], device_ports.HandOver]
    ) -> device_ports.HandOver:
        visit = _Visit(self._server, self._step_seconds)
        working = asyncio.get_running_loop().run_in_executor(None, act, visit)
        try:
            done, _ = await asyncio.wait({working}, timeout=self._whole_seconds)
        except asyncio.CancelledError:
            visit.call_off()
            working.add_done_callback(_seen)
            raise
        if not done and visit.call_off():
            working.add_done_callback(_seen)
            return device_ports.Failed(
                device_ports.DeviceTrouble.STUCK, "The mail server takes too long."
            )
        return await working  # it ends in a moment


def _seen(working: asyncio.Future[device_ports.HandOver]) -> None:
    if not working.cancelled() and (error := working.exception()) is not None:
        _log.error("a mail that was called off failed", exc_info=error)


class _Point:
    """A letter may have left after this point. The thread passes it unless it is called off."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state: Literal["before", "passed", "called off"] = "before"

    @property
    def is_passed(self) -> bool:
        return self._state == "passed"

    def pass_it(self) -> bool:
        """Pass the point, unless it was called off; return whether it is passed."""
        with self._lock:
            if self._state == "before":
                self._state = "passed"
            return self.is_passed

    def call_off(self) -> bool:
        """Call the point off unless it was passed; return whether no letter left."""
        with self._lock:
            if self._state == "before":
                self._state = "called off"
            return not self.is_passed


class _MailRefused(Exception):
    """The server refused, or offers too little: nothing was sent."""

    def __init__(
        self, trouble: device_ports.DeviceTrouble, words: str, *, may_be_repeated: bool
    ) -> None:
        super().__init__(words)
        self.failed = device_ports.Failed(trouble, words, may_be_repeated)


class _Visit:
    """One connection to the server, used by one thread."""

    def __init__(self, server: MailServer, step_seconds: float) -> None:
        self._server = server
        self._step_seconds = step_seconds
        self._point = _Point()
        self._smtp: smtplib.SMTP | None = None

    def call_off(self) -> bool:
        """Close the connection from another thread. Return True when the letter surely did not
        leave, and will not."""
        surely_not = self._point.call_off()
        if self._smtp is not None and (wire := self._smtp.sock) is not None:
            with suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)
        return surely_not

    def check(self) -> device_ports.HandOver:
        return self._visiting(
            lambda _: device_ports.Delivered(device_ports.HandoverProof.CARRIED_OUT)
        )

    def send(self, ready: Envelope) -> device_ports.HandOver:
        return self._visiting(lambda smtp: self._give(smtp, ready))

    def _visiting(
        self, act: Callable[[smtplib.SMTP], device_ports.HandOver]
    ) -> device_ports.HandOver:
        try:
            smtp = self._smtp = self._connected()
            return act(smtp)
        except _MailRefused as refused:
            return refused.failed
        except (OSError, smtplib.SMTPException, UnicodeError) as error:
            return self._broken(error)
        finally:
            self._leave()

    def _broken(self, error: Exception) -> device_ports.HandOver:
        words = f"The mail server broke off ({type(error).__name__})."
        if self._point.is_passed:
            return device_ports.Unproven(device_ports.DeviceTrouble.CUT_OFF, words)
        if (fault := tls_fault(error)) is not None:
            words = tls_sentence(fault, of="The mail server")
            of_certificate = fault in OF_CERTIFICATE
            return device_ports.Failed(
                device_ports.DeviceTrouble.CERTIFICATE
                if of_certificate
                else device_ports.DeviceTrouble.NO_ENCRYPTION,
                words,
                may_be_repeated=not of_certificate,
                tls=fault.value,
            )
        if isinstance(error, ssl.SSLError):  # it was cut in the middle of the handshake
            words = "The mail server speaks no such encryption at this port."
            return device_ports.Failed(device_ports.DeviceTrouble.NO_ENCRYPTION, words)
        if self._smtp is not None:
            return device_ports.Failed(device_ports.DeviceTrouble.CUT_OFF, words)
        if isinstance(error, socket.gaierror | UnicodeError):
            return device_ports.Failed(
                device_ports.DeviceTrouble.NO_HOST, "There is no mail server of that name."
            )
        return device_ports.Failed(device_ports.DeviceTrouble.AWAY, words)

    # --- getting in ----------------------------------------------------------------------------

    def _connected(self) -> smtplib.SMTP:
        server, trusted = self._server, self._trusted()
        smtp = self._smtp = self._greeted(trusted)
        smtp.ehlo_or_helo_if_needed()
        if server.security == "starttls":
            self._encrypt(smtp, trusted)
        if server.user:
            self._log_in(smtp)
        return smtp

    def _greeted(self, trusted: ssl.SSLContext) -> smtplib.SMTP:
        server = self._server
        address, seconds = (server.host, server.port, _OURSELVES), self._step_seconds
        try:
            if server.security == "tls":
                return smtplib.SMTP_SSL(*address, timeout=seconds, context=trusted)
            return smtplib.SMTP(*address, timeout=seconds)
        except smtplib.SMTPConnectError as error:
            raise self._refusal(
                device_ports.DeviceTrouble.REFUSED, error.smtp_code, error.smtp_error
            ) from error

    def _trusted(self) -> ssl.SSLContext:
        trusted = ssl.create_default_context()
        trusted.minimum_version = ssl.TLSVersion.TLSv1_2
        if self._server.ca_file is not None:
            try:
                trusted.load_verify_locations(self._server.ca_file)
            except OSError as error:  # ssl's own errors are OSErrors too
                words = f"The file of trusted certificates can't be read: {error}."
                raise _MailRefused(
                    device_ports.DeviceTrouble.CERTIFICATE, words, may_be_repeated=False
                ) from error
        return trusted

    def _encrypt(self, smtp: smtplib.SMTP, trusted: ssl.SSLContext) -> None:
        """Encrypt the connection; a server without STARTTLS gets nothing."""
        if not smtp.has_extn("starttls"):
            words = "The mail server offers no encryption."
            raise _MailRefused(
                device_ports.DeviceTrouble.NO_ENCRYPTION, words, may_be_repeated=False
            )
        code, data = smtp.starttls(context=trusted)
        self._demand((code, data), _READY, device_ports.DeviceTrouble.NO_ENCRYPTION)
        smtp.ehlo_or_helo_if_needed()

    def _log_in(self, smtp: smtplib.SMTP) -> None:
        try:
            _log_in(smtp, self._server.user, self._server.password.reveal())
        except smtplib.SMTPAuthenticationError as error:
            raise self._refusal(
                device_ports.DeviceTrouble.LOGIN, error.smtp_code, error.smtp_error
            ) from error
        except _NoWay as error:
            words = "The mail server has no way of login for a password with such letters."
            raise _MailRefused(
                device_ports.DeviceTrouble.LOGIN, words, may_be_repeated=False
            ) from error
        except smtplib.SMTPNotSupportedError as error:
            words = "The mail server takes no login."
            raise _MailRefused(
                device_ports.DeviceTrouble.LOGIN, words, may_be_repeated=False
            ) from error

    # --- the letter -----------------------------------------------------------------------------

    def _give(self, smtp: smtplib.SMTP, ready: Envelope) -> device_ports.HandOver:
        self._demand(smtp.mail(ready.sender), _OK, device_ports.DeviceTrouble.SENDER)
        self._demand(smtp.rcpt(ready.recipient), _OK, device_ports.DeviceTrouble.RECIPIENT)
        self._demand(smtp.docmd("DATA"), _GO_ON, device_ports.DeviceTrouble.REFUSED)
        if not self._point.pass_it():
            return device_ports.Failed(
                device_ports.DeviceTrouble.STUCK, "The mail server takes too long."
            )
        smtp.send(ready.on_the_wire)
        self._demand(smtp.getreply(), _OK, device_ports.DeviceTrouble.REFUSED)
        return device_ports.Delivered(device_ports.HandoverProof.CARRIED_OUT)

    def _demand(
        self, reply: tuple[int, bytes], wanted: int, trouble: device_ports.DeviceTrouble
    ) -> None:
        code, data = reply
        if code == -1:  # smtplib's code for a line that is no reply
            raise smtplib.SMTPServerDisconnected("no reply")
        if code != wanted and not (wanted == _OK and code == _OK + 1):
            raise self._refusal(trouble, code, data)

    def _refusal(
        self, trouble: device_ports.DeviceTrouble, code: int, data: bytes | str
    ) -> _MailRefused:
        """Describe a refusal, temporary (4xx) or final (5xx), in the server's own words."""
        text = data if isinstance(data, str) else data.decode("utf-8", "replace")
        server = self._server
        shown = harmless_words(text, user=server.user, password=server.password)
        words = f"The mail server refused: {code} {shown}".rstrip()
        return _MailRefused(trouble, words, may_be_repeated=code in _TRIED_AGAIN)

    def _leave(self) -> None:
        """Say QUIT and close, without waiting."""
        if self._smtp is None:
            return
        with suppress(OSError, smtplib.SMTPException):
            self._smtp.putcmd("QUIT")
        self._smtp.close()


def _noted(act: str, outcome: device_ports.HandOver) -> device_ports.HandOver:
    level = logging.INFO if isinstance(outcome, device_ports.Delivered) else logging.WARNING
    _log.log(level, "mail", extra={"fields": {"act": act} | device_ports.outcome_fields(outcome)})
    return outcome


# --- the server's words: safe to store and show, since some servers repeat what they were sent -


LONGEST = 200
_CODED = re.compile(r"[0-9A-Za-z+/_-]{20,}={0,2}")
"""A password, or a proof made with one, in base64 or hex; no word of a person looks like this."""
_HIDDEN = "…"


def harmless_words(reply: str, *, user: str, password: Secret) -> str:
    """Return one row of at most LONGEST characters; "" where the reply has the password."""
    if password and _holds(reply, user, password.reveal()):
        return ""
    return one_line(_CODED.sub(_HIDDEN, reply), longest=LONGEST)


def _holds(reply: str, user: str, password: str) -> bool:
    """Search without blanks, line ends and case, because a reply may be broken anywhere."""
    squeezed = _squeezed(reply)
    data, name = password.encode(), user.encode()
    logins = (data, b"\0" + name + b"\0" + data, name + b"\0" + name + b"\0" + data)
    coded = (base64.b64encode(one).decode().rstrip("=") for one in logins)
    return any(_squeezed(form) in squeezed for form in (password, data.hex(), *coded))


def _squeezed(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable() and not sign.isspace()).casefold()


class _NoWay(smtplib.SMTPNotSupportedError):
    """The server offers no way of login that takes letters outside ASCII."""


def _log_in(smtp: smtplib.SMTP, user: str, password: str) -> None:
    """Log in. smtplib sends names and passwords in ASCII alone; others go in UTF-8 by PLAIN (RFC
    4616), or by LOGIN where a server has no PLAIN."""
    if user.isascii() and password.isascii():
        smtp.login(user, password)
        return
    smtp.ehlo_or_helo_if_needed()
    if not smtp.has_extn("auth"):
        raise smtplib.SMTPNotSupportedError
    ways = smtp.esmtp_features["auth"].upper().split()
    if "PLAIN" in ways:
        both = _encoded(f"\0{user}\0{password}")
        code, words = smtp.docmd("AUTH", f"PLAIN {both}")
    elif "LOGIN" in ways:
        code, words = smtp.docmd("AUTH", f"LOGIN {_encoded(user)}")
        if code == _PASSWORD_NEXT:
            code, words = smtp.docmd(_encoded(password))
    else:
        raise _NoWay
    if code not in _LOGGED_IN:
        raise smtplib.SMTPAuthenticationError(code, words)


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
