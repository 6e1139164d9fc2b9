"""Makes one HTTP exchange with a server, and sorts its ending: answered, surely not sent, or lost.

Source: exactly-once.md step 5; architecture.md, rule 11.
"""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
import zlib
from collections.abc import Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

from pos_app.lazy_dataclass import dataclass

_TRUSTS_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
_ANY_ZLIB, _RAW_ZLIB = 32 + zlib.MAX_WBITS, -zlib.MAX_WBITS
_ZLIB_METHOD = 8

_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol, UnicodeError)
"""How httpx ends an exchange before the first byte of its request: without a connection, or without
its TLS. UnicodeError: the name of a host that no resolver takes."""
_LOST = (httpx.TransportError, httpx.StreamError, OSError, zlib.error)
"""All other endings without a whole answer. OSError: an alert of TLS in place of the answer."""


class NotConnected(Exception):
    """There was no connection, so no byte was written. The cause is an error of the system or
    TLS."""


class AnswerLost(Exception):
    """Something may have been written, and no whole answer came."""


class TooLarge(AnswerLost):
    """The answer exceeds the limit."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer. content: decompressed."""

    status: int
    content: bytes


def is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


class HttpExchange:
    """Makes exchanges with one server: no redirects, no proxies, no cookies, nothing repeated.

    trust: authorities of an https:// address. connect_seconds: the limit for the connection, and
    once more for its TLS. headers: sent with each request. kept: the number of connections that are
    kept for further exchanges, for kept_seconds. transport: in place of the network.
    """

    def __init__(
        self,
        url: str,
        *,
        trust: ssl.SSLContext | None,
        connect_seconds: float,
        headers: Mapping[str, str],
        kept: int = 0,
        kept_seconds: float = 5.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._fault: httpx.InvalidURL | None = None
        try:
            base = httpx.URL(url)
        except httpx.InvalidURL as error:  # each exchange reports it
            base, self._fault = httpx.URL(), error
        self._client = httpx.AsyncClient(
            base_url=base,
            verify=trust or _TRUSTS_NOBODY,
            headers=headers,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            timeout=httpx.Timeout(None, connect=connect_seconds),
            limits=httpx.Limits(max_keepalive_connections=kept, keepalive_expiry=kept_seconds),
            transport=transport,
            trust_env=False,
        )

    async def ask(
        self,
        method: str,
        target: str,
        *,
        largest: int,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Answer:
        """Make one exchange. largest: the limit for an answer in bytes. target: a path in ASCII,
        behind the base.

        Raises NotConnected, AnswerLost. Cancelled, it drops the connection. Only connecting has a
        limit of time.
        """
        if self._fault is not None:
            raise NotConnected(str(self._fault)) from self._fault
        content = bytearray()
        try:
            async with self._client.stream(
                method, target, headers=headers, content=body
            ) as response:
                async for piece in response.aiter_raw():
                    content += piece
                    if len(content) > largest:
                        raise TooLarge("the answer is too large")
            coding = response.headers.get("Content-Encoding", "").lower()
            return Answer(response.status_code, _plain(bytes(content), coding, largest=largest))
        except _NOT_SENT as error:
            raise NotConnected(str(error)) from error
        except _LOST as error:
            raise AnswerLost(str(error)) from error

    async def close(self) -> None:
        await self._client.aclose()
        await asyncio.sleep(0)  # the loop closes their sockets in its next round


def _plain(content: bytes, coding: str, *, largest: int) -> bytes:
    """Decompress an answer: some servers compress unasked, and a few bytes may become any number,
    which httpx does not limit. Raises zlib.error, TooLarge."""
    for one in reversed([each.strip() for each in coding.split(",")]):
        if one not in ("gzip", "x-gzip", "deflate"):
            continue
        is_raw = one == "deflate" and content[:1] and content[0] & 15 != _ZLIB_METHOD
        unpacking = zlib.decompressobj(_RAW_ZLIB if is_raw else _ANY_ZLIB)
        content = unpacking.decompress(content, largest + 1)
        if len(content) > largest:
            raise TooLarge("the answer is too large")
    return content
