"""The processor's ledger: one SQLite file with every receipt that it signed, and the counters.

A receipt, its counters and its part of the audit sum are written in one transaction, which is on
the disk before the answer is sent. Entries are never changed or removed: triggers refuse that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import apsw

from pos_app.errors import DatabaseDamaged, DatabaseTooNew, NotFound
from pos_app.lazy_dataclass import dataclass
from pos_app.pfr_emulator.files import foreign_errors

LEDGER_FILE = "ledger.db"
_APPLICATION_ID = 0x50465231
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_FIRST_SCHEMA = """
CREATE TABLE fact (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE counter (
    signer TEXT NOT NULL,
    lane TEXT NOT NULL,
    value INTEGER NOT NULL CHECK (value > 0),
    PRIMARY KEY (signer, lane)
) STRICT, WITHOUT ROWID;

CREATE TABLE entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    request_id TEXT,
    requested_by TEXT NOT NULL,
    signed_by TEXT NOT NULL,
    invoice_type INTEGER NOT NULL,
    transaction_type INTEGER NOT NULL,
    type_counter INTEGER NOT NULL,
    total_counter INTEGER NOT NULL,
    number TEXT NOT NULL,
    total TEXT NOT NULL,
    signed_ms INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    with_qr INTEGER NOT NULL,
    request TEXT NOT NULL,
    answer TEXT NOT NULL
) STRICT;

CREATE INDEX entry_request_id ON entry (request_id);

CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'a signed receipt is never changed'); END;

CREATE TRIGGER entry_is_never_removed BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'a signed receipt is never removed'); END;
"""
_SCHEMAS = (_FIRST_SCHEMA,)
"""The migrations in order, one for each version. A released migration is never edited."""
_MADE_BY = """
CREATE TABLE IF NOT EXISTS made_by (one INTEGER PRIMARY KEY CHECK (one = 1), steps TEXT NOT NULL)
STRICT
"""
"""The hash of the migrations that made the tables, because migrations may still change before the
first release."""

_COLUMNS = (
    "request_id, requested_by, signed_by, invoice_type, transaction_type, type_counter,"
    " total_counter, number, total, signed_ms, content_hash, with_qr, request, answer"
)


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One signed receipt. total: in dinars. request, answer: as JSON, without the QR image."""

    request_id: str | None
    requested_by: str
    signed_by: str
    invoice_type: int
    transaction_type: int
    type_counter: int
    total_counter: int
    number: str
    total: Decimal
    signed_at: datetime
    content_hash: str
    with_qr: bool
    request: str
    answer: str


@dataclass(frozen=True, slots=True)
class Counters:
    """How many receipts a signer has signed. of_type: of one invoice type and transaction type."""

    total: int
    of_type: int


def read_entries(folder: Path) -> list[LedgerEntry]:
    """Return all receipts, oldest first, also while the ledger is in use. Raises NotFound if there
    is no ledger, DatabaseDamaged if the file is no ledger."""
    path = folder / LEDGER_FILE
    if not path.exists():
        raise NotFound("ledger", path=str(path), folder=folder)
    with foreign_errors(path), closing(_reader(path)) as connection:
        return _entries(connection)


class Ledger:
    """The open ledger, with one writer. It is not thread-safe: its owner has to lock it."""

    def __init__(self, path: Path, connection: apsw.Connection) -> None:
        self._path = path
        self._connection = connection

    @classmethod
    def open(cls, folder: Path, *, first_facts: Mapping[str, str]) -> Ledger:
        """Open the ledger, or create it. first_facts: stored only in a new one. Raises
        DatabaseTooNew, DatabaseDamaged, DataFolderNotWritable, DiskFull."""
        path = folder / LEDGER_FILE
        with foreign_errors(path), ExitStack() as undo:
            connection = apsw.Connection(str(path))
            undo.callback(connection.close)
            connection.set_busy_timeout(5000)
            for pragma in (
                "journal_mode = WAL",
                "synchronous = FULL",
                "foreign_keys = ON",
                "trusted_schema = OFF",
                "cell_size_check = ON",
            ):
                connection.execute(f"PRAGMA {pragma}").fetchall()
            ledger = cls(path, connection)
            ledger._upgrade(first_facts)
            undo.pop_all()
        return ledger

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        with foreign_errors(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def fact(self, name: str) -> str:
        row = self._connection.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def remember(self, **facts: str) -> None:
        self._connection.executemany(
            "INSERT INTO fact VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            facts.items(),
        )

    def count(self, signer: str, invoice_type: int, transaction_type: int) -> Counters:
        """Increase both counters of a signer by one and return them, inside a transaction."""
        return Counters(
            total=self._raise(signer, "all"),
            of_type=self._raise(signer, f"{invoice_type}/{transaction_type}"),
        )

    def restart_counters(self) -> None:
        """Let every signer count from 1 again, inside a transaction. The entries stay."""
        self._connection.execute("DELETE FROM counter")

    def append(self, entry: LedgerEntry) -> None:
        milliseconds = (entry.signed_at - _EPOCH) // timedelta(milliseconds=1)
        self._connection.execute(
            f"INSERT INTO entry ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                entry.request_id,
                entry.requested_by,
                entry.signed_by,
                entry.invoice_type,
                entry.transaction_type,
                entry.type_counter,
                entry.total_counter,
                entry.number,
                str(entry.total),
                milliseconds,
                entry.content_hash,
                entry.with_qr,
                entry.request,
                entry.answer,
            ),
        )

    def entries(self) -> list[LedgerEntry]:
        return _entries(self._connection)

    def find(self, request_id: str) -> LedgerEntry | None:
        row = self._connection.execute(
            f"SELECT {_COLUMNS} FROM entry WHERE request_id = ? ORDER BY id DESC LIMIT 1",
            (request_id,),
        ).fetchone()
        return _entry(row) if row else None

    def last(self) -> LedgerEntry | None:
        row = self._connection.execute(
            f"SELECT {_COLUMNS} FROM entry ORDER BY id DESC LIMIT 1"
        ).fetchone()
        return _entry(row) if row else None

    def _raise(self, signer: str, lane: str) -> int:
        row = self._connection.execute(
            "INSERT INTO counter VALUES (?, ?, 1)"
            " ON CONFLICT DO UPDATE SET value = value + 1 RETURNING value",
            (signer, lane),
        ).fetchone()
        assert row, "RETURNING always gives a row"
        return int(row[0])

    def _check_steps(self, steps: Sequence[str]) -> None:
        marked = self._connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'made_by'").get
        read = "SELECT steps FROM made_by"
        if not marked or self._connection.execute(read).get != _print_of(steps):
            raise DatabaseDamaged("unreleased_ledger", path=str(self._path))

    def _upgrade(self, first_facts: Mapping[str, str]) -> None:
        with self.writing():
            version = int(self._connection.pragma("user_version"))
            owner = self._connection.pragma("application_id")
            if version > len(_SCHEMAS):
                raise DatabaseTooNew("ledger", path=str(self._path))
            if version and owner != _APPLICATION_ID:
                raise DatabaseDamaged("no_ledger", path=str(self._path))
            if version:
                self._check_steps(_SCHEMAS[:version])
            for step in _SCHEMAS[version:]:
                self._connection.execute(step)
            if version == 0:
                self.remember(**first_facts)
            self._connection.execute(_MADE_BY)
            self._connection.execute(
                "INSERT OR REPLACE INTO made_by VALUES (1, ?)", (_print_of(_SCHEMAS),)
            )
            self._connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            self._connection.execute(f"PRAGMA user_version = {len(_SCHEMAS)}")


def _print_of(steps: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(steps).encode()).hexdigest()


def _reader(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(5000)
    return connection


def _entries(connection: apsw.Connection) -> list[LedgerEntry]:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM entry ORDER BY id")
    return [_entry(row) for row in rows]


def _entry(row: tuple[Any, ...]) -> LedgerEntry:
    values = dict(zip(LedgerEntry.__slots__, row, strict=True))
    values["total"] = Decimal(values["total"])
    values["signed_at"] = _EPOCH + timedelta(milliseconds=values["signed_at"])
    values["with_qr"] = bool(values["with_qr"])
    return LedgerEntry(**values)
