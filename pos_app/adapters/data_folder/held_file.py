"""Tells whether the name of an open file still belongs to that file.

A file that is moved, deleted or replaced stays open: data written to it then is seen by nobody
else, and is lost when the program ends. Windows lets nobody replace the files that we hold open.
"""

from __future__ import annotations

import os
from pathlib import Path

from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class HeldFile:
    """An open file. device, inode: 0 where the system tells none.

    Windows gives the numbers of the volume and of the file in it, for a handle as for a name. It
    gives none if it has to look the file up in its folder, and on some network drives.
    """

    path: Path
    device: int
    inode: int

    @classmethod
    def of(cls, path: Path, opened: os.stat_result) -> HeldFile:
        """Return the held file. opened: `os.fstat` of the file, which was just opened."""
        return cls(path, opened.st_dev, opened.st_ino)

    def is_there(self) -> bool:
        """Tell whether the file is still there, by one look (2 µs). Raises OSError if that
        fails."""
        try:
            found = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        if not (found.st_ino and self.inode):
            return True
        return (found.st_dev, found.st_ino) == (self.device, self.inode)
