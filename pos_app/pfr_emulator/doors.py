"""Admits programs at an address of this machine, and no web pages.

A page can reach loopback too. It sends an `Origin`, or `Sec-Fetch-Site`, and after DNS rebinding
its own name as `Host`.
"""

from __future__ import annotations

import ipaddress
import re
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z_.-]+)(?::(?P<port>[0-9]{1,5}))?")
_USUAL_PORTS = {"http": 80, "https": 443}


class Doors:
    """The ASGI middleware in front of the processor and of its control port."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = _refusal(scope) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)


def _refusal(scope: Scope) -> Response | None:
    headers = Headers(scope=scope)
    hosts = headers.getlist("host")
    usual = _USUAL_PORTS[scope["scheme"]]
    if len(hosts) != 1 or not _leads_here(hosts[0], *scope["server"], usual_port=usual):
        message = "Host must be this processor's own address, as in 127.0.0.1:9998"
        return PlainTextResponse(message, HTTPStatus.MISDIRECTED_REQUEST)
    if headers.getlist("origin") or set(headers.getlist("sec-fetch-site")) - {"none"}:
        return PlainTextResponse("Web pages may not call a processor", HTTPStatus.FORBIDDEN)
    return None


def _leads_here(
    host: str, address: str, port: int, *, usual_port: int = _USUAL_PORTS["http"]
) -> bool:
    found = _HOST.fullmatch(host)
    if found is None or int(found["port"] or usual_port) != port:
        return False
    name = found["name"].lower().strip("[]")
    return name in {"localhost", "127.0.0.1", "::1", _plain(address)}


def _plain(address: str) -> str:
    """Return the address without a zone, as IPv4 where it is IPv4 mapped to IPv6."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return str(mapped or parsed)
