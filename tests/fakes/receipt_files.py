"""The port ReceiptFiles without a server, and a viewer that notes the files it shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from pos_app.errors import PosError


class FilesInMemory:
    """Answers once `free` is set; raises `fault` where it has one."""

    def __init__(self) -> None:
        self.folder = Path("/shown")
        self.asked: list[tuple[str, str]] = []
        """Receipts with the name of the person who wanted to see each."""
        self.instead: list[str] = []
        """The receipts among them that were wanted instead of paper."""
        self.opened_instead: list[tuple[str, str]] = []
        """Receipts that were reported as opened instead of paper, with the person's name."""
        self.saved: list[tuple[Path, Path]] = []
        """Files and where each was saved."""
        self.free = asyncio.Event()
        self.free.set()
        self.fault: PosError | None = None

    async def pdf_of(self, receipt_id: str, *, by: str, instead: bool = False) -> Path:
        self.asked.append((receipt_id, by))
        if instead:
            self.instead.append(receipt_id)
        await self.free.wait()
        if self.fault is not None:
            raise self.fault
        return self.folder / f"{receipt_id}.pdf"

    async def save(self, receipt_id: str, to: Path, *, by: str) -> None:
        self.saved.append((await self.pdf_of(receipt_id, by=by), to))

    async def opened(self, receipt_id: str, *, by: str) -> None:
        if self.fault is not None:
            raise self.fault
        self.opened_instead.append((receipt_id, by))


class NotingViewer:
    """opens: whether the system has a program for the file, None while that is unknown."""

    def __init__(self, *, opens: bool | None = True) -> None:
        self.opens = opens
        self.files: list[Path] = []
        self._ends: list[tuple[Callable[[], None], Callable[[], None]]] = []

    def show(
        self,
        file: Path,
        *,
        on_failed: Callable[[], None],
        on_opened: Callable[[], None] = lambda: None,
    ) -> None:
        self.files.append(file)
        self._ends.append((on_opened, on_failed))
        if self.opens is not None:
            self.end(opened=self.opens)

    def end(self, *, opened: bool) -> None:
        """Report what became of the oldest file that was shown."""
        on_opened, on_failed = self._ends.pop(0)
        (on_opened if opened else on_failed)()
