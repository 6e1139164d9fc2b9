"""The header with the id of a request, and the functions that make such ids."""

from __future__ import annotations

import secrets

HEADER = "X-Request-Id"
_BYTES, _SHORT_BYTES = 12, 5


def new_request_id() -> str:
    return secrets.token_hex(_BYTES)


def short_request_id() -> str:
    """A request id of the till, which a person can read out."""
    return secrets.token_hex(_SHORT_BYTES)
