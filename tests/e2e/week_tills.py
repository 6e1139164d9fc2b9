"""A till on a real X server with its server and processor, and the days that pass for all of these
programs.

A program is started with a time of day that goes as the machine's does, some days ahead
(`tests/fakes/later.c`). A day passes by ending the programs and starting them with another time.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from pos_app import settings
from pos_app.bootstrap.till.core import open_till_core
from pos_app.selling.people.rights import Role
from tests.e2e.shop import Program, Shop
from tests.gui.scanner.x11 import XKeyboard, x_server

SOURCE = Path(__file__).parents[1] / "fakes" / "later.c"
COMPILER = shutil.which("cc") or shutil.which("gcc")
BELGRADE = ZoneInfo("Europe/Belgrade")


@dataclass
class Clock:
    """The time for programs that are started from now on. library: `later.c`, compiled."""

    library: Path
    ahead: timedelta = timedelta(0)

    def set(self, day: date, at: time) -> None:
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
    """A shop whose programs are started with the clock of the week."""

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
class Week:
    """The programs of a shop, and the keyboard before its till."""

    clock: Clock
    shop: ShopOfAWeek
    keyboard: XKeyboard
    till: Program | None = None

    def begin(self, day: date, at: time) -> None:
        """Begin a morning: start processor and till with its clock."""
        self.clock.set(day, at)
        self.shop.processor()
        self.start()

    def start(self) -> None:
        """Start the till, which starts its server."""
        env = self.shop.env() | {
            name: self.keyboard.environment()[name] for name in ("DISPLAY", "QT_QPA_PLATFORM")
        }
        words = ["-m", "tests.e2e.told_till", str(self.shop.data)]
        self.till = Program(words, env=env, errors=self.shop.folder / "till.log")
        self.shop.running.append(self.till)

    def kill_till(self) -> None:
        """Kill the till, and start it again."""
        assert self.till is not None
        self.till.kill()
        self.start()

    def end(self) -> None:
        """End an evening: all programs end, the till first, as when a shop is locked up."""
        for program in reversed(self.shop.running):
            program.stop()
            program.close()
        self.shop.running.clear()


@contextmanager
def week_of(folder: Path, catalogue: Path, people: Sequence[Colleague]) -> Iterator[Week]:
    assert COMPILER is not None
    folder.mkdir()
    library = folder / "later.so"
    subprocess.run([COMPILER, "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    shop = ShopOfAWeek.make(folder / "till", catalogue)
    shop.clock = Clock(library)
    with open_till_core(settings.load(shop.data)) as core:
        for one in people:
            core.database.people.add(one.name, one.role, pin=one.pin, badge=one.badge)
    with x_server(size="1366x768") as keyboard:
        keyboard.layout("rs,us")  # Qt knows Ctrl+D where one of them is Latin
        try:
            yield Week(shop.clock, shop, keyboard)
        finally:
            shop.close()
