"""Links to PDFs: 256 bits that nobody can guess, for 10 minutes. Source: contract 2.10."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

SECONDS = 600.0
MOST_BYTES = 64 * 1024 * 1024
"""Kept in memory at once; beyond it the oldest link ends early."""


@dataclass(frozen=True, slots=True)
class Pdf:
    """A rendered receipt. name: of the file, without its ending."""

    name: str
    content: bytes


class PdfLinks:
    """The links given in the last 10 minutes. now: monotonic seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._kept: OrderedDict[str, tuple[float, Pdf]] = OrderedDict()
        self._bytes = 0

    def give(self, pdf: Pdf) -> str:
        """The secret part of a new link."""
        secret = secrets.token_urlsafe(32)
        self._kept[secret] = (self._now() + SECONDS, pdf)
        self._bytes += len(pdf.content)
        self._forget()
        return secret

    def find(self, secret: str) -> Pdf | None:
        """The PDF of a link that still lives."""
        self._forget()
        kept = self._kept.get(secret)
        return None if kept is None else kept[1]

    def _forget(self) -> None:
        while self._kept:
            ends, pdf = next(iter(self._kept.values()))
            if ends > self._now() and self._bytes <= MOST_BYTES:
                return
            self._kept.popitem(last=False)
            self._bytes -= len(pdf.content)
