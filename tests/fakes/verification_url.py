"""Verification URLs, written by an encoder of the tests' own from fiscal.md 4."""

from __future__ import annotations

import base64
import hashlib
from urllib.parse import quote

ADDRESS = "https://suf.purs.gov.rs/v/?vl="
ENCRYPTED = bytes(range(256))
SIGNATURE = bytes(reversed(range(256)))
NOON = 1_704_106_800_123  # 2024-01-01 11:00:00.123 UTC, noon in Belgrade


def payload(
    *,
    version: int = 3,
    requested_by: bytes = b"ABCD1234",
    signed_by: bytes = b"WXYZ9876",
    total_counter: int = 11389,
    type_counter: int = 8652,
    total: int = 16_747_200,
    milliseconds: int = NOON,
    invoice_type: int = 0,
    transaction_type: int = 0,
    buyer: bytes = b"",
    said_length: int | None = None,
    internal: bytes = ENCRYPTED,
) -> bytes:
    """A payload without its checksum."""
    return b"".join(
        [
            bytes([version]),
            requested_by,
            signed_by,
            total_counter.to_bytes(4, "little"),
            type_counter.to_bytes(4, "little"),
            total.to_bytes(8, "little"),
            milliseconds.to_bytes(8, "big"),
            bytes([invoice_type, transaction_type]),
            bytes([len(buyer) if said_length is None else said_length]),
            buyer,
            internal,
            SIGNATURE,
        ]
    )


def sealed(body: bytes) -> bytes:
    return body + hashlib.md5(body, usedforsecurity=False).digest()


def url(body: bytes, *, address: str = ADDRESS) -> str:
    return address + quote(base64.b64encode(sealed(body)).decode(), safe="")
