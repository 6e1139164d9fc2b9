"""The items of an advance receipt. Source: fiscal.md 6.2."""

from __future__ import annotations

from pos_app.domain.advance_split import Shares
from pos_app.domain.fiscal_document import FiscalLine
from pos_app.domain.money import Quantity
from pos_app.domain.pricing import ADVANCE_NAMES


def advance_lines(shares: Shares) -> tuple[FiscalLine, ...]:
    return tuple(
        FiscalLine(ADVANCE_NAMES[label], label, Quantity.ONE, amount, amount)
        for label, amount in shares.items()
        if amount
    )
