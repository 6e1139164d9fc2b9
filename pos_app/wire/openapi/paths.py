"""The paths of a document: a front's operations, with the description of each.

A front hands down its operations, so that no method and no path is written a second time here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pos_app.lazy_dataclass import dataclass
from pos_app.wire.openapi.answers import problems
from pos_app.wire.openapi.members import OURS
from pos_app.wire.problem import ProblemKind

Described = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Served:
    """An operation as a front serves it. name: its operationId. is_open: it needs no key."""

    name: str
    method: str
    path: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class OperationWords:
    """The description of an operation. answers: by status. cases: the problems that only this
    operation has.

    tag: its heading in a viewer. is_ours: the platform's specification does not have it.
    """

    summary: str
    answers: Mapping[str, Described]
    cases: Iterable[ProblemKind] = ()
    parameters: Sequence[Described] | None = None
    body: Described | None = None
    tag: str | None = None
    is_ours: bool = True


def paths_of(
    served: Iterable[Served],
    described: Mapping[str, OperationWords],
    *,
    identity: Described,
    guard: Iterable[ProblemKind],
    open_guard: Iterable[ProblemKind] | None = None,
) -> dict[str, Described]:
    """The paths, in the order of the operations' descriptions.

    identity: the parameter of each path that has it, unless its operation describes another. guard:
    errors that any request may meet before its operation; open_guard: the same where no key is
    needed, None for a document without keys. Raises KeyError for an operation that is served and
    not described.
    """
    order = {name: index for index, name in enumerate(described)}
    paths: dict[str, Described] = {}
    for one in sorted(served, key=lambda each: order[each.name]):
        words, path = described[one.name], paths.setdefault(one.path, {})
        own = {each["name"] for each in words.parameters or ()}
        if f"{{{identity['name']}}}" in one.path and identity["name"] not in own:
            path["parameters"] = [identity]
        is_open = one.is_open and open_guard is not None
        usual = problems(words.cases, open_guard if is_open and open_guard else guard)
        path[one.method.lower()] = _operation(one.name, words, usual, is_open=is_open)
    return paths


def _operation(name: str, words: OperationWords, usual: Described, *, is_open: bool) -> Described:
    return {
        "operationId": name,
        "summary": words.summary,
        **({"tags": [words.tag]} if words.tag else {}),
        **({"security": []} if is_open else {}),
        **({} if words.parameters is None else {"parameters": list(words.parameters)}),
        **({} if words.body is None else {"requestBody": words.body}),
        "responses": {**words.answers, **usual},
        **(OURS if words.is_ours else {}),
    }
