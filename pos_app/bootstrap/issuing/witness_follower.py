"""The file beside the journal follows it while the server runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pos_app import log
from pos_app.adapters.witness_file import WitnessFile
from pos_app.errors import MachineError
from pos_app.fiscalization.ports import Restores
from pos_app.fiscalization.startup_recovery import Recovery

KEEP_EACH_SECONDS = 2.0
_log = log.get(__name__)


@asynccontextmanager
async def witnessed(
    file: WitnessFile, restores: Restores, recovery: Recovery
) -> AsyncIterator[None]:
    """While inside, and at the end, what the file tells of the journal is kept anew; not before
    what it told at the start was acted on, or nobody would know of it any more."""
    keeping = asyncio.create_task(
        recovery.before(lambda: _keep(file, restores))(), name="witness of the journal"
    )
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        if recovery.is_settled:
            await _remember(file, restores)


async def _keep(file: WitnessFile, restores: Restores) -> None:
    """For ever."""
    while True:
        await _remember(file, restores)
        await asyncio.sleep(KEEP_EACH_SECONDS)


async def _remember(file: WitnessFile, restores: Restores) -> None:
    try:
        await asyncio.to_thread(file.keep, restores.tip, restores.last_epoch())
    except MachineError as error:
        _log.error("the journal can't be witnessed now: %s", error.what)
