"""The effect of a server's answer on a sale: one table for each act, by class only.

Source: exactly-once.md ("Answers have a class"); architecture.md, rules 4 and 11.
"""

from __future__ import annotations

from pos_app.domain.operations import Operation
from pos_app.domain.states import REVERSED, AnswerClass, RequestState
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import (
    ABSENT,
    JOURNAL_BEHIND,
    JOURNAL_RESTORED,
    PROVING,
    REPORTED,
    PendingReason,
    ReceiptFacts,
)
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server.answers import (
    CancelAnswer,
    Cancelled,
    Declined,
    IssueAnswer,
    Issued,
    IssuedUnreadable,
    LookUpAnswer,
    NoAnswer,
    NotCancelled,
    NotIssued,
    StillOpen,
    Unclear,
    Undelivered,
)

_S = SaleState
RESTORED = "restored"
"""The server's answer after its journal was restored: it neither knows the key nor can deny it."""
_NOT_COMPARED = "not_compared"
"""The same before it has compared its journal with the processor; it will answer later."""
_UNHEARD = PendingReason(AnswerClass.UNKNOWN, JOURNAL_RESTORED, "tried before a restore")
_NOT_KEPT_YET = frozenset({JOURNAL_RESTORED, JOURNAL_BEHIND})
_UNDER_PROOF = frozenset({JOURNAL_BEHIND, PROVING})


@dataclass(frozen=True, slots=True)
class AnswerEffect:
    """The next state of a sale; a state of None leaves it as it is.

    again: it is retried after a pause. distrust: the server must prove its identity again.
    """

    state: SaleState | None
    reason: PendingReason | None = None
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


def after_sending(answer: IssueAnswer, operation: Operation = Operation.ISSUE) -> AnswerEffect:
    """The effect on a SENDING sale: done, refused, again later, or in doubt."""
    match answer:
        case Issued() | IssuedUnreadable():
            return _done(answer, operation)
        case Declined(reason):
            state = _BY_CLASS[reason.answer_class]
            return AnswerEffect(state, reason, again=state is _S.FROZEN)
        case Undelivered(reason):
            return AnswerEffect(_S.FROZEN, reason, again=True, distrust=True)
        case Unclear(reason, receipt_id):
            return AnswerEffect(_S.DOUBT, reason, receipt_id=receipt_id, distrust=True)


def is_to_be_reported(answer: LookUpAnswer, reason: PendingReason | None) -> bool:
    """Whether the server is sent a doubt to settle: its journal can't deny it, the till can't trust
    it because a copy was put back since, or the server proves that it was never signed."""
    match answer:
        case StillOpen(_, state):
            is_asked = state == RequestState.NEEDS_HUMAN and may_be_proven(reason)
            return state == RESTORED or is_asked
        case NotIssued():
            return _is_from_before(reason)
    return False


def _is_from_before(reason: PendingReason | None) -> bool:
    """Whether the sale was tried before a restore, and the server has not kept it yet."""
    return reason is not None and reason.code in _NOT_KEPT_YET


def may_be_proven(reason: PendingReason | None) -> bool:
    """Whether the journal alone was put back: if the processor has no receipt of it, there is none,
    and nobody has cancelled it since."""
    return reason is not None and reason.code in _UNDER_PROOF


def _is_kept(reason: PendingReason | None) -> bool:
    """Whether an answer without news must not replace the reason."""
    return _is_from_before(reason) or may_be_proven(reason)


def after_reporting(
    answer: IssueAnswer,
    reason: PendingReason | None,
    operation: Operation = Operation.ISSUE,
    *,
    is_provable: bool = False,
) -> AnswerEffect:
    """The effect on a DOUBT that was tried before a restore: the server never sends it for a
    report.

    Until the server has surely kept it, it is reported again, whatever a look-up denies; and after
    that as long as the server proves that the processor has no receipt of it. reason: why it is in
    doubt. is_provable: as in OutgoingSale.
    """
    unheard = reason if _is_kept(reason) else _UNHEARD
    match answer:
        case Issued() | IssuedUnreadable():
            return after_sending(answer, operation)
        case Unclear(told, receipt_id) if receipt_id is not None:
            code = PROVING if is_provable else REPORTED
            heard = PendingReason(AnswerClass.UNKNOWN, code, told.text)
            return AnswerEffect(None, heard, receipt_id=receipt_id, again=True)
        case Declined(told) if told.answer_class is AnswerClass.FIX:
            return AnswerEffect(_S.REFUSED, told)  # it would be refused again
        case Declined():
            return AnswerEffect(None, unheard, again=True)
        case Unclear(_, _, answered):
            return AnswerEffect(None, unheard, again=True, distrust=not answered)
        case Undelivered():
            return AnswerEffect(None, unheard, again=True, distrust=True)


def after_looking_up(
    answer: LookUpAnswer,
    reason: PendingReason | None,
    operation: Operation = Operation.ISSUE,
) -> AnswerEffect:
    """The effect on a DOUBT that is not to be reported. reason: why it is in doubt."""
    match answer:
        case Issued() | IssuedUnreadable():
            return _done(answer, operation)
        case StillOpen(receipt_id, state) if state == REVERSED:
            undone = PendingReason(AnswerClass.FIX, REVERSED, "what was signed for it is undone")
            return AnswerEffect(_S.REFUSED, undone, receipt_id=receipt_id)
        case StillOpen(receipt_id, state):
            keeps = _is_kept(reason) and state == _NOT_COMPARED
            told = reason if keeps else PendingReason(AnswerClass.UNKNOWN, state)
            return AnswerEffect(None, told, receipt_id=receipt_id, again=True)
        case NotIssued():
            return AnswerEffect(
                _S.FROZEN, PendingReason(AnswerClass.WAIT, ABSENT, "not issued"), again=True
            )
        case NoAnswer(told):
            kept = reason if _is_kept(reason) else told
            return AnswerEffect(None, kept, again=True, distrust=True)


def _done(answer: Issued | IssuedUnreadable, operation: Operation) -> AnswerEffect:
    """An issued receipt is never denied: its number ends the sale even if all else is lost (I2).

    It is the first that was signed, or for a closing the last: the sale behind the refund.
    """
    is_last = operation is Operation.CLOSE and bool(answer.further)
    match answer:
        case Issued(receipt_id, receipt, further):
            told = further[-1] if is_last else (receipt_id, receipt)
            return AnswerEffect(_S.DONE, receipt=ReceiptFacts.of(*told))
        case IssuedUnreadable(receipt_id, number, others):
            named = others[-1] if is_last else (receipt_id, number)
            return AnswerEffect(_S.DONE, receipt=ReceiptFacts(*named, None))


def after_cancelling(answer: CancelAnswer) -> AnswerEffect:
    """The effect on a CANCELLING sale: only the server's answer ends it. Nothing is left of a
    cancelled sale."""
    match answer:
        case Cancelled():
            return AnswerEffect(_S.CANCELLED)
        case NotCancelled(state) if state == REVERSED:
            return AnswerEffect(_S.CANCELLED)
        case NotCancelled(state):
            return AnswerEffect(_S.DOUBT, PendingReason(AnswerClass.UNKNOWN, state))
        case Declined(reason):
            return AnswerEffect(None, reason, again=True)
        case NoAnswer(reason):
            return AnswerEffect(None, reason, again=True, distrust=True)
