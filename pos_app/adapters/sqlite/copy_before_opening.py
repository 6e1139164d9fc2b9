"""Has a shop copied before a program of another version opens it.

Each program asks this at its start, so that little is imported here until a copy is needed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import apsw

from pos_app import __version__
from pos_app.adapters.data_folder import CATALOGUE, JOURNAL, TILL
from pos_app.adapters.data_folder.upgrade_mark import opened_by
from pos_app.adapters.sqlite.catalogue.schema import MIGRATIONS as CATALOGUE_MIGRATIONS
from pos_app.adapters.sqlite.database import FileVersion, numbered_version, open_reader, version_of
from pos_app.adapters.sqlite.journal.schema import MIGRATIONS as JOURNAL_MIGRATIONS
from pos_app.adapters.sqlite.till.schema import TILL_MIGRATIONS
from pos_app.errors import DatabaseDamaged, MachineError

MIGRATIONS = {JOURNAL: JOURNAL_MIGRATIONS, TILL: TILL_MIGRATIONS, CATALOGUE: CATALOGUE_MIGRATIONS}
"""The migrations of each database of a shop, by its path within the data folder."""
EARLIER = frozenset({FileVersion.UNRELEASED, FileVersion.OLDER})
"""Files of these versions lack migrations."""


def copy_before_opening(data: Path) -> None:
    """Copy a shop aside before a program opens databases that another version opened last, or whose
    tables are an earlier version's: a package of Linux knows no shop. On Windows setup has done so
    at each update (`pos-app upgrade`). While another program makes a copy, this one waits for it. A
    shop that can't be copied is opened all the same, because it has to sell; a damaged file is told
    by the program that opens it."""
    if is_to_be_copied(data):
        from pos_app.adapters.sqlite.shop_upgrade import copy_once  # noqa: PLC0415 - few copy

        copy_once(data)


def is_to_be_copied(data: Path) -> bool:
    """Tell whether a program that opens the shop now has to copy it before."""
    if sys.platform == "win32" or not is_of_another_version(data):
        return False
    from pos_app.adapters.sqlite.shop_upgrade import is_copied  # noqa: PLC0415 - few copy

    return not is_copied(data)


def is_of_another_version(data: Path) -> bool:
    """Tell whether another version opened the databases last, or one of them lacks migrations.
    False where a newer version wrote one: this version leaves the shop as it is."""
    existing = [name for name in MIGRATIONS if (data / name).exists()]
    versions = [version_at(data / name, MIGRATIONS[name]) for name in existing]
    if not existing or FileVersion.NEWER in versions:
        return False
    return opened_by(data) != __version__ or not EARLIER.isdisjoint(versions)


def is_unreleased(data: Path) -> bool:
    """Tell whether a build before the first release made tables of the folder, which number these
    as this version does, or lower."""
    return any(_is_unreleased(data / name, steps) for name, steps in MIGRATIONS.items())


def _is_unreleased(path: Path, migrations: Sequence[str]) -> bool:
    try:
        with closing(open_reader(path)) as connection:
            version_of(connection, path, migrations)
    except (apsw.Error, MachineError) as error:
        return isinstance(error, DatabaseDamaged) and error.kind == "unreleased"
    return False


def version_at(path: Path, migrations: Sequence[str]) -> FileVersion | None:
    """Tell by its number which version made a database; None where it is not there, is another
    program's or can't be read, which the program that opens it tells."""
    try:
        with closing(open_reader(path)) as connection:
            return numbered_version(connection.pragma("user_version"), migrations)
    except (apsw.Error, MachineError):
        return None
