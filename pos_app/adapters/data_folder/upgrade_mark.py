"""The mark of an upgrade that is under way; the copies in `backups/` may be put back while it is
there."""

from __future__ import annotations

from pathlib import Path

from pos_app.errors import DataFolderNotWritable

BACKUPS = Path("backups")
MARK = BACKUPS / "under-way.json"


def take_mark_away(data: Path) -> None:
    """A program is about to write to the databases: from now on no copy may be put back over them.

    Raises DataFolderNotWritable.
    """
    try:
        (data / MARK).unlink(missing_ok=True)
    except OSError as error:
        raise DataFolderNotWritable.of(data / BACKUPS, error) from error
