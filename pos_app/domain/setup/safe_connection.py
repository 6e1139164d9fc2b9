"""Decides where a secret may travel over HTTP without encryption, and names what may be wrong with
an encrypted connection.

| the address             | without encryption                                              |
|-------------------------|-----------------------------------------------------------------|
| https://…               | never; it is always allowed                                     |
| this computer           | allowed: `localhost`, 127.0.0.0/8, ::1                          |
| the shop's own network  | once a manager allowed exactly this address                     |
| a name                  | the same, and each connection is made to a private address only |
| anything else           | refused, whatever anybody allowed                               |

The literal address decides, because a name may lead elsewhere tomorrow. Behind a proxy nobody here
sees where a name leads, so a name is refused there.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol
from urllib.parse import urlsplit

_NETWORKS = tuple(
    ipaddress.ip_network(one)
    for one in (
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10",
    )
)  # fmt: skip
"""Private and link-local networks (RFC 1918, 3927, 4193, 4291)."""


class Place(StrEnum):
    MACHINE = "machine"
    NETWORK = "network"
    NAME = "name"
    ELSEWHERE = "elsewhere"


class PlatformWay(Protocol):
    """What decides about the platform, as the settings have it."""

    @property
    def url(self) -> str: ...
    @property
    def clear_text_allowed(self) -> str: ...
    @property
    def proxy(self) -> str: ...


class ClearTextFault(StrEnum):
    """The reason why a secret does not go to an address without encryption."""

    PUBLIC = "public"
    """Whoever is on the way could read along."""
    NOT_ALLOWED = "not_allowed"
    """No manager has allowed it for this address."""

    @property
    def code(self) -> str:
        """The fault in a word for other programs, for which the till has a text."""
        return f"clear_text_{self}"


CLEAR_TEXT = {
    ClearTextFault.PUBLIC: (
        "Key and receipts would go to {url} without encryption, so nothing is sent there. Write an"
        " address with https:// into platform.url."
    ),
    ClearTextFault.NOT_ALLOWED: (
        "Key and receipts would go to {url} without encryption, which no manager has allowed, so"
        " nothing is sent there. Allow it on the page of the platform, or by"
        " platform.clear_text_allowed, or write an address with https:// into platform.url."
    ),
}
"""English sentences for `check`, the log and other programs."""


class TlsFault(StrEnum):
    """The reason in a word. The till has a text for each: `fault.tls_issuer` and so on."""

    ISSUER = "tls_issuer"
    """No authority that is trusted here issued the certificate."""
    NAME = "tls_name"
    EXPIRED = "tls_expired"
    NOT_YET = "tls_not_yet"
    CERTIFICATE = "tls_certificate"
    """The certificate is not trusted for another reason."""
    PLAIN = "tls_plain"
    """The port speaks no TLS."""
    REFUSED = "tls_refused"
    """The two sides have no version of TLS, no cipher or no key in common."""


UNSAFE = frozenset({*TlsFault, *(one.code for one in ClearTextFault)})
"""The faults because of which nothing is sent until a person mends them, each in a word."""


def place_of(host: str) -> Place:
    """Tell where a host is, by its literal address alone."""
    if host.lower() == "localhost":
        return Place.MACHINE
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return Place.NAME
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_loopback:
        return Place.MACHINE
    is_near = any(address in one for one in _NETWORKS if one.version == address.version)
    return Place.NETWORK if is_near else Place.ELSEWHERE


def place_of_url(url: str) -> Place:
    """Tell where the host of an address is. An address that can't be parsed is elsewhere."""
    try:
        host = urlsplit(url).hostname
    except ValueError:
        host = None
    return Place.ELSEWHERE if not host else place_of(host)


def is_clear_text(url: str) -> bool:
    return not url.lower().startswith("https://")


def clear_text_place(url: str) -> Place | None:
    """Tell where an address without encryption is; None for one with it, and for none at all."""
    return place_of_url(url) if url and is_clear_text(url) else None


def clear_text_fault(url: str, *, allowed: str, proxy: str = "") -> ClearTextFault | None:
    """Return why no secret may be sent to an address, or None where it may.

    allowed: the address that a manager allowed. proxy: the HTTP proxy on the way, or "".
    """
    if not url or not is_clear_text(url):
        return None
    places = {place_of_url(url)}
    if proxy:
        if is_clear_text(proxy):  # it gets the request itself
            places.add(place_of_url(proxy))
        if Place.NAME in places:
            return ClearTextFault.PUBLIC
    if Place.ELSEWHERE in places:
        return ClearTextFault.PUBLIC
    if places == {Place.MACHINE} or allowed == url:
        return None
    return ClearTextFault.NOT_ALLOWED


def platform_fault(platform: PlatformWay) -> ClearTextFault | None:
    """Return why no secret may be sent to the platform of the settings, or None where it may."""
    return clear_text_fault(platform.url, allowed=platform.clear_text_allowed, proxy=platform.proxy)


def needs_near(url: str) -> bool:
    """Whether each connection to an address without encryption is made to one of the `nearby`
    addresses of its name."""
    return clear_text_place(url) is Place.NAME


def nearby(addresses: Iterable[str]) -> tuple[str, ...]:
    """Return those of a name's addresses that are on this computer or in a private network, once
    each. The addresses of IPv4 go first."""
    ours = [one for one in addresses if place_of(one) in (Place.MACHINE, Place.NETWORK)]
    return tuple(sorted(dict.fromkeys(ours), key=lambda address: ":" in address))
