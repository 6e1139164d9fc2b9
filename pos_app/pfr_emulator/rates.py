"""The tax rate tables, and the group in force at an instant."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from enum import IntEnum

from pos_app.lazy_dataclass import dataclass
from pos_app.pfr_emulator.belgrade import BELGRADE

RateTable = tuple["RateGroup", ...]


class CategoryType(IntEnum):
    """The values are the protocol's."""

    TAX_ON_NET = 0
    TAX_ON_TOTAL = 1
    AMOUNT_PER_QUANTITY = 2

    @property
    def protocol_name(self) -> str:
        """The name that some L-PFRs send instead of the number: `TaxOnNet`."""
        return self.name.title().replace("_", "")


@dataclass(frozen=True, slots=True)
class TaxCategory:
    """A tax with its rates by label: per cent, or dinars a unit for AMOUNT_PER_QUANTITY."""

    name: str
    kind: CategoryType
    rates: Mapping[str, Decimal]


@dataclass(frozen=True, slots=True)
class TaxLabel:
    """One label of a group in force. `order` is the position of its category."""

    label: str
    rate: Decimal
    category: str
    kind: CategoryType
    order: int


@dataclass(frozen=True, slots=True)
class RateGroup:
    """The taxes that are in force from `valid_from` until the next group begins."""

    group_id: int
    valid_from: datetime
    categories: tuple[TaxCategory, ...]

    def labels(self) -> dict[str, TaxLabel]:
        return {
            label: TaxLabel(label, rate, category.name, category.kind, order)
            for order, category in enumerate(self.categories, start=1)
            for label, rate in category.rates.items()
        }


def in_force(table: RateTable, at: datetime) -> RateGroup:
    """Return the latest group that began at or before `at`; if none, the oldest."""
    begun = [group for group in table if group.valid_from <= at]
    if not begun:
        return min(table, key=lambda group: group.valid_from)
    return max(begun, key=lambda group: group.valid_from)


def _net(name: str, rates: Mapping[str, str]) -> TaxCategory:
    return TaxCategory(name, CategoryType.TAX_ON_NET, _exact(rates))


def _exact(rates: Mapping[str, str]) -> dict[str, Decimal]:
    return {label: Decimal(rate) for label, rate in rates.items()}


def _vat_group(group_id: int, year: int, *, general: str, special: str) -> RateGroup:
    # Ђ U+0402, Е U+0415, Г U+0413, А U+0410 are Cyrillic.
    categories = (
        _net("О-ПДВ", {"Ђ": general}),
        _net("П-ПДВ", {"Е": special}),
        _net("Без ПДВ", {"Г": "0"}),
        _net("Није у ПДВ", {"А": "0"}),
    )
    return RateGroup(group_id, datetime(year, 1, 1, tzinfo=BELGRADE), categories)


PRODUCTION_RATES: RateTable = (
    _vat_group(1, 2012, general="20", special="8"),
    _vat_group(2, 2014, general="20", special="10"),
    # An invented future group, so far ahead that it never comes into force here.
    _vat_group(3, 2099, general="22", special="12"),
)

SANDBOX_RATES: RateTable = (
    RateGroup(
        1,
        datetime(2017, 1, 1, tzinfo=BELGRADE),
        (
            _net("ECAL", {"F": "11"}),
            _net("N-TAX", {"N": "0"}),
            TaxCategory("PBL", CategoryType.AMOUNT_PER_QUANTITY, _exact({"P": "0.50"})),
            _net("STT", {"E": "6"}),
            TaxCategory("TOTL", CategoryType.TAX_ON_TOTAL, _exact({"T": "2"})),
            # A, B and E are Latin here; Ж is Cyrillic.
            _net("VAT", {"A": "9", "B": "0", "Ж": "19"}),
            _net("VAT-EXCL", {"C": "0"}),
        ),
    ),
)
