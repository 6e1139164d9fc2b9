"""Rounding of amounts: decimal and half up, as the processor does it everywhere."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

_CENT = Decimal("0.01")
_TAX_STEP = Decimal("0.0001")


def money(value: Decimal) -> Decimal:
    """Round to 2 decimals, half up:
    5.1 -> 5.10, 10.267 -> 10.27, 20.143 -> 20.14, 0.123 x 9.90 -> 1.22, 0.123 x 9.95 -> 1.22"""
    return value.quantize(_CENT, ROUND_HALF_UP)


def tax_amount(value: Decimal) -> Decimal:
    """Round to the 4 decimals of a tax item, half up: 5.652660 -> 5.6527."""
    return value.quantize(_TAX_STEP, ROUND_HALF_UP)


def decimals(value: Decimal) -> int:
    """Count decimals without trailing zeros: 1.50 has one."""
    exponent = value.normalize().as_tuple().exponent
    assert isinstance(exponent, int), "NaN and infinity never get here"
    return max(0, -exponent)
