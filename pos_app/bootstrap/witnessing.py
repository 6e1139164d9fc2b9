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
from pos_app.domain.states import RestoreFound
from pos_app.errors import MachineError
from pos_app.fiscalization.ports import Journal

KEEP_EACH_SECONDS = 2.0
_log = log.get(__name__)


@asynccontextmanager
async def witnessed(folder: Path, journal: Journal) -> AsyncIterator[None]:
    """Compare the journal with what is remembered of it; while inside it is remembered anew."""
    file = WitnessFile(folder, machine=machine_mark())
    found = file.found(journal.restores)
    is_marked = found is None or _mark(journal, found)
    keeping = asyncio.create_task(
        _keep(file, journal, None if is_marked else found), name="witness of the journal"
    )
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        if is_marked or file.is_kept:
            await _remember(file, journal)


def _mark(journal: Journal, found: RestoreFound) -> bool:
    """Whether it could be kept that the journal is another one: a disk may be full."""
    try:
        restore = journal.restores.mark_restored(found, now=SystemClock().now())
    except MachineError as error:
        _log.error("that the journal is not the one that was here can't be kept: %s", error.what)
        return False
    _log.error("the journal is not the one that was here (%s): %s", found, restore.epoch)
    return True


async def _keep(file: WitnessFile, journal: Journal, found: RestoreFound | None) -> None:
    """For ever. found: what is to be marked first, or nobody would know any more."""
    while True:
        if found is None or _mark(journal, found):
            found = None
            await _remember(file, journal)
        await asyncio.sleep(KEEP_EACH_SECONDS)


async def _remember(file: WitnessFile, journal: Journal) -> None:
    try:
        await asyncio.to_thread(file.keep, journal.restores.tip)
    except MachineError as error:
        _log.error("the journal can't be witnessed now: %s", error.what)
