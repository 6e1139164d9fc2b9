"""The id of a receipt is derived from the origin of its request and the request's key.

So the id is known before the receipt exists, and still known after a row was lost. The sender of a
request derives the same id as the server that carries it out, so that no message has to carry it.
Source: exactly-once.md, step 1; platform-contract.md 2.7.
"""

from __future__ import annotations

import re
import uuid
from functools import lru_cache

SHORTEST_KEY, LONGEST_KEY = 16, 64
KEY_PATTERN = rf"^[\x21-\x7E]{{{SHORTEST_KEY},{LONGEST_KEY}}}$"
"""A key of a request, as JSON Schema writes it too."""
KEY_WORDS = f"{SHORTEST_KEY} to {LONGEST_KEY} visible ASCII characters"
_KEY = re.compile(KEY_PATTERN)
_RECEIPTS = uuid.UUID("6f1d3c0e-6a39-4a0b-9f0e-5b1c9a0e4d52")
"""The namespace of receipt ids; with another one every stored id would change."""


def is_key(text: str) -> bool:
    return _KEY.fullmatch(text) is not None


@lru_cache(maxsize=64)  # the id of a receipt on its way is asked for four times
def receipt_id(*, origin: str, key: str, child: int = 0) -> str:
    """The id of a key's receipt. child: its number within a pair."""
    child_part = f" {child}" if child else ""
    return str(uuid.uuid5(_RECEIPTS, f"{len(origin)} {origin} {key}{child_part}"))


def till_origin(till_id: str) -> str:
    """The origin of requests of a till of this installation."""
    return f"till:{till_id}"


def relay_origin(*, account: str, client: str) -> str:
    """The origin of a request that the platform relays: an account with one of its applications."""
    return f"relay:{account}:{client}"


def is_relay_origin(origin: str) -> bool:
    return origin.startswith("relay:")


def certificate_origin(uid: str) -> str:
    """The origin of a request that came with a certificate of this secure element."""
    return f"certificate:{uid}"


def is_certificate_origin(origin: str) -> bool:
    return origin.startswith("certificate:")
