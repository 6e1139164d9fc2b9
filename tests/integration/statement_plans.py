"""The statements that a program carried out, with SQLite's plan and number of steps for each.

    with watched("journal.db") as statements:
        ...                                     # the program opens the file and works
    assert statements.faults(folder / "journal.db") == []

Two things are checked for each statement. By its plan no table is read from end to end, and no
index is made for it; this covers its triggers, with and without ANALYZE. On the real file it takes
few steps of SQLite's machine: so a sort or a count of many rows shows, which has the same plan as
one of few. The file should therefore be a big one, with many rows in each state.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw

from pos_app.adapters.sqlite.catalogue.planned_prices import provide_time
from pos_app.adapters.sqlite.journal.restores import teach_chain

MOST_STEPS = 10_000
"""The steps of SQLite's machine for one statement: enough for some hundred rows."""
_READ_WHOLE = re.compile(
    r"SCAN (?!CONSTANT ROW|pragma_)(?P<table>\w+)(?: USING (?:COVERING )?INDEX (?P<by>\w+))?"
)
_MADE = ("CO-ROUTINE", "MATERIALIZE")
_PLANNED = ("SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH")


class Statements:
    """Every statement on one file, with the most steps that it took.

    times: how often each was carried out.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self.steps: dict[str, int] = {}
        self.times = Counter[str]()

    def watch(self, connection: apsw.Connection) -> None:
        if Path(connection.filename).name == self._file:
            connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, self._note, id=self)

    def forget(self) -> None:
        self.steps.clear()
        self.times.clear()

    def _note(self, event: dict[str, Any]) -> None:
        sql, steps = event["sql"], event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]
        self.steps[sql] = max(steps, self.steps.get(sql, 0))
        self.times[sql] += 1

    def faults(self, path: Path, *, may_be_read_whole: Collection[str] = ()) -> list[str]:
        """Return the faults of the statements, one a line. path: the file in its state after them.

        may_be_read_whole: tables and indexes that never hold more than a few rows.
        """
        found = [
            f"{steps:,} steps: {sql}" for sql, steps in self.steps.items() if steps > MOST_STEPS
        ]
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy"
            _copied(path, copy)
            for analyzed in (False, True):
                found += self._of_plans(copy, analyzed, frozenset(may_be_read_whole))
        return found

    def _of_plans(self, path: Path, analyzed: bool, few: Collection[str]) -> list[str]:
        connection = apsw.Connection(str(path))
        try:
            if analyzed:
                connection.execute("ANALYZE")
            connection.config(apsw.SQLITE_DBCONFIG_TRIGGER_EQP, 1)
            teach_chain(connection)
            provide_time(connection, lambda: datetime.now(UTC))
            return [
                f"{line}{' (analyzed)' if analyzed else ''}: {sql}"
                for sql in self.steps
                if sql.lstrip().upper().startswith(_PLANNED)
                for line in _long_ways(_plan(connection, sql), few)
            ]
        finally:
            connection.close()


@contextmanager
def watched(file: str) -> Iterator[Statements]:
    statements = Statements(file)
    apsw.connection_hooks.append(statements.watch)
    try:
        yield statements
    finally:
        apsw.connection_hooks.remove(statements.watch)


def _copied(path: Path, copy: Path) -> None:
    for end in ("", "-wal"):
        if path.with_name(path.name + end).exists():
            shutil.copy(path.with_name(path.name + end), copy.with_name(copy.name + end))


def _plan(connection: apsw.Connection, sql: str) -> list[str]:
    numbered = [int(number) for number in re.findall(r"\?(\d+)", sql)]
    values: Any = (None,) * max(numbered, default=sql.count("?"))
    return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]


def _long_ways(plan: Sequence[str], few: Collection[str]) -> list[str]:
    """Return the lines of a plan by which a table is read whole. A statement's own temporary tables
    are excepted: the steps that fill them are judged."""
    made = {line.split()[1] for line in plan if line.startswith(_MADE)}
    return [line for line in plan if _is_long_way(line, {*few, *made})]


def _is_long_way(line: str, few: Collection[str]) -> bool:
    if "AUTOMATIC" in line:
        return True
    found = _READ_WHOLE.match(line)
    return found is not None and not {found["table"], found["by"]} & set(few)
