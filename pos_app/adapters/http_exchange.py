"""Makes one HTTP/1.1 exchange with a server, and reports whether anything was sent and what came.

Each receipt waits for two exchanges with the fiscal processor. A general client needs some 2 ms of
computing time for them, most of it for things that are never wanted here: redirects, cookies, a
pool, other event loops. h11 implements the protocol; this module opens and ends the connections.
"""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import select
import ssl
import sys
import zlib
from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import quote, unquote, urlsplit

import h11

from pos_app.lazy_dataclass import dataclass

_LARGEST_HEAD = 100 * 1024
_NEXT_ADDRESS_SECONDS = 0.25
"""After this time the next address of a name is tried beside the one before it (RFC 8305)."""
_PORTS = {"http": 80, "https": 443}
_PATH = "/%:@!$&'()*+,;=~"
"""Signs that are not escaped in a path."""
_ANY_ZLIB, _RAW_ZLIB = 32 + zlib.MAX_WBITS, -zlib.MAX_WBITS
_ZLIB_METHOD = 8


class NotConnected(Exception):
    """There was no connection, so no byte was written. The cause is an error of the system or
    TLS."""


class AnswerLost(Exception):
    """Something was written, and no whole answer came."""


class TooLarge(AnswerLost):
    """The answer exceeds the limit."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer. content: decompressed."""

    status: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Address:
    """A base address, taken apart. named: host and port as a Host header has them. path: prefixed
    to each target, without a slash at its end. authorization: for its name and password."""

    host: str
    port: int
    is_name: bool
    is_secure: bool
    named: str
    path: str
    authorization: str = ""

    @classmethod
    def of(cls, url: str) -> Self:
        """Parse an address. Raises ValueError where it is no HTTP address."""
        parts = urlsplit(url)
        if parts.scheme not in _PORTS or not parts.hostname:
            raise ValueError(f"{url!r} is no address of HTTP")
        host, usual = parts.hostname, _PORTS[parts.scheme]
        plain = f"[{host}]" if ":" in host else host.encode("idna").decode("ascii")
        port = usual if parts.port is None else parts.port
        given = ""
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            given = f"Basic {base64.b64encode(pair.encode()).decode()}"
        named = plain if port == usual else f"{plain}:{port}"
        is_secure, path = parts.scheme == "https", quote(parts.path.rstrip("/"), safe=_PATH)
        return cls(host, port, not is_ip(host), is_secure, named, path, given)


def is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


class HttpExchange:
    """Makes exchanges with one server: no redirects, no proxies, nothing repeated.

    trust: authorities of an https:// address. connect_seconds: the limit for the connection with
    its TLS. headers: sent with each request. kept: the number of connections that are kept for
    further exchanges, for kept_seconds.
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
    ) -> None:
        try:
            self._address: Address | ValueError = Address.of(url)
        except ValueError as error:  # each exchange reports it
            self._address = error
        self._trust = trust
        if trust is not None:
            trust.set_alpn_protocols(["http/1.1"])
        self._connect_seconds = connect_seconds
        self._headers = dict(headers)
        self._most_kept = kept
        self._kept_seconds = kept_seconds
        self._kept: list[_Connection] = []
        self._is_closed = False

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
        address = self._address
        if isinstance(address, ValueError):
            raise NotConnected(str(address)) from address
        given = {**self._headers, **(headers or {})}
        request = _written(address, method, target, given, body)
        connection = self._taken_from_kept() or await self._connected(address)
        try:
            answer = await connection.exchange(request, body, largest=largest)
            if connection.may_go_on and not self._is_closed and len(self._kept) < self._most_kept:
                connection.idle_since = asyncio.get_running_loop().time()
                self._kept.append(connection)
                connection = None  # type: ignore[assignment]
        finally:
            if connection is not None:
                connection.end()
        return answer

    async def close(self) -> None:
        self._is_closed = True
        for connection in self._kept:
            connection.end()
        self._kept.clear()
        await asyncio.sleep(0)  # the loop closes their sockets in its next round

    def _taken_from_kept(self) -> _Connection | None:
        """Return the last used connection that is open and not too old; end unusable ones."""
        now = asyncio.get_running_loop().time()
        while self._kept:
            connection = self._kept.pop()
            if (
                connection.is_quiet
                and not connection.has_news()
                and now - connection.idle_since < self._kept_seconds
            ):
                return connection
            connection.end()
        return None

    async def _connected(self, address: Address) -> _Connection:
        try:
            async with asyncio.timeout(self._connect_seconds):
                _, connection = await asyncio.get_running_loop().create_connection(
                    _Connection,
                    address.host,
                    address.port,
                    ssl=self._trust if address.is_secure else None,
                    happy_eyeballs_delay=_NEXT_ADDRESS_SECONDS if address.is_name else None,
                )
        except (OSError, TimeoutError, UnicodeError) as error:  # TLS errors are OSErrors
            raise NotConnected(str(error)) from error
        return connection


def _written(
    address: Address, method: str, target: str, headers: Mapping[str, str], body: bytes | None
) -> h11.Request:
    values = {"Host": address.named, **headers, "Connection": "keep-alive"}
    if address.authorization:
        values["Authorization"] = address.authorization
    if body is not None:
        values["Content-Length"] = str(len(body))
    return h11.Request(method=method, target=address.path + target, headers=[*values.items()])


class _Connection(asyncio.Protocol):
    """One connection. Data that came before its end are read before the end is reported."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._parser = h11.Connection(h11.CLIENT, max_incomplete_event_size=_LARGEST_HEAD)
        self._came = bytearray()
        self._has_ended = False
        self._fault: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None
        self.idle_since = 0.0

    # --- told by the loop -----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._came += data
        self._wake()

    def eof_received(self) -> None:
        self._has_ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._has_ended, self._fault = True, exc
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # --- an exchange ----------------------------------------------------------------------------

    @property
    def may_go_on(self) -> bool:
        """Whether another exchange may follow the one that has ended."""
        parser = self._parser
        return self.is_quiet and parser.our_state is h11.DONE and parser.their_state is h11.DONE

    @property
    def is_quiet(self) -> bool:
        """Whether it is open and received only what was asked for."""
        return not (self._has_ended or self._came or self._parser.trailing_data[0])

    def has_news(self) -> bool:
        """Tell whether the system has data, or mostly an end, that the loop did not report yet."""
        assert self._transport is not None
        return _is_readable(self._transport.get_extra_info("socket").fileno())

    async def exchange(self, request: h11.Request, body: bytes | None, *, largest: int) -> Answer:
        parser = self._parser
        if parser.our_state is h11.DONE:
            parser.start_next_cycle()
        assert self._transport is not None
        parts = [request, *([h11.Data(data=body)] if body else []), h11.EndOfMessage()]
        self._transport.write(b"".join(parser.send(part) or b"" for part in parts))
        status, coding, content = 0, "", bytearray()
        try:
            while not isinstance(event := await self._next(), h11.EndOfMessage):
                if isinstance(event, h11.Response):
                    status, coding = event.status_code, _coding_of(event)
                elif isinstance(event, h11.Data):
                    content += event.data
                    if len(content) > largest:
                        raise TooLarge("the answer is too large")
            return Answer(status, _plain(bytes(content), coding, largest=largest))
        except (h11.RemoteProtocolError, zlib.error) as error:
            raise AnswerLost(str(error)) from self._fault or error

    async def _next(self) -> Any:
        while (event := self._parser.next_event()) is h11.NEED_DATA:
            if not self._came and not self._has_ended:
                self._waiter = asyncio.get_running_loop().create_future()
                await self._waiter
            data = bytes(self._came)
            self._came.clear()
            if not data and self._fault is not None:
                raise AnswerLost(str(self._fault)) from self._fault
            self._parser.receive_data(data)  # no data mean the end
        if event is h11.PAUSED or isinstance(event, h11.ConnectionClosed):
            raise AnswerLost("the server speaks another protocol")
        return event

    def end(self) -> None:
        if self._transport is not None:
            self._transport.abort()


if sys.platform == "win32":

    def _is_readable(file: int) -> bool:
        return bool(select.select([file], [], [], 0)[0])
else:

    def _is_readable(file: int) -> bool:
        """Ask poll, because select takes no file descriptor above 1023."""
        asked = select.poll()
        asked.register(file, select.POLLIN)
        return bool(asked.poll(0))


# --- the coding of a content ---------------------------------------------------------------------


def _coding_of(response: h11.Response) -> str:
    entries = [value for name, value in response.headers if name == b"content-encoding"]
    return b",".join(entries).decode("latin-1").lower()


def _plain(content: bytes, coding: str, *, largest: int) -> bytes:
    """Decompress an answer: some servers compress unasked. Raises zlib.error, TooLarge."""
    for one in reversed([each.strip() for each in coding.split(",")]):
        if one not in ("gzip", "x-gzip", "deflate"):
            continue
        is_raw = one == "deflate" and content[:1] and content[0] & 15 != _ZLIB_METHOD
        unpacking = zlib.decompressobj(_RAW_ZLIB if is_raw else _ANY_ZLIB)
        content = unpacking.decompress(content, largest + 1)
        if len(content) > largest:
            raise TooLarge("the answer is too large")
    return content
