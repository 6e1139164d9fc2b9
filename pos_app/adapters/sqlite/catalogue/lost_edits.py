"""Asks a person about what this till had sent to a platform that was put back from an older copy.
It runs within a transaction.

A change counts as lost by its values alone: the last list had what was sent here, and the new one
does not. So no clock is compared with the platform's. A store, unit or category that was changed
here counts as a whole. Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.catalogue import edit_rows as queue
from pos_app.adapters.sqlite.catalogue import name_edits, stores
from pos_app.adapters.sqlite.catalogue.lists import names_of
from pos_app.adapters.sqlite.catalogue.products import open_edits
from pos_app.adapters.sqlite.catalogue.rows import SELECT_EDITS, edit
from pos_app.domain.article.product import Product
from pos_app.domain.article.store import Store
from pos_app.selling.synchronisation import catalogue_edits
from pos_app.selling.synchronisation.catalogue_edits import (
    LOST_FIELD,
    VARIANTS,
    EditKind,
    EditState,
)
from pos_app.selling.synchronisation.conflicts import EditMatch, with_lost_variants
from pos_app.selling.synchronisation.name_edits import lost
from pos_app.selling.synchronisation.own_names import Named, NameKind
from pos_app.selling.synchronisation.sent_edits import lost_of

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
    before: the product as it was listed the last time. With a deletion of it nothing is asked."""
    done = _done(connection, now.id)
    is_open = open_edits(connection, now.id)
    if any(one.kind is EditKind.DELETE for one in is_open):
        return
    for article_id, lacked in lost_of(done, before, now).items():
        known = {name for one in is_open if one.article_id == article_id for name in one.changes}
        gone = {name: value for name, value in lacked.items() if name not in known}
        if VARIANTS in known & lacked.keys():
            _ask_about_list(connection, is_open, now, lacked, at=at)
        is_here = catalogue_edits.effective(now, is_open, None)
        if gone and is_here and catalogue_edits.owner_in(is_here, article_id):
            gone |= _with_waiting(connection, is_open, now, gone, at=at)
            _ask(connection, done[-1], EditKind.UPDATE, article_id, gone, at=at)


def _ask_about_list(
    connection: apsw.Connection,
    is_open: Sequence[catalogue_edits.CatalogueEdit],
    now: Product,
    gone: catalogue_edits.Changes,
    *,
    at: datetime,
) -> None:
    """Add what the platform lost of the variants to the list of them that waits."""
    waiting = [one for one in is_open if one.article_id == now.id and VARIANTS in one.changes]
    old = waiting[0]
    if old.state is EditState.SENDING:
        return
    gone = _with_waiting(connection, is_open, now, gone, at=at)
    meeting = with_lost_variants(old, gone[VARIANTS], now)
    if any(one.field == VARIANTS for one in meeting.conflicts):
        queue.store_meeting(connection, old, meeting, at=at)
        sent = {name: value for name, value in old.sent.items() if name != VARIANTS}
        queue.note_sent(connection, old.id, sent)
        queue.note_refusal(connection, old, why="", field=LOST_FIELD)


def _with_waiting(
    connection: apsw.Connection,
    is_open: Sequence[catalogue_edits.CatalogueEdit],
    now: Product,
    gone: catalogue_edits.Changes,
    *,
    at: datetime,
) -> catalogue_edits.Changes:
    """The list of variants with what waits of those that the platform lost, which goes with it."""
    if VARIANTS not in gone:
        return {}
    product = replace(now, variants=gone[VARIANTS])
    for one in is_open:
        if one.state is not EditState.SENDING and not catalogue_edits.owner_in(now, one.article_id):
            product = catalogue_edits.with_changes(product, one.article_id, one.changes)
            queue.set_state(connection, one, EditState.DROPPED, at=at)
    return {VARIANTS: product.variants}


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


def ask_about_stores(connection: apsw.Connection, listed: Sequence[Store]) -> None:
    """Queue the changes of stores that this till changed, and that are others again."""
    here = {one.id: one for one in stores.stores_here(connection)}
    there = {one.id: one for one in listed}
    for done in stores.done_edits(connection):
        ours, theirs = here.get(done.ours.id), there.get(done.ours.id)
        if ours is not None and theirs is not None and ours != theirs:
            made = replace(done, base=ours, ours=ours, theirs=theirs, error_field=LOST_FIELD)
            stores.keep_edit(connection, ours.id, made)


def ask_about_names(
    connection: apsw.Connection, kind: NameKind, listed: Sequence[Named]
) -> list[Named]:
    """Queue the changes of units or categories that this till changed, and that are others again,
    or gone; return the list with them."""
    here, there = names_of(connection, kind), {one.id: one for one in listed}
    for done in name_edits.done_edits(connection, kind):
        ours, theirs = here.get(done.id), there.get(done.id)
        if done.ours is not None and ours is not None and ours != theirs:
            name_edits.keep_name_edit(connection, kind, done.id, lost(done, ours, theirs))
            there[done.id] = ours
    return [*there.values()]


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
    queue.note_refusal(connection, made, why="", field=LOST_FIELD)
    return queue.edit_of(connection, made.id)
