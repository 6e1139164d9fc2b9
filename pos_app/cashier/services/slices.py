"""Work of the window's own thread in slices, so that keys and fingers never wait for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")

SLICE_SECONDS = 0.01


def take_slice(items: Iterator[T], take: Callable[[T], object]) -> bool:
    """Take the next items for one slice; tell whether these were the last. The next slice goes on
    with the same iterator."""
    until = time.monotonic() + SLICE_SECONDS
    for item in items:
        take(item)
        if time.monotonic() > until:
            return False
    return True
