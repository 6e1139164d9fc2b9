"""What a key of a platform account is made for. Source: platform-contract.md 5."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from pos_app.lazy_dataclass import dataclass


class KeyScope(StrEnum):
    CATALOGUE = "catalogue"
    """Stores, products, units, categories and files."""
    FISCALIZATION = "fiscalization"
    """Receipts."""
    APPLICATION = "application"
    """What an installation of the till needs: keys, clients, cashiers and the relay."""


@dataclass(frozen=True, slots=True)
class KeyTerms:
    """What is said of a key when it is made, and does not change.

    each_order_is_a_sale: an order that comes without Idempotency-Key is never taken for a
    repetition of an identical one. one_client: the application that connects with it first is the
    only one that may.
    """

    name: str
    scopes: Collection[KeyScope]
    each_order_is_a_sale: bool = False
    one_client: bool = False
