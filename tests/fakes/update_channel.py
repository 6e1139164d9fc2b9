"""Releases in memory, for the screens."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from pos_app.domain.setup.release import InstallerFile, Release, Version
from pos_app.errors import NotDelivered, PosError
from pos_app.selling.updates import UpdateRecord

NOTES = (
    "Смена се отвара и затвара на каси, са пописом по апоенима.\n"
    "Претрага налази артикал и по делу бар-кода."
)


class ChannelInMemory:
    """Implements selling.updates.UpdateChannel. offered: the release that `look` finds, or why it
    finds none."""

    system = "windows"

    def __init__(self) -> None:
        self.offered: Release | PosError = NotDelivered("update", what="nobody there")
        self.refuses: PosError | None = None
        self.not_here: PosError | None = None
        self.started: list[Path] = []
        self._record = UpdateRecord()

    def offer(self, version: str = "4.1.0", *, by_hand: bool = False) -> None:
        file = InstallerFile("https://example.rs/pos-app.exe", 31_457_280, "0" * 64)
        self.offered = Release(
            Version.parse(version),
            datetime(2026, 11, 20, 9, 30, tzinfo=UTC),
            {"sr-Cyrl": NOTES, "en": "Shifts are opened and closed at the till."},
            "https://example.rs/pos-app",
            {} if by_hand else {"windows": file},
        )

    async def look(self) -> Release:
        if isinstance(self.offered, PosError):
            raise self.offered
        return self.offered

    async def fetch(
        self, release: Release, file: InstallerFile, on_progress: Callable[[int], None]
    ) -> Path:
        on_progress(file.size // 2)
        return Path(f"/updates/pos-app-{release.version}.exe")

    def check_may_start(self) -> None:
        if self.not_here is not None:
            raise self.not_here

    async def start(self, installer: Path) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.started.append(installer)

    def record(self) -> UpdateRecord:
        return self._record

    def save(self, record: UpdateRecord) -> None:
        self._record = record
