"""What waits or is in doubt, for the screen Attention: facts only, without words.

Source: till.md ("Attention", Promises 3 and 5).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pos_app.domain.money import Money
from pos_app.domain.server_status import ProcessorState
from pos_app.domain.states import AlarmKind, AnswerClass, JobState, RequestState
from pos_app.selling.sale import NO_ROOM, PendingReason, Sale
from pos_app.selling.sale_state import SaleState
from pos_app.selling.server_watch import ServerLink, ServerView


class AttentionKind(StrEnum):
    """The kind of case, which decides what a person can do."""

    DECIDE = "decide"
    """The server can't find out: a person answers whether the receipt exists."""
    LOOKED_UP = "looked_up"
    """In doubt; till and server keep looking it up."""
    CORRECT_OR_DROP = "correct_or_drop"
    """Refused as it is."""
    HELP_PROCESSOR = "help_processor"
    """PIN, card, limit: a person helps, then the till continues."""
    FREE_DISK = "free_disk"
    """The server's disk is nearly full: a person frees some, then the till continues."""
    REFUND = "refund"
    """Signed although it was dropped: its receipt counts until it is refunded."""
    UNREADABLE = "unreadable"
    """Signed, but the server can't read what it keeps of it: its paper can't be made here."""
    MORE_TO_DECIDE = "more_to_decide"
    """More sales that need a person than have rows."""
    MORE_WAITING = "more_waiting"
    """More sales that need nobody than have rows."""
    SENT = "sent"
    """Being sent, or next to be sent."""
    WAITS_FOR_SERVER = "waits_for_server"
    WAITS_FOR_PROCESSOR = "waits_for_processor"
    WAITS_BEHIND = "waits_behind"
    """An earlier sale goes first."""
    CANCELLED_SOON = "cancelled_soon"
    """Dropped; the server's word is awaited."""
    TAKE_BACK = "take_back"
    """Cancelled to be corrected: its lines wait for an empty cart."""
    FOREIGN_DOUBT = "foreign_doubt"
    """A receipt in doubt that another program asked this server for."""
    HALF_DONE = "half_done"
    """The refused receipt of a pair, whose other receipt is signed: a manager ends it."""
    LATE_RECEIPT = "late_receipt"
    """Signed although it had been proven absent, and its sale can't take it: a manager sees it."""
    FOREIGN_TRAFFIC = "foreign_traffic"
    """Somebody else signs with this shop's secure element: a manager sees it."""
    ANSWER_DIFFERS = "answer_differs"
    """Signed, though the processor's answer differs in something: a manager sees it."""
    RESTORED = "restored"
    """The server's journal is an older one: a manager checks the receipts and closes the mark."""
    NEW_ELEMENT = "new_element"
    """The processor has another secure element: a manager accepts it."""
    CARTS_SET_ASIDE = "carts_set_aside"
    """Carts that came out of a copy of this till: the cashier looks whether they were sold."""
    DELIVERY_FAILED = "delivery_failed"
    """Surely not printed or sent, and not tried again by itself."""
    PERHAPS_DELIVERED = "perhaps_delivered"
    """A person looks whether it came out."""
    DELIVERY_WAITS = "delivery_waits"
    """Not printed or sent yet; the server tries again by itself."""
    MORE_UNDELIVERED = "more_undelivered"
    """More than the server tells with its status, so only their count is known: quiet."""
    REFUSED_CALLER = "refused_caller"
    """Another program or a web page was refused by the server: quiet, nothing need be done."""
    DELIVERY_REPEATED = "delivery_repeated"
    """A person wanted it once more: it is being printed or sent."""
    DRAWER_SHUT = "drawer_shut"
    """The drawer did not open with the last sale for cash: somebody opens it."""
    DRAWER_UNKNOWN = "drawer_unknown"
    """Perhaps it did not."""
    SERVER_FAILS = "server_fails"
    """Our server can't be started, or another program answers in its place."""
    STORAGE_FAILS = "storage_fails"
    """The till can't read or write its own file."""
    CATALOGUE_FAILS = "catalogue_fails"
    """Articles can't be read."""
    TO_COMPLETE = "to_complete"
    """Sold at an open price for codes that the catalogue lacks: quiet, nothing waits for it."""
    SOLVED = "solved"


@dataclass(frozen=True, slots=True)
class AttentionItem:
    """One sale that is not at its end. frozen_at, next_try_at: UTC."""

    key: str
    total: Money
    frozen_at: datetime
    cashier: str
    what: AttentionKind
    reason: PendingReason | None = None
    next_try_at: datetime | None = None
    receipt_id: str | None = None


@dataclass(frozen=True, slots=True)
class Attention:
    """Sales that need a person, and sales that need nobody; both by sequence."""

    needs_you: tuple[AttentionItem, ...] = ()
    goes_on: tuple[AttentionItem, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Nothing waits: the normal state."""
        return not self.needs_you and not self.goes_on


_CURABLE = frozenset(
    {
        ProcessorState.PIN,
        ProcessorState.CARD,
        ProcessorState.LIMIT,
        ProcessorState.NOT_CONFIGURED,
    }
)
DOUBTS = frozenset({AttentionKind.DECIDE, AttentionKind.LOOKED_UP, AttentionKind.FOREIGN_DOUBT})
"""The question is whether a receipt exists."""
NEEDS_YOU = DOUBTS | {
    AttentionKind.MORE_TO_DECIDE,
    AttentionKind.CORRECT_OR_DROP,
    AttentionKind.HELP_PROCESSOR,
    AttentionKind.FREE_DISK,
    AttentionKind.REFUND,
    AttentionKind.UNREADABLE,
    AttentionKind.TAKE_BACK,
    AttentionKind.SERVER_FAILS,
    AttentionKind.HALF_DONE,
    AttentionKind.STORAGE_FAILS,
    AttentionKind.CATALOGUE_FAILS,
    AttentionKind.LATE_RECEIPT,
    AttentionKind.FOREIGN_TRAFFIC,
    AttentionKind.ANSWER_DIFFERS,
    AttentionKind.RESTORED,
    AttentionKind.NEW_ELEMENT,
    AttentionKind.CARTS_SET_ASIDE,
    AttentionKind.DELIVERY_FAILED,
    AttentionKind.PERHAPS_DELIVERED,
    AttentionKind.DRAWER_SHUT,
    AttentionKind.DRAWER_UNKNOWN,
}
"""Needs a person; all others need nobody."""
UNDER_WAY = frozenset({AttentionKind.SENT, AttentionKind.DELIVERY_REPEATED})
"""It is being done at this moment."""
QUIET = UNDER_WAY | {
    AttentionKind.MORE_UNDELIVERED,
    AttentionKind.REFUSED_CALLER,
    AttentionKind.TO_COMPLETE,
}
"""Nobody has to act: no bell."""
OF_ALARM = {
    AlarmKind.LATE_RECEIPT: AttentionKind.LATE_RECEIPT,
    AlarmKind.FOREIGN_TRAFFIC: AttentionKind.FOREIGN_TRAFFIC,
    AlarmKind.ECHO: AttentionKind.ANSWER_DIFFERS,
}

OF_JOB = {
    JobState.FAILED: AttentionKind.DELIVERY_FAILED,
    JobState.UNPROVEN: AttentionKind.PERHAPS_DELIVERED,
    JobState.WAITING: AttentionKind.DELIVERY_WAITS,
    JobState.RUNNING: AttentionKind.DELIVERY_WAITS,
}
"""Done or dropped sales are left out."""


def attention(
    waiting: Sequence[Sale],
    *,
    server: ServerView,
    done_to_be_seen: Iterable[Sale] = (),
    young_doubts: Container[str] = (),
) -> Attention:
    """Group the sales without an end, which are given by their sequence.

    young_doubts: keys of those that are still told as being sent.
    """
    items = [
        _item(sale, AttentionKind.REFUND if sale.drop_reason else AttentionKind.UNREADABLE)
        for sale in done_to_be_seen
    ]
    head_seen = False
    for sale in waiting:
        what = _next(sale, server, behind=head_seen)
        still_sent = what is AttentionKind.LOOKED_UP and sale.key in young_doubts
        items.append(_item(sale, AttentionKind.SENT if still_sent else what))
        head_seen = head_seen or sale.state in {SaleState.FROZEN, SaleState.SENDING}
    return Attention(
        needs_you=tuple(item for item in items if item.what in NEEDS_YOU),
        goes_on=tuple(item for item in items if item.what not in NEEDS_YOU),
    )


def _item(sale: Sale, what: AttentionKind) -> AttentionItem:
    return AttentionItem(
        key=sale.key,
        total=sale.total,
        frozen_at=sale.frozen_at,
        cashier=sale.cashier,
        what=what,
        reason=sale.reason,
        next_try_at=sale.next_try_at,
        receipt_id=sale.receipt_id,
    )


def _next(sale: Sale, server: ServerView, *, behind: bool) -> AttentionKind:
    match sale.state:
        case SaleState.REFUSED:
            return (
                AttentionKind.CANCELLED_SOON if sale.drop_reason else AttentionKind.CORRECT_OR_DROP
            )
        case SaleState.CANCELLING:
            return AttentionKind.CANCELLED_SOON
        case SaleState.DOUBT:
            return _next_of_doubt(sale.reason)
        case SaleState.SENDING:
            return AttentionKind.SENT
        case _ if sale.drop_reason:
            return AttentionKind.CANCELLED_SOON
        case _:
            return _next_of_waiting(sale, server, behind=behind)


def _next_of_doubt(reason: PendingReason | None) -> AttentionKind:
    if reason and reason.code == RequestState.NEEDS_HUMAN:
        return AttentionKind.DECIDE
    return AttentionKind.LOOKED_UP


def _next_of_waiting(sale: Sale, server: ServerView, *, behind: bool) -> AttentionKind:
    if behind:
        return AttentionKind.WAITS_BEHIND
    if server.link is not ServerLink.OURS:
        return AttentionKind.WAITS_FOR_SERVER
    if _lacks_room(sale.reason, server):
        return AttentionKind.FREE_DISK
    if _asks_help(sale.reason, server):
        return AttentionKind.HELP_PROCESSOR
    if not server.is_ready or sale.reason:
        return AttentionKind.WAITS_FOR_PROCESSOR
    return AttentionKind.SENT


def _lacks_room(reason: PendingReason | None, server: ServerView) -> bool:
    if server.status is not None and not server.is_ready:
        return server.status.processor.state is ProcessorState.DISK
    return reason is not None and reason.code == NO_ROOM


def _asks_help(reason: PendingReason | None, server: ServerView) -> bool:
    if server.status is not None and not server.is_ready:
        return server.status.processor.state in _CURABLE
    return reason is not None and reason.answer_class is AnswerClass.CURE
