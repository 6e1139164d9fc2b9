"""Whose a database of a shop is, as it keeps in its table of names and values.

An installation's own file, `install.json`, may be lost or come from another shop; what the
databases keep of it makes it anew, and shows which of them do not belong together. The token is not
among it: no database may open the till's door.
"""

from __future__ import annotations

from collections.abc import Mapping

import apsw

NAMES = ("install_id", "till_id", "environment")
_READ = "SELECT name, value FROM meta WHERE name IN (?, ?, ?)"


def owner_of(connection: apsw.Connection) -> dict[str, str]:
    """What is known of it, by NAMES; nothing in a file of an earlier version. Raises apsw.Error."""
    return dict(connection.execute(_READ, NAMES))


def is_kept(connection: apsw.Connection) -> bool:
    """Whether the file has an owner; it never gets another. Raises apsw.Error."""
    return len(owner_of(connection)) == len(NAMES)


def keep_owner(connection: apsw.Connection, owner: Mapping[str, str]) -> None:
    """Within the transaction under way. Raises apsw.Error."""
    rows = [(name, owner[name]) for name in NAMES]
    connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", rows)
