"""What a key of a platform account may be used for. Source: platform-contract.md 5."""

from __future__ import annotations

from enum import StrEnum


class KeyScope(StrEnum):
    CATALOGUE = "catalogue"
    """Stores, products, units, categories and files."""
    FISCALIZATION = "fiscalization"
    """Receipts."""
    APPLICATION = "application"
    """What an installation of the till needs: keys, clients, cashiers and the relay."""
