"""The change of many articles that is under way, in `catalogue.db`. The functions run within a
transaction of the caller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.catalogue.rows import document_of, first, many
from pos_app.adapters.sqlite.stored_values import moment_of, moment_text
from pos_app.selling.catalogue.bulk_act import ActKind, ActState, BulkAct, EndingName, PlannedRow
from pos_app.wire.strict_json import dumps, loads

LEFT_NAMED = 20
"""The number of named articles that something else had changed."""
_FORGET = ("DELETE FROM planned_row", "DELETE FROM bulk_act")
_ACT = """
SELECT kind, name, by, at, state, whole, reached, done, failed, left_over, left_names, ends
FROM bulk_act WHERE one = 1
"""
_BEGIN = """
INSERT INTO bulk_act (one, kind, name, by, at, state, whole, ends) VALUES (1, ?, ?, ?, ?, ?, ?, ?)
"""
_PLAN = """
INSERT INTO planned_row (product_uuid, article_uuid, before, after, more) VALUES (?, ?, ?, ?, ?)
"""
_NEXT = """
SELECT id, product_uuid, article_uuid, before, after, more FROM planned_row ORDER BY id LIMIT ?
"""
_KEEP = """
UPDATE bulk_act SET state = ?, whole = ?, reached = ?, done = ?, failed = ?, left_over = ?,
    left_names = ?
"""


def act_under_way(connection: apsw.Connection) -> BulkAct | None:
    """Return the act, or None; one that is still being planned has changed nothing, and does not
    count."""
    row = first(connection, _ACT)
    if row is None or row[4] == ActState.PLANNING:
        return None
    kind, name, by, at, state, whole, reached, done, failed, left, names, ends = row
    return BulkAct(
        ActKind(kind),
        name,
        by,
        moment_of(at),
        ActState(state),
        whole,
        reached,
        done,
        failed,
        left,
        left_names=tuple(_texts(names)),
        ends=wire.records.from_json(EndingName, loads(ends)) if ends else None,
    )


def _texts(column: str) -> list[str]:
    names: Any = loads(column)
    return list(names)


def begin(connection: apsw.Connection, act: BulkAct) -> None:
    """Write the head of an act in place of one that was only being planned."""
    for sql in _FORGET:
        connection.execute(sql)
    head = (act.kind, act.name, act.by, moment_text(act.at), act.state, act.whole)
    connection.execute(_BEGIN, (*head, _ends_text(act.ends)))


def rename_end(connection: apsw.Connection, ids: Mapping[str, str]) -> None:
    """Let the act that is under way end with the unit or category of the new id. ids: the new ids
    by the old ones."""
    act = act_under_way(connection)
    if act is not None and act.ends is not None and act.ends.id in ids:
        new = replace(act.ends, id=ids[act.ends.id])
        connection.execute("UPDATE bulk_act SET ends = ?", (_ends_text(new),))


def _ends_text(ends: EndingName | None) -> str:
    return "" if ends is None else dumps(wire.records.to_json(EndingName, ends)).decode()


def plan(connection: apsw.Connection, rows: Iterable[PlannedRow]) -> None:
    connection.executemany(
        _PLAN,
        [
            (
                one.product_id,
                one.article_id,
                None if one.before is None else dumps(dict(one.before)).decode(),
                dumps(dict(one.after)).decode(),
                dumps(dict(one.more)).decode(),
            )
            for one in rows
        ],
    )


def planned(connection: apsw.Connection, *, limit: int) -> list[PlannedRow]:
    """Return the next rows to be made."""
    return [
        PlannedRow(
            product_id,
            article_id,
            document_of(before) if before else None,
            document_of(after),
            document_of(more),
            number,
        )
        for number, product_id, article_id, before, after, more in many(connection, _NEXT, (limit,))
    ]


def forget_planned(connection: apsw.Connection, numbers: Sequence[int]) -> None:
    connection.executemany("DELETE FROM planned_row WHERE id = ?", [(one,) for one in numbers])


def save_act(connection: apsw.Connection, act: BulkAct) -> None:
    """Keep the state and the counts of the act."""
    names = dumps(list(act.left_names[:LEFT_NAMED])).decode()
    counts = (act.whole, act.reached, act.done, act.failed, act.left_out)
    connection.execute(_KEEP, (act.state, *counts, names))


def end(connection: apsw.Connection) -> None:
    for sql in _FORGET:
        connection.execute(sql)
