"""A journal of many receipts: the rows of one receipt are repeated, each time under new names.

Each command has what a real one has: its body, one request with its whole history, the signed
answer with its own number, a job that is done. The numbers belong to another secure element, so
that none equals a real one.
"""

from __future__ import annotations

import operator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import apsw

from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.adapters.sqlite.journal.packing import answer_of, answer_packed
from pos_app.domain.receipt.receipt_identity import receipt_id

_AT_ONCE = 100_000
_COUNT = "WITH RECURSIVE n (i) AS (VALUES (?) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)"
_ID = "id_of(i)"
_NAMES = {
    "commands": (
        "id = ?",
        {
            "row": "command_of(i)",
            "id": _ID,
            "origin": "'big'",
            "key": "key_of(i)",
            "till_sequence": "NULL",
        },
    ),
    "requests": (
        "id = ?",
        {"id": _ID, "command_id": _ID, "pfr_request_id": "printf('%032X', i * 2003)"},
    ),
    "receipts": (
        "request_id = ?",
        {
            "request_id": _ID,
            "number": "number_of(i)",
            "answer": "row_of(i)",
            "sdc_time": "t.sdc_time - (5000000 - i) * 1000",
        },
    ),
    "attempts": (
        "command = (SELECT row FROM commands WHERE id = ?)",
        {"row": "NULL", "command": "command_of(i)"},
    ),
}


def key_of(place: int) -> str:
    return f"{place:032x}"


def id_of(place: int) -> str:
    """The id of a receipt. Ids have no order, as real ones: that leaves the pages of an index less
    full."""
    return receipt_id(origin="big", key=key_of(place))


def number_of(place: int) -> str:
    return f"BIG0BIG0-BIG0BIG0-{place + 1}"


def multiply(path: Path, receipts: int, *, first: int = 0) -> None:
    """Add `receipts` receipts, all like the first one in the journal, whose program is not running.

    first: the number of receipts that were made so before.
    """
    with closing(with_checksums(path)) as connection:
        keep_log(connection)
        for pragma in ("synchronous=OFF", "cache_size=-400000", "foreign_keys=OFF"):
            connection.execute(f"PRAGMA {pragma}")
        template, number, answer = connection.execute(
            "SELECT min(request_id), number, content FROM receipts JOIN answers"
            " ON answers.row = answer"
        ).get
        receipt = answer_of(answer)
        journal = (receipt.journal or "").split(number)

        def numbered(place: int) -> bytes:
            name = number_of(place)
            return answer_packed(replace(receipt, invoice_number=name, journal=name.join(journal)))

        for known in (key_of, id_of, number_of):
            connection.create_scalar_function(known.__name__, cast("Any", known), 1)
        for name, table in (("row_of", "answers"), ("command_of", "commands")):
            last = connection.execute(f"SELECT max(row) FROM {table}").get
            connection.create_scalar_function(name, partial(operator.add, last + 1 - first), 1)
        connection.create_scalar_function("numbered", cast("Any", numbered), 1)
        with Triggerless(connection):
            for begin in range(first, first + receipts, _AT_ONCE):
                _copy(connection, template, begin, min(begin + _AT_ONCE, first + receipts))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


_ANSWERS = f"{_COUNT} INSERT INTO answers (row, content) SELECT row_of(i), numbered(i) FROM n"
_DONE = (
    f"{_COUNT} INSERT INTO jobs (request_id, method, target, state, made_at, asked_at, changed_at,"
    f" next_at) SELECT {_ID}, 'thermal', '', 'done', 0, 0, 0, 0 FROM n"
)


def _copy(connection: apsw.Connection, template: str, begin: int, end: int) -> None:
    with connection:
        connection.execute(_ANSWERS, (begin, end))
        for table in _NAMES:
            connection.execute(_copying(connection, table), (begin, end, template))
        connection.execute(_DONE, (begin, end))


def _copying(connection: apsw.Connection, table: str) -> str:
    which, names = _NAMES[table]
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    values = ", ".join(names.get(column, f"t.{column}") for column in columns)
    among = ", ".join(columns)
    return (
        f"{_COUNT} INSERT INTO {table} ({among}) SELECT {values}"
        f" FROM n CROSS JOIN {table} AS t WHERE t.{which}"
    )


class Triggerless:
    """A context without the triggers that would refuse rows in their final state."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._rules: list[str] = []

    def __enter__(self) -> None:
        found = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        for name, sql in self._connection.execute(found).fetchall():
            self._connection.execute(f"DROP TRIGGER {name}")
            self._rules.append(str(sql))

    def __exit__(self, *_: object) -> None:
        for sql in self._rules:
            self._connection.execute(sql)
