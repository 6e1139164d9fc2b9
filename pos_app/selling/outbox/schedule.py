"""Plans what the outbox does next, without I/O, from reported states and a clock's ticks.

Sales go out one at a time in the order of their sequence. A sale that waits keeps its place in the
order. A refused or doubtful sale lets the next ones pass, and so does a sale that a ready processor
has refused again and again for the same reason, because nobody may ever remove that reason ("A
refused sale never stops the next ones", till.md). Among sales that wait for the same reason the
earliest is tried first.
"""

from __future__ import annotations

from enum import Enum, auto
from heapq import heapify, heappop, heappush
from itertools import takewhile

from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import (
    JOURNAL_BEHIND,
    NO_ROOM,
    PROVING,
    REPORTED,
    UNREADABLE,
    PendingReason,
    QueuedSale,
)
from pos_app.selling.sale.state import ENDED, SaleState

# --- a queue that finds what is due ------------------------------------------------------------
# Each step costs the same for any length of the queue.


class DueQueue:
    """Sales by sequence; a postponed one is due from a tick on, any other at once.

    An entry of a heap counts only while it agrees with what is known of its sale. Other entries are
    dropped when they come up.
    """

    def __init__(self) -> None:
        self._due: dict[int, int | None] = {}
        self._all: list[int] = []
        self._now: list[int] = []
        self._later: list[tuple[int, int]] = []

    def put(self, sequence: int, due: int | None) -> None:
        """Add a sale, due at once (None) or from that tick on."""
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
        self._due.pop(sequence, None)

    def all_at_once(self) -> None:
        self._due = dict.fromkeys(self._due)
        self._later = []
        self._now = list(self._due)
        heapify(self._now)

    def first(self) -> int | None:
        while self._all and self._all[0] not in self._due:
            heappop(self._all)
        return self._all[0] if self._all else None

    def first_due(self, now: int) -> int | None:
        while self._later and self._later[0][0] <= now:
            due, sequence = heappop(self._later)
            if self._due.get(sequence) == due:
                self._due[sequence] = None
                heappush(self._now, sequence)
        while self._now and (self._now[0] not in self._due or self._due[self._now[0]] is not None):
            heappop(self._now)
        return self._now[0] if self._now else None

    def is_due(self, sequence: int, now: int) -> bool:
        due = self._due[sequence]
        return due is None or due <= now

    def next_tick(self) -> int | None:
        while self._later and self._due.get(self._later[0][1]) != self._later[0][0]:
            heappop(self._later)
        return self._later[0][0] if self._later else None

    def tick_of(self, sequence: int) -> int | None:
        return self._due[sequence]


# --- sales refused again and again -------------------------------------------------------------
# A cause that keeps all sales back alike, such as a full disk, is no refusal of one of them: it is
# not counted, and the order of the queue stays. Source: till.md ("A refused sale never stops the
# next ones").


STUCK_AFTER = 3
"""After so many refusals in a row, for one reason and by a ready processor, the next sales pass."""


@dataclass(frozen=True, slots=True)
class _Refusals:
    """The number of refusals of a sale in a row for the reason of that code."""

    sequence: int
    code: str
    count: int


class RepeatedRefusals:
    def __init__(self) -> None:
        self._of: dict[str, _Refusals] = {}
        self._alike: dict[str, dict[str, int]] = {}
        """For each code the sequences by key, the one that was tried longest ago first."""

    def count(self, key: str, sequence: int, reason: PendingReason | None) -> None:
        """Count a try. reason: the reason of a ready processor's refusal, else None. Only a cause
        that a person must cure is counted, because it may never end while the processor is ready.
        """
        known = self._of.get(key)
        self.forget(key)
        if not _is_its_own(reason):
            return
        assert reason is not None
        count = known.count + 1 if known and known.code == reason.code else 1
        self._of[key] = _Refusals(sequence, reason.code, count)
        self._alike.setdefault(reason.code, {})[key] = sequence

    def forget(self, key: str) -> None:
        if (refusals := self._of.pop(key, None)) is not None:
            del self._alike[refusals.code][key]

    def is_stuck(self, key: str) -> bool:
        refusals = self._of.get(key)
        return refusals is not None and refusals.count >= STUCK_AFTER

    def first(self, key: str) -> str:
        """The key of an earlier sale to be tried before this one, else its own.

        Both sales wait for the same reason, and the earlier one was not tried after the last try of
        this one. Without this rule the sale that happens to be due when the cause is removed would
        be signed first.
        """
        refusals = self._of.get(key)
        if refusals is None:
            return key
        tried_before = takewhile(lambda entry: entry[0] != key, self._alike[refusals.code].items())
        earlier = [
            (sequence, one) for one, sequence in tried_before if sequence < refusals.sequence
        ]
        return min(earlier)[1] if earlier else key


def _is_its_own(reason: PendingReason | None) -> bool:
    if reason is None or reason.answer_class is not AnswerClass.CURE:
        return False
    return reason.code != NO_ROOM


# --- the schedule ------------------------------------------------------------------------------


_LONGEST_PAUSE = 5_000
"""The most milliseconds between two tries of one sale."""
_LONGEST_LOOK_UP_PAUSE = 1_000
"""The most milliseconds between two look-ups of a doubt."""
_LONGEST_SETTLING_PAUSE = 250
"""The most milliseconds between two look-ups while the server looks the doubt up, and will know
soon."""
_FIRST_PAUSE = 250
_LONGEST_PAUSE_OF_STUCK = 30_000
"""The most milliseconds between two tries of a sale that lets the next ones pass, because it must
not delay them.

It is also the longest pause between look-ups in a damaged journal without the number, or in a
journal that was put back, because such a journal stays so until somebody has repaired it.
"""

_NOT_SOON = frozenset({UNREADABLE, REPORTED})
_PROVEN_SLOWLY = frozenset({JOURNAL_BEHIND, PROVING})
_SETTLED_BY_SERVER = frozenset({RequestState.QUEUED, RequestState.SENDING, RequestState.UNKNOWN})

_S = SaleState


class StepKind(Enum):
    CANCEL = auto()
    LOOK_UP = auto()
    SEND = auto()


@dataclass(frozen=True, slots=True)
class NextStep:
    kind: StepKind
    sale: QueuedSale


def pause_after(tries: int, *, longest: int = _LONGEST_PAUSE) -> int:
    """Milliseconds to wait after that many tries in a row: 250, 500, 1000, 2000, 4000, 5000…"""
    return min(_FIRST_PAUSE << min(max(tries - 1, 0), 8), longest)


def longest_pause(state: SaleState, reason: PendingReason | None, *, stuck: bool = False) -> int:
    """The most milliseconds between two tries of a sale in that state.

    Look-ups of a doubt ask only this machine's server, and are frequent while it settles the doubt.
    """
    if stuck or (reason is not None and reason.code in _NOT_SOON):
        return _LONGEST_PAUSE_OF_STUCK
    if state is not _S.DOUBT or (reason is not None and reason.code in _PROVEN_SLOWLY):
        return _LONGEST_PAUSE
    is_settled_now = reason is not None and reason.code in _SETTLED_BY_SERVER
    return _LONGEST_SETTLING_PAUSE if is_settled_now else _LONGEST_LOOK_UP_PAUSE


class Schedule:
    """The unfinished sales as they were last reported, and the tick when each is due.

    Every question costs about the same, however many wait. is_ready: the processor's state; stuck
    sales let the next ones pass only while it is ready.
    """

    def __init__(self) -> None:
        self.clear()

    # --- what is known ---------------------------------------------------------------------------

    def clear(self) -> None:
        """Forget all: the reported states may differ from the stored ones."""
        self._sales: dict[str, QueuedSale] = {}
        self._keys: dict[int, str] = {}
        self._due: dict[str, int] = {}
        self._refused = RepeatedRefusals()
        self._cancels, self._doubts = DueQueue(), DueQueue()
        self._frozen, self._stuck = DueQueue(), DueQueue()

    def take(self, sale: QueuedSale) -> None:
        if sale.state in ENDED:
            self._forget(sale)
            return
        self._sales[sale.key], self._keys[sale.sequence] = sale, sale.key
        if sale.cancel_requested or sale.state not in {_S.FROZEN, _S.SENDING}:
            self._refused.forget(sale.key)
        self._put_in_queue(sale)

    def put_off(self, key: str, until: int) -> None:
        self._due[key] = until
        self._put_known_in_queue(key)

    def at_once(self, key: str) -> None:
        self._due.pop(key, None)
        self._put_known_in_queue(key)

    def all_at_once(self) -> None:
        self._due.clear()
        for queue in (self._cancels, self._doubts, self._frozen, self._stuck):
            queue.all_at_once()

    def count(self, key: str, reason: PendingReason | None) -> None:
        self._refused.count(key, self._sales[key].sequence, reason)
        self._put_known_in_queue(key)

    def begin_anew(self, key: str) -> None:
        """Make the sale due after a person's act, as if it was never refused."""
        self._refused.forget(key)
        self.at_once(key)

    # --- what follows ----------------------------------------------------------------------------

    @property
    def is_empty(self) -> bool:
        return not self._sales

    def is_stuck(self, key: str) -> bool:
        return self._refused.is_stuck(key)

    def next_act(self, *, now: int, may_send: bool, is_ready: bool) -> NextStep | None:
        """The most urgent act that is due.

        A cancel comes first: nothing may be sent that a person has dropped. Then come look-ups,
        which are quick and may end a doubt, then the first sale to be sent, then the stuck ones.
        """
        for kind, queue in ((StepKind.CANCEL, self._cancels), (StepKind.LOOK_UP, self._doubts)):
            if (found := queue.first_due(now)) is not None:
                return NextStep(kind, self._sales[self._keys[found]])
        found = self._to_send(now, is_ready=is_ready) if may_send else None
        if found is None:
            return None
        return NextStep(StepKind.SEND, self._sales[self._refused.first(self._keys[found])])

    def idle_for(self, *, now: int, longest: int, is_ready: bool) -> int:
        """Milliseconds until the next act that waits for its tick, at most `longest`."""
        queue, head = self._head(is_ready=is_ready)
        ticks = [self._cancels.next_tick(), self._doubts.next_tick()]
        ticks += [self._stuck.next_tick()] if is_ready else []
        ticks += [queue.tick_of(head)] if head is not None else []
        return min([longest, *(tick - now for tick in ticks if tick is not None and tick > now)])

    # --- parts -----------------------------------------------------------------------------------

    def _to_send(self, now: int, *, is_ready: bool) -> int | None:
        queue, head = self._head(is_ready=is_ready)
        if head is not None and queue.is_due(head, now):
            return head
        return self._stuck.first_due(now) if is_ready else None

    def _head(self, *, is_ready: bool) -> tuple[DueQueue, int | None]:
        head, stuck = self._frozen.first(), self._stuck.first()
        if is_ready or stuck is None or (head is not None and head < stuck):
            return self._frozen, head
        return self._stuck, stuck

    def _put_known_in_queue(self, key: str) -> None:
        if key in self._sales:
            self._put_in_queue(self._sales[key])

    def _put_in_queue(self, sale: QueuedSale) -> None:
        mine = self._line_of(sale)
        for queue in (self._cancels, self._doubts, self._frozen, self._stuck):
            if queue is mine:
                queue.put(sale.sequence, self._due.get(sale.key))
            else:
                queue.leave(sale.sequence)

    def _line_of(self, sale: QueuedSale) -> DueQueue | None:
        match sale.state:
            case SaleState.CANCELLING:
                return self._cancels
            case SaleState.FROZEN | SaleState.REFUSED if sale.cancel_requested:
                return self._cancels
            case SaleState.DOUBT:
                return self._doubts
            case SaleState.FROZEN:
                return self._stuck if self._refused.is_stuck(sale.key) else self._frozen
        return None

    def _forget(self, sale: QueuedSale) -> None:
        if self._sales.pop(sale.key, None) is None:
            return
        del self._keys[sale.sequence]
        self._due.pop(sale.key, None)
        self._refused.forget(sale.key)
        for queue in (self._cancels, self._doubts, self._frozen, self._stuck):
            queue.leave(sale.sequence)
