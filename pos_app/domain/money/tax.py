"""Tax labels, rates with their validity, and the tax contained in a gross amount.

The processor alone decides the tax of a receipt. The till shows the tax computed here before that.
Source: fiscal.md 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

from pos_app.domain.money.money import Money, half_up
from pos_app.lazy_dataclass import dataclass

_FOUR_DECIMALS = Decimal("0.0001")
_NOT_IN_VAT = frozenset({"није у пдв", "nije u pdv", "vat-excl"})
"""Names of production and of the tax administration's sandbox, in small letters."""


class TaxLabel(StrEnum):
    """The labels of production, Cyrillic letters compared by code point."""

    DJ = "\u0402"
    """Ђ: О-ПДВ."""
    E = "\u0415"
    """Е: П-ПДВ."""
    G = "\u0413"
    """Г: Без ПДВ."""
    A = "\u0410"
    """А: Није у ПДВ."""


PUBLISHED_RATES: Mapping[TaxLabel, Decimal] = MappingProxyType(
    {
        TaxLabel.DJ: Decimal(20),
        TaxLabel.E: Decimal(10),
        TaxLabel.G: Decimal(0),
        TaxLabel.A: Decimal(0),
    }
)
"""The rates of 2026 in percent. They only replace missing rates of a processor."""


def usual_label(*, in_vat: bool) -> TaxLabel:
    """The default label of a new article."""
    return TaxLabel.DJ if in_vat else TaxLabel.A


def label_of_all(*, in_vat: bool) -> TaxLabel | None:
    """The label that every article of a shop has, or None where each has its own. A shop outside
    the system of VAT may not show any VAT: fiscal.md 2."""
    return None if in_vat else usual_label(in_vat=False)


def labels_of_shop(*, in_vat: bool) -> tuple[TaxLabel, ...]:
    """The labels that a shop may give its articles. A shop in VAT sells some goods with А too:
    such that the law on VAT does not speak of."""
    return tuple(label for label in TaxLabel if in_vat or not is_of_vat(label))


def says_not_in_vat(category: str) -> bool:
    """Whether the name of a processor's category of taxes says that the seller is not in VAT."""
    return category.strip().casefold() in _NOT_IN_VAT


def doubtful_labels(*, in_vat: bool) -> tuple[TaxLabel, ...]:
    """The labels of articles that were probably labelled before the shop entered or left VAT."""
    return tuple(label for label in TaxLabel if is_of_vat(label) is not in_vat)


def is_of_vat(label: TaxLabel) -> bool:
    """Whether a label says that the seller is in the system of VAT. Г does too: it says that the
    law frees such a seller's goods from VAT. А alone says "not in VAT" (fiscal.md 2)."""
    return label is not TaxLabel.A


@dataclass(frozen=True, slots=True)
class TaxRates:
    """Rates in percent by label, valid from an instant (UTC) until the next group's. outside_vat:
    the labels whose category says that the seller is not in the system of VAT."""

    valid_from: datetime
    percent: Mapping[str, Decimal]
    outside_vat: tuple[str, ...] = ()

    @property
    def label_outside_vat(self) -> str | None:
        """The label for a seller outside VAT: А where the processor offers it, else the only other
        one whose category says so. It is None where none or several do, and where that one is a
        label of ours that says something else."""
        if TaxLabel.A in self.percent:
            return TaxLabel.A.value
        (label, *others) = self.outside_vat or ("",)
        return None if others or not label or label in set(TaxLabel) else label


def rates_at(groups: Iterable[TaxRates], moment: datetime) -> TaxRates | None:
    """The group in force at `moment` (UTC): the latest one that has begun, or None."""
    begun = [group for group in groups if group.valid_from <= moment]
    return max(begun, key=lambda group: group.valid_from, default=None)


def rates_by_label(groups: Iterable[TaxRates], moment: datetime) -> Mapping[TaxLabel, Decimal]:
    """The rate of each label at `moment` (UTC), in percent: the processor's from `groups`, else the
    published one."""
    tax_rates = rates_at(groups, moment)
    percent: Mapping[str, Decimal] = tax_rates.percent if tax_rates is not None else {}
    return {label: percent.get(label, PUBLISHED_RATES[label]) for label in TaxLabel}


def tax_within(gross: Money, percent: Decimal) -> Decimal:
    """The tax contained in a gross amount, 4 decimals, half up: r × rate / (100 + rate).

    | gross  | rate | tax     |
    | 68.46  | 9    | 5.6527  |
    | 730.00 | 11   | 72.3423 |
    | 230.25 | 9    | 19.0115 |
    """
    return half_up(gross.amount * percent / (100 + percent), _FOUR_DECIMALS)


def tax_total(by_label: Mapping[str, Money], rates: TaxRates) -> Money | None:
    """The tax in amounts by label, to be shown, or None where the rate of one is unknown."""
    if not by_label.keys() <= rates.percent.keys():
        return None
    return printed_total(
        tax_within(gross, rates.percent[label]) for label, gross in by_label.items()
    )


def printed_total(taxes: Iterable[Decimal]) -> Money:
    """The total of tax on a receipt: the sum of its tax lines as printed, one for each label.
    10.3055 and 107.3250 -> 10.31 + 107.33 = 117.64"""
    return Money.total(Money.rounded(tax) for tax in taxes)
