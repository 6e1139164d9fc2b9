"""Long work that runs in a process of its own, as whoever waits for it sees it.

Files of the catalogue, of receipts and of reports are made so, and backups.
"""

from __future__ import annotations

from typing import Protocol

from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FileProgress:
    """How far it is. whole: 0 while that is not known. percent: of the file, while nothing is done
    yet."""

    done: int = 0
    whole: int = 0
    percent: int = 0


@dataclass(frozen=True, slots=True)
class FileDone:
    """What became of it: so many rows, or labels, and how many were refused."""

    done: int
    failed: int = 0


class FileWork(Protocol):
    """Work that runs elsewhere. Ask it now and then."""

    @property
    def progress(self) -> FileProgress: ...

    def result(self) -> object:
        """What came of it: what the port that began it says, most often a FileDone, or a PosError;
        None while it runs."""

    def stop(self) -> None:
        """End it; what was written before stays. Its result is then a FileDone."""
