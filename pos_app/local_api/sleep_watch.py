"""Notices that the machine slept, or that this program stood still: data read before are old.

A sleep stops the monotonic clock but not the time of day; a stopped process misses its ticks.
Source: exactly-once.md, "States of a request on the server" (a tick more than 5 s late, or clocks
that drift apart by 5 s).
"""

from __future__ import annotations

from pos_app.clock import Clock

TOO_LATE_SECONDS = 5.0


class SleepWatch:
    """Watches for a sleep. `tick` is called about once a second."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.tick()

    def tick(self) -> None:
        """Watch the time after this moment."""
        self._ticked = self._clock.seconds()
        self._day = self._clock.now()

    def slept(self) -> bool:
        passed = self._clock.seconds() - self._ticked
        by_day = (self._clock.now() - self._day).total_seconds()
        return passed > TOO_LATE_SECONDS or abs(by_day - passed) > TOO_LATE_SECONDS
