"""The computer of the till, as its self-test asks it."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from pos_app.adapters.data_folder.upgrade_mark import BACKUPS


class MachineHere:
    """The port Machine: the disk of a data folder, and the copies in it."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def free_bytes(self) -> int | None:
        try:
            return shutil.disk_usage(self._data).free
        except OSError:
            return None

    def last_backup(self) -> datetime | None:
        try:
            times = [one.stat().st_mtime for one in (self._data / BACKUPS).rglob("*.db")]
        except OSError:
            return None
        return datetime.fromtimestamp(max(times), UTC) if times else None
