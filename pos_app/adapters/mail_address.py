"""An address that mail can be sent to, or a refusal that says what is wrong with it.

Stricter than RFC 5321 where that allows what no mailbox uses: no comments, no quotes, no literal
addresses. Letters outside of ASCII are taken in the domain alone, which has a spelling without.
"""

from __future__ import annotations

import re

from pos_app.errors import Invalid

_LONGEST = 254
_LONGEST_LOCAL = 64
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"({_LABEL}\.)+(?![0-9]+\Z){_LABEL}")


def checked_address(text: str) -> str:
    """The address as it goes to the server, its domain in ASCII. Raises Invalid.

    >>> checked_address("kupac@primer.rs")
    'kupac@primer.rs'
    """
    local, at, domain = text.rpartition("@")
    try:
        ascii_domain = domain.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise _refusal(text) from error
    address = f"{local}@{ascii_domain}"
    fits = len(local) <= _LONGEST_LOCAL and len(address) <= _LONGEST
    if not (at and fits and _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(ascii_domain)):
        raise _refusal(text)
    return address


def _refusal(text: str) -> Invalid:
    return Invalid("the e-mail address can't be one", field="email", kind="email", given=text[:80])
