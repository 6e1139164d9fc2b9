"""A whole shop in one process, on its real files: processor, server, till and platform.

Each program is made of the objects that it is made of in its own process, and joined to the others
by `FaultyTransport`. A kill keeps the files as they are at that moment, drops the objects, and lets
the program be opened again from these files; nothing that the objects do at their end counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from hypothesis.stateful import RuleBasedStateMachine

from pos_app import settings
from pos_app.adapters.clock import SYSTEM_CLOCK, SystemClock
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.bootstrap.server.server import AskedBefore, Outside, open_shop
from pos_app.bootstrap.till.core import TillCore, open_till_core
from pos_app.clock import Clock
from pos_app.domain.article.article import Article, Barcode, Marks
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.keep_running import keep_running
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.processor import Processor
from pos_app.selling.catalogue.catalogue import create_for_code
from pos_app.selling.sale import checkout, sell
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import Ticket
from tests.fakes.people_here import quick
from tests.fakes.power import Disk
from tests.fakes.processor_key import give_key
from tests.gui.window.shop import demo_catalogue
from tests.shop.ledger import Judge
from tests.shop.lines import Door, Fate, FaultyTransport, connection
from tests.shop.paper import Line, Papers
from tests.shop.platform import Platform

CASHIER = "Мира"
NO_PAPER = checkout.ReceiptDetails(ReceiptDelivery())
PIN = "1234"
"""The manager's PIN of each shop."""
BREAD, MILK, CASE, WEIGHED = "8609910700134", "8609951100139", "5901234123457", "2000016015607"
UNKNOWN = "8600999000014"
OWN, COUNTED = "2000012000010", "2100001000035"
"""A shop's own number that looks as a scale's label, and a label of three pieces of bread."""
CASE_OF = 6
"""The pieces of milk that the code of a case stands for."""
PROCESSOR_URL = "http://127.0.0.1:9998"
QUIET_SECONDS = 0.4
_OF_SERVER = ("journal", "receipt-index", "witness.json")
_OF_TILL = ("till", "catalogue")
_IN_COPY = ("journal", "receipt-index", "till")
_PATIENCE = 20.0


class PersonsClock(SystemClock):
    """The machine's clock, which also goes on by what a person is said to have waited."""

    def __init__(self) -> None:
        self._ahead = 0
        self._due: dict[asyncio.Event, int] = {}
        """What a pause waits for, with the ticks at which it is over."""

    def go_on(self, milliseconds: int) -> None:
        self._ahead += milliseconds
        now = self.ticks()
        for over, end in self._due.items():
            if end <= now:
                over.set()

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(milliseconds=self._ahead)

    def seconds(self) -> float:
        return super().seconds() + self._ahead / 1000

    def ticks(self) -> int:
        return super().ticks() + self._ahead

    async def pause(self, milliseconds: int, *, until: asyncio.Event) -> None:
        over = asyncio.Event()
        self._due[over] = self.ticks() + milliseconds
        try:
            await _first(until, over, seconds=milliseconds / 1000)
        finally:
            del self._due[over]


@dataclass
class World:
    """folder: holds the till's and server's data, and the processor's. clock: the till's.
    server_clock: the server's and the processor's."""

    folder: Path
    clock: Clock = field(default_factory=PersonsClock)
    server_clock: Clock = SYSTEM_CLOCK
    server: Door = field(default_factory=Door)
    processor: Door = field(default_factory=Door)
    to_server: deque[Fate] = field(default_factory=deque)
    to_processor: deque[Fate] = field(default_factory=deque)
    dice: Callable[[str], Fate | None] = lambda method: None
    hits: Counter[str] = field(default_factory=Counter)
    core: TillCore | None = None
    disk: Disk | None = None
    """What the programs wrote, and what of it a power cut leaves."""
    papers: Papers = field(default_factory=Papers)
    _lines: list[FaultyTransport] = field(default_factory=list)
    _to_printer: Line = field(init=False)
    _stop: asyncio.Event = field(default_factory=asyncio.Event)
    _serving: asyncio.Task[None] | None = None
    _outbox: asyncio.Task[None] | None = None
    _signer: Processor | None = None
    _until_till_ends: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def __post_init__(self) -> None:
        self.platform = Platform(self.folder / "platform", self.dice, self.hits, self.clock.now)

    @property
    def data(self) -> Path:
        return self.folder / "shop"

    @property
    def ledger(self) -> Path:
        return self.folder / "processor"

    @property
    def till_core(self) -> TillCore:
        assert self.core is not None
        return self.core

    # --- the processor ---------------------------------------------------------------------------

    def open_processor(self) -> None:
        self._signer = Processor.open(folder=self.ledger, clock=self.server_clock.now)
        self.processor.app = create_app(self._signer)

    async def _close_processor(self) -> None:
        await self.processor.drop()
        if self._signer is not None:
            self._signer.close()

    # --- the server ------------------------------------------------------------------------------

    async def open_server(self) -> None:
        assert self._serving is None
        ready = asyncio.Event()
        self._stop = asyncio.Event()
        self._serving = asyncio.create_task(self._serve(ready, self._stop), name="server")
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait({self._serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._serving.done():
            self._serving.result()

    async def _serve(self, ready: asyncio.Event, stop: asyncio.Event) -> None:
        """Serve the shop until it is stopped; open it anew where a manager changed its settings."""
        asked = AskedBefore()
        while not stop.is_set():
            line = self._line(self.processor, self.to_processor)
            self._to_printer = Line(self.papers)
            again = asyncio.Event()

            def reopen(port: int | None, again: asyncio.Event = again) -> None:
                again.set()

            async with contextlib.AsyncExitStack() as stack:
                app, _ = await open_shop(
                    settings.load(self.data),
                    stack,
                    stop,
                    reopen,
                    asked,
                    for_till=True,
                    outside=Outside(self.server_clock, line, self._to_printer),
                )
                self.server.app = app
                ready.set()
                await _first(stop, again)
                await self.server.drop()

    async def start_server_again(self) -> None:
        """Start a server that ended by itself because no till was heard, as the till does that
        reaches none."""
        if self._serving is not None and self._serving.done():
            await self.close_server()
            await self.open_server()

    async def close_server(self, *, is_killed: bool = False) -> None:
        """End the server; a killed one leaves its files as they are now."""
        if self._serving is None:
            return
        kept = self._files(_OF_SERVER, "kept server") if is_killed else None
        if is_killed:
            self._cut(self.processor)
            self._to_printer.is_cut = True
        self._stop.set()
        await self.server.drop()
        async with asyncio.timeout(_PATIENCE):
            await self._serving
        self._serving = None
        self._cut(self.processor)
        if kept is not None:
            self._put(kept, _OF_SERVER)

    # --- the till --------------------------------------------------------------------------------

    def open_till(self) -> TillCore:
        """Open the till's core. The outbox is started by `start_outbox`."""
        opened = open_till_core(
            settings.load(self.data),
            clock=self.clock,
            connect=lambda: connection(self._line(self.server, self.to_server)),
        )
        self.core = self._until_till_ends.enter_context(opened)
        return self.core

    def start_outbox(self) -> None:
        work = keep_running(self.till_core.outbox.run, "the outbox")
        self._outbox = asyncio.get_event_loop().create_task(work, name="outbox")

    def till_files(self) -> Path:
        """Keep the till's files as they are now, for `close_till` of a killed till."""
        self._cut(self.server)
        return self._files(_OF_TILL)

    async def kill_till(self) -> None:
        await self.close_till(kept=self.till_files())

    async def close_till(self, *, kept: Path | None = None) -> None:
        """End the till's core. kept: the files that a killed till left."""
        if self.core is None:
            return
        if self._outbox is not None:
            self._outbox.cancel()
            await asyncio.gather(self._outbox, return_exceptions=True)
        await self.core.let_go()
        self._until_till_ends.close()
        self._cut(self.server)
        self.core, self._outbox = None, None
        if kept is not None:
            self._put(kept, _OF_TILL)

    # --- power -----------------------------------------------------------------------------------

    async def cut_power(self, chance: Random) -> None:
        """The shop's machine goes off at once: of what was not synced some is not there. The
        programs are opened again by the caller."""
        assert self.disk is not None
        names = (*_OF_SERVER, *_OF_TILL)
        folders = {
            path.name: path.parent
            for top in (self.data, self.ledger)
            for path in top.rglob("*.db*")
        }
        left, self.disk.is_on = self.disk.after_cut(len(self.disk.steps), chance), False
        kept = self._files(names)
        await self.close_server(is_killed=True)
        await self.close_till()
        await self._close_processor()
        self._put(kept, names)
        for name, folder in folders.items():
            (folder / name).unlink(missing_ok=True)
            if name in left:
                (folder / name).write_bytes(left[name])
        self.disk.steps.clear()
        self.disk.is_on = True

    # --- a backup --------------------------------------------------------------------------------

    def make_copy(self) -> None:
        """Copy journal and till, as they are now; a later copy takes the place of this one."""
        self._files(_IN_COPY, "copy")

    async def put_back(self, *, with_till: bool) -> None:
        """End server and till, and put the copy in the place of the journal, and of the till's file
        too. The programs are opened again by the caller."""
        await self.close_server(is_killed=True)
        await self.kill_till()
        for name in _IN_COPY if with_till else _IN_COPY[:-1]:
            self._replace(name, self.folder / "copy")

    def open_platform(self) -> None:
        """Open the platform, unless it runs. It is opened by the first that need it."""
        if not self.platform.is_open:
            self.platform.open()

    async def close(self) -> None:
        await self.close_till()
        await self.close_server()
        await self._close_processor()
        if self.disk is not None:
            self.disk.steps.clear()  # SQLite keeps it to the end of the process

    # --- files and lines -------------------------------------------------------------------------

    def call(self, door: Door) -> FaultyTransport:
        return FaultyTransport(door, dice=self.dice, hits=self.hits)

    def _line(self, door: Door, planned: deque[Fate]) -> FaultyTransport:
        line = FaultyTransport(door, planned, self.dice, self.hits)
        self._lines.append(line)
        return line

    def _cut(self, door: Door) -> None:
        for line in self._lines:
            if line.door is door:
                line.cut()
        self._lines = [one for one in self._lines if one.door is not door]

    def _files(self, names: Sequence[str], folder: str = "kept") -> Path:
        kept = self.folder / folder
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        for name in names:
            _copy(self.data / name, kept / name)
        return kept

    def _replace(self, name: str, source: Path) -> None:
        path = self.data / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        _copy(source / name, path)
        if self.disk is not None:
            self.disk.forget(name)

    def _put(self, kept: Path, names: Sequence[str]) -> None:
        for name in names:
            self._replace(name, kept)
        shutil.rmtree(kept)


async def _first(*events: asyncio.Event, seconds: float | None = None) -> None:
    waits = [asyncio.create_task(one.wait()) for one in events]
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in waits:
            one.cancel()


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target)
    elif source.exists():
        shutil.copy2(source, target)


# --- a new shop ----------------------------------------------------------------------------------


def make_template(folder: Path, *, from_platform: bool = False) -> Path:
    """Make the files of a new shop, which each history copies; returns the folder. from_platform:
    its articles are few and came from its platform, else they are those of the demo."""
    world = World(folder)
    world.data.mkdir(parents=True)
    give_key(world.ledger)
    if not from_platform:
        demo_catalogue(world.data, has_photos=False, prints=True)
    (world.data / "settings.toml").write_text(
        f'[processor]\nurl = "{PROCESSOR_URL}"\nquiet_seconds = {QUIET_SECONDS}\n'
        '[printer]\nkind = "network"\naddress = "printer"\n',
        "utf-8",
    )
    if from_platform:
        world.open_platform()
        for place, ean in enumerate((BREAD, MILK, *[None] * 6)):
            body = {"name": f"Артикал {place}", "taxRateLabel": "Е", "productType": "product",
                    "price": 100 + place, "sku": place + 1, "ean": ean}  # fmt: skip
            assert world.platform.asked("POST", "/products", body)
        world.platform.synchronise(world.data)
        world.platform.close()
    core = world.open_till()
    core.database.manager.save_pin(quick(PIN))
    (milk,) = core.catalogue.by_code(ArticleCode(MILK))
    case = Marks(barcodes=(Barcode(CASE, Quantity(str(CASE_OF))),))
    with SqliteCatalogueEditor(catalogue_file(world.data)) as editor:
        editor.note(milk.article.id, case, by="the shop", at=world.clock.now())
        if not from_platform:
            own = str(UUID(int=1))
            create_for_code(editor, product_id=own, name="Шнала", label=TaxLabel.E, code=OWN,
                            price=Money(250), by="the shop", at=world.clock.now())  # fmt: skip

    async def once() -> None:
        world.open_processor()
        await world.open_server()
        await world.close()

    asyncio.run(once())
    return folder


# --- a sale without a window ---------------------------------------------------------------------


def with_articles(core: TillCore, ticket: Ticket, codes: Iterable[str],
                  look: Callable[[Article], object] = id) -> Ticket:  # fmt: skip
    """Put a piece of each on a ticket. look: gets each article before it is there."""
    for code in codes:
        (found,) = core.catalogue.by_code(ArticleCode(code))
        look(found.article)
        ticket = sell.add_item(
            till=core.till, ticket=ticket, article=found.article, quantity=Quantity.ONE
        ).ticket
    return ticket


def confirmed(core: TillCore, ticket: Ticket, tendered: Payments,
              details: checkout.ReceiptDetails = NO_PAPER, *,
              in_whole_dinars: bool = True) -> Sale:  # fmt: skip
    done = checkout.confirm(
        till=core.till,
        ticket=ticket,
        tendered=tendered,
        receipt_details=details,
        cashier=CASHIER,
        in_whole_dinars=in_whole_dinars,
    )
    core.outbox.wake()
    return done.sale


class Acts(RuleBasedStateMachine):
    """Rules of a machine over one world."""

    world: World
    judge: Judge

    @property
    def core(self) -> TillCore:
        return self.world.till_core

    @property
    def now(self) -> datetime:
        return self.world.clock.now()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        raise NotImplementedError


def plays(work: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Any]:
    """Make an act of work that waits: it runs on the loop of its shop."""

    @wraps(work)
    def act(self: Acts, *given: Any, **more: Any) -> Any:
        return self.run(work(self, *given, **more))

    return act


# --- shops that run ------------------------------------------------------------------------------


@contextlib.contextmanager
def copied(template: Path, folder: Path) -> Iterator[World]:
    """A new shop in a folder of its own, which is removed at the end; nothing runs yet."""
    shutil.copytree(template, folder)
    try:
        yield World(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.asynccontextmanager
async def opened(template: Path, folder: Path) -> AsyncIterator[World]:
    with copied(template, folder) as world:
        world.open_processor()
        await world.open_server()
        world.open_till()
        world.start_outbox()
        try:
            yield world
        finally:
            await world.close()
