"""Removes products from `catalogue.db`. Source: platform-contract.md 6."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

import apsw

from pos_app.adapters.sqlite.catalogue import edit_rows as queue
from pos_app.adapters.sqlite.catalogue.index import CatalogueIndex
from pos_app.adapters.sqlite.catalogue.lost_edits import ask_about_gone
from pos_app.adapters.sqlite.catalogue.products import open_edits, platform_product
from pos_app.adapters.sqlite.catalogue.rows import Row, first, many, number
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.stored_values import moment_text
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation.catalogue_edits import (
    CatalogueEdit,
    EditKind,
    EditState,
    effective,
)
from pos_app.selling.synchronisation.conflicts import meet, of_gone_product, removals_wait
from pos_app.wire.strict_json import dumps

_BATCH = 200
"""Products in one commit."""
_WAITING = "SELECT uuid FROM product JOIN gone ON gone.product = id"
_CAN_GO = """
SELECT uuid, articles, id FROM product
WHERE origin = ? OR uuid IN (SELECT value FROM json_each(?))
"""

_DROP_PLANS = """
DELETE FROM planned_price WHERE article_uuid IN (
    SELECT ?1 UNION ALL
    SELECT uuid FROM article WHERE product = (SELECT id FROM product WHERE uuid = ?1)
)
"""


def drop_edits(
    connection: apsw.Connection, product_uuid: str, *, at: datetime, but: int = 0
) -> Counter[EditState]:
    """End the open edits of a product, except those being sent and the edit `but`; return their
    number by state."""
    open_now = [one for one in open_edits(connection, product_uuid) if one.id != but]
    dropped = [one for one in open_now if one.state is not EditState.SENDING]
    for one in dropped:
        queue.set_state(connection, one, EditState.DROPPED, at=at)
    return Counter(one.state for one in dropped)


def remove_product(connection: apsw.Connection, product_uuid: str, *, at: datetime) -> None:
    """Delete a product with its derived rows, marks and planned prices, and end its open edits,
    which stay as history. It runs within a transaction."""
    drop_edits(connection, product_uuid, at=at)
    connection.execute(_DROP_PLANS, (product_uuid,))
    sql = "DELETE FROM search WHERE rowid = (SELECT id FROM product WHERE uuid = ?)"
    connection.execute(sql, (product_uuid,))
    connection.execute("DELETE FROM product WHERE uuid = ?", (product_uuid,))
    connection.execute("DELETE FROM mark WHERE product_uuid = ?", (product_uuid,))


def held_back(connection: apsw.Connection) -> int:
    """Return the number of products that wait for a manager's decision to remove them."""
    return number(connection, "SELECT count(*) FROM gone")


def settle_gone(index: CatalogueIndex, product_uuid: str, *, by: str, at: datetime) -> bool:
    """Remove a product that its platform no longer has; tell whether it went. With changes of this
    till in it, it stays, and a person decides. It runs within a transaction."""
    connection = index.connection
    edits = open_edits(connection, product_uuid)
    deletions = [one for one in edits if one.kind is EditKind.DELETE]
    for edit in deletions:
        queue.set_state(connection, edit, EditState.DONE, at=at)
    if deletions or not edits:
        remove_product(connection, product_uuid, at=at)
        return True
    _ask_about_whole(connection, edits, at=at)
    for edit in open_edits(connection, product_uuid):
        if edit.kind is EditKind.UPDATE:
            queue.store_meeting(connection, edit, meet(edit, None), at=at)
    row = "WHERE product = (SELECT id FROM product WHERE uuid = ?)"
    connection.execute(f"DELETE FROM gone {row}", (product_uuid,))
    # where it is listed again, as it was, the edits meet it all the same
    connection.execute(f"UPDATE source SET digest = NULL {row}", (product_uuid,))
    index.show(product_uuid, by=by, at=at)
    return False


def _ask_about_whole(
    connection: apsw.Connection, edits: Sequence[CatalogueEdit], *, at: datetime
) -> None:
    """Make the changes of a gone product's variants one change of the product, because a person
    decides about the product, not about each of its variants."""
    waiting = [
        one for one in edits if one.kind is EditKind.UPDATE and one.state is not EditState.SENDING
    ]
    of_variants = [one for one in waiting if one.article_id != one.product_id]
    before = platform_product(connection, edits[0].product_id)
    here = effective(before, tuple(waiting), None)
    if not of_variants or before is None or here is None:
        return
    last = of_variants[-1]
    whole = next((one for one in waiting if one not in of_variants), None) or queue.insert_edit(
        connection, EditKind.UPDATE, before.id, article_uuid=before.id, document={},
        by=last.by, at=last.at,
    )  # fmt: skip
    queue.store_meeting(connection, whole, of_gone_product(waiting, before, here), at=at)
    for one in of_variants:
        queue.set_state(connection, one, EditState.DROPPED, at=at)


@dataclass(frozen=True, slots=True)
class Gone:
    """The number of products that went, and of those in this list that wait for a manager."""

    removed: int
    held_back: int


@dataclass(frozen=True, slots=True)
class ListedIds:
    """The products that a list names. reported_gone: the products that it lists as deleted. whole:
    it has all products, so a product that it does not name is gone too. is_restored: its platform
    was put back from an older copy."""

    here: frozenset[str]
    reported_gone: frozenset[str]
    whole: bool
    is_restored: bool = False


def let_go(
    index: CatalogueIndex,
    listed: ListedIds,
    *,
    origin: str,
    accept: bool,
    at: datetime,
    pause: Callable[[], None],
) -> Gone:
    """Remove the products that the list of `origin` lists as deleted, or no longer has.

    Unusually many at once are held back, unless a manager accepts their removal; then products that
    waited from earlier lists are removed, too. It runs in small transactions.
    """
    connection = index.connection
    waited = {row[0] for row in many(connection, _WAITING)}
    if not (listed.whole or listed.reported_gone or waited):
        return Gone(0, 0)
    gone_list = dumps(list(listed.reported_gone)).decode()
    rows = many(connection, _CAN_GO, (origin, gone_list))
    ends = listed.reported_gone | (waited - listed.here if accept else frozenset())
    gone = [row for row in rows if row[0] in ends or (listed.whole and row[0] not in listed.here)]
    if listed.is_restored:
        with transaction(connection):
            for uuid, *_ in gone:
                ask_about_gone(connection, uuid, at=at)
    asked = {uuid for uuid, *_ in gone if open_edits(connection, uuid)}
    many_gone = removals_wait(
        gone=sum(row[1] for row in gone if row[0] not in asked), known=sum(row[1] for row in rows)
    )
    held = [row for row in gone if row[1] and many_gone and not accept and row[0] not in asked]
    with transaction(connection):
        _hold(connection, held, at=at)
        _take_back(connection, [row for row in rows if row[0] in listed.here])
    waiting = {row[0] for row in held}
    removed = 0
    for batch in _batches([row[0] for row in gone if row[0] not in waiting]):
        with transaction(connection):
            removed += sum(settle_gone(index, uuid, by=origin, at=at) for uuid in batch)
        pause()
    return Gone(removed, len(held))


def _hold(connection: apsw.Connection, rows: Sequence[Row], *, at: datetime) -> None:
    sql = "INSERT OR IGNORE INTO gone VALUES (?, ?)"
    connection.executemany(sql, [(row[2], moment_text(at)) for row in rows])


def _take_back(connection: apsw.Connection, rows: Sequence[Row]) -> None:
    """Let products that are listed again wait no more."""
    if first(connection, "SELECT 1 FROM gone"):
        connection.executemany("DELETE FROM gone WHERE product = ?", [(row[2],) for row in rows])


def _batches(uuids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(uuids), _BATCH):
        yield uuids[start : start + _BATCH]
