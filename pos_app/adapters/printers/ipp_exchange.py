"""Makes one IPP request: to CUPS over its socket or loopback, or to a printer itself.

Over its socket CUPS believes a caller which user it is (PeerCred), so a job of ours can be
cancelled without a password.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import httpx

from pos_app.adapters.printers import ipp
from pos_app.errors import NotDelivered, OutcomeUnknown
from pos_app.lazy_dataclass import dataclass

if sys.platform != "win32":
    import pwd

CUPS_SOCKET = "/run/cups/cups.sock"
_CONNECT_SECONDS = 3.0
_UNAUTHORIZED = 401

IppAttributes = Sequence[tuple[ipp.Tag, str, str | int | bool | Sequence[str]]]


@dataclass(frozen=True, slots=True)
class IppAddress:
    """The address of a queue. uri: its name in IPP; url: the target of POST; socket: "" for TCP."""

    uri: str
    url: str
    socket: str = ""


def cups_address(queue: str, *, server: str = CUPS_SOCKET) -> IppAddress:
    """Return the address of a queue of CUPS. server: the path of its socket, or "host:port"."""
    path = f"/printers/{queue}" if queue else "/"
    if server.startswith("/"):
        return IppAddress(f"ipp://localhost{path}", f"http://localhost{path}", server)
    return IppAddress(f"ipp://{server}{path}", f"http://{server}{path}")


def printer_address(uri: str) -> IppAddress:
    """Return the address of a printer with IPP, from "ipp://host[:631]/path". Raises ValueError."""
    if not uri.startswith("ipp://"):
        raise ValueError(f"{uri!r} is no address that begins with ipp://")
    url = httpx.URL(uri.replace("ipp://", "http://", 1))
    if not url.host:
        raise ValueError(f"{uri!r} names no printer")
    return IppAddress(uri, str(url.copy_with(port=url.port or 631)))


class IppExchange:
    def __init__(self, address: IppAddress, *, answer_seconds: float = 20.0) -> None:
        self.address = address
        self._answer_seconds = answer_seconds
        self._user = _own_name()

    async def ask(
        self, operation: ipp.IppOperation, given: IppAttributes, document: bytes = b""
    ) -> ipp.IppAnswer:
        """Post one request. Raises NotDelivered (no byte was sent) or OutcomeUnknown."""
        own = [
            (ipp.Tag.URI, "printer-uri", self.address.uri),
            (ipp.Tag.NAME, "requesting-user-name", self._user),
        ]
        response = await self._post(ipp.request(operation, [*own, *given]) + document)
        try:
            return ipp.answer(response.content)
        except ipp.Malformed as error:
            raise OutcomeUnknown("no_ipp", status_code=response.status_code) from error

    async def _post(self, body: bytes) -> httpx.Response:
        headers = {"Content-Type": "application/ipp"}
        socket = self.address.socket
        transport = httpx.AsyncHTTPTransport(uds=socket or None, trust_env=False)
        timeout = httpx.Timeout(self._answer_seconds, connect=_CONNECT_SECONDS)
        try:
            async with httpx.AsyncClient(transport=transport, timeout=timeout) as client:
                response = await client.post(self.address.url, content=body, headers=headers)
                if response.status_code == _UNAUTHORIZED and socket:
                    headers["Authorization"] = f"PeerCred {self._user}"
                    response = await client.post(self.address.url, content=body, headers=headers)
                return response
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise NotDelivered("print_service") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            name = type(error).__name__
            raise OutcomeUnknown("print_service", name=name) from error


def _own_name() -> str:
    """Return the name of this process's user, which CUPS checks for requests over its socket."""
    if sys.platform != "win32":
        with suppress(KeyError):
            return pwd.getpwuid(os.geteuid()).pw_name
    return "pos-app"
