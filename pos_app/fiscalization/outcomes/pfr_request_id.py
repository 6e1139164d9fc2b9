"""The RequestId by which the processor knows a request. Source: exactly-once.md, step 1."""

from __future__ import annotations

import hashlib


def pfr_request_id(*, origin: str, key: str, child: int, body_hash: bytes) -> str:
    """The RequestId sent to the processor: 32 hex digits, still derivable after a row was lost."""
    parts = (origin.encode(), key.encode(), str(child).encode(), body_hash)
    digest = hashlib.sha256(b"\0".join(len(part).to_bytes(4, "big") + part for part in parts))
    return digest.hexdigest()[:32]


def reversal_request_id(*, origin: str, key: str, child: int, body_hash: bytes) -> str:
    """The RequestId of the receipt that undoes the first of a pair, in the position of the second.
    It distinguishes an undone pair from a finished one, also where no plan can be read."""
    derived = hashlib.sha256(b"reversal\0" + body_hash).digest()
    return pfr_request_id(origin=origin, key=key, child=child, body_hash=derived)
