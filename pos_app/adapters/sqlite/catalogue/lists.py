"""Reads and writes the small parts of a platform's list: categories, units, photos.

The functions that write run within a transaction, unless they say otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import apsw

from pos_app.adapters.catalogue_files.catalogue_pictures import LocalPhoto
from pos_app.adapters.sqlite.catalogue.products import platform_product
from pos_app.adapters.sqlite.catalogue.rows import SEEN, many, units_of
from pos_app.adapters.sqlite.catalogue.schema import FILE_NAME
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.domain.article.product import USUAL_UNITS, Category, File, Unit
from pos_app.selling.synchronisation.own_names import Named, NameKind
from pos_app.wire.document_ids import rename_photos
from pos_app.wire.strict_json import dumps, loads

_CATEGORY = """
INSERT INTO category (uuid, name, position) VALUES (?, ?, ?)
    ON CONFLICT (uuid) DO UPDATE SET name = excluded.name, position = excluded.position
"""
_NAMED = """
INSERT INTO category (uuid, name, position)
    VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM category))
    ON CONFLICT (uuid) DO UPDATE SET name = excluded.name, position = excluded.position
    WHERE name IS NULL
"""
_NEW_UNIT = """
INSERT OR IGNORE INTO unit (uuid, name, symbol, position)
    VALUES (?, ?, ?, (SELECT coalesce(max(position) + (max(position) > 0), 0) FROM unit))
"""


def names_of(connection: apsw.Connection, kind: NameKind) -> dict[str, Named]:
    """The units or categories here, by id, in their order."""
    if kind is NameKind.UNIT:
        units = units_of(connection).values()
        return {one.id: one for one in sorted(units, key=lambda unit: (unit.position, unit.name))}
    sql = "SELECT uuid, name, position FROM category WHERE name NOTNULL ORDER BY position, name"
    return {row[0]: Category(*row) for row in many(connection, sql)}


def write_categories(connection: apsw.Connection, categories: Sequence[Category]) -> None:
    """Make these the categories. Any other is no longer offered; its products stay."""
    connection.execute("UPDATE category SET name = NULL")
    add_categories(connection, categories)


def add_categories(connection: apsw.Connection, categories: Sequence[Category]) -> None:
    rows = [(one.id, one.name, one.position) for one in categories]
    connection.executemany(_CATEGORY, rows)


def name_categories(connection: apsw.Connection, names: Mapping[str, str]) -> None:
    """Add categories that were made here, at the end of the list. names: by id; a category that
    already has a name keeps it."""
    connection.executemany(_NAMED, list(names.items()))


def add_units(connection: apsw.Connection, units: Sequence[Unit]) -> None:
    connection.executemany("INSERT OR IGNORE INTO unit VALUES (?, ?, ?, ?)", _rows(units))


def add_new_units(connection: apsw.Connection, units: Iterable[Unit]) -> None:
    """Add units that were made here, at the end of a list that has an order."""
    for one in units:
        connection.execute(_NEW_UNIT, (one.id, one.name, one.symbol))


def add_usual_units(connection: apsw.Connection) -> None:
    if not connection.execute("SELECT 1 FROM unit").get:
        add_units(connection, USUAL_UNITS)


def rename_units(connection: apsw.Connection, units: Sequence[Unit]) -> None:
    """Write the new names of units. The articles must have the new names already."""
    connection.executemany("INSERT OR REPLACE INTO unit VALUES (?, ?, ?, ?)", _rows(units))


def write_name(connection: apsw.Connection, named: Unit | Category) -> None:
    """Write a unit or category into the list, with its new words. The articles of a unit must have
    these already."""
    if isinstance(named, Unit):
        rename_units(connection, (named,))
    else:
        add_categories(connection, (named,))


def _rows(units: Sequence[Unit]) -> list[tuple[str, str, str, int]]:
    return [(one.id, one.name, one.symbol, one.position) for one in units]


def write_pictures(connection: apsw.Connection, pictures: Sequence[LocalPhoto]) -> None:
    """Record the file of each photo."""
    rows = [(one.file_id, one.name, one.size, one.digest) for one in pictures]
    connection.executemany("INSERT OR REPLACE INTO picture VALUES (?, ?, ?, ?)", rows)


# --- photos that are brought when they are seen --------------------------------------------------


@translated_errors(FILE_NAME)
def missing_covers(connection: apsw.Connection, product_ids: Sequence[str]) -> list[File]:
    """Return the main photos of these products and their variants that are not on this machine."""
    covers: dict[str, File] = {}
    for product_id in product_ids:
        product = platform_product(connection, product_id)
        for owner in (product, *product.variants) if product is not None else ():
            if owner.cover_image is not None:
                covers.setdefault(owner.cover_image.id, owner.cover_image)
    here = {row[0] for row in connection.execute("SELECT file_id FROM picture")}
    return [cover for file_id, cover in covers.items() if file_id not in here]


@translated_errors(FILE_NAME)
def noted_pictures(connection: apsw.Connection) -> list[LocalPhoto]:
    """Return each photo that is on this machine, by name."""
    sql = "SELECT file_id, name, size, digest FROM picture ORDER BY name, file_id"
    return [LocalPhoto(*row) for row in connection.execute(sql)]


@translated_errors(FILE_NAME)
def own_picture(connection: apsw.Connection, file_id: str) -> str | None:
    """Return the file name of a photo that was chosen here, or None where it is not on this
    machine, or came from a platform."""
    name = picture_name(connection, file_id)
    return None if name is None or name.startswith(SEEN) else name


def picture_name(connection: apsw.Connection, file_id: str) -> str | None:
    """Return the file name of a photo, or None where it is not on this machine."""
    row = connection.execute("SELECT name FROM picture WHERE file_id = ?", (file_id,)).fetchone()
    return None if row is None else str(row[0])


@translated_errors(FILE_NAME)
def note_pictures(connection: apsw.Connection, pictures: Sequence[LocalPhoto]) -> None:
    """Record the file of each photo, in a transaction of its own."""
    with transaction(connection):
        write_pictures(connection, pictures)


@translated_errors(FILE_NAME)
def rename_photo(connection: apsw.Connection, ours: str, theirs: str, *, name: str) -> None:
    """Copy the row of a photo that was sent, `ours`, to its id there, `theirs`, and replace the
    id in edits that the platform has not accepted. name: the file's name on this machine.
    """
    with transaction(connection):
        connection.execute(
            "INSERT OR REPLACE INTO picture SELECT ?, ?, size, digest FROM picture"
            " WHERE file_id = ?",
            (theirs, name, ours),
        )
        rows = connection.execute(_NAMING_PHOTO, (dumps(ours).decode(),)).fetchall()
        for edit, *texts in rows:
            documents = [loads(str(text)) for text in texts]
            for document in documents:
                rename_photos(document, {ours: theirs})
            sql = "UPDATE edit SET document = ?, sent = ? WHERE id = ?"
            connection.execute(sql, (*(dumps(one).decode() for one in documents), edit))


_NAMING_PHOTO = """
SELECT id, document, sent FROM edit WHERE instr(document || sent, ?)
    AND state IN ('waiting', 'sending', 'conflict', 'refused')
"""


@translated_errors(FILE_NAME)
def forget_pictures(connection: apsw.Connection, names: Sequence[str]) -> None:
    """Forget the files of these names, in a transaction of its own."""
    if names:
        with transaction(connection):
            rows = [(name,) for name in names]
            connection.executemany("DELETE FROM picture WHERE name = ?", rows)
