"""Writes a product of the platform into `catalogue.db`: its own fields, and this till's edits
against them. Each function of the writer runs within a transaction.

Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.catalogue import belongings, lost_edits, removals, shop_notes
from pos_app.adapters.sqlite.catalogue import edit_rows as queue
from pos_app.adapters.sqlite.catalogue.index import CatalogueIndex
from pos_app.adapters.sqlite.catalogue.products import open_edits, platform_product
from pos_app.adapters.sqlite.catalogue.rows import many, number, units_of
from pos_app.domain.article.article import Marks
from pos_app.domain.article.product import Product, Unit
from pos_app.domain.receipt.units import unit_word
from pos_app.selling.synchronisation import catalogue_edits
from pos_app.selling.synchronisation.conflicts import EditMatch, meet
from pos_app.selling.synchronisation.price_and_unit import SeenPrices
from pos_app.selling.synchronisation.sent_edits import came_late, is_as_sent
from pos_app.wire.strict_json import dumps

_SOURCE = """
INSERT INTO source VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET document = excluded.document, digest = excluded.digest,
        version = excluded.version
"""
_ARRIVED = """
UPDATE source SET document = ?, digest = NULL
WHERE product = (SELECT id FROM product WHERE uuid = ?)
"""


class ListedWriter:
    """Writes products of `origin`. at: the UTC moment of the list. is_restored: the platform was
    put back from an older copy."""

    def __init__(
        self, index: CatalogueIndex, *, origin: str, at: datetime, is_restored: bool = False
    ) -> None:
        self._is_restored = is_restored
        self._index = index
        self._connection = index.connection
        self._origin = origin
        self._at = at

    def write(
        self,
        product: Product,
        text: str,
        digest: bytes,
        marks: Mapping[str, Marks],
        *,
        index: int,
        is_known: bool,
    ) -> None:
        """Write a product as the platform has it. text: its JSON; digest: the digest of that text.

        index: its number in the list, from 1. is_known: whether the catalogue has a row of that id.
        """
        if product.is_deleted:
            if is_known:
                removals.settle_gone(self._index, product.id, by=self._origin, at=self._at)
            return
        version = wire.moment.instant_text(product.updated_at)
        if marks:
            shop_notes.note_listed(self._connection, product.id, marks, index=index)
        if is_known:
            row = self._write_again(product, version)
        else:
            row = self._index.put(product, origin=self._origin)
            if self._is_restored and lost_edits.ask_about_deleted(
                self._connection, product.id, at=self._at
            ):
                self._index.show(product.id, by=self._origin, at=self._at)
        self._connection.execute(_SOURCE, (row, text, digest, version))

    def _write_again(self, product: Product, version: str | None) -> int:
        connection = self._connection
        sql = "UPDATE product SET origin = ? WHERE uuid = ? RETURNING id"
        row = number(connection, sql, (self._origin, product.id))
        if product.variants:
            self._adopt_variants(row, product)
        self._put_back_late(product, version)
        before = platform_product(connection, product.id) if self._is_restored else None
        if before is not None:
            lost_edits.ask_about_listed(connection, before, product, at=self._at)
        edits = open_edits(connection, product.id)
        if edits:
            seen = self._seen(product.id, edits)
            for edit in edits:
                self._meet(edit, product, version, seen)
            edits = open_edits(connection, product.id)
        shown = catalogue_edits.effective(product, edits, None)
        self._index.put_again(
            row, product.id, shown, by=self._origin, at=self._at, is_older=self._is_restored
        )
        return row

    def _put_back_late(self, product: Product, version: str | None) -> None:
        """Wish again what was put back here, where the platform got the change itself only after
        its list did not have it."""
        connection = self._connection
        for done in queue.late_edits(connection, product.id, at=self._at):
            wish = came_late(done, platform_product(connection, product.id), product)
            if not wish:
                continue
            queue.note_sent(connection, done.id, {})
            queue.insert_edit(
                connection,
                catalogue_edits.EditKind.UPDATE,
                product.id,
                article_uuid=done.article_id,
                document=wire.catalogue.changes_to_json(wish),
                base_version=version,
                by=done.by,
                at=self._at,
            )

    def _adopt_variants(self, row: int, product: Product) -> None:
        """Give variants that were added here and reached the platform its ids, also where they were
        removed here since. One that another made there of the same code is asked about."""
        sql = "SELECT uuid, sku FROM article WHERE product = ? AND sku IS NOT NULL"
        shown: dict[str, int] = dict(many(self._connection, sql, (row,)))
        theirs = {one.sku: one.id for one in product.variants if one.id not in shown}
        if not theirs:
            return
        sent = self._sent_variants(product.id)
        before = platform_product(self._connection, product.id)
        known = {product.id, *(one.id for one in (before.variants if before else ()))}
        codes = {id_: sku for id_, sku in {**sent, **shown}.items() if id_ not in known}
        for ours, sku in codes.items():
            if sku in theirs:
                made, is_ours = {ours: theirs[sku]}, ours in sent
                belongings.adopt(self._connection, made, is_ours=is_ours, of=product.id)

    def _sent_variants(self, product_uuid: str) -> dict[str, int]:
        """The codes, by id, of variants that the platform may have got from here."""
        open_now = open_edits(self._connection, product_uuid)
        late = queue.late_edits(self._connection, product_uuid, at=self._at)
        lists = [one.sent.get(catalogue_edits.VARIANTS, ()) for one in (*late, *open_now)]
        return {one.id: one.sku for variants in lists for one in variants if one.sku is not None}

    def _seen(
        self, product_uuid: str, edits: tuple[catalogue_edits.CatalogueEdit, ...]
    ) -> SeenPrices | None:
        before = platform_product(self._connection, product_uuid)
        if before is None:
            return None
        here = catalogue_edits.effective(before, edits, None)
        words, now = map(_words_of, (units_of(self._connection), self._index.units))
        return SeenPrices(before, here, words, now)

    def _meet(
        self,
        edit: catalogue_edits.CatalogueEdit,
        product: Product,
        version: str | None,
        seen: SeenPrices | None,
    ) -> None:
        """Compare this till's edit with the platform's product; the edit stays until it is sent."""
        connection = self._connection
        if edit.kind is catalogue_edits.EditKind.ADD:
            queue.set_state(connection, edit, catalogue_edits.EditState.DONE, at=self._at)
        elif edit.state is catalogue_edits.EditState.SENDING:
            return  # the run that sends it will get the outcome
        elif edit.kind is catalogue_edits.EditKind.UPDATE:
            queue.store_meeting(connection, edit, meet(edit, product, seen), at=self._at)
        elif edit.base_version != version:
            if edit.base_version is None or (seen and is_as_sent(edit, seen.before, product)):
                # it was made before the platform had the product, or an earlier change of this till
                queue.renew_version(connection, edit, version)
                return
            conflict = catalogue_edits.FieldConflict(catalogue_edits.DELETED, False, True, False)
            queue.store_meeting(connection, edit, EditMatch({}, {}, (conflict,)), at=self._at)


def _words_of(units: Mapping[str, Unit]) -> dict[str, str]:
    return {one.id: unit_word(one.symbol) for one in units.values()}


def note_arrived(connection: apsw.Connection, done: catalogue_edits.CatalogueEdit) -> None:
    """Add a change that the platform took to the stored product of the platform, until the next
    list brings it. It runs within a transaction."""
    platform = platform_product(connection, done.product_id)
    if done.kind is catalogue_edits.EditKind.UPDATE and platform is not None:
        product = catalogue_edits.applied(platform, done)
        document = dumps(wire.catalogue.product_to_json(product)).decode()
        connection.execute(_ARRIVED, (document, done.product_id))
