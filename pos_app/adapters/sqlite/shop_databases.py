"""The three databases of a shop, which `check` reads and `upgrade` brings to this version."""

from __future__ import annotations

from pathlib import Path

import apsw

from pos_app.adapters.data_folder import CATALOGUE, JOURNAL, TILL
from pos_app.adapters.server_process.address import SERVER_LOCK
from pos_app.adapters.sqlite.catalogue.contents import catalogue_contents
from pos_app.adapters.sqlite.catalogue.schema import IF_DAMAGED
from pos_app.adapters.sqlite.checksums import add_checksums
from pos_app.adapters.sqlite.contents import Contents, contradictions
from pos_app.adapters.sqlite.copy_before_opening import MIGRATIONS
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.journal.contents import journal_contents
from pos_app.adapters.sqlite.read_only import can_be_written
from pos_app.adapters.sqlite.till.contents import till_contents
from pos_app.adapters.sqlite.till.till import LOCK_NAME
from pos_app.errors import PUT_BACK
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ShopDatabase:
    """A database of a shop; paths are within the data folder. lock: held by the program that writes
    it all the time, or None where several do. migrations: bring it to this version. cure: the
    advice about a damaged one."""

    path: Path
    lock: Path | None
    migrations: tuple[str, ...]
    contents: Contents
    cure: str = f"Stop the programs, {PUT_BACK}."

    def contradicted(self, connection: apsw.Connection) -> list[str]:
        """See `contradictions`."""
        return contradictions(connection, migrations=self.migrations, contents=self.contents)


def databases() -> tuple[ShopDatabase, ...]:
    """Return the databases, without the development processor's ledger: no real sale needs it."""
    return (
        ShopDatabase(JOURNAL, SERVER_LOCK, MIGRATIONS[JOURNAL], journal_contents),
        ShopDatabase(TILL, TILL.with_name(LOCK_NAME), MIGRATIONS[TILL], till_contents),
        ShopDatabase(CATALOGUE, None, MIGRATIONS[CATALOGUE], catalogue_contents, IF_DAMAGED),
    )


def add_missing_checksums(data: Path) -> None:
    """Give checksums to what another SQLite wrote, as a program does that opens these databases, so
    that a copy is made of them. Raises DatabaseTooNew, DiskFailed, DatabaseBusy, OSError."""
    for one in databases():
        if can_be_written(data / one.path):
            with translated_errors(one.path.name):
                add_checksums(data / one.path, one.contradicted)
