"""Notices that the drive of the second place is not connected, though its folder is there.

A drive that was pulled out leaves the bare folder at which it was mounted, and what is written
there lies on the computer's own disk. So the mount point of the second place is remembered with the
first set that is copied there. One that the system's table of drives names counts from the start.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.data_folder.upgrade_mark import BACKUPS

_MEMORY = BACKUPS / "second-place.json"
_TABLE = Path("/etc/fstab")


def missing_drive(data: Path, folder: Path) -> Path | None:
    """Return the mount point of the second place at which nothing is mounted now, or None. folder:
    the folder of the settings, which is there."""
    folder = folder.resolve()
    points = [one for one in _listed() if folder.is_relative_to(one)]
    with suppress(OSError, ValueError, KeyError, TypeError):
        known = json.loads((data / _MEMORY).read_bytes())
        if known["folder"] == str(folder):
            points.append(Path(known["mounted_at"]))
    return next((one for one in points if not os.path.ismount(one)), None)


def remember_drive(data: Path, folder: Path) -> None:
    """Remember where the drive of a second place that took a set is mounted. Raises
    DataFolderNotWritable."""
    folder = folder.resolve()
    mounted_at = next(
        one for one in (folder, *folder.parents) if os.path.ismount(one) or one == one.parent
    )
    told = {"folder": str(folder), "mounted_at": str(mounted_at)}
    write_private(data / _MEMORY, json.dumps(told, ensure_ascii=False).encode())


def _listed() -> list[Path]:
    """The mount points in the system's table of drives; none where there is no such table."""
    try:
        lines = _TABLE.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    rows = [line.split() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    points = [row[1].replace("\\040", " ") for row in rows if len(row) > 1]
    return [Path(one) for one in points if one.startswith("/") and one != "/"]
