"""Handing a receipt over: what the store offers is checked before anything is signed.

Source: platform-contract.md 2.14.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pos_app.domain.request import ReceiptDelivery
from pos_app.domain.states import JobMethod
from pos_app.errors import Invalid


class StoreRules(Protocol):
    """What the store's settings allow."""

    def print_methods(self) -> frozenset[str]:
        """Of thermal, a4 and email, those that the store offers."""
        ...


@dataclass(frozen=True, slots=True)
class Offered:
    """Implements StoreRules: what the store wants and this server has. here: its devices."""

    store: StoreRules
    here: frozenset[JobMethod]

    def print_methods(self) -> frozenset[str]:
        """Of thermal, a4 and email, those that the store offers and that are set up here."""
        return self.store.print_methods() & {method.value for method in self.here}


def check_delivery(delivery: ReceiptDelivery, store: StoreRules) -> None:
    """Raise Invalid, naming the field, for a delivery that can't be carried out."""
    asked = {
        "thermal": ("thermalPrinter", delivery.thermal),
        "a4": ("a4Printer", delivery.a4),
        "email": ("email", delivery.email is not None),
    }
    offered = store.print_methods()
    for method, (member, wanted) in asked.items():
        if wanted and method not in offered:
            field = f"receiptDelivery.{member}"
            raise Invalid(f'"{field}" is not offered by this store', field=field)
