"""The RequestId that the processor knows a request by. Source: exactly-once.md, step 1."""

from __future__ import annotations

import hashlib


def pfr_request_id(*, origin: str, key: str, child: int, body_hash: bytes) -> str:
    """The RequestId sent to the processor: 32 hex digits; derived, so it survives a lost row."""
    parts = (origin.encode(), key.encode(), str(child).encode(), body_hash)
    digest = hashlib.sha256(b"\0".join(len(part).to_bytes(4, "big") + part for part in parts))
    return digest.hexdigest()[:32]
