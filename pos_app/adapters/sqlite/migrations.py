"""The numbered steps that make the tables of a file of ours.

A step is SQL, and is frozen once released. The first one makes all tables of version 4.0.0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import apsw

FIRST_VERSION = 400
"""The version of a file that the first step made. Builds before the first release numbered their
files from 1 on; those are not read."""

_MARK = """
CREATE TABLE IF NOT EXISTS made_by (one INTEGER PRIMARY KEY CHECK (one = 1), steps TEXT NOT NULL)
STRICT
"""
"""It names the steps that made the tables: the version alone does not distinguish builds."""


def version_after(migrations: Sequence[str]) -> int:
    """Return the version of a file that these steps made; 0 where there are none."""
    return FIRST_VERSION - 1 + len(migrations) if migrations else 0


def steps_until(version: int, migrations: Sequence[str]) -> Sequence[str]:
    """Return the steps that made a file of this version."""
    return migrations[: max(0, version - FIRST_VERSION + 1)]


def migrate(connection: apsw.Connection, migrations: Sequence[str], *, version: int = 0) -> None:
    """Run the steps that a file of this version lacks, and write the mark of all, in a
    transaction."""
    for step in migrations[len(steps_until(version, migrations)) :]:
        connection.execute(step)
    connection.execute(_MARK)
    connection.execute("INSERT OR REPLACE INTO made_by VALUES (1, ?)", (mark_of(migrations),))
    connection.execute(f"PRAGMA user_version={version_after(migrations)}")


def mark_of(migrations: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(migrations).encode()).hexdigest()
