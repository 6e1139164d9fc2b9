"""Doubts that began a moment ago: most end by themselves, so nobody is called for them yet.

A server that was killed while it signed is back within two seconds, and its journal knows. What
only a person can end calls at once. It is one rule for this till's sales and for receipts that
other programs asked the same server for.
"""

from __future__ import annotations

from dataclasses import dataclass

from pos_app.clock import Clock
from pos_app.domain.states import RequestState
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.monitor import ServerView

YOUNG = 5_000
"""Milliseconds for which a doubt may end by itself before a person is called."""
_FOR_A_PERSON = frozenset({RequestState.NEEDS_HUMAN})


@dataclass(frozen=True, slots=True)
class DoubtsToShow:
    """What a person is called for now. sales: keys of this till. receipts: ids of the server."""

    sales: tuple[str, ...]
    receipts: tuple[str, ...]


class RecentDoubts:
    """Which doubts are younger than `YOUNG`: of sales by their keys, of receipts by their ids."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sales: dict[str, int] = {}
        self._receipts: dict[str, int] = {}
        self._known: frozenset[str] = frozenset()

    @property
    def keys(self) -> frozenset[str]:
        """Those that nobody is called for yet, as they were counted last by `grown_up`."""
        return frozenset(self._sales) | frozenset(self._receipts)

    def begin(self, key: str, state: SaleState) -> None:
        """A sale comes into a state now: a doubt begins with its move."""
        if state is SaleState.DOUBT:
            self._sales[key] = self._clock.ticks()

    def note(self, sale: Sale) -> None:
        code = sale.reason.code if sale.reason else ""
        if sale.state is not SaleState.DOUBT or code in _FOR_A_PERSON:
            self._sales.pop(sale.key, None)

    def hear(self, view: ServerView) -> None:
        """What the server has without an outcome: a doubt is young when it is told first."""
        told = view.status.open if view.status else ()
        doubts = frozenset(one.receipt_id for one in told if one.state == RequestState.UNKNOWN)
        now = self._clock.ticks()
        young = {key: since for key, since in self._receipts.items() if key in doubts}
        self._receipts = young | dict.fromkeys(doubts - self._known, now)
        self._known = doubts

    def grown_up(self) -> DoubtsToShow:
        """Doubts that are no longer recent since the last call: a person is called now."""
        return DoubtsToShow(self._grown(self._sales), self._grown(self._receipts))

    def _grown(self, since: dict[str, int]) -> tuple[str, ...]:
        end = self._clock.ticks() - YOUNG
        grown = tuple(key for key, began in since.items() if began <= end)
        for key in grown:
            del since[key]
        return grown
