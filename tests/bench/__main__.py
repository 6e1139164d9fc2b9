"""The figures of this machine, each beside its target: `make bench`, `python -m tests.bench`.

It measures and judges nothing: its exit status is 0 whatever the figures are, and 1 only when a
part could not be carried out. A figure that misses its target is marked. Beside each one stand the
machine's own, taken with it, so that machines compare: a fixed loop of Python, 4 KiB made durable
(both in ms), the load average. The same figures are written as JSON, a row each.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.bench import (
    day,
    growth,
    journal,
    local_api,
    machine,
    peers,
    platform_lists,
    receipts,
    relay,
    starts,
    synchronise,
)
from tests.bench.figures import Figure, NotMeasured, head
from tests.bench.place import FULL, QUICK, Place, opened, write_lists

_TILL = ("scans", "searches", "table", "sales", "storm")
"""Parts that share one window."""
_WRITTEN = Path(__file__).parents[2] / "build" / "bench.json"


@dataclass(frozen=True, slots=True)
class Part:
    """sells: it needs the articles of the whole run."""

    words: str
    measure: Callable[[Place], Iterator[Figure]]
    sells: bool = True


PARTS = {
    "commits": Part("storage", journal.commits, sells=False),
    "import": Part("catalogue", Place.import_list),
    "start": Part("start", starts.measure),
    **dict.fromkeys(_TILL, Part("till", lambda place: place.figures(*_TILL))),
    "api": Part("local API", local_api.measure),
    "peers": Part("peers", peers.measure),
    "backup": Part("a backup", journal.while_backed_up),
    "journal": Part("a full journal", journal.measure),
    "receipts": Part("the list of receipts", receipts.measure),
    "platform": Part("the platform's lists", platform_lists.measure, sells=False),
    "relay": Part("public mode", relay.measure, sells=False),
    "sync": Part("synchronisation with a platform", synchronise.measure, sells=False),
}
GROWTH = {
    "growth-articles": Part("growth by articles", growth.by_articles, sells=False),
    "growth-receipts": Part("growth by stored receipts", growth.by_receipts, sells=False),
    "growth-lines": Part("growth by lines", growth.by_lines),
    "growth-tills": Part("growth by connected tills", growth.by_tills, sells=False),
}
EXTRA = {**GROWTH, "day": Part("a day", day.measured)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures as they come. Returns 1 when a part gave no figure, else 0."""
    given = _parser().parse_args(arguments)
    wanted = [part for one in given.only for part in (GROWTH if one == "growth" else (one,))]
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC · {machine.described()}")
    print(head(), flush=True)
    tally = Tally(given.json)
    with opened(QUICK if given.quick else FULL) as place:
        for part in _parts(place, wanted):
            print(part.words, flush=True)
            _tell(part, place, tally)
    print(f"{tally}; load average {machine.load():.1f}")
    return 1 if tally.broken else 0


@dataclass
class Tally:
    """The figures of a run, and how many have a target, how many miss it, and how many parts could
    not be carried out. They are written to `path` as they come."""

    path: Path
    asked: int = 0
    missed: int = 0
    broken: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)

    def add(self, part: Part, figure: Figure) -> None:
        self.asked += figure.target is not None
        self.missed += figure.mark == "MISSED"
        self.rows.append({"part": part.words, **figure.row()})
        self.path.parent.mkdir(parents=True, exist_ok=True)
        told = json.dumps({"rows": self.rows}, ensure_ascii=False, indent=1)
        self.path.write_text(told + "\n", encoding="utf-8")

    def __str__(self) -> str:
        words = f"{self.asked - self.missed} of {self.asked} targets reached"
        return words + (f", {self.broken} parts NOT MEASURED" if self.broken else "")


def _tell(part: Part, place: Place, tally: Tally) -> None:
    """Print the figures of a part as they come. A part that can't be carried out ends no other."""
    try:
        for figure in part.measure(place):
            told = figure.beside(figure.reference or machine.measure(place.folder))
            print(told, flush=True)
            tally.add(part, told)
    except NotMeasured as error:
        tally.broken += 1
        print(f"NOT MEASURED: {error}", flush=True)
    except Exception:
        tally.broken += 1
        print(f"NOT MEASURED:\n{traceback.format_exc()}", flush=True)


def _parts(place: Place, wanted: Sequence[str]) -> Iterator[Part]:
    every, till = PARTS | EXTRA, [name for name in _TILL if name in wanted]
    sells = any(every[name].sells for name in wanted)
    for name, part in every.items():
        if name == "import" and sells:
            write_lists(place)
            yield part
        elif name in till[:1]:
            yield replace(part, measure=lambda place: place.figures(*till))
        elif name in wanted and name not in till:
            yield part


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small catalogue, few repeats")
    extra = (*EXTRA, "growth")
    parser.add_argument(
        "--only",
        nargs="+",
        default=list(PARTS),
        choices=(*PARTS, *extra),
        metavar="PART",
        help=f"of {', '.join(PARTS)}; and, in no run by itself, {', '.join(extra)}",
    )
    parser.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        default=_WRITTEN,
        help="where the figures are written; build/bench.json",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
