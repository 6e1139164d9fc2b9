"""A `till.db` of a shop that has sold for a long time, or whose sales wait for long: rows written
in bulk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import apsw

from pos_app.adapters.sqlite.till.till import TillDatabase
from tests.fakes.inner_connection import connection_of

_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)"
_AT = "'2026-11-19T09:30:00.000000+00:00'"
_CART = f"""
{_NUMBERS} INSERT INTO carts (key, kind, state, cashier, opened_at, moved_at)
SELECT printf('ff%030x', i), 'sale', 'held', 'Мира', {_AT}, {_AT} FROM n
"""
_LINE = """
INSERT INTO cart_lines (cart_id, line, position, article_id, name, label, unit, by_weight,
    article_price, price, quantity, removed, unknown_code)
SELECT id, 1, 1, 'open', 'Разна роба', 'Е', 'ком', 0, 1000, 1000, 1000, 0,
    iif(id % 3, NULL, printf('code %d', id % 50))
FROM carts WHERE state = 'open' AND key LIKE 'ff%'
"""
_SALE = f"""
INSERT INTO sales (key, sequence, cart_id, kind, body, total, change, rounding, cashier, frozen_at,
    changed_at)
SELECT key, (SELECT last_sequence FROM meta) + row_number() OVER (ORDER BY id), id, 'sale',
    zeroblob(1500), 1000, 0, 0, 'Мира', {_AT}, {_AT}
FROM carts WHERE key LIKE 'ff%' AND state = 'done' AND id NOT IN (SELECT cart_id FROM sales)
"""
_PAID = """
INSERT INTO sale_payments (key, position, method, on_receipt, tendered)
SELECT key, 0, 'cash', 1000, 1000 FROM sales WHERE key NOT IN (SELECT key FROM sale_payments)
"""


def fill(database: TillDatabase, *, ended: int = 0, waiting: int = 0) -> None:
    """Add sales that are done, and after them sales that were never sent, of one line each."""
    for count, is_done in ((ended, True), (waiting, False)):
        if count:
            _add(connection_of(database), count, is_done=is_done)


def _add(connection: apsw.Connection, count: int, *, is_done: bool) -> None:
    with connection:
        first = (connection.execute("SELECT max(id) FROM carts").get or 0) + 1
        # A cart is filled while it is open, and only one may be: so the index is dropped meanwhile.
        index = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'one_open_cart'").get
        connection.execute("DROP INDEX one_open_cart")
        mine = (first, first + count - 1)
        connection.execute(_CART, mine)
        connection.execute(
            "UPDATE carts SET state = 'open' WHERE key LIKE 'ff%' AND state = 'held'"
        )
        connection.execute(_LINE)
        connection.execute(
            "UPDATE carts SET state = 'done' WHERE key LIKE 'ff%' AND state = 'open'"
        )
        connection.execute(_SALE)
        connection.execute("UPDATE meta SET last_sequence = (SELECT max(sequence) FROM sales)")
        connection.execute(_PAID)
        if is_done:
            connection.execute("UPDATE sales SET state = 'sending' WHERE state = 'frozen'")
            connection.execute(
                "UPDATE sales SET state = 'done', receipt_id = 'receipt ' || sequence,"
                f" fiscal_number = 'A-A-' || sequence, signed_at = {_AT}, answered_at = {_AT}"
                " WHERE state = 'sending'"
            )
        connection.execute(index)


@dataclass
class Counted:
    """Statements that ran, with the steps that SQLite's machine took for each."""

    steps: list[tuple[int, str]] = field(default_factory=list)

    def note(self, told: dict[str, Any]) -> None:
        self.steps.append((told["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"], told["sql"]))

    def above(self, limit: int) -> list[tuple[int, str]]:
        return [one for one in self.steps if one[0] > limit]


@contextmanager
def counted(connection: apsw.Connection) -> Iterator[Counted]:
    """Count what runs on a connection: a statement that goes through a table takes a step or more
    for each of its rows, whatever its plan is called.
    """
    found = Counted()
    connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, found.note)
    try:
        yield found
    finally:
        connection.trace_v2(0, None)
