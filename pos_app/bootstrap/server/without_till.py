"""Runs synchronisations and the daily backup in a server without a till: a service, or one that a
person started."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from pos_app.bootstrap.issuing.issuing import end
from pos_app.domain.receipt.server_status import Synchronisation
from pos_app.fiscalization.orphan_server import IdleTime
from pos_app.keep_running import keep_running
from pos_app.settings import Settings

FIRST_SECONDS = 15.0
"""The time until the first run: a machine that starts has other work, and a server that ends at
once, again and again, must not ask the platform each time."""


class SynchronisationProgram:
    """Runs `pos-app sync` as the settings say; with a till, or without a platform, it runs none."""

    def __init__(self, settings: Settings, *, for_till: bool) -> None:
        self._process = None
        if settings.platform.url and not for_till:
            from pos_app.adapters.sync_process import SyncProcess  # most servers never need it

            self._process = SyncProcess(
                data=settings.data,
                minutes=settings.platform.sync_minutes,
                first_seconds=FIRST_SECONDS,
            )

    def status(self) -> Synchronisation | None:
        """The state of the synchronisation, or None where the till runs it, or nobody."""
        return None if self._process is None else self._process.outcome

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the synchronisation while inside. A run that is under way at the end is ended, and
        the next one continues it."""
        if self._process is None:
            yield
            return
        work = keep_running(self._process.run, "the synchronisation")
        task = asyncio.create_task(work, name="synchronisation")
        try:
            yield
        finally:
            await end(task)


async def back_up_each_day(data: Path, silence: IdleTime) -> None:
    """Make the daily backup, for ever, while nobody asks the server anything."""
    from pos_app.adapters.backup.process import DailyBackup  # a till's server never needs it

    daily = DailyBackup(data)
    await keep_running(lambda: daily.run(lambda: silence.seconds), "the daily backup")
