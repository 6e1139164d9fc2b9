"""A sound journal contradicts nothing; each value of it that is changed contradicts another.

Pages that another program wrote have no checksum: there only this check finds a flipped byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.adapters.sqlite.contents import contradictions
from pos_app.adapters.sqlite.journal.contents import journal_contents
from pos_app.adapters.sqlite.journal.schema import MIGRATIONS
from tests.bench.big_journal import Triggerless
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.shop import opened
from tests.integration.journal.test_another_program import left_by_a_kill
from tests.sweep import LONG

LAST = "substr({0}, 1, length({0}) - 1) || CASE substr({0}, -1) WHEN '1' THEN '3' ELSE '1' END"
CHANGED = {
    "INTEGER": "CASE {0} WHEN 0 THEN 1 WHEN 1 THEN 0 ELSE {0} + 1 END",
    "TEXT": LAST,
    "BLOB": f"unhex({LAST.format('hex({0})')})",
}
"""Per type, an expression that makes another value."""
TOLD_ONCE = {
    *("commands.delivered_at", "commands.heard", "superseded.until"),
    *("notes.at", "notes.what", "notes.request_id", "notes.words"),
    *("looks.began", "looks.ended", "looks.counter", "looks.times"),
    *("jobs.attempts", "jobs.sending", "jobs.made_at", "jobs.asked_at", "jobs.changed_at"),
    *("jobs.next_at", "jobs.words", "jobs.aside", "meta.name", "meta.value"),
    *("lanes.tin", "lanes.counter", "lanes.is_counted", "lanes.place"),
}
"""Values that nothing else in the journal repeats: they decide no answer about a receipt."""
IN_AN_INDEX = {
    *("jobs.id", "jobs.till_key", "jobs.target"),
    *("absent.settled", "requests.follows_signed"),
}
"""A flipped byte in these columns shows in the index; a written value changes both."""


ALL = 10_000
"""More rows than that journal has."""


class Undone(Exception):
    """Ends a transaction without its changes."""


def cells(connection: apsw.Connection, most: int) -> Iterator[tuple[str, str, str, str]]:
    """Yield table, column and type, and a condition that holds for one row with a value there; of
    each column at most so many rows, spread over all."""
    tables = "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    tables += " AND name NOT GLOB 'sqlite_*'"
    for table, has_no_rowid in connection.execute(tables).fetchall():
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        names = "rowid"
        if has_no_rowid:
            names = ", ".join(f'"{column[1]}"' for column in columns if column[5])
        for _, column, kind, *_ in columns:
            of = f"FROM {table} WHERE {column} IS NOT NULL"
            rows = range(connection.execute(f"SELECT count(*) {of}").get)
            for place in rows[:: max(1, len(rows) // most)]:
                one = f"({names}) = (SELECT {names} {of} LIMIT 1 OFFSET {place})"
                yield str(table), str(column), str(kind), one


def found(connection: apsw.Connection) -> list[str]:
    told = [row[0] for row in connection.execute("PRAGMA integrity_check(10)")]
    return contradictions(connection, MIGRATIONS, journal_contents) if told == ["ok"] else told


@pytest.mark.deadline(300)
@pytest.mark.parametrize("most", [1, pytest.param(ALL, marks=LONG)])
async def test_each_value_proves_itself(folder: Path, most: int) -> None:
    path = await left_by_a_kill(folder)
    missed = set()
    with closing(with_checksums(path)) as connection:
        keep_log(connection)
        connection.execute("PRAGMA foreign_keys=OFF; PRAGMA ignore_check_constraints=ON")
        assert found(connection) == []
        for table, column, kind, one in cells(connection, most):
            value = CHANGED[kind].format(column)
            with suppress(Undone, apsw.ConstraintError), connection:
                with Triggerless(connection):
                    connection.execute(f"UPDATE {table} SET {column} = {value} WHERE {one}")
                connection.execute("PRAGMA ignore_check_constraints=OFF")
                if not found(connection):
                    missed.add(f"{table}.{column}")
                connection.execute("PRAGMA ignore_check_constraints=ON")
                raise Undone
    known = TOLD_ONCE | IN_AN_INDEX
    assert missed <= known
    assert missed == known or most < ALL


async def test_a_lane_that_was_named_before_anything_was_sent_is_no_damage(folder: Path) -> None:
    """A journal looks like this when it began with one development processor and sold at the
    next."""
    async with opened(folder) as shop:
        await shop.sell()
        uid = shop.processor.uid
    with closing(with_checksums(folder / "journal" / "journal.db")) as connection:
        keep_log(connection)
        with Triggerless(connection):
            for table, column in (("requests", "lane"), ("lanes", "name")):
                connection.execute(
                    f"UPDATE {table} SET {column} = 'DEVEL0P1' WHERE {column} = ?", (uid,)
                )
            connection.execute("UPDATE meta SET value = 'DEVEL0P1' WHERE name = 'element'")
        assert found(connection) == []
        with Triggerless(connection):
            connection.execute("UPDATE lanes SET uid = 'XXXXXXX1'")
        (told,) = found(connection)
        assert "DEVEL0P1" in told
    async with opened(folder) as shop:
        with Triggerless(connection_of(shop.journal)):
            connection_of(shop.journal).execute("UPDATE lanes SET uid = ?", (uid,))
        await shop.sell()
        assert shop.lane.element == uid
