"""How much of a catalogue a list may remove by itself. Source: platform-contract.md 6."""

from __future__ import annotations


def removals_wait(*, gone: int, known: int) -> bool:
    """Whether so many articles gone at once wait for a manager: above 50, or above 2 %."""
    return gone > 50 or gone * 50 > known
