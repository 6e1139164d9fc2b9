"""The forms in which real processors write the same answer, each on demand.

Nothing here changes the signed content, only its form: readers must treat all forms alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field

from pos_app.pfr_emulator.belgrade import BELGRADE

GUARANTEED = frozenset(
    {"sdcDateTime", "invoiceCounter", "invoiceNumber", "signedBy", "encryptedInternalData"}
)
_LONGEST_BUYER = 20


class Forms(BaseModel):
    """The form of an answer. The defaults are the most common forms."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    buyer: Literal["bare", "nul_left", "nul_right", "blanks"] = "bare"
    """The padding of the buyer in the verification URL to its 20 characters."""
    base64: Literal["percent_upper", "percent_lower", "plain"] = "percent_upper"
    """The base64 in the verification URL: percent-encoded with capital or small hex digits, or
    plain."""
    internal_bytes: Literal[256, 512] = 256
    """Length of the encrypted internal data."""
    zone: Literal["belgrade", "utc", "none"] = "belgrade"
    """The offset of sdcDateTime; without one it is Belgrade time."""
    fraction_digits: int = Field(default=3, ge=0, le=7)
    """Digits of sdcDateTime after the second."""
    requested_by: Literal["upper", "lower"] = "upper"
    """The case of the member requestedBy; in the invoice number the UID is always in capitals."""
    journal_header: Literal["plain", "centred"] = "plain"
    """The seller's lines in the journal: as they are, or centred in 40 columns and wrapped."""
    optional: Literal["told", "null", "absent"] = "told"

    def buyer_field(self, buyer: bytes) -> bytes:
        match self.buyer:
            case "nul_left" if buyer:
                return buyer.rjust(_LONGEST_BUYER, b"\0")
            case "nul_right" if buyer:
                return buyer.ljust(_LONGEST_BUYER, b"\0")
            case "blanks" if buyer:
                return buyer.rjust(_LONGEST_BUYER)
            case _:
                return buyer

    def in_url(self, text: str) -> str:
        match self.base64:
            case "plain":
                return text
            case "percent_lower":
                return (
                    quote(text, safe="")
                    .replace("%2B", "%2b")
                    .replace("%2F", "%2f")
                    .replace("%3D", "%3d")
                )
            case _:
                return quote(text, safe="")

    def requester(self, uid: str) -> str:
        return uid.lower() if self.requested_by == "lower" else uid

    def time(self, at: datetime) -> str:
        local = at.astimezone(UTC if self.zone == "utc" else BELGRADE)
        offset = "" if self.zone == "none" else local.isoformat(timespec="seconds")[19:]
        digits = f"{local.microsecond:06}0"[: self.fraction_digits]
        return f"{local:%Y-%m-%dT%H:%M:%S}{'.' if digits else ''}{digits}{offset}"

    def shaped(self, answer: Mapping[str, object]) -> dict[str, object]:
        if self.optional == "told":
            return dict(answer)
        guaranteed = {name: value for name, value in answer.items() if name in GUARANTEED}
        return guaranteed if self.optional == "absent" else dict.fromkeys(answer) | guaranteed


USUAL = Forms()
