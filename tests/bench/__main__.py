"""The figures of this machine, each beside its target: `make bench`, `python -m tests.bench`.

It measures and judges nothing: its exit status is 0 whatever the figures are. A figure that misses
its target is marked. cpu, fsync and load beside each one are the machine's own, taken when its
part began (fixed loop of Python; 4 KiB made durable; load average), so that machines compare.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from tests.bench import catalogue, local_api, machine, starts, storage
from tests.bench.figures import Figure, head
from tests.bench.place import FULL, QUICK, Place, opened, write_lists
from tests.e2e.shop import Program

_TILL = ("scans", "searches", "sales", "storm")
_ALL = ("commits", "import", "start", *_TILL, "api", "lookups")
_EXTRA = ("catalogue",)
_PART_SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the bench; `words` is its headline."""

    words: str
    measure: Callable[[Place], Iterator[Figure]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures as they come; 0."""
    given = _parser().parse_args(arguments)
    size = QUICK if given.quick else FULL
    if given.articles:
        size = replace(size, articles=given.articles)
    wanted = tuple(given.only) if given.only else _ALL
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC · {machine.described()}")
    print(head(), flush=True)
    missed = total = 0
    with opened(size, keep=given.keep) as place:
        for part in _parts(place, wanted):
            print(f"{part.words}", flush=True)
            reference = machine.measure(place.folder)
            for figure in part.measure(place):
                print(figure.beside(figure.reference or reference), flush=True)
                total += figure.target is not None
                missed += figure.mark == "MISSED"
    print(f"{total - missed} of {total} targets reached; load average {machine.load():.1f}")
    return 0


def _parts(place: Place, wanted: Sequence[str]) -> Iterator[Part]:
    """What is measured, in order; the catalogue is filled before the first that needs it."""
    if "commits" in wanted:
        yield Part("storage", storage.commits)
    if set(wanted) - {"commits", "catalogue"}:
        write_lists(place)
        yield Part("catalogue", Place.import_list)
    if "start" in wanted:
        yield Part("start", starts.measure)
    plan = [name for name in _TILL if name in wanted]
    if plan:
        yield Part("till", lambda place: window(place, plan))
    if "api" in wanted:
        yield Part("local API", local_api.measure)
    if "lookups" in wanted:
        yield Part("look-ups", storage.look_ups)
    if "catalogue" in wanted:
        yield Part("catalogue by itself", _catalogue)


def window(place: Place, plan: Sequence[str]) -> Iterator[Figure]:
    """What the till's process tells while it carries out its plan."""
    program = place.window(*plan)
    told = 0
    while not program.is_over or program.lines("figure")[told:]:
        for line in _further(program, told):
            told += 1
            yield Figure.from_json(" ".join(line[1:]))
    if program.wait() != 0:
        raise RuntimeError(f"the window ended early:\n{program.errors()}")


def _further(program: Program, told: int) -> list[list[str]]:
    """The figures after so many, once there are any; none when the program has ended."""
    program.until(lambda: program.lines("figure")[told:] or program.is_over, seconds=_PART_SECONDS)
    return program.lines("figure")[told:]


def _catalogue(place: Place) -> Iterator[Figure]:
    for one in catalogue.figures(place.size.articles):
        yield Figure(
            one.name, one.median, one.p99, note=f"target {one.target}" if one.target else ""
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small catalogue, few repeats")
    parser.add_argument(
        "--only", nargs="+", choices=(*_ALL, *_EXTRA), metavar="PART",
        help=f"of {', '.join((*_ALL, *_EXTRA))}",
    )  # fmt: skip
    parser.add_argument("--articles", type=int, metavar="N", help="size of the catalogue")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="measure in DIR and leave it")
    return parser


if __name__ == "__main__":
    sys.exit(main())
