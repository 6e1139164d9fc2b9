"""An amount of an advance, paid in or given back, split by tax label.

Source: fiscal.md 6.2 (largest remainder), platform-api.md (advanceSpecification).
"""

from __future__ import annotations

from collections.abc import Mapping

from pos_app.domain.fiscal_document import FiscalLine
from pos_app.domain.money import Money, Quantity, spread
from pos_app.domain.pricing import ADVANCE_NAMES
from pos_app.domain.tax import TaxLabel
from pos_app.errors import Invalid

Shares = Mapping[TaxLabel, Money]
SPECIFICATION = "advanceSpecification"


def advance_lines(shares: Shares) -> tuple[FiscalLine, ...]:
    """One line a label, quantity 1, under the name that the law gives it."""
    return tuple(
        FiscalLine(ADVANCE_NAMES[label], label, Quantity.ONE, amount, amount)
        for label, amount in shares.items()
        if amount
    )


def specified(given: Shares, amount: Money, *, among: Shares, at_most: Shares | None) -> Shares:
    """A caller's own split. Raises Invalid for a label that `among` has not, a sum that differs
    from the amount, and a share above `at_most`."""
    for label, share in given.items():
        field = f"{SPECIFICATION}.{label}"
        if label not in among:
            raise Invalid(f'"{field}" is a label that no item has', field=field)
        if at_most is not None and share > at_most.get(label, Money.ZERO):
            rest = at_most.get(label, Money.ZERO)
            raise Invalid(f'"{field}" {share} exceeds what is left of it: {rest}', field=field)
    if Money.total(given.values()) != amount:
        raise Invalid(
            f'"{SPECIFICATION}" must add up to the payments {amount}', field=SPECIFICATION
        )
    return given


def in_proportion(amount: Money, to: Shares, *, at_most: Shares) -> Shares:
    """The amount split in proportion to `to`, no share above `at_most` (whose sum it fits in).

    100.00 to Ђ 200.00, Е 100.00 -> Ђ 66.67, Е 33.33. Rounding may have favoured a label in the
    payments before; where a share would exceed what is left, what is left is the measure.
    """
    shares = dict(zip(to, spread(amount, list(to.values())), strict=True))
    if all(share <= at_most.get(label, Money.ZERO) for label, share in shares.items()):
        return shares
    return dict(zip(at_most, spread(amount, list(at_most.values())), strict=True))
