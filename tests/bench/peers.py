"""Compares the product with the bare skeletons that the limit stands for, in one run.

The skeletons are a window with two lists over SQLite (`bare`), and an HTTP server that echoes
(`echo`). Both sides are measured in turns and in the same way, so that a ratio means the same on
any machine; each row is the median of all turns. p99 of a ratio is that of the two p99.

The bare window reads no article before the first scan, which shows the time of Python and Qt alone.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import apsw

from tests.bench import assortment, bare, machine
from tests.bench.figures import Figure, NotMeasured, Target
from tests.bench.local_api import serving
from tests.bench.place import Place, opened, write_lists
from tests.bench.searches import CYRILLIC, LATIN
from tests.bench.starts import milliseconds_to_scan, till_start
from tests.ports import free_port

_FEW_ARTICLES = 10_000
_SEARCH = "search, each key stroke → rows painted, "
_SHOWN = {
    "scan → row painted": Target(2.3),
    **{
        f"{_SEARCH}{script}, as {shape}": Target(most)
        for shape, most in (("tiles", 0.8), ("list", 2.3))
        for script in ("latin", "cyrillic")
    },
}
_PAID = {
    "pay key → ready for the next scan": 4.5,
    "pay key → receipt signed and shown, processor at 0 ms": 30,
}


@dataclass
class Pairs:
    """The figures of each turn. target: the goal of the ratio."""

    name: str
    peer: str
    target: Target | None = None
    unit: str = "ms"
    ours: list[Figure] = field(default_factory=list)
    theirs: list[Figure] = field(default_factory=list)

    def add(self, ours: Figure, theirs: Figure) -> None:
        self.ours.append(ours)
        self.theirs.append(theirs)

    def figures(self) -> Iterator[Figure]:
        ratios = [
            (one.median / other.median, one.p99 / other.p99)
            for one, other in zip(self.ours, self.theirs, strict=True)
        ]
        median, p99 = (statistics.median(column) for column in zip(*ratios, strict=True))
        name = f"{self.name} ÷ {self.peer}"
        yield Figure(name, median, p99, "×", self.target, count=sum(one.count for one in self.ours))
        for who, figures in (("ours", self.ours), (self.peer, self.theirs)):
            medians, p99s = [one.median for one in figures], [one.p99 for one in figures]
            both = statistics.median(medians), statistics.median(p99s)
            yield Figure(f"  {who}", *both, self.unit, count=sum(one.count for one in figures))


def measure(place: Place) -> Iterator[Figure]:
    few = min(_FEW_ARTICLES, place.size.articles)
    with opened(replace(place.size, articles=few)) as smaller:
        write_lists(smaller)
        list(smaller.import_list())
        yield from _starts(smaller)
    yield from _starts(place)
    yield from _windows(place)
    yield from _servers(place)


def fill(path: Path, products: Iterable[Mapping[str, Any]]) -> None:
    """Write the database of the bare window, with the same articles."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with closing(apsw.Connection(str(path))) as connection, connection:
        connection.execute(
            "CREATE TABLE article (row INTEGER PRIMARY KEY, ean TEXT, name TEXT);"
            "CREATE TABLE line (number INTEGER PRIMARY KEY, article INTEGER);"
            "CREATE VIRTUAL TABLE words USING fts5 (folded, content='', prefix='1 2 3',"
            " tokenize='unicode61 remove_diacritics 2')"
        )
        for product in products:
            for one in product["variants"] or [product]:
                row, ean, name = one["sku"], one["ean"], one["name"]
                connection.execute("INSERT INTO article VALUES (?, ?, ?)", (row, ean, name))
                words = f"{bare.folded(name)} {row} {ean}"
                connection.execute("INSERT INTO words (rowid, folded) VALUES (?, ?)", (row, words))
        connection.execute("CREATE INDEX by_ean ON article (ean)")


def _starts(place: Place) -> Iterator[Figure]:
    place.processor()
    fill(_bare_folder(place) / bare.FILE, assortment.products(place.size.articles))
    ours, theirs = list[float](), list[float]()
    for turn in range(place.size.starts + 1):
        mine = till_start(place)
        other = milliseconds_to_scan(place, "tests.bench.bare", _bare_folder(place))
        if turn:  # the first ones write their bytecode
            ours.append(mine)
            theirs.append(other)
    name = f"start → first scan, {place.size.articles:,} articles"
    pairs = Pairs(name, "bare window", Target(4))
    pairs.add(Figure.of("", ours), Figure.of("", theirs))
    yield from pairs.figures()


def _bare_folder(place: Place) -> Path:
    return place.folder / "bare"


def _windows(place: Place) -> Iterator[Figure]:
    shown = {name: Pairs(name, "bare window", target) for name, target in _SHOWN.items()}
    memory = Pairs("memory of the till", "bare window", Target(2.4), "MiB")
    paid = {
        name: Pairs(name, "a scan of the bare window", Target(most)) for name, most in _PAID.items()
    }
    for turn in range(place.size.turns):
        before = _bare(place) if turn % 2 else None
        ours = _ours(place)
        theirs = before or _bare(place)
        for name, pairs in shown.items():
            pairs.add(ours[name], theirs[name])
        memory.add(ours[memory.name], theirs[memory.name])
        for name, pairs in paid.items():
            pairs.add(ours[name], theirs["scan → row painted"])
    for pairs in (*shown.values(), memory, *paid.values()):
        yield from pairs.figures()


def _ours(place: Place) -> dict[str, Figure]:
    told = place.figures("idle", "searches", "own")
    return {one.name.removesuffix(", idle"): one for one in told}


def _bare(place: Place) -> dict[str, Figure]:
    codes = [ean for ean, _ in json.loads(place.codes.read_text())[: place.size.scans]]
    words = {"latin": LATIN * place.size.rounds, "cyrillic": CYRILLIC * place.size.rounds}
    plan = json.dumps({"codes": codes, "words": words})
    program = place.shop.run(
        "-m", "tests.bench.bare", "--data", str(_bare_folder(place)), "--plan", plan, name="bare"
    )
    program.until(lambda: program.lines("samples"), seconds=600)
    samples = json.loads(" ".join(program.lines("samples")[0][1:]))
    resident = machine.resident_mib(program.child.pid)
    program.stop()
    figures = [Figure.of(f"{_SEARCH}{name}", took) for name, took in samples.items()]
    scans = Figure.of("scan → row painted", samples["scan"])
    memory = Figure.single("memory of the till", resident, "MiB")
    return {one.name: one for one in (*figures, scans, memory)}


def _servers(place: Place) -> Iterator[Figure]:
    port = free_port()
    program = place.shop.run("-m", "tests.bench.echo", str(port), name="echo")
    own, echoed = list[float](), list[float]()
    door = HTTPConnection("127.0.0.1", port, timeout=30)
    with closing(door), serving(place) as server:
        _echoed(door)  # it listens long before the server does
        for _ in range(place.size.receipts):
            own.append(server.issue(1)[0].own)
            echoed.append(_echoed(door))
        memory = Pairs("memory of the server", "HTTP echo", Target(3), "MiB")
        memory.add(*(_memory(one.child.pid) for one in (server.program, program)))
    times = Pairs("POST receipts without a picture, own time", "HTTP echo", Target(25))
    times.add(Figure.of("", own), Figure.of("", echoed))
    yield from times.figures()
    yield from memory.figures()
    program.stop()


def _memory(pid: int) -> Figure:
    return Figure.single("", machine.resident_mib(pid), "MiB")


def _echoed(door: HTTPConnection) -> float:
    body = b"x" * 600
    began = time.perf_counter()
    door.request("POST", "/", body)
    answer = door.getresponse().read()
    took = (time.perf_counter() - began) * 1000
    if answer != body:
        raise NotMeasured(f"the echo answered {answer[:100]!r}")
    return took
