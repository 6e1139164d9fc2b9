"""What is said beside a signed receipt: it is valid, and something about it is not as was asked.

Source: platform-contract.md 2.24.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class WarningCode(StrEnum):
    """What a program decides by; a code never changes its meaning."""

    UNKNOWN_MEMBER = "unknown_member"
    EMAIL_NOT_SENT = "email_not_sent"
    PDF_NOT_MADE = "pdf_not_made"
    GLYPH = "glyph"


@dataclass(frozen=True, slots=True)
class ReceiptWarning:
    """message: words for a person. field: path of the member that it is about, "items[0].sku"."""

    code: WarningCode
    message: str
    field: str


Warnings = tuple[ReceiptWarning, ...]
