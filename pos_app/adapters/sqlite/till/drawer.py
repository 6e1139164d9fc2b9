"""Openings of the drawer by hand in `till.db`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import apsw

from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.stored_values import moment_of, moment_text
from pos_app.adapters.sqlite.till.people import ActTable
from pos_app.adapters.sqlite.till.rows import Row
from pos_app.adapters.sqlite.till.schema import FILE_NAME
from pos_app.adapters.sqlite.till.writing import cart_change, durable_change
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.server.drawer_openings import DrawerOpening, OpeningOutcome


class DrawerTable:
    """The port DrawerLog on `till.db`."""

    def __init__(self, connection: apsw.Connection, acts: ActTable) -> None:
        self._connection = connection
        self._acts = acts

    def begin_opening(self, *, by: str, at: datetime) -> int:
        with durable_change(self._connection):
            self._connection.execute(
                "INSERT INTO drawer_openings (at, cashier) VALUES (?, ?)", (moment_text(at), by)
            )
            number = self._connection.last_insert_rowid()
            self._acts.note(NotedAct.DRAWER, by=by, at=moment_text(at))
            return number

    def end_opening(self, opening_id: int, outcome: OpeningOutcome) -> None:
        with cart_change(self._connection):
            self._connection.execute(
                "UPDATE drawer_openings SET outcome = ? WHERE id = ?", (outcome.value, opening_id)
            )

    @translated_errors(FILE_NAME)
    def openings(self, *, since: datetime) -> Sequence[DrawerOpening]:
        rows: list[Row] = self._connection.execute(
            "SELECT id, at, cashier, outcome FROM drawer_openings WHERE at >= ? ORDER BY id",
            (moment_text(since),),
        ).fetchall()
        return [
            DrawerOpening(number, moment_of(at), cashier, OpeningOutcome(outcome))
            for number, at, cashier, outcome in rows
        ]
