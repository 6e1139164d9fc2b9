"""Looking a receipt up by id, fiscal number or key; and a person's answers to a doubt.

Source: exactly-once.md (states, step 12), platform-contract.md 1 (look up).
"""

from __future__ import annotations

import base64
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from pos_app.domain.fiscal_document import FiscalDocument
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.request import InvoiceType, TransactionType
from pos_app.domain.states import OPEN, AnswerClass, RequestState
from pos_app.domain.verification import Verification, decode
from pos_app.errors import Invalid, NotAllowed
from pos_app.fiscalization.evidence import Sent, content_fault
from pos_app.fiscalization.issue import Counter, Issued
from pos_app.fiscalization.ports import Command, Journal, LaneFacts, Reason, Request
from pos_app.fiscalization.refusals import ReceiptNotFound

BY_KEY = "key:"
LOOK_UP_SECONDS = 4.0
"""Seconds that a look-up on demand waits for what the processor says."""
CLOCKS_APART = timedelta(hours=2)
"""How far our clock and a processor's may differ when a person brings its paper."""
COUNTER_TYPE = {
    InvoiceType.NORMAL: "П",
    InvoiceType.ADVANCE: "А",
    InvoiceType.PROFORMA: "Р",
    InvoiceType.TRAINING: "О",
    InvoiceType.COPY: "К",
}
COUNTER_TRANSACTION = {TransactionType.SALE: "П", TransactionType.REFUND: "Р"}
_CANCELLABLE = frozenset({RequestState.QUEUED, RequestState.RELEASED, RequestState.REJECTED})


@dataclass(frozen=True, slots=True)
class StillOpen:
    """Neither a receipt nor surely none."""

    receipt_id: str
    state: RequestState


def look_up(*, journal: Journal, origin: str, reference: str) -> Issued | StillOpen:
    """What became of a receipt. Raises ReceiptNotFound when surely none was issued."""
    command = _find(journal, origin, reference)
    if command is None:
        raise ReceiptNotFound("Receipt not found")
    request = journal.requests_of(command.id)[0]
    receipt = journal.receipt(request.id)
    if receipt is not None:
        return Issued(command, request.id, receipt)
    if request.state in OPEN:
        return StillOpen(command.id, request.state)
    raise ReceiptNotFound("Receipt not found")


def _find(journal: Journal, origin: str, reference: str) -> Command | None:
    if reference.startswith(BY_KEY):
        return journal.command_by_key(origin, reference.removeprefix(BY_KEY))
    return journal.command(reference) or journal.command_of_number(reference)


def cancel(*, counter: Counter, origin: str, key: str, cashier: str) -> RequestState:
    """Cancel a key that surely has no receipt; a key never seen becomes a tombstone.

    Raises NotAllowed with value `state` in any other state: that one is the truth.
    """
    journal, now = counter.journal, counter.clock.now()
    command = journal.command_by_key(origin, key)
    reason = Reason(AnswerClass.FIX, "cancelled", "The till cancelled this sale.")
    if command is None:
        command = _tombstone(origin, key, cashier, now)
        journal.accept(command, [_cancelled_request(command, reason)])
        return RequestState.CANCELLED
    request = journal.requests_of(command.id)[0]
    if request.state is RequestState.CANCELLED:
        return request.state
    if request.state not in _CANCELLABLE:
        raise NotAllowed(
            f"The request is {request.state}: it can't be cancelled now.", state=request.state
        )
    journal.settle(request.id, RequestState.CANCELLED, reason=reason, now=now)
    counter.lane.changes.tell(request.id)
    return RequestState.CANCELLED


def _tombstone(origin: str, key: str, cashier: str, now: datetime) -> Command:
    return Command(
        id=str(uuid.uuid4()),
        origin=origin,
        key=key,
        keyless=False,
        operation="issue",
        cashier=cashier,
        body=b"",
        body_hash=b"",
        facts=(),
        accepted_at=now,
    )


def _cancelled_request(command: Command, reason: Reason) -> Request:
    nothing = FiscalDocument(
        InvoiceType.NORMAL, TransactionType.SALE, lines=(), payments=(), cashier=command.cashier
    )
    return Request(
        id=command.id,
        command_id=command.id,
        child=0,
        lane="",
        state=RequestState.CANCELLED,
        pfr_request_id="",
        document=nothing,
        attempt=0,
        changed_at=command.accepted_at,
        reason=reason,
    )


async def declare_absent(*, counter: Counter, receipt_id: str, by: str) -> RequestState:
    """A person says that the processor holds no such receipt: it is asked once more first.

    Raises NotAllowed with value `number` when it does hold it: the receipt is signed then.
    """
    request = _in_doubt(counter, receipt_id)
    receipt = await counter.lane.look_again(request.id, seconds=LOOK_UP_SECONDS)
    if receipt is not None:
        raise NotAllowed(
            f"The processor holds the receipt: {receipt.invoice_number}.",
            number=receipt.invoice_number,
        )
    return release_by_word(counter=counter, receipt_id=receipt_id, by=by)


def release_by_word(*, counter: Counter, receipt_id: str, by: str) -> RequestState:
    """Release a doubt on a person's word alone, and log whose it was."""
    request = _in_doubt(counter, receipt_id)
    now = counter.clock.now()
    _ask_person(counter, request)
    reason = Reason(AnswerClass.WAIT, "declared_absent", f"{by}: the receipt does not exist.")
    counter.journal.settle(request.id, RequestState.RELEASED, reason=reason, now=now)
    counter.journal.note("declared_absent", request_id=request.id, now=now, words=by)
    counter.lane.changes.tell(request.id)
    return RequestState.RELEASED


def declare_found(*, counter: Counter, receipt_id: str, url: str, by: str) -> SignedReceipt:
    """A person brings the verification URL of the processor's own paper: it must be this sale's.

    Raises Invalid on "verificationUrl" when UID, total, types or buyer differ.
    """
    request = _in_doubt(counter, receipt_id)
    journal, now = counter.journal, counter.clock.now()
    lane = journal.lane(request.lane)
    try:
        told = decode(url.strip())
    except Invalid as error:
        raise Invalid(f'"verificationUrl" {error.what}', field="verificationUrl") from error
    fault = _not_this_sale(told, request, lane)
    if fault:
        raise Invalid(
            f'"verificationUrl" is not of this sale: {fault} differs', field="verificationUrl"
        )
    if journal.command_of_number(str(told.number)) is not None:
        raise Invalid(
            '"verificationUrl" is of a receipt that is known already', field="verificationUrl"
        )
    receipt = _recovered(told, url.strip())
    _ask_person(counter, request)
    journal.sign(request.id, receipt, lane=LaneFacts(lane.name, lane.uid, lane.tin), now=now)
    journal.note("declared_found", request_id=request.id, now=now, words=by)
    counter.lane.changes.tell(request.id)
    return receipt


def _in_doubt(counter: Counter, receipt_id: str) -> Request:
    command = counter.journal.command(receipt_id)
    if command is None:
        raise ReceiptNotFound("Receipt not found")
    request = counter.journal.requests_of(command.id)[0]
    if request.state not in (RequestState.UNKNOWN, RequestState.NEEDS_HUMAN):
        raise NotAllowed(f"The request is {request.state}: there is no doubt about it.")
    return request


def _ask_person(counter: Counter, request: Request) -> None:
    """A manager takes the doubt over: the lane is free, its counter is taken anew."""
    if request.state is not RequestState.UNKNOWN:
        return
    reason = Reason(AnswerClass.UNKNOWN, "asked", "A person took this doubt over.")
    lane = counter.journal.lane(request.lane)
    counter.journal.settle(
        request.id,
        RequestState.NEEDS_HUMAN,
        reason=reason,
        now=counter.clock.now(),
        lane=LaneFacts(lane.name, lane.uid, lane.tin),
    )


def _not_this_sale(told: Verification, request: Request, lane: LaneFacts) -> str | None:
    if lane.uid is not None and told.requested_by != lane.uid:
        return "the secure element"
    if request.baseline is not None and told.total_counter <= request.baseline:
        return "the counter"
    if request.sent_at is not None and told.moment < request.sent_at - CLOCKS_APART:
        return "the time"
    return content_fault(told, Sent(request.document, lane.uid, request.baseline))


def _recovered(told: Verification, url: str) -> SignedReceipt:
    """What a verification URL tells of a receipt; the rest stays unknown."""
    extension = COUNTER_TYPE[told.invoice_type] + COUNTER_TRANSACTION[told.transaction_type]
    return SignedReceipt(
        sdc_time=told.moment,
        sdc_time_text=told.moment.isoformat(timespec="milliseconds"),
        invoice_counter=f"{told.type_counter}/{told.total_counter}{extension}",
        invoice_number=str(told.number),
        signed_by=told.signed_by,
        encrypted_internal_data=base64.b64encode(told.encrypted_internal_data).decode(),
        requested_by=told.requested_by,
        signature=base64.b64encode(told.signature).decode(),
        invoice_counter_extension=extension,
        verification_url=url,
        total_counter=told.total_counter,
        transaction_type_counter=told.type_counter,
        total_amount=told.total,
    )
