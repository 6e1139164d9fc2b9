"""The numbered steps that make the tables of a file of ours.

A step is SQL; its number is its position in the list, from 1. It is frozen once released.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import apsw

_MARK = """
CREATE TABLE IF NOT EXISTS made_by (one INTEGER PRIMARY KEY CHECK (one = 1), steps TEXT NOT NULL)
STRICT
"""
"""It names the steps that made the tables: the version alone does not distinguish builds."""


def migrate(connection: apsw.Connection, migrations: Sequence[str], *, known: int = 0) -> None:
    """Run the steps after the first `known`, and write the mark of all, in a transaction."""
    for step in migrations[known:]:
        connection.execute(step)
    connection.execute(_MARK)
    connection.execute("INSERT OR REPLACE INTO made_by VALUES (1, ?)", (mark_of(migrations),))
    connection.execute(f"PRAGMA user_version={len(migrations)}")


def mark_of(migrations: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(migrations).encode()).hexdigest()
