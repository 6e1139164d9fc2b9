"""Restores Python's own import, which PySide6 replaces, when this module is loaded.

PySide6's import searches the source of each imported module for a use of its `__feature__`, and all
lines stay in `linecache`. For the modules of a till this takes 15 MiB, and 50 of the 580 ms of
processor time at the start. Nothing here uses `__feature__`. PySide6 still makes a class when it is
first asked for.
"""

import builtins
import linecache

from PySide6 import QtCore as _qt_core  # noqa: F401 - it replaces Python's import

builtins.__import__ = vars(builtins).get("__orig_import__", builtins.__import__)
linecache.clearcache()
