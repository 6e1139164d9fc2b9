"""The error body of every HTTP answer, and the table of its codes.

Source: platform-contract.md 3. 4xx means surely no receipt; 5xx means the outcome is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pos_app.domain.receipt.states import AnswerClass
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """One row of the table: an HTTP status with our code, name and answer class."""

    status: int
    code: int
    name: str
    answer_class: AnswerClass


_FIX, _WAIT, _CURE, _UNKNOWN = (
    AnswerClass.FIX,
    AnswerClass.WAIT,
    AnswerClass.CURE,
    AnswerClass.UNKNOWN,
)

SCHEMA = ProblemKind(400, 40090001, "ValidationError", _FIX)
DUPLICATE = ProblemKind(400, 40090002, "DuplicateError", _FIX)
MALFORMED = ProblemKind(400, 40090003, "MalformedBodyError", _FIX)
NO_CLIENT = ProblemKind(400, 40080001, "NoClientError", _WAIT)
PROCESSOR_AWAY = ProblemKind(400, 40010001, "ProcessorUnavailableError", _WAIT)
NO_ROOM = ProblemKind(400, 40010002, "StorageNearlyFullError", _CURE)
STORAGE_AWAY = ProblemKind(400, 40010003, "StorageUnavailableError", _WAIT)
HALF_DONE_BEFORE = ProblemKind(400, 40010004, "OperationHalfDoneError", _WAIT)
NOT_COMPARED_YET = ProblemKind(400, 40010005, "JournalNotComparedError", _WAIT)
CATALOGUE_DAMAGED = ProblemKind(400, 40010006, "CatalogueDamagedError", _CURE)
PROCESSOR_REFUSED = ProblemKind(400, 40010000, "ProcessorRefusedError", _FIX)
PROCESSOR_NEEDS_HELP = ProblemKind(400, 40010000, "ProcessorRefusedError", _CURE)
UNAUTHORIZED = ProblemKind(401, 40100001, "UnauthorizedError", _FIX)
FORBIDDEN = ProblemKind(403, 40300001, "ForbiddenError", _FIX)
NOT_FOUND = ProblemKind(404, 40400001, "NotFoundError", _FIX)
WRONG_METHOD = ProblemKind(405, 40500001, "MethodNotAllowedError", _FIX)
BODY_LATE = ProblemKind(408, 40800001, "RequestTimeoutError", _WAIT)
KEY_BOUND = ProblemKind(409, 40900001, "ConflictError", _FIX)
TOO_LARGE = ProblemKind(413, 41300001, "PayloadTooLargeError", _FIX)
WRONG_HOST = ProblemKind(421, 42100001, "MisdirectedRequestError", _FIX)
TOO_MANY = ProblemKind(429, 42900001, "TooManyRequestsError", _WAIT)
OUTCOME_UNKNOWN = ProblemKind(500, 50010001, "OutcomeUnknownError", _UNKNOWN)
PAIR_HALF_DONE = ProblemKind(500, 50010002, "PairIncompleteError", _UNKNOWN)
RECEIPT_UNREADABLE = ProblemKind(500, 50010003, "ReceiptUnreadableError", _UNKNOWN)
RELAY_LOST = ProblemKind(500, 50080001, "RelayLostError", _UNKNOWN)
BUG = ProblemKind(500, 50000001, "InternalError", _UNKNOWN)


@dataclass(frozen=True, slots=True)
class Problem:
    """An error answer. `keys` are the paths of the fields at fault, or (). signed: the numbers of
    the existing receipts of a half-done pair. state: the request's state in a word, or None. kind:
    a word for the fault, where a program has to distinguish two faults of one member."""

    status: int
    code: int
    name: str
    answer_class: AnswerClass
    message: str
    keys: tuple[str, ...] = ()
    source: str = "body"
    receipt_id: str | None = None
    pfr_code: str | None = None
    signed: tuple[str, ...] = ()
    state: str | None = None
    kind: str | None = None

    @classmethod
    def of(
        cls,
        problem_kind: ProblemKind,
        message: str,
        *,
        keys: tuple[str, ...] = (),
        source: str = "body",
        receipt_id: str | None = None,
        pfr_code: str | None = None,
        signed: tuple[str, ...] = (),
        state: str | None = None,
        kind: str | None = None,
    ) -> Problem:
        """The problem of one row of the table. A PFR's code is added to 40010000."""
        code = problem_kind.code
        if pfr_code and pfr_code.isdecimal() and code == PROCESSOR_REFUSED.code:
            code += int(pfr_code)
        return cls(
            problem_kind.status,
            code,
            problem_kind.name,
            problem_kind.answer_class,
            message,
            keys,
            source,
            receipt_id,
            pfr_code,
            signed,
            state,
            kind,
        )


def problem_to_json(problem: Problem) -> dict[str, Any]:
    validation: dict[str, Any] = {}
    if problem.keys:
        validation[problem.source] = {
            "source": problem.source,
            "keys": list(problem.keys),
            "message": problem.message,
        }
    body: dict[str, Any] = {
        "code": problem.code,
        "errorCode": problem.code,
        "name": problem.name,
        "class": problem.answer_class.value,
        "message": problem.message,
        "validation": validation,
    }
    if problem.receipt_id is not None:
        body["receiptId"] = problem.receipt_id
    if problem.pfr_code is not None:
        body["pfrCode"] = problem.pfr_code
    if problem.signed:
        body["signed"] = list(problem.signed)
    if problem.state is not None:
        body["state"] = problem.state
    if problem.kind is not None:
        body["kind"] = problem.kind
    return body


def problem_from_json(status: int, body: object) -> Problem | None:
    """The problem in an error body, or None when the body has another shape."""
    if not isinstance(body, Mapping):
        return None
    try:
        answer_class = AnswerClass(body["class"])
        code = body["code"]
        message = body["message"]
    except (KeyError, ValueError):
        return None
    if isinstance(code, bool) or not isinstance(code, int) or not isinstance(message, str):
        return None
    return Problem(
        status=status,
        code=code,
        name=str(body.get("name", "")),
        answer_class=answer_class,
        message=message,
        keys=_keys(body.get("validation")),
        receipt_id=_text(body.get("receiptId")),
        pfr_code=_text(body.get("pfrCode")),
        signed=_texts(body.get("signed")),
        state=_text(body.get("state")),
        kind=_text(body.get("kind")),
    )


def _keys(validation: object) -> tuple[str, ...]:
    for part in validation.values() if isinstance(validation, Mapping) else ():
        keys = part.get("keys") if isinstance(part, Mapping) else None
        if isinstance(keys, list):
            return _texts(keys)
    return ()


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
