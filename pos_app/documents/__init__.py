"""Lays out printed documents. The code is pure: nothing here prints or writes a file."""
