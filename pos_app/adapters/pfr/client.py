"""A fiscal processor over its protocol v3: every ending of a POST is told apart.

Sources: fiscal.md 1; exactly-once.md step 5 (one POST: a fresh connection, no redirects, no
retries, no proxy; connect 3 s on loopback, 10 s else; read 40 s).
"""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlsplit

import httpx

from pos_app.characters import one_line
from pos_app.domain.fiscal_document import FiscalDocument
from pos_app.domain.processor import PfrStatus
from pos_app.domain.receipt import SignedReceipt
from pos_app.errors import Invalid, NotDelivered, OutcomeUnknown
from pos_app.fiscalization.ports import PfrNotSent, PfrRefused, PfrSigned, PfrUnclear, SignReply
from pos_app.wire.pfr import faults_from_json, invoice_request_to_json, status_from_json
from pos_app.wire.receipt import processor_receipt_from_json
from pos_app.wire.strict_json import loads

_READ_SECONDS = 40.0
_ASK_SECONDS = 5.0
_LARGEST_ANSWER = 4 * 1024 * 1024
_LONGEST_WORDS = 200
_HEADERS = {
    "Accept": "application/json",
    "Accept-Encoding": "identity",
    "Accept-Language": "sr-Cyrl-RS",
    "Content-Type": "application/json",
}
_TRUSTS_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class PfrClient:
    """One processor at a base address such as http://127.0.0.1:8888 (a path prefix may follow).

    pac: the six characters that a V-PFR demands. labels: our tax label -> the processor's, in
    test environments that have others. read_seconds, ask_seconds: for the whole answer
    to a POST and to a question, however it drips.
    """

    def __init__(
        self,
        base_url: str,
        *,
        pac: str | None = None,
        labels: Mapping[str, str] = MappingProxyType({}),
        read_seconds: float = _READ_SECONDS,
        ask_seconds: float = _ASK_SECONDS,
    ) -> None:
        self._labels = labels
        self._headers = _HEADERS | ({"PAC": pac} if pac is not None else {})
        self._base = base_url.rstrip("/")
        self._connect = 3.0 if _is_loopback(self._base) else 10.0
        # Loading the authorities takes 30 ms; a context without any trusts nobody.
        is_plain = self._base.startswith("http://")
        trust = _TRUSTS_NOBODY if is_plain else httpx.create_ssl_context(trust_env=False)
        self._asking = self._client(ask_seconds, trust, max_idle=2)
        self._posting = self._client(read_seconds, trust, max_idle=0)
        self._post_seconds = self._connect + read_seconds
        self._ask_seconds = self._connect + ask_seconds

    async def close(self) -> None:
        await self._asking.aclose()
        await self._posting.aclose()

    def _client(
        self, read_seconds: float, trust: ssl.SSLContext, *, max_idle: int
    ) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            verify=trust,
            timeout=httpx.Timeout(read_seconds, connect=self._connect),
            limits=httpx.Limits(max_keepalive_connections=max_idle),
            trust_env=False,
            follow_redirects=False,
            headers=self._headers,
        )

    async def status(self) -> PfrStatus:
        """GET status. Raises NotDelivered when it can't be reached, OutcomeUnknown otherwise."""
        _, content = await self._ask("/api/v3/status")
        document = _parsed(content)
        if faults := faults_from_json(document):  # a code may stand in place of a status
            codes = tuple(fault.code for fault in faults)
            return PfrStatus(None, None, None, pin_required=False, codes=codes)
        try:
            return status_from_json(document, labels=self._labels)
        except Invalid as error:
            raise OutcomeUnknown(
                f"The processor's status can't be read: {_told(error)}."
            ) from error

    async def find(self, pfr_request_id: str) -> SignedReceipt | None:
        """GET invoices/{RequestId}: 404, and 200 with `null` or without a body mean "not found"."""
        status, content = await self._ask(f"/api/v3/invoices/{quote(pfr_request_id, safe='')}")
        body = content.strip()
        if status == httpx.codes.NOT_FOUND:
            return None
        if status != httpx.codes.OK:
            raise OutcomeUnknown("The processor refused to look a receipt up.")
        if body in (b"", b"null"):
            return None
        try:
            return processor_receipt_from_json(loads(body))
        except Invalid as error:
            raise OutcomeUnknown(f"The receipt found can't be read: {_told(error)}.") from error

    async def _ask(self, path: str) -> tuple[int, bytes]:
        """Status and content of an answer below 500. Raises NotDelivered, OutcomeUnknown."""
        try:
            async with (
                asyncio.timeout(self._ask_seconds),
                self._asking.stream("GET", self._base + path) as response,
            ):
                content = await _whole(response)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise NotDelivered(f"The processor at {self._base} can't be reached.") from error
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            raise OutcomeUnknown(f"The processor at {self._base} does not answer.") from error
        if content is None:
            raise OutcomeUnknown("The processor's answer is too large.")
        if response.status_code < httpx.codes.INTERNAL_SERVER_ERROR:
            return response.status_code, content
        raise OutcomeUnknown(f"The processor answered with HTTP {response.status_code}.")

    async def sign(self, document: FiscalDocument, *, pfr_request_id: str) -> SignReply:
        """POST the document once. It never raises for what the processor or network did."""
        body = invoice_request_to_json(document, labels=self._labels)
        try:
            async with asyncio.timeout(self._post_seconds):
                return await self._post(body, pfr_request_id)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol):
            return PfrNotSent(f"The processor at {self._base} can't be reached.")
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            return PfrUnclear(f"The processor's answer did not arrive ({type(error).__name__}).")

    async def _post(self, body: bytes, pfr_request_id: str) -> SignReply:
        headers = {"RequestId": pfr_request_id}
        url = f"{self._base}/api/v3/invoices"
        async with self._posting.stream("POST", url, content=body, headers=headers) as response:
            content = await _whole(response)
        if content is None:
            return PfrUnclear("The processor's answer is too large.")
        return _reading(response.status_code, content)


async def _whole(response: httpx.Response) -> bytes | None:
    """The content of an answer; None when it is too large to be one."""
    content = bytearray()
    async for part in response.aiter_bytes():
        content += part
        if len(content) > _LARGEST_ANSWER:
            return None
    return bytes(content)


def _reading(status: int, content: bytes) -> SignReply:
    """Decide by the codes, not by the HTTP status (fiscal.md 1)."""
    document = _parsed(content)
    if faults := faults_from_json(document):
        return PfrRefused(faults)
    if status != httpx.codes.OK:
        return PfrUnclear(f"The processor answered with HTTP {status}.")
    try:
        return PfrSigned(processor_receipt_from_json(document))
    except Invalid as error:
        return PfrUnclear(f"The processor's answer can't be read: {_told(error)}.")


def _told(error: Invalid) -> str:
    """It may quote the answer, and is stored, logged and shown."""
    return one_line(error.what, longest=_LONGEST_WORDS)


def _parsed(content: bytes) -> Any:
    try:
        return loads(content)
    except Invalid:
        return content.decode("utf-8", "replace")


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
