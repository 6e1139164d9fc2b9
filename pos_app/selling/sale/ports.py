"""What selling at the counter needs from outside: carts, confirmed sales, the form of a request.

Adapters and fakes pass the same contract tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from pos_app.clock import Clock
from pos_app.domain.cart import Cart
from pos_app.domain.money import Money
from pos_app.domain.operations import OperationRequest
from pos_app.domain.server_status import (
    JournalMark,
)
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


class Codec(Protocol):
    """Writes a request in its wire form."""

    def encode(self, request: OperationRequest) -> bytes:
        """The body that is frozen, sent and never made again."""


class Carts(Protocol):
    """Carts at the till. A change may be lost by a power cut until the next confirm."""

    def open_cart(self, *, training: bool) -> Ticket | None:
        """The cart on the screen; there is at most one, and one for training."""

    def begin(self, new: NewTicket) -> Ticket:
        """Open an empty cart. NotAllowed while one is open."""

    def save(self, ticket: Ticket, *, was: Ticket) -> Ticket:
        """Write what changed since `was`, and return the ticket with its new revision.

        Raises NotAllowed when `was` is outdated or the cart is not open.
        """

    def end_empty(self, ticket: Ticket, *, was: Ticket, following: NewTicket) -> Ticket:
        """Write what changed since `was`, after which nothing is left to sell, end the cart and
        open the next one, which is returned: all or nothing. Raises as `save`."""

    def begin_payment(self, cart_id: int) -> None:
        """Somebody began to pay it: that stays so, also where it is held and after a restart."""

    def is_begun(self, cart_id: int) -> bool:
        """Whether somebody ever began to pay it."""

    def suspend(self, ticket: Ticket, *, at: datetime) -> None:
        """Set an open cart aside. NotAllowed when it is not open."""

    def recall(self, cart_id: int, *, at: datetime) -> Ticket:
        """Take a held cart back. NotAllowed while another is open, or when it is not held."""

    def suspended(self) -> Sequence[Ticket]:
        """Carts set aside, the longest first."""

    def set_aside(self) -> Sequence[Ticket]:
        """Held carts that came out of a copy, the oldest first, until they were seen."""

    def mark_set_aside_seen(self) -> None: ...

    def void(self, ticket: Ticket, *, reason: str, at: datetime) -> None:
        """End an open or held cart without a sale. NotAllowed when it has ended."""

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
        """A cancelled sale's lines in a new open cart, and that sale marked as seen: one
        transaction that survives a power cut, so that no line is ever lost between the two.

        ticket: the cart open so far is held, or ended when nothing in it would be sold. cart: the
        lines; typed_details: what was added beside them.
        Raises NotAllowed when the ticket is outdated, the sale is not cancelled or was taken back
        already, or the goods of the advance that it closes are elsewhere (`goods_settled`);
        DiskFull.
        """

    def freeze(self, ticket: Ticket, *, sale: NewSale, following: NewTicket) -> tuple[Sale, Ticket]:
        """The confirm: the sale under the cart's key, the cart's end and the next empty cart,
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
    ) -> Sale:
        """The confirm of an operation on a receipt: under a key of its own, beside the open cart,
        in one transaction that survives a power cut. cart: what is sold, where a new receipt is
        issued by it. typed_details: what the receipt that follows it begins with. Raises
        DiskFull."""
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
        """The confirm of a correction: its refund, and REFUSED behind that (AFTER_REFUND) the new
        receipt with its lines, in one transaction that survives a power cut. Raises DiskFull."""
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
        """The confirm of an exchange: its refund, and REFUSED behind that (AFTER_REFUND) the sale
        under the cart's key, the cart's end and the next empty cart, in one transaction that
        survives a power cut. Raises as `freeze`."""
        ...


class SaleStore(Protocol):
    """Confirmed sales. Each change survives a power cut. NotFound for an unknown key."""

    def queue(self, *, after: int = 0, at_most: int = 200) -> Sequence[QueuedSale]:
        """The first sales without an end behind that sequence: only what the outbox decides by."""

    def waiting(self, *states: SaleState, at_most: int | None = None) -> Sequence[Sale]:
        """Sales in one of these states without an end, by sequence, whole.

        states: all where none is named. at_most: the first so many of each state.
        """

    def frozen_in_front(self) -> Sequence[QueuedSale]:
        """The operations that are kept in front and wait to be sent, by sequence."""

    def follower(self, key: str) -> Sale | None:
        """The sale that was frozen with a refund; None where there is none."""

    def followers(self) -> Sequence[Sale]:
        """The sales behind refunds that have no end yet, by sequence."""

    def closed_without_goods(self) -> Sequence[Sale]:
        """The refunds that close an advance of another system, of whose goods there is no sale and
        no cart, by sequence, until a person settles them otherwise (`mark_shown`)."""

    def refunds_by_hand(self, number: str) -> Sequence[Sale]:
        """The refunds by hand of the receipt with that fiscal number, by sequence: done, or not
        ended; without those that were undone."""

    def credits_owed(self) -> Sequence[Sale]:
        """The signed refunds of exchanges whose worth is owed to a customer: their sale ended
        without a receipt, and it is in no cart, in no other sale, and not paid out."""

    def tell_paid_out(self, key: str, *, gave: Money, by: str, at: datetime) -> None:
        """Keep who said that what such a refund is worth, or what was paid for an advance that was
        closed by hand, was paid out. gave: the cash that the hand gave."""

    def counts(self) -> Mapping[SaleState, int]:
        """How many sales are in each state without an end; none is left out."""

    def is_mine(self, *, key: str | None, receipt_id: str) -> bool:
        """Whether the receipt is that of a sale of this till. receipt_id: of one without an end."""

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
        """What happened to a sale, the oldest first."""

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

        SENDING counts an attempt. Raises NotAllowed when the table of life has no such move.
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
        """Keep that a person wants it cancelled. Raises NotAllowed once it has ended."""

    def done_to_be_seen(self) -> Sequence[Sale]:
        """Done sales that the cashier has to see, until then: wanted cancelled, or unreadable.

        The first 100.
        """

    def sold_unknown(self) -> Sequence[SoldUnknown]:
        """What was sold for codes that the catalogue lacked, a row a code, the newest first.

        Practice and cancelled sales count for nothing. Of the last 300 such lines.
        """

    def mark_shown(self, key: str) -> Sale: ...

    def mark_delivered(self, key: str) -> Sale: ...

    def remembered(self) -> RememberedJournal: ...

    def remember_journal(self, mark: JournalMark) -> None:
        """Keep the server's journal as it was seen last. May be lost by a power cut."""

    def unconfirmed(self) -> Sale | None:
        """A sale that was never sent, and of whose confirm it is not known whether the cashier was
        told that it failed: the disk refused it, or the till ended within it."""

    def key_of(self, sequence: int) -> str | None: ...

    def act_on_restore(self, told: RestoredCopy, *, at: datetime) -> None:
        """Keep that a copy was put back, in one change.

        Open and held carts get new keys and are held, set aside; empty ones end. Numbers go on
        above the journal's. What was tried is in doubt (JOURNAL_RESTORED), and whatever has not
        ended where it was the journal. The journal is remembered as told. A sale of the journal
        that is not here is marked as lacking, until a manager closes that.
        """

    def lacking(self) -> LackingSales | None:
        """What was found lacking and no manager has closed; of several times all together."""

    def close_lacking(self, *, by: str, at: datetime) -> None:
        """A manager has looked."""

    def tidy(self) -> None: ...


def goods_settled() -> NotAllowed:
    """The goods of an advance of another system are sold once."""
    return NotAllowed(
        "The goods of this advance are in a cart, receipted or settled already.",
        safe="The cart is unchanged.",
        do="Look among the held carts (F6), the receipts (F7) and in Attention.",
        kind="goods_settled",
    )


@dataclass(frozen=True, slots=True)
class Till:
    """What selling at the counter needs: one object to hand to the functions of `sell`.

    new_key: mints 32 random hex digits.
    """

    carts: Carts
    clock: Clock
    codec: Codec
    new_key: Callable[[], str]
