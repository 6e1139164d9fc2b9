"""Runs a program of ours unchanged; on SIGUSR1 its time flies, on SIGUSR2 it goes as usual.

    python -m tests.e2e.fast_time server --data DIR …

The machine's monotonic clock then goes a hundred times as fast: eleven minutes are seven seconds.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable

FLYING = 100


class Monotonic:
    """Replaces `time.monotonic`, and never goes back."""

    def __init__(self, real: Callable[[], float]) -> None:
        self._real = real
        self._since_seconds = self._at_seconds = real()
        self._rate = 1

    def __call__(self) -> float:
        return self._at_seconds + (self._real() - self._since_seconds) * self._rate

    def go(self, rate: int) -> None:
        """Let `rate` of its seconds pass in one, from now on."""
        now_seconds, at_seconds = self._real(), self()
        self._since_seconds, self._at_seconds, self._rate = now_seconds, at_seconds, rate


def main() -> int:
    clock = time.monotonic = Monotonic(time.monotonic)
    time.monotonic_ns = lambda: int(clock() * 1e9)
    signal.signal(signal.SIGUSR1, lambda *_: clock.go(FLYING))
    signal.signal(signal.SIGUSR2, lambda *_: clock.go(1))
    from pos_app.__main__ import main as product

    return product(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
