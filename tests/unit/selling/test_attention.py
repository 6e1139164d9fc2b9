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

S, K, P = SaleState, AttentionKind, ProcessorState
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
        (sale(S.REFUSED, PendingReason(AnswerClass.FIX, "40090001")), view(), K.CORRECT_OR_DROP),
        (sale(S.REFUSED, cancel_reason="одустао"), view(), K.CANCELLED_SOON),
        (sale(S.CANCELLING), view(), K.CANCELLED_SOON),
        (sale(S.FROZEN, cancel_reason="одустао"), view(), K.CANCELLED_SOON),
        (sale(S.DOUBT, unknown("unknown")), view(), K.LOOKED_UP),
        (sale(S.DOUBT, unknown(INTERRUPTED)), view(), K.LOOKED_UP),
        (sale(S.DOUBT, unknown("needs_human")), view(), K.DECIDE),
        (sale(S.DOUBT, unknown(JOURNAL_RESTORED)), view(), K.LOOKED_UP),
        (sale(S.SENDING), view(), K.SENT),
        (sale(S.FROZEN), view(), K.SENT),
        (sale(S.FROZEN), ServerView(), K.WAITS_FOR_SERVER),
        (sale(S.FROZEN), view(link=ServerLink.AWAY), K.WAITS_FOR_SERVER),
        (sale(S.FROZEN), view(link=ServerLink.STRANGER), K.WAITS_FOR_SERVER),
        (sale(S.FROZEN), view(P.AWAY), K.WAITS_FOR_PROCESSOR),
        (sale(S.FROZEN, WAIT), view(P.AWAY), K.WAITS_FOR_PROCESSOR),
        (sale(S.FROZEN, WAIT), view(P.DOUBT), K.WAITS_FOR_PROCESSOR),
        (sale(S.FROZEN, WAIT), view(), K.WAITS_FOR_PROCESSOR),
        (sale(S.FROZEN, CURE), view(), K.HELP_PROCESSOR),
        (sale(S.FROZEN, FULL), view(), K.FREE_DISK),
        (sale(S.FROZEN), view(P.DISK), K.FREE_DISK),
        (sale(S.FROZEN, FULL), view(P.PIN), K.HELP_PROCESSOR),
        (sale(S.FROZEN), view(P.PIN), K.HELP_PROCESSOR),
        (sale(S.FROZEN, WAIT), view(P.CARD), K.HELP_PROCESSOR),
        (sale(S.FROZEN), view(P.NOT_CONFIGURED), K.HELP_PROCESSOR),
    ],
)
def test_what_will_happen(waiting: Sale, server: ServerView, kind: AttentionKind) -> None:
    assert attention([waiting], server=server) == (AttentionItem(waiting, kind),)


def test_a_young_doubt_is_still_being_sent_and_later_sales_wait_behind_the_first() -> None:
    for code, what in (
        ("unknown", K.SENT),
        (INTERRUPTED, K.SENT),
        ("needs_human", K.DECIDE),
        (JOURNAL_RESTORED, K.SENT),
    ):
        young = sale(S.DOUBT, unknown(code))
        (item,) = attention([young], server=view(), young_doubts={young.key})
        assert item.kind == what, code
    doubt, frozen = sale(S.DOUBT, unknown("unknown")), sale(S.FROZEN)
    waiting = [sale(S.REFUSED), doubt, sale(S.FROZEN, WAIT), frozen, frozen]
    told = [item.kind for item in attention(waiting, server=view(P.AWAY))]
    first = [K.CORRECT_OR_DROP, K.LOOKED_UP, K.WAITS_FOR_PROCESSOR]
    assert told == [*first, K.WAITS_BEHIND, K.WAITS_BEHIND]


@each(
    ("done", "kinds"),
    [
        ([], []),
        ([sale(S.DONE, receipt=ReceiptFacts("r-1", "ABCD1234-ABCD1234-1", None))], [K.UNREADABLE]),
        ([sale(S.DONE, cancel_reason="x")], [K.REFUND]),  # signed though it was dropped
    ],
)
def test_what_is_done_and_to_be_seen(done: list[Sale], kinds: list[AttentionKind]) -> None:
    told = attention([], server=view(), done_to_be_seen=done)
    assert [item.kind for item in told] == kinds
