"""What came in for receipts that are paid later, in `till.db`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime

import apsw

from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.stored_values import moment_of, moment_text, money, para
from pos_app.adapters.sqlite.till.people import ActTable
from pos_app.adapters.sqlite.till.rows import Row
from pos_app.adapters.sqlite.till.schema import FILE_NAME
from pos_app.adapters.sqlite.till.writing import durable_change
from pos_app.errors import Invalid
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.reports.receivables import CollectedPayment, Collecting
from pos_app.wire.strict_json import dumps

_COLLECT = """
INSERT INTO collected (key, number, buyer, day, amount, note, by_name, at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key, number) DO NOTHING
"""
_COUNTS = "id NOT IN (SELECT id FROM collected_taken_back)"
_ROWS = f"SELECT id, number, buyer, day, amount, note, by_name, at FROM collected WHERE {_COUNTS}"
_OF_DAYS = f"{_ROWS} AND day BETWEEN ? AND ? AND id > ? ORDER BY id LIMIT ?"
_CAME_IN = f"""
SELECT sum(amount), min(amount) < 0 FROM collected
WHERE {_COUNTS} AND number = ? AND id NOT IN (SELECT value FROM json_each(?))
"""
_NUMBERS = "SELECT DISTINCT number FROM collected WHERE id IN (SELECT value FROM json_each(?))"
_REPLACED_BY = """
WITH RECURSIVE
    pairs AS MATERIALIZED (
        SELECT old.target, new.receipt_id, new.fiscal_number, new.sequence
        FROM sales new JOIN sales old ON old.key = new.follows
        WHERE new.follows IS NOT NULL AND new.state = 'done'
    ),
    found AS (
        SELECT receipt_id, fiscal_number, sequence FROM pairs WHERE target = ?
        UNION
        SELECT p.receipt_id, p.fiscal_number, p.sequence
        FROM found JOIN pairs p ON p.target = found.receipt_id
    )
SELECT fiscal_number FROM found ORDER BY sequence
"""
_TAKE_BACK = "INSERT INTO collected_taken_back VALUES (?, ?, ?)"


class CollectedTable:
    """The port CollectedLog on `till.db`."""

    def __init__(self, connection: apsw.Connection, acts: ActTable) -> None:
        self._connection = connection
        self._acts = acts

    def collect(
        self,
        payments: Sequence[Collecting],
        *,
        key: str,
        day: date,
        note: str,
        by: str,
        at: datetime,
    ) -> None:
        when = moment_text(at)
        with durable_change(self._connection):
            for one in payments:
                amount = para(one.amount)
                row = (key, one.number, one.buyer, day.isoformat(), amount, note, by, when)
                self._connection.execute(_COLLECT, row)
                if self._connection.changes():
                    self._note(NotedAct.COLLECTED, one.number, after=one.amount, by=by, at=when)

    def take_back(self, ids: Collection[int], *, by: str, at: datetime) -> None:
        when = moment_text(at)
        with durable_change(self._connection):
            self.check_take_back(ids)
            for number in ids:
                row = self._connection.execute(f"{_ROWS} AND id = ?", (number,)).fetchone()
                if row is not None:
                    one = _payment(row)
                    self._connection.execute(_TAKE_BACK, (one.id, by, when))
                    self._note(
                        NotedAct.COLLECTED_TAKEN_BACK, one.number, before=one.amount, by=by, at=when
                    )

    @translated_errors(FILE_NAME)
    def check_take_back(self, ids: Collection[int]) -> None:
        taken = dumps(sorted(ids)).decode()
        for (number,) in self._connection.execute(_NUMBERS, (taken,)).fetchall():
            came_in, was_given_back = self._connection.execute(_CAME_IN, (number, taken)).get
            if was_given_back and came_in < 0:
                raise Invalid("given_back_since", field="payment", number=number)

    def _note(self, done: NotedAct, number: str, *, by: str, at: str, **amounts: object) -> None:
        values = {name: str(amount) for name, amount in amounts.items()}
        self._acts.note(done, by=by, at=at, subject=number, **values)

    @translated_errors(FILE_NAME)
    def collected(
        self, *, first: date, last: date, after: int, limit: int
    ) -> Sequence[CollectedPayment]:
        days = first.isoformat(), last.isoformat()
        rows: list[Row] = self._connection.execute(_OF_DAYS, (*days, after, limit)).fetchall()
        return [_payment(row) for row in rows]

    @translated_errors(FILE_NAME)
    def of_press(self, key: str) -> Sequence[CollectedPayment]:
        rows: list[Row] = self._connection.execute(
            f"{_ROWS} AND key = ? ORDER BY id", (key,)
        ).fetchall()
        return [_payment(row) for row in rows]

    @translated_errors(FILE_NAME)
    def replaced_by(self, receipt_id: str) -> Sequence[str]:
        rows = self._connection.execute(_REPLACED_BY, (receipt_id,)).fetchall()
        return [str(number) for (number,) in rows]


def _payment(row: Row) -> CollectedPayment:
    number, receipt, buyer, day, amount, note, by, at = row
    return CollectedPayment(
        number, receipt, buyer, date.fromisoformat(day), money(amount), note, by, moment_of(at)
    )
