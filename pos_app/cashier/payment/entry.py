"""An amount while it is typed: digits, one decimal mark (comma or point), two decimals.

Source: till.md ("Keys": comma and point are both decimal; in payment digits type an amount).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from pos_app.domain.money import Money
from pos_app.domain.number_text import amount_text, parse_amount

MOST_DIGITS = 9
"""Before the decimal mark: nobody pays a billion dinars at a counter."""
DECIMALS = 2
_SIGNS = frozenset({*"0123456789", "00", ",", "."})


class Origin(Enum):
    """How an amount came about; what was not typed is replaced by the next digit."""

    TYPED = auto()
    EXACT = auto()
    """The exact rest, filled in by a method, by "exact" or by Enter."""
    NOTES = auto()
    """Notes that were tapped: the next note is added to them."""
    KEPT = auto()
    """Given before the payment was left: it may be taken already."""


@dataclass(frozen=True, slots=True)
class AmountEntry:
    """One amount. text: digits with at most one comma, "" for nothing."""

    text: str = ""
    origin: Origin = Origin.TYPED

    @classmethod
    def exact(cls, amount: Money) -> AmountEntry:
        """The exact rest; nothing when nothing remains."""
        return cls(_plain(amount), Origin.EXACT) if amount > Money.ZERO else cls()

    @classmethod
    def kept(cls, amount: Money) -> AmountEntry:
        """What was given before the payment was left."""
        return cls(_plain(amount), Origin.KEPT) if amount > Money.ZERO else cls()

    @property
    def amount(self) -> Money:
        """What is typed, as money; zero while nothing is."""
        return parse_amount(self.text) if self.text.strip(",") else Money.ZERO

    @property
    def is_open(self) -> bool:
        """Whether another method may take its place: nothing in it was given by the customer."""
        return not self.text or self.origin is Origin.EXACT

    @property
    def shown(self) -> str:
        """As it stands in the field, with thousands: "1234,5" -> "1.234,5"."""
        if not self.text:
            return ""
        if self.origin not in (Origin.TYPED, Origin.KEPT):
            return amount_text(self.amount)
        whole, comma, decimals = self.text.partition(",")
        return f"{int(whole or 0):,}".replace(",", ".") + comma + decimals

    def key(self, key: str) -> AmountEntry:
        """After one key: a digit, "00", "," or ".", "back" or "clear"; others change nothing."""
        if key == "clear":
            return AmountEntry()
        if key == "back":
            return AmountEntry(self.text[:-1])
        if key not in _SIGNS:
            return self
        before = self.text if self.origin is Origin.TYPED else ""
        if key in {",", "."}:
            return AmountEntry(before if "," in before else f"{before or 0},")
        return AmountEntry(_with_digits(before, key))

    def note(self, value: Money) -> AmountEntry:
        """After a note: added to the notes before it, in place of anything else."""
        before = self.amount if self.origin is Origin.NOTES else Money.ZERO
        return AmountEntry(_plain(before + value), Origin.NOTES)


def _plain(amount: Money) -> str:
    return str(amount).replace(".", ",")


def _with_digits(before: str, digits: str) -> str:
    whole, comma, decimals = before.partition(",")
    if comma:
        return whole + comma + (decimals + digits)[:DECIMALS]
    longer = (whole + digits).lstrip("0") or "0"
    return longer if len(longer) <= MOST_DIGITS else before
