"""Figures of this machine; no tests."""
