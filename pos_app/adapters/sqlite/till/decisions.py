"""A manager's decisions on half-done pairs in `till.db`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import apsw

from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.readable_rows import ReadableRows
from pos_app.adapters.sqlite.stored_values import moment_text, optional_money, para
from pos_app.adapters.sqlite.till.rows import Row
from pos_app.adapters.sqlite.till.schema import FILE_NAME
from pos_app.adapters.sqlite.till.writing import durable_change
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.text.instant import from_text
from pos_app.errors import DatabaseDamaged, Invalid
from pos_app.selling.attention.pair_decisions import KEPT, PairDecision

_KEEP = """
INSERT INTO pair_decisions (receipt_id, at, manager, reversal, total, operation, number)
VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (receipt_id) DO NOTHING
"""
_SELECT = """
SELECT receipt_id, at, manager, reversal, total, operation, number
FROM pair_decisions WHERE at >= ? ORDER BY at
"""


class DecisionTable:
    """The port DecisionLog on `till.db`."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._readable = ReadableRows()

    def keep_decision(self, decision: PairDecision) -> None:
        """Keep a decision, and delete those that no screen shows any more."""
        with durable_change(self._connection):
            too_old = moment_text(decision.at - KEPT)
            self._connection.execute("DELETE FROM pair_decisions WHERE at < ?", (too_old,))
            self._connection.execute(_KEEP, _row_of(decision))

    @translated_errors(FILE_NAME)
    def decisions(self, *, since: datetime) -> Sequence[PairDecision]:
        rows: list[Row] = self._connection.execute(_SELECT, (moment_text(since),)).fetchall()
        return self._readable.of(_decision_of, rows)


def _row_of(decision: PairDecision) -> Row:
    return (
        decision.receipt_id,
        moment_text(decision.at),
        decision.by,
        int(decision.is_reversal),
        None if decision.total is None else para(decision.total),
        None if decision.operation is None else decision.operation.value,
        decision.number,
    )


def _decision_of(row: Row) -> PairDecision:
    receipt_id, at, manager, reversal, total, operation, number = row
    try:
        return PairDecision(
            receipt_id,
            from_text(at),
            manager,
            bool(reversal),
            optional_money(total),
            None if operation is None else Operation(operation),
            number,
        )
    except (Invalid, ValueError) as error:
        raise DatabaseDamaged("decision", why=error) from error
