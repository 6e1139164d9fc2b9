"""The header that carries the id of a request, and who makes one up."""

from __future__ import annotations

import secrets

HEADER = "X-Request-Id"
_BYTES, _SHORT_BYTES = 12, 5


def new_request_id() -> str:
    return secrets.token_hex(_BYTES)


def short_request_id() -> str:
    """One of the till's, which a person reads out."""
    return secrets.token_hex(_SHORT_BYTES)
