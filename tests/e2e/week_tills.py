"""Two tills of one store at one platform, and the days that pass for all of their programs.

A day passes by starting the programs with a time some days ahead (`tests/fakes/later.c`).
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as hour_of_day
from pathlib import Path
from typing import Self
from zoneinfo import ZoneInfo

from pos_app import settings
from pos_app.bootstrap.till.core import open_till_core
from pos_app.selling.people.rights import Role
from tests.e2e.shop import CATALOGUE, PATIENCE, Program, Shop, until
from tests.e2e.town import Town
from tests.gui.scanner.x11 import XKeyboard, x_server
from tests.ports import free_ports

SOURCE = Path(__file__).parents[1] / "fakes" / "later.c"
COMPILER = shutil.which("cc") or shutil.which("gcc")
BELGRADE = ZoneInfo("Europe/Belgrade")


@dataclass
class Clock:
    """The time for programs that are started from now on. library: `later.c`, compiled."""

    library: Path
    ahead: timedelta = timedelta(0)

    def set(self, day: date, at: hour_of_day) -> None:
        """Set Belgrade's time for programs that start from now on, never to an earlier one."""
        wanted = datetime.combine(day, at, BELGRADE)
        ahead = timedelta(seconds=int((wanted - datetime.now(UTC)).total_seconds()))
        assert ahead >= self.ahead, "clocks of a shop never go back"
        self.ahead = ahead

    @property
    def now(self) -> datetime:
        return (datetime.now(UTC) + self.ahead).astimezone(BELGRADE)

    @property
    def environment(self) -> dict[str, str]:
        seconds = int(self.ahead.total_seconds())
        return {"LD_PRELOAD": str(self.library), "POS_LATER": str(seconds)}


@dataclass
class ShopOfAWeek(Shop):
    clock: Clock | None = None

    def env(self) -> dict[str, str]:
        return super().env() | (self.clock.environment if self.clock else {})


@dataclass(frozen=True, slots=True)
class Colleague:
    """A person who works there. badge: the text that the scanner reads, "" for none."""

    name: str
    role: Role
    pin: str
    badge: str = ""


@dataclass
class Desk:
    name: str
    shop: ShopOfAWeek
    keyboard: XKeyboard
    till: Program | None = None

    @classmethod
    def make(
        cls,
        folder: Path,
        catalogue: Path,
        clock: Clock,
        keyboard: XKeyboard,
        name: str,
        people: Sequence[Colleague],
    ) -> Self:
        shop = ShopOfAWeek.make(folder, catalogue)
        shop.clock = clock
        with (shop.data / "settings.toml").open("a", encoding="utf-8") as file:
            file.write(f'[till]\nname = "{name}"\n')
        with open_till_core(settings.load(shop.data)) as core:
            for one in people:
                core.database.people.add(one.name, one.role, pin=one.pin, badge=one.badge)
        return cls(name, shop, keyboard)

    def start(self) -> Program:
        env = self.shop.env() | {
            name: self.keyboard.environment()[name] for name in ("DISPLAY", "QT_QPA_PLATFORM")
        }
        words = ["-m", "tests.e2e.told_till", "cashier", str(self.shop.data)]
        self.till = Program(words, env=env, errors=self.shop.folder / "till.log")
        self.shop.running.append(self.till)
        return self.till


@dataclass
class Week:
    clock: Clock
    desks: list[Desk]
    town: Town | None = None

    def begin(self, day: date, at: hour_of_day) -> None:
        """Begin a morning: start processors, platform and tills with its clock."""
        self.clock.set(day, at)
        for desk in self.desks:
            desk.shop.processor()
        if self.town is not None:
            if self.town.workers:
                self.town.start_worker(0)
            else:
                self.town.open(join="send")
                _join_too(self.town, self.desks[1:])
        is_first = all(desk.till is None for desk in self.desks)
        for desk in self.desks:
            desk.start()
            if is_first and self.town is not None:
                _wait_for_articles(self.town)  # the next till is to find them there

    def end(self) -> None:
        """End an evening: all programs end, as when a shop is locked up."""
        for desk in self.desks:
            desk.till.stop()
        for desk in self.desks:
            for program in desk.shop.running:
                program.stop()
                program.close()
            desk.shop.running.clear()


def _wait_for_articles(town: Town) -> None:
    wanted = len(json.loads(CATALOGUE.read_text(encoding="utf-8"))["products"])
    until(lambda: len(town.ask("GET", "/products").json()) >= wanted, seconds=2 * PATIENCE)


def _join_too(town: Town, desks: Sequence[Desk]) -> None:
    """Further tills have only the articles that the first one sends to the platform."""
    for desk in desks:
        desk.shop.join(town.url(0), *town.credentials, join="read")
        shutil.rmtree(desk.shop.data / "catalogue")


@contextmanager
def week_of(
    folder: Path, catalogue: Path, people: Sequence[Colleague], *, tills: int
) -> Iterator[Week]:
    """tills: a single one needs no platform."""
    assert COMPILER is not None
    folder.mkdir()
    library = folder / "later.so"
    subprocess.run([COMPILER, "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    clock = Clock(library)
    with ExitStack() as stack:
        desks = []
        for number in range(tills):
            keyboard = stack.enter_context(x_server(size="1366x768"))
            keyboard.layout("rs,us")  # Qt knows Ctrl+D where one of them is Latin
            desk = Desk.make(
                folder / f"till-{number + 1}",
                catalogue,
                clock,
                keyboard,
                f"Каса {number + 1}",
                people,
            )
            stack.callback(desk.shop.close)
            desks.append(desk)
        town = Town(desks[0].shop, folder / "town", ports=free_ports(1)) if tills > 1 else None
        yield Week(clock, desks, town)
