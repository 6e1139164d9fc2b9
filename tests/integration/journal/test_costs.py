"""The costs of a receipt, a look-up, a status, a step and a start in a journal of many rows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.domain.receipt.states import JobMethod
from pos_app.fiscalization.device_ports import DeviceTrouble, Failed, HandOver
from pos_app.fiscalization.handover.handover_queue import DeviceQueues, Handover
from pos_app.fiscalization.open_work import has_work, is_issuing
from pos_app.fiscalization.service import body_hash
from pos_app.wire.strict_json import canonical, loads
from tests.bench.big_journal import Triggerless, multiply, number_of
from tests.integration.fiscalization.shop import Shop, opened
from tests.integration.local_api.test_receipts import SALE as ASKED
from tests.integration.local_api.wires import Running, running, until
from tests.integration.statement_plans import Statements, watched
from tests.sweep import each

MANY = 5_000
LOOKED_OVER = "PRAGMA quick_check(10)"
"""A start runs this statement and gives it 50 ms, however large the file is."""
FEW = (
    *("meta", "made_by", "moves", "job_moves", "lanes", "holds", "sqlite_master", "sqlite_schema"),
    *("open_requests", "jobs_running", "refused_receipts", "restores", "half_done"),
)
"""Tables that never grow, and indexes of rows that a person, a start or the next moment ends."""

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


class OutOfPaper(Handover):
    async def hand_over(self, job: Any, content: Any) -> HandOver:
        return Failed(DeviceTrouble.PAPER_OUT, "There is no paper.")

    async def is_ready(self) -> bool:
        return False


async def filled(folder: Path) -> None:
    async with opened(folder) as shop:
        await shop.sell(key="0123456789abcdef")
    path = folder / "journal" / "journal.db"
    multiply(path, MANY)
    asked = body_hash(canonical(loads(json.dumps(ASKED).encode())))
    with closing(with_checksums(path)) as connection, Triggerless(connection):
        keep_log(connection)
        connection.execute(IN_ALL_STATES, {"hash": asked})


async def a_day(server: Running) -> None:
    receipts, till = "/fiscalization/receipts", server.till
    sold = (await server.issue(ASKED, headers={"Idempotency-Key": "k" * 20})).json()
    await server.issue(ASKED, headers={"Idempotency-Key": "k" * 20})
    for _ in range(2):
        assert (await server.issue(ASKED)).status_code == 200
    for reference in (sold["id"], sold["invoiceNumber"], f"key:{'k' * 20}", "nobody", number_of(7)):
        await server.ask("GET", f"{receipts}/{reference}")
    one = f"{receipts}/{sold['invoiceNumber']}"
    await server.ask("POST", f"{one}/copy", json={"receiptDelivery": {"pdf": False}})
    refund = {"payments": {"cash": 117.98}, "receiptDelivery": {"pdf": False}}
    assert (await server.ask("POST", f"{one}/refund", json=refund)).status_code in (200, 400)
    for path in ("/till/status", "/till/doubts", "/health"):
        told = await server.ask("GET", path, headers=till if path != "/health" else None)
        assert told.status_code == 200, told.text
    for body in ({}, {"before": 9000}):
        told = await server.ask("POST", "/till/jobs/not_done", headers=till, json=body)
        assert told.status_code == 200, told.text
    server.shop.fault("drop")
    await server.issue(ASKED, headers={"Idempotency-Key": "d" * 20})
    await server.shop.until("d" * 20, "released")
    has_work(server.shop.journal)
    is_issuing(server.shop.journal)


async def steps_of_deliveries(shop: Shop) -> None:
    handovers = {method: OutOfPaper() for method in JobMethod}
    deliveries = DeviceQueues(
        shop.journal.jobs, shop.journal, clock=shop.service.clock, handovers=handovers
    )
    working = [asyncio.create_task(queue.work()) for queue in deliveries.queues]
    await asyncio.wait(working, timeout=0.5)
    await deliveries.finish(5)
    await asyncio.gather(*working)


@pytest.mark.deadline(240)
async def test_no_statement_reads_a_table_that_grows(folder: Path) -> None:
    open_install(folder, environment="demo")
    await filled(folder)
    with watched("journal.db") as statements:
        async with running(folder) as server:
            await a_day(server)
            await steps_of_deliveries(server.shop)
            server.shop.journal.recover(now=server.shop.service.clock.now())
        assert len(statements.steps) > 60
        del statements.steps[LOOKED_OVER]
        path = folder / "journal" / "journal.db"
        found = statements.faults(path, may_be_read_whole=FEW)
    assert found == [], "\n".join(found)


async def test_a_receipt_is_few_statements_and_three_commits(folder: Path) -> None:
    """A question asked twice, or a decision made anew, shows here before it takes time."""
    with watched("journal.db") as statements:
        async with running(folder) as server:
            await server.issue(ASKED, headers={"Idempotency-Key": "1" * 20})
            statements.forget()
            sold = await server.issue(ASKED, headers={"Idempotency-Key": "2" * 20})
            assert sold.status_code == 200
            assert statements.times["COMMIT"] == 3
            assert statements.times.total() <= 55  # 49 and a look of the lane's monitor
            statements.forget()
            await server.issue(ASKED | {"payments": {"cash": 300}})
            # a keyless delivery alone is written down
            await until(lambda: statements.times["COMMIT"] == 4)
            statements.forget()
            for method in JobMethod:
                assert not server.shop.journal.jobs.line(method).waits
            assert statements.times.total() == len(JobMethod)


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
