"""Weighing what a processor said: was it signed, surely not, or can't it be told?

Source: exactly-once.md (Facts; step 6: the echo). Pure; the lane acts on the verdicts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from pos_app.domain import processor as pfr
from pos_app.domain.fiscal_document import FiscalDocument
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.domain.verification import Verification, decode
from pos_app.errors import Invalid
from pos_app.fiscalization.ports import NotSent, Reason, Refused, Signed, SignReply

CLOCK_SLACK = timedelta(minutes=5)
"""How far the signing time may lie outside the time the processor itself showed."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A document on its way: what its echo is compared with.

    clock: the processor's own time when it was probed, None when it did not tell;
    counter: its total counter then; uid and tin: of the element that was paired.
    """

    document: FiscalDocument
    uid: str | None
    counter: int | None
    tin: str | None = None
    clock: datetime | None = None
    elapsed: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The state a request goes to, with its receipt or its reason."""

    state: RequestState
    reason: Reason | None = None
    receipt: SignedReceipt | None = None


def judge(reply: SignReply, sent: Sent) -> Verdict:
    """What one POST proved. A refusal by an unlisted code is UNKNOWN until the counter tells."""
    match reply:
        case Signed(receipt):
            fault = echo_fault(receipt, sent)
            if fault is None:
                return Verdict(RequestState.SIGNED, receipt=receipt)
            return _unknown("echo", f"The processor's answer is not of this sale: {fault}.")
        case Refused(faults):
            return _refused(faults)
        case NotSent(words):
            return Verdict(RequestState.RELEASED, Reason(AnswerClass.WAIT, "not_sent", words))
        case _:
            return _unknown("no_answer", reply.words)


def _unknown(code: str, words: str) -> Verdict:
    return Verdict(RequestState.UNKNOWN, Reason(AnswerClass.UNKNOWN, code, words))


def _refused(faults: tuple[pfr.PfrFault, ...]) -> Verdict:
    codes = [fault.code for fault in faults]
    words = "; ".join(_fault_words(fault) for fault in faults)
    curable = next((code for code in codes if code in pfr.CURABLE), None)
    if curable:
        return Verdict(RequestState.RELEASED, Reason(AnswerClass.CURE, curable, words))
    if codes and all(code in pfr.WRONG_DOCUMENT for code in codes):
        return Verdict(RequestState.REJECTED, Reason(AnswerClass.FIX, codes[0], words))
    return _unknown(
        codes[0] if codes else "refused", words or "The processor's refusal is unclear."
    )


def _fault_words(fault: pfr.PfrFault) -> str:
    where = f" ({fault.property})" if fault.property else ""
    return f"{fault.code} {pfr.meaning(fault.code)}{where}"


def counter_stood_still(verdict: Verdict) -> Verdict:
    """An unlisted refusal on a counted lane whose counter did not move: surely not signed."""
    reason = verdict.reason
    assert reason is not None
    return Verdict(RequestState.RELEASED, Reason(AnswerClass.CURE, reason.code, reason.words))


def is_unlisted_refusal(verdict: Verdict) -> bool:
    """Whether only the counter can tell if a refused document was signed."""
    reason = verdict.reason
    return verdict.state is RequestState.UNKNOWN and reason is not None and reason.code.isdecimal()


def echo_fault(receipt: SignedReceipt, sent: Sent) -> str | None:
    """What of the answer is not of the document sent; None when all that is present is equal."""
    number_uid = receipt.invoice_number.partition("-")[0]
    checks = (
        (sent.uid, number_uid, "the element in the number"),
        (receipt.requested_by, number_uid, "requestedBy"),
        (receipt.total_amount, sent.document.total, "totalAmount"),
        (sent.tin, receipt.tin or sent.tin, "tin"),
    )
    for expected, found, name in checks:
        if expected is not None and expected != found:
            return name
    if sent.counter is not None and (receipt.total_counter or sent.counter + 1) <= sent.counter:
        return "totalCounter"
    if not _in_window(receipt.sdc_time, sent):
        return "sdcDateTime"
    return _url_fault(receipt, sent) if receipt.verification_url else None


def _in_window(moment: datetime, sent: Sent) -> bool:
    if sent.clock is None:
        return True
    return sent.clock - CLOCK_SLACK <= moment <= sent.clock + sent.elapsed + CLOCK_SLACK


def _url_fault(receipt: SignedReceipt, sent: Sent) -> str | None:
    assert receipt.verification_url is not None
    try:
        told = decode(receipt.verification_url)
    except Invalid:
        return "verificationUrl"
    if str(told.number) != receipt.invoice_number:
        return "the number in verificationUrl"
    return content_fault(told, sent)


def content_fault(told: Verification, sent: Sent) -> str | None:
    """What of a verification URL is not of the document: total, types, buyer, time."""
    document = sent.document
    checks = (
        (told.total == document.total, "the total in verificationUrl"),
        (told.invoice_type is document.invoice_type, "the invoice type in verificationUrl"),
        (
            told.transaction_type is document.transaction_type,
            "the transaction type in verificationUrl",
        ),
        (told.buyer_id == (document.buyer or ""), "the buyer in verificationUrl"),
        (_in_window(told.moment, sent), "the time in verificationUrl"),
    )
    return next((name for equal, name in checks if not equal), None)
