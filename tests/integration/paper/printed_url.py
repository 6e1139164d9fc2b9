"""Reads the QR code of a receipt field by field, by the law's table.

It shares no code with the program, nor with the processor that signs in tests. Source: fiscal.md 4
(the table of offsets).
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class PrintedUrl:
    host: str
    version: int
    requested_by: str
    signed_by: str
    total_counter: int
    type_counter: int
    ten_thousandths: int
    milliseconds: int
    invoice_type: int
    transaction_type: int
    buyer: str
    internal: bytes
    signature: bytes
    checksum_holds: bool


def read_url(url: str) -> PrintedUrl:
    parts = urlsplit(url)
    assert (parts.scheme, parts.path) == ("https", "/v/")
    (code,) = parse_qs(parts.query, strict_parsing=True)["vl"]
    raw = base64.b64decode(code, validate=True)
    buyer_ends = 44 + raw[43]
    internal_ends = buyer_ends + 256
    signature_ends = internal_ends + 256
    assert len(raw) == signature_ends + 16
    return PrintedUrl(
        host=parts.netloc,
        version=raw[0],
        requested_by=raw[1:9].decode("ascii"),
        signed_by=raw[9:17].decode("ascii"),
        total_counter=int.from_bytes(raw[17:21], "little"),
        type_counter=int.from_bytes(raw[21:25], "little"),
        ten_thousandths=int.from_bytes(raw[25:33], "little"),
        milliseconds=int.from_bytes(raw[33:41], "big"),
        invoice_type=raw[41],
        transaction_type=raw[42],
        buyer=raw[44:buyer_ends].decode("ascii"),
        internal=raw[buyer_ends:internal_ends],
        signature=raw[internal_ends:signature_ends],
        checksum_holds=hashlib.md5(raw[:signature_ends]).digest() == raw[signature_ends:],
    )
