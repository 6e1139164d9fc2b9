"""A current account in Serbia has 18 digits, the last two of them check digits.

Source: NBS "Preporuke" for the IPS QR code, tag R (three digits of the bank, thirteen of the
account with leading zeros, two of control); ISO 7064 MOD 97-10.
"""

from __future__ import annotations

import re

from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

_PARTS = re.compile(r"([0-9]{3})-([0-9]{1,13})-([0-9]{2})")
_PLAIN = re.compile(r"([0-9]{3})([0-9]{13})([0-9]{2})")


def mod_97_10_holds(digits: str) -> bool:
    """Whether the two check digits at the end fit the digits before them (ISO 7064)."""
    return int(digits) % 97 == 1


@dataclass(frozen=True, slots=True)
class BankAccount:
    """digits: all 18, the check digits last. Raises Invalid (kind: account, check)."""

    digits: str

    def __post_init__(self) -> None:
        if not _PLAIN.fullmatch(self.digits):
            raise Invalid("account")
        if not mod_97_10_holds(self.digits):
            raise Invalid("check.account", account=self)

    @classmethod
    def parse(cls, text: str) -> BankAccount:
        """Read "840-955845-10" or the 18 digits; blanks are ignored."""
        typed = re.sub(r"\s", "", text)
        parts = _PARTS.fullmatch(typed)
        return cls(f"{parts[1]}{parts[2]:0>13}{parts[3]}" if parts else typed)

    def __str__(self) -> str:
        """The printed form, without the leading zeros of the middle part."""
        return f"{self.digits[:3]}-{self.digits[3:16].lstrip('0') or '0'}-{self.digits[16:]}"
