"""Doubts that began a moment ago: most end by themselves, so nobody is called for them yet.

A server that was killed while it signed is back within two seconds, and its journal knows. A doubt
that only a person can end calls at once. The rule is the same for this till's sales and for
receipts that other programs asked the server for.
"""

from __future__ import annotations

from collections.abc import Iterable

from pos_app.clock import Clock
from pos_app.domain.receipt.states import RequestState
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.outbox.answer_effects import may_be_proven
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.monitor import ServerView

YOUNG = 5_000
"""Milliseconds for which a doubt may end by itself before a person is called."""
PROVEN_WITHIN = 600_000
"""The same time while the server proves that there is no receipt. A doubt that is not proven by
then waits for a person."""
_FOR_A_PERSON = frozenset({RequestState.NEEDS_HUMAN})


@dataclass(frozen=True, slots=True)
class DoubtsToShow:
    """The doubts for which a person is called. sales: the till's keys. receipts: the server's
    ids."""

    sales: tuple[str, ...]
    receipts: tuple[str, ...]


class RecentDoubts:
    """Doubts younger than `YOUNG`: sales by their keys, receipts by their ids."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sales: dict[str, int] = {}
        """The tick at which a person is called."""
        self._receipts: dict[str, int] = {}
        self._known: frozenset[str] = frozenset()

    @property
    def keys(self) -> frozenset[str]:
        """Doubts for which nobody is called yet, as `grown_up` counted them last."""
        return frozenset(self._sales) | frozenset(self._receipts)

    def begin(self, key: str, state: SaleState) -> None:
        """Note that a sale comes into a state now: a doubt begins with its move."""
        if state is SaleState.DOUBT:
            self._sales[key] = self._clock.ticks() + YOUNG

    def begin_anew(self, doubts: Iterable[Sale]) -> None:
        """Note that a copy was put back: these sales are in doubt from now on for that reason."""
        ends = self._clock.ticks() + PROVEN_WITHIN
        self._sales |= {one.key: ends for one in doubts if may_be_proven(one.reason)}

    def note(self, sale: Sale) -> None:
        code = sale.reason.code if sale.reason else ""
        if sale.state is not SaleState.DOUBT or code in _FOR_A_PERSON:
            self._sales.pop(sale.key, None)

    def note_view(self, view: ServerView) -> None:
        """Note the server's receipts without an outcome; a doubt is young at its first report."""
        entries = view.status.open if view.status else ()
        doubts = frozenset(one.receipt_id for one in entries if one.state == RequestState.UNKNOWN)
        end = self._clock.ticks() + YOUNG
        young = {key: at for key, at in self._receipts.items() if key in doubts}
        self._receipts = young | dict.fromkeys(doubts - self._known, end)
        self._known = doubts

    def grown_up(self) -> DoubtsToShow:
        """Return the doubts that have grown old since the last call: a person is called now."""
        return DoubtsToShow(self._grown(self._sales), self._grown(self._receipts))

    def _grown(self, ends: dict[str, int]) -> tuple[str, ...]:
        now = self._clock.ticks()
        grown = tuple(key for key, at in ends.items() if at <= now)
        for key in grown:
            del ends[key]
        return grown
