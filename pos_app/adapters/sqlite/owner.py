"""Keeps the owner of a shop's database in its table of names and values.

An installation's own file, `install.json`, may be lost or come from another shop; it is made anew
from the values in the databases. They also show which databases do not belong together. The token
is not among them: no database may give access to the till.
"""

from __future__ import annotations

from collections.abc import Mapping

import apsw

NAMES = ("install_id", "till_id", "environment")
_READ = "SELECT name, value FROM meta WHERE name IN (?, ?, ?)"


def owner_of(connection: apsw.Connection) -> dict[str, str]:
    """Return the known values by NAMES; none before they were kept. Raises apsw.Error."""
    return dict(connection.execute(_READ, NAMES))


def is_kept(connection: apsw.Connection) -> bool:
    """Tell whether the file has an owner; it never gets another. Raises apsw.Error."""
    return len(owner_of(connection)) == len(NAMES)


def keep_owner(connection: apsw.Connection, owner: Mapping[str, str]) -> None:
    """Write the owner within the transaction under way. Raises apsw.Error."""
    rows = [(name, owner[name]) for name in NAMES]
    connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", rows)
