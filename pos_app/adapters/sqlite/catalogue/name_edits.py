"""The unsent changes of units and categories in `catalogue.db`.

The functions that write run within a transaction, unless they say otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.catalogue.lists import names_of, write_name
from pos_app.adapters.sqlite.catalogue.platform_memory import note_taken
from pos_app.adapters.sqlite.catalogue.rows import Row, document_of, first, many
from pos_app.adapters.sqlite.catalogue.schema import FILE_NAME
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.stored_values import moment_of, moment_text
from pos_app.selling.synchronisation.name_edits import (
    NameEdit,
    OnWay,
    lost,
    met,
    not_made,
    remembered,
    shown_with,
)
from pos_app.selling.synchronisation.own_names import Named, NameKind
from pos_app.wire.strict_json import dumps

_COLUMNS = "kind, uuid, base, ours, theirs, by, made_at, error, error_field, stays, sent"
_KEEP = f"INSERT OR REPLACE INTO name_edit ({_COLUMNS}) VALUES ({', '.join(11 * '?')})"
_SELECT = f"SELECT {_COLUMNS} FROM name_edit WHERE (?1 IS NULL OR kind = ?1)"
_OPEN = "(sent NOTNULL OR ours IS NOT theirs)"
"""Anything else is over: a deletion is remembered for a while, and of another change that there was
one (`lost_edits`)."""
_END = """
UPDATE name_edit SET base = coalesce(ours, theirs, base), ours = coalesce(ours, theirs, base),
    theirs = coalesce(ours, theirs, base), error = '', error_field = '', stays = 0, sent = NULL
WHERE kind = ? AND uuid = ?
"""
_NAMED_IN_EDIT = """
SELECT 1 FROM edit WHERE state IN ('waiting', 'sending', 'conflict', 'refused')
    AND instr(base || document || theirs || sent, ?1) LIMIT 1
"""
_LISTED = """
UPDATE name_edit SET base = ?1, theirs = ?1
WHERE kind = ?2 AND uuid = ?3 AND sent NOTNULL AND coalesce(ours, '') <> sent
"""


def name_edits(connection: apsw.Connection, kind: NameKind | None = None) -> list[NameEdit]:
    """The changes that the platform does not have yet."""
    sql = f"{_SELECT} AND {_OPEN} ORDER BY made_at, uuid"
    return [_edit(row) for row in many(connection, sql, (kind,))]


def done_edits(connection: apsw.Connection, kind: NameKind) -> list[NameEdit]:
    """The last changes of the units or categories that have no open one."""
    return [_edit(row) for row in many(connection, f"{_SELECT} AND NOT {_OPEN}", (kind,))]


def name_edit(connection: apsw.Connection, kind: NameKind, name_id: str) -> NameEdit | None:
    row = first(connection, f"{_SELECT} AND uuid = ? AND {_OPEN}", (kind, name_id))
    return None if row is None else _edit(row)


def keep_name_edit(
    connection: apsw.Connection, kind: NameKind, name_id: str, edit: NameEdit | None
) -> None:
    """Keep the unsent change of a unit or category. None ends it."""
    if edit is None:
        connection.execute(_END, (kind, name_id))
        return
    texts = [None if one is None else text_of(one) for one in (edit.base, edit.ours, edit.theirs)]
    values = (edit.by, moment_text(edit.at), edit.error, edit.error_field, int(edit.stays))
    sent = None
    if edit.on_way is not None:
        sent = "" if edit.on_way.named is None else text_of(edit.on_way.named)
    connection.execute(_KEEP, (kind, name_id, *texts, *values, sent))


def move_name_edits(connection: apsw.Connection, kind: NameKind, ids: Mapping[str, str]) -> None:
    """Let unsent changes be of the new ids. ids: the new ids by the old ones."""
    for ours, theirs in ids.items():
        sql = "UPDATE OR REPLACE name_edit SET uuid = ? WHERE kind = ? AND uuid = ?"
        connection.execute(sql, (theirs, kind, ours))


def note_listed(connection: apsw.Connection, kind: NameKind, theirs: Sequence[Named]) -> None:
    """Note that the platform has these, of which additions were changed here since they were sent:
    what was done to them here is a change of the platform's."""
    connection.executemany(_LISTED, [(text_of(one), kind, one.id) for one in theirs])


@translated_errors(FILE_NAME)
def meet_names(
    connection: apsw.Connection, kind: NameKind, listed: Sequence[Named] | None, *, at: datetime
) -> list[Named] | None:
    """Compare the unsent changes with a platform's list, in a transaction of its own; return the
    list with those that are left. A deletion that is done and was undone elsewhere is told. listed:
    None where the platform has no such list."""
    with transaction(connection):
        if listed is None:
            connection.execute("UPDATE name_edit SET stays = 1 WHERE kind = ?", (kind,))
            return None
        theirs, shown = {one.id: one for one in listed}, list(listed)
        for edit in name_edits(connection, kind):
            there = theirs.get(edit.id)
            left = lost(edit, edit.ours, there) if edit.was_lost else met(edit, there)
            keep_name_edit(connection, kind, edit.id, left)
            shown = shown if left is None else shown_with(left, shown)
        here = names_of(connection, kind).values()
        for done in done_edits(connection, kind):
            if done.ours is not None:
                continue
            left = remembered(done, here, listed, at=at)
            keep_name_edit(connection, kind, done.id, None)
            if left is not None:
                keep_name_edit(connection, kind, left.id, left)
        return shown


def shown_names(
    connection: apsw.Connection, kind: NameKind, listed: Sequence[Named], *, at: datetime
) -> list[Named]:
    """The list with all that was changed and added here, in a transaction of its own."""
    shown = meet_names(connection, kind, listed, at=at) or []
    return [*shown, *additions(connection, kind, besides=shown)]


@translated_errors(FILE_NAME)
def additions(
    connection: apsw.Connection, kind: NameKind, *, besides: Sequence[Named]
) -> list[Named]:
    """The units or categories that were added here and are not among `besides`."""
    here = {one.id for one in besides}
    edits = [one for one in name_edits(connection, kind) if one.is_addition]
    return [one.ours for one in edits if one.ours is not None and one.id not in here]


class SqliteNameEdits:
    """The changes of units and categories on their way to the platform; each move is one
    transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    @translated_errors(FILE_NAME)
    def open_edits(self) -> list[NameEdit]:
        return name_edits(self._connection)

    @translated_errors(FILE_NAME)
    def is_named(self, edit: NameEdit) -> bool:
        return first(self._connection, _NAMED_IN_EDIT, (edit.id,)) is not None

    @translated_errors(FILE_NAME)
    def begin(self, edit: NameEdit) -> NameEdit | None:
        """Note that a change is on its way; return it so, or None where somebody changed it
        meanwhile."""
        with transaction(self._connection) as connection:
            if name_edit(connection, edit.kind, edit.id) != edit:
                return None
            begun = replace(edit, on_way=OnWay(edit.ours))
            keep_name_edit(connection, edit.kind, edit.id, begun)
            return begun

    @translated_errors(FILE_NAME)
    def take(self, sent: NameEdit, *, position: int | None = None) -> None:
        with transaction(self._connection) as connection:
            now = name_edit(connection, sent.kind, sent.id)
            there = sent.ours if sent.on_way is None else sent.on_way.named
            if there is not None and position is not None:
                there = replace(there, position=position)
            stays = position is not None and now == sent
            if now is not None and (now.ours, there) != (None, None):
                now = replace(now, base=there, theirs=there, stays=stays)
            left = None if now is None else met(now, there)
            keep_name_edit(connection, sent.kind, sent.id, left)
            note_taken(connection)

    @translated_errors(FILE_NAME)
    def take_back(self, edit: NameEdit) -> None:
        with transaction(self._connection) as connection:
            if name_edit(connection, edit.kind, edit.id) == edit:
                keep_name_edit(connection, edit.kind, edit.id, not_made(edit))

    @translated_errors(FILE_NAME)
    def keep_here(self, sent: NameEdit) -> None:
        self._settle(sent, replace(sent, stays=True, on_way=None))

    @translated_errors(FILE_NAME)
    def refuse(self, sent: NameEdit, *, why: str, field: str) -> None:
        """Note that the platform refused a change, unless somebody has changed it meanwhile. What
        was to be deleted is in the list again."""
        self._settle(sent, replace(sent, error=why, error_field=field, on_way=None))

    def _settle(self, sent: NameEdit, settled: NameEdit) -> None:
        with transaction(self._connection) as connection:
            if name_edit(connection, sent.kind, sent.id) == sent:
                keep_name_edit(connection, sent.kind, sent.id, settled)
                there = settled.theirs or settled.base
                if settled.ours is None and settled.error and there is not None:
                    write_name(connection, there)


def _edit(row: Row) -> NameEdit:
    kind = NameKind(row[0])
    base, ours, theirs, sent = (
        replace(named_of(text), id=row[1]) if text else None for text in (*row[2:5], row[10])
    )
    return NameEdit(
        kind=kind,
        id=row[1],
        base=base,
        ours=ours,
        theirs=theirs,
        by=row[5],
        at=moment_of(row[6]),
        error=row[7],
        error_field=row[8],
        stays=bool(row[9]),
        on_way=None if row[10] is None else OnWay(sent),
    )


def text_of(named: Named) -> str:
    """A unit or category as a column has it."""
    return dumps(wire.catalogue.name_to_json(named)).decode()


def named_of(text: str) -> Named:
    document = document_of(text)
    if "symbol" in document:
        return wire.catalogue.unit_from_json(document)
    return wire.catalogue.category_from_json(document)
