"""A change of many articles as the till hands it to the process that makes it, and its end."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from pos_app import errors, wire
from pos_app.selling.catalogue.bulk_act import ActDone, BulkAct, EndingName, PlannedRow
from pos_app.selling.catalogue.last_change import LastChange


def rows_to_json(rows: Iterable[PlannedRow]) -> list[Any]:
    return [
        [
            row.product_id,
            row.article_id,
            None if row.before is None else dict(row.before),
            dict(row.after),
            dict(row.more),
        ]
        for row in rows
    ]


def rows_from_json(members: Iterable[Any]) -> list[PlannedRow]:
    return [PlannedRow(*row) for row in members]


def last_to_json(last: LastChange) -> dict[str, Any]:
    return _with_instant(wire.records.to_json(LastChange, last), last.at)


def last_from_json(members: Any) -> LastChange:
    return wire.records.from_json(LastChange, members)


def ending_to_json(ends: EndingName | None) -> Any:
    return None if ends is None else wire.records.to_json(EndingName, ends)


def ending_from_json(members: Any) -> EndingName | None:
    return None if members is None else wire.records.from_json(EndingName, members)


def done_to_json(done: ActDone) -> list[Any]:
    act = None
    if done.act is not None:
        act = _with_instant(wire.records.to_json(BulkAct, done.act), done.act.at)
    error = None if done.error is None else errors.as_members(done.error)
    return [act, list(done.kept), error]


def _with_instant(members: Any, at: datetime) -> dict[str, Any]:
    """The instant is whole, because a change is known again by it."""
    return {**members, "at": at.isoformat()}
