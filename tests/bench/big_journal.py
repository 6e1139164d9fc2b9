"""A journal of many receipts, made of one: its rows again and again, each with names of its own.

Each command has what a real one has: its body, one request with its whole history, the signed
answer with its own number, a job that is done. The numbers are of another element, so that none
meets a real one.
"""

from __future__ import annotations

import zlib
from contextlib import closing
from pathlib import Path

import apsw

from pos_app.adapters.sqlite.checksums import keep_log, with_checksums

_AT_ONCE = 100_000
_FAST = 1
"""How hard is tried to make an answer small: a tenth larger, in a third of the time."""
_COUNT = "WITH RECURSIVE n (i) AS (VALUES (?) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)"
_ID = "printf('%08x-0000-5000-8000-000000000000', i * 2003)"
"""In the order in which they are made, so that the pages of the file are filled one by one."""
_NAMES = {
    "commands": ("id", {"row": "NULL", "id": _ID, "key": "printf('%032x', i * 2003)"}),
    "requests": (
        "id",
        {
            "id": _ID,
            "command_id": _ID,
            "chain": _ID,
            "pfr_request_id": "printf('%032X', i * 2003)",
        },
    ),
    "receipts": (
        "request_id",
        {
            "request_id": _ID,
            "number": "number_of(i)",
            "answer": "answer_of(i)",
            "sdc_time": "t.sdc_time - (5000000 - i) * 1000",
        },
    ),
    "attempts": ("request_id", {"row": "NULL", "request_id": _ID}),
}


def number_of(place: int) -> str:
    """The fiscal number of one of them, counted from 0."""
    return f"BIG0BIG0-BIG0BIG0-{place + 1}"


def multiply(path: Path, receipts: int, *, first: int = 0) -> None:
    """So many receipts more, all like the first one in the journal, whose program is not running.

    first: how many there are by now that were made so.
    """
    with closing(with_checksums(path)) as connection:
        keep_log(connection)
        for pragma in ("synchronous=OFF", "cache_size=-400000", "foreign_keys=OFF"):
            connection.execute(f"PRAGMA {pragma}")
        template, number, answer = connection.execute(
            "SELECT min(request_id), number, answer FROM receipts"
        ).get
        plain = zlib.decompress(answer)

        def answer_of(place: int) -> bytes:
            named = plain.replace(number.encode(), number_of(place).encode())
            return zlib.compress(named, _FAST)

        connection.create_scalar_function("number_of", number_of, 1)
        connection.create_scalar_function("answer_of", answer_of, 1)
        with Triggerless(connection):
            for begin in range(first, first + receipts, _AT_ONCE):
                _copy(connection, template, begin, min(begin + _AT_ONCE, first + receipts))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


_DONE = (
    f"{_COUNT} INSERT INTO jobs (request_id, method, target, state, made_at, asked_at, changed_at,"
    f" next_at) SELECT {_ID}, 'thermal', '', 'done', 0, 0, 0, 0 FROM n"
)


def _copy(connection: apsw.Connection, template: str, begin: int, end: int) -> None:
    with connection:
        for table in _NAMES:
            connection.execute(_copying(connection, table), (begin, end, template))
        connection.execute(_DONE, (begin, end))


def _copying(connection: apsw.Connection, table: str) -> str:
    named_by, names = _NAMES[table]
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    values = ", ".join(names.get(column, f"t.{column}") for column in columns)
    among = ", ".join(columns)
    return (
        f"{_COUNT} INSERT INTO {table} ({among}) SELECT {values}"
        f" FROM n CROSS JOIN {table} AS t WHERE t.{named_by} = ?"
    )


class Triggerless:
    """While inside, no rule of the tables is in the way of rows that begin at their end."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._rules: list[str] = []

    def __enter__(self) -> None:
        found = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        for name, sql in self._connection.execute(found).fetchall():
            self._connection.execute(f"DROP TRIGGER {name}")
            self._rules.append(sql)

    def __exit__(self, *_: object) -> None:
        for sql in self._rules:
            self._connection.execute(sql)
