"""Which guided answer a case has."""

from __future__ import annotations

from pos_app.cashier.attention.acknowledge_guide import AcknowledgeGuide
from pos_app.cashier.attention.case_texts import refusal_words
from pos_app.cashier.attention.drawer_guide import DrawerGuide
from pos_app.cashier.attention.incomplete_articles import CompletingList
from pos_app.cashier.attention.job_guide import JobGuide
from pos_app.cashier.attention.pair_guide import PairGuide
from pos_app.cashier.attention.refusal_details import refusal_of
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.attention.steps import (
    DoubtGuide,
    Guide,
    OneAct,
    RefusedGuide,
    WaitingGuide,
)
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.theme import Theme
from pos_app.selling.attention import DOUBTS, AttentionKind
from pos_app.selling.sale_state import SaleState

DROPPABLE = frozenset(
    {
        AttentionKind.HELP_PROCESSOR,
        AttentionKind.FREE_DISK,
        AttentionKind.WAITS_FOR_SERVER,
        AttentionKind.WAITS_FOR_PROCESSOR,
        AttentionKind.WAITS_BEHIND,
    }
)


def guide_for(row: Row, theme: Theme, texts: Texts) -> Guide | None:
    """The steps of a case; None where nothing can be done, and nothing need be."""
    if row.what in DOUBTS:
        can_scan = row.receipt_id is not None
        return DoubtGuide(theme, texts, can_scan=can_scan, is_ours=row.sale is not None)
    if row.what is AttentionKind.CORRECT_OR_DROP:
        reason = row.sale.reason if row.sale else None
        told = refusal_of(reason)
        return RefusedGuide(theme, texts, said=refusal_words(told, texts), server_said=told.text)
    if row.what is AttentionKind.TAKE_BACK:
        return OneAct(theme, texts, title="att.step.correct", key="att.take_back", icon="undo-2")
    if row.what in {AttentionKind.REFUND, AttentionKind.UNREADABLE, AttentionKind.CARTS_SET_ASIDE}:
        return OneAct(theme, texts, title=f"att.ask.{row.what}", key="att.seen", icon="check")
    if row.what is AttentionKind.SERVER_FAILS:
        said = texts("att.step.server_words")
        return OneAct(theme, texts, title="att.step.server", key="att.start_server",
                      icon="refresh-cw", said=said)  # fmt: skip
    if row.what is AttentionKind.HALF_DONE:
        pair = row.doubt.pair if row.doubt else None
        return PairGuide(theme, texts, pair) if pair is not None else None
    if (guide := _told_by_server(row, theme, texts)) is not None:
        return guide
    frozen = row.sale is not None and row.sale.state is SaleState.FROZEN
    return WaitingGuide(theme, texts) if row.what in DROPPABLE and frozen else None


def _told_by_server(row: Row, theme: Theme, texts: Texts) -> Guide | None:
    """What a manager answers, what was not printed or sent, and what is to be completed."""
    if row.alarm is not None:
        return AcknowledgeGuide(theme, texts)
    if row.restored is not None:
        return AcknowledgeGuide(theme, texts, title="att.step.restored", note="att.restored_note",
                         key="att.close_restored")  # fmt: skip
    if row.offered is not None:
        return AcknowledgeGuide(theme, texts, title="att.step.new_element",
                         note="att.new_element_note",
                         key="att.accept_element")  # fmt: skip
    if row.drawer is not None:
        return DrawerGuide(theme, texts)
    if row.what is AttentionKind.DELIVERY_REPEATED:
        return None
    if row.job is not None:
        return JobGuide(theme, texts, row.job)
    if row.to_complete:
        return CompletingList(theme, texts, row.to_complete)
    return None
