"""The legal lifecycle of a receipt: each stage allows some operations.

Source: fiscal.md 6.2 to 6.6; exactly-once.md step 9 (a half-done pair blocks other operations).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import WhyNot
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.receipt.states import AnswerClass
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt
from pos_app.fiscalization.refusals import HALF_DONE, NotSigned, WrongReceipt
from pos_app.lazy_dataclass import dataclass


class LifecycleStage(StrEnum):
    """The stage of a receipt, or of its advance chain."""

    OPEN = "open"
    CLOSED = "closed"
    """An advance whose closing is signed."""
    REFUNDED = "refunded"
    """The whole receipt is refunded."""
    REVERSAL = "reversal"
    """A sale that undoes a refund, and sold nothing."""
    ELSEWHERE = "elsewhere"
    """A refund of an advance that began in another journal, or the reversal of such a refund."""


_SALE, _REFUND = TransactionType.SALE, TransactionType.REFUND


_ALLOWED = None
_ByStage = Mapping[LifecycleStage, WhyNot | None]

_COPIED: _ByStage = dict.fromkeys(LifecycleStage, _ALLOWED)
_NEVER_ADVANCED: Mapping[Operation, _ByStage] = {
    Operation.ADVANCE: dict.fromkeys(LifecycleStage, WhyNot.NOT_AN_ADVANCE),
    Operation.CLOSE: dict.fromkeys(LifecycleStage, WhyNot.NOT_AN_ADVANCE),
}
_WHILE_OPEN: _ByStage = {
    **dict.fromkeys(LifecycleStage, _ALLOWED),
    LifecycleStage.CLOSED: WhyNot.CLOSED,
    LifecycleStage.REFUNDED: WhyNot.REFUNDED,
    LifecycleStage.ELSEWHERE: WhyNot.ELSEWHERE,
}
_SOLD: Mapping[Operation, _ByStage] = {
    **_NEVER_ADVANCED,
    Operation.COPY: _COPIED,
    Operation.REFUND: {
        **dict.fromkeys(LifecycleStage, _ALLOWED),
        LifecycleStage.REFUNDED: WhyNot.REFUNDED,
        LifecycleStage.REVERSAL: WhyNot.IS_REVERSAL,
    },
}
_GIVEN_BACK: Mapping[Operation, _ByStage] = {
    **_NEVER_ADVANCED,
    Operation.COPY: _COPIED,
    Operation.REFUND: dict.fromkeys(LifecycleStage, WhyNot.IS_REFUND),
}
_COPY: Mapping[Operation, _ByStage] = {
    operation: dict.fromkeys(LifecycleStage, WhyNot.IS_COPY)
    for operation in (Operation.COPY, Operation.REFUND)
}

WHY_NOT_ALLOWED: Mapping[ReceiptKind, Mapping[Operation, _ByStage]] = {
    ReceiptKind(InvoiceType.NORMAL, _SALE): _SOLD,
    ReceiptKind(InvoiceType.NORMAL, _REFUND): _GIVEN_BACK,
    ReceiptKind(InvoiceType.PROFORMA, _SALE): _SOLD,
    ReceiptKind(InvoiceType.PROFORMA, _REFUND): _GIVEN_BACK,
    ReceiptKind(InvoiceType.TRAINING, _SALE): _SOLD,
    ReceiptKind(InvoiceType.TRAINING, _REFUND): _GIVEN_BACK,
    ReceiptKind(InvoiceType.COPY, _SALE): _COPY,
    ReceiptKind(InvoiceType.COPY, _REFUND): _COPY,
    ReceiptKind(InvoiceType.ADVANCE, _SALE): {
        **dict.fromkeys((Operation.ADVANCE, Operation.CLOSE), _WHILE_OPEN),
        Operation.COPY: _COPIED,
        Operation.REFUND: {
            **dict.fromkeys(LifecycleStage, _ALLOWED),
            LifecycleStage.CLOSED: WhyNot.CLOSED_ADVANCE,
            LifecycleStage.REFUNDED: WhyNot.REFUNDED,
            LifecycleStage.ELSEWHERE: WhyNot.ELSEWHERE,
        },
    },
    ReceiptKind(InvoiceType.ADVANCE, _REFUND): {
        # any receipt of an advance names its chain
        **dict.fromkeys((Operation.ADVANCE, Operation.CLOSE), _WHILE_OPEN),
        Operation.COPY: _COPIED,
        Operation.REFUND: dict.fromkeys(LifecycleStage, WhyNot.IS_REFUND),
    },
}
"""Kind of receipt -> operation -> stage -> why not, or None where it is allowed.

For a payment on an advance, and for its closing, a copy counts as its original.
"""
_MEANS_ITS_CHAIN = frozenset({Operation.ADVANCE, Operation.CLOSE})
"""Any receipt of a chain may be given, copies too (platform-contract.md 2.18)."""


def lifecycle_stage_of(receipt: ChainReceipt, chain: Chain) -> LifecycleStage:
    """The stage of a receipt, or for an advance the stage of its chain, by signed receipts only."""
    invoice_type, transaction = receipt.kind
    if invoice_type is InvoiceType.ADVANCE:
        return _stage_of_advance(chain)
    if receipt.planned.is_reversal:
        return LifecycleStage.REVERSAL
    if transaction is TransactionType.SALE and not chain.rest_of(receipt, firmly=True):
        return LifecycleStage.REFUNDED
    return LifecycleStage.OPEN


def _stage_of_advance(chain: Chain) -> LifecycleStage:
    if not chain.began_here:
        return LifecycleStage.ELSEWHERE
    if len(chain.closing) > 1:
        return LifecycleStage.CLOSED
    return LifecycleStage.OPEN if chain.paid_in_advance else LifecycleStage.REFUNDED


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The reason why an operation is not allowed now. receipts: the receipts that cause it."""

    why: WhyNot
    receipts: tuple[ChainReceipt, ...] = ()


def obstacle(operation: Operation, receipt: ChainReceipt, chain: Chain) -> Obstacle | None:
    """The obstacle to an operation on a receipt, or None where it is allowed."""
    if operation in _MEANS_ITS_CHAIN:
        receipt = chain.meant_by(receipt)
    answers = WHY_NOT_ALLOWED[receipt.kind][operation]
    changes_it = operation is not Operation.COPY
    if (lost := _lost(receipt, chain if changes_it else Chain(()))) is not None:
        return lost
    if changes_it and chain.half_done and answers[LifecycleStage.OPEN] is _ALLOWED:
        return Obstacle(WhyNot.HALF_DONE, chain.half_done)
    if (why := answers[lifecycle_stage_of(receipt, chain)]) is not None:
        return Obstacle(why, _closing(chain, why))
    if changes_it and receipt.kind[0] is InvoiceType.ADVANCE and chain.under_way:
        return Obstacle(WhyNot.UNDER_WAY)
    return None


def _lost(receipt: ChainReceipt, chain: Chain) -> Obstacle | None:
    """The obstacle of lost lines. Nothing can be planned for a receipt whose lines the journal
    lacks, nor for the receipts of its chain, because what is left of them is unknown."""
    lost = [link for link in (receipt, *chain.links) if not link.planned.document.is_known]
    if any(link.is_signed for link in lost):
        return Obstacle(WhyNot.LOST)
    return Obstacle(WhyNot.UNDER_WAY) if any(link.holds for link in lost) else None


def check_allowed(operation: Operation, receipt: ChainReceipt, chain: Chain) -> None:
    """Raises WrongReceipt if the table refuses the operation, NotSigned (wait) while another one is
    under way."""
    match obstacle(operation, receipt, chain):
        case None:
            return
        case Obstacle(WhyNot.HALF_DONE, signed):
            raise NotSigned(
                "half_done_pair",
                answer_class=AnswerClass.WAIT,
                reason=HALF_DONE,
                numbers=_numbers(signed),
            )
        case Obstacle(WhyNot.UNDER_WAY):
            raise NotSigned("under_way", answer_class=AnswerClass.WAIT)
        case Obstacle(why, closing):
            ended_by = f" ({_numbers(closing)})" if closing else ""
            raise WrongReceipt(why.value, number=_numbers((receipt,)), ended_by=ended_by)


def _closing(chain: Chain, why: WhyNot) -> tuple[ChainReceipt, ...]:
    """The receipts of the closing that ended an advance, for the error. If the closing's sale is to
    be refunded instead, only that sale."""
    if why is WhyNot.CLOSED_ADVANCE:
        return tuple(link for link in chain.closing if link.kind[1] is TransactionType.SALE)
    return chain.closing if why is WhyNot.CLOSED else ()


def _numbers(links: Iterable[ChainReceipt]) -> str:
    return ", ".join(link.receipt.invoice_number for link in links if link.receipt is not None)
