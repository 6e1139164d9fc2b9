"""The till's outbox: brings each confirmed sale to its one receipt, and to no second one.

It alone retries, always with the key that was minted with the cart, and decides by the class
of an answer, never by status or text. Each step is committed before and after; a till that is
killed anywhere goes on by looking up what it had sent.
Source: exactly-once.md ("Who retries", "Answers have a class", step 8).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from pos_app import log
from pos_app.domain.states import AnswerClass
from pos_app.errors import MachineError, NotAllowed
from pos_app.selling.life import SaleState, check_state
from pos_app.selling.link import ServerView, ServerWatch
from pos_app.selling.ports import Clock, FiscalServer, Parcel, Sales
from pos_app.selling.refused import Refused
from pos_app.selling.sale import (
    INTERRUPTED,
    JOURNAL_RESTORED,
    JournalMark,
    Queued,
    Reason,
    Sale,
)
from pos_app.selling.schedule import (
    Act,
    ActKind,
    idle_for,
    longest_pause,
    next_act,
    pause_after,
)
from pos_app.selling.verdict import Verdict, after_cancelling, after_looking_up, after_sending
from pos_app.selling.young_doubts import Grown, YoungDoubts

_log = log.get(__name__)

_IDLE = 5_000
"""Milliseconds between two looks at the server while nothing waits."""
_BUSY = 1_000
"""The same while a sale waits."""
_SEND_ANYWAY = 30_000
"""Milliseconds after which a sale is sent although the processor is not known to be ready."""
_AFTER_FAULT = 1_000
"""Milliseconds until storage is tried again."""

_INTERRUPTED = Reason(AnswerClass.UNKNOWN, INTERRUPTED, "the till ended while it was sent")
_RESTORED = Reason(AnswerClass.UNKNOWN, JOURNAL_RESTORED, "tried before the journal was restored")

_S = SaleState


class Outbox:
    """One coroutine, `run`; the rest are a person's acts and what the screens listen to."""

    def __init__(self, *, sales: Sales, server: FiscalServer, clock: Clock) -> None:
        self._sales = sales
        self._server = server
        self._clock = clock
        self._watch = ServerWatch(server=server, clock=clock)
        self._journal: JournalMark | None = None
        self._sent_at = clock.ticks()
        self._woken = asyncio.Event()
        self._young = YoungDoubts(clock)
        self._watch.listen(self._young.hear)  # before the screens, which ask what is young
        self._due: dict[str, int] = {}
        self._tries: dict[str, int] = {}
        self._refused = Refused()
        self._on_sale: list[Callable[[Sale], None]] = []
        self._on_fault: list[Callable[[MachineError | None], None]] = []
        self._fault: MachineError | None = None

    # --- for the screens -------------------------------------------------------------------------

    @property
    def view(self) -> ServerView:
        """How server and processor were seen last."""
        return self._watch.view

    @property
    def young_doubts(self) -> frozenset[str]:
        """Doubts that may soon end by themselves (YoungDoubts); told again when they did not."""
        return self._young.keys

    def listen(
        self,
        *,
        on_sale: Callable[[Sale], None] | None = None,
        on_server: Callable[[ServerView], None] | None = None,
        on_fault: Callable[[MachineError | None], None] | None = None,
    ) -> None:
        """Call back for each changed sale, server state, and storage fault (None: over)."""
        self._on_sale += [on_sale] if on_sale else []
        self._on_fault += [on_fault] if on_fault else []
        if on_server:
            self._watch.listen(on_server)

    def wake(self) -> None:
        """Look at the queue now: a sale was frozen, or the server was started."""
        self._woken.set()

    def tell_server_fault(self, fault: MachineError | None) -> None:
        """The keeper's word: why no server can be started, or None: one answers now."""
        self._watch.tell_fault(fault)
        if fault is None:
            self.wake()

    # --- a person's acts -------------------------------------------------------------------------

    def drop(self, key: str, *, reason: str) -> Sale:
        """Have a waiting or refused sale cancelled through the server.

        It has ended only when it is CANCELLED. Raises NotAllowed while it is being sent or in
        doubt: then a receipt may exist.
        """
        sale = self._check_state(key, _S.FROZEN, _S.REFUSED)
        self._sales.wish_drop(key, reason=reason, at=self._clock.now())
        return self._by_hand(key, _S.CANCELLING, sale.reason)

    def try_again(self, key: str) -> Sale:
        """Send a refused sale once more as it is, after its cause was mended elsewhere.

        Raises NotAllowed for any other: what may be signed is looked up, never sent by hand.
        """
        self._check_state(key, _S.REFUSED)
        return self._by_hand(key, _S.FROZEN, None)

    def declare_absent(self, key: str, *, by: str) -> Sale:
        """A manager's word about a sale from before the journal was restored: no such receipt.

        Other doubts are the server's, and so is the word about them. Raises NotAllowed.
        """
        if _before_restore(self._check_state(key, _S.DOUBT)) is None:
            raise NotAllowed(
                "This doubt is decided on the server.",
                safe="The sale is kept.",
                do="Look at the doubt again.",
                kind="doubt_of_server",
            )
        return self._by_hand(key, _S.FROZEN, Reason(AnswerClass.WAIT, "declared_absent", by))

    def _check_state(self, key: str, *allowed: SaleState) -> Sale:
        sale = self._sales.sale(key)
        check_state(sale.state, allowed)
        return sale

    def _by_hand(self, key: str, state: SaleState, reason: Reason | None) -> Sale:
        sale = self._move(key, Verdict(state, reason))
        self._at_once(key)
        self._refused.forget(key)
        self.wake()
        return sale

    # --- the coroutine ---------------------------------------------------------------------------

    async def run(self) -> None:
        """Send, look up and cancel until cancelled. A fault of storage is told and outlived."""
        while True:
            try:
                self.recover()
                await self._rounds()
            except MachineError as error:
                self._tell_fault(error)
                await self._clock.pause(_AFTER_FAULT, until=asyncio.Event())

    def recover(self) -> None:
        """What was being sent when the till ended may have arrived: it is in doubt now."""
        for sale in self._sales.queue():
            if sale.state is _S.SENDING:
                self._move(sale.key, Verdict(_S.DOUBT, _INTERRUPTED))

    async def _rounds(self) -> None:
        while True:
            self._woken.clear()
            wait = await self.step()
            self._tell_fault(None)
            if wait:
                await self._clock.pause(wait, until=self._woken)

    async def step(self) -> int:
        """Do the next thing that is due; milliseconds until something may be due again."""
        self._call_for(self._young.grown_up())
        if not await self._watch.is_ours():
            return self._watch.pause
        self._check_journal()
        queue, now = self._sales.queue(), self._clock.ticks()
        may_send = self._watch.view.is_ready or now - self._sent_at >= _SEND_ANYWAY
        stuck, first = self._stuck(), self._refused.first(queue)
        act = next_act(queue, due=self._due, now=now, may_send=may_send, stuck=stuck, first=first)
        if act is not None:
            await self._do(act)
            return 0
        if await self._watch.look(not_older_than=self._longest(queue)):
            self._due.clear()
            return 0
        self._sales.tidy()
        now = self._clock.ticks()
        return idle_for(queue, due=self._due, now=now, longest=self._longest(queue), stuck=stuck)

    def _longest(self, queue: Sequence[Queued]) -> int:
        """Milliseconds until the server is looked at again, whatever is due."""
        return _BUSY if queue or self._young.keys else _IDLE

    def _call_for(self, grown: Grown) -> None:
        for key in grown.sales:
            self._tell(self._sales.sale(key))
        if grown.receipts:
            self._watch.tell_again()

    def _stuck(self) -> frozenset[str]:
        """Sales that let the next ones pass, for as long as the processor is ready."""
        if not self._watch.view.is_ready:
            return frozenset()
        return self._refused.stuck()

    async def _do(self, act: Act) -> None:
        match act.kind:
            case ActKind.SEND:
                await self._send(act.sale)
            case ActKind.LOOK_UP:
                await self._look_up(act.sale)
            case ActKind.CANCEL:
                await self._cancel(act.sale)

    async def _send(self, queued: Queued) -> None:
        sale = self._move(queued.key, Verdict(_S.SENDING))
        was_ready = self._watch.view.is_ready
        self._sent_at = self._clock.ticks()
        body = self._sales.body(sale.key)
        answer = await self._server.issue(Parcel(sale.key, sale.sequence, sale.cashier, body))
        if (verdict := after_sending(answer)).again:
            self._watch.look_soon()
        self._refused.count(sale.key, verdict.reason if verdict.again and was_ready else None)
        self._settle(sale, verdict, tries=sale.attempts)

    async def _look_up(self, queued: Queued) -> None:
        answer = await self._server.look_up(queued.key)
        sale = self._sales.sale(queued.key)
        if sale.state is not _S.DOUBT:
            return  # decided by a person while we asked
        verdict = after_looking_up(answer, before_restore=_before_restore(sale))
        self._settle(sale, verdict, tries=sale.attempts if verdict.state else None)

    async def _cancel(self, queued: Queued) -> None:
        if queued.state is not _S.CANCELLING:
            self._move(queued.key, Verdict(_S.CANCELLING))
        verdict = after_cancelling(await self._server.cancel(queued.key))
        self._settle(self._sales.sale(queued.key), verdict)

    # --- parts -----------------------------------------------------------------------------------

    def _check_journal(self) -> None:
        """After a restore of the journal nothing that was tried before is simply sent again."""
        facts = self._watch.view.facts
        if facts is None or (seen := facts.journal) == self._journal:
            return
        known = self._journal or self._sales.journal_mark()
        if known and known.stepped_back_to(seen):
            _log.warning("the server's journal was restored")
            self._doubt_what_was_tried()
        self._sales.remember_journal(seen)
        self._journal = seen

    def _doubt_what_was_tried(self) -> None:
        for sale in self._sales.queue():
            if sale.state is _S.DOUBT:
                self._tell(self._sales.note(sale.key, reason=_RESTORED, at=self._clock.now()))
            elif sale.state is _S.FROZEN and sale.attempts:
                self._move(sale.key, Verdict(_S.DOUBT, _RESTORED))

    def _settle(self, sale: Sale, verdict: Verdict, *, tries: int | None = None) -> None:
        """Store what an answer means; `tries` sets the pause, None counts them here."""
        if verdict.distrust:
            self._watch.distrust()
        next_try_at = None
        if verdict.again:
            stuck = sale.key in self._stuck()
            longest = longest_pause(verdict.state or sale.state, verdict.reason, stuck=stuck)
            next_try_at = self._later(sale.key, tries, longest=longest)
        else:
            self._at_once(sale.key)
        if verdict.state is not None:
            self._move(sale.key, verdict, next_try_at=next_try_at)
        elif _tells_more(verdict, sale):
            noted = self._sales.note(
                sale.key,
                at=self._clock.now(),
                reason=verdict.reason,
                receipt_id=verdict.receipt_id,
                next_try_at=next_try_at,
            )
            self._tell(noted)

    def _later(self, key: str, tries: int | None, *, longest: int) -> datetime:
        counted = self._tries[key] = self._tries.get(key, 0) + 1
        pause = pause_after(counted if tries is None else tries, longest=longest)
        self._due[key] = self._clock.ticks() + pause
        return self._clock.now() + timedelta(milliseconds=pause)

    def _at_once(self, key: str) -> None:
        self._due.pop(key, None)
        self._tries.pop(key, None)

    def _move(self, key: str, to: Verdict, *, next_try_at: datetime | None = None) -> Sale:
        assert to.state is not None
        self._young.begin(key, to.state)
        sale = self._sales.move(
            key,
            to.state,
            at=self._clock.now(),
            reason=to.reason,
            receipt=to.receipt,
            receipt_id=to.receipt_id,
            next_try_at=next_try_at,
        )
        fields = {"key": key, "sequence": sale.sequence, "state": str(to.state)}
        _log.info("sale moved", extra={"fields": fields})
        self._tell(sale)
        return sale

    def _tell(self, sale: Sale) -> None:
        self._young.note(sale)
        for listener in self._on_sale:
            listener(sale)

    def _tell_fault(self, fault: MachineError | None) -> None:
        if type(fault) is type(self._fault):
            return
        self._fault = fault
        if fault is not None:
            _log.error("the outbox can't write: %s", fault)
        for listener in self._on_fault:
            listener(fault)


def _tells_more(verdict: Verdict, sale: Sale) -> bool:
    """Whether it is written down; an answer without the receipt's id says nothing against it."""
    told_id = verdict.receipt_id or sale.receipt_id
    return (verdict.reason, told_id) != (sale.reason, sale.receipt_id)


def _before_restore(sale: Sale) -> Reason | None:
    """Why a look-up that finds nothing would not prove that nothing was signed."""
    return sale.reason if sale.reason and sale.reason.code == JOURNAL_RESTORED else None
