"""The port ReceiptFiles without a server, and a viewer that notes what it is shown."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pos_app.errors import PosError


class FilesInMemory:
    """Answers when it is free to; raises the fault it is given."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.jobs_asked: list[tuple[int, str]] = []
        self.free = asyncio.Event()
        self.free.set()
        self.fault: PosError | None = None

    async def pdf_of(self, receipt_id: str) -> Path:
        self.asked.append(receipt_id)
        await self.free.wait()
        if self.fault is not None:
            raise self.fault
        return Path(f"/shown/{receipt_id}.pdf")

    async def pdf_of_job(self, job_id: int, *, by: str) -> Path:
        self.jobs_asked.append((job_id, by))
        if self.fault is not None:
            raise self.fault
        return Path(f"/shown/job-{job_id}.pdf")


class NotingViewer:
    """opens: whether the system has a program for the file."""

    def __init__(self, *, opens: bool = True) -> None:
        self.opens = opens
        self.shown: list[Path] = []

    def show(self, file: Path) -> bool:
        self.shown.append(file)
        return self.opens
