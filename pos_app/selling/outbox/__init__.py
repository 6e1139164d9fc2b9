"""Brings each confirmed sale to its one receipt."""
