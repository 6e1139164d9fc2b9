"""Links to PDFs: 256 bits that nobody can guess, for 10 minutes. Source: contract 2.10.

A link stands for a receipt; its PDF is rendered when the link is opened.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable

SECONDS = 600.0
MOST = 50_000
"""Links kept at once, some 15 MB; beyond it the oldest ends early."""


class PdfLinks:
    """The links given in the last 10 minutes. now: monotonic seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._kept: OrderedDict[str, tuple[float, str]] = OrderedDict()

    def give(self, receipt_id: str) -> str:
        """The secret part of a new link."""
        secret = secrets.token_urlsafe(32)
        self._kept[secret] = (self._now() + SECONDS, receipt_id)
        self._forget()
        return secret

    def find(self, secret: str) -> str | None:
        """The receipt id of a link that still lives."""
        self._forget()
        kept = self._kept.get(secret)
        return None if kept is None else kept[1]

    def _forget(self) -> None:
        while self._kept:
            ends, _ = next(iter(self._kept.values()))
            if ends > self._now() and len(self._kept) <= MOST:
                return
            self._kept.popitem(last=False)
