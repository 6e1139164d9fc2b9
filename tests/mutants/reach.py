"""The tests that reach a line, as a run of the tests under coverage has written down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from coverage import CoverageData

UNKNOWN_SECONDS = 1.0


@dataclass
class Reach:
    """data: the coverage, with the tests as contexts. seconds: what each test takes."""

    data: CoverageData
    seconds: dict[str, float] = field(default_factory=dict)

    def tests(self, path: str, lines: Iterable[int]) -> set[str]:
        """The tests that ran one of these lines. A line that only the import of its module runs,
        as a constant, belongs to every test that ran anything of the module."""
        contexts = self.data.contexts_by_lineno(path)
        ran = _tests(contexts.get(line, ()) for line in lines)
        return ran or _tests(contexts.values())

    def chosen(
        self, path: str, lines: Iterable[int], seconds: float, *, first: str = ""
    ) -> list[str]:
        """The fastest of these tests for half of the time, and for the rest the fastest one of
        each file in turn; one that does not fit into the time keeps no other one out. first: a test
        that is put before all, if it is still there; it may reach the line in another process."""
        ran = self.tests(path, lines)
        by_time = sorted((self._took(one), one) for one in ran)
        in_file: dict[str, int] = {}
        turns: list[tuple[int, float, str]] = []
        for took, test in by_time:
            file = test.partition("::")[0]
            in_file[file] = in_file.get(file, 0) + 1
            turns.append((in_file[file], took, test))
        taken = dict[str, None].fromkeys({first} & self.seconds.keys())
        spent = sum(map(self._took, taken))
        for most, tests in ((seconds / 2, by_time), (seconds, [one[1:] for one in sorted(turns)])):
            for took, test in tests:
                if test not in taken and (not taken or spent + took <= most):
                    spent += took
                    taken[test] = None
        return list(taken)

    def _took(self, test: str) -> float:
        return self.seconds.get(test, UNKNOWN_SECONDS)


def _tests(contexts: Iterable[Iterable[str]]) -> set[str]:
    return {one.rpartition("|")[0] for each in contexts for one in each if one}
