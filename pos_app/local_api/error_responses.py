"""Translates exceptions into error bodies; no other module does. Source: platform-contract.md 3.

4xx: surely no receipt exists. 5xx: the outcome is unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from pos_app import errors
from pos_app.domain.receipt.states import NOT_COMPARED, AnswerClass
from pos_app.domain.setup import processor
from pos_app.domain.setup.processor_setup import SetupWrong
from pos_app.fiscalization import refusals
from pos_app.fiscalization.refusals import NO_ROOM as NO_ROOM_REASON
from pos_app.http_front.errors import BodyTooLarge, invalid_problem
from pos_app.local_api.access_rules import NO_HOST
from pos_app.wire.problem import (
    BUG,
    CATALOGUE_DAMAGED,
    HALF_DONE_BEFORE,
    KEY_BOUND,
    MALFORMED,
    NO_ROOM,
    NOT_COMPARED_YET,
    NOT_FOUND,
    OUTCOME_UNKNOWN,
    PAIR_HALF_DONE,
    PROCESSOR_AWAY,
    PROCESSOR_NEEDS_HELP,
    PROCESSOR_REFUSED,
    RECEIPT_UNREADABLE,
    STORAGE_AWAY,
    TOO_LARGE,
    TOO_MANY,
    WRONG_HOST,
    Problem,
    ProblemKind,
    problem_to_json,
)
from pos_app.wire.strict_json import MalformedJson, NumberOutOfRange, dumps

SURELY_NOT_SENT = "surely not sent; repeat it, with the same key if it has one"


def problem_of(error: errors.PosError) -> Problem:
    for kind, to_problem in _PROBLEMS:
        if isinstance(error, kind):
            return to_problem(error)
    return Problem.of(OUTCOME_UNKNOWN, error.what)


_OWN_REASONS = {
    NO_ROOM_REASON: NO_ROOM,
    refusals.CATALOGUE: CATALOGUE_DAMAGED,
    refusals.STORAGE: STORAGE_AWAY,
    refusals.HALF_DONE: HALF_DONE_BEFORE,
    NOT_COMPARED: NOT_COMPARED_YET,
}
"""Reasons of our own, which no processor gave."""


def _not_signed(error: refusals.NotSigned) -> Problem:
    code = error.pfr_code or None
    if (
        problem_kind := _OWN_REASONS.get(error.reason)
    ) is not None and problem_kind.answer_class is error.answer_class:
        may_repeat = (
            problem_kind.answer_class is AnswerClass.WAIT and problem_kind is not NOT_COMPARED_YET
        )
        return Problem.of(problem_kind, _waiting(error.what) if may_repeat else error.what)
    match error.answer_class:
        case AnswerClass.FIX:
            return Problem.of(PROCESSOR_REFUSED, error.what, pfr_code=code)
        case AnswerClass.CURE:
            if error.reason in processor.CERTIFICATE_FAULTS:
                return _of_certificate(error.what, processor.CertificateFault(error.reason))
            return Problem.of(PROCESSOR_NEEDS_HELP, error.what, pfr_code=code)
        case AnswerClass.WAIT:
            return Problem.of(PROCESSOR_AWAY, _waiting(error.what), pfr_code=code)
        case _:
            return Problem.of(OUTCOME_UNKNOWN, error.what)


def _of_certificate(what: str, fault: processor.CertificateFault) -> Problem:
    """Describe a fault of the certificate: the body is right, so the server's setting is named."""
    keys = (_SETTING_OF[processor.PART_AT_FAULT[fault]],)
    return Problem.of(PROCESSOR_NEEDS_HELP, what, keys=keys, source="settings", kind=fault.value)


_SETTING_OF = MappingProxyType(
    {
        processor.CertificatePart.PFX: "processor_pfx",
        processor.CertificatePart.PAC: "processor_pac",
        processor.CertificatePart.CA: "processor.ca_file",
    }
)


def _waiting(message: str) -> str:
    return f"{message.rstrip('. ')}: {SURELY_NOT_SENT}"


def _invalid(error: errors.Invalid) -> Problem:
    return invalid_problem(
        error,
        source="params" if isinstance(error, refusals.WrongReceipt) else "body",
        kind=error.kind if isinstance(error, refusals.WrongPaper | SetupWrong) else None,
    )


def _outcome_not_known(error: refusals.OutcomeNotKnown) -> Problem:
    problem_kind = PAIR_HALF_DONE if error.signed else OUTCOME_UNKNOWN
    if isinstance(error, refusals.ReceiptUnreadable):
        problem_kind = RECEIPT_UNREADABLE
    return Problem.of(
        problem_kind,
        str(error),
        receipt_id=error.receipt_id,
        signed=error.signed,
        state=error.state or None,
    )


def _refused(error: errors.Refused) -> Problem:
    return Problem.of(PROCESSOR_REFUSED, error.what, pfr_code=error.reply_code or None)


def _simply(problem_kind: ProblemKind) -> Callable[[errors.PosError], Problem]:
    return lambda error: Problem.of(problem_kind, error.what)


_PROBLEMS: tuple[tuple[type[errors.PosError], Callable[[Any], Problem]], ...] = (
    (refusals.NotSigned, _not_signed),
    (refusals.OutcomeNotKnown, _outcome_not_known),
    (NumberOutOfRange, _invalid),
    (MalformedJson, _simply(MALFORMED)),
    (errors.Invalid, _invalid),
    (BodyTooLarge, _simply(TOO_LARGE)),
    (errors.NotFound, _simply(NOT_FOUND)),
    (refusals.KeyBound, _simply(KEY_BOUND)),
    (errors.NotAllowed, lambda error: Problem.of(KEY_BOUND, error.what, kind=error.kind or None)),
    (errors.NotDelivered, lambda error: Problem.of(PROCESSOR_AWAY, _waiting(error.what))),
    (errors.Refused, _refused),
    (errors.MachineError, _simply(BUG)),
)
"""The first class that fits counts, because some are subclasses of others: NumberOutOfRange is a
MalformedJson, which is an Invalid."""


def bug_problem(receipt_id: str | None) -> Problem:
    """Describe a bug. The log has the cause; the caller does not get it."""
    message = "The server failed by a fault of its own; the outcome is unknown"
    return Problem.of(BUG, message, receipt_id=receipt_id)


def too_many_problem() -> Problem:
    return Problem.of(TOO_MANY, f"Too many connections: {SURELY_NOT_SENT}")


def malformed_http(message: str) -> tuple[int, bytes]:
    """Return status and body for bytes that are no HTTP request; `message` is the parser's."""
    if "Host" in message:
        is_missing = message.startswith("Missing")
        problem = Problem.of(WRONG_HOST, NO_HOST if is_missing else 'only one "Host" may be sent')
    else:
        problem = Problem.of(MALFORMED, "The HTTP request is malformed")
    return problem.status, dumps(problem_to_json(problem))
