"""A database that can't be read: torn pages of a real file, or a connection that is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

_PAGE = 4096


@contextmanager
def refused(connection: apsw.Connection, fault: apsw.Error, *, only: str = "") -> Iterator[None]:
    """While inside, each statement of the connection fails with `fault`, or only those that contain
    `only`.

    A real file can hardly be held against a reader of a write-ahead log.
    """

    def refuse(_: object, statement: str, __: object) -> bool:
        if only in statement:
            raise fault
        return True

    connection.exec_trace = refuse
    try:
        yield
    finally:
        connection.exec_trace = None


def tear(path: Path) -> None:
    """Overwrite all pages of a database but the first, as a dying disk does."""
    connection = apsw.Connection(str(path))
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    connection.close()
    pages = path.stat().st_size // _PAGE
    with path.open("r+b") as file:
        file.seek(_PAGE)
        file.write(b"\xa5" * _PAGE * (pages - 1))
