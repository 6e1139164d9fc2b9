"""Copies confirmed sales without a receipt into another file: one that replaces the till's own
file, or one from which the sales are sent because the till's own file is damaged.

Each sale is read by itself, so that a damaged page costs only the sales with rows on it. A sale
that was never sent waits in the new file as before; one that was tried is in doubt there and is
looked up before anything is sent. The key stays, so that the server issues one receipt, whichever
file sends it. Source: exactly-once.md, "Restores, replacements, damage".
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import apsw

from pos_app import log
from pos_app.adapters.sqlite.checksums import with_checksums
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.migrations import version_after
from pos_app.adapters.sqlite.read_only import reading
from pos_app.adapters.sqlite.till.schema import TILL_MIGRATIONS
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import JOURNAL_RESTORED, UNCONFIRMED

Row = Mapping[str, Any]

_log = log.get(__name__)

_IS_OPEN = "state NOT IN ('done', 'cancelled')"
_BY_INDEX = f"SELECT rowid FROM sales INDEXED BY outbox_order WHERE {_IS_OPEN}"
_LAST = "SELECT max(rowid) FROM sales"
_SALE = f"SELECT * FROM sales WHERE rowid = ? AND {_IS_OPEN}"
_CART = """
INSERT INTO carts (key, kind, state, cashier, opened_at, moved_at)
VALUES (?, ?, 'done', ?, ?, ?)
"""
_ANOTHER_KEY = "UPDATE carts SET key = ? WHERE key = ? AND state IN ('open', 'held')"
"""Gives another key to a cart that has the sale's key and is open or suspended in this file, as it
was when the file was copied. The key belongs to the cart that comes with the sale."""
_OF_CART = ("cart_lines", "cart_additions")
_FROZEN = (
    "key",
    "kind",
    "body",
    "total",
    "change",
    "rounding",
    "cashier",
    "frozen_at",
    "changed_at",
    "epoch",
    "operation",
    "target",
    "follows",
    "is_exchange",
    "buyer",
    "buyer_name",
    "buyer_email",
)
_REASON = ("reason_class", "reason_code", "reason_text", "reason_pfr_code", "reason_field")
_COUNT = "UPDATE meta SET last_sequence = max(last_sequence, ?)"
_MEMORY = "SELECT journal_id, journal_rows, journal_hash, epoch, last_sequence FROM meta"
_NEWEST_ENDED = (
    "SELECT key FROM sales WHERE state IN ('done', 'cancelled') ORDER BY sequence DESC LIMIT 1"
)
_REMEMBER = """
UPDATE meta SET journal_id = ?, journal_rows = ?, journal_hash = ?, epoch = ?,
    last_sequence = max(last_sequence, ?), acted_key = ?
"""
_DOUBT = ("unknown", JOURNAL_RESTORED, "tried before a restore", None, None)
_UNSURE = ("fix", UNCONFIRMED, "its confirm was perhaps told as failed", None, None)


@dataclass(frozen=True, slots=True)
class TakenAlong:
    """The number of sales that were copied, and of those that could not be: their rows can't be
    read, or they need knowledge of the file that they were in."""

    many: int = 0
    behind: int = 0


def _unsent_in(connection: apsw.Connection) -> tuple[list[Row], int]:
    """Return the readable rows, by number, and the number of unreadable ones. A file of another
    version gives none of either. Nothing is written."""
    with suppress(apsw.Error):
        if connection.pragma("user_version") != version_after(TILL_MIGRATIONS):
            return [], 0
    found, unread = list[Row](), 0
    for rowid in _rows(connection):
        try:
            found += _dictionaries(connection, _SALE, rowid)
        except apsw.Error:
            unread += 1
    if unread:
        _log.warning("%d rows of the sales can't be read", unread)
    return sorted(found, key=lambda row: int(row["sequence"])), unread


def _rows(connection: apsw.Connection) -> Collection[int]:
    """Return the row numbers by the index; where that is damaged, all possible ones."""
    with suppress(apsw.Error):
        return [int(row) for (row,) in connection.execute(_BY_INDEX)]
    try:
        last = connection.execute(_LAST).get
    except apsw.Error as error:
        _log.warning("the last of the sales can't be read: %s", error)
        return ()
    return range(1, (last or 0) + 1)


def going_along(connection: apsw.Connection, here: apsw.Connection) -> tuple[Row, ...]:
    """Return the sales that `here` has and this file lacks, by number. A sale behind a refund that
    neither file has is left out, because it must not be sent before its refund."""
    return _may_go(connection, _unsent_in(here)[0])


def _may_go(connection: apsw.Connection, waiting: Sequence[Row]) -> tuple[Row, ...]:
    known = {key for (key,) in connection.execute("SELECT key FROM sales")}
    rows = list[Row]()
    for row in waiting:
        if row["key"] not in known and (row["follows"] is None or row["follows"] in known):
            known.add(row["key"])
            rows.append(row)
    return tuple(rows)


def take_along(path: Path, standing: Path, *, as_it_was: bool = False) -> TakenAlong:
    """Copy confirmed sales without a receipt into a till's file at `path`, from the till's own one
    at `standing`, as far as that can be read.

    as_it_was: the file is for these sales alone and replaces no other; each stays in its state, and
    the till's memory of its server's journal is copied. Without a readable memory only sales that
    were never tried are copied. Raises MachineError where the file can't be written.
    """
    with ExitStack() as held:
        try:
            here = held.enter_context(reading(standing))
        except (MachineError, apsw.Error, OSError) as error:
            _log.warning("no sale of %s can be read: %s", standing, error)
            return TakenAlong()
        with translated_errors(path.name), closing(with_checksums(path, make=False)) as connection:
            connection.execute("PRAGMA foreign_keys=ON")
            with connection:
                taken = _taken(connection, here, as_it_was=as_it_was)
    if taken.many:
        _log.warning("%d sales without a receipt go along into the till's file", taken.many)
    return taken


def _taken(connection: apsw.Connection, here: apsw.Connection, *, as_it_was: bool) -> TakenAlong:
    waiting, unread = _unsent_in(here)
    rows = _may_go(connection, waiting)
    if as_it_was and not _remember(connection, here, waiting):
        rows = tuple(row for row in rows if row["state"] == "frozen" and not row["attempts"])
    unsure = _unsure_of(here, waiting)
    for row in rows:
        _insert(connection, here, row, is_unsure=row["key"] == unsure, as_it_was=as_it_was)
    return TakenAlong(len(rows), unread + len(waiting) - len(rows))


def _remember(connection: apsw.Connection, here: apsw.Connection, waiting: Sequence[Row]) -> bool:
    """Copy the till's memory of its server's journal, so that this file is not taken for a copy
    that was put back; tell whether all of it can be read. If the memory can't be read, only an
    epoch is set, that of the newest waiting sale."""
    is_whole = True
    try:
        memory = here.execute(_MEMORY).fetchone()
    except apsw.Error:
        is_whole, memory = False, None
    try:
        acted = here.execute(_NEWEST_ENDED).get
    except apsw.Error:
        is_whole, acted = False, None
    epoch = waiting[-1]["epoch"] if waiting else None
    connection.execute(_REMEMBER, (*(memory or (None, None, None, epoch, 0)), acted))
    return is_whole


def _unsure_of(here: apsw.Connection, waiting: Sequence[Row]) -> str | None:
    """Return the key of the sale whose confirm was perhaps reported as failed. Where it can't be
    read, return the newest waiting sale's key (or its refund's), unless a later sale has ended."""
    try:
        found: str | None = here.execute("SELECT unconfirmed FROM meta").get
    except apsw.Error:
        newest = waiting[-1] if waiting else None
        with suppress(apsw.Error):
            last = here.execute("SELECT max(sequence) FROM sales").get
            newest = newest if newest is not None and newest["sequence"] == last else None
        return None if newest is None else newest["follows"] or newest["key"]
    return found


def _insert(
    connection: apsw.Connection,
    here: apsw.Connection,
    row: Row,
    *,
    is_unsure: bool,
    as_it_was: bool,
) -> None:
    at = row["frozen_at"]
    connection.execute(_ANOTHER_KEY, (secrets.token_hex(16), row["key"]))
    connection.execute(_CART, (row["key"], row["kind"], row["cashier"], at, at))
    cart_id = connection.last_insert_rowid()
    for table in _OF_CART:
        for part in _rows_of_sale(here, table, "cart_id", row["cart_id"]):
            _add(connection, table, {**part, "cart_id": cart_id})
    values = {name: row[name] for name in _FROZEN}
    values |= {"sequence": _number(connection, row), "cart_id": cart_id}
    values["shift_id"] = _known_shift(connection, here, row["shift_id"])
    _add(connection, "sales", values)
    for part in _rows_of_sale(here, "sale_payments", "key", row["key"]):
        _add(connection, "sale_payments", part)
    if row["drop_reason"] is not None:
        connection.execute(
            "UPDATE sales SET drop_reason = ? WHERE key = ?", (row["drop_reason"], row["key"])
        )
    _move(connection, row, is_unsure=is_unsure, as_it_was=as_it_was)


def _move(connection: apsw.Connection, row: Row, *, is_unsure: bool, as_it_was: bool) -> None:
    if row["state"] == "frozen" and not row["attempts"]:
        if not is_unsure:
            return
        state, reason = "refused", _UNSURE
    elif as_it_was or row["state"] == "refused":
        state, reason = row["state"], tuple(row[name] for name in _REASON)
    else:
        state, reason = "doubt", _DOUBT
    assignments = ", ".join(f"{name} = ?" for name in ("state", "attempts", "receipt_id", *_REASON))
    values = (state, row["attempts"], row["receipt_id"], *reason, row["key"])
    connection.execute(f"UPDATE sales SET {assignments} WHERE key = ?", values)


def _number(connection: apsw.Connection, row: Row) -> int:
    """Return the sale's own number if it is free, else the next number."""
    taken = connection.execute("SELECT 1 FROM sales WHERE sequence = ?", (row["sequence"],)).get
    number = int(row["sequence"])
    if taken:
        number = int(connection.execute("SELECT last_sequence + 1 FROM meta").get)
    connection.execute(_COUNT, (number,))
    return number


def _known_shift(
    connection: apsw.Connection, here: apsw.Connection, shift: int | None
) -> int | None:
    """Return the shift if both files mean the same one. Two shifts may have one number, because
    numbers go back with a file, but they were opened at different times."""
    opened = "SELECT opened_at FROM shifts WHERE id = ?"
    with suppress(apsw.Error):
        at = here.execute(opened, (shift,)).get
        if at is not None and at == connection.execute(opened, (shift,)).get:
            return shift
    return None


def _rows_of_sale(here: apsw.Connection, table: str, column: str, value: object) -> Iterator[Row]:
    """Iterate over the rows that belong to a sale; unreadable ones are left out, because the
    receipt is issued from the frozen body alone."""
    try:
        yield from _dictionaries(here, f"SELECT * FROM {table} WHERE {column} = ?", value)
    except apsw.Error as error:
        _log.warning("what belongs to a sale can't be read in %s: %s", table, error)


def _dictionaries(connection: apsw.Connection, sql: str, value: object) -> list[Row]:
    cursor = connection.execute(sql, (value,))
    return [
        dict(zip((name for name, _ in cursor.get_description()), row, strict=True))
        for row in cursor
    ]


def _add(connection: apsw.Connection, table: str, values: Row) -> None:
    marks = ", ".join("?" * len(values))
    connection.execute(
        f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values())
    )
