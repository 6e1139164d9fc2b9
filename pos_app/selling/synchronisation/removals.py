"""How much of a catalogue a list may remove by itself. Source: platform-contract.md 6."""

from __future__ import annotations


def removals_wait(*, gone: int, known: int) -> bool:
    """Whether so many articles gone at once wait for a manager: 5 or 10 %, whichever is more."""
    return gone >= 5 and gone * 10 >= known
