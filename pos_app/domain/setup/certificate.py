"""The facts in a V-PFR's certificate, which names the shop. None of these facts is secret.

Source: fiscal.md 7.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from pos_app.lazy_dataclass import dataclass

_TAX_ADMINISTRATION = ".purs.gov.rs"
WARN_BEFORE = timedelta(days=30)
"""A person is warned so long before the end, because a new certificate takes some days."""

_PAC = re.compile(r"[0-9A-Za-z]{6}")


def is_pac(text: str) -> bool:
    """Whether a text has the form of a PAC: six letters or digits."""
    return _PAC.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """uid: the UID of the element, 8 characters. tin: the taxpayer's tax number. url: the base
    address of the V-PFR. environment: the tax administration's environment, "production" or
    "sandbox". A missing fact is "". Instants are UTC."""

    uid: str
    tin: str
    url: str
    shop: str
    location: str
    organisation: str
    valid_from: datetime
    expires: datetime
    environment: str = ""

    def days_left(self, now: datetime) -> int:
        """The whole days until its end; negative after it."""
        return (self.expires - now).days


def ends_soon(expires: datetime, now: datetime) -> bool:
    """Whether a person is to be warned, also after the end."""
    return now >= expires - WARN_BEFORE


def is_of_tax_administration(url: str) -> bool:
    """Whether the address of a V-PFR may be taken from a certificate, which anybody could have
    written."""
    parts = urlsplit(url)
    return parts.scheme == "https" and (parts.hostname or "").endswith(_TAX_ADMINISTRATION)
