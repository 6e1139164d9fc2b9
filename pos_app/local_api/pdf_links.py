"""Links to PDFs: 256 bits that can't be guessed, valid for 10 minutes.

A link contains the receipt's id, the end of its validity, and a MAC of both by a key of this
installation, so it is still valid after a restart. The PDF is rendered when the link is opened.
Source: platform-contract.md 2.10.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Callable
from datetime import datetime

SECONDS = 600
_ENDS_BYTES, _PROOF_BYTES = 8, 32
_PURPOSE = b"a link to a PDF"


class PdfLinks:
    """Makes and reads the links. now: the time of day, because the links outlive the program."""

    def __init__(self, now: Callable[[], datetime], *, token: str) -> None:
        self._now = now
        self._key = hmac.digest(token.encode(), _PURPOSE, hashlib.sha256)

    def give(self, receipt_id: str) -> str:
        ends = self._milliseconds() + SECONDS * 1000
        content = ends.to_bytes(_ENDS_BYTES, "big") + receipt_id.encode()
        return base64.urlsafe_b64encode(self._proof(content) + content).rstrip(b"=").decode()

    def find(self, secret: str) -> str | None:
        try:
            decoded = base64.b64decode(f"{secret}{'=' * (-len(secret) % 4)}", b"-_", validate=True)
        except (binascii.Error, ValueError):
            return None
        proof, content = decoded[:_PROOF_BYTES], decoded[_PROOF_BYTES:]
        if not hmac.compare_digest(proof, self._proof(content)):
            return None
        ends = int.from_bytes(content[:_ENDS_BYTES], "big")
        return content[_ENDS_BYTES:].decode() if self._milliseconds() < ends else None

    def _proof(self, content: bytes) -> bytes:
        return hmac.digest(self._key, content, hashlib.sha256)

    def _milliseconds(self) -> int:
        return int(self._now().timestamp() * 1000)
