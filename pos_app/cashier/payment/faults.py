"""What keeps a payment from being confirmed, told at its place; the screens find the words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pos_app.errors import Invalid


class FaultPlace(StrEnum):
    """Where on the panel something is wrong."""

    LINES = "lines"
    BUYER = "buyer"
    COST_CENTRE = "cost_centre"
    DELIVERY = "delivery"
    ADVANCE = "advance"
    WIRE_TIME = "wire_time"
    TEXT = "text"
    DISCOUNT = "discount"


@dataclass(frozen=True, slots=True)
class PaymentFault:
    """One thing that is wrong. kind: stable name that is translated with `values`."""

    place: FaultPlace
    kind: str
    values: Mapping[str, object] = field(default_factory=dict)
    what: str = ""
    """English, where the kind has no translation; never a number of a person."""

    @classmethod
    def of(cls, place: FaultPlace, error: Invalid) -> PaymentFault:
        """The fault that the domain told."""
        kind = str(error.values.get("kind", ""))
        return cls(place, kind, dict(error.values), error.what)
