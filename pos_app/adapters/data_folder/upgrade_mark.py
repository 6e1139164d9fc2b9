"""Marks of an upgrade under way. While `MARK` exists, the copies in `backups/` may be put back;
while `SETUP_MARK` exists, the setup program on Windows may put the earlier version back."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from pos_app import __version__, log
from pos_app.adapters.data_folder import TILL
from pos_app.adapters.data_folder.private_files import write_private
from pos_app.errors import DataFolderNotWritable

BACKUPS = Path("backups")
ASIDE = "set-aside-"
"""The name of a folder in `BACKUPS` begins so, if it has the files that a set replaced."""
MARK = BACKUPS / "under-way.json"
SETUP_MARK = TILL.with_name("setup-under-way.txt")
"""packaging/windows/setup.nsi names the same file. The file lies where every user may remove it."""
RESTORE_MARK = BACKUPS / "restore-under-way.json"
"""While it is there, a set is being put back: a program that starts finishes that first."""
OPENED_BY = Path("opened-by.txt")
"""The version of the program that opened the databases last."""

_log = log.get(__name__)


def opened_by(data: Path) -> str:
    """Return the version that opened the databases last; "" where it is not known."""
    try:
        return (data / OPENED_BY).read_text("utf-8").strip()
    except (OSError, ValueError):
        return ""


def note_version(data: Path) -> None:
    """Note that this version opened the databases, and when. Where that can't be written, the copy
    of this version that is there counts (`sqlite.shop_upgrade`)."""
    if opened_by(data) == __version__:
        with suppress(OSError):
            os.utime(data / OPENED_BY)
        return
    try:
        write_private(data / OPENED_BY, f"{__version__}\n".encode())
    except DataFolderNotWritable as error:
        _log.warning("the version that opened the databases can't be noted: %s", error)


def take_mark_away(data: Path) -> None:
    """Remove the marks before a program writes to the databases, and note its version. From then on
    no copy may be put back over the databases, and no earlier version, which would not understand
    them, may be installed again.

    Raises DataFolderNotWritable.
    """
    for mark in (MARK, SETUP_MARK):
        try:
            (data / mark).unlink(missing_ok=True)
        except OSError as error:
            raise DataFolderNotWritable.of((data / mark).parent, error) from error
    note_version(data)
