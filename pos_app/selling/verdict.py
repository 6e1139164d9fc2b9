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
from pos_app.selling.sale import JOURNAL_RESTORED, REPORTED, Reason, ReceiptFacts

_S = SaleState
RESTORED = "restored"
"""The server's word for what its journal, which was put back, does not know and can't deny."""
_NOT_COMPARED = "not_compared"
"""Its word for the same while it has not compared its journal with the processor: it will tell."""
_UNHEARD = Reason(AnswerClass.UNKNOWN, JOURNAL_RESTORED, "tried before a restore")


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


def is_to_be_reported(answer: LookUpAnswer, reason: Reason | None) -> bool:
    """Whether the server is to be told of a doubt: its journal can't deny it, or the till can't
    take its word because a copy was put back since."""
    match answer:
        case StillOpen(_, state):
            return state == RESTORED
        case Absent():
            return _is_from_before(reason)
    return False


def _is_from_before(reason: Reason | None) -> bool:
    """Whether it was tried before a restore, and the server has not kept it yet."""
    return reason is not None and reason.code == JOURNAL_RESTORED


def after_reporting(answer: IssueAnswer) -> Verdict:
    """From DOUBT, of what was tried before a restore: the server never sends it for that.

    Until the server has surely kept it, it is reported again, whatever a look-up denies.
    """
    match answer:
        case Issued() | IssuedUnreadable():
            return after_sending(answer)
        case Unclear(told, receipt_id) if receipt_id is not None:
            heard = Reason(AnswerClass.UNKNOWN, REPORTED, told.text)
            return Verdict(None, heard, receipt_id=receipt_id, again=True)
        case Declined(told) if told.answer_class is AnswerClass.FIX:
            return Verdict(_S.REFUSED, told)  # what was refused would be refused again
        case Declined():
            return Verdict(None, _UNHEARD, again=True)
        case Unclear(_, _, answered):
            return Verdict(None, _UNHEARD, again=True, distrust=not answered)
        case Undelivered():
            return Verdict(None, _UNHEARD, again=True, distrust=True)


def after_looking_up(answer: LookUpAnswer, reason: Reason | None) -> Verdict:
    """From DOUBT, unless it is to be reported. reason: why it is in doubt."""
    match answer:
        case Issued(receipt_id, receipt):
            return Verdict(_S.DONE, receipt=ReceiptFacts.of(receipt_id, receipt))
        case IssuedUnreadable(receipt_id, number):
            return _done_unread(receipt_id, number)
        case StillOpen(receipt_id, state):
            keeps = _is_from_before(reason) and state == _NOT_COMPARED
            told = reason if keeps else Reason(AnswerClass.UNKNOWN, state)
            return Verdict(None, told, receipt_id=receipt_id, again=True)
        case Absent():
            return Verdict(_S.FROZEN, Reason(AnswerClass.WAIT, "absent", "not issued"), again=True)
        case NotTold(told):
            kept = reason if _is_from_before(reason) else told
            return Verdict(None, kept, again=True, distrust=True)


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
        case Declined(reason):
            return Verdict(None, reason, again=True)
        case NotTold(reason):
            return Verdict(None, reason, again=True, distrust=True)
