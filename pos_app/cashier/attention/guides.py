"""Which guided answer a case has."""

from __future__ import annotations

from pos_app.cashier.attention.completing import CompletingList
from pos_app.cashier.attention.drawer_guide import DrawerGuide
from pos_app.cashier.attention.job_guide import JobGuide
from pos_app.cashier.attention.pair_guide import PairGuide
from pos_app.cashier.attention.refusal import refusal_of
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.attention.say import refusal_words
from pos_app.cashier.attention.seen_guide import SeenGuide
from pos_app.cashier.attention.steps import (
    DoubtGuide,
    Guide,
    OneAct,
    RefusedGuide,
    WaitingGuide,
)
from pos_app.cashier.look.look import Look
from pos_app.cashier.texts import Words
from pos_app.selling.attention import DOUBTS, What
from pos_app.selling.life import SaleState

DROPPABLE = frozenset(
    {
        What.HELP_PROCESSOR,
        What.FREE_DISK,
        What.WAITS_FOR_SERVER,
        What.WAITS_FOR_PROCESSOR,
        What.WAITS_BEHIND,
    }
)


def guide_for(row: Row, look: Look, words: Words) -> Guide | None:
    """The steps of a case; None where nothing can be done, and nothing need be."""
    if row.what in DOUBTS:
        can_scan = row.receipt_id is not None
        return DoubtGuide(look, words, can_scan=can_scan, is_ours=row.sale is not None)
    if row.what is What.CORRECT_OR_DROP:
        reason = row.sale.reason if row.sale else None
        told = refusal_of(reason)
        return RefusedGuide(look, words, said=refusal_words(told, words), server_said=told.text)
    if row.what is What.TAKE_BACK:
        return OneAct(look, words, title="att.step.correct", key="att.take_back", icon="undo-2")
    if row.what in {What.REFUND, What.UNREADABLE, What.CARTS_SET_ASIDE}:
        return OneAct(look, words, title=f"att.ask.{row.what}", key="att.seen", icon="check")
    if row.what is What.SERVER_FAILS:
        said = words("att.step.server_words")
        return OneAct(look, words, title="att.step.server", key="att.start_server",
                      icon="refresh-cw", said=said)  # fmt: skip
    if row.what is What.HALF_DONE:
        pair = row.doubt.pair if row.doubt else None
        return PairGuide(look, words, pair) if pair is not None else None
    if (guide := _told_by_server(row, look, words)) is not None:
        return guide
    frozen = row.sale is not None and row.sale.state is SaleState.FROZEN
    return WaitingGuide(look, words) if row.what in DROPPABLE and frozen else None


def _told_by_server(row: Row, look: Look, words: Words) -> Guide | None:
    """What a manager answers, what was not printed or sent, and what is to be completed."""
    if row.alarm is not None:
        return SeenGuide(look, words)
    if row.restored is not None:
        return SeenGuide(look, words, title="att.step.restored", note="att.restored_note",
                         key="att.close_restored")  # fmt: skip
    if row.offered is not None:
        return SeenGuide(look, words, title="att.step.new_element", note="att.new_element_note",
                         key="att.accept_element")  # fmt: skip
    if row.drawer is not None:
        return DrawerGuide(look, words)
    if row.what is What.DELIVERY_REPEATED:
        return None
    if row.job is not None:
        return JobGuide(look, words, row.job)
    if row.to_complete:
        return CompletingList(look, words, row.to_complete)
    return None
