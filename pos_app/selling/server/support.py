"""What support asks a shop for: the newest lines of its logs, and a bundle that holds no secret.

Source: till.md (Settings).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Protocol


class LogOf(StrEnum):
    """Whose log."""

    TILL = "till"
    SERVER = "server"
    SYNC = "sync"


class Support(Protocol):
    """Called in a thread; each may take its time."""

    def log_lines(self, of: LogOf, *, warnings: bool) -> Sequence[str]:
        """The newest lines, the newest last, with nothing in them that support may not see.
        warnings: those alone, with what belongs to them."""

    def write_bundle(
        self,
        folder: Path,
        *,
        settings: Mapping[str, object],
        told: Sequence[str],
        progress: Callable[[int, int], None],
    ) -> Path:
        """One ZIP in that folder, whole or not at all. settings: each group of them. told: lines of
        the self-test. progress: how many parts of how many are in it. Raises
        DataFolderNotWritable."""
