"""A shop of real programs with a large assortment, in which everything is measured."""

from __future__ import annotations

import json
import os
import random
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench import assortment
from tests.bench.figures import TOLD, Figure, NotMeasured, Target

if TYPE_CHECKING:
    from tests.e2e.shop import Program, Shop

IMPORT_SECONDS = 1800.0
_PLAN_SECONDS = 1800.0
"""The time within which the window reports its next figure."""
_CODES = 6000
CHANGED_SHARE = 0.4
"""The share of products that the newer list changes."""


@dataclass(frozen=True, slots=True)
class Size:
    """The amounts of a run. starts, scans, sales, storm, receipts: repeats.

    stored: receipts that the journal holds already, from few to many; backed_up: the same for a
    backup, some 2.4 KB each. turns: of ours and a bare skeleton. lines: of carts and sales; carts:
    repeats of them. day: sales of a day; grown_articles, grown_receipts, grown_tills: sizes from
    few to many. many_tills: from this number, they are also measured on PostgreSQL. tills: those
    connected to the platform; loaded: seconds that a load of it lasts; idle: seconds in which they
    do nothing.
    """

    articles: int = 100_000
    starts: int = 9
    scans: int = 600
    rounds: int = 3
    sales: int = 30
    felt: int = 12
    storm: int = 5_000
    receipts: int = 400
    commits: int = 500
    stored: tuple[int, ...] = (0, 100_000, 2_000_000)
    backed_up: int = 400_000
    turns: int = 3
    lines: tuple[int, ...] = (1, 10, 50, 100, 200, 500)
    carts: int = 5
    day: int = 2_000
    grown_articles: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)
    grown_receipts: tuple[int, ...] = (10_000, 100_000, 500_000, 2_000_000)
    grown_tills: tuple[int, ...] = (1, 10, 100, 1_000, 10_000)
    many_tills: int = 1_000
    tills: int = 1_000
    loaded: float = 12.0
    idle: float = 40.0


FULL = Size()
QUICK = Size(
    articles=1_000,
    starts=1,
    scans=20,
    rounds=1,
    sales=2,
    felt=1,
    storm=100,
    receipts=20,
    commits=20,
    stored=(0, 600),
    backed_up=300,
    turns=1,
    lines=(1, 5),
    carts=1,
    day=4,
    grown_articles=(700,),
    grown_receipts=(900,),
    grown_tills=(1, 10),
    many_tills=10,
    tills=10,
    idle=0.3,
    loaded=0.3,
)


@dataclass
class Place:
    """shop: its data folder holds the catalogue. lists: the assortment, and a newer one."""

    size: Size
    folder: Path
    shop: Shop
    lists: tuple[Path, Path]
    codes: Path
    _processor: Program | None = None

    @property
    def data(self) -> Path:
        return self.shop.data

    def processor(self) -> Program:
        """The processor, in a process of its own; it is started when it is first needed."""
        if self._processor is None:
            shop = self.shop
            words = ["-m", "tests.bench.processor", "--data", str(shop.folder / "pfr")]
            words += ["--port", str(shop.processor_port), "--control-port", str(shop.control_port)]
            program = shop.run(*words, name="processor")
            program.until(lambda: program.lines("http"))
            self._processor = program
        return self._processor

    def server(self) -> Program:
        """The server alone, with its processor."""
        self.processor()
        server = self.shop.server()
        if server.is_over:
            raise NotMeasured(f"the server did not start: {server.errors()}")
        return server

    def window(self, *plan: str) -> Program:
        """The till's window in a process of its own, which carries out a plan."""
        self.processor()
        given = {
            "data": str(self.data),
            "codes": [ean for ean, _ in json.loads(self.codes.read_text())],
            "newer": str(self.lists[1]),
            "size": asdict(self.size),
            "control": f"http://127.0.0.1:{self.shop.control_port}",
        }
        return self.shop.run("-m", "tests.bench.window", json.dumps(given), *plan, name="window")

    def figures(self, *plan: str) -> Iterator[Figure]:
        """The figures that the till's process reports while it carries out its plan."""
        program = self.window(*plan)
        told = 0
        is_over = False
        while not is_over:
            program.until(partial(_has_more, program, told), seconds=_PLAN_SECONDS)
            is_over = program.is_over
            if is_over:
                program.wait()  # its last lines are read now
            lines = figure_lines(program)[told:]
            told += len(lines)
            yield from map(Figure.from_json, lines)
        if program.child.returncode != 0:
            raise NotMeasured(f"the window ended early:\n{program.errors()}")

    def import_list(self) -> Iterator[Figure]:
        articles = self.size.articles
        limit = Target(10_000, 10_000) if articles == FULL.articles else None
        for name, target in (
            ("first synchronisation of so many articles", limit),
            ("second synchronisation, nothing changed", None),
        ):
            figure = Figure.single(name, self.synchronised(str(self.lists[0])), target=target)
            yield replace(figure, size=articles)

    def synchronise(self, *source: str) -> Program:
        """Begin to bring articles from a file, or from the shop's platform."""
        words = ("-m", "pos_app", "sync", *source, "--data", str(self.data))
        return self.shop.run(*words, name="sync")

    def synchronised(self, *source: str) -> float:
        """Milliseconds of a synchronisation."""
        began = time.perf_counter()
        program = self.synchronise(*source)
        if program.wait(IMPORT_SECONDS) != 0:
            raise NotMeasured(f"the catalogue was not filled: {program.told[-3:]}")
        return 1000 * (time.perf_counter() - began)


def figure_lines(program: Program) -> list[str]:
    """The figures that a program has reported until now."""
    lines = [line for _, line in list(program.told)]
    return [line.removeprefix(TOLD) for line in lines if line.startswith(TOLD)]


def _has_more(program: Program, told: int) -> bool:
    return program.is_over or len(figure_lines(program)) > told


@contextmanager
def opened(size: Size) -> Iterator[Place]:
    """A shop to measure in."""
    # The window's process, which is measured, does not need these.
    from tests.e2e.shop import Shop
    from tests.ports import free_ports

    folder = Path(tempfile.mkdtemp(prefix="pos-app-bench-"))
    _as_installed(folder)
    port, processor_port, control_port = free_ports(3)
    shop = Shop(folder / "shop", port, processor_port, control_port)
    shop.data.mkdir(parents=True, exist_ok=True)
    (shop.data / "settings.toml").write_text(f"[server]\nport = {shop.port}\n", encoding="utf-8")
    lists = (folder / "list.json", folder / "newer.json")
    try:
        yield Place(size, folder, shop, lists, folder / "codes.json")
    finally:
        shop.close()
        shutil.rmtree(folder, ignore_errors=True)


def _as_installed(folder: Path) -> None:
    """Measured programs find their bytecode, as after an installation by pip; the first one writes
    it. Where the sources are to get none, it is written into the folder that is measured in."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")


def write_lists(place: Place, *, newer: bool = True) -> None:
    """Write the assortment, the same with many other prices, and the codes to scan."""
    assortment.write(place.lists[0], place.size.articles)
    if newer:
        _change_prices(*place.lists)
    place.codes.write_text(json.dumps(_codes(place.size.articles)), encoding="utf-8")


def _change_prices(old: Path, newer: Path) -> None:
    chance = random.Random(1)
    with old.open("rb") as lines, newer.open("wb") as file:
        for line in lines:
            is_new = chance.random() < CHANGED_SHARE
            file.write(line.replace(b'"price":', b'"price":1') if is_new else line)


def _codes(articles: int) -> list[list[str]]:
    """EANs and codes of articles sold by the piece, in a random order that is the same each
    time."""
    skus = [
        int(one["sku"])
        for product in assortment.products(articles)
        for one in (product["variants"] or [product])
        if one["saleUnitId"] == assortment.PIECES
    ]
    random.Random(20261120).shuffle(skus)
    return [[assortment.ean_of(sku), str(sku)] for sku in skus[:_CODES]]
