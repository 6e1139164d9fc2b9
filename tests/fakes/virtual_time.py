"""Time that passes only when nothing else is left to do: an hour costs as much as its events.

with asyncio.Runner(loop_factory=VirtualLoop) as runner:
    runner.run(history())
"""

from __future__ import annotations

import asyncio
import contextlib
import selectors
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

EPOCH = datetime(2026, 11, 20, 7, 0, tzinfo=UTC)


class NothingLeft(RuntimeError):
    """Every task waits for something that will never happen."""


class _Impatient(selectors.DefaultSelector):
    """Waits for no file: hands the time that it should wait to the loop as passed."""

    passed: Callable[[float], None]

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise NothingLeft("no timer is set and nothing is ready")
        if timeout > 0:
            self.passed(timeout)
        return []


class Inline(asyncio.SelectorEventLoop):
    """An event loop in which a thread's work is done at once."""

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> Any:
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - the caller gets it, as from a thread
            done.set_exception(error)
        return done


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop over a clock of its own, which jumps from timer to timer."""

    def __init__(self) -> None:
        selector = _Impatient()
        selector.passed = self.stall
        self._seconds = 0.0
        super().__init__(selector)
        self._clock_resolution = 1e-6

    def time(self) -> float:
        return self._seconds

    def stall(self, seconds: float) -> None:
        """Let time pass while nothing runs: the machine was busy elsewhere, or frozen."""
        self._seconds += seconds


class InlineLoop(VirtualLoop, Inline):
    """Virtual time in which a thread's work is done at once."""


class VirtualClock:
    """The port Clock over the running loop's time; `jump` sets the time of day alone."""

    def __init__(self) -> None:
        self._set_by = timedelta(0)

    def seconds(self) -> float:
        return asyncio.get_running_loop().time()

    def ticks(self) -> int:
        return round(self.seconds() * 1000)

    async def pause(self, milliseconds: int, *, until: asyncio.Event) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(milliseconds / 1000):  # `wait_for` of 3.11 loses a cancel
                await until.wait()

    def now(self) -> datetime:
        return EPOCH + timedelta(seconds=self.seconds()) + self._set_by

    def jump(self, seconds: float) -> None:
        """Set the time of day, as a person or a machine's sleep does: monotonic time does not
        change."""
        self._set_by += timedelta(seconds=seconds)
