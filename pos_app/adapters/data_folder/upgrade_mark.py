"""Marks of an upgrade under way. While `MARK` exists, the copies in `backups/` may be put back;
while `SETUP_MARK` exists, the setup program on Windows may put the earlier version back."""

from __future__ import annotations

from pathlib import Path

from pos_app.adapters.data_folder import TILL
from pos_app.errors import DataFolderNotWritable

BACKUPS = Path("backups")
ASIDE = "set-aside-"
"""The name of a folder in `BACKUPS` begins so, if it has the files that a set replaced."""
MARK = BACKUPS / "under-way.json"
SETUP_MARK = TILL.with_name("setup-under-way.txt")
"""packaging/windows/setup.nsi names the same file. The file lies where every user may remove it."""
RESTORE_MARK = BACKUPS / "restore-under-way.json"
"""While it is there, a set is being put back: a program that starts finishes that first."""


def take_mark_away(data: Path) -> None:
    """Remove the marks before a program writes to the databases. From then on no copy may be put
    back over the databases, and no earlier version, which would not understand them, may be
    installed again.

    Raises DataFolderNotWritable.
    """
    for mark in (MARK, SETUP_MARK):
        try:
            (data / mark).unlink(missing_ok=True)
        except OSError as error:
            raise DataFolderNotWritable.of((data / mark).parent, error) from error
