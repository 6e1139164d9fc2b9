"""The watch over statements tells each one that goes through a whole table, and no other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from tests.integration.statement_plans import Statements, watched
from tests.sweep import each

_TABLES = """
CREATE TABLE sales (id INTEGER PRIMARY KEY, state TEXT NOT NULL, total INTEGER NOT NULL) STRICT;
CREATE TABLE marks (sale INTEGER NOT NULL) STRICT;
CREATE INDEX sales_open ON sales (id) WHERE state = 'open';
CREATE TRIGGER sales_mark AFTER UPDATE OF state ON sales
BEGIN DELETE FROM marks WHERE sale = NEW.id; END;
"""


@pytest.fixture
def file(folder: Path) -> Iterator[tuple[Statements, apsw.Connection, Path]]:
    path = folder / "till.db"
    with watched("till.db") as statements, closing(apsw.Connection(str(path))) as connection:
        connection.execute(_TABLES)
        with connection:
            connection.executemany(
                "INSERT INTO sales VALUES (?, iif(? % 3000 = 0, 'open', 'done'), ?)",
                ((number, number, number) for number in range(9_000)),
            )
        yield statements, connection, path


LONG, SHORT = (
    (
        "SELECT * FROM sales WHERE total = 7",
        "UPDATE sales SET state = 'open' WHERE id = 7",
        "SELECT id FROM sales WHERE id > 7 ORDER BY total LIMIT 1",
        "SELECT max(one.id) FROM (SELECT id FROM sales WHERE total > 7 LIMIT 4) AS one",
    ),
    (
        "SELECT * FROM sales WHERE id = 7",
        "INSERT INTO marks VALUES (7)",
        "SELECT id FROM sales WHERE state = 'open' ORDER BY id",
        "SELECT one.id FROM (SELECT id FROM sales WHERE id > 7 ORDER BY id LIMIT 4) AS one",
        "SELECT 1",
    ),
)


@each("sql", [*LONG, *SHORT])
def test_what_goes_a_long_way_is_told_and_no_other(
    file: tuple[Statements, apsw.Connection, Path], sql: str
) -> None:
    statements, connection, path = file
    statements.forget()
    connection.execute(sql).fetchall()
    faults = statements.faults(path, may_be_read_whole={"sales_open"})
    assert any(sql in fault for fault in faults) if sql in LONG else faults == []
