"""The ports of selling at the counter: carts, confirmed sales, the form of a request.

Adapters and fakes pass the same contract tests.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from pos_app.clock import Clock
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.cart import Cart
from pos_app.domain.receipt.operations import OperationRequest
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.errors import NotAllowed
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import (
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
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import NOTHING_ADDED, NewTicket, Ticket, TypedDetails

NO_LINES = Cart()
Paid = Sequence[tuple[PaymentMethod, Money]]


@dataclass(frozen=True, slots=True)
class GivenForAdvance:
    """receipts: how many the advance had when this was given; 0 once the advance is no more."""

    receipts: int
    paid: Paid

    @property
    def goes_back(self) -> bool:
        """Whether it goes back to the customer, which is told until it was read."""
        return not self.receipts


class Codec(Protocol):
    """Writes a request in its wire form."""

    def encode(self, request: OperationRequest) -> bytes:
        """The request's body, which is frozen, sent and never built again."""


class Carts(Protocol):
    """Carts at the till. A power cut may lose the changes since the last confirmed sale."""

    def together(self) -> AbstractContextManager[None]:
        """Write everything inside in one transaction that survives a power cut, so that the till is
        never left without an open cart. Nothing may be awaited inside."""
        ...

    def open_cart(self, *, training: bool) -> Ticket | None:
        """The open cart; there is at most one for sales, and one for training."""

    def begin(self, new: NewTicket) -> Ticket:
        """Open an empty cart. Raises NotAllowed while one is open."""

    def save(self, ticket: Ticket, *, was: Ticket) -> Ticket:
        """Write what changed since `was`, and return the ticket with its new revision.

        Raises NotAllowed when `was` is outdated or the cart is not open.
        """

    def end_empty(self, ticket: Ticket, *, was: Ticket, following: NewTicket) -> Ticket:
        """Write what changed since `was`, which left no line, end the cart and open the next one,
        all or nothing. Returns the next cart, which has the missed codes. Raises as `save`."""

    def begin_payment(self, cart_id: int) -> None:
        """Note that payment of the cart began; the note survives suspending and a restart."""

    def is_begun(self, cart_id: int) -> bool:
        """Whether payment of the cart ever began."""

    def suspend(self, ticket: Ticket, *, at: datetime) -> None:
        """Suspend an open cart under its name, which it keeps until it ends. Raises NotAllowed when
        it is not open."""

    def recall(self, cart_id: int, *, at: datetime) -> Ticket:
        """Recall a suspended cart. Raises NotAllowed if it is not suspended or another is open."""

    def suspended(self) -> Sequence[Ticket]:
        """Suspended carts, the longest suspended first."""

    def suspended_by_restore(self) -> Sequence[Ticket]:
        """Suspended carts that came out of a copy, the oldest first, until they were seen."""

    def mark_suspended_seen(self) -> None: ...

    def void(self, ticket: Ticket, *, reason: str, at: datetime) -> None:
        """End an open or suspended cart without a sale. Raises NotAllowed when it has ended."""

    def cart_of(self, cart_id: int) -> Ticket:
        """A cart in any state, for a sale that is shown or corrected. Raises NotFound."""

    def take_back(
        self,
        ticket: Ticket,
        *,
        sale: Sale,
        cart: Cart,
        following: NewTicket,
        typed_details: TypedDetails = NOTHING_ADDED,
    ) -> Ticket:
        """Put a cancelled sale's lines in a new open cart, and mark that sale as seen: one
        transaction that survives a power cut, so that no line is lost between the two.

        ticket: the cart open so far, which is suspended, or ended when it has no lines. cart: the
        lines; typed_details: the data beside them. Raises NotAllowed when the ticket is outdated,
        the sale is not cancelled or was taken back already, or the goods of the advance that it
        closes are elsewhere (`goods_settled`); DiskFull.
        """

    def freeze(self, ticket: Ticket, *, sale: NewSale, following: NewTicket) -> tuple[Sale, Ticket]:
        """Confirm a sale: store it under the cart's key, end the cart and open the next empty one,
        in one transaction that survives a power cut, with every cart change before it.

        Raises NotAllowed when the ticket is outdated or not open, or another sale has the goods of
        the advance that it closes (`goods_settled`); DiskFull.
        """

    def freeze_operation(
        self,
        new: NewTicket,
        *,
        sale: NewSale,
        cart: Cart = NO_LINES,
        typed_details: TypedDetails = NOTHING_ADDED,
        advance: str = "",
    ) -> Sale:
        """Confirm an operation on a receipt under a key of its own, beside the open cart, in one
        transaction that survives a power cut. cart: the lines, where the operation issues a new
        receipt. typed_details: the initial data of the receipt that follows. advance: the one whose
        given money it takes, as in `give_for_advance`. Raises DiskFull."""
        ...

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
        """Confirm a correction: its refund, and behind it the new receipt with its lines, REFUSED
        (AFTER_REFUND), in one transaction that survives a power cut. Raises DiskFull."""
        ...

    def freeze_exchange(
        self,
        ticket: Ticket,
        first: NewTicket,
        *,
        refund: NewSale,
        sale: NewSale,
        following: NewTicket,
    ) -> tuple[Sale, Sale, Ticket]:
        """Confirm an exchange: its refund, behind it the sale under the cart's key, REFUSED
        (AFTER_REFUND), the cart's end and the next empty cart, in one transaction that survives a
        power cut. Raises as `freeze`."""
        ...

    def give_for_advance(self, advance: str, receipts: int, paid: Paid) -> None:
        """Keep what is given for an advance and not confirmed yet, nothing where that is empty.
        advance: the number of its first receipt. receipts: as in `GivenForAdvance`. Raises
        DiskFull."""
        ...

    def given_for_advances(self) -> Mapping[str, GivenForAdvance]:
        """Return what is kept of each advance, by the number of its first receipt."""
        ...


class SaleRepository(Protocol):
    """Confirmed sales. Each change survives a power cut. Raises NotFound for an unknown key."""

    def queue(self, *, after: int = 0, at_most: int = 200) -> Sequence[QueuedSale]:
        """The first unfinished sales behind that sequence, with only what the outbox decides by."""

    def waiting(self, *states: SaleState, at_most: int | None = None) -> Sequence[Sale]:
        """Unfinished sales in one of these states, by sequence.

        states: all where none is named. at_most: for each state.
        """

    def frozen_in_front(self) -> Sequence[QueuedSale]:
        """The operations kept in front that wait to be sent, by sequence."""

    def under_way_on(self, receipts: Collection[str]) -> Sequence[Sale]:
        """The acts on these receipts, given by their ids, whose outcome is not known yet: refunds,
        the sales behind them, further payments and closings; the one confirmed last comes first."""

    def payments_on(self, receipts: Collection[str]) -> Sequence[Sale]:
        """The issued further payments on these receipts of an advance, given by their ids."""

    def follower(self, key: str) -> Sale | None:
        """The sale that was frozen with a refund, or None."""

    def followers(self) -> Sequence[Sale]:
        """The unfinished sales behind refunds, by sequence."""

    def closed_without_goods(self) -> Sequence[Sale]:
        """The refunds that close an advance of another system and whose goods are in no sale and no
        cart, by sequence, until a person settles them otherwise (`mark_shown`)."""

    def refunds_by_hand(self, number: str) -> Sequence[Sale]:
        """The refunds by hand of the receipt with that fiscal number, by sequence: done or
        unfinished ones, without those that were undone."""

    def credits_owed(self) -> Sequence[Sale]:
        """The signed refunds of exchanges that are owed to a customer: their sale ended without a
        receipt, and they are in no cart, in no other sale, and not paid out."""

    def note_paid_out(self, key: str, *, gave: Money, by: str, at: datetime) -> None:
        """Store who paid out the refund of an exchange, or the payments of an advance that was
        closed by hand. gave: the cash handed over."""

    def counts(self) -> Mapping[SaleState, int]:
        """The number of unfinished sales in each state, zero included."""

    def is_mine(self, *, key: str | None, receipt_id: str) -> bool:
        """Whether the receipt belongs to a sale of this till. receipt_id: of an unfinished
        receipt."""

    def is_exchange(self, receipt_id: str) -> bool:
        """Whether the receipt is a half of an exchange of this till."""
        ...

    def sale(self, key: str) -> Sale:
        """Raises NotFound."""
        ...

    def body(self, key: str) -> bytes:
        """The frozen request. Raises NotFound."""

    def last(self, count: int, *, before: int | None = None) -> Sequence[Sale]:
        """The sales confirmed last, or last before that sequence, the newest first."""

    def history(self, key: str) -> Sequence[SaleEvent]:
        """The events of a sale, the oldest first."""

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
        """Bring a sale into a state, with the reason or receipt of that move.

        SENDING counts an attempt, and DONE takes the firm into the buyers' book. Raises NotAllowed
        when the table of life has no such move.
        """

    def note(
        self,
        key: str,
        *,
        at: datetime,
        reason: PendingReason | None,
        receipt_id: str | None = None,
        next_try_at: datetime | None = None,
    ) -> Sale:
        """Keep why a sale still waits and when it is tried next, without a move.

        Raises NotAllowed once it has ended.
        """

    def request_cancel(self, key: str, *, reason: str, at: datetime) -> Sale:
        """Keep a person's wish to cancel it. Raises NotAllowed once it has ended."""

    def done_to_be_seen(self) -> Sequence[Sale]:
        """Return the first 100 done sales that the cashier has to see and has not seen yet: sales
        that were to be cancelled, and unreadable ones.
        """

    def sold_unknown(self) -> Sequence[SoldUnknown]:
        """Sales for codes that the catalogue lacked, one row for each code, the newest first.

        Training and cancelled sales don't count. Only the last 300 such lines are read.
        """

    def mark_shown(self, key: str) -> Sale: ...

    def mark_delivered(self, key: str) -> Sale: ...

    def remembered(self) -> RememberedJournal: ...

    def remember_journal(self, mark: JournalMark) -> None:
        """Keep the server's journal as it was last seen. A power cut may lose this."""

    def unconfirmed(self) -> Sale | None:
        """The sale that was never sent and whose confirmation may have been shown as failed,
        because the disk refused it or the till ended within it; None if there is none."""

    def key_of(self, sequence: int) -> str | None: ...

    def act_on_restore(self, restored: RestoredCopy, *, at: datetime) -> None:
        """Store that a copy was put back, in one change.

        Open and suspended carts get new keys and are suspended; empty ones end. Numbers go on above
        the journal's. Sales that were tried come into doubt (JOURNAL_RESTORED); if the journal was
        put back, so do all unfinished sales. The reported journal is remembered. A sale that the
        journal has and that is missing here is marked as lacking, until a manager closes the mark.
        """

    def lacking(self) -> LackingSales | None:
        """The sales found lacking that no manager has closed; several findings are joined."""

    def close_lacking(self, *, by: str, at: datetime) -> None:
        """Store that a manager has looked at the lacking sales."""

    def tidy(self) -> None: ...


def goods_settled() -> NotAllowed:
    """The error for goods of another system's advance that are sold already."""
    return NotAllowed("goods_settled")


def always_in_vat() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Till:
    """The collaborators of selling, for the functions of `sell`.

    new_key: mints 32 random hex digits. in_vat: whether the shop is in the system of VAT now; a
    manager may change it while the till is open.
    """

    carts: Carts
    clock: Clock
    codec: Codec
    new_key: Callable[[], str]
    in_vat: Callable[[], bool] = always_in_vat
