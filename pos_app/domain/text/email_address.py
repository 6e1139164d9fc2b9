"""Checks an e-mail address.

The till's form, the check of a request and the mail client all use this one function. If one of
them accepted an address that another refuses, a signed receipt would never be mailed. The function
refuses comments, quotes and literal addresses, which RFC 5321 allows and no mailbox uses. Letters
outside ASCII are allowed in the domain only, because a domain has an ASCII spelling.
"""

from __future__ import annotations

import re

from pos_app.errors import Invalid

LONGEST_ADDRESS = 254
"""The most characters of an address (RFC 5321)."""
_LONGEST_LOCAL = 64
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"({_LABEL}\.)+(?![0-9]+\Z){_LABEL}")


def checked_address(text: str) -> str:
    """The address for the mail server, its domain in ASCII. Raises Invalid.

    >>> checked_address("kupac@primer.rs")
    'kupac@primer.rs'
    """
    if len(text) > LONGEST_ADDRESS:
        raise _refusal(text)
    local, at, domain = text.rpartition("@")
    try:
        ascii_domain = domain.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise _refusal(text) from error
    address = f"{local}@{ascii_domain}"
    fits = len(local) <= _LONGEST_LOCAL and len(address) <= LONGEST_ADDRESS
    if not (at and fits and _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(ascii_domain)):
        raise _refusal(text)
    return address


def _refusal(text: str) -> Invalid:
    return Invalid("email", field="email", given=text[:80])
