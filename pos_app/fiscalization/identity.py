"""Ids that are derived, never random: they are the same again after a row was lost.

Source: exactly-once.md, step 1.
"""

from __future__ import annotations

import hashlib
import uuid

_RECEIPTS = uuid.UUID("6f1d3c0e-6a39-4a0b-9f0e-5b1c9a0e4d52")
"""The namespace of receipt ids; with another one every stored id would change."""


def receipt_id(*, origin: str, key: str, child: int = 0) -> str:
    """The id of a key's receipt; derived, so it is known even when the journal can't be read."""
    place = f" {child}" if child else ""
    return str(uuid.uuid5(_RECEIPTS, f"{len(origin)} {origin} {key}{place}"))


def pfr_request_id(*, origin: str, key: str, child: int, body_hash: bytes) -> str:
    """The RequestId sent to the processor: 32 hex digits; derived, so it survives a lost row."""
    parts = (origin.encode(), key.encode(), str(child).encode(), body_hash)
    digest = hashlib.sha256(b"\0".join(len(part).to_bytes(4, "big") + part for part in parts))
    return digest.hexdigest()[:32]
