"""Receipts as PDF: typeface, sheets, pieces and pen."""
