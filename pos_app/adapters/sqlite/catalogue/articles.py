"""What the server reads of the catalogue: articles by sku, and what the store offers.

It reads catalogue.db through its versioned views alone, and opens it when first asked: the
catalogue may come, or be replaced, while the server runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw

from pos_app import log
from pos_app.adapters.sqlite.catalogue.rows import document_of
from pos_app.adapters.sqlite.catalogue.schema import IF_DAMAGED
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.faults import fault_of, refusal, tried_again, words
from pos_app.domain.product import Variant
from pos_app.domain.request import FrozenArticle, PlatformArticle
from pos_app.domain.store import ReceiptLanguage
from pos_app.domain.tax import TaxLabel
from pos_app.errors import DatabaseDamaged, DataFolderNotWritable, DiskFailed, MachineError
from pos_app.selling.synchronisation.catalogue_edits import VARIANTS, Changes, values_of
from pos_app.wire.changes import changes_from_json

PATIENCE = 50
"""Milliseconds that the server's loop waits for a catalogue that another program holds."""
_STORE = "SELECT thermal, a4, email FROM store_v1"
_WITHOUT = (DatabaseDamaged, DiskFailed, DataFolderNotWritable)
"""Faults of the file that do not pass by waiting."""

_log = log.get(__name__)


_SHOWN_AS = {
    "name": "name",
    "variant_name": "name",
    "tax_label": "label",
    "sale_unit_id": "unit",
    "ean": "gtin",
}
"""What of a FrozenArticle a field of a product or variant decides."""
_OF_PRODUCT = frozenset({"name", "sale_unit_id"})
"""Fields of a product that its variants show too."""


@dataclass(frozen=True, slots=True)
class Paper:
    """The store's settings for what is printed.

    Without a store nobody says whether accounts are printed: those of the server's settings are.
    """

    language: ReceiptLanguage = ReceiptLanguage.CYRILLIC
    print_discounts: bool = False
    print_bank_accounts: bool = True


def _put_over(theirs: FrozenArticle, ours: FrozenArticle, members: set[str]) -> FrozenArticle:
    return replace(theirs, **{one: getattr(ours, one) for one in members})


def _variant(changes: Changes, article: str) -> Changes:
    """As an edit of its product's variants has it; {} where it does not."""
    variants: Sequence[Variant] = changes.get(VARIANTS, ())
    found = next((one for one in variants if one.id == article), None)
    return {} if found is None else values_of(found, _SHOWN_AS)


def _changed(now: Changes, was: Changes) -> set[str]:
    """The fields that a receipt shows and an edit gives another value."""
    return {one for one in _SHOWN_AS if one in now and now[one] != was.get(one, ...)}


class CatalogueView:
    """Implements fiscalization's `ports.Articles` and `handover_options.StoreRules`."""

    def __init__(self, path: Path, *, logs: bool = True) -> None:
        """logs: damage is logged here; False for another view of a file that is looked at."""
        self._path = path
        self._logs = logs
        self._connection: apsw.Connection | None = None
        self._file: int | None = None
        self._failed: tuple[str, tuple[Any, ...]] | None = None
        self._since: datetime | None = None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def articles(
        self, sku: int, *, sold: Sequence[PlatformArticle] | None = None
    ) -> list[FrozenArticle]:
        """Those of that code: one, or none where there is none or no catalogue; two where two are
        sold by it, as a file or a platform that was put back may have it.

        sold: those of the platform now. They are returned with the members that were changed here
        and not sent yet; an article that is changed here and is none of them, in place of them.

        Raises DatabaseDamaged when the catalogue is there and can't be read, DatabaseBusy,
        DiskFailed, DataFolderNotWritable.
        """
        sql = "SELECT article_id, name, label, unit, gtin FROM article_v1 WHERE sku = ? LIMIT 2"
        ours = {
            one: FrozenArticle(name, TaxLabel(label), unit or "", gtin)
            for one, name, label, unit, gtin in self._rows(sql, sku)
        }
        if sold is None:
            return list(ours.values())
        theirs = {one.id: one.frozen for one in sold}
        changed = {one: self._changed_members(one) for one in ours}
        met = [
            _put_over(theirs[one], ours[one], members) if one in theirs else ours[one]
            for one, members in changed.items()
            if members
        ]
        return met or [one.frozen for one in sold]

    def _changed_members(self, article: str) -> set[str]:
        """Those of FrozenArticle that the platform does not have yet as they are here; none also
        where no program of this version has opened the file."""
        if not self._rows("SELECT 1 FROM pragma_table_info('open_edit_v1')"):
            return set()
        sql = "SELECT kind, is_own, document, base FROM open_edit_v1 WHERE article_id = ?"
        changed: set[str] = set()
        for kind, is_own, document, base in self._rows(sql, article):
            if kind == "add":
                changed.update(_SHOWN_AS)
                continue
            now, was = (changes_from_json(document_of(one)) for one in (document, base))
            changed.update(_changed(now, was) & (_SHOWN_AS.keys() if is_own else _OF_PRODUCT))
            changed |= _changed(_variant(now, article), _variant(was, article))
        return {_SHOWN_AS[one] for one in changed}

    def print_methods(self) -> frozenset[str]:
        """Of thermal, a4 and email, those the store offers; without a store, all three.

        So it is where the catalogue is damaged or not given: a sale that needs no article of it
        goes on.
        """
        try:
            offered = self._one(_STORE) or (1, 1, 1)
        except _WITHOUT:  # damage is logged, and told by `damaged_since`
            offered = (1, 1, 1)
        methods = zip(("thermal", "a4", "email"), offered, strict=True)
        return frozenset(name for name, is_offered in methods if is_offered)

    def paper(self) -> Paper:
        """What the store says of its paper; where the catalogue is damaged or not given, as without
        a store: a receipt that is signed is handed over."""
        try:
            row = self._one("SELECT language, print_discounts, print_bank_accounts FROM store_v1")
        except _WITHOUT:
            row = None
        return Paper(ReceiptLanguage(row[0]), bool(row[1]), bool(row[2])) if row else Paper()

    def damaged_since(self, now: datetime) -> datetime | None:
        """Since when the file is known to be damaged, `now` where that is new; None: it is not.

        What failed is read again: the file may be mended or replaced meanwhile.
        """
        sql, values = self._failed or (_STORE, ())
        try:
            self._rows(sql, *values)
        except DatabaseDamaged:
            self._since = self._since or now
        except MachineError:  # held by another program: nothing new is known
            pass
        else:
            self._failed = self._since = None
        return self._since

    def _one(self, sql: str) -> Any:
        return next(iter(self._rows(f"{sql} LIMIT 1")), None)

    def _rows(self, sql: str, *values: Any) -> list[Any]:
        try:
            return self._read(sql, values)
        except DatabaseDamaged as error:
            if self._failed is None and self._logs:
                _log.error("%s %s", error.what, error.do)
            self._failed = self._failed or (sql, values)
            raise

    def _read(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            connection = self._opened()
            if connection is None:
                return []
            return tried_again(lambda: connection.execute(sql, values).fetchall())
        except apsw.Error as error:
            fault = fault_of(error)
            if not (isinstance(fault, DatabaseDamaged) or self._is_malformed(error)):
                raise fault.about(self._path.name) from error
            raise self._damaged(words(error)) from error
        except DatabaseDamaged as error:
            cause = error.__cause__
            raise self._damaged(words(cause) if isinstance(cause, apsw.Error) else "") from error

    def _is_malformed(self, error: apsw.Error) -> bool:
        """Whether what SQLite calls malformed is that, and no read that failed: the disk gives all
        of the file, which is read whole once only."""
        if self._connection is None or not isinstance(error, apsw.CorruptError):
            return False
        return self._failed is not None or refusal(self._connection) is None

    def _damaged(self, why: str) -> DatabaseDamaged:
        told = why or "its first page is damaged"
        return DatabaseDamaged(
            f"The catalogue's file {self._path.name} is damaged at the server: {told}.",
            safe="It was left as it is.",
            do=IF_DAMAGED,
            path=str(self._path),
        )

    def _opened(self) -> apsw.Connection | None:
        """The open file; opened anew when another file took its place."""
        try:
            file = self._path.stat().st_ino
        except OSError:
            return None
        if self._connection is None or file != self._file:
            self.close()
            self._connection, self._file = open_reader(self._path, patience=PATIENCE), file
        return self._connection
