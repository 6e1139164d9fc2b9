"""The till's outbox: brings each confirmed sale to exactly one receipt.

Only the outbox retries, always with the key that was minted with the cart. It decides by the class
of an answer, never by its status or text. Each step is committed before and after; a till that is
killed anywhere continues by looking up what it had sent.
Source: exactly-once.md ("Who retries", "Answers have a class", step 8).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.states import AnswerClass
from pos_app.errors import DatabaseBusy, MachineError
from pos_app.selling.outbox import answer_effects, schedule
from pos_app.selling.outbox.journal_witness import JournalWitness
from pos_app.selling.outbox.recent_doubts import PROVEN_WITHIN, DoubtsToShow, RecentDoubts
from pos_app.selling.sale.ports import SaleRepository
from pos_app.selling.sale.sale import (
    INTERRUPTED,
    LEFT_IN_FRONT,
    UNCONFIRMED,
    PendingReason,
    QueuedSale,
    Sale,
)
from pos_app.selling.sale.state import ENDED, SaleState, check_state
from pos_app.selling.server.answers import NoAnswer
from pos_app.selling.server.monitor import ServerMonitor, ServerView
from pos_app.selling.server.ports import FiscalServer, OutgoingSale

_log = log.get(__name__)


_IDLE = 5_000
"""Milliseconds between two looks at the server while nothing waits."""
_BUSY = 1_000
_SEND_ANYWAY = 30_000
"""Milliseconds after which a sale is sent although the processor is not known to be ready."""
_AFTER_FAULT = 1_000
"""Milliseconds until storage is tried again."""
_TOLD_AFTER = 5_000
"""Milliseconds that another program may hold the till's file before that is reported."""
_WHILE_HELD = 200
"""Milliseconds between two tries while another program holds the file."""
IN_FRONT_FOR = 30_000
"""Milliseconds that somebody waits for a refund or closing to be sent."""
_PAGE = 100
"""The most sales that are read in one step."""

_UNCONFIRMED = PendingReason(AnswerClass.FIX, UNCONFIRMED, "its confirm was perhaps told as failed")
_NOT_SENT = PendingReason(AnswerClass.WAIT, LEFT_IN_FRONT, "not sent while somebody waited")
_INTERRUPTED = PendingReason(AnswerClass.UNKNOWN, INTERRUPTED, "the till ended while it was sent")

_S = SaleState


class Outbox:
    """`run` is the only coroutine that works by itself. The other methods are acts of a person, and
    what the screens listen to."""

    def __init__(self, *, sales: SaleRepository, server: FiscalServer, clock: Clock) -> None:
        self._sales = sales
        self._server = server
        self._clock = clock
        self._monitor = ServerMonitor(server=server, clock=clock)
        self._witness = JournalWitness(
            sales=sales, server=server, monitor=self._monitor, clock=clock
        )
        self._sent_at = clock.ticks()
        self._woken = asyncio.Event()
        self._moves = StateWriter(sales, clock)
        self._young, self._schedule = self._moves.young, self._moves.schedule
        self._monitor.listen(self._young.note_view)  # before the screens, which ask what is young
        self._tries: dict[str, int] = {}
        self._in_front: dict[str, int] = {}
        """The tick since when somebody waits for a sale that is not sent yet."""
        self._proving_since: dict[str, int] = {}
        """The tick since when the server proves that a sale has no receipt."""
        self._read_to = 0
        self._waited_to: int | None = None
        self._on_fault: list[Callable[[MachineError | None], None]] = []
        self._on_restored: list[Callable[[], None]] = []
        self._fault: MachineError | None = None
        self._held_since: int | None = None

    # --- for the screens -------------------------------------------------------------------------

    @property
    def view(self) -> ServerView:
        return self._monitor.view

    @property
    def young_doubts(self) -> frozenset[str]:
        """Doubts that may soon end by themselves (RecentDoubts); if not, they are reported
        again."""
        return self._young.keys

    def listen(
        self,
        *,
        on_sale: Callable[[Sale], None] | None = None,
        on_server: Callable[[ServerView], None] | None = None,
        on_fault: Callable[[MachineError | None], None] | None = None,
        on_restored: Callable[[], None] | None = None,
    ) -> None:
        """Call back for each changed sale, server state, storage fault (None: over), and when carts
        were suspended because a copy was put back."""
        if on_sale:
            self._moves.listen(on_sale)
        self._on_fault += [on_fault] if on_fault else []
        self._on_restored += [on_restored] if on_restored else []
        if on_server:
            self._monitor.listen(on_server)

    def wake(self) -> None:
        """Look at the queue now: a sale was frozen, or the server was started."""
        self._woken.set()

    def decided(self, key: str) -> None:
        """Ask the server at once for its state and for the sale of that key, if there is one:
        a person decided something there."""
        self._monitor.look_soon()
        self._schedule.at_once(key)
        self.wake()

    def take_server_fault(self, fault: MachineError | None) -> None:
        """The keeper reports why no server can be started, or None once one answers."""
        self._monitor.report_fault(fault)
        if fault is None:
            self.wake()

    # --- a person's acts -------------------------------------------------------------------------

    def cancel(self, key: str, *, reason: str) -> Sale:
        """Have a waiting or refused sale cancelled through the server.

        The sale has ended only when it is CANCELLED. Raises NotAllowed while the sale is being sent
        or in doubt, because a receipt may exist.
        """
        sale = self._check_state(key, _S.FROZEN, _S.REFUSED)
        self._sales.request_cancel(key, reason=reason, at=self._clock.now())
        return self._by_hand(key, _S.CANCELLING, sale.reason)

    def try_again(self, key: str) -> Sale:
        """Send a refused sale once more as it is, after its cause was mended elsewhere.

        Raises NotAllowed for a sale in another state, because a sale that may be signed is looked
        up, never sent by hand. Raises it also for the sale of a pair whose refund is not signed.
        """
        sale = self._check_state(key, _S.REFUSED)
        if sale.follows is not None:
            check_state(self._sales.sale(sale.follows).state, (_S.DONE,))
        return self._by_hand(key, _S.FROZEN, None)

    def _check_state(self, key: str, *allowed: SaleState) -> Sale:
        sale = self._sales.sale(key)
        check_state(sale.state, allowed)
        return sale

    def _by_hand(self, key: str, state: SaleState, reason: PendingReason | None) -> Sale:
        sale = self._moves.move(key, answer_effects.AnswerEffect(state, reason))
        self._tries.pop(key, None)
        self._schedule.begin_anew(key)
        if state is _S.FROZEN and sale.is_kept_in_front:
            self._in_front[key] = self._clock.ticks()
        self.wake()
        return sale

    # --- the coroutine ---------------------------------------------------------------------------

    async def run(self) -> None:
        """Send, look up and cancel until cancelled. A storage fault is reported and survived."""
        while True:
            try:
                self.recover()
                await self._rounds()
            except MachineError as error:
                is_brief = self._is_brief(error)
                if not is_brief:
                    self._report_fault(error)
                pause = _WHILE_HELD if is_brief else _AFTER_FAULT
                await self._clock.pause(pause, until=asyncio.Event())

    def _is_brief(self, fault: MachineError) -> bool:
        """Whether another program holds the file, which is mostly over in a moment."""
        if not isinstance(fault, DatabaseBusy):
            return False
        now = self._clock.ticks()
        self._held_since = now if self._held_since is None else self._held_since
        return now - self._held_since < _TOLD_AFTER

    def recover(self) -> None:
        """Put sales into doubt that were being sent when the till ended, because they may have
        arrived. A sale that a person perhaps saw as failed is not sent before a person confirms
        it."""
        self._start_anew()
        if self._waited_to is None:
            for left in self._sales.frozen_in_front():
                self._moves.move(left.key, answer_effects.AnswerEffect(_S.REFUSED, _NOT_SENT))
            self._waited_to = self._last_number()
        if (found := self._sales.unconfirmed()) is not None:
            self._moves.move(found.key, answer_effects.AnswerEffect(_S.REFUSED, _UNCONFIRMED))
        self._young.begin_anew(self._sales.waiting(_S.DOUBT))
        for sale in self._sales.waiting(_S.SENDING, at_most=_PAGE):
            self._moves.move(sale.key, answer_effects.AnswerEffect(_S.DOUBT, _INTERRUPTED))
        for sale in self._sales.followers():
            refund = self._sales.sale(sale.follows or "")
            if refund.state is _S.CANCELLED and sale.state is _S.REFUSED:
                self.cancel(sale.key, reason=refund.cancel_reason or "")

    def _last_number(self) -> int:
        return max((one.sequence for one in self._sales.last(1)), default=0)

    def _start_anew(self) -> None:
        self._schedule.clear()
        self._tries.clear()
        self._read_to = 0

    async def _rounds(self) -> None:
        while True:
            self._woken.clear()
            wait = await self.step()
            self._report_fault(None)
            self._held_since = None
            if wait:
                await self._clock.pause(wait, until=self._woken)

    async def step(self) -> int:
        """Do the next due thing. Return the milliseconds until something may be due again."""
        self._give_up_in_front()
        self._call_for(self._young.grown_up())
        self._sales.tidy()  # also while the server is away, perhaps for days
        has_more = self._read_on()
        if not await self._monitor.is_ours():
            return 0 if has_more else self._monitor.pause
        if not (asked := await self._witness.ask()).agreed:
            return self._monitor.pause
        if asked.restored:
            self._waited_to = self._last_number()  # sales that waited may have new numbers
            self._start_anew()
            self._young.begin_anew(self._sales.waiting(_S.DOUBT))
            for listener in self._on_restored:
                listener()
            return 0
        now, is_ready = self._clock.ticks(), self._monitor.view.is_ready
        may_send = is_ready or now - self._sent_at >= _SEND_ANYWAY
        act = self._schedule.next_act(now=now, may_send=may_send, is_ready=is_ready)
        if act is not None:
            await self._do(act)
            return 0
        if has_more:
            return 0
        if await self._monitor.refresh(not_older_than=self._longest):
            self._schedule.all_at_once()
            return 0
        now, is_ready = self._clock.ticks(), self._monitor.view.is_ready
        return self._schedule.idle_for(now=now, longest=self._longest, is_ready=is_ready)

    def _read_on(self) -> bool:
        """Read the sales that were frozen since the last reading, and after a start those that
        wait. Return whether there may be more."""
        page = self._sales.queue(after=self._read_to, at_most=_PAGE)
        for sale in page:
            self._schedule.take(sale)
            self._read_to = sale.sequence
            if sale.is_kept_in_front and sale.state is _S.FROZEN:
                self._in_front.setdefault(sale.key, self._clock.ticks())
        return len(page) == _PAGE

    def _give_up_in_front(self) -> None:
        """Refuse sales that were not sent while somebody waited; they must not be sent later."""
        now = self._clock.ticks()
        for key, since in [*self._in_front.items()]:
            if now - since >= IN_FRONT_FOR:
                del self._in_front[key]
                if self._sales.sale(key).state is _S.FROZEN:
                    self._moves.move(key, answer_effects.AnswerEffect(_S.REFUSED, _NOT_SENT))

    @property
    def _longest(self) -> int:
        return _IDLE if self._schedule.is_empty and not self._young.keys else _BUSY

    def _call_for(self, grown: DoubtsToShow) -> None:
        for key in grown.sales:
            self._moves.report(self._sales.sale(key))
        if grown.receipts:
            self._monitor.report_again()

    async def _do(self, act: schedule.NextStep) -> None:
        match act.kind:
            case schedule.StepKind.SEND:
                await self._send(act.sale)
            case schedule.StepKind.LOOK_UP:
                await self._look_up(act.sale)
            case schedule.StepKind.CANCEL:
                await self._cancel(act.sale)

    async def _send(self, queued: QueuedSale) -> None:
        self._give_up_in_front()  # the server may have been waited for since the step began
        if queued.is_kept_in_front and self._sales.sale(queued.key).state is not _S.FROZEN:
            return
        sale = self._moves.move(queued.key, answer_effects.AnswerEffect(_S.SENDING))
        was_ready = self._monitor.view.is_ready
        self._sent_at = self._clock.ticks()
        answer = await self._server.issue(self._outgoing(sale))
        if (effect := answer_effects.after_sending(answer, sale.operation)).again:
            self._monitor.look_soon()
        self._schedule.count(sale.key, effect.reason if effect.again and was_ready else None)
        self._settle(sale, effect, tries=sale.attempts)

    async def _look_up(self, queued: QueuedSale) -> None:
        answer = await self._server.look_up(queued.key, epoch=queued.epoch)
        sale = self._sales.sale(queued.key)
        if sale.state is not _S.DOUBT:
            return  # decided by a person while we asked
        if answer_effects.is_to_be_reported(answer, sale.reason):
            await self._report(sale)
            return
        effect = answer_effects.after_looking_up(answer, sale.reason, sale.operation)
        self._settle(sale, effect, tries=sale.attempts if effect.state else None)

    async def _report(self, sale: Sale) -> None:
        """Hand a doubt from before a restore to the server, which asks the processor."""
        is_provable = await self._is_provable(sale)
        if isinstance(is_provable, NoAnswer):
            self._settle(sale, answer_effects.AnswerEffect(None, sale.reason, again=True))
            return
        outgoing = self._outgoing(sale, is_from_before_restore=True, is_provable=is_provable)
        answer = await self._server.issue(outgoing)
        now = self._sales.sale(sale.key)
        if now.state is _S.DOUBT:
            effect = answer_effects.after_reporting(
                answer, now.reason, sale.operation, is_provable=is_provable
            )
            self._settle(now, effect)

    async def _is_provable(self, sale: Sale) -> bool | NoAnswer:
        """Whether the processor's lack of a receipt proves that there is none: the journal alone
        was put back, and the processor still reports the last receipt from before the sale."""
        if not answer_effects.may_be_proven(sale.reason) or sale.operation is not Operation.ISSUE:
            return False
        began = self._proving_since.setdefault(sale.key, self._clock.ticks())
        if self._clock.ticks() - began >= PROVEN_WITHIN:
            return False
        for one in self._sales.last(_PAGE, before=sale.sequence):
            receipt, answered_at = one.receipt, one.answered_at
            if receipt is None or answered_at is None or answered_at > sale.frozen_at:
                continue
            if one.operation is Operation.ISSUE:
                answer = await self._server.remembers(self._outgoing(one), receipt.fiscal_number)
                if isinstance(answer, NoAnswer):
                    del self._proving_since[sale.key]
                return answer
        return False

    def _outgoing(
        self, sale: Sale, *, is_from_before_restore: bool = False, is_provable: bool = False
    ) -> OutgoingSale:
        return OutgoingSale(
            sale.key,
            sale.sequence,
            sale.cashier,
            self._sales.body(sale.key),
            epoch=sale.epoch,
            is_from_before_restore=is_from_before_restore,
            is_provable=is_provable,
            has_waited=sale.sequence <= (self._waited_to or 0),
            operation=sale.operation,
            target=sale.target,
            corrects_after=None if sale.is_exchange else sale.follows,
        )

    async def _cancel(self, queued: QueuedSale) -> None:
        if queued.state is not _S.CANCELLING:
            self._moves.move(queued.key, answer_effects.AnswerEffect(_S.CANCELLING))
        answer = await self._server.cancel(queued.key, epoch=queued.epoch)
        self._settle(self._sales.sale(queued.key), answer_effects.after_cancelling(answer))

    # --- parts -----------------------------------------------------------------------------------

    def _settle(
        self, sale: Sale, effect: answer_effects.AnswerEffect, *, tries: int | None = None
    ) -> None:
        """Store the effect of an answer; tries: the number of tries, which sets the pause; with
        None they are counted here."""
        if effect.distrust:
            self._monitor.distrust()
        if effect.state is _S.FROZEN and sale.is_kept_in_front:
            effect = replace(effect, state=_S.REFUSED, again=False)
        next_try_at = None
        if effect.again:
            stuck = self._monitor.view.is_ready and self._schedule.is_stuck(sale.key)
            longest = schedule.longest_pause(effect.state or sale.state, effect.reason, stuck=stuck)
            next_try_at = self._later(sale.key, tries, longest=longest)
        else:
            self._at_once(sale.key)
        if effect.state is not None:
            self._moves.move(sale.key, effect, next_try_at=next_try_at)
            if sale.operation is Operation.REFUND and effect.state in ENDED:
                self._end_refund(sale, effect.state)
        elif _adds_something(effect, sale):
            self._moves.note(
                sale.key, effect.reason, receipt_id=effect.receipt_id, next_try_at=next_try_at
            )

    def _end_refund(self, refund: Sale, state: SaleState) -> None:
        """Let the sale of a pair go next, if somebody still waits, or cancel it with its refund."""
        new = self._sales.follower(refund.key)
        if new is None or new.state is not _S.REFUSED:
            return
        if state is _S.CANCELLED:
            self.cancel(new.key, reason=refund.cancel_reason or "")
        elif refund.key in self._in_front and not self._is_of_before(refund):
            self.try_again(new.key)

    def _is_of_before(self, refund: Sale) -> bool:
        """Whether the receipt of a refund may be one from before the server's data were restored,
        which a person showed: the sale behind it may exist then, too, and is a person's."""
        status = self._monitor.view.status
        return refund.state is _S.DOUBT and status is not None and status.may_lack_receipts

    def _later(self, key: str, tries: int | None, *, longest: int) -> datetime:
        counted = self._tries[key] = self._tries.get(key, 0) + 1
        pause = schedule.pause_after(counted if tries is None else tries, longest=longest)
        self._schedule.put_off(key, self._clock.ticks() + pause)
        return self._clock.now() + timedelta(milliseconds=pause)

    def _at_once(self, key: str) -> None:
        self._tries.pop(key, None)
        self._schedule.at_once(key)

    def _report_fault(self, fault: MachineError | None) -> None:
        if type(fault) is type(self._fault):
            return
        self._fault = fault
        if fault is not None:
            _log.error("the outbox can't write: %s", fault)
        for listener in self._on_fault:
            listener(fault)


def _adds_something(effect: answer_effects.AnswerEffect, sale: Sale) -> bool:
    """Whether the effect has something new to store. An answer without the receipt's id does not
    contradict an id that is known."""
    known_id = effect.receipt_id or sale.receipt_id
    return (effect.reason, known_id) != (sale.reason, sale.receipt_id)


# --- changes of a sale -------------------------------------------------------------------------


class StateWriter:
    """Stores a change, then plans with it, then reports it to the screens.

    schedule: plans with each change. young: the doubts for which nobody is called yet.
    """

    def __init__(self, sales: SaleRepository, clock: Clock) -> None:
        self._sales = sales
        self._clock = clock
        self._on_sale: list[Callable[[Sale], None]] = []
        self.schedule = schedule.Schedule()
        self.young = RecentDoubts(clock)

    def listen(self, on_sale: Callable[[Sale], None]) -> None:
        self._on_sale.append(on_sale)

    def move(
        self, key: str, to: answer_effects.AnswerEffect, *, next_try_at: datetime | None = None
    ) -> Sale:
        """Bring a sale into the state of `to`. Raises NotAllowed, MachineError."""
        assert to.state is not None
        self.young.begin(key, to.state)
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
        self.report(sale)
        return sale

    def note(
        self,
        key: str,
        reason: PendingReason | None,
        *,
        receipt_id: str | None = None,
        next_try_at: datetime | None = None,
    ) -> None:
        """Store why the sale still waits. Raises NotAllowed once it has ended, MachineError."""
        noted = self._sales.note(
            key, at=self._clock.now(), reason=reason, receipt_id=receipt_id, next_try_at=next_try_at
        )
        self.report(noted)

    def report(self, sale: Sale) -> None:
        self.young.note(sale)
        self.schedule.take(QueuedSale.of(sale))
        for listener in self._on_sale:
            listener(sale)
