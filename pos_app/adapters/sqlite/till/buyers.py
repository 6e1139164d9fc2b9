"""The buyers' book in `till.db`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import apsw

from pos_app.adapters.sqlite import stored_values
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.till.rows import Row
from pos_app.adapters.sqlite.till.schema import FILE_NAME
from pos_app.adapters.sqlite.till.writing import durable_change
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.text.search_text import fold
from pos_app.selling.buyers.buyer_book import KnownBuyer

_SELECT = "SELECT id, name, email, receipts, last_at FROM buyers"
_HAS_WORD = "(instr(folded, ' ' || ?1) OR instr(lower(substr(id, 4)), ?1))"
_BETWEEN_LETTERS = re.compile(r"(?<=\b[^\W\d]) (?=[^\W\d]\b)")
_NEWEST_FIRST = "ORDER BY last_at DESC, id LIMIT ?"
_OF_SALE = """
SELECT buyer, buyer_name, buyer_email, sequence, frozen_at FROM sales
WHERE key = ? AND buyer IS NOT NULL
"""
_LEARN = """
INSERT INTO buyers (id, name, folded, email, email_from, receipts, last_at)
VALUES (?1, ?2, ?3, ?4, iif(?4 = '', 0, ?5), 1, ?6)
ON CONFLICT (id) DO UPDATE SET name = iif(name = '', excluded.name, name),
    folded = iif(name = '', excluded.folded, folded),
    email = iif(excluded.email_from > email_from, excluded.email, email),
    email_from = max(email_from, excluded.email_from),
    receipts = receipts + 1, last_at = max(coalesce(last_at, ''), excluded.last_at)
"""
_TAKE_IN = """
INSERT INTO buyers (id, name, folded, email, email_from, receipts)
VALUES (?1, ?2, ?3, ?4, iif(?4 = '', 0, (SELECT last_sequence FROM meta)), 0)
ON CONFLICT (id) DO UPDATE SET name = iif(excluded.name = '', name, excluded.name),
    folded = iif(excluded.name = '', folded, excluded.folded),
    email = iif(excluded.email = '', email, excluded.email),
    email_from = max(email_from, excluded.email_from)
"""
_CHANGE = """
UPDATE buyers SET name = coalesce(?2, name), folded = coalesce(?3, folded),
    email = coalesce(?4, email),
    email_from = iif(?4 IS NULL, email_from, (SELECT last_sequence FROM meta))
WHERE id = ?1
"""


class BuyerTable:
    """The port BuyerBook on `till.db`."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    @translated_errors(FILE_NAME)
    def find(self, query: str, *, at_most: int) -> Sequence[KnownBuyer]:
        asked = [*dict.fromkeys(_joined(fold(query)).split())]
        conditions = [_HAS_WORD.replace("?1", f"?{n}") for n in range(1, len(asked) + 1)]
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        sql = f"{_SELECT} {where} {_NEWEST_FIRST}"
        return [_buyer(row) for row in self._connection.execute(sql, (*asked, at_most))]

    @translated_errors(FILE_NAME)
    def count(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM buyers").get)

    @translated_errors(FILE_NAME)
    def buyer(self, buyer_id: BuyerId) -> KnownBuyer | None:
        row = self._connection.execute(f"{_SELECT} WHERE id = ?", (str(buyer_id),)).fetchone()
        return None if row is None else _buyer(row)

    @translated_errors(FILE_NAME)
    def names_of(self, ids: Iterable[str]) -> Mapping[str, str]:
        asked = "SELECT name FROM buyers WHERE id = ? AND name <> ''"
        names = {one: self._connection.execute(asked, (one,)).get for one in set(ids)}
        return {one: name for one, name in names.items() if name is not None}

    def change(
        self, buyer_id: BuyerId, *, name: str | None = None, email: str | None = None
    ) -> None:
        folded = None if name is None else _folded(name)
        with durable_change(self._connection):
            self._connection.execute(_CHANGE, (str(buyer_id), name, folded, email))

    def take_in(self, buyers: Sequence[KnownBuyer]) -> int:
        with durable_change(self._connection):
            before = self.count()
            self._connection.executemany(_TAKE_IN, map(_row, buyers))
            return self.count() - before

    def remove(self, buyer_id: BuyerId) -> None:
        with durable_change(self._connection):
            self._connection.execute("DELETE FROM buyers WHERE id = ?", (str(buyer_id),))


def learn_buyer(connection: apsw.Connection, key: str) -> None:
    """Take the firm of a signed sale into the book, within the transaction under way."""
    row: Row | None = connection.execute(_OF_SALE, (key,)).fetchone()
    if row is not None:
        buyer, name, *later = row
        connection.execute(_LEARN, (buyer, name, _folded(name), *later))


def _row(buyer: KnownBuyer) -> Row:
    return str(buyer.id), buyer.name, _folded(buyer.name), buyer.email


def _folded(name: str) -> str:
    """Return a name as it is searched, with a blank before each word."""
    return f" {_joined(fold(name))}" if name else ""


def _joined(folded: str) -> str:
    """Write letters that stand alone as one word, so that "d.o.o." and "DOO" find each other."""
    return _BETWEEN_LETTERS.sub("", folded)


def _buyer(row: Row) -> KnownBuyer:
    wire_form, name, email, receipts, last_at = row
    last = None if last_at is None else stored_values.moment_of(last_at)
    return KnownBuyer(BuyerId.parse(wire_form), name, email, receipts, last)
