"""Warnings beside a signed receipt: it is valid, but something was not done as asked.

Source: platform-contract.md 2.24.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class WarningCode(StrEnum):
    """For programs: a code never changes its meaning."""

    UNKNOWN_MEMBER = "unknown_member"
    EMAIL_NOT_SENT = "email_not_sent"
    PDF_NOT_MADE = "pdf_not_made"
    GLYPH = "glyph"


@dataclass(frozen=True, slots=True)
class ReceiptWarning:
    """message: text for a person. field: path of the member that it is about, "items[0].sku"."""

    code: WarningCode
    message: str
    field: str


Warnings = tuple[ReceiptWarning, ...]
