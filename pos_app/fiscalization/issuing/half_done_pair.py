"""The three remedies for a half-done pair: its first receipt is signed, the second was refused.

The second receipt is sent again as it was planned, sent corrected, or replaced by one that undoes
the first. Each remedy is committed as a new attempt of the second receipt, and `command_runner`
sends it. A manager decides, and this is logged. Source: exactly-once.md, step 9.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from pos_app.domain.receipt.esir_part import ReceiptReference
from pos_app.domain.receipt.operations import Operation, OperationRequest, Refunding
from pos_app.domain.receipt.receipt import Warnings
from pos_app.domain.receipt.request import IssueRequest
from pos_app.domain.receipt.server_status import HalfDonePair, SignedPart, WaitingPart
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.errors import DatabaseDamaged, NotAllowed
from pos_app.fiscalization import ports
from pos_app.fiscalization.handover.handover_options import settled_delivery
from pos_app.fiscalization.issuing.enqueue import basis_of, seller_of
from pos_app.fiscalization.issuing.manual_decision import in_doubt
from pos_app.fiscalization.issuing.planning import Planner, facts_by_code
from pos_app.fiscalization.issuing.results import is_half_done
from pos_app.fiscalization.outcomes.pfr_request_id import pfr_request_id, reversal_request_id
from pos_app.fiscalization.plans.basis import Basis
from pos_app.fiscalization.plans.correction import corrected_second
from pos_app.fiscalization.plans.reversal import plan_reversal
from pos_app.fiscalization.service import FiscalService, body_hash
from pos_app.lazy_dataclass import dataclass

SETTLE_SECONDS = 18.0
"""Seconds that the answer to a person's decision waits for its result."""
_ON_ITS_WAY = frozenset({RequestState.QUEUED, RequestState.SENDING})


class PairRemedy(StrEnum):
    """A person's remedy for the refused receipt of a pair."""

    AGAIN = "again"
    """The refused receipt is sent as planned, because the processor's fault was removed."""
    CORRECT = "correct"
    """The refused receipt is sent with another body for the same operation."""
    REVERSE = "reverse"
    """The refused receipt is not sent, and the signed one is undone."""


def half_done_pair(journal: ports.ReceiptReader, request: ports.Request) -> HalfDonePair | None:
    """The half-done pair whose unsigned receipt this request is, else None. Number and time of the
    signed receipts are known even if an answer is damaged, so the pair can still be finished."""
    requests = journal.requests_of(request.command_id)
    if not is_half_done(requests):
        return None
    command = _command(journal, request)
    references = ((half, journal.reference(half.id)) for half in requests)
    return HalfDonePair(
        operation=command.operation,
        signed=tuple(_signed(half, found) for half, found in references if found is not None),
        waiting=_waiting(request),
        ways=_ways(journal, request),
    )


def _signed(half: ports.Request, reference: ReceiptReference) -> SignedPart:
    return SignedPart(
        receipt_id=half.id,
        number=reference.number,
        at=reference.time,
        total=half.document.total,
        invoice_type=half.document.invoice_type,
        transaction_type=half.document.transaction_type,
    )


def _waiting(half: ports.Request) -> WaitingPart:
    return WaitingPart(
        invoice_type=half.document.invoice_type,
        transaction_type=half.document.transaction_type,
        total=half.document.total,
        code=half.reason.pfr_code if half.reason else "",
        message=half.reason.words if half.reason else "",
        is_reversal=half.planned.is_reversal,
    )


def _ways(journal: ports.ReceiptReader, refused: ports.Request) -> tuple[PairRemedy, ...]:
    """The possible remedies. Only a correction is checked against the whole chain, which must then
    be readable."""
    if not was_refused(refused):
        return ()
    try:
        journal.chain(refused.chain)
    except DatabaseDamaged:
        return tuple(way for way in PairRemedy if way is not PairRemedy.CORRECT)
    return tuple(PairRemedy)


# --- the three remedies --------------------------------------------------------------------------


async def try_again(*, service: FiscalService, receipt_id: str, by: str) -> RequestState:
    """Send the refused receipt once more, unchanged, and return its state afterwards. Raises
    NotAllowed for a receipt that may exist, ReceiptNotFound."""
    return await _sent(service, _refused(service, receipt_id), what="tried_again", by=by)


@dataclass(frozen=True, slots=True)
class CorrectedBody:
    """A person's corrected body of the same operation. read: reads a body, raises Invalid. notice:
    warns of members that were ignored."""

    body: bytes
    canonical: bytes
    read: Callable[[Operation, bytes], OperationRequest]
    notice: Callable[[Operation, bytes], Warnings]


async def correct(
    *,
    service: FiscalService,
    receipt_id: str,
    corrected: CorrectedBody,
    by: str,
    cashier: str | None,
) -> RequestState:
    """Send another second receipt, planned from a corrected body, and return its state afterwards.

    cashier is None for the cashier of the request. Raises Invalid naming the member that is wrong
    or contradicts the signed receipt, NotAllowed, ReceiptNotFound.
    """
    request = _refused(service, receipt_id)
    journal, command = service.journal, _command(service.journal, request)
    corrected_request = corrected.read(command.operation, corrected.body)
    asked = corrected.read(command.operation, command.body)
    delivery, mailing = settled_delivery(
        corrected_request.delivery, service.store, of_till=command.till_sequence is not None
    )
    warnings = (*corrected.notice(command.operation, corrected.body), *mailing)
    found = body_hash(corrected.canonical, operation=command.operation, target=command.target)
    planner = Planner(
        journal=journal,
        articles=service.articles,
        basis=_basis_of_correction(service, command, asked, cashier),
        without=command.id,
        known=facts_by_code(asked, command.facts),
        corrects=True,
    )
    second = corrected_second(
        operation=command.operation,
        signed=_first(journal, command).planned,
        plan=planner.plan(replace(corrected_request, delivery=delivery), command.target).receipts,
    )
    name = pfr_request_id(
        origin=command.origin, key=command.key, child=request.child, body_hash=found
    )
    planned = replace(second, warnings=warnings)
    anew = replace(request, planned=planned, pfr_request_id=name)
    correction = ports.Correction(corrected.body, found)
    return await _sent(service, anew, what="corrected", by=by, correction=correction)


async def reverse(
    *, service: FiscalService, receipt_id: str, by: str, cashier: str | None
) -> RequestState:
    """Send a receipt that undoes the signed one, and return its state afterwards. Raises
    NotAllowed, ReceiptNotFound."""
    request = _refused(service, receipt_id)
    journal, command = service.journal, _command(service.journal, request)
    reversal = plan_reversal(
        refund=_first(journal, command).planned,
        refused=request.planned,
        basis=_basis(service, cashier or command.cashier),
    )
    name = reversal_request_id(
        origin=command.origin, key=command.key, child=request.child, body_hash=command.body_hash
    )
    anew = replace(request, planned=reversal, pfr_request_id=name)
    return await _sent(service, anew, what="reversed", by=by)


# --- parts ---------------------------------------------------------------------------------------


def _refused(service: FiscalService, receipt_id: str) -> ports.Request:
    request = in_doubt(service, receipt_id)
    if not was_refused(request):
        raise NotAllowed("not_refused_pair")
    return request


def was_refused(request: ports.Request) -> bool:
    reason = request.reason
    refused = reason is not None and reason.answer_class is AnswerClass.FIX
    return request.child > 0 and request.state is RequestState.NEEDS_HUMAN and refused


def _command(journal: ports.ReceiptReader, request: ports.Request) -> ports.Command:
    command = journal.command(request.command_id)
    assert command is not None  # a request never outlives its command
    return command


def _first(journal: ports.ReceiptReader, command: ports.Command) -> ports.Request:
    return journal.requests_of(command.id)[0]


def _basis(service: FiscalService, cashier: str) -> Basis:
    now = service.clock.now()
    return basis_of(service, cashier=cashier, now=now, seller=seller_of(service))


def _basis_of_correction(
    service: FiscalService, command: ports.Command, asked: OperationRequest, cashier: str | None
) -> Basis:
    # A copy follows the rules by which its refund was signed; the sale of a closing today's rules.
    basis = _basis(service, cashier or command.cashier)
    if not isinstance(asked, IssueRequest | Refunding):
        return basis
    signed = _first(service.journal, command).document.payments
    rules = basis.rules.of_signed_refund(asked=asked.payments.by_method, signed=signed)
    return replace(basis, rules=rules)


async def _sent(
    service: FiscalService,
    request: ports.Request,
    *,
    what: str,
    by: str,
    correction: ports.Correction | None = None,
) -> RequestState:
    now = service.clock.now()
    service.journal.queue_decided(request, what=what, by=by, now=now, correction=correction)
    service.lane.resume(request.command_id)
    return await _settled_state(service, request.id)


async def _settled_state(service: FiscalService, request_id: str) -> RequestState:
    until = service.clock.seconds() + SETTLE_SECONDS
    while True:
        request = service.journal.request(request_id)
        assert request is not None  # a request is never deleted
        left = until - service.clock.seconds()
        if left <= 0 or request.state not in _ON_ITS_WAY:
            return request.state
        await service.lane.changes.wait(request_id, left)
