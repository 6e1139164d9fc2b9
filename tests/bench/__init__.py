"""Measurements of this machine; none of them is a test."""
