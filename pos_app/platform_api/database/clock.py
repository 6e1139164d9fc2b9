"""The clock of a database that several workers share. Connections are judged by it, because the
clocks of the workers' machines may differ, and one worker would take the others for gone."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from sqlalchemy import text

from pos_app import log
from pos_app.clock import Clock, now_ms
from pos_app.errors import MachineError
from pos_app.platform_api.database.engine import Database

COMPARED_EVERY_MS = 5_000
WORTH_A_WORD_MS = 2_000
_ASKED = text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)")

_log = log.get(__name__)


class DatabaseClock:
    """Implements Clock with PostgreSQL's time of day, as of the last comparison; with a SQLite file
    it is this machine's."""

    def __init__(self, own: Clock, database: Database) -> None:
        self._own = own
        self._database = database
        self._ahead_ms = 0
        """The lead of the database's clock over this machine's."""

    def now(self) -> datetime:
        return self._own.now() + timedelta(milliseconds=self._ahead_ms)

    def seconds(self) -> float:
        return self._own.seconds()

    def ticks(self) -> int:
        return self._own.ticks()

    async def pause(self, milliseconds: int, *, until: asyncio.Event) -> None:
        await self._own.pause(milliseconds, until=until)

    @property
    def warning(self) -> str:
        """The warning about a clock that differs; "" where it hardly does."""
        if abs(self._ahead_ms) <= WORTH_A_WORD_MS:
            return ""
        way = "behind" if self._ahead_ms > 0 else "ahead of"
        seconds = abs(self._ahead_ms) / 1000
        return f"The clock of this machine is {seconds:.0f} s {way} the database's: set it right."

    async def compare(self) -> None:
        """Compare the clocks. Raises MachineError."""
        if not self._database.is_shared:
            return
        began, before = self._own.ticks(), self.warning
        async with self._database.reading() as connection:
            database_ms: int = (await connection.execute(_ASKED)).scalar_one()
        took = self._own.ticks() - began
        self._ahead_ms = database_ms + took // 2 - now_ms(self._own)
        if self.warning and not before:
            _log.warning("%s", self.warning)

    async def keep_comparing(self) -> None:
        while True:
            await self._own.pause(COMPARED_EVERY_MS, until=asyncio.Event())
            try:
                await self.compare()
            except MachineError as error:
                _log.debug("the clocks can't be compared now: %s", error.what)
