"""What is known of one secure element from one receipt to the next."""

from __future__ import annotations

from dataclasses import dataclass

UNNAMED = ""
"""The lane of a processor that has not told its element yet."""


@dataclass(frozen=True, slots=True)
class LaneState:
    """A lane is a secure element: `name` is its UID, "" where none was told.

    counter: as last seen, None when to be taken anew. is_counted: it has told its counter once
    (L-PFR); from then on nothing is sent without it. place: the address where it was sent to last,
    None before the first.
    """

    name: str
    uid: str | None = None
    tin: str | None = None
    counter: int | None = None
    is_counted: bool = False
    place: str | None = None

    @property
    def explained(self) -> int | None:
        """How far this journal explains the counter: of an element that it never sent anything to,
        nothing that was signed is its own. None where it can't be told."""
        return 0 if self.counter is None and self.place is None else self.counter

    def explains(self, counter: int | None) -> bool:
        """Whether all that an element with this counter has signed is of this journal."""
        known = self.explained
        return known is not None and counter is not None and counter <= known
