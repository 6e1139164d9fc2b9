"""The real window of a whole shop, played by dice.

    python -m tests.shop.window_machine --seconds 600 --seed 1

A history opens a new shop and presses what is there: keys of F1's table, any visible control, once
or twice, a scan, typed text, Esc. Beside a person there is fate: a killed program, a lost answer, a
server that is away. Every step is judged, and the whole at rest. A fault is shrunk to the acts that
it needs, which are printed: an act is written by the labels of what it presses, so that a history
can be played again with some of its acts left out, and one whose control is not there does nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import random
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tests.gui_loop import TestLoop
from tests.proofs import Proof
from tests.shop import world as shop
from tests.shop.ledger import Fault, Judge
from tests.shop.lines import FATES_OF_PROCESSOR, Fate
from tests.shop.person import KEYS, Person, Spot

Act = tuple[str, ...]
Plays = Callable[[Sequence[Act]], str]
"""Plays acts in a shop of their own; returns the fault, "" for none."""

_CHANGING = re.compile(r"[0-9a-f]{32}|#\d+|\d[\d.,:]*")
_KIND_LENGTH = 110


def kind_of(fault: str) -> str:
    """Name a fault without what differs from run to run."""
    return _CHANGING.sub("#", fault)[:_KIND_LENGTH]


def shrunk(acts: Sequence[Act], fault: str, play: Plays, *, seconds: float) -> list[Act] | None:
    """Leave out acts as long as the same kind of fault comes: halves, quarters, single ones. None
    where the whole history does not show it again. seconds: of the processor."""
    end, wanted = time.process_time() + seconds, kind_of(fault)
    if kind_of(play(acts)) != wanted:
        return None
    left = list(acts)
    size = max(1, len(left) // 2)
    while time.process_time() < end:
        at, is_less = 0, False
        while at < len(left) and time.process_time() < end:
            fewer = left[:at] + left[at + size :]
            if kind_of(play(fewer)) == wanted:
                left, is_less = fewer, True
            else:
                at += size
        if size == 1 and not is_less:
            break
        size = max(1, size // 2)
    return left


STEPS = 60
CUT_AFTER = 20_000
"""Bytes of a paper after which the connection to the printer breaks."""
SHRINK_SECONDS = 40.0
"""Of the processor."""
WEIGHTS = {
    "tap": 6, "new": 8, "big": 4, "twice": 8, "key": 5, "key again": 2, "menu": 2, "type": 3,
    "scan": 4, "search": 1, "esc": 2, "pin": 1, "wait": 3, "fate": 2, "home": 0.3,
    "take off": 0.3, "qr": 0.5, "close": 0.5,
}  # fmt: skip
LARGEST = 4
"""The largest buttons of a screen mostly go on, pay or issue."""
ALWAYS = ("tap", "new", "wait")
"""Acts of every history. Each other kind is left out of some histories, which so get elsewhere."""
TYPED = ("1", "2", "0", "100", "5*", "hleb", "1,5", "90", "11\r", "200\r", "1000\r", "1234\r", ".")
SEARCHED = ("hleb", "12", "nema")
CODES = (shop.BREAD, shop.MILK, shop.CASE, shop.CASE, shop.WEIGHED, shop.UNKNOWN, shop.OWN)
PIECES = {shop.BREAD: 1, shop.MILK: 1, shop.CASE: shop.CASE_OF, shop.OWN: 1, shop.COUNTED: 3}
FATES = ("kill server", "kill till", "server away", "server back", "processor away",
         "processor back", "printer away", "printer back", "printer cut",
         *(f"server {one}" for one in Fate),
         *(f"processor {one}" for one in FATES_OF_PROCESSOR))  # fmt: skip

CLOSE = "Затвори касу"
"""The way out of the program, in the menu of all screens."""
WAYS = ("Каталог", "Каталог", "Извештаји", "Подешавања", "Рачуни", "Аванси", "Смена", "Пажња")
"""What leads from the first screen to others, in the language in which a till begins."""
SHEETS = {
    "good.csv": "Назив;Цена;Шифра\nПроба;12,50;90001\nДруга;7,00;90002\n",
    "long.csv": "Назив;Цена;Шифра\n" + "".join(f"Дуга {n};{n},50;{91000 + n}\n"
                                               for n in range(1, 400)),
    "wrong.csv": "Назив;Цена;Шифра\nБез цене;;\nПроба;-1,x;90001\n;5,00;90001\n",
    "no_sheet.csv": "\x00\x01PK\x03\x04 no sheet \x00",
}  # fmt: skip

GOOD_SHEETS = ("good.csv", "long.csv")

_ENTER = ("key", "Enter", "")
_ISSUED: Sequence[Act] = (("key", "F12", ""), _ENTER, _ENTER, ("wait", "1000"))
_TO_CATALOGUE: Sequence[Act] = (
    ("key", "F9", ""), ("named", "Каталог"), ("type", f"{shop.PIN}\r"),
)  # fmt: skip
BEGINNINGS: Sequence[tuple[float, Sequence[Act], Sequence[Sequence[Act]]]] = (
    # a sale that waits for its receipt, while the till is perhaps closed
    (0.05, (("fate", "processor away"), ("scan", shop.MILK, "0"), *_ISSUED),
     ((), (), (("close", CLOSE),))),
    # a drawer that was counted wrongly, and is perhaps closed before anybody says why
    (0.1, (("scan", shop.MILK, "0"), *_ISSUED, ("key", "Ctrl+D", ""), ("named", "Закључи смену"),
           ("wait", "1000"), _ENTER, ("type", "12"), ("key", "F12", ""), ("wait", "10000")),
     ((), (_ENTER,))),
    # an open advance, perhaps not among those that the list shows
    (0.1, (("scan", shop.MILK, "0"), ("key", "Ctrl+2", ""), *_ISSUED, ("key", "Esc", ""),
           ("key", "F8", ""), ("wait", "1000")),
     ((), (), (("search", SEARCHED[-1]),))),
    # a file that is read while its screen stands, or is left and come back to
    *((0.025, (*_TO_CATALOGUE, ("named", "Увези"), ("file", file), ("wait", "1000")),
       ((_ENTER, ("wait", "10000")), (("key", "Esc", ""), ("wait", "10000"), *_TO_CATALOGUE)))
      for file in GOOD_SHEETS),
)  # fmt: skip
"""How a history may begin: the chance, the acts, and what may end them."""

OTHER_ACTS: dict[str, Sequence[Sequence[str]]] = {
    "key": (("key",), KEYS, ("",)),
    "key again": (("key",), KEYS, ("twice", "held")),
    "menu": (("key",), ("F9",), ("",)),
    "esc": (("key",), ("Esc",), ("",)),
    "type": (("type",), TYPED),
    "search": (("search",), SEARCHED),
    "pin": (("type",), (f"{shop.PIN}\r",)),
    "scan": (("scan",), CODES, ("0", "0", "0", "5")),
    "wait": (("wait",), ("100", "1000", "1000", "10000", "60000", "43200000")),
    "home": (("home",), tuple(PIECES)),
    "take off": (("take off",), tuple(PIECES)),
    "fate": (("fate",), FATES),
    "qr": (("qr",), ("1", "2")),
    "close": (("close",), (CLOSE,)),
}
"""What an act of each kind may be; the other kinds tap."""


@dataclass
class Figures:
    """What a run did. crossed: fates by the screen on which they befell. found: faults by kind."""

    histories: int = 0
    steps: int = 0
    sales: int = 0
    signed: int = 0
    tapped: Counter[tuple[str, str]] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)
    fates: Counter[str] = field(default_factory=Counter)
    crossed: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)


@dataclass
class Machine:
    """Plays histories on copies of one new shop. folder: where they lie."""

    application: QApplication
    loop: asyncio.AbstractEventLoop
    folder: Path
    figures: Figures = field(default_factory=Figures)
    proof: Proof = field(default_factory=lambda: Proof("histories", "machines"))
    _template: Path | None = None
    _number: int = 0

    @contextmanager
    def _person(self) -> Iterator[Person]:
        if self._template is None:
            self._template = shop.make_template(self.folder / "new")
            asyncio.set_event_loop(self.loop)
            for name, text in SHEETS.items():
                (self.folder / name).write_text(text, "utf-8")
        self._number += 1
        judge = Judge(proof=self.proof)
        with (
            shop.copied(self._template, self.folder / str(self._number)) as world,
            judge.listening(self.loop),
        ):
            world.hits = self.figures.fates
            world.open_processor()
            self.loop.run_until_complete(world.open_server())
            person = Person(self.application, self.loop, world, judge)
            try:
                yield person
            finally:
                person.close()
                self.loop.run_until_complete(world.close())

    # --- histories -------------------------------------------------------------------------------

    def roll(self, seed: int, steps: int = STEPS) -> tuple[list[Act], str]:
        rng, acts = random.Random(seed), list[Act]()
        self.figures.histories += 1
        chosen = {one: many for one, many in WEIGHTS.items() if one in ALWAYS or rng.random() < 0.6}

        def history(person: Person) -> None:
            dice = Dice(rng, chosen, self.figures.tapped)
            acts.extend(dice.begin())
            for act in acts:
                self._do(person, act)
            for _ in range(steps - len(acts)):
                acts.append(dice.next(person))
                self._do(person, acts[-1])

        return acts, self._judged(history)

    def play(self, acts: Sequence[Act]) -> str:

        def history(person: Person) -> None:
            for act in acts:
                self._do(person, act)

        return self._judged(history)

    def _judged(self, history: object) -> str:
        assert callable(history)
        try:
            with self._person() as person:
                history(person)
                self._end(person)
        except Fault as fault:
            fault.count(self.proof)
            return str(fault)
        except Exception as error:  # noqa: BLE001 - of the tests, or raised out of the product
            places = traceback.extract_tb(error.__traceback__)[-4:]
            where = " > ".join(f"{Path(one.filename).name}:{one.lineno}" for one in places)
            return f"{type(error).__name__}: {error} at {where}"
        return ""

    def _end(self, person: Person) -> None:
        world = person.world
        world.to_server.clear()
        world.to_processor.clear()
        world.server.is_open = world.processor.is_open = True
        self.loop.run_until_complete(world.start_server_again())
        for code, pieces in PIECES.items():
            person.scan_at_home(code, pieces)
        person.rest()
        person.judge.judge(person.sales(), world.ledger)
        world.papers.genuine(world.ledger)
        self.figures.sales += len(person.judge.wishes)
        self.figures.signed += world.processor.done["POST"]

    def _do(self, person: Person, act: Act) -> None:
        self.figures.steps += 1
        kind, what, *more = act
        doing: dict[str, Callable[[], object]] = {
            "tap": lambda: person.tap_named(what),
            "twice": lambda: person.tap_named(what, twice=True),
            "close": lambda: person.close_by(what),
            "named": lambda: person.tap_named(what, ends_so=True),
            "key": lambda: person.key(what, more[0]),
            "type": lambda: person.type(what),
            "search": lambda: person.search(what),
            "scan": lambda: person.scan(what, cut=int(more[0])),
            "file": lambda: person.choose_file(self.folder / what if what else None),
            "wait": lambda: person.wait(int(what)),
            "qr": lambda: person.scan_receipt(int(what)),
            "home": lambda: person.scan_at_home(what, PIECES[what]),
            "take off": lambda: person.take_off_at_home(what, PIECES[what]),
            "fate": lambda: self._befall(person, what),
        }
        doing[kind]()
        self.figures.places[person.screen_name] += 1

    def _befall(self, person: Person, what: str) -> None:
        world, (whom, _, how) = person.world, what.partition(" ")
        if whom == "kill":
            person.judge.killed(person.sales())
        self.figures.fates[what] += 1
        self.figures.crossed[person.window.frame.top_name, what] += 1
        match what:
            case "kill till":
                person.close(is_killed=True)
                person.open()
                person.judge.hear()
                person.judge.compare(person.sales())
            case "kill server":
                person.run(world.close_server(is_killed=True))
                person.run(world.open_server())
            case "server away" | "server back":
                world.server.is_open = how == "back"
            case "processor away" | "processor back":
                world.processor.is_open = how == "back"
            case "printer away" | "printer back":
                world.papers.is_open = how == "back"
            case "printer cut":
                world.papers.device.cut_after = len(world.papers.device.taken) + CUT_AFTER
            case _:
                planned = world.to_server if whom == "server" else world.to_processor
                planned.append(Fate(how))

    # --- a run -----------------------------------------------------------------------------------

    def run(self, *, seed: int, seconds: float, steps: int = STEPS) -> None:
        """Play histories for so long, without the time that shrinking takes; print what is
        found. seconds: of the processor."""
        began, shrinking = time.process_time(), 0.0
        while (spent := time.process_time() - began - shrinking) < seconds:
            number = seed * 100_000 + self.figures.histories
            acts, fault = self.roll(number, steps)
            if not fault:
                continue
            kind = kind_of(fault)
            self.figures.faults[kind] += 1
            if self.figures.faults[kind] > 1:
                continue
            say(f"=== {spent:.0f} s, history {number}, act {len(acts)} of it: {fault}")
            since = time.process_time()
            less = shrunk(acts, fault, self.play, seconds=SHRINK_SECONDS)
            shrinking += time.process_time() - since
            told = "not shown again" if less is None else f"shrunk to {len(less)}"
            say(f"    {len(acts)} acts, {told}:")
            for act in acts if less is None else less:
                say(f"      {list(act)}")
        self._tell(spent)

    def _tell(self, seconds: float) -> None:
        figures = self.figures
        say(
            f"{figures.histories} histories, {figures.steps} steps in {seconds:.0f} s of the"
            f" processor; {figures.sales} sales, {figures.signed} receipts;"
            f" {len({label for _, label in figures.tapped})} controls tapped"
        )
        say("places: " + ", ".join(f"{one} {many}" for one, many in figures.places.most_common()))
        say("fates: " + ", ".join(f"{one} {many}" for one, many in figures.fates.most_common()))
        say(table_of(figures.crossed))
        for kind, many in figures.faults.most_common():
            say(f"{many} × {kind}")


class Dice:
    """Chooses the next act by what is seen. chosen: the kinds of acts of this history, with their
    weights. tapped: how often each control was tapped at each place in the whole run; what was
    tapped there seldom is chosen more often."""

    def __init__(
        self, rng: random.Random, chosen: dict[str, float], tapped: Counter[tuple[str, str]]
    ) -> None:
        self._rng, self._chosen, self._tapped = rng, chosen, tapped
        self._known: set[str] = set()

    def begin(self) -> list[Act]:
        """Begin with one of `BEGINNINGS` and perhaps an end of it, on another screen, with goods,
        with the menu of all screens, or with none of it."""
        acts = list[Act]()
        for chance, begins, ends in BEGINNINGS:
            if self._rng.random() < chance:
                return [*begins, *self._rng.choice(ends)]
        if self._rng.random() < 0.3:
            way = self._rng.choice(WAYS)
            acts += [("key", "F9", ""), ("named", way), ("type", f"{shop.PIN}\r")]
            if way == "Каталог" and self._rng.random() < 0.5:
                acts.append(("named", "Увези"))
            return acts
        if self._rng.random() < 0.6:
            acts.append(("scan", self._rng.choice(list(PIECES)), "0"))
        if self._rng.random() < 0.4:
            acts.append(("key", "F9", ""))
        return acts

    def next(self, person: Person) -> Act:
        rng = self._rng
        if person.dialog() is not None:
            return "file", rng.choice([*SHEETS, "good.csv", "long.csv", "out.csv", ""])
        if person.menu() is not None and rng.random() < 0.9:
            return self._tap(person, "new")
        asks = person.window.frame.cover_name or person.screen_name.endswith("/PinPanel")
        if asks and rng.random() < 0.3:
            return "type", f"{shop.PIN}\r"  # a cover mostly asks who is there
        (kind,) = rng.choices(list(self._chosen), list(self._chosen.values()))
        others = OTHER_ACTS.get(kind)
        if others is None:
            return self._tap(person, kind)
        return tuple(rng.choice(each) for each in others)

    def _tap(self, person: Person, kind: str) -> Act:
        spots = person.spots()
        fresh = [one for one in spots if one.label not in self._known]
        self._known = {one.label for one in spots}
        if kind == "new" and fresh:
            spots = fresh
        if not spots:
            return "wait", "1000"
        place = person.screen_name
        if kind == "big" or (kind == "twice" and self._rng.random() < 0.7):
            spot = self._rng.choice(sorted(spots, key=_size, reverse=True)[:LARGEST])
        else:
            seldom = [1 / (1 + self._tapped[place, one.label]) for one in spots]
            (spot,) = self._rng.choices(spots, seldom)
        self._tapped[place, spot.label] += 1
        return "twice" if kind == "twice" else "tap", spot.label


def _size(spot: Spot) -> int:
    return spot.size if "Button" in spot.label else 0


def table_of(crossed: Counter[tuple[str, str]]) -> str:
    """Write how often each fate befell each screen: a column for each fate, numbered below."""
    screens = sorted({screen for screen, _ in crossed})
    heads = "".join(f"{number:>4}" for number in range(1, len(FATES) + 1))
    rows = [
        f"{screen:16}" + "".join(f"{crossed[screen, fate] or '·':>4}" for fate in FATES)
        for screen in screens
    ]
    legend = ", ".join(f"{number} {fate}" for number, fate in enumerate(FATES, 1))
    return "\n".join((f"{'':16}{heads}", *rows, legend))


def say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


@contextmanager
def opened() -> Iterator[Machine]:
    """A machine in a program of its own, with its shops in memory where that has files."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false;*.info=false")
    logging.lastResort = None
    application = QApplication(sys.argv[:1])
    application.setQuitOnLastWindowClosed(False)
    loop = TestLoop(application)
    loop.set_debug(False)
    asyncio.set_event_loop(loop)
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Machine(application, loop, Path(folder))
    loop.close()


def main() -> int:
    parser = argparse.ArgumentParser(description="Plays the window of a whole shop by dice.")
    parser.add_argument("--seconds", type=float, default=60.0, help="of the processor")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=STEPS)
    asked = parser.parse_args()
    with opened() as machine, suppress(KeyboardInterrupt):
        machine.run(seed=asked.seed, seconds=asked.seconds, steps=asked.steps)
    return 1 if machine.figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())
