"""Decides who may ask the open local server for what, from the head of a request alone.

Any web page that the cashier visits can reach loopback, so a request is not trusted because it
comes from this machine. Source: exactly-once.md, "The open local server", 1 to 7.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import field
from enum import IntEnum

from pos_app.http_front.requests import is_json, is_uncoded
from pos_app.http_front.web_pages import (
    DEFAULT_PORTS,
    ORIGIN,
    READING,
    SITE,
    as_origin,
    foreign_by,
    split_authority,
)
from pos_app.lazy_dataclass import dataclass
from pos_app.wire.problem import (
    FORBIDDEN,
    MALFORMED,
    TOO_LARGE,
    UNAUTHORIZED,
    WRONG_HOST,
    Problem,
    ProblemKind,
)

MOST_BYTES = 1024 * 1024
"""The limit of a request body in bytes."""
HEALTH = "/health"
OPENAPI = "/openapi.json"
PDF = "/pdf/"
TILL = "/till/"
_NOTHING_SECRET = {HEALTH, OPENAPI}
_MOST_SHOWN = 100
NO_HOST = (
    'the request has no "Host": send this server\'s address, as in "Host: 127.0.0.1:9999"; '
    'further names stand in the setting "server.names"'
)


class AccessLevel(IntEnum):
    """The proof that a caller gave with `X-Pos-Token`."""

    NONE = 0
    LAN = 1
    """The token shared with programs on other machines."""
    TILL = 2
    """The token of this installation, which the till has."""


@dataclass(frozen=True, slots=True)
class RequestHead:
    """The head of a request. peer is the caller's address; address and port are this server's,
    which the caller reached.

    headers has the values by the name in lower case; a header that was sent several times has
    several values. authority is the authority of the request target, or None where the target was
    sent as a path alone.
    """

    method: str
    path: str
    peer: str
    port: int
    address: str = ""
    http_version: str = "1.1"
    headers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    authority: str | None = None

    def values(self, name: str) -> tuple[str, ...]:
        """Return a header's values in the order sent; `name` in lower case."""
        return self.headers.get(name, ())

    def only(self, name: str) -> str | None:
        """Return the value of a header that was sent exactly once, else None."""
        values = self.values(name)
        return values[0] if len(values) == 1 else None


@dataclass(frozen=True, slots=True)
class AccessSettings:
    """names: further hosts, with or without a port; origins: web origins that may call."""

    install_id: str
    till_token: str = field(repr=False)
    lan_token: str | None = field(default=None, repr=False)
    names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    api_enabled: bool = True


@dataclass(frozen=True, slots=True)
class Admitted:
    """origin: the allow-listed web origin that the request came from."""

    level: AccessLevel
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class Preflight:
    """A browser asks whether an allow-listed origin may call."""

    origin: str
    private_network: bool


@dataclass(frozen=True, slots=True)
class AccessRefused:
    """reason: a code for the list of refused requests."""

    reason: str
    problem: Problem
    origin: str | None = None


AccessDecision = Admitted | Preflight | AccessRefused


def decide(head: RequestHead, settings: AccessSettings) -> AccessDecision:
    """Check host, origin, caller and body in this order; the first fault decides."""
    refusal = _host_fault(head, settings) or _origin_fault(head, settings)
    if refusal is not None:
        return refusal
    origin = allowed_origin(head, settings)
    if origin is not None and _is_preflight(head):
        header = "access-control-request-private-network"
        return Preflight(origin, private_network=head.only(header) == "true")
    level = access_level_of(head, settings)
    refusal = _caller_fault(head, settings, level) or _body_fault(head)
    if refusal is not None:
        return AccessRefused(refusal.reason, refusal.problem, origin)
    return Admitted(level or AccessLevel.NONE, origin)


def allowed_origin(head: RequestHead, settings: AccessSettings) -> str | None:
    origin = head.only(ORIGIN)
    return origin if origin is not None and as_origin(origin) in _named(settings) else None


def _named(settings: AccessSettings) -> set[str | None]:
    return {as_origin(entry) for entry in settings.origins} - {None}


def access_level_of(head: RequestHead, settings: AccessSettings) -> AccessLevel | None:
    """Return the level that the token proves, or None for a wrong token."""
    tokens = head.values("x-pos-token")
    if not tokens:
        return AccessLevel.NONE
    token = tokens[0].encode() if len(tokens) == 1 else b""
    is_till = hmac.compare_digest(token, settings.till_token.encode())
    is_lan = hmac.compare_digest(token, (settings.lan_token or "").encode())
    if is_till and settings.till_token:
        return AccessLevel.TILL
    return AccessLevel.LAN if is_lan and settings.lan_token else None


def is_reserved(head: RequestHead, settings: AccessSettings) -> bool:
    """Tell whether the request is served from the connections reserved for health and the till."""
    return head.path == HEALTH or access_level_of(head, settings) is AccessLevel.TILL


# --- the host and the origin of a request ------------------------------------------------------


def _host_fault(head: RequestHead, settings: AccessSettings) -> AccessRefused | None:
    """Check the host. A foreign name that leads to this machine is an attack by DNS rebinding. An
    own IP address of this server allows no such attack."""
    hosts = head.values("host")
    if not hosts:
        return _refuse("host", WRONG_HOST, NO_HOST)
    ours = (*settings.names, _plain(head.address))
    targets = hosts if head.authority is None else (*hosts, head.authority)
    foreign = [name for name in targets if not is_our_host(name, names=ours, port=head.port)]
    if len(hosts) == 1 and not foreign:
        return None
    shown = _quoted(tuple(foreign) or hosts)
    return _refuse(
        "host",
        WRONG_HOST,
        f"{shown} is not an address of this server; further names stand in the setting "
        '"server.names"',
    )


def _origin_fault(head: RequestHead, settings: AccessSettings) -> AccessRefused | None:
    origins = head.values(ORIGIN)
    match foreign_by(origins, head.values(SITE), named=_named(settings)):
        case "origin":
            return _refuse(
                "origin",
                FORBIDDEN,
                f"{_quoted(origins)} may not call this server; web origins that may stand in the "
                'setting "server.origins"',
            )
        case "sec-fetch-site" if not _is_navigation_to_pdf(head):
            return _refuse(
                "site",
                FORBIDDEN,
                "web pages may not call this server; origins that may stand in the setting "
                '"server.origins"',
            )
    return None


def _is_navigation_to_pdf(head: RequestHead) -> bool:
    return is_pdf_link(head) and head.only("sec-fetch-mode") == "navigate"


def is_pdf_link(head: RequestHead) -> bool:
    """Tell whether the path is a PDF link, which can't be guessed and needs no other permission."""
    return head.method in READING and head.path.startswith(PDF)


def _is_preflight(head: RequestHead) -> bool:
    return head.method == "OPTIONS" and bool(head.values("access-control-request-method"))


# --- the caller of a request -------------------------------------------------------------------


def _caller_fault(
    head: RequestHead, settings: AccessSettings, level: AccessLevel | None
) -> AccessRefused | None:
    """Check the caller. Routes without secrets are open to all; a foreign till is refused before
    the other checks."""
    if head.path in _NOTHING_SECRET:
        return None
    installs = head.values("x-pos-install")
    foreign = bool(installs) and head.only("x-pos-install") != settings.install_id
    if foreign or (_is_token_route(head) and level is AccessLevel.TILL and not installs):
        return _refuse(
            "install", WRONG_HOST, '"X-Pos-Install" is not this installation: nothing was done'
        )
    if level is None or (_is_token_route(head) and level is not AccessLevel.TILL):
        return _refuse("token", UNAUTHORIZED, "Unauthorized")
    if level is AccessLevel.TILL or is_pdf_link(head):
        return None
    if not settings.api_enabled:
        return _refuse(
            "api_off",
            FORBIDDEN,
            'the local API is switched off by the setting "server.api_enabled"',
        )
    if level is AccessLevel.NONE and not is_loopback(head.peer):
        return _refuse("lan", UNAUTHORIZED, "Unauthorized")
    return None


def _is_token_route(head: RequestHead) -> bool:
    return f"{head.path}/".startswith(TILL)


def is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(_plain(address)).is_loopback
    except ValueError:
        return False


def _plain(address: str) -> str:
    """Return the address without its zone, and an IPv4 address in IPv6 form as plain IPv4; "" if
    invalid."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return str(mapped or parsed)


# --- the body of a request ---------------------------------------------------------------------


def _body_fault(head: RequestHead) -> AccessRefused | None:
    lengths, transfers = head.values("content-length"), head.values("transfer-encoding")
    if not _is_framed_once(head, lengths, transfers):
        return _refuse(
            "framing",
            MALFORMED,
            'the body is measured by one "Content-Length" or by "Transfer-Encoding: chunked"',
        )
    if not is_uncoded(head.values("content-encoding")):
        return _refuse_header("encoding", "Content-Encoding", "is not allowed")
    if not transfers and (not lengths or int(lengths[0]) == 0):
        return None
    if not is_json(head.only("content-type")):
        return _refuse_header("type", "Content-Type", "must be application/json")
    if lengths and int(lengths[0]) > MOST_BYTES:
        return _refuse("size", TOO_LARGE, f"the body is larger than {MOST_BYTES} bytes")
    return None


def _is_framed_once(
    head: RequestHead, lengths: tuple[str, ...], transfers: tuple[str, ...]
) -> bool:
    if transfers:
        is_chunked = len(transfers) == 1 and transfers[0].strip().lower() == "chunked"
        return is_chunked and not lengths and head.http_version == "1.1"
    if not lengths:
        return True
    number = lengths[0].strip()
    return len(lengths) == 1 and number.isascii() and number.isdigit() and len(number) <= 18


def _refuse(reason: str, kind: ProblemKind, message: str) -> AccessRefused:
    return AccessRefused(reason, Problem.of(kind, message))


def _refuse_header(reason: str, name: str, why: str) -> AccessRefused:
    message = f'"{name}" {why}'
    return AccessRefused(reason, Problem.of(MALFORMED, message, keys=(name,), source="headers"))


def _quoted(values: tuple[str, ...]) -> str:
    return ", ".join(f'"{value[:_MOST_SHOWN]}"' for value in values[:2])


# --- the names of this server ------------------------------------------------------------------


OUR_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})


def is_our_host(host: str, *, names: tuple[str, ...], port: int) -> bool:
    """Tell whether a `Host` header is one of our names with our port. A name that the settings give
    with a port (a forwarded one) is compared with that port."""
    target = split_authority(host)
    if target is None:
        return False
    name, target_port = target
    reached_port = DEFAULT_PORTS["http"] if target_port is None else target_port
    known = {(ours, port) for ours in OUR_NAMES}
    for entry in names:
        given = split_authority(_with_brackets(entry.strip()))
        if given is not None:
            known.add((given[0], port if given[1] is None else given[1]))
    return (name, reached_port) in known


def _with_brackets(name: str) -> str:
    return f"[{name}]" if name.count(":") > 1 and not name.startswith("[") else name
