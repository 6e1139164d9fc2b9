"""Tests of the structure, the rules and the texts of the product."""
