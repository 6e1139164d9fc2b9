"""The journal and its witness at the server's start, and while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pos_app import log
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.machine import machine_mark
from pos_app.adapters.witness import WitnessFile
from pos_app.errors import MachineError
from pos_app.fiscalization.ports import Journal

KEEP_EACH_SECONDS = 2.0
_log = log.get(__name__)


@asynccontextmanager
async def witnessed(folder: Path, journal: Journal) -> AsyncIterator[None]:
    """Compare the journal with what is remembered of it; while inside it is remembered anew."""
    file = WitnessFile(folder, machine=machine_mark())
    found = file.found(journal.restores)
    if found is not None:
        restore = journal.restores.mark_restored(found, now=SystemClock().now())
        _log.error("the journal is not the one that was here (%s): %s", found, restore.epoch)
    keeping = asyncio.create_task(_keep(file, journal), name="witness of the journal")
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        file.keep(journal.restores.tip)


async def _keep(file: WitnessFile, journal: Journal) -> None:
    while True:
        try:
            await asyncio.to_thread(file.keep, journal.restores.tip)
        except MachineError as error:
            _log.error("the journal can't be witnessed now: %s", error.what)
        await asyncio.sleep(KEEP_EACH_SECONDS)
