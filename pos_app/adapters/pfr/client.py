"""Talks to a fiscal processor over its protocol v3, and distinguishes every ending of a POST.

Sources: fiscal.md 1 and 7; exactly-once.md step 5 (one POST: a fresh connection, no redirects, no
retries, no proxy; connect 3 s on loopback, 10 s else; read 40 s).

A V-PFR that refuses our certificate reports it at one of two moments. With TLS 1.2 that is during
the handshake, before a byte of the request, so surely nothing was signed. With TLS 1.3 our side of
the handshake ends before the server has looked at the certificate: the request is written, and the
alert comes in place of the answer. A server that keeps the protocol has read nothing of the request
by then. But that is no proof, because a gateway may check the certificate after it handed the
request on. So the outcome counts as unknown, like that of every other missing answer. The case is
rare: each question has a connection of its own, so the question for the status before each receipt
meets the same refusal, and the receipt is not sent.
"""

from __future__ import annotations

import asyncio
import codecs
import ipaddress
import ssl
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from pos_app import errors
from pos_app.adapters import http_exchange
from pos_app.adapters.pfr.vpfr_access import VpfrAccess
from pos_app.characters import one_line
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.setup import processor
from pos_app.domain.setup.certificate import CertificateFacts
from pos_app.domain.setup.safe_connection import TlsFault
from pos_app.fiscalization import ports
from pos_app.lazy_dataclass import dataclass
from pos_app.tls_faults import OF_CERTIFICATE, tls_error, tls_fault, tls_sentence
from pos_app.wire.pfr import StatusReader, faults_from_json, invoice_request_to_json
from pos_app.wire.receipt import processor_receipt_from_json
from pos_app.wire.strict_json import loads

if TYPE_CHECKING:
    import httpx

_READ_SECONDS = 40.0
_ASK_SECONDS = 5.0
_LARGEST_ANSWER = 4 * 1024 * 1024
_LONGEST_WORDS = 200
_HEADERS = {
    "Accept": "application/json",
    "Accept-Encoding": "identity",
    "Accept-Language": "sr-Cyrl-RS",
    "Content-Type": "application/json",
    "User-Agent": "pos-app",
}
_NO_ENTRY = frozenset({401, 403, 495, 496})
"""The HTTP statuses with which web servers refuse a certificate after the handshake."""
_F = processor.CertificateFault
_WRONG_PAC = "The V-PFR refuses the PAC of our certificate."
_ALERTS = {
    "CERTIFICATE_EXPIRED": (_F.EXPIRED, "The V-PFR says that our certificate has expired."),
    "CERTIFICATE_REVOKED": (_F.REVOKED, "The V-PFR says that our certificate was revoked."),
    "CERTIFICATE_REQUIRED": (_F.MISSING, "The V-PFR got no certificate of ours."),
    "UNKNOWN_CA": (
        _F.ISSUER, "The V-PFR does not know the authority that issued our certificate.",
    ),
    "CERTIFICATE": (_F.OTHER, "The V-PFR does not accept our certificate."),
    "ACCESS_DENIED": (_F.OTHER, "The V-PFR lets our certificate not in."),
    "DECRYPT_ERROR": (_F.OTHER, "The V-PFR does not accept our certificate."),
    "HANDSHAKE_FAILURE": (
        _F.OTHER, "The V-PFR does not accept our connection; it may miss a certificate.",
    ),
}  # fmt: skip
"""TLS alerts by a part of OpenSSL's names for them, the particular before the general."""
_WITHOUT_OURS = {_F.PROCESSOR, _F.MISSING}
"""The faults that a client without a certificate of ours may meet."""


class PfrClient:
    """One processor at a base address such as http://127.0.0.1:8888 (a path prefix may follow).

    access: for a V-PFR. labels: our tax label -> the processor's, in test environments that have
    others. read_seconds, ask_seconds: the limits for the whole answer to a POST and to a question.
    transport: in place of the network.
    """

    def __init__(
        self,
        base_url: str,
        *,
        access: VpfrAccess | None = None,
        labels: Mapping[str, str] = MappingProxyType({}),
        read_seconds: float = _READ_SECONDS,
        ask_seconds: float = _ASK_SECONDS,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._labels = labels
        self._statuses = StatusReader(labels=labels)
        self._certificate = access.certificate if access is not None else None
        self._headers = _HEADERS | ({"PAC": access.pac.reveal()} if access is not None else {})
        self._base = base_url.rstrip("/")
        self._connect = 3.0 if _is_loopback(self._base) else 10.0
        self._transport = transport
        trust = access.tls if access is not None else _trust_of(self._base)
        self._asking = self._line(trust, kept=0 if access is not None else 2)
        self._posting = self._line(trust, kept=0)
        self._post_seconds = self._connect + read_seconds
        self._ask_seconds = self._connect + ask_seconds

    async def close(self) -> None:
        await self._asking.close()
        await self._posting.close()

    def _line(self, trust: ssl.SSLContext | None, *, kept: int) -> http_exchange.HttpExchange:
        return http_exchange.HttpExchange(
            self._base,
            trust=trust,
            connect_seconds=self._connect,
            headers=self._headers,
            kept=kept,
            transport=self._transport,
        )

    async def status(self) -> processor.PfrStatus:
        """GET status. Raises NotDelivered when it can't be reached, OutcomeUnknown otherwise. For a
        V-PFR the certificate's element is returned, because the V-PFR signs with it."""
        code, content = await self._ask("/api/v3/status")
        document = _parsed(content)
        if faults := faults_from_json(document):  # a code may be sent in place of a status
            if _is_about_pac(faults):
                raise ports.CertificateRefused(_F.PAC, what=_WRONG_PAC)
            codes = tuple(fault.code for fault in faults)
            return processor.PfrStatus(None, None, None, pin_required=False, codes=codes)
        if self._certificate is not None and code in _NO_ENTRY:
            what = f"The V-PFR lets our certificate not in (HTTP {code})."
            raise _refused(_dated_fault(CertificateRefusal(_F.OTHER, what), self._certificate))
        try:
            status = self._statuses.read(document)
        except errors.Invalid as error:
            raise errors.OutcomeUnknown("status_unread", why=_error_text(error)) from error
        return status if self._certificate is None else _as_certified(status, self._certificate)

    async def enter_pin(self, pin: str) -> processor.PinResult:
        """POST pin, once. Raises Refused where there is no such path, NotDelivered, OutcomeUnknown.
        No error and no log has the PIN."""
        headers = {"Content-Type": "text/plain"}
        try:
            async with asyncio.timeout(self._ask_seconds):
                answer = await self._posting.ask(
                    "POST",
                    "/api/v3/pin",
                    headers=headers,
                    body=pin.encode(),
                    largest=_LARGEST_ANSWER,
                )
        except http_exchange.NotConnected as error:
            raise errors.NotDelivered("processor", base=self._base) from error
        except (http_exchange.AnswerLost, TimeoutError) as error:
            raise errors.OutcomeUnknown("pin") from error
        if answer.status == HTTPStatus.NOT_FOUND:
            raise errors.Refused("no_pin")
        faults = faults_from_json(_parsed(answer.content))
        if not faults:
            raise errors.OutcomeUnknown("pin")
        return processor.PIN_RESULTS.get(faults[0].code, processor.PinResult.REFUSED)

    async def find(self, pfr_request_id: str) -> SignedReceipt | None:
        """GET invoices/{RequestId}: 404, and 200 with `null` or without a body mean "not found"."""
        status, content = await self._ask(f"/api/v3/invoices/{quote(pfr_request_id, safe='')}")
        body = content.removeprefix(codecs.BOM_UTF8).strip()
        if status == HTTPStatus.NOT_FOUND:
            return None
        if status != HTTPStatus.OK:
            raise errors.OutcomeUnknown("look_up")
        if body in (b"", b"null"):
            return None
        try:
            return processor_receipt_from_json(loads(body))
        except errors.Invalid as error:
            raise errors.OutcomeUnknown("receipt_unread", why=_error_text(error)) from error

    async def _ask(self, path: str) -> tuple[int, bytes]:
        """GET a path; return an answer below 500. Raises NotDelivered, OutcomeUnknown."""
        try:
            async with asyncio.timeout(self._ask_seconds):
                answer = await self._asking.ask("GET", path, largest=_LARGEST_ANSWER)
        except http_exchange.NotConnected as error:
            if found := self._refusal(error):
                raise _refused(found) from error
            if (fault := tls_fault(error)) is not None:
                words = tls_sentence(fault, of="The processor")
                raise errors.NotDelivered("processor", what=words, tls=fault.value) from error
            raise errors.NotDelivered("processor", base=self._base) from error
        except http_exchange.TooLarge as error:
            raise errors.OutcomeUnknown("processor_large") from error
        except (http_exchange.AnswerLost, TimeoutError) as error:
            if found := self._refusal(error):
                raise _refused(found) from error
            raise errors.OutcomeUnknown("processor_silent", base=self._base) from error
        if answer.status < HTTPStatus.INTERNAL_SERVER_ERROR:
            return answer.status, answer.content
        raise errors.OutcomeUnknown("processor_status", status=answer.status)

    async def sign(self, document: FiscalDocument, *, pfr_request_id: str) -> ports.SignReply:
        """POST the document once. It never raises for what the processor or network did."""
        body = invoice_request_to_json(document, labels=self._labels)
        try:
            async with asyncio.timeout(self._post_seconds):
                return _reading(await self._post(body, pfr_request_id))
        except http_exchange.NotConnected as error:
            if found := self._refusal(error):
                return ports.PfrNotSent(found.words, found.fault)
            if (fault := tls_fault(error)) is not None:
                return ports.PfrNotSent(tls_sentence(fault, of="The processor"))
            return ports.PfrNotSent(f"The processor at {self._base} can't be reached.")
        except http_exchange.TooLarge:
            return ports.PfrUnclear("The processor's answer is too large.")
        except (http_exchange.AnswerLost, TimeoutError) as error:
            if found := self._refusal(error):
                return ports.PfrUnclear(found.words)
            why = type(error.__cause__ or error).__name__
            return ports.PfrUnclear(f"The processor's answer did not arrive ({why}).")

    def _refusal(self, error: BaseException) -> CertificateRefusal | None:
        found = _refusal(error)
        if found is None or self._certificate is not None:
            return _dated_fault(found, self._certificate) if found and self._certificate else found
        return found if found.fault in _WITHOUT_OURS else None

    async def _post(self, body: bytes, pfr_request_id: str) -> http_exchange.Answer:
        headers = {"RequestId": pfr_request_id}
        return await self._posting.ask(
            "POST", "/api/v3/invoices", headers=headers, body=body, largest=_LARGEST_ANSWER
        )


def _reading(answer: http_exchange.Answer) -> ports.SignReply:
    """Decide by the codes, not by the HTTP status (fiscal.md 1)."""
    document = _parsed(answer.content)
    if faults := faults_from_json(document):
        if _is_about_pac(faults):  # 2800 to 2805: surely not signed, and not the sale's fault
            return ports.PfrNotSent(_WRONG_PAC, _F.PAC)
        return ports.PfrRefused(faults)
    if answer.status != HTTPStatus.OK:
        return ports.PfrUnclear(f"The processor answered with HTTP {answer.status}.")
    try:
        return ports.PfrSigned(processor_receipt_from_json(document))
    except errors.Invalid as error:
        return ports.PfrUnclear(f"The processor's answer can't be read: {_error_text(error)}.")


def _is_about_pac(faults: tuple[processor.PfrFault, ...]) -> bool:
    return all(fault.property.upper() == "PAC" for fault in faults)


def _as_certified(
    status: processor.PfrStatus, certificate: CertificateFacts
) -> processor.PfrStatus:
    """Check the status. Raises CertificateRefused where the V-PFR takes us for another element."""
    if status.uid not in (None, certificate.uid):
        raise ports.CertificateRefused(_F.ELEMENT, answering=status.uid, uid=certificate.uid)
    if status.is_bare:
        return status
    return replace(status, uid=certificate.uid, tin=certificate.tin or None)


@dataclass(frozen=True, slots=True)
class CertificateRefusal:
    """The reason why one side of a TLS connection does not accept the certificate of the other.
    tls: set where it is the processor's own certificate."""

    fault: processor.CertificateFault
    words: str
    tls: TlsFault | None = None


def _refusal(error: BaseException) -> CertificateRefusal | None:
    """Return whose certificate is not accepted, or None for a fault of another kind."""
    fault = tls_fault(error)
    if fault is not None and fault in OF_CERTIFICATE:
        return CertificateRefusal(_F.PROCESSOR, tls_sentence(fault, of="The processor"), fault)
    found = tls_error(error)
    reason = "" if found is None else str(found.reason or "").upper()
    return next(
        (CertificateRefusal(*values) for name, values in _ALERTS.items() if name in reason), None
    )


def _refused(refusal: CertificateRefusal) -> ports.CertificateRefused:
    tls = {"tls": refusal.tls.value} if refusal.tls is not None else {}
    return ports.CertificateRefused(refusal.fault, what=refusal.words, **tls)


def _dated_fault(refusal: CertificateRefusal, certificate: CertificateFacts) -> CertificateRefusal:
    """Say that the certificate is not valid yet, for which TLS has no alert. The V-PFR has refused
    it; our clock, which may be wrong, only explains why."""
    if refusal.fault is _F.OTHER and datetime.now(UTC) < certificate.valid_from:
        begins = f"{certificate.valid_from:%Y-%m-%d}"
        return CertificateRefusal(_F.NOT_YET, f"{refusal.words} It is not valid before {begins}.")
    return refusal


def _trust_of(url: str) -> ssl.SSLContext | None:
    """Load the authorities, which takes 30 ms; plain HTTP needs none."""
    if url.startswith("http://"):
        return None
    import httpx  # noqa: PLC0415 - only where its authorities are needed

    return httpx.create_ssl_context(trust_env=False)


def _error_text(error: errors.Invalid) -> str:
    """Shorten the words: they may quote the answer, and are stored, logged and shown."""
    return one_line(error.what, longest=_LONGEST_WORDS)


def _parsed(content: bytes) -> Any:
    """Parse an answer. Some processors write a byte order mark before the value."""
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return loads(content)
    except errors.Invalid:
        return content.decode("utf-8", "replace")


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return (
        ipaddress.ip_address(host).is_loopback if http_exchange.is_ip(host) else host == "localhost"
    )
