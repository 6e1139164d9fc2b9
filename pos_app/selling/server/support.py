"""Support asks a shop for the newest lines of its logs, and for a bundle that holds no secret.

Source: till.md (Settings).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Protocol


class LogOf(StrEnum):
    TILL = "till"
    SERVER = "server"
    SYNC = "sync"


class Support(Protocol):
    """Reads logs and writes bundles. Its methods are called in a thread; each may take its time."""

    def log_lines(self, of: LogOf, *, warnings: bool) -> Sequence[str]:
        """The newest lines, the newest last, without anything that support may not see. warnings:
        only warnings, with the lines that belong to them."""

    def write_bundle(
        self,
        folder: Path,
        *,
        settings: Mapping[str, object],
        findings: Sequence[str],
        progress: Callable[[int, int], None],
    ) -> Path:
        """Write one ZIP into that folder, whole or not at all. settings: in their groups. findings:
        lines of the self-test. progress: gets the parts done and the parts in all. Raises
        DataFolderNotWritable."""
