"""Hashes PINs and badges: salted, slow on purpose for a PIN, and never readable."""

from __future__ import annotations

import hashlib
import hmac
import secrets

_MEMORY_KIB, _ROUNDS = 19 * 1024, 2
"""OWASP's least values for Argon2id: some 40 ms a try."""


def pin_hash(pin: str) -> str:
    """Return a PHC string of Argon2id."""
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id  # a start needs none of it

    kdf = Argon2id(
        salt=secrets.token_bytes(16),
        length=32,
        iterations=_ROUNDS,
        lanes=1,
        memory_cost=_MEMORY_KIB,
    )
    return kdf.derive_phc_encoded(pin.encode())


def is_pin(pin: str, kept: str) -> bool:
    from cryptography.exceptions import InvalidKey
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    try:
        Argon2id.verify_phc_encoded(pin.encode(), kept)
    except InvalidKey:
        return False
    return True


def badge_hash(code: str) -> str:
    """Hash a badge, quickly: a scanned one is compared with those of all people."""
    salt = secrets.token_bytes(16)
    return f"{salt.hex()}${_badge_digest(code, salt)}"


def is_badge(code: str, kept: str) -> bool:
    salt, _, digest = kept.partition("$")
    return hmac.compare_digest(_badge_digest(code, bytes.fromhex(salt)), digest)


def _badge_digest(code: str, salt: bytes) -> str:
    return hashlib.blake2b(code.encode(), salt=salt[:16], digest_size=32).hexdigest()
