"""The effect of a server's answer on a sale: one table for each act, by class only.

Source: exactly-once.md ("Answers have a class"); architecture.md, rules 4 and 11.
"""

from __future__ import annotations

from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.states import REVERSED, AnswerClass, RequestState
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale import sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server import answers

_S = SaleState
RESTORED = "restored"
"""The server's answer after its journal was restored: it neither knows the key nor can deny it."""
_NOT_COMPARED = "not_compared"
"""The server's answer before it has compared its journal with the processor: the server can't deny
the key yet, and will answer later."""
_UNHEARD = sale.PendingReason(AnswerClass.UNKNOWN, sale.JOURNAL_RESTORED, "tried before a restore")
_NOT_KEPT_YET = frozenset({sale.JOURNAL_RESTORED, sale.JOURNAL_BEHIND})
_UNDER_PROOF = frozenset({sale.JOURNAL_BEHIND, sale.PROVING})


@dataclass(frozen=True, slots=True)
class AnswerEffect:
    """The next state of a sale; a state of None changes nothing.

    again: the sale is tried again after a pause. distrust: the server must prove itself again.
    """

    state: SaleState | None
    reason: sale.PendingReason | None = None
    receipt: sale.ReceiptFacts | None = None
    receipt_id: str | None = None
    again: bool = False
    distrust: bool = False


_BY_CLASS = {
    AnswerClass.FIX: _S.REFUSED,
    AnswerClass.CURE: _S.FROZEN,
    AnswerClass.WAIT: _S.FROZEN,
    AnswerClass.UNKNOWN: _S.DOUBT,
}


def after_sending(
    answer: answers.IssueAnswer, operation: Operation = Operation.ISSUE
) -> AnswerEffect:
    """The effect on a SENDING sale: done, refused, again later, or in doubt."""
    match answer:
        case answers.Issued() | answers.IssuedUnreadable():
            return _done(answer, operation)
        case answers.RefusedByServer(reason):
            state = _BY_CLASS[reason.answer_class]
            return AnswerEffect(state, reason, again=state is _S.FROZEN)
        case answers.Undelivered(reason):
            return AnswerEffect(_S.FROZEN, reason, again=True, distrust=True)
        case answers.Unclear(reason, receipt_id):
            return AnswerEffect(_S.DOUBT, reason, receipt_id=receipt_id, distrust=True)


def is_to_be_reported(answer: answers.LookUpAnswer, reason: sale.PendingReason | None) -> bool:
    """Whether the doubt is reported to the server, which then settles it. That is so if the
    server's journal can't deny the sale, if the till can't trust the denial because a copy was put
    back since the sale was tried, or if the server is proving that the sale was never signed."""
    match answer:
        case answers.StillOpen(_, state):
            is_asked = state == RequestState.NEEDS_HUMAN and may_be_proven(reason)
            return state == RESTORED or is_asked
        case answers.NotIssued():
            return _is_from_before(reason)
    return False


def _is_from_before(reason: sale.PendingReason | None) -> bool:
    """Whether the sale was tried before a restore, and the server has not kept it yet."""
    return reason is not None and reason.code in _NOT_KEPT_YET


def may_be_proven(reason: sale.PendingReason | None) -> bool:
    """Whether only the journal was put back, so that there is no receipt of the sale if the
    processor has none, and nobody has cancelled the sale since."""
    return reason is not None and reason.code in _UNDER_PROOF


def _is_kept(reason: sale.PendingReason | None) -> bool:
    """Whether an answer without news must not replace the reason."""
    return _is_from_before(reason) or may_be_proven(reason)


def after_reporting(
    answer: answers.IssueAnswer,
    reason: sale.PendingReason | None,
    operation: Operation = Operation.ISSUE,
    *,
    is_provable: bool = False,
) -> AnswerEffect:
    """Return the effect of the answer on a DOUBT that was tried before a restore. Such a sale is
    only reported; the server never sends it.

    The sale is reported again until the server has surely kept it, whatever a look-up denies; and
    after that as long as the server is proving that the processor has no receipt of it. reason: why
    the sale is in doubt. is_provable: as in OutgoingSale.
    """
    unheard = reason if _is_kept(reason) else _UNHEARD
    match answer:
        case answers.Issued() | answers.IssuedUnreadable():
            return after_sending(answer, operation)
        case answers.Unclear(unclear_reason, receipt_id) if receipt_id is not None:
            code = sale.PROVING if is_provable else sale.REPORTED
            heard = sale.PendingReason(AnswerClass.UNKNOWN, code, unclear_reason.text)
            return AnswerEffect(None, heard, receipt_id=receipt_id, again=True)
        case answers.RefusedByServer(refusal) if refusal.answer_class is AnswerClass.FIX:
            return AnswerEffect(_S.REFUSED, refusal)  # it would be refused again
        case answers.RefusedByServer():
            return AnswerEffect(None, unheard, again=True)
        case answers.Unclear(_, _, answered):
            return AnswerEffect(None, unheard, again=True, distrust=not answered)
        case answers.Undelivered():
            return AnswerEffect(None, unheard, again=True, distrust=True)


def after_looking_up(
    answer: answers.LookUpAnswer,
    reason: sale.PendingReason | None,
    operation: Operation = Operation.ISSUE,
) -> AnswerEffect:
    """The effect on a DOUBT that is not to be reported. reason: why the sale is in doubt."""
    match answer:
        case answers.Issued() | answers.IssuedUnreadable():
            return _done(answer, operation)
        case answers.StillOpen(receipt_id, state) if state == REVERSED:
            undone = sale.PendingReason(
                AnswerClass.FIX, REVERSED, "what was signed for it is undone"
            )
            return AnswerEffect(_S.REFUSED, undone, receipt_id=receipt_id)
        case answers.StillOpen(receipt_id, state):
            keeps = _is_kept(reason) and state == _NOT_COMPARED
            pending_reason = reason if keeps else sale.PendingReason(AnswerClass.UNKNOWN, state)
            return AnswerEffect(None, pending_reason, receipt_id=receipt_id, again=True)
        case answers.NotIssued():
            return AnswerEffect(
                _S.FROZEN,
                sale.PendingReason(AnswerClass.WAIT, sale.ABSENT, "not issued"),
                again=True,
            )
        case answers.NoAnswer(pending_reason):
            kept = reason if _is_kept(reason) else pending_reason
            return AnswerEffect(None, kept, again=True, distrust=True)


def _done(answer: answers.Issued | answers.IssuedUnreadable, operation: Operation) -> AnswerEffect:
    """An issued receipt is never denied: its number ends the sale even if all else is lost (I2).

    The receipt is the first one signed, or for a closing the last, the sale behind the refund.
    """
    is_last = operation is Operation.CLOSE and bool(answer.further)
    match answer:
        case answers.Issued(receipt_id, receipt, further):
            id_and_receipt = further[-1] if is_last else (receipt_id, receipt)
            return AnswerEffect(_S.DONE, receipt=sale.ReceiptFacts.of(*id_and_receipt))
        case answers.IssuedUnreadable(receipt_id, number, others):
            id_and_number = others[-1] if is_last else (receipt_id, number)
            return AnswerEffect(_S.DONE, receipt=sale.ReceiptFacts(*id_and_number, None))


def after_cancelling(answer: answers.CancelAnswer) -> AnswerEffect:
    """The effect on a CANCELLING sale, which only the server's answer ends."""
    match answer:
        case answers.Cancelled():
            return AnswerEffect(_S.CANCELLED)
        case answers.NotCancelled(state) if state == REVERSED:
            return AnswerEffect(_S.CANCELLED)
        case answers.NotCancelled(state):
            return AnswerEffect(_S.DOUBT, sale.PendingReason(AnswerClass.UNKNOWN, state))
        case answers.RefusedByServer(reason):
            return AnswerEffect(None, reason, again=True)
        case answers.NoAnswer(reason):
            return AnswerEffect(None, reason, again=True, distrust=True)
