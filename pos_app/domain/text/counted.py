"""Counts in the English of the command line."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str = "") -> str:
    """A count with its noun: "1 receipt", "2 receipts", "2 entries". plural: "" where it only
    has an s more."""
    return f"{count} {noun if count == 1 else plural or f'{noun}s'}"
