"""Ends a server that a till started, once nobody needs it any more because the till was killed.

A till that is closed ends its server itself, and a server that a person started is never ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pos_app import log
from pos_app.clock import Clock

ALONE_SECONDS = 300.0
"""Seconds without a request. A till asks every five seconds, and starts a server anew within
one."""
_LOOK_MS = 5_000

_log = log.get(__name__)


class IdleTime:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._heard_since = clock.seconds()

    def heard(self) -> None:
        self._heard_since = self._clock.seconds()

    @property
    def seconds(self) -> float:
        """Seconds since the last request, or the start."""
        return self._clock.seconds() - self._heard_since


async def stop_when_alone(
    silence: IdleTime, *, has_work: Callable[[], bool], clock: Clock, stop: asyncio.Event
) -> None:
    """Set `stop` after `ALONE_SECONDS` without a request, once no work is left."""
    while not stop.is_set():
        if silence.seconds >= ALONE_SECONDS and not has_work():
            _log.info("the till is gone and nothing is open: the server ends")
            stop.set()
            return
        await clock.pause(_LOOK_MS, until=stop)
