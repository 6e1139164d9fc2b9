"""The costs of a receipt, a look-up, a status, a step and a start in a journal of many rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.fiscalization.service import body_hash
from pos_app.wire.strict_json import canonical, loads
from tests.bench.big_journal import Triggerless, multiply
from tests.integration.fiscalization.shop import opened
from tests.integration.local_api.test_receipts import SALE as ASKED
from tests.integration.statement_plans import Statements, watched
from tests.sweep import each

MANY = 5_000

_OF = "id IN (SELECT id FROM commands WHERE row % 10 = {})"
IN_ALL_STATES = f"""
UPDATE commands SET keyless = 1, body_hash = :hash, guards = NULL WHERE row % 10 IN (0, 1, 2);
UPDATE commands SET guards = 'undelivered', heard = -1000000000 WHERE row % 10 = 2;
UPDATE requests SET state = 'released', reason_class = 'wait', reason_code = 'away',
    reason_words = 'away' WHERE {_OF.format(0)};
UPDATE commands SET receipts = 2 WHERE row % 10 = 0;
INSERT INTO requests (id, command_id, child, lane, state, pfr_request_id, planned, chain,
    attempt, changed_at) SELECT 'second ' || id, id, 1, lane, 'released', pfr_request_id || '-2',
    planned, chain, attempt, changed_at FROM requests WHERE {_OF.format(0)};
UPDATE requests SET state = 'rejected' WHERE {_OF.format(3)};
UPDATE requests SET state = 'cancelled' WHERE {_OF.format(4)};
DELETE FROM receipts WHERE request_id IN
    (SELECT id FROM requests WHERE state IN ('released', 'rejected', 'cancelled'));
DELETE FROM jobs WHERE request_id NOT IN (SELECT request_id FROM receipts);
UPDATE requests SET state = 'needs_human' WHERE id IN
    (SELECT request_id FROM receipts ORDER BY request_id LIMIT 20);
INSERT INTO alarms (at, what, counter_before, counter_now, moved)
    SELECT row, 'foreign_traffic', row, row + 1, row FROM commands WHERE row % 2;
UPDATE jobs SET state = 'waiting', trouble = 'paper_out' WHERE id % 4 = 0;
UPDATE jobs SET method = 'email', state = 'failed', trouble = 'login' WHERE id % 4 = 1;
UPDATE jobs SET method = 'email', state = 'waiting', aside = 1, trouble = 'recipient',
    next_at = 9000000000000 WHERE id % 8 = 2;
UPDATE jobs SET method = 'a4', state = 'waiting' WHERE id % 8 = 3;
INSERT INTO notes SELECT at, what, NULL, '' FROM alarms;
"""


async def filled(folder: Path) -> None:
    async with opened(folder) as shop:
        await shop.sell(key="0123456789abcdef")
    path = folder / "journal" / "journal.db"
    multiply(path, MANY)
    asked = body_hash(canonical(loads(json.dumps(ASKED).encode())))
    with closing(with_checksums(path)) as connection, Triggerless(connection):
        keep_log(connection)
        connection.execute(IN_ALL_STATES, {"hash": asked})


# --- the watch over statements finds the faults that it is for ---
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
