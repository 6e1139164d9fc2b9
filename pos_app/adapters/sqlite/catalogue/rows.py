"""Rows of `catalogue.db` as values, and values as columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw

from pos_app import wire
from pos_app.adapters.sqlite import stored_values
from pos_app.domain.article.article import NO_MARKS, Article, Barcode, Marks
from pos_app.domain.article.product import File, Unit
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.catalogue import CatalogueRow, EditMark
from pos_app.selling.synchronisation import catalogue_edits
from pos_app.wire.strict_json import loads

Row = tuple[Any, ...]

NOW = "shop_now"
"""A function of a connection: the present instant, as it is stored."""
IS_OVER = f"({{plan}}.ends_at NOTNULL AND {{plan}}.ends_at <= {NOW}())"
HOLDS = f"({{plan}}.begins_at <= {NOW}() AND NOT {IS_OVER})"
"""Whether the price of a plan is charged at this moment, as `PlannedPrice.holds_at`."""
_PLAN = f"""(SELECT w.price FROM planned_price w WHERE w.article_uuid = {{article}}
        AND {HOLDS.format(plan="w")})"""
"""The planned price of this moment; NULL without one."""
_PRICE_OF_ARTICLE = f"coalesce({_PLAN.format(article='a.uuid')}, a.price)"


def _price_of_row(column: str, pick: str) -> str:
    """Return the SQL of a price of a row of the picker. pick: chooses among articles' prices."""
    only = f"coalesce({_PLAN.format(article='p.article_uuid')}, p.{column})"
    several = f"(SELECT {pick}({_PRICE_OF_ARTICLE}) FROM article a WHERE a.product = p.id)"
    return f"CASE WHEN p.articles > 1 THEN {several} ELSE {only} END"


DEMO = "demo"
"""The name in `meta` that a demo has once it was connected to a platform."""
STAYS_HERE = f"""(coalesce(p.origin, '') NOT IN ('', coalesce((SELECT origin FROM platform), ''))
    AND EXISTS (SELECT 1 FROM meta WHERE name = '{DEMO}'))"""
"""Whether a product `p` is a demo's own, which is never sent, so that its changes do not wait."""
SELECT_ARTICLES = f"""
SELECT a.uuid, a.product_uuid, a.name, a.label, a.sku, a.ean, a.maker_code, a.variant_name,
    {_PRICE_OF_ARTICLE}, a.unit, a.unit_name, a.by_weight, a.categories, a.picture_id, a.pinned,
    a.open_price, a.barcodes
FROM article a
"""
SELECT_CATALOGUE_ROWS = f"""
SELECT p.uuid, p.article_uuid, p.articles, p.sku, p.ean, p.name, p.subtitle, p.label,
    {_price_of_row("price", "min")}, {_price_of_row("highest", "max")},
    p.unit, p.by_weight, p.asks_price, p.pinned, p.categories,
    CASE WHEN p.pending = 'waiting' AND {STAYS_HERE} THEN '' ELSE p.pending END,
    (SELECT name FROM picture WHERE file_id = p.picture_id), p.picture_id, p.id
FROM product p
"""
LOST = f"""
SELECT count(*) FROM (
    SELECT error_field FROM edit WHERE state = 'conflict'
    UNION ALL SELECT error_field FROM store_edit
    UNION ALL SELECT error_field FROM name_edit
) WHERE error_field = '{catalogue_edits.LOST_FIELD}'
"""
"""The changes that the platform had until it was put back, and that a person decides."""
SELECT_ELSEWHERE = "SELECT uuid, origin FROM product WHERE origin NOT IN ('', ?)"
SET_ORIGIN = "UPDATE product SET origin = ? WHERE uuid = ?"
"""Products that came from elsewhere than the platform of that origin."""
SELECT_EDITS = """
SELECT e.id, e.key, e.kind, e.product_uuid, e.article_uuid, e.document, e.base, e.base_version,
    e.state, e.by, e.made_at, e.error, e.theirs, e.error_field, e.sent
FROM edit e
"""

FILES = "files"
SEEN = "seen-"
"""Begins the names of a platform's photos, which may be thrown away, and brought again."""


def listed(items: tuple[str, ...]) -> str:
    """Join ids into one column."""
    return "\n".join(items)


def items(column: str) -> tuple[str, ...]:
    return tuple(column.split("\n")) if column else ()


def barcodes_text(barcodes: tuple[Barcode, ...]) -> str:
    """Join further barcodes into one column, thousandths before each code."""
    return "\n".join(f"{stored_values.thousandths(one.quantity)} {one.code}" for one in barcodes)


def barcodes(column: str) -> tuple[Barcode, ...]:
    pairs = (text_line.split(" ", 1) for text_line in items(column))
    return tuple(Barcode(code, stored_values.quantity_of(int(count))) for count, code in pairs)


def article(row: Row) -> Article:
    """Read the article in a row of SELECT_ARTICLES. Its picture has the file's id alone."""
    return Article(
        id=row[0],
        product_id=row[1],
        name=row[2],
        label=_LABELS[row[3]],
        sku=row[4],
        ean=row[5],
        manufacturer_sku=row[6],
        variant_name=row[7],
        price=stored_values.optional_money(row[8]),
        unit=row[9],
        unit_name=row[10],
        by_weight=bool(row[11]),
        category_ids=items(row[12]),
        picture=File(id=row[13], filename="") if row[13] else None,
        pinned=bool(row[14]),
        open_price=bool(row[15]),
        barcodes=barcodes(row[16]),
    )


_LABELS = {label.value: label for label in TaxLabel}


def catalogue_rows_of(
    connection: apsw.Connection, ids: list[int], folder: Path
) -> tuple[CatalogueRow, ...]:
    """Return the catalogue rows of these products, in this order; `folder` holds the pictures."""
    listed = f"[{','.join(map(str, ids))}]"
    sql = SELECT_CATALOGUE_ROWS + "WHERE p.id IN (SELECT value FROM json_each(?))"
    rows = {row[-1]: row for row in connection.execute(sql, (listed,))}
    return tuple(catalogue_row(rows[key], folder) for key in ids if key in rows)


def catalogue_row(row: Row, folder: Path) -> CatalogueRow:
    """Read the catalogue row in one row of SELECT_CATALOGUE_ROWS; `folder` holds the pictures."""
    price = stored_values.optional_money(row[8])
    return CatalogueRow(
        product_id=row[0],
        article_id=row[1],
        articles=row[2],
        sku=row[3],
        ean=row[4],
        name=row[5],
        subtitle=row[6],
        label=_LABELS[row[7]],
        price=price,
        highest=price if row[9] == row[8] else stored_values.optional_money(row[9]),
        unit=row[10],
        by_weight=bool(row[11]),
        asks_price=bool(row[12]),
        pinned=bool(row[13]),
        category_ids=items(row[14]),
        edits=EditMark(row[15]),
        picture=folder / row[16] if row[16] else None,
        picture_id=row[17],
    )


def marks_of_row(row: Row) -> Marks:
    """Read marks from the columns pin, open_price, by_weight, barcodes."""
    return Marks(
        pinned=row[0] is not None,
        open_price=bool(row[1]),
        by_weight=None if row[2] is None else bool(row[2]),
        barcodes=barcodes(row[3]),
    )


def marks_of(connection: apsw.Connection, article_id: str) -> Marks:
    sql = "SELECT pin, open_price, by_weight, barcodes FROM mark WHERE article_uuid = ?"
    row = first(connection, sql, (article_id,))
    return NO_MARKS if row is None else marks_of_row(row)


def edit(row: Row) -> catalogue_edits.CatalogueEdit:
    """Read a row of SELECT_EDITS. An addition or a note is in the column `document` alone."""
    kind = catalogue_edits.EditKind(row[2])
    document, base, theirs = (document_of(row[index]) for index in (5, 6, 12))
    changes = (
        wire.catalogue.changes_from_json(document)
        if kind is catalogue_edits.EditKind.UPDATE
        else {}
    )
    known = {} if kind is catalogue_edits.EditKind.NOTE else wire.catalogue.changes_from_json(base)
    deleted = theirs.pop(catalogue_edits.DELETED, None)
    ours = changes
    if kind is catalogue_edits.EditKind.ADD and theirs:
        there = {name: document[name] for name in theirs if name in document}
        ours = wire.catalogue.changes_from_json(there)
    conflicts = [
        catalogue_edits.FieldConflict(name, known.get(name), ours.get(name), value)
        for name, value in wire.catalogue.changes_from_json(theirs).items()
    ]
    if kind is catalogue_edits.EditKind.ADD:
        codes = catalogue_edits.CODES
        conflicts = [one for one in conflicts if one.field in codes or not one.is_equal]
    if deleted is not None:
        conflicts.append(
            catalogue_edits.FieldConflict(
                catalogue_edits.DELETED,
                False,
                kind is catalogue_edits.EditKind.DELETE,
                bool(deleted),
            )
        )
    return catalogue_edits.CatalogueEdit(
        id=row[0],
        key=row[1],
        kind=kind,
        product_id=row[3],
        article_id=row[4],
        changes=changes,
        base=known,
        base_version=row[7],
        state=catalogue_edits.EditState(row[8]),
        by=row[9],
        at=stored_values.moment_of(row[10]),
        error=row[11],
        error_field=row[13],
        conflicts=tuple(conflicts),
        sent=wire.catalogue.changes_from_json(document_of(row[14])),
    )


def document_of(text: str) -> dict[str, Any]:
    document = loads(text)
    assert isinstance(document, dict)  # we wrote it
    return document


def many(connection: apsw.Connection, sql: str, bindings: Row = ()) -> list[Row]:
    return connection.execute(sql, bindings).fetchall()


def first(connection: apsw.Connection, sql: str, bindings: Row = ()) -> Row | None:
    return next(iter(connection.execute(sql, bindings).fetchall()), None)


def number(connection: apsw.Connection, sql: str, bindings: Row = ()) -> int:
    answer = connection.execute(sql, bindings).get
    assert isinstance(answer, int)
    return answer


def units_of(connection: apsw.Connection) -> dict[str, Unit]:
    rows = many(connection, "SELECT uuid, name, symbol, position FROM unit")
    return {row[0]: Unit(*row) for row in rows}
