"""What the outbox does next: plans without I/O, from the queue and the ticks of a clock.

Sales go out one at a time in the order of their sequence. One that waits keeps the order; one
that is refused or in doubt lets the next ones pass; and so does one that a ready processor has
refused again and again for the same reason, because nobody may ever cure that ("A refused sale
never stops the next ones", till.md). Of those that wait for one reason the earliest is tried first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType

from pos_app.domain.states import RequestState
from pos_app.selling.life import SaleState
from pos_app.selling.sale import UNREADABLE, Queued, Reason

_LONGEST_PAUSE = 5_000
"""Milliseconds between two tries of one sale, at most."""
_LONGEST_LOOK_UP_PAUSE = 1_000
"""The same between two look-ups of a doubt."""
_LONGEST_SETTLING_PAUSE = 250
"""The same while the server itself looks the doubt up, and soon knows."""
_FIRST_PAUSE = 250
_LONGEST_PAUSE_OF_STUCK = 30_000
"""The same for a sale that lets the next ones pass: their way is the one to be kept short.

And for a look-up that met a damaged journal without the number: it stays so until it is mended.
"""

_SETTLED_BY_SERVER = frozenset({RequestState.QUEUED, RequestState.SENDING, RequestState.UNKNOWN})

_NOTHING: Mapping[str, str] = MappingProxyType({})
_S = SaleState


class ActKind(Enum):
    """What is done for one sale."""

    CANCEL = auto()
    LOOK_UP = auto()
    SEND = auto()


@dataclass(frozen=True, slots=True)
class Act:
    """The next thing to do."""

    kind: ActKind
    sale: Queued


def pause_after(tries: int, *, longest: int = _LONGEST_PAUSE) -> int:
    """Milliseconds to wait after that many tries in a row: 250, 500, 1000, 2000, 4000, 5000…"""
    return min(_FIRST_PAUSE << min(tries - 1, 8), longest)


def longest_pause(state: SaleState, reason: Reason | None, *, stuck: bool = False) -> int:
    """Milliseconds between two tries of a sale in that state, at most.

    A doubt is only looked up on this machine; and often, while the server settles it by itself.
    """
    if stuck or (reason is not None and reason.code == UNREADABLE):
        return _LONGEST_PAUSE_OF_STUCK
    if state is not _S.DOUBT:
        return _LONGEST_PAUSE
    is_settled_now = reason is not None and reason.code in _SETTLED_BY_SERVER
    return _LONGEST_SETTLING_PAUSE if is_settled_now else _LONGEST_LOOK_UP_PAUSE


def acts(queue: Sequence[Queued], *, stuck: AbstractSet[str] = frozenset()) -> list[Act]:
    """Everything that waits to be done, the most urgent first; of sales to send only the head.

    A cancel comes first: nothing may be sent that a person has dropped. Then look-ups, which
    are quick and may end a doubt. stuck: keys of sales that are no head; they are tried last.
    """
    cancels = [sale for sale in queue if _to_cancel(sale)]
    doubts = [sale for sale in queue if sale.state is _S.DOUBT]
    frozen = [sale for sale in queue if sale.state is _S.FROZEN and not sale.drop_wished]
    heads = [sale for sale in frozen if sale.key not in stuck][:1]
    return [
        *(Act(ActKind.CANCEL, sale) for sale in cancels),
        *(Act(ActKind.LOOK_UP, sale) for sale in doubts),
        *(Act(ActKind.SEND, sale) for sale in heads),
        *(Act(ActKind.SEND, sale) for sale in frozen if sale.key in stuck),
    ]


def _to_cancel(sale: Queued) -> bool:
    if sale.state is _S.CANCELLING:
        return True
    return sale.drop_wished and sale.state in {_S.FROZEN, _S.REFUSED}


def next_act(
    queue: Sequence[Queued],
    *,
    due: Mapping[str, int],
    now: int,
    may_send: bool,
    stuck: AbstractSet[str] = frozenset(),
    first: Mapping[str, str] = _NOTHING,
) -> Act | None:
    """The first act whose tick has come; a sale without one is due at once.

    first: for the key of a sale that of another, which is sent in its place.
    """
    for act in acts(queue, stuck=stuck):
        allowed = may_send or act.kind is not ActKind.SEND
        if allowed and due.get(act.sale.key, now) <= now:
            return _in_its_place(act, queue, first)
    return None


def _in_its_place(act: Act, queue: Sequence[Queued], first: Mapping[str, str]) -> Act:
    if act.kind is not ActKind.SEND or act.sale.key not in first:
        return act
    earlier = first[act.sale.key]
    return Act(ActKind.SEND, next(sale for sale in queue if sale.key == earlier))


def idle_for(
    queue: Sequence[Queued],
    *,
    due: Mapping[str, int],
    now: int,
    longest: int,
    stuck: AbstractSet[str] = frozenset(),
) -> int:
    """Milliseconds until the next act that waits for its tick, at most `longest`."""
    waits = (due.get(act.sale.key, now) - now for act in acts(queue, stuck=stuck))
    return min([longest, *(wait for wait in waits if wait > 0)])
