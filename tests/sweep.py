"""Tries many cases of one idea in one test, and reports every one that fails.

It works as `pytest.mark.parametrize`, but in one test: all cases share its fixtures, so a case must
leave nothing behind that another could see.
"""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import combinations, product
from typing import Any

import hypothesis
import pytest

LONG = pytest.mark.long
"""Tests that `make faults` runs and `make test` leaves out."""
_CASES = "__cases__"
_PARAM = type(pytest.param())

Test = Callable[..., Any]
Case = dict[str, Any]


def each(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Run the test once for each case; several of these make every combination.

    names: one name, or several, of parameters that are given by the cases.
    """
    several = isinstance(names, tuple)
    told = names if isinstance(names, tuple) else (names,)
    given = [one.values if isinstance(one, _PARAM) else one if several else (one,) for one in cases]
    rows = [dict(zip(told, values, strict=True)) for values in given]
    assert rows, "nothing to try"

    def made(test: Test) -> Test:
        inner: Test = getattr(test, "__wrapped__", test) if hasattr(test, _CASES) else test
        every = [row | other for row in rows for other in getattr(test, _CASES, [{}])]
        swept = _coroutine(inner, every) if inspect.iscoroutinefunction(inner) else None
        swept = swept or _function(inner, every)
        parameters = inspect.signature(inner).parameters
        left = [one for name, one in parameters.items() if name not in every[0]]
        assert len(left) == len(parameters) - len(every[0]), "a name that the test doesn't take"
        vars(swept)[_CASES] = every
        vars(swept)["__signature__"] = inspect.Signature(left)
        return swept

    return made


def examples(many: int, *, share: int = 4) -> int:
    """The `max_examples` of a property: all in `make faults`, a quarter (or another share) in `make
    test`."""
    is_house = hypothesis.settings.get_current_profile_name() == "house"
    return many // share if is_house else many


def sampled(cases: Iterable[Any], few: int = 1) -> list[Any]:
    """Cases for `parametrize`: the first few run in `make test`, the others in `make faults`
    alone."""
    return [
        pytest.param(*_values(case), marks=() if number < few else LONG)
        for number, case in enumerate(cases)
    ]


def turns(names: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """Cases for `parametrize`: `make test` runs each name with one of the others, `make faults`
    with all."""
    behind = list(others)
    return [
        pytest.param(name, other, marks=() if place == number % len(behind) else LONG)
        for number, name in enumerate(names)
        for place, other in enumerate(behind)
    ]


def diagonals(names: Sequence[Any], others: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Each name with each of the others, in an order in which neighbours differ in both: it is for
    the others of `turns`, which takes the first ones."""
    return [
        (name, others[(place + step) % len(others)])
        for step in range(len(others))
        for place, name in enumerate(names)
    ]


def alternated(metafunc: pytest.Metafunc, fixture: str, kinds: Sequence[str]) -> None:
    """Give each test that asks for a fixture all its kinds: `make test` runs the tests of a module
    with one kind each, in turns, `make faults` with all. It is for `pytest_generate_tests`."""
    if fixture in metafunc.fixturenames:
        turn = [*vars(metafunc.module)].index(metafunc.function.__name__) % len(kinds)
        given = [
            pytest.param(kind, marks=() if place == turn else LONG)
            for place, kind in enumerate(kinds)
        ]
        metafunc.parametrize(fixture, given, indirect=True)


def pairs(*axes: Iterable[Any]) -> list[Any]:
    """Cases for `parametrize`: every combination, one value of each axis (or several, as a tuple).

    `make test` runs as few of them as have every pair of values of two axes; `make faults` runs
    all.
    """
    every = list(product(*map(list, axes)))
    left = {pair for row in every for pair in _pairs_of(row)}
    chosen = set()
    while left:
        best = max(every, key=lambda row: len(left.intersection(_pairs_of(row))))
        left.difference_update(_pairs_of(best))
        chosen.add(best)
    return [
        pytest.param(
            *[one for value in row for one in _values(value)], marks=() if row in chosen else LONG
        )
        for row in every
    ]


def together(cases: Iterable[Any], *, apart: int = 0) -> list[Any]:
    """Cases for `parametrize`, made of those of `turns` or `pairs`: lists of cases that one test
    tries.

    The first value is a list: of the values of a case before its last `apart`, as a tuple when they
    are several. Cases that differ in the last ones, or in whether they are long, are in different
    lists.
    """
    lists: dict[Any, list[Any]] = {}
    for case in cases:
        is_long = any(mark.name == "long" for mark in case.marks)
        many = len(case.values) - apart
        tried, other = case.values[:many], case.values[many:]
        lists.setdefault((is_long, other), []).append(tried if many > 1 else tried[0])
    return [
        pytest.param(some, *other, marks=LONG if is_long else ())
        for (is_long, other), some in lists.items()
    ]


def _values(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)


def _pairs_of(row: tuple[Any, ...]) -> set[Any]:
    return set(combinations(enumerate(row), min(2, len(row))))


def _function(test: Test, cases: list[Case]) -> Test:
    @functools.wraps(test)
    def swept(**shared: Any) -> None:
        faults = []
        for case in cases:
            try:
                test(**shared, **case)
            except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - told below
                faults.append(_told(case, error))
        _end(faults, len(cases))

    return swept


def _coroutine(test: Callable[..., Awaitable[None]], cases: list[Case]) -> Test:
    @functools.wraps(test)
    async def swept(**shared: Any) -> None:
        faults = []
        for case in cases:
            try:
                await test(**shared, **case)
            except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - told below
                faults.append(_told(case, error))
        _end(faults, len(cases))

    return swept


def _told(case: Case, error: BaseException) -> str:
    """The case, its error, and the line of code."""
    values = ", ".join(f"{name}={value!r}" for name, value in case.items())
    place = traceback.extract_tb(error.__traceback__)[-1]
    lines = "".join(traceback.format_exception_only(error)).rstrip()
    return f"- {values}\n  {place.filename}:{place.lineno}: {lines}"


def _end(faults: list[str], tried: int) -> None:
    if faults:
        told = "\n".join(faults)
        pytest.fail(f"{len(faults)} of {tried} cases are wrong:\n{told}", pytrace=False)
