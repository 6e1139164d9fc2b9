"""The room on the disk that holds a folder."""

from __future__ import annotations

import shutil
from pathlib import Path


class FolderDisk:
    """Implements fiscalization.ports.Disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def free_bytes(self) -> int:
        return shutil.disk_usage(self._folder).free
