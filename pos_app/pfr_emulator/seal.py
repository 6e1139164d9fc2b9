"""Signs receipts: makes the processor's key, the verification payload and its URL.

The payload's layout was measured on real verification URLs. It is not public which bytes a real
element signs, so this processor signs everything that stands before the signature.
"""

from __future__ import annotations

import os
import struct
from base64 import b64encode
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from hashlib import md5
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from pos_app.errors import DatabaseDamaged
from pos_app.lazy_dataclass import dataclass
from pos_app.pfr_emulator.forms import USUAL, Forms
from pos_app.pfr_emulator.invoice import InvoiceType, TransactionType

KEY_FILE = "signing-key.pem"
_KEY_BITS = 2048
_VERSION = 3
_OAEP = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)


@dataclass(frozen=True, slots=True)
class SealedFacts:
    """The facts in the verification payload of a receipt. total: in dinars, positive."""

    requested_by: str
    signed_by: str
    total_counter: int
    type_counter: int
    total: Decimal
    at: datetime
    kind: InvoiceType
    direction: TransactionType
    buyer_id: str


@dataclass(frozen=True, slots=True)
class Seal:
    """The encrypted internal data, the signature (256 bytes), and the URL with both."""

    internal: bytes
    signature: bytes
    url: str


def open_key(folder: Path) -> rsa.RSAPrivateKey:
    """Return the processor's RSA-2048 key. It is created at the first start, in a file that only
    its owner can read. Raises DatabaseDamaged if the file exists but has no such key."""
    path = folder / KEY_FILE
    if not path.exists():
        _keep_key(path, rsa.generate_private_key(65537, _KEY_BITS))
    try:
        return _read_key(path.read_bytes())
    except (ValueError, TypeError) as error:
        raise _damaged(path) from error


@lru_cache(maxsize=1)
def _read_key(content: bytes) -> rsa.RSAPrivateKey:
    """Read the key. It is cached, because proving its primes takes 40 ms at each start. Raises
    ValueError, TypeError."""
    key = serialization.load_pem_private_key(content, password=None)
    if not isinstance(key, rsa.RSAPrivateKey) or key.key_size != _KEY_BITS:
        raise ValueError("not a key of ours")
    return key


def seal(facts: SealedFacts, *, key: rsa.RSAPrivateKey, host: str, forms: Forms = USUAL) -> Seal:
    counters = struct.pack(
        "<IIQ", facts.total_counter, facts.type_counter, _ten_thousandths(facts.total)
    )
    blocks = forms.internal_bytes * 8 // _KEY_BITS
    internal = b"".join(key.public_key().encrypt(counters, _OAEP) for _ in range(blocks))
    content = _packed(facts, forms) + internal
    signature = key.sign(content, padding.PKCS1v15(), hashes.SHA256())
    body = content + signature
    # The protocol ends the payload with an MD5 as a checksum. The signature protects the payload.
    payload = body + md5(body, usedforsecurity=False).digest()
    text = forms.in_url(b64encode(payload).decode())
    return Seal(internal, signature, f"https://{host}/v/?vl={text}")


def _packed(facts: SealedFacts, forms: Forms) -> bytes:
    """Return the payload up to the encrypted data: little-endian counters and total, big-endian
    time."""
    buyer = forms.buyer_field(facts.buyer_id.encode("ascii", "replace"))
    return b"".join(
        (
            bytes([_VERSION]),
            facts.requested_by.encode("ascii"),
            facts.signed_by.encode("ascii"),
            struct.pack("<II", facts.total_counter, facts.type_counter),
            struct.pack("<Q", _ten_thousandths(facts.total)),
            struct.pack(">Q", milliseconds(facts.at)),
            bytes([facts.kind, facts.direction, len(buyer)]),
            buyer,
        )
    )


def milliseconds(at: datetime) -> int:
    return int(at.timestamp()) * 1000 + at.microsecond // 1000


def _ten_thousandths(total: Decimal) -> int:
    return int(total * 10_000)


def _keep_key(path: Path, key: rsa.RSAPrivateKey) -> None:
    """Write the key whole or not at all: another file is written, flushed and then renamed."""
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    beside = path.with_suffix(".new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _damaged(path: Path) -> DatabaseDamaged:
    return DatabaseDamaged("seal", path=str(path))
