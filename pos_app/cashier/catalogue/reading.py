"""Reads of the catalogue for its screen, which shows less while the file can't be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pos_app.cashier.services.storage_faults import Where
from pos_app.cashier.services.till_services import TillServices

_READS = "catalogue table"
T = TypeVar("T")


def read_or(services: TillServices, instead: T, read: Callable[[], T]) -> T:
    """Return what `read` returns, or `instead` where the file can't be read; the fault is noted."""
    at = services.till.clock.now()
    return services.faults.read_or(Where.CATALOGUE, instead, read, by=_READS, at=at)
