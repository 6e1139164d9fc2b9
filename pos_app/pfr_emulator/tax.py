"""The processor's own tax engine: gross amounts in, tax per label out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from pos_app.lazy_dataclass import dataclass
from pos_app.pfr_emulator.amounts import money, tax_amount
from pos_app.pfr_emulator.invoice import Item
from pos_app.pfr_emulator.rates import CategoryType, TaxLabel

_ZERO = Decimal(0)
_HUNDRED = Decimal(100)


@dataclass(frozen=True, slots=True)
class TaxItem:
    """The tax of one label over a whole invoice, in dinars to 4 decimals, never negative."""

    label: TaxLabel
    amount: Decimal


def tax_items(items: Iterable[Item], labels: Mapping[str, TaxLabel]) -> tuple[TaxItem, ...]:
    """Return the tax of every label that occurs, rounded once per label, in category order.

    | line total | quantity | labels                  | tax                |
    |------------|----------|-------------------------|--------------------|
    | 68.46      | 1        | A 9 %                   | A 5.6527           |
    | 730.00     | 1        | F 11 %                  | F 72.3423          |
    | 230.25     | 1        | A 9 %                   | A 19.0115          |
    | 26.00      | 1        | B 0 %, F 11 %           | B 0, F 2.5766      |
    | 1.00       | 1        | P 0.5 a unit, Ж 19 %    | P 0.5, Ж 0.0798    |
    """
    sums: dict[str, Decimal] = {}
    for item in items:
        for label, amount in _line_taxes(item, labels).items():
            sums[label] = sums.get(label, _ZERO) + amount
    taxes = (TaxItem(labels[label], tax_amount(amount)) for label, amount in sums.items())
    return tuple(sorted(taxes, key=lambda tax: (tax.label.order, tax.label.label)))


def total_tax(taxes: Iterable[TaxItem]) -> Decimal:
    """Return the whole tax of an invoice: the sum of its tax lines as printed, each to 2 decimals.
    10.3055 + 107.3250 = 10.31 + 107.33 = 117.64"""
    return sum((money(tax.amount) for tax in taxes), _ZERO)


def _line_taxes(item: Item, labels: Mapping[str, TaxLabel]) -> dict[str, Decimal]:
    """Return the unrounded tax per label of one line: per quantity first, then on total, then on
    net."""
    own = [labels[label] for label in item.labels]
    taxes = {
        tax.label: tax.rate * item.quantity
        for tax in own
        if tax.kind is CategoryType.AMOUNT_PER_QUANTITY
    }
    rest = item.total - sum(taxes.values(), _ZERO)
    for kind in (CategoryType.TAX_ON_TOTAL, CategoryType.TAX_ON_NET):
        shares = _shares(rest, [tax for tax in own if tax.kind is kind])
        rest -= sum(shares.values(), _ZERO)
        taxes |= shares
    return taxes


def _shares(gross: Decimal, taxes: list[TaxLabel]) -> dict[str, Decimal]:
    base = _HUNDRED + sum((tax.rate for tax in taxes), _ZERO)
    return {tax.label: gross * tax.rate / base for tax in taxes}
