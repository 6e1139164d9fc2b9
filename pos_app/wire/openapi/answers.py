"""The possible answers of each operation: its error bodies from the table of `wire.problem`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pos_app.wire import problem
from pos_app.wire.openapi.schemas import ref

GUARD = (
    problem.MALFORMED,
    problem.UNAUTHORIZED,
    problem.FORBIDDEN,
    problem.BODY_LATE,
    problem.TOO_LARGE,
    problem.WRONG_HOST,
    problem.TOO_MANY,
    problem.BUG,
)
"""Errors that any request may meet before it reaches its operation, and a fault of ours."""
READING = (problem.OUTCOME_UNKNOWN, problem.RECEIPT_UNREADABLE)
"""Errors of a receipt that was asked for before and can't be read, now or ever."""
SIGNING = (
    problem.SCHEMA,
    problem.PROCESSOR_AWAY,
    problem.PROCESSOR_REFUSED,
    problem.PROCESSOR_NEEDS_HELP,
    problem.NO_ROOM,
    problem.STORAGE_AWAY,
    problem.CATALOGUE_DAMAGED,
    problem.KEY_BOUND,
    problem.HALF_DONE_BEFORE,
    *READING,
)
ON_A_RECEIPT = (*SIGNING, problem.NOT_FOUND)
PAIR = (*ON_A_RECEIPT, problem.PAIR_HALF_DONE)


def problems(
    cases: Iterable[problem.ProblemKind], guard: Iterable[problem.ProblemKind] = GUARD
) -> dict[str, Any]:
    """The answers of these cases by status, the codes of each named in its description."""
    by_status: dict[int, list[problem.ProblemKind]] = {}
    for case in (*cases, *guard):
        by_status.setdefault(case.status, []).append(case)
    return {str(status): _problem(by_status[status]) for status in sorted(by_status)}


def _problem(cases: list[problem.ProblemKind]) -> dict[str, Any]:
    return {"description": "; ".join(map(_case_text, cases)), **json_of("Problem")}


def _case_text(kind: problem.ProblemKind) -> str:
    more = " + the processor's code" if kind.code == problem.PROCESSOR_REFUSED.code else ""
    return f"{kind.name} {kind.code}{more} ({kind.answer_class})"


def json_of(schema: str, **more: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": {"$ref": ref(schema)}, **more}}}
