"""Backups of a data folder: sets are made, listed, kept and put back."""
