"""Files of ours whose tables are made already, which is most of the work of their first opening."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pos_app.adapters.sqlite.catalogue import schema as catalogue_schema
from pos_app.adapters.sqlite.database import open_database
from pos_app.adapters.sqlite.journal import schema as journal_schema
from pos_app.adapters.sqlite.till import schema as till_schema
from pos_app.adapters.sqlite.till.till import TillDatabase, open_till


@cache
def _tables(migrations: tuple[str, ...]) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "made.db"
        open_database(path, migrations=migrations).close()
        return path.read_bytes()


def _put(path: Path, migrations: tuple[str, ...]) -> Path:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_tables(migrations))
    return path


def ready_catalogue(path: Path) -> Path:
    """Put the file of an empty catalogue there, unless there is one; return its path."""
    return _put(path, catalogue_schema.MIGRATIONS)


def ready_journal(path: Path) -> Path:
    """Put the file of an empty journal there, unless there is one; return its path."""
    return _put(path, journal_schema.MIGRATIONS)


def open_ready(folder: Path, *, till_id: str = "till-1", has_shifts: bool = False) -> TillDatabase:
    """Open the till's file in a folder, as `open_till` does."""
    _put(folder / till_schema.FILE_NAME, till_schema.TILL_MIGRATIONS)
    return open_till(folder, till_id=till_id, has_shifts=has_shifts)
