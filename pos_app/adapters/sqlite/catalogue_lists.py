"""What is small in a platform's list: stores, categories, units, photos, written whole.

The functions that write run within a transaction, unless they say otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from pos_app.adapters.catalogue_pictures import Picture
from pos_app.adapters.sqlite.catalogue_products import platform_product
from pos_app.adapters.sqlite.catalogue_schema import FILE_NAME
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.domain.product import Category, File, Unit
from pos_app.domain.store import Store
from pos_app.errors import NotAllowed, NotFound
from pos_app.wire.store import store_to_json
from pos_app.wire.strict_json import dumps

_CATEGORY = """
INSERT INTO category (uuid, name, position) VALUES (?, ?, ?)
    ON CONFLICT (uuid) DO UPDATE SET name = excluded.name, position = excluded.position
"""


def write_stores(connection: apsw.Connection, stores: Sequence[Store]) -> None:
    """Make these the account's stores, in this order."""
    connection.execute("DELETE FROM store")
    rows = [
        (store.id, position, dumps(store_to_json(store)).decode())
        for position, store in enumerate(stores)
    ]
    connection.executemany("INSERT INTO store VALUES (?, ?, ?)", rows)


def rewrite_store(connection: apsw.Connection, store: Store) -> None:
    """Keep a store that is listed as it is now. Raises NotFound."""
    document = dumps(store_to_json(store)).decode()
    connection.execute("UPDATE store SET document = ? WHERE uuid = ?", (document, store.id))
    if not connection.changes():
        raise NotFound("This store is not in the catalogue.", kind="store")


def add_first_store(connection: apsw.Connection, store: Store) -> None:
    """The store of a shop without a platform. Raises NotAllowed where there is one already."""
    if connection.execute("SELECT 1 FROM store").get:
        raise NotAllowed("There is a store already.", kind="has_store")
    write_stores(connection, (store,))


def write_categories(connection: apsw.Connection, categories: Sequence[Category]) -> None:
    """Make these the categories. One that is not listed has no chip; its products stay."""
    connection.execute("UPDATE category SET name = NULL")
    rows = [(one.id, one.name, one.position) for one in categories]
    connection.executemany(_CATEGORY, rows)


def add_units(connection: apsw.Connection, units: Sequence[Unit]) -> None:
    rows = [(one.id, one.name, one.symbol) for one in units]
    connection.executemany("INSERT OR IGNORE INTO unit VALUES (?, ?, ?)", rows)


def rename_units(connection: apsw.Connection, units: Sequence[Unit]) -> None:
    """Give units their new names, once the articles have them."""
    rows = [(one.id, one.name, one.symbol) for one in units]
    connection.executemany("INSERT OR REPLACE INTO unit VALUES (?, ?, ?)", rows)


def write_pictures(connection: apsw.Connection, pictures: Sequence[Picture]) -> None:
    """Note where photos lie."""
    rows = [(one.file_id, one.name, one.size, one.digest) for one in pictures]
    connection.executemany("INSERT OR REPLACE INTO picture VALUES (?, ?, ?, ?)", rows)


# --- photos that are brought when they are seen --------------------------------------------------


@translated_errors(FILE_NAME)
def missing_covers(connection: apsw.Connection, product_ids: Sequence[str]) -> list[File]:
    """The main photos of these products and their variants that are not on this machine."""
    covers: dict[str, File] = {}
    for product_id in product_ids:
        product = platform_product(connection, product_id)
        for owner in (product, *product.variants) if product is not None else ():
            if owner.cover_image is not None:
                covers.setdefault(owner.cover_image.id, owner.cover_image)
    here = {row[0] for row in connection.execute("SELECT file_id FROM picture")}
    return [cover for file_id, cover in covers.items() if file_id not in here]


@translated_errors(FILE_NAME)
def note_pictures(connection: apsw.Connection, pictures: Sequence[Picture]) -> None:
    """Note where photos lie, in a transaction of its own."""
    with transaction(connection):
        write_pictures(connection, pictures)


@translated_errors(FILE_NAME)
def forget_pictures(connection: apsw.Connection, names: Sequence[str]) -> None:
    """The files of these names are thrown away, in a transaction of its own."""
    if names:
        with transaction(connection):
            rows = [(name,) for name in names]
            connection.executemany("DELETE FROM picture WHERE name = ?", rows)
