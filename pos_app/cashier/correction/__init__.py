"""Correction of a receipt whose payment or buyer is wrong: one job with three parts."""
