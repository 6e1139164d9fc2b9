"""What a V-PFR certificate says of the shop: read once, compared and shown, never secret.

Source: fiscal.md 7.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from pos_app.lazy_dataclass import dataclass

_TAX_ADMINISTRATION = ".purs.gov.rs"
WARN_BEFORE = timedelta(days=30)
"""A new certificate takes some days: so long before its end a person is told."""

_PAC = re.compile(r"[0-9A-Za-z]{6}")


def is_pac(text: str) -> bool:
    """Whether a certificate's PAC can be so: six letters or digits."""
    return _PAC.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """uid: of the element, 8 characters. tin: of the taxpayer. url: base address of the V-PFR.
    environment: "production" or "sandbox", of the tax administration. What the certificate does not
    tell is "". Instants are UTC.
    """

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
        """Whole days until it ends; negative once it has."""
        return (self.expires - now).days


def ends_soon(expires: datetime, now: datetime) -> bool:
    """Whether a person is to be told, also when it has ended."""
    return now >= expires - WARN_BEFORE


def is_of_tax_administration(url: str) -> bool:
    """Whether the address of a V-PFR may be taken from a certificate, which anybody could have
    written."""
    told = urlsplit(url)
    return told.scheme == "https" and (told.hostname or "").endswith(_TAX_ADMINISTRATION)
