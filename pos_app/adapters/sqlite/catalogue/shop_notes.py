"""This shop's own notes in `catalogue.db`: marks, pins, sales counted for the favourites.

Each function runs within a transaction; the caller writes the shown rows anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.catalogue import edit_rows as queue
from pos_app.adapters.sqlite.catalogue import rows
from pos_app.adapters.sqlite.stored_values import thousandths
from pos_app.domain.article.article import NO_MARKS, Marks
from pos_app.domain.article.barcodes import code_key
from pos_app.domain.money.money import Quantity
from pos_app.errors import NotFound
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import FAVOURITE_DAYS
from pos_app.selling.synchronisation.catalogue_edits import CatalogueEdit, EditKind

_OWNER = """
SELECT product_uuid FROM article WHERE uuid = ?1
UNION SELECT uuid FROM product WHERE uuid = ?1
"""
_WRITE = "INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?, ?, ?, ?)"
_READ = "SELECT pin, open_price, by_weight, barcodes, by_till FROM mark WHERE article_uuid = ?"
_NEXT_PIN = "SELECT coalesce(max(pin), 0) + 1 FROM mark"
_SOLD = """
INSERT INTO sold SELECT ?, product, 1 FROM article WHERE uuid = ?
    ON CONFLICT DO UPDATE SET times = times + 1
"""
_SOLD_AMOUNT = """
INSERT INTO sold_amount SELECT uuid, 1, ?2 FROM article WHERE uuid = ?1
    ON CONFLICT DO UPDATE SET lines = lines + 1, amount = amount + excluded.amount
"""
_FIRST_DAY = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class _Noted:
    marks: Marks = NO_MARKS
    pin: int | None = None
    by_till: bool = False


def note(
    connection: apsw.Connection, article_uuid: str, marks: Marks, *, by: str, at: datetime
) -> CatalogueEdit:
    """Store marks of an article, or of a product. A new pin goes to the end. Raises NotFound."""
    owner, old = _owner(connection, article_uuid), _read(connection, article_uuid)
    pin = (old.pin or rows.number(connection, _NEXT_PIN)) if marks.pinned else None
    _write(connection, article_uuid, owner, marks, pin=pin, by_till=True)
    report = wire.shop_notes.marks_to_json
    return queue.insert_edit(
        connection,
        EditKind.NOTE,
        owner,
        article_uuid=article_uuid,
        document=report(marks),
        base=report(old.marks),
        by=by,
        at=at,
    )


def note_listed(
    connection: apsw.Connection, product_uuid: str, marks: Mapping[str, Marks], *, index: int
) -> None:
    """Store marks that came in a list of ours, where this till has not noted its own. index: the
    product's number in the list, from 1: pins are in the order of the list."""
    for article_uuid, listed_marks in marks.items():
        old = _read(connection, article_uuid)
        if not old.by_till and old.marks != listed_marks:
            pin = (old.pin or index) if listed_marks.pinned else None
            _write(connection, article_uuid, product_uuid, listed_marks, pin=pin, by_till=False)


def pin_all(
    connection: apsw.Connection, article_uuids: tuple[str, ...], *, by: str, at: datetime
) -> tuple[CatalogueEdit, ...]:
    """Make these the pinned favourites, in this order. Raises NotFound."""
    sql = "SELECT article_uuid FROM mark WHERE pin IS NOT NULL"
    pinned = {row[0] for row in rows.many(connection, sql)}
    pins = dict.fromkeys(pinned) | {uuid: index for index, uuid in enumerate(article_uuids, 1)}
    edits = []
    for uuid, index in pins.items():
        old = _read(connection, uuid)
        marks = replace(old.marks, pinned=index is not None)
        if marks != old.marks:
            edits.append(note(connection, uuid, marks, by=by, at=at))
        connection.execute("UPDATE mark SET pin = ? WHERE article_uuid = ?", (index, uuid))
    return tuple(edits)


def join_marks(connection: apsw.Connection, ours: str, theirs: str, *, with_values: bool) -> None:
    """Join, under `theirs`, the notes of two articles that are the same goods; neither has
    variants. with_values: our manner of sale (open price, by weight) counts; else theirs stays."""
    mine, other = _read(connection, ours), _read(connection, theirs)
    if mine == _Noted():
        return
    known = {code_key(one.code) for one in other.marks.barcodes}
    more = (one for one in mine.marks.barcodes if code_key(one.code) not in known)
    pin = other.pin if other.pin is not None else mine.pin
    sold_as = mine.marks if with_values else other.marks
    by_weight = sold_as.by_weight if sold_as.by_weight is not None else other.marks.by_weight
    marks = Marks(
        pinned=pin is not None,
        open_price=sold_as.open_price,
        by_weight=by_weight,
        barcodes=(*other.marks.barcodes, *more),
    )
    by_till = other.by_till or marks != other.marks
    _write(connection, theirs, theirs, marks, pin=pin, by_till=by_till)


def count_sold(
    connection: apsw.Connection, lines: Iterable[tuple[str, Quantity]], *, on: date
) -> None:
    """Count the quantities of a sale. Sales of more than 30 days ago make no best seller."""
    day = (on - _FIRST_DAY).days
    for article_uuid, quantity in lines:
        connection.execute(_SOLD, (day, article_uuid))
        connection.execute(_SOLD_AMOUNT, (article_uuid, thousandths(quantity)))
    connection.execute("DELETE FROM sold WHERE day <= ?", (day - FAVOURITE_DAYS,))


def _owner(connection: apsw.Connection, article_uuid: str) -> str:
    row = rows.first(connection, _OWNER, (article_uuid,))
    if row is None:
        raise NotFound("article.in_cart", article=article_uuid)
    owner: str = row[0]
    return owner


def _read(connection: apsw.Connection, article_uuid: str) -> _Noted:
    row = rows.first(connection, _READ, (article_uuid,))
    return _Noted() if row is None else _Noted(rows.marks_of_row(row), row[0], bool(row[4]))


def _write(
    connection: apsw.Connection,
    article_uuid: str,
    product_uuid: str,
    marks: Marks,
    *,
    pin: int | None,
    by_till: bool,
) -> None:
    by_weight = None if marks.by_weight is None else int(marks.by_weight)
    connection.execute(
        _WRITE,
        (
            article_uuid,
            product_uuid,
            pin,
            int(marks.open_price),
            by_weight,
            rows.barcodes_text(marks.barcodes),
            int(by_till),
        ),
    )
