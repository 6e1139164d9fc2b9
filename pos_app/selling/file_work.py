"""Long work in a process of its own, as the waiting window sees it.

Files of the catalogue, of receipts and of reports are made in this way, and backups too.
"""

from __future__ import annotations

from typing import Protocol

from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FileProgress:
    """The progress of the work. whole: 0 while that is unknown. percent: the part of the file that
    is read, while whole is 0."""

    done: int = 0
    whole: int = 0
    percent: int = 0


@dataclass(frozen=True, slots=True)
class FileDone:
    """The result: the rows or labels done, and the refused ones. articles: of how many articles,
    as a list counts them, the written rows are."""

    done: int
    failed: int = 0
    articles: int = 0


class FileWork(Protocol):
    """Work that runs in another process; poll it."""

    @property
    def progress(self) -> FileProgress: ...

    def result(self) -> object:
        """Return None while the work runs; then the result, usually a FileDone (see the port that
        began the work), or a PosError if it failed."""

    def stop(self) -> None:
        """End the work; what was written before stays. Its result is then a FileDone."""
