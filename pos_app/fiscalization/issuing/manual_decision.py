"""A person ends a doubt by declaring the receipt absent, or by its paper.

A manager decides, and this is logged. Source: exactly-once.md, step 12.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import datetime, timedelta

from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.receipt_number import same_number
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.states import IN_DOUBT, AnswerClass, RequestState
from pos_app.domain.receipt.verification import Verification, decode
from pos_app.errors import Invalid, NotAllowed
from pos_app.fiscalization.outcomes import answer_check
from pos_app.fiscalization.ports import Request, StateReason
from pos_app.fiscalization.refusals import (
    ACT_UNKNOWN,
    DECLARED_ABSENT,
    VOUCHED,
    ReceiptNotFound,
    WrongPaper,
)
from pos_app.fiscalization.service import FiscalService

LOOK_UP_SECONDS = 4.0
"""Seconds that a look-up on demand waits for the processor."""
CLOCKS_APART = timedelta(hours=2)
"""The most that our clock and a processor's may differ when a person brings its paper."""
_COUNTER_TYPE = {
    InvoiceType.NORMAL: "П",
    InvoiceType.ADVANCE: "А",
    InvoiceType.PROFORMA: "Р",
    InvoiceType.TRAINING: "О",
    InvoiceType.COPY: "К",
}
_COUNTER_TRANSACTION = {TransactionType.SALE: "П", TransactionType.REFUND: "Р"}


async def declare_absent(*, service: FiscalService, receipt_id: str, by: str) -> RequestState:
    """A person says that the processor has no such receipt; the processor is asked once more first.

    Raises NotAllowed with value `number` if the processor has the receipt after all: the request is
    SIGNED then.
    """
    request = in_doubt(service, receipt_id)
    receipt = await service.lane.look_again(request.id, seconds=LOOK_UP_SECONDS)
    if receipt is not None:
        raise NotAllowed("processor_holds", number=receipt.invoice_number)
    return release_by_word(service=service, receipt_id=receipt_id, by=by)


def release_by_word(*, service: FiscalService, receipt_id: str, by: str) -> RequestState:
    """Release a doubt because a person decided so, and log who. The person may be wrong: the
    receipt is looked up before the next one is sent on this lane."""
    request = in_doubt(service, receipt_id)
    reason = StateReason(AnswerClass.WAIT, DECLARED_ABSENT, f"{by}: the receipt does not exist.")
    released = [request]
    if _is_about_referent(request):
        words = f"{by}: it goes on, whatever was done with the receipt before."
        reason = StateReason(AnswerClass.WAIT, VOUCHED, words)
        pair = service.journal.requests_of(request.command_id)
        released = [one for one in pair if _is_about_referent(one)]
    for one in released:
        service.journal.settle(
            one.id,
            RequestState.RELEASED,
            reason=reason,
            now=service.clock.now(),
            taken_as_absent=True,
            by=by,
        )
    service.lane.ask_all_again()
    for one in released:
        service.lane.changes.announce(one.id)
    return RequestState.RELEASED


def _is_about_referent(request: Request) -> bool:
    """Whether a person is asked about what was done with the receipt that a request refers to."""
    is_asked = request.state is RequestState.NEEDS_HUMAN
    return is_asked and request.reason is not None and request.reason.code == ACT_UNKNOWN


def declare_found(*, service: FiscalService, receipt_id: str, url: str, by: str) -> SignedReceipt:
    """A person enters the verification URL of the processor's own paper, which must be this sale's.

    The paper's counter may be below the last known one: a processor can be set back while it signs.
    Raises Invalid on "verificationUrl" when UID, total, types, buyer or time differ, or the number
    is another sale's.
    """
    request = in_doubt(service, receipt_id)
    journal, now = service.journal, service.clock.now()
    verification = _read(url)
    # A processor whose card is changed may sign an earlier request with the new one.
    elements = (journal.lane(request.lane).uid, journal.element()) if request.was_sent else ()
    if fault := _not_this_sale(verification, request, elements, now):
        raise WrongPaper(WrongPaper.OTHER_RECEIPT, difference=fault)
    if journal.request_of_number(str(verification.number)) is not None:
        raise WrongPaper(WrongPaper.KNOWN_RECEIPT)
    receipt = _recovered(verification, url.strip())
    service.lane.sign_with_found_receipt(request, receipt)
    journal.note("declared_found", request_id=request.id, now=now, words=by)
    return receipt


def asked_about(service: FiscalService, receipt_id: str) -> Request:
    """The request of that id, or the one in doubt of its pair. Raises ReceiptNotFound.

    The id of a pair is the id of its first receipt. If neither receipt is in doubt any more, this
    id means the second receipt.
    """
    request = service.journal.request(receipt_id)
    if request is None:
        raise ReceiptNotFound()
    requests = service.journal.requests_of(request.command_id)
    settled = requests[-1] if request.id == request.command_id else request
    return next((one for one in (request, *requests) if one.state in IN_DOUBT), settled)


def in_doubt(service: FiscalService, receipt_id: str) -> Request:
    """The request that `asked_about` returns. Raises NotAllowed if it is in no doubt,
    ReceiptNotFound."""
    request = asked_about(service, receipt_id)
    if request.state not in IN_DOUBT:
        raise NotAllowed("no_doubt", state=request.state)
    return request


def _read(url: str) -> Verification:
    try:
        return decode(url.strip())
    except Invalid as error:
        raise Invalid("wrong", field="verificationUrl", why=error.what) from error


def _not_this_sale(
    verification: Verification, request: Request, elements: Sequence[str | None], now: datetime
) -> str | None:
    """The difference that shows another sale, or None. elements: the allowed UIDs; if it is empty
    or has None, any UID is allowed."""
    uids = [element for element in elements if element is not None]
    is_other = not any(same_number(verification.requested_by, uid) for uid in uids)
    if uids and len(uids) == len(elements) and is_other:
        return "the secure element"
    if verification.buyer_id != answer_check.buyer_on(request.document, verification):
        return "the buyer"
    window = signing_window(request, now, counter=verification.total_counter)
    sent = answer_check.SentDocument(request.document, None, request.baseline, window=window)
    return answer_check.content_fault(verification, sent)


def signing_window(request: Request, now: datetime, *, counter: int) -> answer_check.SigningWindow:
    """The period in which a receipt entered by a person can have been signed: from its sending to
    now. counter: the total counter on its paper.

    The period begins by the processor's clock, and is as long as the time that passed here. Our own
    clock may have been set meanwhile, so the end has more tolerance. The processor's may have been
    set back, so the start has as much where the counter proves that the receipt came after the
    sending.
    """
    if request.sent_at is None:
        return answer_check.SigningWindow(None, now + CLOCKS_APART)
    elapsed = max(timedelta(0), now - request.sent_at)
    if request.sent_clock is None:
        return answer_check.SigningWindow(
            request.sent_at - CLOCKS_APART, request.sent_at + elapsed + CLOCKS_APART
        )
    is_after = request.baseline is not None and counter > request.baseline
    slack = CLOCKS_APART if is_after else answer_check.CLOCK_SLACK
    return answer_check.SigningWindow(
        request.sent_clock - slack, request.sent_clock + elapsed + CLOCKS_APART
    )


def _recovered(verification: Verification, url: str) -> SignedReceipt:
    extension = (
        _COUNTER_TYPE[verification.invoice_type]
        + _COUNTER_TRANSACTION[verification.transaction_type]
    )
    return SignedReceipt(
        sdc_time=verification.moment,
        sdc_time_text=verification.moment.isoformat(timespec="milliseconds"),
        invoice_counter=f"{verification.type_counter}/{verification.total_counter}{extension}",
        invoice_number=str(verification.number),
        signed_by=verification.signed_by,
        encrypted_internal_data=base64.b64encode(verification.encrypted_internal_data).decode(),
        requested_by=verification.requested_by,
        signature=base64.b64encode(verification.signature).decode(),
        invoice_counter_extension=extension,
        verification_url=url,
        total_counter=verification.total_counter,
        transaction_type_counter=verification.type_counter,
        total_amount=verification.total,
    )
