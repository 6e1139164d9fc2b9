"""What is known of one lane's secure element from one receipt to the next."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LaneFacts:
    """What is known of a secure element. counter: as last seen, None when to be taken anew.

    is_counted: it has told its counter once (L-PFR). From then on nothing is sent without it.
    """

    name: str
    uid: str | None = None
    tin: str | None = None
    counter: int | None = None
    is_counted: bool = False
