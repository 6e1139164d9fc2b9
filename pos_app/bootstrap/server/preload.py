"""Loads modules of the server ahead, in a pause, because a receipt in flight would wait for them.

Loading holds Python's lock for 50 ms at a time, and takes longer than a dozen receipts.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable

from pos_app import log
from pos_app.clock import Clock
from pos_app.errors import MachineError
from pos_app.fiscalization.orphan_server import IdleTime

AFTER_MS = 2_000
"""The time after the start: the till that started the server has its window by then."""
PAUSE_SECONDS = 0.5
"""The least silence before the loading; the till's questions are further apart."""
_LOOK_MS = 100
_WANTED_MS = 2_000

_log = log.get(__name__)


def always() -> bool:
    return True


async def warm(
    load: Callable[[], None],
    silence: IdleTime,
    *,
    is_issuing: Callable[[], bool],
    clock: Clock,
    is_wanted: Callable[[], bool] = always,
) -> None:
    """Load a renderer of papers once it is wanted; the lack of a font is reported now. is_issuing:
    whether a receipt is under way. A paper that needs the renderer earlier loads it."""
    never = asyncio.Event()
    await clock.pause(AFTER_MS, until=never)
    while not is_wanted():
        await clock.pause(_WANTED_MS, until=never)
    try:
        while silence.seconds < PAUSE_SECONDS or is_issuing():
            await clock.pause(_LOOK_MS, until=never)
        await asyncio.to_thread(load)
    except MachineError as error:
        _log.error("no PDF can be made, or nobody can tell when: %s", error.what)
    # The loaded objects stay: a full collection of them took 50 ms in the middle of a receipt.
    gc.freeze()
