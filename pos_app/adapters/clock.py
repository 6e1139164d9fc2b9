"""The machine's clocks."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from datetime import UTC, datetime

if sys.platform == "win32":
    import ctypes

    def awake_ns() -> int:
        """Count only the time that the machine was awake (QueryUnbiasedInterruptTime, in 100 ns).
        Windows' monotonic clock goes on while the machine sleeps: a caller that repeats after a
        night would come too late, and a processor that slept too would be thought silent."""
        awake = ctypes.c_ulonglong()
        ctypes.windll.kernel32.QueryUnbiasedInterruptTime(ctypes.byref(awake))
        return awake.value * 100

else:

    def awake_ns() -> int:
        """Return the nanoseconds that the machine was awake since some fixed moment."""
        return time.monotonic_ns()


def awake_seconds() -> float:
    return awake_ns() / 1e9


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def seconds(self) -> float:
        return awake_seconds()

    def ticks(self) -> int:
        return awake_ns() // 1_000_000

    async def pause(self, milliseconds: int, *, until: asyncio.Event) -> None:
        """The clock is asked again after each wait: timers of a Qt loop fire up to 30 ms early."""
        end = self.ticks() + milliseconds
        while not until.is_set() and (rest := end - self.ticks()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(rest / 1000):
                    await until.wait()


SYSTEM_CLOCK = SystemClock()
