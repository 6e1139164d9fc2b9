"""Cases tried in one test: all are tried, and each that fails is reported."""

from __future__ import annotations

import pytest

from tests import sweep

SWEEPS = """
    import asyncio
    import pytest
    from tests.sweep import each

    tried = []

    @each("n", range(10))
    def test_one_name(n):
        tried.append(n)
        assert n not in (3, 7)

    def test_all_were_tried():
        assert tried == list(range(10))

    @each(("n", "sign"), [(1, "a"), (2, "b")])
    def test_two_names_and_a_fixture(tmp_path, n, sign):
        (tmp_path / sign).write_text(str(n))
        assert sign != "b", "sign of two"

    @each("one", [1, 2])
    @each("other", "xy")
    def test_every_combination(one, other):
        assert (one, other) != (2, "x")

    @each("n", [1, 2])
    def test_what_says_fail(n):
        pytest.fail(f"never {n}")

    @each("n", [1, 2])
    def test_an_error(n):
        raise ValueError(f"bad {n}")

    @each("n", [1, 2])
    @pytest.mark.parametrize("sign", ["a", "b"])
    def test_beside_parametrize(sign, n):
        assert sign == "a"

    @each("n", [1, 2])
    def test_all_good(n):
        assert n
"""


def test_every_case_is_tried_and_each_fault_is_told(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_sweeps=SWEEPS)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=3, failed=6)
    result.stdout.fnmatch_lines_random(
        [
            "2 of 10 cases are wrong:",
            "- n=3",
            "- n=7",
            "- n=2, sign='b'",
            "*test_sweeps.py:18: AssertionError: sign of two",
            "1 of 4 cases are wrong:",
            "- one=2, other='x'",
            "*Failed: never 1",
            "*Failed: never 2",
            "*ValueError: bad 1",
        ]
    )


@sweep.each("n", range(3))
async def test_coroutines_are_tried_too(n: int) -> None:
    assert n < 3


def test_a_part_runs_everywhere_and_the_rest_where_faults_are_tried() -> None:
    first, *others = sweep.sampled(["a", "b", "c"])
    assert (first.values, first.marks) == (("a",), ())
    told = [(one.values, *one.marks) for one in others]
    assert told == [(("b",), sweep.LONG), (("c",), sweep.LONG)]
    in_turn = sweep.turns("abc", (1, 2))
    assert [one.values for one in in_turn if not one.marks] == [("a", 1), ("b", 2), ("c", 1)]
    assert [one.values for one in in_turn if one.marks] == [("a", 2), ("b", 1), ("c", 2)]
    paired = list(sweep.pairs("abc", [(1, 2), (3, 4)], range(3)))
    short = [one.values for one in paired if not one.marks]
    assert (len(paired), len(short)) == (18, 9)
    assert {(one[0], one[3]) for one in short} == {(a, n) for a in "abc" for n in range(3)}
    assert {(one[0], one[1]) for one in short} == {(a, n) for a in "abc" for n in (1, 3)}
    assert {(one[1], one[3]) for one in short} == {(a, n) for a in (1, 3) for n in range(3)}
