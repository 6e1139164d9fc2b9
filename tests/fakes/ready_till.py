"""A till's file whose tables are made already, which is most of the work of its first opening."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pos_app.adapters.sqlite.database import open_database
from pos_app.adapters.sqlite.till.schema import FILE_NAME, TILL_MIGRATIONS
from pos_app.adapters.sqlite.till.till import TillDatabase, open_till


@cache
def _tables() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / FILE_NAME
        open_database(path, migrations=TILL_MIGRATIONS).close()
        return path.read_bytes()


def open_ready(folder: Path, *, has_shifts: bool = False) -> TillDatabase:
    """Open the till's file in a folder, as `open_till` does."""
    path = folder / FILE_NAME
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_tables())
    return open_till(folder, till_id="till-1", has_shifts=has_shifts)
