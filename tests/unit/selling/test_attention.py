"""Waiting sales, doubts, and coming events."""

from __future__ import annotations

from dataclasses import replace

from pos_app.domain.receipt.server_status import ProcessorState, ProcessorStatus, ServerStatus
from pos_app.domain.receipt.states import AnswerClass
from pos_app.selling.attention.unfinished_sales import AttentionItem, AttentionKind, attention
from pos_app.selling.sale.sale import (
    INTERRUPTED,
    JOURNAL_RESTORED,
    NO_ROOM,
    PendingReason,
    ReceiptFacts,
    Sale,
)
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.monitor import ServerLink, ServerView
from tests.fakes.counter import Counter
from tests.sweep import each

_S = SaleState
WAIT = PendingReason(AnswerClass.WAIT, "40010001")
FULL = PendingReason(AnswerClass.CURE, NO_ROOM, "The disk is nearly full.")
CURE = PendingReason(AnswerClass.CURE, "40011500", pfr_code="1500")


def sale(state: SaleState, reason: PendingReason | None = None, **more: object) -> Sale:
    return replace(Counter().sell(), state=state, reason=reason, **more)  # type: ignore[arg-type]


def view(
    state: ProcessorState = ProcessorState.READY, link: ServerLink = ServerLink.OURS
) -> ServerView:
    processor = ProcessorStatus("lpfr", state, "", "", None, None)
    return ServerView(link=link, status=ServerStatus(processor, (), (), not_fiscal=False))


def unknown(code: str) -> PendingReason:
    return PendingReason(AnswerClass.UNKNOWN, code)


@each(
    ("waiting", "server", "kind"),
    [
        (sale(_S.REFUSED, PendingReason(AnswerClass.FIX, "40090001")), view(),
         AttentionKind.CORRECT_OR_DROP),
        (sale(_S.REFUSED, cancel_reason="одустао"), view(), AttentionKind.CANCELLED_SOON),
        (sale(_S.CANCELLING), view(), AttentionKind.CANCELLED_SOON),
        (sale(_S.FROZEN, cancel_reason="одустао"), view(), AttentionKind.CANCELLED_SOON),
        (sale(_S.DOUBT, unknown("unknown")), view(), AttentionKind.LOOKED_UP),
        (sale(_S.DOUBT, unknown(INTERRUPTED)), view(), AttentionKind.LOOKED_UP),
        (sale(_S.DOUBT, unknown("needs_human")), view(), AttentionKind.DECIDE),
        (sale(_S.DOUBT, unknown(JOURNAL_RESTORED)), view(), AttentionKind.LOOKED_UP),
        (sale(_S.SENDING), view(), AttentionKind.SENT),
        (sale(_S.FROZEN), view(), AttentionKind.SENT),
        (sale(_S.FROZEN), ServerView(), AttentionKind.WAITS_FOR_SERVER),
        (sale(_S.FROZEN), view(link=ServerLink.AWAY), AttentionKind.WAITS_FOR_SERVER),
        (sale(_S.FROZEN), view(link=ServerLink.STRANGER), AttentionKind.WAITS_FOR_SERVER),
        (sale(_S.FROZEN), view(ProcessorState.AWAY), AttentionKind.WAITS_FOR_PROCESSOR),
        (sale(_S.FROZEN, WAIT), view(ProcessorState.AWAY), AttentionKind.WAITS_FOR_PROCESSOR),
        (sale(_S.FROZEN, WAIT), view(ProcessorState.DOUBT), AttentionKind.WAITS_FOR_PROCESSOR),
        (sale(_S.FROZEN, WAIT), view(), AttentionKind.WAITS_FOR_PROCESSOR),
        (sale(_S.FROZEN, CURE), view(), AttentionKind.HELP_PROCESSOR),
        (sale(_S.FROZEN, FULL), view(), AttentionKind.FREE_DISK),
        (sale(_S.FROZEN), view(ProcessorState.DISK), AttentionKind.FREE_DISK),
        (sale(_S.FROZEN, FULL), view(ProcessorState.PIN), AttentionKind.HELP_PROCESSOR),
        (sale(_S.FROZEN), view(ProcessorState.PIN), AttentionKind.HELP_PROCESSOR),
        (sale(_S.FROZEN, WAIT), view(ProcessorState.CARD), AttentionKind.HELP_PROCESSOR),
        (sale(_S.FROZEN), view(ProcessorState.NOT_CONFIGURED), AttentionKind.HELP_PROCESSOR),
    ],
)  # fmt: skip
def test_what_will_happen(waiting: Sale, server: ServerView, kind: AttentionKind) -> None:
    assert attention([waiting], server=server) == (AttentionItem(waiting, kind),)


@each(
    ("code", "what"),
    [
        ("unknown", AttentionKind.SENT),
        (INTERRUPTED, AttentionKind.SENT),
        ("needs_human", AttentionKind.DECIDE),
        (JOURNAL_RESTORED, AttentionKind.SENT),
    ],
)
def test_a_young_doubt_is_still_being_sent(code: str, what: AttentionKind) -> None:
    waiting = sale(_S.DOUBT, unknown(code))
    told = attention([waiting], server=view(), young_doubts={waiting.key})
    assert [item.kind for item in told] == [what]


def test_later_sales_wait_behind_the_first() -> None:
    told = attention(
        [
            sale(_S.REFUSED),
            sale(_S.DOUBT, unknown("unknown")),
            sale(_S.FROZEN, WAIT),
            sale(_S.FROZEN),
            sale(_S.FROZEN),
        ],
        server=view(ProcessorState.AWAY),
    )
    assert [item.kind for item in told] == [
        AttentionKind.CORRECT_OR_DROP,
        AttentionKind.LOOKED_UP,
        AttentionKind.WAITS_FOR_PROCESSOR,
        AttentionKind.WAITS_BEHIND,
        AttentionKind.WAITS_BEHIND,
    ]


def test_what_the_server_can_t_read_any_more_is_to_be_seen() -> None:
    unread = ReceiptFacts("receipt-1", "ABCD1234-ABCD1234-1", None)
    told = attention([], server=view(), done_to_be_seen=[sale(_S.DONE, receipt=unread)])
    assert [item.kind for item in told] == [AttentionKind.UNREADABLE]


def test_what_was_signed_though_dropped_needs_a_refund() -> None:
    told = attention([], server=view(), done_to_be_seen=[sale(_S.DONE, cancel_reason="x")])
    assert [item.kind for item in told] == [AttentionKind.REFUND]


def test_empty_is_the_normal_state() -> None:
    assert attention([], server=view()) == ()
