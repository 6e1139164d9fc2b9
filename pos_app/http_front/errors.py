"""The error answer of every front. Source: platform-contract.md 3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pos_app.errors import Invalid, PosError
from pos_app.http_front.endpoint import JSON
from pos_app.wire.problem import (
    BODY_LATE,
    MALFORMED,
    NOT_FOUND,
    SCHEMA,
    WRONG_METHOD,
    Problem,
    problem_to_json,
)
from pos_app.wire.strict_json import dumps


class InvalidPart(Invalid):
    """A wrong header, query or path member. source: its kind."""

    def __init__(self, kind: str = "", /, *, field: str, source: str, **more: Any) -> None:
        super().__init__(kind, field=field, **more)
        self.source = source


class MalformedHeader(InvalidPart):
    """A header by which the body can't be read."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(kind, field=name, source="headers")


class BodyTooLarge(PosError):
    """The body is larger than allowed."""


def invalid_problem(error: Invalid, *, source: str = "body", kind: str | None = None) -> Problem:
    """Describe a violated schema, with every field at fault."""
    given = error.values.get("keys")
    keys = tuple(str(key) for key in given) if isinstance(given, tuple) else (error.field,)
    if isinstance(error, InvalidPart):
        source = error.source
    return Problem.of(SCHEMA, error.what, keys=tuple(filter(None, keys)), source=source, kind=kind)


def header_problem(error: MalformedHeader) -> Problem:
    return Problem.of(MALFORMED, error.what, keys=(error.field,), source=error.source)


def http_problem(error: HTTPException) -> Problem:
    if error.status_code == HTTPStatus.NOT_FOUND:
        return Problem.of(NOT_FOUND, "Not found")
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return Problem.of(WRONG_METHOD, "Method not allowed")
    return Problem.of(MALFORMED, error.detail)


BUSY = {"Retry-After": "5"}
"""Headers of an answer that asks for a later try, in seconds."""


def error_answer(
    problem: Problem, *, state: str | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    shown = problem if state is None else replace(problem, state=state)
    return Response(dumps(problem_to_json(shown)), problem.status, headers, JSON)


def late_body() -> tuple[int, bytes]:
    """Return status and body for a request whose body did not arrive whole in time, or ended
    early."""
    problem = Problem.of(BODY_LATE, "The body did not arrive whole: nothing was done")
    return problem.status, dumps(problem_to_json(problem))


async def unrouted(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return error_answer(http_problem(error), headers=error.headers)


async def disconnected(request: Request, error: Exception) -> Response:
    return Response(status_code=400)
