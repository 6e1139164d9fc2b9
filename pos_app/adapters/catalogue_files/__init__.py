"""Imports and exports of catalogue files, in a process of their own."""
