"""`till.db` in memory: the ports Carts and SaleRepository, for tests that need no disk."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.cart import Cart
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.domain.receipt.states import AnswerClass
from pos_app.errors import DiskFull, NotAllowed, NotFound
from pos_app.selling.sale.ports import NO_LINES, GivenForAdvance, Paid, goods_settled
from pos_app.selling.sale.sale import (
    AFTER_REFUND,
    JOURNAL_BEHIND,
    JOURNAL_RESTORED,
    PAID_OUT,
    REFUND_REASON,
    LackingSales,
    NewSale,
    PendingReason,
    QueuedSale,
    ReceiptFacts,
    RememberedJournal,
    RestoredCopy,
    Sale,
    SaleEvent,
    SoldUnknown,
)
from pos_app.selling.sale.state import BEGINNING, ENDED, UNENDED, SaleState, check_move, check_state
from pos_app.selling.sale.ticket import NOTHING_ADDED, DocumentKind, NewTicket, Ticket, TypedDetails


@dataclass
class _Kept:
    baskets: dict[int, Ticket] = field(default_factory=dict)
    states: dict[int, str] = field(default_factory=dict)
    sales: dict[str, Sale] = field(default_factory=dict)
    bodies: dict[str, bytes] = field(default_factory=dict)
    events: list[tuple[str, SaleEvent]] = field(default_factory=list)
    remembered: RememberedJournal = field(default_factory=RememberedJournal)
    last_sequence: int = 0
    set_aside: set[int] = field(default_factory=set)
    lacking: list[LackingSales] = field(default_factory=list)
    begun: set[int] = field(default_factory=set)
    given: dict[str, GivenForAdvance] = field(default_factory=dict)

    def copy(self) -> _Kept:
        """Copy the store into a draft, which is thrown away when a change is refused."""
        return _Kept(
            dict(self.baskets),
            dict(self.states),
            dict(self.sales),
            dict(self.bodies),
            list(self.events),
            self.remembered,
            self.last_sequence,
            set(self.set_aside),
            list(self.lacking),
            set(self.begun),
            dict(self.given),
        )


class MemoryTill:
    """Both ports in one; `disk_full` makes each further change fail."""

    def __init__(self) -> None:
        self._kept = _Kept()
        self._came: set[int] = set()
        self.disk_full = False

    def reopened(self) -> MemoryTill:
        """The till after another start: each cart that is not confirmed gets a new key."""
        made = MemoryTill()
        made._kept = kept = self._kept.copy()
        for basket in list(kept.baskets.values()):
            if kept.states[basket.id] in {"open", "held"}:
                kept.baskets[basket.id] = replace(basket, key=secrets.token_hex(16))
                has_more = basket.missed or basket.typed_details != NOTHING_ADDED
                if not basket.cart.is_empty or has_more:
                    made._came.add(basket.id)
        return made

    @property
    def carts(self) -> MemoryTill:
        return self

    @property
    def sales(self) -> MemoryTill:
        return self

    @contextmanager
    def _change(self) -> Iterator[_Kept]:
        if self.disk_full:
            raise DiskFull(what="The disk took no more data.")
        draft = self._kept.copy()
        yield draft
        self._kept = draft

    # --- carts -----------------------------------------------------------------------------------

    def open_cart(self, *, training: bool) -> Ticket | None:
        return self._open(self._kept, training)

    def _open(self, kept: _Kept, training: bool) -> Ticket | None:
        for basket in kept.baskets.values():
            if kept.states[basket.id] == "open" and basket.kind.is_training == training:
                return basket
        return None

    def begin(self, new: NewTicket) -> Ticket:
        with self._change() as kept:
            return self._begin(kept, new)

    def _begin(self, kept: _Kept, new: NewTicket) -> Ticket:
        if self._open(kept, new.kind.is_training):
            raise NotAllowed(what="Another cart is open.")
        basket = Ticket(len(kept.baskets) + 1, new.key, new.kind, new.cashier, new.opened_at)
        kept.baskets[basket.id] = basket
        kept.states[basket.id] = "open"
        return basket

    def _turn(self, kept: _Kept, was: Ticket, old: set[str], new: str) -> Ticket:
        stored = kept.baskets.get(was.id)
        if stored is None or stored.revision != was.revision or kept.states[was.id] not in old:
            raise NotAllowed(what="This cart was changed or has ended meanwhile.")
        kept.states[was.id] = new
        kept.baskets[was.id] = replace(stored, revision=was.revision + 1)
        return kept.baskets[was.id]

    def save(self, ticket: Ticket, *, was: Ticket) -> Ticket:
        with self._change() as kept:
            turned = self._turn(kept, was, {"open"}, "open")
            kept.baskets[was.id] = replace(ticket, revision=turned.revision)
            return kept.baskets[was.id]

    def end_empty(self, ticket: Ticket, *, was: Ticket, following: NewTicket) -> Ticket:
        with self._change() as kept:
            turned = self._turn(kept, was, {"open"}, "dropped")
            ended = replace(ticket, revision=turned.revision, typed_details=NOTHING_ADDED)
            kept.baskets[was.id] = replace(ended, missed=())
            return self._begin(kept, following)

    def begin_payment(self, cart_id: int) -> None:
        with self._change() as kept:
            kept.begun.add(cart_id)

    def is_begun(self, cart_id: int) -> bool:
        return cart_id in self._kept.begun

    def suspend(self, ticket: Ticket, *, at: datetime) -> None:
        with self._change() as kept:
            held = self._turn(kept, ticket, {"open"}, "held")
            kept.baskets[ticket.id] = replace(held, suspended_at=at)

    def recall(self, cart_id: int, *, at: datetime) -> Ticket:
        with self._change() as kept:
            wanted = self.cart_of(cart_id)
            if self._open(kept, wanted.kind.is_training):
                raise NotAllowed(what="Another cart is open.")
            kept.set_aside.discard(cart_id)
            back = replace(self._turn(kept, wanted, {"held"}, "open"), suspended_at=None)
            kept.baskets[cart_id] = back
            return back

    def suspended(self) -> Sequence[Ticket]:
        kept = self._kept
        held = [basket for basket in kept.baskets.values() if kept.states[basket.id] == "held"]
        return sorted(held, key=lambda basket: (basket.suspended_at or basket.opened_at, basket.id))

    def suspended_by_restore(self) -> Sequence[Ticket]:
        return [basket for basket in self.suspended() if basket.id in self._kept.set_aside]

    def mark_suspended_seen(self) -> None:
        with self._change() as kept:
            kept.set_aside.clear()

    def void(self, ticket: Ticket, *, reason: str, at: datetime) -> None:
        with self._change() as kept:
            ended = self._turn(kept, ticket, {"open", "held"}, "dropped")
            kept.baskets[ticket.id] = replace(ended, typed_details=NOTHING_ADDED, missed=())

    def take_back(
        self,
        ticket: Ticket,
        *,
        sale: Sale,
        cart: Cart,
        following: NewTicket,
        typed_details: TypedDetails = NOTHING_ADDED,
    ) -> Ticket:
        with self._change() as kept:
            stored = kept.sales.get(sale.key)
            if stored is None or stored.state is not SaleState.CANCELLED or stored.was_shown:
                raise NotAllowed(what="The lines of this sale were taken back already.")
            self._refuse_goods_again(typed_details, of_cart=sale.cart_id, carts_too=True)
            kept.sales[sale.key] = replace(stored, was_shown=True)
            self._turn(kept, ticket, {"open"}, "dropped" if ticket.is_idle else "held")
            begun = self._begin(kept, following)
            self._came.add(begun.id)
            again = replace(begun, cart=cart, typed_details=typed_details)
            kept.baskets[begun.id] = replace(again, revision=begun.revision + 1)
            return kept.baskets[begun.id]

    def cart_of(self, cart_id: int) -> Ticket:
        if cart_id not in self._kept.baskets:
            raise NotFound(what="There is no such cart.")
        return self._kept.baskets[cart_id]

    def freeze(self, ticket: Ticket, *, sale: NewSale, following: NewTicket) -> tuple[Sale, Ticket]:
        with self._change() as kept:
            if ticket.paid_before:
                self._refuse_goods_again(ticket.typed_details, of_cart=ticket.id, carts_too=False)
            ended = self._turn(kept, ticket, {"open"}, "done")
            kept.baskets[ticket.id] = replace(ended, missed=())
            frozen = self._keep(kept, ticket.id, ticket.key, ticket.kind, sale)
            return frozen, self._begin(kept, following)

    def freeze_operation(
        self,
        new: NewTicket,
        *,
        sale: NewSale,
        cart: Cart = NO_LINES,
        typed_details: TypedDetails = NOTHING_ADDED,
    ) -> Sale:
        with self._change() as kept:
            number = len(kept.baskets) + 1
            done = Ticket(number, new.key, new.kind, new.cashier, new.opened_at, cart=cart)
            kept.baskets[done.id] = replace(done, typed_details=typed_details)
            kept.states[done.id] = "done"
            return self._keep(kept, done.id, new.key, new.kind, sale)

    def give_for_advance(self, advance: str, receipts: int, paid: Paid) -> None:
        with self._change() as kept:
            kept.given.pop(advance, None)
            if paid:
                kept.given[advance] = GivenForAdvance(receipts, tuple(paid))

    def given_for_advances(self) -> Mapping[str, GivenForAdvance]:
        return self._kept.given

    def freeze_correction(
        self,
        first: NewTicket,
        second: NewTicket,
        *,
        refund: NewSale,
        sale: NewSale,
        cart: Cart,
        typed_details: TypedDetails,
    ) -> tuple[Sale, Sale]:
        frozen = self.freeze_operation(first, sale=refund)
        behind = self.freeze_operation(second, sale=sale)
        ticket = self._kept.baskets[behind.cart_id]
        self._kept.baskets[ticket.id] = replace(ticket, cart=cart, typed_details=typed_details)
        return frozen, self._behind(frozen, behind)

    def freeze_exchange(
        self,
        ticket: Ticket,
        first: NewTicket,
        *,
        refund: NewSale,
        sale: NewSale,
        following: NewTicket,
    ) -> tuple[Sale, Sale, Ticket]:
        if self._kept.states[ticket.id] != "open":
            raise NotAllowed(what="This cart was changed or has ended meanwhile.")
        before = self.freeze_operation(first, sale=refund)
        behind, opened = self.freeze(ticket, sale=sale, following=following)
        return before, self._behind(before, behind), opened

    def _behind(self, refund: Sale, sale: Sale) -> Sale:
        self._kept.sales[sale.key] = replace(sale, follows=refund.key)
        reason = PendingReason(AnswerClass.WAIT, AFTER_REFUND)
        return self.move(sale.key, SaleState.REFUSED, at=sale.frozen_at, reason=reason)

    def _keep(self, kept: _Kept, cart_id: int, key: str, kind: DocumentKind, sale: NewSale) -> Sale:
        kept.last_sequence += 1
        frozen = Sale(
            key=key,
            sequence=kept.last_sequence,
            cart_id=cart_id,
            kind=kind,
            state=BEGINNING,
            total=sale.total,
            money_taken=sale.money_taken,
            cashier=sale.cashier,
            frozen_at=sale.frozen_at,
            shift_id=sale.shift_id,
            epoch=kept.remembered.epoch,
            operation=sale.operation,
            target=sale.target,
            is_exchange=sale.is_exchange,
        )
        kept.sales[key] = frozen
        kept.bodies[key] = sale.body
        kept.events.append((key, SaleEvent(sale.frozen_at, None, BEGINNING, "", "")))
        if sale.reason:
            told = SaleEvent(sale.frozen_at, BEGINNING, BEGINNING, REFUND_REASON, sale.reason)
            kept.events.append((key, told))
        return frozen

    # --- sales -----------------------------------------------------------------------------------

    def queue(self, *, after: int = 0, at_most: int = 200) -> Sequence[QueuedSale]:
        found = [QueuedSale.of(sale) for sale in self.waiting() if sale.sequence > after]
        return found[:at_most]

    def frozen_in_front(self) -> Sequence[QueuedSale]:
        frozen = self.waiting(SaleState.FROZEN)
        return [QueuedSale.of(sale) for sale in frozen if sale.is_kept_in_front]

    def waiting(self, *states: SaleState, at_most: int | None = None) -> Sequence[Sale]:
        kept = self._kept.sales.values()
        found = [[sale for sale in kept if sale.state is state] for state in states or UNENDED]
        first = [sale for alike in found for sale in alike[:at_most]]
        return sorted(first, key=lambda sale: sale.sequence)

    def follower(self, key: str) -> Sale | None:
        kept = self._kept.sales.values()
        return next((sale for sale in kept if sale.follows == key), None)

    def followers(self) -> Sequence[Sale]:
        return [sale for sale in self.waiting() if sale.follows is not None]

    def closed_without_goods(self) -> Sequence[Sale]:
        return [
            one
            for one in self._kept.sales.values()
            if one.closes_elsewhere
            and one.receipt is not None
            and not one.receipt.is_unreadable
            and not one.was_shown
            and not any(self._has_goods(cart, one) for cart in self._kept.baskets.values())
        ]

    def _has_goods(self, cart: Ticket, refund: Sale) -> bool:
        referent, receipt = cart.typed_details.referent, refund.receipt
        if receipt is None or referent is None or referent.number != receipt.fiscal_number:
            return False
        if self._kept.states[cart.id] in ("open", "held"):
            return True
        sold = next((one for one in self._kept.sales.values() if one.cart_id == cart.id), None)
        return sold is not None and sold.kind is DocumentKind.SALE and _holds_goods(sold)

    def _refuse_goods_again(self, typed: TypedDetails, *, of_cart: int, carts_too: bool) -> None:
        kept, referent = self._kept, typed.referent
        if referent is None or not referent.paid_before:
            return
        sold = {one.cart_id: one for one in kept.sales.values()}
        for cart in kept.baskets.values():
            other = cart.typed_details.referent
            if cart.id == of_cart or other is None or other.number != referent.number:
                continue
            sale = sold.get(cart.id)
            is_cart = carts_too and kept.states[cart.id] in ("open", "held")
            if is_cart or (sale and sale.kind is DocumentKind.SALE and _holds_goods(sale)):
                raise goods_settled()

    def refunds_by_hand(self, number: str) -> Sequence[Sale]:
        """Return refunds by hand; nothing is undone in this fake."""
        return [
            one
            for one in self._kept.sales.values()
            if one.operation is Operation.REFUND
            and one.target is None
            and one.state is not SaleState.CANCELLED
            and not (one.cancel_reason and one.state in (SaleState.REFUSED, SaleState.CANCELLING))
            and json.loads(self._kept.bodies[one.key])["referentDocumentNumber"] == number
        ]

    def credits_owed(self) -> Sequence[Sale]:
        kept = self._kept
        ended = {one.follows for one in kept.sales.values() if one.state is SaleState.CANCELLED}
        told = {key for key, event in kept.events if event.code == PAID_OUT}
        by_cart = {one.cart_id: one for one in kept.sales.values()}
        used = {
            goods.refund
            for cart in kept.baskets.values()
            if (goods := cart.typed_details.goods_back) is not None
            and (
                kept.states[cart.id] in ("open", "held")
                or (cart.id in by_cart and by_cart[cart.id].state is not SaleState.CANCELLED)
            )
        }
        return [
            one
            for one in kept.sales.values()
            if one.is_exchange
            and one.operation is Operation.REFUND
            and one.state is SaleState.DONE
            and one.key in ended - told - used
        ]

    def note_paid_out(self, key: str, *, gave: Money, by: str, at: datetime) -> None:
        state = self.sale(key).state
        self._kept.events.append((key, SaleEvent(at, state, state, PAID_OUT, by)))

    def counts(self) -> Mapping[SaleState, int]:
        return {state: len(self.waiting(state)) for state in UNENDED}

    def is_mine(self, *, key: str | None, receipt_id: str) -> bool:
        return key in self._kept.sales or receipt_id in {one.receipt_id for one in self.waiting()}

    def is_exchange(self, receipt_id: str) -> bool:
        kept = self._kept.sales.values()
        return any(one.is_exchange and one.receipt_id == receipt_id for one in kept)

    def sale(self, key: str) -> Sale:
        if key not in self._kept.sales:
            raise NotFound(what="There is no such sale.")
        return self._kept.sales[key]

    def body(self, key: str) -> bytes:
        self.sale(key)
        return self._kept.bodies[key]

    def last(self, count: int, *, before: int | None = None) -> Sequence[Sale]:
        newest_first = sorted(self._kept.sales.values(), key=lambda sale: -sale.sequence)
        return [one for one in newest_first if before is None or one.sequence < before][:count]

    def history(self, key: str) -> Sequence[SaleEvent]:
        return [event for owner, event in self._kept.events if owner == key]

    def move(
        self,
        key: str,
        state: SaleState,
        *,
        at: datetime,
        reason: PendingReason | None = None,
        receipt: ReceiptFacts | None = None,
        receipt_id: str | None = None,
        next_try_at: datetime | None = None,
    ) -> Sale:
        old = self.sale(key)
        check_move(old.state, state)
        if state is SaleState.SENDING and old.follows is not None:
            check_state(self.sale(old.follows).state, (SaleState.DONE,))
        told = SaleEvent(
            at, old.state, state, reason.code if reason else "", reason.text if reason else ""
        )
        return self._set(
            replace(
                old,
                state=state,
                attempts=old.attempts + (state is SaleState.SENDING),
                reason=reason,
                receipt=receipt,
                receipt_id=receipt.receipt_id if receipt else receipt_id or old.receipt_id,
                next_try_at=next_try_at,
                answered_at=at if state in ENDED else old.answered_at,
            ),
            told,
        )

    def note(
        self,
        key: str,
        *,
        at: datetime,
        reason: PendingReason | None,
        receipt_id: str | None = None,
        next_try_at: datetime | None = None,
    ) -> Sale:
        old = self._not_ended(key)
        known = receipt_id or old.receipt_id
        return self._set(replace(old, reason=reason, receipt_id=known, next_try_at=next_try_at))

    def request_cancel(self, key: str, *, reason: str, at: datetime) -> Sale:
        old = self._not_ended(key)
        told = SaleEvent(at, old.state, old.state, "drop_wished", reason)
        return self._set(replace(old, cancel_reason=reason), told)

    def done_to_be_seen(self) -> Sequence[Sale]:
        return [
            sale
            for sale in self._kept.sales.values()
            if sale.receipt is not None
            and (sale.cancel_reason is not None or sale.receipt.is_unreadable)
            and not sale.was_shown
        ]

    def sold_unknown(self) -> Sequence[SoldUnknown]:
        found: dict[str, SoldUnknown] = {}
        for sale in self._kept.sales.values():
            if sale.kind is DocumentKind.TRAINING or sale.state is SaleState.CANCELLED:
                continue
            for line in self.cart_of(sale.cart_id).cart.active:
                if code := line.article.unknown_code:
                    frozen, before = line.article.frozen, found.pop(code, None)
                    lines = before.lines + 1 if before else 1
                    found[code] = SoldUnknown(
                        code,
                        frozen.name,
                        frozen.label,
                        line.price,
                        lines,
                        sale.frozen_at,
                        sale.cashier,
                    )
        return list(reversed(found.values()))

    def mark_shown(self, key: str) -> Sale:
        return self._set(replace(self.sale(key), was_shown=True))

    def mark_delivered(self, key: str) -> Sale:
        return self._set(replace(self.sale(key), delivered=True))

    def remembered(self) -> RememberedJournal:
        return self._kept.remembered

    def remember_journal(self, mark: JournalMark) -> None:
        with self._change() as kept:
            kept.remembered = replace(kept.remembered, journal=mark)

    def unconfirmed(self) -> Sale | None:
        return None  # memory never refuses what it then holds

    def key_of(self, sequence: int) -> str | None:
        kept = self._kept.sales.values()
        return next((sale.key for sale in kept if sale.sequence == sequence), None)

    def act_on_restore(self, told: RestoredCopy, *, at: datetime) -> None:
        with self._change() as kept:
            for basket in list(kept.baskets.values()):
                binds = basket.typed_details.binds(basket.kind)
                goes_on = basket.id not in self._came and not binds
                if kept.states[basket.id] in {"open", "held"} and not goes_on:
                    self._set_aside(kept, basket)
            key, last = told.last_key, told.last_sequence
            if key not in {None, kept.remembered.acted_key} and key not in kept.sales:
                kept.lacking.append(LackingSales(at, min(kept.last_sequence + 1, last), last))
            kept.last_sequence = max(kept.last_sequence, last)
            for sale in list(kept.sales.values()):
                self._doubt(kept, sale, told, at)
            kept.remembered = RememberedJournal(told.journal, told.epoch, told.last_key)

    def lacking(self) -> LackingSales | None:
        if not self._kept.lacking:
            return None
        found = self._kept.lacking
        return LackingSales(
            min(one.since for one in found),
            min(one.first for one in found),
            max(one.last for one in found),
        )

    def close_lacking(self, *, by: str, at: datetime) -> None:
        with self._change() as kept:
            kept.lacking.clear()

    def _set_aside(self, kept: _Kept, ticket: Ticket) -> None:
        empty = ticket.is_idle
        kept.states[ticket.id] = "dropped" if empty else "held"
        kept.set_aside |= set() if empty else {ticket.id}
        key = ticket.key if empty else secrets.token_hex(16)
        missed = () if empty else ticket.missed
        ended = replace(ticket, key=key, revision=ticket.revision + 1, missed=missed)
        kept.baskets[ticket.id] = replace(ended, typed_details=NOTHING_ADDED) if empty else ended

    def _doubt(self, kept: _Kept, sale: Sale, told: RestoredCopy, at: datetime) -> None:
        tried = sale.state in {SaleState.SENDING, SaleState.DOUBT, SaleState.REFUSED}
        if sale.state in ENDED:
            return
        if sale.state is SaleState.FROZEN:
            tried = sale.attempts > 0
            if not tried and sale.sequence <= told.last_sequence:
                kept.last_sequence += 1
                sale = replace(sale, sequence=kept.last_sequence)
        if tried or told.is_journal:
            why = JOURNAL_BEHIND if told.is_behind else JOURNAL_RESTORED
            reason = PendingReason(AnswerClass.UNKNOWN, why, "tried before a restore")
            if sale.state is not SaleState.DOUBT:
                event = SaleEvent(at, sale.state, SaleState.DOUBT, reason.code, reason.text)
                kept.events.append((sale.key, event))
            sale = replace(sale, state=SaleState.DOUBT, reason=reason, next_try_at=None)
        kept.sales[sale.key] = sale

    def tidy(self) -> None:
        """Do nothing: memory has nothing to tidy."""

    def _not_ended(self, key: str) -> Sale:
        sale = self.sale(key)
        if sale.state in ENDED:
            raise NotAllowed(what="an ended sale never changes")
        return sale

    def _set(self, sale: Sale, told: SaleEvent | None = None) -> Sale:
        with self._change() as kept:
            kept.sales[sale.key] = sale
            if told:
                kept.events.append((sale.key, told))
        return sale


def _holds_goods(sale: Sale) -> bool:
    """Whether its lines are sold, or wait to be corrected."""
    waits = sale.cancel_reason == "correction" and not sale.was_shown
    return sale.state is not SaleState.CANCELLED or waits
