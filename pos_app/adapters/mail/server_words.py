"""A mail server's words, safe to store and show: some servers repeat what they were sent."""

from __future__ import annotations

import base64
import re

from pos_app.adapters.secret import Secret
from pos_app.characters import one_line

LONGEST = 200
_CODED = re.compile(r"[0-9A-Za-z+/_-]{20,}={0,2}")
"""A password in base64 or hex, or a proof by one, looks like this; no word of a person does."""
_HIDDEN = "…"


def harmless_words(said: str, *, user: str, password: Secret) -> str:
    """One line of at most LONGEST characters; empty where it holds the password in any form."""
    if password and _holds(said, user, password.reveal()):
        return ""
    return one_line(_CODED.sub(_HIDDEN, said), longest=LONGEST)


def _holds(said: str, user: str, password: str) -> bool:
    """Blanks, line ends and letter case apart, because a reply may be broken anywhere."""
    squeezed = _squeezed(said)
    told, name = password.encode(), user.encode()
    logins = (told, b"\0" + name + b"\0" + told, name + b"\0" + name + b"\0" + told)
    coded = (base64.b64encode(one).decode().rstrip("=") for one in logins)
    return any(_squeezed(form) in squeezed for form in (password, told.hex(), *coded))


def _squeezed(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable() and not sign.isspace()).casefold()
