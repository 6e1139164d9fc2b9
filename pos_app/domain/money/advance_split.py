"""Splits an amount of an advance, paid in or given back, by tax label.

Sources: fiscal.md 6.2 (largest remainder), platform-api.md (advanceSpecification).
"""

from __future__ import annotations

from collections.abc import Mapping

from pos_app.domain.money.money import Money, spread
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid

Shares = Mapping[TaxLabel, Money]
SPECIFICATION = "advanceSpecification"


def split(amount: Money, to: Shares, *, given: Shares, at_most: Shares | None) -> Shares:
    """Split a payment by label: as the caller specified, else in proportion to `to`.

    given: the caller's own split, or empty. at_most: the most that each label may still take, or
    None while the final amount is unknown; the caller must then split an amount for several labels.
    Raises Invalid naming the member.
    """
    if given:
        return specified(given, amount, among=to, at_most=at_most)
    if len(to) == 1:
        return dict.fromkeys(to, amount)
    if at_most is None:
        raise specification_required()
    return in_proportion(amount, to, at_most=at_most)


def specified(given: Shares, amount: Money, *, among: Shares, at_most: Shares | None) -> Shares:
    """Return the caller's own split after its check. Raises Invalid for a label that `among` lacks,
    a sum that differs from the amount, and a share above `at_most`."""
    for label in given:
        if label not in among:
            field = f"{SPECIFICATION}.{label}"
            raise Invalid("split_label", field=field)
    if Money.total(given.values()) != amount:
        raise Invalid("split_sum", field=SPECIFICATION, amount=amount)
    for label, share in given.items():
        rest = share if at_most is None else at_most.get(label, Money.ZERO)
        if share > rest:
            field = f"{SPECIFICATION}.{label}"
            raise Invalid("split_share", field=field, share=share, rest=rest)
    return given


def specification_required() -> Invalid:
    return Invalid("split_required", field=SPECIFICATION)


def in_proportion(amount: Money, to: Shares, *, at_most: Shares) -> Shares:
    """Split the amount in proportion to `to`, with no share above `at_most`. The amount must not
    exceed the sum of `at_most`.

    100.00 to Ђ 200.00, Е 100.00 -> Ђ 66.67, Е 33.33. If a share would exceed what its label may
    still take, because earlier payments were rounded up, the amount is split in proportion to
    `at_most`.
    """
    shares = dict(zip(to, spread(amount, list(to.values())), strict=True))
    if all(share <= at_most.get(label, Money.ZERO) for label, share in shares.items()):
        return shares
    return dict(zip(at_most, spread(amount, list(at_most.values())), strict=True))
