"""Imports a checked list into `catalogue.db` in small batches with pauses, while tills sell.

Each product is written whole in one commit. The next run continues a killed one, because written
products have the digest of their text. Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from pos_app.adapters.catalogue_files.catalogue_pictures import LocalPhoto
from pos_app.adapters.sqlite.catalogue import lists, removals
from pos_app.adapters.sqlite.catalogue.index import CatalogueIndex
from pos_app.adapters.sqlite.catalogue.joining import same_accounts
from pos_app.adapters.sqlite.catalogue.listed_products import ListedWriter
from pos_app.adapters.sqlite.catalogue.lost_edits import ask_about_names, ask_about_stores
from pos_app.adapters.sqlite.catalogue.name_edits import name_edits, shown_names
from pos_app.adapters.sqlite.catalogue.names import (
    add_listed_units,
    drop_unlisted_units,
    withdraw_deletions,
)
from pos_app.adapters.sqlite.catalogue.outgoing_edits import (
    ask_again,
    settle_added,
    settle_returned,
)
from pos_app.adapters.sqlite.catalogue.own_names import (
    Joined,
    join_elsewhere,
    make_way,
    make_way_of_photos,
)
from pos_app.adapters.sqlite.catalogue.plain_products import PlainListed, is_plain, put_plain
from pos_app.adapters.sqlite.catalogue.rows import LOST, SET_ORIGIN, many, number, units_of
from pos_app.adapters.sqlite.catalogue.schema import FILE_NAME
from pos_app.adapters.sqlite.catalogue.stores import end_store_edits, write_stores
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.stored_values import moment_text
from pos_app.domain.article.product import Category, Unit
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import PriceCause, PriceReason
from pos_app.selling.synchronisation.own_names import Named, NameKind, is_respelled
from pos_app.selling.synchronisation.reports import Imported
from pos_app.wire.strict_json import dumps

if TYPE_CHECKING:
    from pos_app.adapters.catalogue_files.catalogue_list import CatalogueList, Listed
    from pos_app.domain.article.article import Marks
    from pos_app.domain.article.product import Product

    Taken = tuple[Listed, Product, dict[str, Marks]]

BATCH = 200
"""Products in one commit: for some 20 ms no other program can write; readers never wait."""

FIRST_BATCH = 4000
"""The batch until a first list is complete, some 200 ms: nobody edits articles that are not there
yet, and each commit writes the words of the search index."""
RESPELLED_BATCH = 1000
"""The batch of products whose text alone differs: no index is written."""
TIDY_FROM = 1000
"""After so many changes the search index is merged."""

_MERGE = "INSERT INTO search (search, rank) VALUES ('merge', 64)"
_KNOWN = "SELECT uuid, digest FROM product LEFT JOIN source ON product = id"
_TEXT = "SELECT document FROM source JOIN product ON product = id WHERE uuid = ?"
_RESPELLED = """
UPDATE source SET document = ?, digest = ? WHERE product = (SELECT id FROM product WHERE uuid = ?)
"""
_HAS_A_LIST = "SELECT 1 FROM sync_run WHERE ended_at IS NOT NULL LIMIT 1"
_MARKED = "SELECT DISTINCT product_uuid FROM mark"
_NOT_FROM = "SELECT uuid, origin FROM product WHERE origin <> ?"
_END = """
UPDATE sync_run SET ended_at = ?, added = ?, changed = ?, unchanged = ?, removed = ?,
    held_back = ?, conflicts = ? WHERE id = ?
"""


@dataclass(frozen=True, slots=True)
class PlatformList:
    """A list that a platform sent. whole: it has all products, not only the changed ones.

    origin_prefix: the beginning of the origins of all accounts at its address. joins: no list of
    this platform was ever imported, so products from elsewhere are looked for in the list. sends:
    those that the list lacks are then added at the platform. is_restored: the platform was put back
    from an older copy.
    """

    whole: bool
    origin_prefix: str
    joins: bool = False
    sends: bool = True
    is_restored: bool = False


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of a run. pause: called between commits. report_progress: products done, and all."""

    pause: Callable[[], None]
    report_progress: Callable[[int, int], None]


@translated_errors(FILE_NAME)
def open_for_import(path: Path) -> apsw.Connection:
    """Open the catalogue for large writes. Raises what `open_database` does. A power cut may cost
    the last commits, never the file: the next run writes them again."""
    connection = open_writer(path, durable=False)
    for pragma in ("cache_size=-65536", "wal_autocheckpoint=8000"):  # 64 and 32 MiB
        connection.execute(f"PRAGMA {pragma}").fetchall()
    return connection


@translated_errors(FILE_NAME)
def known_digests(
    connection: apsw.Connection, among: Iterable[str] | None = None
) -> dict[str, bytes | None]:
    """Return the digest of each listed product's text, by its id. among: only these ids."""
    if among is None:
        return {row[0]: row[1] for row in many(connection, _KNOWN)}
    wanted = dumps(list(among)).decode()
    rows = many(connection, f"{_KNOWN} WHERE uuid IN (SELECT value FROM json_each(?))", (wanted,))
    return {row[0]: row[1] for row in rows}


@translated_errors(FILE_NAME)
def text_before(connection: apsw.Connection, uuid: str) -> str | None:
    """Return a product as it was listed last, or None where no list has it."""
    rows = many(connection, _TEXT, (uuid,))
    return str(rows[0][0]) if rows else None


@translated_errors(FILE_NAME)
def has_listed(connection: apsw.Connection) -> bool:
    return bool(many(connection, "SELECT 1 FROM product WHERE origin <> '' LIMIT 1"))


@translated_errors(FILE_NAME)
def known_units(connection: apsw.Connection) -> dict[str, Unit]:
    return units_of(connection)


@translated_errors(FILE_NAME)
def look_for_added(connection: apsw.Connection, *, origin: str, at: datetime) -> None:
    """Settle additions where the list is unchanged: a product added here is in it or was not
    taken."""
    with transaction(connection):
        index = CatalogueIndex(connection, units_of(connection), PriceReason(PriceCause.PLATFORM))
        settle_added(index, (), origin=origin, at=at)


@translated_errors(FILE_NAME)
def waiting_removals(connection: apsw.Connection) -> int:
    return removals.held_back(connection)


@translated_errors(FILE_NAME)
def accept_gone(connection: apsw.Connection, *, origin: str, at: datetime) -> int:
    """Remove the products that wait for a manager, who agreed, and return their number."""
    with transaction(connection):
        index = CatalogueIndex(connection, units_of(connection), PriceReason(PriceCause.PLATFORM))
        rows = many(connection, "SELECT uuid FROM product JOIN gone ON gone.product = id")
        for (uuid,) in rows:
            removals.settle_gone(index, uuid, by=origin, at=at)
        return len(rows)


@translated_errors(FILE_NAME)
def bring_in(
    connection: apsw.Connection,
    listing: CatalogueList,
    *,
    origin: str,
    pictures: Sequence[LocalPhoto],
    accept_removals: bool,
    now: Callable[[], datetime],
    pace: Pace,
    platform: PlatformList | None = None,
) -> Imported:
    """Write a checked list. origin: only products of this origin can be gone. now: returns UTC.

    platform: describes the list when a platform sent it. Raises DiskFull, DatabaseBusy,
    DatabaseDamaged; earlier commits stay.
    """
    changes_only = platform is not None and not platform.whole
    among = [one.uuid for one in listing.products or ()] if changes_only else None
    known = known_digests(connection, among)
    of_platform = platform is not None
    if platform is None:
        _meet_names(connection, listing, partial(shown_names, at=now()))
    elif platform.is_restored:
        with transaction(connection):
            ask_about_stores(connection, listing.stores or ())
            _meet_names(connection, listing, ask_about_names)
    run = _SyncRun(
        connection,
        listing,
        known=known,
        origin=origin,
        at=now(),
        pace=pace,
        of_platform=of_platform,
        is_restored=platform is not None and platform.is_restored,
    )
    run.begin(pictures, is_first=platform is not None and platform.joins)
    if platform is not None:
        run.recognise(platform)
    counted = run.products()
    removed, held_now = run.let_go(whole=not changes_only, accept=accept_removals)
    run.tidy(counted)
    return run.end(counted, removed=removed, held_now=held_now, at=now())


def _meet_names(
    connection: apsw.Connection,
    listing: CatalogueList,
    meet: Callable[[apsw.Connection, NameKind, Sequence[Named]], Sequence[Named]],
) -> None:
    """Let the changes of units and categories that were made here stay in a list."""
    if listing.units is not None:
        units = meet(connection, NameKind.UNIT, listing.units)
        listing.units = tuple(one for one in units if isinstance(one, Unit))
    if listing.categories is not None:
        categories = meet(connection, NameKind.CATEGORY, listing.categories)
        listing.categories = tuple(one for one in categories if isinstance(one, Category))


class _SyncRun:
    def __init__(
        self,
        connection: apsw.Connection,
        listing: CatalogueList,
        *,
        known: dict[str, bytes | None],
        origin: str,
        at: datetime,
        pace: Pace,
        of_platform: bool,
        is_restored: bool,
    ) -> None:
        self._connection = connection
        self._listing = listing
        self._origin = origin
        self._at = at
        self._pace = pace
        old = units_of(connection)
        listed = {unit.id: unit for unit in listing.units or ()}
        gone = [one.theirs or one.base for one in name_edits(connection) if one.ours is None]
        deleted = {one.id: one for one in gone if isinstance(one, Unit)}
        units = deleted | old | listed
        self._index = CatalogueIndex(connection, units, PriceReason(PriceCause.PLATFORM))
        self._renamed = [key for key, unit in listed.items() if is_respelled(old.get(key), unit)]
        self._known = known
        self._is_first = not many(connection, _HAS_A_LIST)
        self._had_products = bool(known)
        self._marked = {row[0] for row in many(connection, _MARKED)}
        self._reported_gone: frozenset[str] = frozenset()
        self._writer = ListedWriter(self._index, origin=origin, at=at, is_restored=is_restored)
        self._is_restored = is_restored
        self._of_platform = of_platform
        self._joined = Joined()
        self._stores_ended = 0
        self._id = 0

    # --- what is small -----------------------------------------------------------------------

    def begin(self, pictures: Sequence[LocalPhoto], *, is_first: bool) -> None:
        """Note the run; write stores, categories, new units and pictures. is_first: no list of this
        platform was imported yet."""
        with transaction(self._connection) as connection:
            connection.execute(
                "INSERT INTO sync_run (origin, began_at, listed) VALUES (?, ?, ?)",
                (self._origin, moment_text(self._at), len(self._listing.products or ())),
            )
            self._id = connection.last_insert_rowid()
            if self._listing.stores:  # without stores in the list, the shop keeps its own
                self._stores_ended = write_stores(
                    connection, self._listing.stores, is_first=is_first
                )
            elif self._of_platform and self._listing.stores is not None:
                self._stores_ended = end_store_edits(connection)
            if self._listing.categories is not None:
                lists.write_categories(connection, self._listing.categories)
            add_listed_units(self._index, self._listing.units or (), by=self._origin, at=self._at)
            lists.write_pictures(connection, pictures)

    def recognise(self, platform: PlatformList) -> None:
        """Find this account's products: those listed under another key, those made here, and those
        that it lists as deleted, which `let_go` removes."""
        listing = self._listing
        with transaction(self._connection) as connection:
            if platform.joins:
                make_way_of_photos(self._index, origin=self._origin, at=self._at)
            self._know_apart(connection, platform)
            if platform.joins and platform.whole:
                news = listing.news(self._known)
                self._joined = join_elsewhere(
                    self._index, news, origin=self._origin, at=self._at, sends=platform.sends
                )
                self._known |= dict.fromkeys(self._joined.known_ids)
            returned = settle_returned(connection, listing.news(self._known))
            self._known |= dict.fromkeys(returned)
            news = listing.news(self._known)
            found = settle_added(self._index, news, origin=self._origin, at=self._at)
            self._known |= dict.fromkeys(found)
        self._reported_gone = frozenset(
            uuid
            for uuid, (product, _) in listing.read.items()
            if product.is_deleted and uuid in self._known
        )

    def _know_apart(self, connection: apsw.Connection, platform: PlatformList) -> None:
        """Know only this account's products by their ids, under whichever key and address it was
        listed before. Others with such an id get another one."""
        listing, origin = self._listing, self._origin
        rows = many(connection, _NOT_FROM, (origin,))
        if not rows:
            return
        apart = {uuid for uuid, _ in rows}
        known = {uuid: one for uuid, one in self._known.items() if uuid not in apart}
        listed = {one.id: one for one in listing.news(known)}
        for other in same_accounts(connection, listed, origin=origin):
            theirs = [uuid for uuid, one in rows if one == other and uuid in listed]
            if platform.whole and other.startswith(platform.origin_prefix):
                sql = "UPDATE product SET origin = ? WHERE origin = ?"
                connection.execute(sql, (origin, other))
            else:
                connection.executemany(SET_ORIGIN, [(origin, uuid) for uuid in theirs])
            known |= {uuid: self._known.get(uuid) for uuid in theirs}
        listing.respelled -= apart - known.keys()
        here = {uuid: one for uuid, one in listed.items() if uuid not in known}
        read = [product for product, _ in listing.read.values()]
        variants = {one.id for product in (*here.values(), *read) for one in product.variants}
        joins = platform.joins and platform.whole
        make_way(connection, here, variants, origin=origin, joins=joins)
        self._known = known

    # --- products ----------------------------------------------------------------------------

    def products(self) -> Imported:
        listed = self._listing.products or ()
        wanted = [one for one in listed if self._is_to_write(one)]
        self._respell(listed)
        wanted.sort(key=self._listing.sorted_by)
        added = 0
        size = FIRST_BATCH if self._is_first else BATCH
        for start in range(0, len(wanted), size):
            batch = wanted[start : start + size]
            self._write(batch)
            added += sum(1 for one in batch if one.uuid not in self._known)
            self._pace.report_progress(start + len(batch), len(wanted))
            self._pace.pause()
        return Imported(
            listed=len(listed),
            added=added,
            changed=len(wanted) - added,
            unchanged=len(listed) - len(wanted) - len(self._reported_gone),
        )

    def _respell(self, listed: Sequence[Listed]) -> None:
        """Keep the new text of products whose content is the same, for the next run."""
        respelled = self._listing.respelled
        again = [one for one in listed if one.uuid in respelled]
        for start in range(0, len(again), RESPELLED_BATCH):
            batch = again[start : start + RESPELLED_BATCH]
            rows = [(self._listing.raw(one), one.digest, one.uuid) for one in batch]
            with transaction(self._connection) as connection:
                connection.executemany(_RESPELLED, rows)
            self._pace.pause()

    def _write(self, batch: Sequence[Listed]) -> None:
        """Write some products in one commit; the new and plain ones are written together."""
        known, marked = self._known, self._marked
        plain: list[PlainListed] = []
        others: list[Taken] = []
        for one in batch:
            product, marks = self._listing.take(one)
            is_new = one.uuid not in known and one.uuid not in marked
            if is_new and not marks and is_plain(product) and not self._is_restored:
                plain.append(PlainListed(product, self._listing.raw(one), one.digest))
            else:
                others.append((one, product, marks))
        try:
            self._commit(plain, others)
        except apsw.ConstraintError:  # another product has an article of such an id, which moves
            self._index.rolled_back()
            self._commit((), [(one, *self._listing.take(one)) for one in batch])

    def _commit(self, plain: Sequence[PlainListed], others: Sequence[Taken]) -> None:
        with transaction(self._connection):
            put_plain(self._index, plain, origin=self._origin)
            for one, product, marks in others:
                self._writer.write(
                    product,
                    self._listing.raw(one),
                    one.digest,
                    marks,
                    index=one.start + 1,
                    is_known=one.uuid in self._known,
                )

    def _is_to_write(self, listed: Listed) -> bool:
        if listed.uuid in self._reported_gone:
            return False
        return self._is_new(listed) and not self._was_never_here(listed)

    def _is_new(self, listed: Listed) -> bool:
        """Tell whether the product's text, or a unit in it, differs from the written one."""
        is_respelled = listed.uuid in self._listing.respelled
        if self._known.get(listed.uuid) != listed.digest and not is_respelled:
            return True
        raw = self._listing.raw(listed) if self._renamed else ""
        return any(unit in raw for unit in self._renamed)

    def _was_never_here(self, listed: Listed) -> bool:
        """Tell whether the product is listed as deleted, and this till never had it."""
        read = self._listing.read.get(listed.uuid) if listed.uuid not in self._known else None
        return read is not None and read[0].is_deleted

    # --- the end -----------------------------------------------------------------------------

    def let_go(self, *, whole: bool, accept: bool) -> tuple[int, int]:
        """Remove the products that a platform lists as deleted, or that a whole list no longer has.
        Return how many were removed, and how many are held back now for a manager."""
        if self._listing.products is None or (whole and not self._had_products):
            return 0, 0
        here = frozenset(one.uuid for one in self._listing.products) - self._reported_gone
        listed = removals.ListedIds(
            here, self._reported_gone, whole=whole, is_restored=self._is_restored
        )
        gone = removals.let_go(
            self._index,
            listed,
            origin=self._origin,
            accept=accept,
            at=self._at,
            pause=self._pace.pause,
        )
        return gone.removed, gone.held_back

    def tidy(self, counted: Imported) -> None:
        """Merge the search index after many changes, a little at a time."""
        if counted.added + counted.changed < TIDY_FROM:
            return
        merged = True
        while merged:
            before = self._connection.total_changes()
            with transaction(self._connection) as connection:
                connection.execute(_MERGE)
            merged = self._connection.total_changes() - before > 1
            self._pace.pause()

    def end(self, counted: Imported, *, removed: int, held_now: int, at: datetime) -> Imported:
        """Write renamed units after their products, and close the run's log."""
        with transaction(self._connection) as connection:
            lists.rename_units(connection, self._listing.units or ())
            withdraw_deletions(self._index, by=self._origin, at=self._at)
            ask_again(connection, origin=self._origin, at=self._at)
            if self._of_platform and self._listing.units is not None:
                drop_unlisted_units(connection, self._listing.units)
            conflicts = number(connection, "SELECT count(*) FROM edit WHERE state = 'conflict'")
            lost = number(connection, LOST) if self._is_restored else 0
            done = replace(
                counted,
                removed=removed,
                held_back=removals.held_back(self._connection),
                held_now=held_now,
                joined=len(self._joined.known_ids),
                to_join=self._joined.to_add,
                along=self._joined.along,
                settled=self._joined.settled,
                undeleted=self._joined.undeleted,
                stores_ended=self._stores_ended,
                conflicts=conflicts,
                lost=lost,
                articles=number(connection, "SELECT count(*) FROM article"),
            )
            connection.execute(
                _END,
                (
                    moment_text(at),
                    done.added,
                    done.changed,
                    done.unchanged,
                    done.removed,
                    done.held_back,
                    done.conflicts,
                    self._id,
                ),
            )
        return done
