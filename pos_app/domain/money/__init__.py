"""Amounts, tax, means of payment, discounts."""
