"""The rights and terms of a key of a platform account. Source: platform-contract.md 5."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field
from enum import StrEnum

from pos_app.lazy_dataclass import dataclass


class KeyScope(StrEnum):
    CATALOGUE = "catalogue"
    """The key gives access to stores, products, units, categories and files."""
    FISCALIZATION = "fiscalization"
    """The key gives access to receipts."""
    APPLICATION = "application"
    """The key gives an installation of the till access to keys, clients, cashiers and the relay."""


@dataclass(frozen=True, slots=True)
class KeyTerms:
    """These terms never change. each_order_is_a_sale: an order without Idempotency-Key is never
    taken for a repetition of an identical one. one_client: only the application that first connects
    with the key may use it."""

    name: str = field(metadata={"min_length": 1, "max_length": 100})
    scopes: Collection[KeyScope] = field(metadata={"min_length": 1})
    each_order_is_a_sale: bool = False
    one_client: bool = False
