"""Doubts that began a moment ago: most end by themselves, so nobody is called for them yet.

A server that was killed while it signed is back within two seconds, and its journal knows. What
only a person can end calls at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.domain.states import RequestState
from pos_app.selling.life import SaleState
from pos_app.selling.ports import Clock
from pos_app.selling.sale import JOURNAL_RESTORED, Sale

YOUNG = 5_000
"""Milliseconds for which a doubt may end by itself before a person is called."""
_FOR_A_PERSON = frozenset({JOURNAL_RESTORED, RequestState.NEEDS_HUMAN})


class YoungDoubts:
    """Which sales have been in doubt for less than `YOUNG`, by their keys."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: dict[str, int] = {}

    @property
    def keys(self) -> frozenset[str]:
        """Those that nobody is called for yet, as they were counted last by `grown_up`."""
        return frozenset(self._since)

    def begin(self, key: str) -> None:
        """A sale came into doubt now."""
        self._since[key] = self._clock.ticks()

    def note(self, sale: Sale) -> None:
        """A sale has changed: its doubt may be over, or a person's by now."""
        code = sale.reason.code if sale.reason else ""
        if sale.state is not SaleState.DOUBT or code in _FOR_A_PERSON:
            self._since.pop(sale.key, None)

    def grown_up(self) -> Sequence[str]:
        """Sales whose doubt has become old since this was asked last: a person is called now."""
        end = self._clock.ticks() - YOUNG
        grown = [key for key, since in self._since.items() if since <= end]
        for key in grown:
            del self._since[key]
        return grown
