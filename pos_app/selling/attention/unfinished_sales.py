"""Sales that are not at their end: what each waits for, or what a person can do about it.

Facts only; the screen Attention finds the words. Source: till.md ("Attention", Promises 3 and 5).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from enum import StrEnum

from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import NO_ROOM, PendingReason, Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.monitor import ServerLink, ServerView


class AttentionKind(StrEnum):
    """The reason why a sale is shown, which says what will happen or what a person can do."""

    DECIDE = "decide"
    """The server can't find out: a person answers whether the receipt exists."""
    LOOKED_UP = "looked_up"
    """The sale is in doubt; till and server go on looking for it."""
    HALF_SIGNED = "half_signed"
    """The first receipt of a pair is signed; the server sends the second one as soon as it can."""
    CORRECT_OR_DROP = "correct_or_drop"
    """The sale was refused as it is."""
    HELP_PROCESSOR = "help_processor"
    """The processor needs a person (PIN, card, limit, certificate); afterwards the sale goes on."""
    FREE_DISK = "free_disk"
    """The server's disk is nearly full. Once a person has freed room the sale goes on by itself."""
    REFUND = "refund"
    """The sale was signed although it had been dropped; its receipt stands until it is refunded."""
    UNREADABLE = "unreadable"
    """The sale is signed, but the server can't read its copy, so no paper can be made here."""
    SENT = "sent"
    """The sale is being sent, or is sent next."""
    WAITS_FOR_SERVER = "waits_for_server"
    WAITS_FOR_PROCESSOR = "waits_for_processor"
    WAITS_BEHIND = "waits_behind"
    CANCELLED_SOON = "cancelled_soon"
    """The sale was dropped; the till awaits the server's answer."""


@dataclass(frozen=True, slots=True)
class AttentionItem:
    sale: Sale
    kind: AttentionKind


_CURABLE = frozenset(
    {
        ProcessorState.PIN,
        ProcessorState.CARD,
        ProcessorState.ELEMENT,
        ProcessorState.LIMIT,
        ProcessorState.NOT_CONFIGURED,
        ProcessorState.CERTIFICATE,
    }
)


def attention(
    waiting: Sequence[Sale],
    *,
    server: ServerView,
    done_to_be_seen: Iterable[Sale] = (),
    young_doubts: Container[str] = (),
) -> tuple[AttentionItem, ...]:
    """Finds why each sale is shown: first those to be seen, then the unfinished ones by sequence.

    young_doubts: keys of sales that are still shown as being sent.
    """
    items = [AttentionItem(sale, _of_done(sale)) for sale in done_to_be_seen]
    head_seen = False
    for sale in waiting:
        kind = _next(sale, server, behind=head_seen)
        still_sent = kind is AttentionKind.LOOKED_UP and sale.key in young_doubts
        items.append(AttentionItem(sale, AttentionKind.SENT if still_sent else kind))
        head_seen = head_seen or sale.state in {SaleState.FROZEN, SaleState.SENDING}
    return tuple(items)


def _of_done(sale: Sale) -> AttentionKind:
    return AttentionKind.REFUND if sale.cancel_reason else AttentionKind.UNREADABLE


def _next(sale: Sale, server: ServerView, *, behind: bool) -> AttentionKind:
    match sale.state:
        case SaleState.REFUSED:
            return (
                AttentionKind.CANCELLED_SOON
                if sale.cancel_reason
                else AttentionKind.CORRECT_OR_DROP
            )
        case SaleState.CANCELLING:
            return AttentionKind.CANCELLED_SOON
        case SaleState.DOUBT if sale.is_half_done:
            return AttentionKind.HALF_SIGNED
        case SaleState.DOUBT:
            return _next_of_doubt(sale.reason)
        case SaleState.SENDING:
            return AttentionKind.SENT
        case _ if sale.cancel_reason:
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
