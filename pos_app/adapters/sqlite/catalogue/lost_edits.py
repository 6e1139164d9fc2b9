"""Asks a person about what this till had sent to a platform that was put back from an older copy.
It runs within a transaction.

A change counts as lost by its values alone: the last list had what was sent here, and the new one
does not. So no clock is compared with the platform's. Source: platform-contract.md 6.
"""

from __future__ import annotations

from datetime import datetime

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.catalogue import edit_rows as queue
from pos_app.adapters.sqlite.catalogue.products import open_edits
from pos_app.adapters.sqlite.catalogue.rows import SELECT_EDITS, edit
from pos_app.domain.article.product import Product
from pos_app.selling.synchronisation import catalogue_edits
from pos_app.selling.synchronisation.catalogue_edits import EditKind
from pos_app.selling.synchronisation.conflicts import EditMatch, lost_of

_DONE = "WHERE e.product_uuid = ? AND e.state = 'done' ORDER BY e.id"


def ask_about_gone(connection: apsw.Connection, product_uuid: str, *, at: datetime) -> None:
    """Queue a change of a product that went, if this till had sent it or a change of it: the
    product stays until a person decides."""
    done = _done(connection, product_uuid)
    if done and done[-1].kind is not EditKind.DELETE and not open_edits(connection, product_uuid):
        _ask(connection, done[-1], EditKind.UPDATE, product_uuid, {}, at=at)


def ask_about_listed(
    connection: apsw.Connection, before: Product, now: Product, *, at: datetime
) -> None:
    """Queue a change of what has an older value again; it meets the product as any other change.
    before: the product as it was listed the last time."""
    done = _done(connection, now.id)
    is_open = open_edits(connection, now.id)
    for article_id in dict.fromkeys(one.article_id for one in done):
        mine = [one for one in done if one.article_id == article_id]
        known = {name for one in is_open if one.article_id == article_id for name in one.changes}
        lost = {n: v for n, v in lost_of(mine, before, now).items() if n not in known}
        if lost:
            _ask(connection, mine[-1], EditKind.UPDATE, article_id, lost, at=at)


def ask_about_deleted(connection: apsw.Connection, product_uuid: str, *, at: datetime) -> bool:
    """Let a person decide about a product that is listed again and that this till had deleted;
    tells whether it is one."""
    done = _done(connection, product_uuid)
    if not done or done[-1].kind is not EditKind.DELETE:
        return False
    made = _ask(connection, done[-1], EditKind.DELETE, product_uuid, {}, at=at)
    conflict = catalogue_edits.FieldConflict(catalogue_edits.DELETED, False, True, False)
    queue.store_meeting(connection, made, EditMatch({}, {}, (conflict,)), at=at)
    return True


def _done(
    connection: apsw.Connection, product_uuid: str
) -> tuple[catalogue_edits.CatalogueEdit, ...]:
    rows = connection.execute(SELECT_EDITS + _DONE, (product_uuid,)).fetchall()
    return tuple(edit(row) for row in rows)


def _ask(
    connection: apsw.Connection,
    done: catalogue_edits.CatalogueEdit,
    kind: EditKind,
    article_id: str,
    lost: catalogue_edits.Changes,
    *,
    at: datetime,
) -> catalogue_edits.CatalogueEdit:
    text = wire.catalogue.changes_to_json(lost)
    made = queue.insert_edit(
        connection, kind, done.product_id, article_uuid=article_id, document=text, base=text,
        by=done.by, at=at,
    )  # fmt: skip
    queue.note_refusal(connection, made, why="", field=catalogue_edits.LOST_FIELD)
    return queue.edit_of(connection, made.id)
