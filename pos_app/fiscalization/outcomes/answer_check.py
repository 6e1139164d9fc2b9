"""Decides the meaning of a processor's answer: signed, surely not signed, or unknown.

A missing or unreadable answer is unknown: `doubt` decides then by look-ups.
Source: exactly-once.md (Facts; step 6: the echo). Pure; the lane acts on the outcomes.
"""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import replace
from datetime import datetime, timedelta

from pos_app.domain.receipt import receipt_number
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.domain.receipt.verification import Verification, decode
from pos_app.domain.setup import processor
from pos_app.domain.setup import processor as pfr
from pos_app.domain.text import instant
from pos_app.errors import Invalid
from pos_app.fiscalization import ports
from pos_app.lazy_dataclass import dataclass

_DIGITS = re.compile(r"[0-9]{1,19}")
CLOCK_SLACK = timedelta(minutes=5)
"""The time by which the signing time may differ from the processor's own times before and after."""


@dataclass(frozen=True, slots=True)
class SigningWindow:
    """The period in which a receipt can have been signed, both ends included; an end is None while
    it is unknown."""

    earliest: datetime | None = None
    latest: datetime | None = None

    @classmethod
    def since(cls, clock: datetime | None) -> SigningWindow:
        """The period that begins at the processor's own clock, which was read before the POST."""
        return cls() if clock is None else cls(clock - CLOCK_SLACK - _doubled(clock))

    def until(self, clock: datetime | None) -> SigningWindow:
        """The period that ends at the processor's own clock, which was read when the receipt was
        there. A period without a start gets no end."""
        if self.earliest is None or clock is None:
            return self
        return replace(self, latest=clock + CLOCK_SLACK + _doubled(clock))

    def holds(self, moment: datetime) -> bool:
        more = _doubled(moment)
        is_early = self.earliest is not None and moment + more < self.earliest
        is_late = self.latest is not None and moment - more > self.latest
        return not is_early and not is_late


def _doubled(moment: datetime) -> timedelta:
    """The possible error of a processor's time without a zone, when clocks go back in autumn."""
    return timedelta(hours=1) if instant.is_shown_twice(moment) else timedelta(0)


ANY_TIME = SigningWindow()


@dataclass(frozen=True, slots=True)
class SentDocument:
    """A sent document, with which the processor's answer is compared.

    counter: the processor's total counter before the document was sent. uid, tin: the UID and tax
    number of the element in use. window: the period in which the document's receipt can have been
    signed.
    """

    document: FiscalDocument
    uid: str | None
    counter: int | None
    tin: str | None = None
    window: SigningWindow = ANY_TIME

    def found_at(self, clock: datetime | None) -> SentDocument:
        return replace(self, window=self.window.until(clock))


def sent_before(
    request: ports.Request | ports.ReleasedAttempt, lane: ports.LaneState
) -> SentDocument:
    """The data committed with SENDING, with which a look-up is compared, also after a restart.

    A document that this journal did not send may have been signed before a restore, on an earlier
    element.
    """
    window = SigningWindow.since(request.sent_clock)
    uid = lane.uid if request.was_sent else None
    return SentDocument(request.document, uid, request.baseline, lane.tin, window)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The state a request goes to, with its receipt or its reason. is_absent: released because the
    receipt was proven not to exist."""

    state: RequestState
    reason: ports.StateReason | None = None
    receipt: SignedReceipt | None = None
    is_absent: bool = False


def judge(reply: ports.SignReply, sent: SentDocument) -> Outcome:
    """The outcome of one POST; UNKNOWN for an unlisted refusal, until the counter decides."""
    match reply:
        case ports.PfrSigned(receipt):
            fault = echo_fault(receipt, sent)
            if fault is None:
                return Outcome(RequestState.SIGNED, receipt=receipt)
            return _unknown("echo", f"The processor's answer is not of this sale: {fault}.")
        case ports.PfrRefused(faults):
            return _refused(faults)
        case ports.PfrNotSent(words, fault):
            reason = certificate_refused(words, fault) if fault is not None else _not_sent(words)
            return Outcome(RequestState.RELEASED, reason)
        case _:
            return _unknown("no_answer", reply.words)


def certificate_refused(message: str, fault: processor.CertificateFault) -> ports.StateReason:
    """The reason that the processor and this server do not trust each other; its code depends on
    the fault."""
    return ports.StateReason(AnswerClass.CURE, fault.value, message)


def _not_sent(message: str) -> ports.StateReason:
    return ports.StateReason(AnswerClass.WAIT, "not_sent", message)


def _unknown(code: str, message: str) -> Outcome:
    return Outcome(RequestState.UNKNOWN, ports.StateReason(AnswerClass.UNKNOWN, code, message))


def _refused(faults: tuple[pfr.PfrFault, ...]) -> Outcome:
    codes = [fault.code for fault in faults]
    message = "; ".join(_fault_words(fault) for fault in faults)
    curable = next((code for code in codes if code in pfr.CURABLE), None)
    if curable:
        return Outcome(RequestState.RELEASED, _refusal(AnswerClass.CURE, message, curable))
    if codes and all(code in pfr.WRONG_DOCUMENT for code in codes):
        return Outcome(RequestState.REJECTED, _refusal(AnswerClass.FIX, message, codes[0]))
    message = message or "The processor's refusal is unclear."
    reason = _refusal(AnswerClass.UNKNOWN, message, codes[0] if codes else "")
    return Outcome(RequestState.UNKNOWN, reason)


def _refusal(answer_class: AnswerClass, message: str, pfr_code: str) -> ports.StateReason:
    return ports.StateReason(answer_class, "refused", message, pfr_code)


def _fault_words(fault: pfr.PfrFault) -> str:
    where = f" ({fault.property})" if fault.property else ""
    return f"{fault.code} {pfr.meaning(fault.code)}{where}"


def counter_stood_still(outcome: Outcome) -> Outcome:
    """The outcome of an unlisted refusal on a counted lane whose counter did not move: surely not
    signed."""
    reason = outcome.reason
    assert reason is not None
    return Outcome(RequestState.RELEASED, replace(reason, answer_class=AnswerClass.CURE))


def is_unlisted_refusal(outcome: Outcome) -> bool:
    reason = outcome.reason
    return outcome.state is RequestState.UNKNOWN and reason is not None and bool(reason.pfr_code)


def echo_fault(receipt: SignedReceipt, sent: SentDocument) -> str | None:
    """The member that proves an answer to be another receipt's: number, total, types or time; else
    None. Missing members prove nothing. Other differences don't either; see `differences`."""
    if not is_of_element(receipt, sent.uid):
        return "the element in the number"
    amount = sent.document.total_text
    if amount is not None and receipt.total_amount not in (None, amount):
        return "totalAmount"
    counter = counter_of(receipt)
    if sent.counter is not None and counter is not None and counter <= sent.counter:
        return "the counter in the number"
    if not sent.window.holds(receipt.sdc_time):
        return "sdcDateTime"
    verification = _verification_of(receipt)
    if verification is None:
        return None
    if not receipt_number.same_number(str(verification.number), receipt.invoice_number):
        return "the number in verificationUrl"
    return content_fault(verification, sent)


def content_fault(verification: Verification, sent: SentDocument) -> str | None:
    """The member that proves a verification URL to be another document's: total, types, time; else
    None."""
    document = sent.document
    is_copy = InvoiceType.COPY in (verification.invoice_type, document.invoice_type)
    is_any_copy = is_copy and not document.is_known
    is_any_refund = document.transaction_type is TransactionType.REFUND and not document.is_known
    checks = (
        (document.total_text in (None, verification.total), "the total in verificationUrl"),
        (
            verification.invoice_type is document.invoice_type or (is_any_refund and not is_copy),
            "the invoice type in verificationUrl",
        ),
        (
            verification.transaction_type is document.transaction_type or is_any_copy,
            "the transaction type in verificationUrl",
        ),
        (sent.window.holds(verification.moment), "the time in verificationUrl"),
    )
    return next((name for equal, name in checks if not equal), None)


def differences(
    receipt: SignedReceipt, document: FiscalDocument, *, tin: str | None
) -> tuple[str, ...]:
    """The members of an answer that are unequal though it is this document's receipt.

    They can't prove another receipt: a person is warned, and the receipt stays signed. tin: the tax
    number of the paired element. The member "buyer" is the buyer in the verification URL.
    """
    requested_by, _, rest = receipt.invoice_number.partition("-")
    signed_by, _, counter = rest.partition("-")
    pairs: list[tuple[object, object, str]] = [
        (receipt.requested_by, requested_by, "requestedBy"),
        (receipt.signed_by, signed_by, "signedBy"),
        (receipt.total_counter and str(receipt.total_counter), counter, "totalCounter"),
        (tin and receipt.tin, tin, "tin"),
    ]
    verification = _verification_of(receipt)
    if verification is not None:
        signature = verification.signature
        internal = verification.encrypted_internal_data
        pairs += [
            (receipt.transaction_type_counter, verification.type_counter, "transactionTypeCounter"),
            (verification.buyer_id, buyer_on(document, verification), "buyer"),
            (_bytes_of(receipt.signature, signature), signature, "signature"),
            (
                _bytes_of(receipt.encrypted_internal_data, internal),
                internal,
                "encryptedInternalData",
            ),
        ]
    unread = ("verificationUrl",) if receipt.verification_url and verification is None else ()
    return (
        *(name for received, expected, name in pairs if received not in (None, expected)),
        *unread,
    )


def buyer_on(document: FiscalDocument, verification: Verification) -> str:
    """The buyer that a verification URL of the document must have; if the document's buyer is
    unknown, the buyer that the URL has."""
    if document.buyer is None and not document.is_known:
        return verification.buyer_id
    return (document.buyer or "").strip()


def is_of_element(receipt: SignedReceipt, uid: str | None) -> bool:
    return uid is None or receipt_number.same_number(receipt.invoice_number.partition("-")[0], uid)


def counter_of(receipt: SignedReceipt) -> int | None:
    digits = receipt.invoice_number.rpartition("-")[2]
    return int(digits) if _DIGITS.fullmatch(digits) else receipt.total_counter


def _verification_of(receipt: SignedReceipt) -> Verification | None:
    try:
        return decode(receipt.verification_url or "")
    except Invalid:
        return None


def _bytes_of(base64_text: str | None, expected: bytes) -> bytes | None:
    """The bytes of a member: empty if it is no base64, `expected` if it is missing."""
    if not base64_text:
        return expected
    try:
        return b64decode(base64_text, validate=True)
    except ValueError:
        return b""


def counted_on(lane: ports.LaneState, receipt: SignedReceipt) -> ports.LaneState:
    """The lane with its counter plus one, unless the counter covers this receipt, or the receipt
    was signed by another element."""
    known, counter = lane.explained, counter_of(receipt)
    if known is None or not is_of_element(receipt, lane.uid):
        return lane
    return lane if counter is not None and counter <= known else replace(lane, counter=known + 1)
