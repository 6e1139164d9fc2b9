"""Restores Python's own import once this module is loaded: PySide6 replaces it by one that reads.

PySide6 searches the source of each imported module for a use of its `__feature__`, and all lines
stay in `linecache`: 15 MiB for the modules of a till, and 50 of 580 ms of processor at its start.
Nothing here uses `__feature__`. PySide6 still makes a class when it is first asked for.
"""

import builtins
import linecache

from PySide6 import QtCore as _qt_core  # noqa: F401 - it replaces Python's import

builtins.__import__ = vars(builtins).get("__orig_import__", builtins.__import__)
linecache.clearcache()
