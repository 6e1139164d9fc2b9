"""The limit of removals that a list may make by itself. Source: platform-contract.md 6."""

from __future__ import annotations


def removals_wait(*, gone: int, known: int) -> bool:
    """Whether so many removals at once wait for a manager: 5 or 10 %, whichever is more."""
    return gone >= 5 and gone * 10 >= known
