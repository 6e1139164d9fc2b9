"""What an answer of the server means for a sale: one table an act, by class alone.

Source: exactly-once.md ("Answers have a class"); architecture.md, rules 4 and 11.
"""

from __future__ import annotations

from dataclasses import dataclass

from pos_app.domain.states import AnswerClass
from pos_app.selling.answers import (
    Absent,
    CancelAnswer,
    Cancelled,
    Declined,
    IssueAnswer,
    Issued,
    IssuedUnreadable,
    LookUpAnswer,
    NotCancelled,
    NotTold,
    StillOpen,
    Unclear,
    Undelivered,
)
from pos_app.selling.life import SaleState
from pos_app.selling.sale import Reason, ReceiptFacts

_S = SaleState


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a sale goes; `state` None leaves it where it is.

    again: it is tried again by itself, after a pause. distrust: the server must prove anew.
    """

    state: SaleState | None
    reason: Reason | None = None
    receipt: ReceiptFacts | None = None
    receipt_id: str | None = None
    again: bool = False
    distrust: bool = False


_BY_CLASS = {
    AnswerClass.FIX: _S.REFUSED,
    AnswerClass.CURE: _S.FROZEN,
    AnswerClass.WAIT: _S.FROZEN,
    AnswerClass.UNKNOWN: _S.DOUBT,
}


def after_sending(answer: IssueAnswer) -> Verdict:
    """From SENDING: done, refused, again later, or in doubt."""
    match answer:
        case Issued(receipt_id, receipt):
            return Verdict(_S.DONE, receipt=ReceiptFacts.of(receipt_id, receipt))
        case IssuedUnreadable(receipt_id, number):
            return _done_unread(receipt_id, number)
        case Declined(reason):
            state = _BY_CLASS[reason.answer_class]
            return Verdict(state, reason, again=state is _S.FROZEN)
        case Undelivered(reason):
            return Verdict(_S.FROZEN, reason, again=True, distrust=True)
        case Unclear(reason, receipt_id):
            return Verdict(_S.DOUBT, reason, receipt_id=receipt_id, distrust=True)


def after_looking_up(answer: LookUpAnswer, *, before_restore: Reason | None) -> Verdict:
    """From DOUBT. before_restore: why a look-up that finds nothing does not prove absence.

    What was tried before the server's journal was restored is never sent again without a person.
    """
    match answer:
        case Issued(receipt_id, receipt):
            return Verdict(_S.DONE, receipt=ReceiptFacts.of(receipt_id, receipt))
        case IssuedUnreadable(receipt_id, number):
            return _done_unread(receipt_id, number)
        case StillOpen(receipt_id, state):
            reason = before_restore or Reason(AnswerClass.UNKNOWN, state)
            return Verdict(None, reason, receipt_id=receipt_id, again=True)
        case Absent() if before_restore:
            return Verdict(None, before_restore, again=True)
        case Absent():
            return Verdict(_S.FROZEN, Reason(AnswerClass.WAIT, "absent", "not issued"), again=True)
        case NotTold(reason):
            return Verdict(None, before_restore or reason, again=True, distrust=True)


def _done_unread(receipt_id: str, number: str) -> Verdict:
    """An issued receipt is never denied: its number ends the sale though all else is lost (I2)."""
    return Verdict(_S.DONE, receipt=ReceiptFacts(receipt_id, number, None))


def after_cancelling(answer: CancelAnswer) -> Verdict:
    """From CANCELLING: only the server's word ends it."""
    match answer:
        case Cancelled():
            return Verdict(_S.CANCELLED)
        case NotCancelled(state):
            return Verdict(_S.DOUBT, Reason(AnswerClass.UNKNOWN, state))
        case NotTold(reason):
            return Verdict(None, reason, again=True, distrust=True)
