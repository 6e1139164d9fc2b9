"""Writes the edit queue of `catalogue.db`. Each function runs within a transaction."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.catalogue.rows import SELECT_EDITS, edit, first
from pos_app.adapters.sqlite.stored_values import moment_text
from pos_app.domain.article.product import Product
from pos_app.errors import NotFound
from pos_app.selling.synchronisation import catalogue_edits
from pos_app.selling.synchronisation.conflicts import EditMatch, decided, is_settled
from pos_app.wire.strict_json import dumps

_INSERT = """
INSERT INTO edit (key, kind, product_uuid, article_uuid, base_version, base, document, by,
    made_at, state, state_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_MEET = """
UPDATE edit SET document = ?, base = ?, theirs = ?, state = ?, state_at = ?, sent = ?
WHERE id = ?
"""
_LATE = """
WHERE e.product_uuid = ? AND e.kind = 'update' AND e.state = 'done' AND e.state_at >= ?
    AND e.sent <> '{}'
"""
LATE = timedelta(hours=1)
"""The time after which no request reaches the platform any more, whatever holds it on its way."""
_BECOME_ADD = """
UPDATE edit SET kind = 'add', document = ?, base = '{}', base_version = NULL, theirs = '{}',
    state = 'waiting', state_at = ?, error = '', error_field = '', sent = '{}'
WHERE id = ?
"""
_REOPEN = """
UPDATE edit SET state = 'waiting', state_at = ?, theirs = '{}', error = '', error_field = ''
WHERE id = ?
"""
_RENEW = """
UPDATE edit SET state = 'waiting', state_at = ?, theirs = '{}', sent = '{}',
    base_version = (
        SELECT version FROM source JOIN product ON id = product WHERE uuid = product_uuid
    )
WHERE id = ?
"""


def edit_of(connection: apsw.Connection, edit_id: int) -> catalogue_edits.CatalogueEdit:
    """Return the edit of that number. Raises NotFound."""
    row = first(connection, SELECT_EDITS + "WHERE e.id = ?", (edit_id,))
    if row is None:
        raise NotFound("edit", edit=edit_id)
    return edit(row)


def insert_edit(
    connection: apsw.Connection,
    kind: catalogue_edits.EditKind,
    product_uuid: str,
    *,
    article_uuid: str,
    document: Mapping[str, Any],
    by: str,
    at: datetime,
    base: Mapping[str, Any] | None = None,
    base_version: str | None = None,
) -> catalogue_edits.CatalogueEdit:
    """Queue an edit; `document` and `base` have the wire's spelling."""
    state = (
        catalogue_edits.EditState.KEPT
        if kind is catalogue_edits.EditKind.NOTE
        else catalogue_edits.EditState.WAITING
    )
    now, key = moment_text(at), secrets.token_hex(16)
    known, changes = _text(base or {}), _text(document)
    row = (
        key, kind.value, product_uuid, article_uuid, base_version, known, changes, by, now,
        state.value, now,
    )  # fmt: skip
    connection.execute(_INSERT, row)
    number = connection.last_insert_rowid()
    # an edit of another kind does not show its document
    shown = changes if kind is catalogue_edits.EditKind.UPDATE else "{}"
    return edit((number, key, kind.value, product_uuid, article_uuid, shown, known, base_version,
                 state.value, by, now, "", "{}", "", "{}"))  # fmt: skip


def set_state(
    connection: apsw.Connection,
    old: catalogue_edits.CatalogueEdit,
    state: catalogue_edits.EditState,
    *,
    at: datetime,
    error: str = "",
    field: str = "",
) -> None:
    """Set an edit's state. Raises NotAllowed for a move that the life of an edit does not have."""
    catalogue_edits.check_move(old.state, state)
    connection.execute(
        "UPDATE edit SET state = ?, state_at = ?, error = ?, error_field = ? WHERE id = ?",
        (state.value, moment_text(at), error, field, old.id),
    )


def store_meeting(
    connection: apsw.Connection,
    old: catalogue_edits.CatalogueEdit,
    meeting: EditMatch,
    *,
    at: datetime,
) -> catalogue_edits.EditState:
    """Write how an edit met the platform's product, and return the edit's new state."""
    state = _state_after(old, meeting)
    if state is not old.state:
        catalogue_edits.check_move(old.state, state)
    changes = meeting.changes or old.changes
    theirs = {
        one.field: one.theirs for one in meeting.conflicts if one.field != catalogue_edits.DELETED
    }
    document = dict(wire.catalogue.changes_to_json(theirs))
    if len(theirs) < len(meeting.conflicts):
        document[catalogue_edits.DELETED] = next(
            x.theirs for x in meeting.conflicts if x.field == catalogue_edits.DELETED
        )
    is_done = state is catalogue_edits.EditState.DONE
    sent = old.sent if is_done else {}  # it may still come late (`late_edits`)
    row = (
        _text(wire.catalogue.changes_to_json(changes)),
        _text(wire.catalogue.changes_to_json(meeting.base or old.base)),
        _text(document), state.value, moment_text(at),
        _text(wire.catalogue.changes_to_json(sent)), old.id,
    )  # fmt: skip
    connection.execute(_MEET, row)
    return state


def store_asked(
    connection: apsw.Connection,
    old: catalogue_edits.CatalogueEdit,
    asked: catalogue_edits.Changes,
    *,
    at: datetime,
) -> None:
    """Put an edit in conflict; its own fields stay as they are. asked: the platform's values that a
    person decides about, of the product itself, or of another one that has the same code."""
    if old.state is not catalogue_edits.EditState.CONFLICT:
        catalogue_edits.check_move(old.state, catalogue_edits.EditState.CONFLICT)
    sql = "UPDATE edit SET theirs = ?, state = 'conflict', state_at = ? WHERE id = ?"
    theirs = _text(wire.catalogue.changes_to_json(asked))
    connection.execute(sql, (theirs, moment_text(at), old.id))


def store_decided(
    connection: apsw.Connection,
    old: catalogue_edits.CatalogueEdit,
    meeting: EditMatch,
    *,
    at: datetime,
) -> None:
    """Write an edit after a person's answers."""
    if meeting.changes or meeting.conflicts:
        store_meeting(connection, old, meeting, at=at)
    else:
        set_state(connection, old, catalogue_edits.EditState.DROPPED, at=at)


def end_equal(
    connection: apsw.Connection, edit: catalogue_edits.CatalogueEdit, *, at: datetime
) -> catalogue_edits.CatalogueEdit:
    """Ask no more about fields that are equal on both sides since they were changed here."""
    sides = {
        one.field: catalogue_edits.EditSide.THEIRS
        for one in edit.conflicts
        if one.field in edit.asked and is_settled(one)
    }
    if not sides:
        return edit
    store_decided(connection, edit, decided(edit, sides), at=at)
    return edit_of(connection, edit.id)


def late_edits(
    connection: apsw.Connection, product_uuid: str, *, at: datetime
) -> list[catalogue_edits.CatalogueEdit]:
    """The changes of a product that are done, and of which something may still reach the platform
    that was sent earlier and given up."""
    rows = connection.execute(SELECT_EDITS + _LATE, (product_uuid, moment_text(at - LATE)))
    return [edit(row) for row in rows.fetchall()]


def _state_after(
    old: catalogue_edits.CatalogueEdit, meeting: EditMatch
) -> catalogue_edits.EditState:
    if meeting.conflicts:
        return catalogue_edits.EditState.CONFLICT
    if meeting.is_met and old.kind is not catalogue_edits.EditKind.DELETE:
        return catalogue_edits.EditState.DONE
    return (
        catalogue_edits.EditState.WAITING
        if old.state is catalogue_edits.EditState.CONFLICT
        else old.state
    )


def replace_document(
    connection: apsw.Connection,
    old: catalogue_edits.CatalogueEdit,
    document: Mapping[str, Any],
    *,
    base: Mapping[str, Any],
) -> None:
    sql = "UPDATE edit SET document = ?, base = ? WHERE id = ?"
    connection.execute(sql, (_text(document), _text(base), old.id))


def become_add(
    connection: apsw.Connection,
    old: catalogue_edits.CatalogueEdit,
    product: Product,
    *,
    at: datetime,
) -> None:
    """Turn a change of a product that the platform lost into a new addition."""
    row = (_text(wire.catalogue.product_to_json(product)), moment_text(at), old.id)
    connection.execute(_BECOME_ADD, row)


def renew_base(
    connection: apsw.Connection, old: catalogue_edits.CatalogueEdit, *, at: datetime
) -> None:
    """Base an edit on the version that the platform has now."""
    catalogue_edits.check_move(old.state, catalogue_edits.EditState.WAITING)
    connection.execute(_RENEW, (moment_text(at), old.id))


def renew_version(
    connection: apsw.Connection, old: catalogue_edits.CatalogueEdit, version: str | None
) -> None:
    """Base an edit on this version of its product, which the platform has now."""
    sql = "UPDATE edit SET base_version = ? WHERE id = ?"
    connection.execute(sql, (version, old.id))


def reopen_add(
    connection: apsw.Connection, old: catalogue_edits.CatalogueEdit, *, at: datetime
) -> None:
    """Send an addition again: one platform's refusal says nothing about another platform."""
    catalogue_edits.check_move(old.state, catalogue_edits.EditState.WAITING)
    connection.execute(_REOPEN, (moment_text(at), old.id))


def follow(
    connection: apsw.Connection, product_uuid: str, *, old: str | None, new: str | None
) -> None:
    """Base edits on the new version that this till's own change made."""
    sql = """
    UPDATE edit SET base_version = ? WHERE product_uuid = ? AND base_version IS ?
        AND state IN ('waiting', 'sending')
    """
    connection.execute(sql, (new, product_uuid, old))


def note_sent(connection: apsw.Connection, edit_id: int, sent: catalogue_edits.Changes) -> None:
    """Note the fields of an edit that the platform may have, as they were sent."""
    text = _text(wire.catalogue.changes_to_json(sent))
    connection.execute("UPDATE edit SET sent = ? WHERE id = ?", (text, edit_id))


def note_refusal(
    connection: apsw.Connection, old: catalogue_edits.CatalogueEdit, *, why: str, field: str
) -> None:
    """Note the platform's words against an edit, whatever its outcome."""
    sql = "UPDATE edit SET error = ?, error_field = ? WHERE id = ?"
    connection.execute(sql, (why, field, old.id))


def _text(document: Mapping[str, Any]) -> str:
    return dumps(document).decode()
