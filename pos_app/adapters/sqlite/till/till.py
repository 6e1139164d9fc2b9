"""`till.db`: carts, confirmed sales and the outbox of one till.

Cart rows are committed with synchronous=NORMAL, sales with FULL, on the same connection. A FULL
commit syncs the whole log, so it makes every earlier cart row durable, too. Measured on this
design: 0.01 ms for a NORMAL commit, 0.25 ms for a FULL one, 1 µs to switch. A second connection for
one of the two was no faster, and would share no page cache. Nothing is checkpointed on a scan's
path. Source: exactly-once.md "Storage".
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import apsw

from pos_app.adapters.data_folder.lock import FolderLock, lock_within
from pos_app.adapters.sqlite.database import check_files, open_database
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.integrity import look_over
from pos_app.adapters.sqlite.till.buyers import BuyerTable
from pos_app.adapters.sqlite.till.carts import CartTable
from pos_app.adapters.sqlite.till.collected import CollectedTable
from pos_app.adapters.sqlite.till.contents import till_contents
from pos_app.adapters.sqlite.till.decisions import DecisionTable
from pos_app.adapters.sqlite.till.drawer import DrawerTable
from pos_app.adapters.sqlite.till.people import ActTable, ManagerTable, PeopleTable
from pos_app.adapters.sqlite.till.restores import mark_kept, new_keys
from pos_app.adapters.sqlite.till.sales import SaleTable
from pos_app.adapters.sqlite.till.schema import FILE_NAME, TILL_MIGRATIONS
from pos_app.adapters.sqlite.till.shifts import ShiftTable
from pos_app.adapters.sqlite.till.unsent import take_along
from pos_app.adapters.sqlite.till.writing import durable_change
from pos_app.errors import DatabaseDamaged, MachineError
from pos_app.selling.people.acts import AtTheTill

LOCK_NAME = "till.lock"
_UNSENT = "unsent.db"

TIDY_FROM_PAGES = 500
"""About 2 MB of log are worth a checkpoint."""
_TIDY_ANYWAY = 2_000
"""About 8 MB: the log then no longer waits for a quiet moment."""
_LOG_KEPT = 4_000_000
"""Bytes of the log's file that are kept for the next one."""
_PATIENCE = 50
"""Milliseconds that a statement waits for another program: the window is blocked for so long."""
_LOCK_SECONDS = 2.0
"""How long the lock of the copy is tried for."""
QUIET_SECONDS = 2.0
"""After this time without a write the till counts as idle."""


class TillDatabase:
    """The open database, with its ports: `carts`, `sales`, `buyers`, `drawer`, `decisions`,
    `people`, `manager`, `acts`, `shifts` and `collected`. here: the person at the till, set by the
    program that opened the database. came: carts that had content then. has_shifts: whether each
    sale belongs to a shift. looks_whole: False where damage was found that could not be mended. A
    folder has one till."""

    def __init__(
        self,
        connection: apsw.Connection,
        lock: FolderLock,
        *,
        came: set[int],
        has_shifts: bool = False,
        looks_whole: bool = True,
    ) -> None:
        self._connection = connection
        self.looks_whole = looks_whole
        self._lock = lock
        self._log_pages = 0
        self._written_at = time.monotonic()
        connection.set_wal_hook(self._note_commit)
        self.here = AtTheTill()
        self.acts = ActTable(connection, self.here)
        self.shifts = ShiftTable(connection, self.acts)
        self.carts = CartTable(connection, self.acts, came=came, has_shifts=has_shifts)
        self.sales = SaleTable(connection, tidy=self.tidy, came=came)
        self.buyers = BuyerTable(connection)
        self.drawer = DrawerTable(connection, self.acts)
        self.decisions = DecisionTable(connection)
        self.collected = CollectedTable(connection, self.acts)
        self.people = PeopleTable(connection, self.acts)
        self.manager = ManagerTable(self.people)

    def _note_commit(self, _: apsw.Connection, __: str, pages: int) -> int:
        self._log_pages = pages
        self._written_at = time.monotonic()
        return apsw.SQLITE_OK

    @translated_errors(FILE_NAME)
    def tidy(self) -> None:
        """Check the database's files, so that nobody sells for hours without being able to confirm.
        Bring the log into the database when it is long and nothing was written lately, or when it
        is very long. Raises FilesReplaced."""
        check_files(self._connection)
        quiet = time.monotonic() - self._written_at >= QUIET_SECONDS
        if self._log_pages >= (TIDY_FROM_PAGES if quiet else _TIDY_ANYWAY):
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            self._log_pages = 0

    def close(self) -> None:
        self._connection.close()
        self._lock.close()


def open_till(folder: Path, *, till_id: str, has_shifts: bool = False) -> TillDatabase:
    """Open `till.db`, which no other till may have open. has_shifts: the setting.

    Raises AlreadyRunning, DatabaseDamaged (also for another till's file), and what `open_database`
    raises.
    """
    lock = FolderLock(folder / LOCK_NAME, what="till")
    try:
        return _opened(folder / FILE_NAME, lock, till_id=till_id, has_shifts=has_shifts)
    except MachineError as error:
        error.about(FILE_NAME)
        raise


@contextmanager
def unsent_of(folder: Path, *, till_id: str) -> Iterator[tuple[TillDatabase, int]]:
    """Copy the readable sales without a receipt from a damaged `till.db` into a new file, which is
    removed at the end. Count the sales that can't be read, or can't be sent without the rest of the
    damaged file. That file is not changed.

    Raises AlreadyRunning, MachineError.
    """
    path = folder / _UNSENT
    _remove(path)  # a file that a killed till left may lack sales
    try:
        _opened_unsent(path, till_id).close()
        taken = take_along(path, folder / FILE_NAME, as_it_was=True)
        with closing(_opened_unsent(path, till_id)) as database:
            yield database, taken.behind
    finally:
        _remove(path)


def _opened_unsent(path: Path, till_id: str) -> TillDatabase:
    """Open the copy. A program that this one starts just now has the lock of a moment ago until it
    runs, so the lock is tried again."""
    lock = lock_within(path.with_suffix(".lock"), what="till", seconds=_LOCK_SECONDS)
    return _opened(path, lock, till_id=till_id)


def _remove(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        with suppress(OSError):
            path.with_name(f"{path.name}{end}").unlink(missing_ok=True)


def _opened(
    path: Path, lock: FolderLock, *, till_id: str, has_shifts: bool = False
) -> TillDatabase:
    """Open the file. lock: released when the database is closed, or can't be opened."""
    try:
        connection = open_database(
            path, migrations=TILL_MIGRATIONS, contents=till_contents, durable=False, lock=lock
        )
        try:
            connection.execute("PRAGMA wal_autocheckpoint=0").fetchall()
            looks_whole = look_over(connection, path)
            connection.execute(f"PRAGMA journal_size_limit={_LOG_KEPT}").fetchall()
            with translated_errors(FILE_NAME):
                _check_owner(connection, path, till_id)
            with durable_change(connection):
                came = new_keys(connection)
                mark_kept(connection, path.parent)
            connection.set_busy_timeout(_PATIENCE)
        except BaseException:
            connection.close()
            raise
    except BaseException:
        lock.close()
        raise
    return TillDatabase(connection, lock, came=came, has_shifts=has_shifts, looks_whole=looks_whole)


def _check_owner(connection: apsw.Connection, path: Path, till_id: str) -> None:
    with translated_errors(FILE_NAME):
        connection.execute("INSERT OR IGNORE INTO meta (one, till_id) VALUES (1, ?)", (till_id,))
        owner = connection.execute("SELECT till_id FROM meta").get
    if owner != till_id:
        raise DatabaseDamaged("other_till", path=str(path), owner=owner)
