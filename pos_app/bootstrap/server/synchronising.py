"""The synchronisation of a server without a till: a service, or one that was started by hand."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from pos_app.bootstrap.issuing.issuing import end
from pos_app.domain.server_status import Synchronisation
from pos_app.keep_running import keep_running
from pos_app.settings import Settings

FIRST_SECONDS = 15.0
"""Until the first run: a machine that starts has other things to do, and a server that ends at
once, again and again, asks no platform each time."""


class SynchronisationProgram:
    """Runs `pos-app sync` as the settings say; with a till, or without a platform, it runs none."""

    def __init__(self, settings: Settings, *, for_till: bool) -> None:
        self._process = None
        if settings.platform.url and not for_till:
            from pos_app.adapters.sync_process import SyncProcess  # what most servers never need

            self._process = SyncProcess(
                data=settings.data,
                minutes=settings.platform.sync_minutes,
                first_seconds=FIRST_SECONDS,
            )

    def status(self) -> Synchronisation | None:
        """How it stands; None where the till runs it, or nobody."""
        return None if self._process is None else self._process.outcome

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While inside; what is under way then is ended, and goes on with the next run."""
        if self._process is None:
            yield
            return
        work = keep_running(self._process.keep, "the synchronisation")
        task = asyncio.create_task(work, name="synchronisation")
        try:
            yield
        finally:
            await end(task)
