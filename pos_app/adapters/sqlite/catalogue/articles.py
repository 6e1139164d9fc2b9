"""The server's reads of the catalogue: articles by sku, and the store's options.

It reads catalogue.db through its versioned views alone, and opens it when first asked: the
catalogue may come, or be replaced, while the server runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import apsw

from pos_app import errors, log
from pos_app.adapters.sqlite import faults
from pos_app.adapters.sqlite.catalogue.rows import document_of
from pos_app.adapters.sqlite.catalogue.schema import MIGRATIONS
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.migrations import version_after
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import FrozenArticle, PlatformArticle
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation.catalogue_edits import (
    EditKind,
    receipt_articles,
    shown_members,
)
from pos_app.wire.catalogue import changes_from_json

PATIENCE = 50
"""Milliseconds that the server's loop waits for a catalogue that another program holds."""
_STORE = "SELECT thermal, a4, email FROM store_v1 LIMIT 1"
_PAPER = "SELECT language, print_discounts, print_bank_accounts FROM store_v1 LIMIT 1"
_WITHOUT = (
    errors.DatabaseDamaged,
    errors.DatabaseTooNew,
    errors.DiskFailed,
    errors.DataFolderNotWritable,
)
"""Faults of the file that waiting does not end."""

_log = log.get(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PaperSettings:
    """The store's settings for its papers. Without a store the settings' accounts are printed."""

    language: ReceiptLanguage = ReceiptLanguage.CYRILLIC
    print_discounts: bool = False
    print_bank_accounts: bool = True


class CatalogueView:
    """Implements fiscalization's `ports.Articles` and `handover_options.PrintMethods`."""

    def __init__(self, path: Path, *, logs: bool = True) -> None:
        """Set the view up. logs: damage is logged; False for the second view of a file."""
        self._path = path
        self._logs = logs
        self._connection: apsw.Connection | None = None
        self._file: int | None = None
        self._failed: Callable[[apsw.Connection], object] | None = None
        self._since: datetime | None = None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def articles(
        self, sku: int, *, sold: Sequence[PlatformArticle] | None = None
    ) -> list[FrozenArticle]:
        """Return the articles of that code. There is none where the code or the catalogue is
        missing, and two if a restored file or platform sells two by it.

        sold: the platform's present articles, into which `receipt_articles` brings our unsent
        changes.

        Raises DatabaseDamaged when the catalogue is there and can't be read, DatabaseTooNew when
        that is because a newer version wrote it, DatabaseBusy, DiskFailed, DataFolderNotWritable.
        """
        if sold is None:
            return list((self._read(partial(_ours, sku=sku)) or {}).values())
        found = self._read(partial(_ours_and_changed, sku=sku))
        return receipt_articles(sold, *found) if found else [one.frozen for one in sold]

    def print_methods(self) -> frozenset[str]:
        """Return the methods (thermal, a4, email) that the store offers; all without a store. All
        are returned for an unreadable catalogue too: a sale without its articles goes on."""
        try:
            offered = self._read(partial(_first, sql=_STORE)) or (1, 1, 1)
        except _WITHOUT:  # damage is logged, and reported by `damaged_since`
            offered = (1, 1, 1)
        methods = zip(("thermal", "a4", "email"), offered, strict=True)
        return frozenset(name for name, is_offered in methods if is_offered)

    def paper(self) -> PaperSettings:
        """Return the store's settings for its papers; without a store, or where the catalogue is
        damaged or can't be read, the defaults, so that a signed receipt is handed over."""
        try:
            row = self._read(partial(_first, sql=_PAPER))
        except _WITHOUT:
            row = None
        return (
            PaperSettings(ReceiptLanguage(row[0]), bool(row[1]), bool(row[2]))
            if row
            else PaperSettings()
        )

    def damaged_since(self, now: datetime) -> datetime | None:
        """Return since when the file is known to be damaged, `now` for a new damage; None for none.
        The failed read is repeated: the file may have been mended or replaced meanwhile."""
        try:
            self._read(self._failed or partial(_first, sql=_STORE))
        except errors.DatabaseDamaged:
            self._since = self._since or now
        except errors.MachineError:  # another program holds it: nothing new is known
            pass
        else:
            self._failed = self._since = None
        return self._since

    def is_newer(self) -> bool:
        """Tell whether a newer version wrote the catalogue. It is read all the same, through the
        views that this version knows."""
        try:
            connection = self._opened()
            known = version_after(MIGRATIONS)
            return connection is not None and connection.pragma("user_version") > known
        except (apsw.Error, errors.MachineError):
            return False

    def _read(self, read: Callable[[apsw.Connection], T]) -> T | None:
        """Read from the catalogue as it was at one moment, or None where there is none."""
        try:
            return self._read_or_damaged(read)
        except errors.DatabaseDamaged as error:
            if self._failed is None and self._logs:
                _log.error("%s %s", error.what, error.do)
            self._failed = self._failed or read
            raise

    def _read_or_damaged(self, read: Callable[[apsw.Connection], T]) -> T | None:
        try:
            connection = self._opened()
            if connection is None:
                return None
            return faults.tried_again(lambda: _at_one_moment(connection, read))
        except apsw.Error as error:
            fault = faults.fault_of(error)
            if not (isinstance(fault, errors.DatabaseDamaged) or self._is_malformed(error)):
                raise fault.about(self._path.name) from error
            if isinstance(error, apsw.SQLError) and self.is_newer():
                raise errors.DatabaseTooNew("at_server", name=self._path.name) from error
            raise self._damaged(faults.words(error)) from error
        except errors.DatabaseDamaged as error:
            cause = error.__cause__
            raise self._damaged(
                faults.words(cause) if isinstance(cause, apsw.Error) else ""
            ) from error

    def _is_malformed(self, error: apsw.Error) -> bool:
        """Tell whether the file is malformed, or only a read of it failed. It is malformed if the
        disk gives all of it, which is tried only once."""
        if self._connection is None or not isinstance(error, apsw.CorruptError):
            return False
        return self._failed is not None or faults.refusal(self._connection) is None

    def _damaged(self, why: str) -> errors.DatabaseDamaged:
        words = why or "its first page is damaged"
        return errors.DatabaseDamaged(
            "at_server", path=str(self._path), name=self._path.name, told=words
        )

    def _opened(self) -> apsw.Connection | None:
        """Return the open file; it is opened anew when another file replaced it."""
        try:
            file = self._path.stat().st_ino
        except OSError:
            return None
        if self._connection is None or file != self._file:
            self.close()
            self._connection, self._file = open_reader(self._path, patience=PATIENCE), file
        return self._connection


def _at_one_moment(connection: apsw.Connection, read: Callable[[apsw.Connection], T]) -> T:
    """Read in one transaction: a synchronisation that commits meanwhile is not seen."""
    connection.execute("BEGIN")
    try:
        return read(connection)
    finally:
        if connection.in_transaction:
            connection.execute("COMMIT")


def _rows(connection: apsw.Connection, sql: str, *values: Any) -> list[Any]:
    return connection.execute(sql, values).fetchall()


def _first(connection: apsw.Connection, *, sql: str) -> Any:
    return next(iter(_rows(connection, sql)), None)


def _ours(connection: apsw.Connection, *, sku: int) -> Mapping[str, FrozenArticle]:
    sql = "SELECT article_id, name, label, unit, gtin FROM article_v1 WHERE sku = ? LIMIT 2"
    return {
        id_: FrozenArticle(name, TaxLabel(label), unit or "", gtin)
        for id_, name, label, unit, gtin in _rows(connection, sql, sku)
    }


def _ours_and_changed(
    connection: apsw.Connection, *, sku: int
) -> tuple[Mapping[str, FrozenArticle], Mapping[str, set[str]]]:
    """Return the articles, and the members that open edits change, by the id of the article."""
    ours = _ours(connection, sku=sku)
    changed: dict[str, set[str]] = {id_: set() for id_ in ours}
    sql = "SELECT kind, is_own, document, base, sent FROM open_edit_v1 WHERE article_id = ?"
    for id_ in ours:
        for kind, is_own, *documents in _rows(connection, sql, id_):
            is_added = kind == EditKind.ADD  # its document is a whole product
            now, was, sent = (
                {} if is_added else changes_from_json(document_of(x)) for x in documents
            )
            put_back = {name: now[name] for name in now.keys() & sent.keys()}
            for fields, before in ((now, was), (put_back, sent)):
                changed[id_] |= shown_members(
                    id_, EditKind(kind), fields, before, is_own=bool(is_own)
                )
    return ours, changed
