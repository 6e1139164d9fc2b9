"""The account's stores in `catalogue.db`, with their unsent changes.

The functions run within a transaction where they write.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.catalogue.platform_memory import note_taken
from pos_app.adapters.sqlite.catalogue.rows import Row, first, many
from pos_app.adapters.sqlite.catalogue.schema import FILE_NAME
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.stored_values import moment_of, moment_text
from pos_app.domain.article.store import Store
from pos_app.domain.text.search_text import fold
from pos_app.errors import NotAllowed, NotFound
from pos_app.selling.synchronisation.own_names import is_uuid
from pos_app.selling.synchronisation.store_edits import StoreEdit, met, not_taken, taken
from pos_app.wire.plain_store import plain_store
from pos_app.wire.strict_json import dumps, loads

_COLUMNS = "base, ours, theirs, by, made_at, error, error_field, sent"
_IS_DONE = "ours = theirs AND sent IS NULL"
"""Of a store whose change ended it is remembered that it was changed here (`lost_edits`)."""
OPEN = f"WHERE NOT ({_IS_DONE})"
_END = """
UPDATE store_edit SET base = theirs, ours = theirs, error = '', error_field = '', sent = NULL
WHERE store = ?
"""
_KEEP = f"INSERT OR REPLACE INTO store_edit (store, {_COLUMNS}) VALUES ({', '.join(9 * '?')})"


def write_stores(
    connection: apsw.Connection, stores: Sequence[Store], *, is_first: bool = False
) -> int:
    """Make these the account's stores, in this order; unsent changes stay in them.

    An unsent change of any other store, such as the shop's own before it had a platform, is removed
    with the store, because no platform takes it. Return how many changes were removed. is_first: no
    list of this platform was imported yet, so that an equal id that is no UUID may be another
    account's store; it is the same one where the name is the same.
    """
    connection.execute("DELETE FROM store")
    edits = {edit.ours.id: edit for edit in store_edits(connection)}
    ending = edits.keys() - {one.id for one in stores}
    if is_first:
        listed = [one for one in stores if one.id in edits]
        ending |= {one.id for one in listed if not _is_same(edits[one.id].base, one)}
    for store_id in ending:
        connection.execute("DELETE FROM store_edit WHERE store = ?", (store_id,))
    rows = []
    for position, store in enumerate(stores):
        shown = store
        if store.id in edits and store.id not in ending:
            left = met(edits[store.id], store)
            keep_edit(connection, store.id, left)
            shown = left.ours if left else store
        rows.append((store.id, position, _text(shown)))
    connection.executemany("INSERT INTO store VALUES (?, ?, ?)", rows)
    return len(ending)


def end_store_edits(connection: apsw.Connection) -> int:
    """End the unsent changes of all stores, because the platform has no store that takes them, and
    return how many they were. The till goes on with its store as it is."""
    connection.execute(f"DELETE FROM store_edit {OPEN}")
    return connection.changes()


def _is_same(here: Store, there: Store) -> bool:
    return is_uuid(there.id) or fold(here.name) == fold(there.name)


def stores_here(connection: apsw.Connection) -> list[Store]:
    """The stores as the till uses them, the one in use first."""
    rows = many(connection, "SELECT document FROM store ORDER BY position")
    documents = (loads(row[0]) for row in rows)
    return [plain_store(one) or wire.store.store_from_json(one) for one in documents]


def add_first_store(connection: apsw.Connection, store: Store) -> None:
    """Add the store of a shop without a platform. Raises NotAllowed where there is one already."""
    if connection.execute("SELECT 1 FROM store").get:
        raise NotAllowed("has_store")
    write_stores(connection, (store,))


def rewrite_store(connection: apsw.Connection, store: Store) -> None:
    """Write a listed store anew. Raises NotFound."""
    sql = "UPDATE store SET document = ? WHERE uuid = ?"
    connection.execute(sql, (_text(store), store.id))
    if not connection.changes():
        raise NotFound("store.unknown")


def store_edits(connection: apsw.Connection) -> list[StoreEdit]:
    """The changes that the platform does not have yet."""
    return [_edit(row) for row in many(connection, f"SELECT {_COLUMNS} FROM store_edit {OPEN}")]


def done_edits(connection: apsw.Connection) -> list[StoreEdit]:
    """The last changes of the stores that have no open one."""
    sql = f"SELECT {_COLUMNS} FROM store_edit WHERE {_IS_DONE}"
    return [_edit(row) for row in many(connection, sql)]


def store_edit(connection: apsw.Connection, store_id: str) -> StoreEdit | None:
    sql = f"SELECT {_COLUMNS} FROM store_edit {OPEN} AND store = ?"
    row = first(connection, sql, (store_id,))
    return None if row is None else _edit(row)


def keep_edit(connection: apsw.Connection, store_id: str, edit: StoreEdit | None) -> None:
    """Keep the unsent change of a store. None ends it."""
    if edit is None:
        connection.execute(_END, (store_id,))
        return
    stores = (_text(edit.base), _text(edit.ours), _text(edit.theirs))
    sent = None if edit.sent is None else _text(edit.sent)
    values = (edit.by, moment_text(edit.at), edit.error, edit.error_field, sent)
    connection.execute(_KEEP, (store_id, *stores, *values))


class SqliteStoreEdits:
    """The changes of stores on their way to the platform; each move is one transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    @translated_errors(FILE_NAME)
    def open_edits(self) -> list[StoreEdit]:
        return store_edits(self._connection)

    @translated_errors(FILE_NAME)
    def begin(self, edit: StoreEdit) -> StoreEdit | None:
        with transaction(self._connection) as connection:
            if store_edit(connection, edit.ours.id) != edit:
                return None
            begun = replace(edit, sent=edit.ours)
            keep_edit(connection, edit.ours.id, begun)
            return begun

    @translated_errors(FILE_NAME)
    def take(self, sent: StoreEdit, answered: Store) -> None:
        store_id = sent.ours.id
        with transaction(self._connection) as connection:
            now = store_edit(connection, store_id)
            left = None if now is None else taken(now, sent=sent, answered=answered)
            keep_edit(connection, store_id, left)
            rewrite_store(connection, left.ours if left else answered)
            note_taken(connection)

    @translated_errors(FILE_NAME)
    def refuse(self, sent: StoreEdit, *, why: str, field: str) -> None:
        store_id = sent.ours.id
        with transaction(self._connection) as connection:
            now = store_edit(connection, store_id)
            if now is not None:
                left = not_taken(now, sent=sent, why=why, field=field)
                keep_edit(connection, store_id, left)


def _edit(row: Row) -> StoreEdit:
    base, ours, theirs, sent = (
        None if text is None else wire.store.store_from_json(loads(text))
        for text in (*row[:3], row[7])
    )
    assert base is not None  # these three are always there
    assert ours is not None
    assert theirs is not None
    return StoreEdit(
        base=base,
        ours=ours,
        theirs=theirs,
        by=row[3],
        at=moment_of(row[4]),
        error=row[5],
        error_field=row[6],
        sent=sent,
    )


def _text(store: Store) -> str:
    return dumps(wire.store.store_to_json(store)).decode()
