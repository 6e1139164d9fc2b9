"""Reads the readable rows of lists about many sales or jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pos_app import log
from pos_app.errors import DatabaseDamaged

T = TypeVar("T")

_log = log.get(__name__)


class ReadableRows:
    """Keeps one unreadable row of a list from hiding all others.

    Such a row is logged once for each start. A question about one sale, or one chain, fails with
    its row: nothing is decided on half of the data.
    """

    def __init__(self) -> None:
        self._logged: set[object] = set()

    def of(self, read: Callable[[Any], T], rows: list[Any]) -> tuple[T, ...]:
        """Return the values that `read` can read. A row's first column names it."""
        found: list[T] = []
        for row in rows:
            try:
                found.append(read(row))
            except DatabaseDamaged as error:
                if row[0] not in self._logged:
                    self._logged.add(row[0])
                    _log.error("%s (%s)", error.what, row[0])
        return tuple(found)
