"""The possible answers of each operation: its error bodies from the table of `wire.problem`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pos_app.wire.openapi.schemas import ref
from pos_app.wire.problem import (
    BODY_LATE,
    BUG,
    CATALOGUE_DAMAGED,
    FORBIDDEN,
    HALF_DONE_BEFORE,
    KEY_BOUND,
    MALFORMED,
    NO_ROOM,
    NOT_FOUND,
    OUTCOME_UNKNOWN,
    PAIR_HALF_DONE,
    PROCESSOR_AWAY,
    PROCESSOR_NEEDS_HELP,
    PROCESSOR_REFUSED,
    RECEIPT_UNREADABLE,
    SCHEMA,
    STORAGE_AWAY,
    TOO_LARGE,
    TOO_MANY,
    UNAUTHORIZED,
    WRONG_HOST,
    ProblemKind,
)

GUARD = (MALFORMED, UNAUTHORIZED, FORBIDDEN, BODY_LATE, TOO_LARGE, WRONG_HOST, TOO_MANY, BUG)
"""Errors that any request may meet before it reaches its operation, and a fault of ours."""
READING = (OUTCOME_UNKNOWN, RECEIPT_UNREADABLE)
"""Errors of a receipt that was asked for before and can't be read, now or ever."""
SIGNING = (
    SCHEMA,
    PROCESSOR_AWAY,
    PROCESSOR_REFUSED,
    PROCESSOR_NEEDS_HELP,
    NO_ROOM,
    STORAGE_AWAY,
    CATALOGUE_DAMAGED,
    KEY_BOUND,
    HALF_DONE_BEFORE,
    *READING,
)
ON_A_RECEIPT = (*SIGNING, NOT_FOUND)
PAIR = (*ON_A_RECEIPT, PAIR_HALF_DONE)


def problems(cases: Iterable[ProblemKind], guard: Iterable[ProblemKind] = GUARD) -> dict[str, Any]:
    """The answers of these cases by status, the codes of each named in its description."""
    by_status: dict[int, list[ProblemKind]] = {}
    for case in (*cases, *guard):
        by_status.setdefault(case.status, []).append(case)
    return {str(status): _problem(by_status[status]) for status in sorted(by_status)}


def _problem(cases: list[ProblemKind]) -> dict[str, Any]:
    return {"description": "; ".join(map(_told, cases)), **json_of("Problem")}


def _told(case: ProblemKind) -> str:
    more = " + the processor's code" if case.code == PROCESSOR_REFUSED.code else ""
    return f"{case.name} {case.code}{more} ({case.answer_class})"


def json_of(schema: str, **more: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": {"$ref": ref(schema)}, **more}}}
