"""Finds the units and categories of `catalogue.db` that unsent data use and the platform does not
list, and joins articles from elsewhere to the platform.

An id that came from a file can be any text. So ids are renamed member by member; a replacement in
the text of a document could hit other words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.catalogue import belongings, last_change, schema
from pos_app.adapters.sqlite.catalogue import edit_rows as queue
from pos_app.adapters.sqlite.catalogue.index import CatalogueIndex
from pos_app.adapters.sqlite.catalogue.lists import add_categories, names_of, own_picture
from pos_app.adapters.sqlite.catalogue.name_edits import move_name_edits, name_edits, note_listed
from pos_app.adapters.sqlite.catalogue.names import add_listed_units
from pos_app.adapters.sqlite.catalogue.products import effective_product
from pos_app.adapters.sqlite.catalogue.removals import drop_edits, remove_product
from pos_app.adapters.sqlite.catalogue.rows import (
    SELECT_EDITS,
    SELECT_ELSEWHERE,
    SET_ORIGIN,
    edit,
    many,
    units_of,
)
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.domain.article.product import Category, Product, Unit
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import FROM_FILE, PriceCause, PriceReason
from pos_app.selling.synchronisation import catalogue_edits
from pos_app.selling.synchronisation.own_names import Named, NameKind, is_uuid
from pos_app.selling.synchronisation.same_article import is_same_article, match_joined, variant_ids
from pos_app.wire.document_ids import IdMembers, ids_in, rename_ids, rename_photos
from pos_app.wire.strict_json import dumps, loads

_RENAMED = "renamed"
"""The origin of another platform's products that gave their id up."""

_OPEN_EDITS = """
SELECT id, document, product_uuid, base, theirs, sent FROM edit
WHERE kind IN ('add', 'update') AND state IN ('waiting', 'sending', 'conflict', 'refused')
"""
_TO_SEND = """
SELECT e.id, e.document FROM edit e LEFT JOIN product p ON p.uuid = e.product_uuid
WHERE e.kind IN ('add', 'update') AND e.state IN ('waiting', 'sending', 'conflict', 'refused')
    AND coalesce(p.origin, '') IN ('', ?)
"""
_ELSEWHERE = """
SELECT product, document, uuid FROM source JOIN product ON id = product
WHERE origin NOT IN ('', ?)
"""
_SAME_IDS = """
SELECT DISTINCT p.uuid, p.origin FROM product p LEFT JOIN article a ON a.product = p.id
WHERE p.origin NOT IN ('', ?1)
    AND (p.uuid IN (SELECT value FROM json_each(?2)) OR a.uuid IN (SELECT value FROM json_each(?2)))
UNION ALL
SELECT uuid, origin FROM product
WHERE origin = '' AND uuid IN (SELECT value FROM json_each(?3))
"""
_ARTICLES = """
SELECT a.uuid FROM article a JOIN product p ON p.id = a.product WHERE p.uuid = ?
"""
_ADDED_TO_DECIDE = "WHERE e.kind = 'add' AND e.state IN ('conflict', 'refused')"
_MEMBERS = {NameKind.UNIT: IdMembers.UNITS, NameKind.CATEGORY: IdMembers.CATEGORIES}


# --- units and categories ------------------------------------------------------------------------


@translated_errors(schema.FILE_NAME)
def own_names(
    connection: apsw.Connection, kind: NameKind, listed: Iterable[str], *, origin: str, joins: bool
) -> list[Named]:
    """Return the units or categories that unsent data use, or that were added here, and the
    platform `origin` does not list. listed: the ids that it lists. joins: products from elsewhere
    count as unsent data, too."""
    here = names_of(connection, kind)
    for one in listed:
        here.pop(one, None)
    if not here:
        return []
    rows = many(connection, _TO_SEND, (origin,))
    if joins:
        rows = [*many(connection, _OPEN_EDITS), *many(connection, _ELSEWHERE, (origin,))]
    used = {one for row in rows for one in ids_in(loads(row[1]), _MEMBERS[kind])}
    planned = " ".join(row[0] for row in many(connection, "SELECT after FROM planned_row"))
    used |= {one for one in here if dumps(one).decode() in planned}
    added = [
        one for one in name_edits(connection, kind) if one.is_addition and not one.needs_person
    ]
    used |= {one.id for one in added}
    return [one for name_id, one in here.items() if name_id in used]


@translated_errors(schema.FILE_NAME)
def name_as_there(
    connection: apsw.Connection,
    kind: NameKind,
    ids: Mapping[str, str],
    theirs: Sequence[Named],
    *,
    origin: str,
    at: datetime,
) -> None:
    """Replace our ids of units or categories by those of the platform `origin`, in open edits, in
    products from elsewhere and in the last change, in a transaction of its own. ids: the platform's
    id by ours. theirs: the platform's; those that `ids` names are added here, unless
    they were deleted here."""
    with transaction(connection):
        changed = _rename(connection, kind, ids, origin)
        note_listed(connection, kind, [one for one in theirs if one.id in ids.values()])
        # Only now, because an id of theirs may be one of ours that was just given up.
        deleted = {one.id for one in name_edits(connection, kind) if one.ours is None}
        wanted = [one for one in theirs if one.id in ids.values() and one.id not in deleted]
        index = CatalogueIndex(connection, units_of(connection), PriceReason(PriceCause.PLATFORM))
        add_listed_units(index, [one for one in wanted if isinstance(one, Unit)], by=origin, at=at)
        add_categories(connection, [one for one in wanted if isinstance(one, Category)])
        for uuid in sorted(changed):
            index.show(uuid, by=FROM_FILE, at=at)


def _rename(
    connection: apsw.Connection, kind: NameKind, ids: Mapping[str, str], origin: str
) -> set[str]:
    """Replace the ids in all documents; return the products whose documents had one of them."""
    changed = _rewrite(
        connection, origin, lambda document: rename_ids(document, _MEMBERS[kind], ids)
    )
    last_change.rename_in_change(connection, _MEMBERS[kind], ids)
    move_name_edits(connection, kind, ids)
    forget = "DELETE FROM unit WHERE uuid = ?"
    if kind is NameKind.CATEGORY:
        forget = "UPDATE category SET name = NULL WHERE uuid = ?"
    connection.executemany(forget, [(ours,) for ours in ids])
    return changed


def _rewrite(connection: apsw.Connection, origin: str, change: Callable[[Any], bool]) -> set[str]:
    """Change the documents of open edits and of products from elsewhere; return the products whose
    documents are others now. change: changes a document in place, and tells whether it did."""
    changed = set()
    for table, rows in (
        ("edit", many(connection, _OPEN_EDITS)),
        ("source", many(connection, _ELSEWHERE, (origin,))),
    ):
        for row in rows:
            documents = [loads(text) for text in (row[1], *row[3:])]
            if not [one for one in documents if change(one)]:
                continue
            changed.add(row[2])
            texts = [dumps(one).decode() for one in documents]
            if table == "edit":
                sql = "UPDATE edit SET document = ?, base = ?, theirs = ?, sent = ? WHERE id = ?"
                connection.execute(sql, (*texts, row[0]))
            else:
                sql = "UPDATE source SET document = ?, digest = NULL WHERE product = ?"
                connection.execute(sql, (texts[0], row[0]))
    return changed


def make_way_of_photos(index: CatalogueIndex, *, origin: str, at: datetime) -> None:
    """Give new ids to the photos here whose ids the platform `origin` may give to others. No list
    of it was imported yet, so that all photos are of other sources. Call it within a transaction.
    """
    connection = index.connection
    known = [row[0] for row in many(connection, "SELECT file_id FROM picture")]
    ids = {one: str(uuid4()) for one in known if not is_uuid(one)}
    if not ids:
        return
    rows = [(new, old) for old, new in ids.items()]
    connection.executemany("UPDATE picture SET file_id = ? WHERE file_id = ?", rows)
    for uuid in sorted(_rewrite(connection, origin, lambda document: rename_photos(document, ids))):
        index.show(uuid, by=FROM_FILE, at=at)


# --- what came from a file, or from another platform ---------------------------------------------


@dataclass(frozen=True, slots=True)
class Joined:
    """The outcome of a join. known_ids: the ids of the platform's products that were here before.
    to_add: the number of products to be added at the platform. along, settled: the numbers of their
    open changes that go with them: those that waited, and those that a person still had to decide.
    undeleted: the number of products that were deleted here and that the platform never had."""

    known_ids: tuple[str, ...] = ()
    to_add: int = 0
    along: int = 0
    settled: int = 0
    undeleted: int = 0


def make_way(
    connection: apsw.Connection,
    listed: Mapping[str, Product],
    more: Collection[str],
    *,
    origin: str,
    joins: bool,
) -> None:
    """Give new ids to articles that are not from the platform `origin` and have an id of its list:
    equal ids of two sources say nothing. Only where an article joins with the product of the same
    id anyway, it keeps it. An article made here is never known by its id, which no platform is
    told.

    listed: the products of the list, by their ids, that the catalogue does not have from there.
    more: the ids of variants in the list. Call it within a transaction.
    """
    products, ids = dumps(list(listed)).decode(), dumps([*listed, *more]).decode()
    for uuid, other in many(connection, _SAME_IDS, (origin, ids, products)):
        product = effective_product(connection, uuid)
        if joins and other and product is not None and not product.variants:
            theirs = listed.get(uuid)
            if theirs is not None and not theirs.is_deleted and is_same_article(product, theirs):
                continue
        used = {uuid}
        if other:  # a platform may keep the ids of variants that were sent there
            used |= {row[0] for row in many(connection, _ARTICLES, (uuid,))}
        ids_now = belongings.make_room(
            connection, [one for one in used if one in listed or one in more]
        )
        if other not in ("", FROM_FILE):
            connection.execute(SET_ORIGIN, (_RENAMED, ids_now.get(uuid, uuid)))


def join_elsewhere(
    index: CatalogueIndex, news: Iterable[Product], *, origin: str, at: datetime, sends: bool
) -> Joined:
    """Join the articles that came from a file or another platform to the platform `origin`. An
    article that the platform has too gets the platform's id. If `sends`, the others are to be added
    at the platform, with the changes that were made to them here, decided or not.

    news: the products of the platform's whole list that the catalogue does not have from there;
    `make_way` was called before. Call it within a transaction.
    """
    connection, theirs_now = index.connection, {one.id: one for one in news}
    if sends:
        for row in many(connection, SELECT_EDITS + _ADDED_TO_DECIDE):
            queue.reopen_add(connection, edit(row), at=at)
    ours = many(connection, SELECT_ELSEWHERE, (origin,))
    if not ours:
        return Joined()
    ours.sort(key=lambda row: row[0] not in theirs_now)  # an equal id agrees: it is matched first
    match = match_joined(theirs_now.values())
    found, ids, to_add, undeleted = list[str](), dict[str, str](), 0, 0
    ended: Counter[catalogue_edits.EditState] = Counter()
    for uuid, old_origin in ours:
        product = effective_product(connection, uuid)
        if product is None:
            if sends:  # it was deleted here, and was never there; else the deletion waits
                remove_product(connection, uuid, at=at)
                undeleted += 1
            continue
        theirs = match(product)
        if theirs is not None:
            ids |= variant_ids(product, theirs)
            found.append(theirs.id)
        elif sends:
            own = product if old_origin == FROM_FILE else _with_own_photos(connection, product)
            ended += drop_edits(connection, uuid, at=at)
            _queue_addition(connection, own, at=at)
            index.show(uuid, by=origin, at=at)
            to_add += 1
    # The ids are exchanged at the end, because an article that was not met yet may have one.
    belongings.adopt(connection, ids, is_ours=False)
    connection.executemany(SET_ORIGIN, [(origin, one) for one in found])
    return Joined(
        tuple(found),
        to_add,
        along=ended[catalogue_edits.EditState.WAITING],
        settled=ended[catalogue_edits.EditState.CONFLICT]
        + ended[catalogue_edits.EditState.REFUSED],
        undeleted=undeleted,
    )


def _with_own_photos(connection: apsw.Connection, product: Product) -> Product:
    """Keep only the product's photos that a manager chose here. The others, and those of variants,
    have ids of the platform that they came from, and no other platform knows these ids."""
    own = tuple(
        one
        for one in catalogue_edits.photos_of(product)
        if own_picture(connection, one) is not None
    )
    variants = tuple(replace(one, cover_image=None) for one in product.variants)
    return catalogue_edits.with_changes(
        replace(product, variants=variants), product.id, {catalogue_edits.IMAGES: own}
    )


def _queue_addition(connection: apsw.Connection, product: Product, *, at: datetime) -> None:
    connection.execute(
        "DELETE FROM source WHERE product = (SELECT id FROM product WHERE uuid = ?)", (product.id,)
    )
    connection.execute("UPDATE product SET origin = '' WHERE uuid = ?", (product.id,))
    queue.insert_edit(
        connection,
        catalogue_edits.EditKind.ADD,
        product.id,
        article_uuid=product.id,
        document=wire.catalogue.product_to_json(product),
        by=FROM_FILE,
        at=at,
    )
