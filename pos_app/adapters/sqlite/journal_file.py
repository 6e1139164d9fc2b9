"""What all parts of the journal need of its one connection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import apsw

from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.journal_rows import ms, translated_row_errors
from pos_app.fiscalization.lane_state import LaneState


class JournalFile:
    """journal.db on the connection of its one writer; errors are ours."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def _one(self, sql: str, *values: Any) -> Any:
        with translated_row_errors():
            return self._connection.execute(sql, values).fetchone()

    def _rows(self, sql: str, *values: Any) -> list[Any]:
        with translated_row_errors():
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[apsw.Connection]:
        with translated_row_errors(), transaction(self._connection) as connection:
            yield connection

    def _note(self, what: str, request_id: str | None, now: datetime, words: str) -> None:
        """Part of a transaction: append to the log of acts."""
        self._connection.execute(
            "INSERT INTO notes (at, what, request_id, words) VALUES (?, ?, ?, ?)",
            (ms(now), what, request_id, words),
        )

    def _keep_lane(self, lane: LaneState) -> None:
        self._connection.execute(
            "INSERT INTO lanes (name, uid, tin, counter, is_counted, place)"
            " VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (name) DO UPDATE SET uid = excluded.uid, tin = excluded.tin,"
            " counter = excluded.counter, is_counted = excluded.is_counted, place = excluded.place",
            (lane.name, lane.uid, lane.tin, lane.counter, int(lane.is_counted), lane.place),
        )
