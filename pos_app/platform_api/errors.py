"""Translates exceptions into error bodies of the platform; no other module does.

Source: platform-contract.md 3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.responses import Response

from pos_app.errors import DiskFull, Invalid, MachineError, NotAllowed, NotFound, PosError
from pos_app.http_front.errors import (
    BUSY,
    BodyTooLarge,
    MalformedHeader,
    error_answer,
    header_problem,
    invalid_problem,
)
from pos_app.wire.problem import (
    BUG,
    DUPLICATE,
    FORBIDDEN,
    KEY_BOUND,
    MALFORMED,
    NO_ROOM,
    NOT_FOUND,
    PROCESSOR_AWAY,
    TOO_LARGE,
    TOO_MANY,
    UNAUTHORIZED,
    WRONG_HOST,
    Problem,
    ProblemKind,
    problem_to_json,
)
from pos_app.wire.strict_json import MalformedJson, NumberOutOfRange, dumps


class Unauthorized(PosError):
    """Credentials are missing or wrong; the answer does not say which."""


class TooFast(PosError):
    """The request has to wait. seconds: until the next try."""

    def __init__(self, kind: str = "", /, *, seconds: int, **more: Any) -> None:
        super().__init__(kind, seconds=seconds, **more)
        self.seconds = seconds


class TooManyFailures(TooFast):
    """Wrong credentials were sent too often."""


class QuotaReached(TooFast):
    """An account, or a key, has reached its limit."""


class TooManyUploads(PosError):
    """Too many files are being uploaded."""


class TooManyLists(PosError):
    """Too many large lists are being sent."""


class ScopeMissing(PosError):
    """The key is right but may not do this."""


class ForeignPage(PosError):
    """A web page of another place asked for more than to read."""


class NoHost(PosError):
    """The request does not name the platform that it asks."""


class NotBegun(PosError):
    """Surely nothing was sent; the missing part may be there later."""


class Duplicate(Invalid):
    """A value that must be unique in its account exists already."""


class NameGone(NotAllowed):
    """A product names a unit or category that was deleted. field: the member that names it."""


def problem_of(error: PosError) -> Problem:
    for kind, to_problem in _PROBLEMS:
        if isinstance(error, kind):
            return to_problem(error)
    return Problem.of(BUG, error.what)


def answer_to(error: PosError) -> Response:
    headers = {}
    if isinstance(error, Unauthorized):
        headers["WWW-Authenticate"] = 'Basic realm="platform", charset="UTF-8"'
    if isinstance(error, TooFast):
        headers["Retry-After"] = str(error.seconds)
    if isinstance(error, TooManyUploads | TooManyLists):
        headers |= BUSY
    return error_answer(problem_of(error), headers=headers)


def bug_problem() -> Problem:
    """Describe a bug. The log has the cause; the caller does not get it."""
    return Problem.of(BUG, "The platform failed by a fault of its own")


def too_many_connections() -> Problem:
    return Problem.of(TOO_MANY, "Too many connections: try again later")


def malformed_http(fault: str) -> tuple[int, bytes]:
    """Return status and body for bytes that are no HTTP request; `fault` is the parser's
    message."""
    if "Host" in fault:
        missing = fault.startswith("Missing")
        words = NoHost("missing").what if missing else 'only one "Host" may be sent'
        problem = Problem.of(WRONG_HOST, words)
    else:
        problem = Problem.of(MALFORMED, "The HTTP request is malformed")
    return problem.status, dumps(problem_to_json(problem))


def _duplicate(error: Duplicate) -> Problem:
    return Problem.of(DUPLICATE, error.what, keys=(error.field,))


def _name_gone(error: NameGone) -> Problem:
    return Problem.of(KEY_BOUND, error.what, keys=(str(error.values["field"]),))


def _simply(kind: ProblemKind) -> Callable[[PosError], Problem]:
    return lambda error: Problem.of(kind, error.what)


_PROBLEMS: tuple[tuple[type[PosError], Callable[[Any], Problem]], ...] = (
    (Unauthorized, _simply(UNAUTHORIZED)),
    (TooFast, _simply(TOO_MANY)),
    (TooManyUploads, _simply(TOO_MANY)),
    (TooManyLists, _simply(TOO_MANY)),
    (ScopeMissing, _simply(FORBIDDEN)),
    (ForeignPage, _simply(FORBIDDEN)),
    (NoHost, _simply(WRONG_HOST)),
    (NotBegun, _simply(PROCESSOR_AWAY)),
    (Duplicate, _duplicate),
    (MalformedHeader, header_problem),
    (NumberOutOfRange, invalid_problem),
    (MalformedJson, _simply(MALFORMED)),
    (Invalid, invalid_problem),
    (BodyTooLarge, _simply(TOO_LARGE)),
    (NotFound, _simply(NOT_FOUND)),
    (NameGone, _name_gone),
    (NotAllowed, _simply(KEY_BOUND)),
    (DiskFull, _simply(NO_ROOM)),
    (MachineError, _simply(BUG)),
)
"""The first class that fits counts: NumberOutOfRange is a MalformedJson, and that is an Invalid;
DiskFull is a MachineError."""
