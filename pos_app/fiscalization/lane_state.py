"""What the journal stores about one secure element between receipts."""

from __future__ import annotations

from dataclasses import dataclass

UNNAMED = ""
"""The lane of a processor that has not named its element yet."""


@dataclass(frozen=True, slots=True)
class LaneState:
    """A lane is a secure element: `name` is its UID, "" where it is not known.

    counter: as last seen, None when it must be read anew. is_counted: it reported its counter once
    (L-PFR); from then on nothing is sent without it. place: the address of the last sending, None
    before the first.
    """

    name: str
    uid: str | None = None
    tin: str | None = None
    counter: int | None = None
    is_counted: bool = False
    place: str | None = None

    @property
    def explained(self) -> int | None:
        """Up to which counter value all receipts are in this journal; None where not known.

        0 for an element that nothing was ever sent to.
        """
        return 0 if self.counter is None and self.place is None else self.counter

    def explains(self, counter: int | None) -> bool:
        known = self.explained
        return known is not None and counter is not None and counter <= known
