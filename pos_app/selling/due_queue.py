"""A queue of sales: which is first, and which is due first, at the same cost for any length."""

from __future__ import annotations

from heapq import heapify, heappop, heappush


class DueQueue:
    """Sales by sequence; one that was put off is due from a tick on, any other at once.

    An entry of a heap counts while it says what is known of its sale; others are thrown away as
    they come up.
    """

    def __init__(self) -> None:
        self._due: dict[int, int | None] = {}
        self._all: list[int] = []
        self._now: list[int] = []
        self._later: list[tuple[int, int]] = []

    def put(self, sequence: int, due: int | None) -> None:
        """Add it, due at once (None) or from that tick on."""
        known = sequence in self._due
        if known and self._due[sequence] == due:
            return
        self._due[sequence] = due
        if not known:
            heappush(self._all, sequence)
        if due is None:
            heappush(self._now, sequence)
        else:
            heappush(self._later, (due, sequence))

    def leave(self, sequence: int) -> None:
        """Take it out."""
        self._due.pop(sequence, None)

    def all_at_once(self) -> None:
        """Make due whatever was put off."""
        self._due = dict.fromkeys(self._due)
        self._later = []
        self._now = list(self._due)
        heapify(self._now)

    def first(self) -> int | None:
        """The lowest sequence, due or not."""
        while self._all and self._all[0] not in self._due:
            heappop(self._all)
        return self._all[0] if self._all else None

    def first_due(self, now: int) -> int | None:
        """The lowest sequence of those that are due."""
        while self._later and self._later[0][0] <= now:
            due, sequence = heappop(self._later)
            if self._due.get(sequence) == due:
                self._due[sequence] = None
                heappush(self._now, sequence)
        while self._now and (self._now[0] not in self._due or self._due[self._now[0]] is not None):
            heappop(self._now)
        return self._now[0] if self._now else None

    def is_due(self, sequence: int, now: int) -> bool:
        """Whether its tick has come."""
        due = self._due[sequence]
        return due is None or due <= now

    def next_tick(self) -> int | None:
        """When the first of those that were put off is due."""
        while self._later and self._due.get(self._later[0][1]) != self._later[0][0]:
            heappop(self._later)
        return self._later[0][0] if self._later else None

    def tick_of(self, sequence: int) -> int | None:
        """From when on it is due, None: at once."""
        return self._due[sequence]
