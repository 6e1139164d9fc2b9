"""The header that carries the id of a request, and an id for one of the till's."""

from __future__ import annotations

import secrets

HEADER = "X-Request-Id"
_BYTES = 5
"""A person reads it out, so it is short."""


def short_request_id() -> str:
    return secrets.token_hex(_BYTES)
