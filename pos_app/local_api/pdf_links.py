"""Links to PDFs: 256 bits that nobody can guess, for 10 minutes.

A link carries its receipt's id, when it ends, and a proof of both by a key of this installation, so
a server that was restarted still knows it. Its PDF is rendered when the link is opened.
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
    """now: the time of day, because the links outlive the program."""

    def __init__(self, now: Callable[[], datetime], *, token: str) -> None:
        """token: the secret of this installation."""
        self._now = now
        self._key = hmac.digest(token.encode(), _PURPOSE, hashlib.sha256)

    def give(self, receipt_id: str) -> str:
        """The secret part of a link that begins to live now."""
        ends = self._milliseconds() + SECONDS * 1000
        told = ends.to_bytes(_ENDS_BYTES, "big") + receipt_id.encode()
        return base64.urlsafe_b64encode(self._proof(told) + told).rstrip(b"=").decode()

    def find(self, secret: str) -> str | None:
        """The receipt id of a link that we gave and that still lives."""
        try:
            whole = base64.b64decode(f"{secret}{'=' * (-len(secret) % 4)}", b"-_", validate=True)
        except (binascii.Error, ValueError):
            return None
        proof, told = whole[:_PROOF_BYTES], whole[_PROOF_BYTES:]
        if not hmac.compare_digest(proof, self._proof(told)):
            return None
        ends = int.from_bytes(told[:_ENDS_BYTES], "big")
        return told[_ENDS_BYTES:].decode() if self._milliseconds() < ends else None

    def _proof(self, told: bytes) -> bytes:
        return hmac.digest(self._key, told, hashlib.sha256)

    def _milliseconds(self) -> int:
        return int(self._now().timestamp() * 1000)
