"""Remembers in `catalogue.db` the platform's last list, and when the platform answered."""

from __future__ import annotations

from datetime import datetime

import apsw

from pos_app.adapters.sqlite.catalogue.rows import first
from pos_app.adapters.sqlite.catalogue.schema import FILE_NAME
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.stored_values import moment_text
from pos_app.selling.synchronisation.run import UNREAD, KnownList

_KNOWN = "SELECT etag, since, refuses_since, versions FROM platform WHERE origin = ?"
_BEGIN = """
INSERT INTO platform (one, origin) VALUES (1, ?)
    ON CONFLICT DO UPDATE SET origin = excluded.origin, etag = '', since = '', refuses_since = 0,
        versions = 0, parts = '',
        checked_at = NULL, away_since = NULL, fault = ''
"""
_REMEMBER = """
UPDATE platform SET etag = ?, since = ?, refuses_since = ?, versions = ? WHERE origin = ?
"""
_TAKEN = "UPDATE platform SET etag = ? WHERE versions AND etag <> ''"
_ANSWERED = "UPDATE platform SET checked_at = ?, away_since = NULL, fault = '' WHERE origin = ?"
_AWAY = """
UPDATE platform SET away_since = coalesce(away_since, ?), fault = ? WHERE origin = ?
"""


@translated_errors(FILE_NAME)
def is_platforms(connection: apsw.Connection) -> bool:
    return first(connection, "SELECT 1 FROM platform WHERE parts <> ''") is not None


def note_taken(connection: apsw.Connection) -> None:
    """Note that the platform took a change, which no list has shown so far. It runs within a
    transaction."""
    connection.execute(_TAKEN, (UNREAD,))


class PlatformMemory:
    """The memory of the platform `origin`."""

    def __init__(self, connection: apsw.Connection, *, origin: str) -> None:
        self._connection = connection
        self._origin = origin

    @translated_errors(FILE_NAME)
    def known(self) -> KnownList:
        """Return the facts of the last list. Those of another platform are forgotten."""
        row = first(self._connection, _KNOWN, (self._origin,))
        if row is not None:
            return KnownList(row[0], row[1], bool(row[2]), bool(row[3]))
        with transaction(self._connection) as connection:
            connection.execute(_BEGIN, (self._origin,))
        return KnownList()

    @translated_errors(FILE_NAME)
    def remember(self, known: KnownList) -> None:
        """Remember a list that is completely in the catalogue."""
        flags = (int(known.refuses_since), int(known.versions))
        row = (known.etag, known.since, *flags, self._origin)
        with transaction(self._connection) as connection:
            connection.execute(_REMEMBER, row)

    @translated_errors(FILE_NAME)
    def small_lists_digest(self) -> str:
        """Return the digest of the last stores, units and categories, "" before the first."""
        row = first(
            self._connection, "SELECT parts FROM platform WHERE origin = ?", (self._origin,)
        )
        return row[0] if row else ""

    @translated_errors(FILE_NAME)
    def remember_parts(self, digest: str) -> None:
        with transaction(self._connection) as connection:
            sql = "UPDATE platform SET parts = ? WHERE origin = ?"
            connection.execute(sql, (digest, self._origin))

    @translated_errors(FILE_NAME)
    def answered(self, at: datetime) -> None:
        with transaction(self._connection) as connection:
            connection.execute(_ANSWERED, (moment_text(at), self._origin))

    @translated_errors(FILE_NAME)
    def away(self, at: datetime, fault: str) -> None:
        """Note that the platform can't be asked, or refuses this till. fault: the error's code."""
        with transaction(self._connection) as connection:
            connection.execute(_AWAY, (moment_text(at), fault, self._origin))
