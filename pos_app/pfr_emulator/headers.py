"""The request headers of protocol v3: language, PAC and RequestId."""

from __future__ import annotations

import re
import secrets

from pos_app.pfr_emulator.codes import Code, Refusal
from pos_app.pfr_emulator.options import LANGUAGES

_REQUEST_ID_LONGEST = 32
_PAC_LENGTH = 6


def negotiate_language(header: str | None) -> str | None:
    """Return the first supported language of a preference list, or None where nothing fits (406).

    The protocol separates by semicolons; commas and quality values are accepted too. A short tag
    matches every longer one: `sr` finds `sr-Cyrl-RS`.
    """
    if not header or not header.strip():
        return LANGUAGES[0]
    for tag in (part.strip().lower() for part in re.split(r"[;,]", header)):
        for language in LANGUAGES:
            if tag == "*" or f"{language.lower()}-".startswith(f"{tag}-"):
                return language
    return None


def check_pac(header: str | None, *, pac: str) -> None:
    """Check the PAC. Raises Refusal: missing 2800, not 6 characters 2803, wrong 2805."""
    if not header:
        raise Refusal.of(Code.REQUIRED, "PAC")
    if len(header) != _PAC_LENGTH:
        raise Refusal.of(Code.WRONG_LENGTH, "PAC")
    if not secrets.compare_digest(header.encode(), pac.encode()):
        raise Refusal.of(Code.INVALID_VALUE, "PAC")


def read_request_id(header: str | None) -> str | None:
    """Return the caller's own id of a request. Raises Refusal 2801 above 32 characters."""
    if header and len(header) > _REQUEST_ID_LONGEST:
        raise Refusal.of(Code.TOO_LONG, "RequestId")
    return header or None
