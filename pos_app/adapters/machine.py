"""The computer of the till, as its self-test asks it."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

from pos_app.adapters.backup.sets import newest


class MachineHere:
    """The port Machine: the disk of a data folder, and the backups in it."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def free_bytes(self) -> int | None:
        try:
            return shutil.disk_usage(self._data).free
        except OSError:
            return None

    def last_backup(self) -> datetime | None:
        return newest(self._data)
