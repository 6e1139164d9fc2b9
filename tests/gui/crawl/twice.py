"""Every control of every screen is pressed twice, by mouse and by keyboard, and acts once.

`python -m tests.gui.crawl.twice [FOLDER] [--only SCENE] [--jobs 2]` ends with 1 where the second
press, 80 to 250 ms after the first, changes anything: at the same point of the window, or with the
same key, whatever lies there and whatever has the focus by then. `REPEATED` names the controls that
are made for repeating. The findings are written to FOLDER/presses_twice.txt too.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from zlib import crc32

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QTableView,
    QWidget,
)
from shiboken6 import isValid

from pos_app.cashier.sale.cart_list import CartList
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.press_guard import PressGuard
from tests.gui.crawl import press
from tests.gui.crawl.floating import open_menus
from tests.gui.crawl.press import ENTRY, FOLDER, KEY, MOUSE, Control, Press, begin
from tests.gui.crawl.scenes import SCENES
from tests.gui.crawl.walk import workers
from tests.gui.patience import waited
from tests.gui.taps import moment, strike, tap

Act = Callable[[int, bool], None]
"""A press at a time in ms; told that it is the second one."""
SETTLES = 1.5
"""Seconds in which the effect of the first press must have ended; later changes are others'."""
QUIET_ROUNDS = 2
REPEATED = (
    ("*: Button “?”", MOUSE, "a key of a numeric pad types its sign each time"),
    ("*: Button “00”", MOUSE, "a key of a numeric pad types its sign each time"),
    ("*: Button “Обриши знак”", MOUSE, "a key of a numeric pad rubs out each time"),
    ("*: Button “Обриши цифру”", MOUSE, "a key of a numeric pad rubs out each time"),
    ("*: KeyButton *", MOUSE, "a key of the on-screen keyboard types its sign each time"),
    ("*: CartList * › plus", "*", "plus adds one at each press"),
    ("*: CartList * › minus", "*", "minus takes one off at each press"),
    ("*: ProductTable * › *", MOUSE, "a double tap on a cell edits it"),
    ("*: TileView *", MOUSE, "a tile sells one at each press"),
    ("*/Picker: RowView *", MOUSE, "a row of the picker sells one at each press"),
)
"""Patterns of control and means, and why each press acts."""


_LATE = re.compile(
    r"^file |_generation = |\.fetched = |\.counted = |_retrial\._since = "
    r"|screen\.rows\._pages|\.is_outdated = |context\.store\.|Каса \d · "
)
"""What is read or written anew some time after a press, however often it came."""


def reason(control: Control, means: str) -> str:
    """Why each of two presses acts; "" where only the first may."""
    for pattern, by, why in REPEATED:
        if fnmatchcase(str(control), pattern) and fnmatchcase(means, by):
            return why
    return ""


def key_of(widget: QWidget, part: str) -> Qt.Key | None:
    """The key that presses a part of a widget; None where only keys do that may be repeated, as
    letters and arrows."""
    match widget:
        case CartList():
            return press.CART_KEYS.get(part)
        case QTableView():
            return Qt.Key.Key_Return if part else Qt.Key.Key_Space
        case QAbstractItemView():
            return Qt.Key.Key_Return
        case Segment() | QLineEdit() | QPlainTextEdit():
            return None
    return Qt.Key.Key_Space


class Twice(press.Hand):
    """Presses each control twice. A press that acts twice is repeated in a new window, as something
    may just have been read anew there."""

    def press(self, control: Control, means: str) -> Press:
        made = super().press(control, means)
        if not made.fault or made.fault in press.REFUSALS:
            return made
        self.close()
        return super().press(control, means)

    def _anew(self) -> QWidget:
        window = super()._anew()
        if window.findChild(PressGuard) is None:  # a screen that stands without its window
            PressGuard(window).watch(near=48)
        for _ in range(3):  # what a screen reads when it opens comes a little later
            self._settle(window, window, set())
        return window

    def _press(self, window: QWidget, control: Control, means: str) -> str:
        wanted = press.without_entry(control)
        widget = press.controls(window, self._scene).get(wanted)
        if widget is None:
            return "is not there again"
        press.focus(widget)
        if means == KEY and isValid(widget):
            press.reach(window, widget, wanted.part)
        if not isValid(widget) or not widget.isVisible():
            return "is not there again"
        waited(widget)
        noise = self._state(window, widget)
        press.let_work()
        noise ^= self._state(window, widget)
        with press.Watch() as watch:
            act = self._twice_of(window, widget, control, means)
            if isinstance(act, str):
                return act
            at = moment()
            _run(act, at, is_second=False)
            noise |= self._settle(window, widget, noise)
            before = self._state(window, widget)
            _run(act, at + 80 + crc32(str(control).encode()) % 171, is_second=True)
            press.let_work()
            told = press.changed(before ^ self._state(window, widget), noise)
            self._put_away(window, wanted, means)
        acts = "acts twice: " + "; ".join(sorted(told)[:4]) if told else ""
        return "; ".join(watch.faults) or acts

    def _twice_of(
        self, window: QWidget, widget: QWidget, control: Control, means: str
    ) -> Act | str:
        """The press as an act of a time in ms; or why there is none."""
        if means == MOUSE:
            spot = self._spot(window, widget, control)
            return spot if isinstance(spot, str) else partial(_tap, window, spot)
        key = key_of(widget, control.part)
        if key is None:
            return ""
        if window.focusWidget() is not widget:
            return "takes no focus"
        return partial(_strike, window, key)

    def _spot(self, window: QWidget, widget: QWidget, control: Control) -> QPoint | str:
        """The point of the window to be pressed; for an entry of a menu, once the menu is open."""
        is_entry = control.part.startswith(ENTRY)
        place = press.spot_in(widget, "" if is_entry else control.part)
        if place is None:
            return "is not there again"
        spot = widget.mapTo(window, place)
        if refused := press.hidden_at(window, widget, spot):
            return refused
        if not is_entry:
            return spot
        tap(window, spot, at=moment())
        press.let_work()
        for menu in open_menus():
            for action in menu.actions():
                if action.text() == control.part.removeprefix(ENTRY):
                    on_screen = menu.mapToGlobal(menu.actionGeometry(action).center())
                    return window.mapFromGlobal(on_screen)
        return "is not there again"

    def _settle(self, window: QWidget, widget: QWidget, noise: set[str]) -> set[str]:
        """Wait until the effect of the first press has ended; returns what goes on changing."""
        deadline, quiet = time.monotonic() + SETTLES, 0
        last, told = self._state(window, widget), set[str]()
        while quiet < QUIET_ROUNDS and time.monotonic() < deadline:
            press.let_work()
            now = self._state(window, widget)
            told = press.changed(last ^ now, noise)
            quiet = 0 if told else quiet + 1
            last = now
        return told if quiet < QUIET_ROUNDS else set()

    def _state(self, window: QWidget, widget: QWidget) -> set[str]:
        every = press.state(window, widget) | self.heard()
        lines = {one for one in every if not _LATE.search(one)}
        if isValid(widget) and not isinstance(widget, press.TYPED):
            lines.add(f"pressed = {press.look(widget)}")
        return lines


_TEXTS = {Qt.Key.Key_Space: " ", Qt.Key.Key_Return: "\r"}


def _run(act: Act, at: int, *, is_second: bool) -> None:
    """Press while the loop runs, as in the till, so that work may be started."""
    asyncio.get_event_loop().call_later(0, act, at, is_second)
    press.let_work()


def _tap(window: QWidget, spot: QPoint, at: int, is_second: bool) -> None:
    tap(window, spot, at=at, is_second=is_second)


def _strike(window: QWidget, key: Qt.Key, at: int, _: bool) -> None:
    strike(window, key, _TEXTS.get(key, ""), at=at)


def press_twice_in(title: str, asked: Sequence[tuple[Control, str]]) -> list[Press]:
    """The results of double presses in a scene, and on the menus that opened there."""
    with press.hand_in(title, Twice) as hand:
        made = [hand.press(control, means) for control, means in asked]
        entries = [one for one in hand.entries if one[1] == MOUSE]
        return made + [hand.press(control, means) for control, means in entries]


def all_twice(only: Sequence[str], jobs: int, *, share: int = 1) -> list[Press]:
    """Press everything twice in the scenes with one of these names. share: press every so many-th
    control."""
    titles = [
        one.title
        for one in SCENES
        if any(name in one.title for name in only) and one.room not in ("look", "display")
    ]
    made: list[Press] = []
    with workers(jobs, begin) as pool:
        shown = dict(zip(titles, pool.map(press.shown_in, titles), strict=True))
        by_scene: dict[str, list[tuple[Control, str]]] = {}
        for (control, means), scenes in press.asked_in(shown).items():
            is_chosen = crc32(f"{control}{means}".encode()) % share == 0
            if is_chosen and not reason(control, means):
                by_scene.setdefault(scenes[0], []).append((control, means))
        works = [pool.submit(press_twice_in, title, some) for title, some in by_scene.items()]
        for done, work in enumerate(as_completed(works), start=1):
            made += work.result()
            sys.stderr.write(f"{done} of {len(works)} scenes\n")
    return made


def main() -> int:
    """Press everything twice and print what acts twice."""
    parser = argparse.ArgumentParser(description="Every control is pressed twice.")
    parser.add_argument("out", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--only", default=[""], nargs="+", help="parts of scenes' names")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--share", type=int, default=1, help="press every so many-th control")
    asked = parser.parse_args()
    made = all_twice(asked.only, asked.jobs, share=asked.share)
    wrong = [one for one in made if one.fault and one.fault not in press.REFUSALS]
    report = "".join(
        f"{one.fault}: {one.control} by {one.means} [{one.scene}]\n"
        for one in sorted(wrong, key=lambda one: (one.scene, str(one.control)))
    )
    unseen = sum(one.fault in press.REFUSALS for one in made)
    report += f"{len(made)} double presses, {unseen} out of reach, {len(wrong)} wrong\n"
    sys.stdout.write(report)
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "presses_twice.txt").write_text(report, encoding="utf-8")
    return int(bool(wrong) or unseen * 4 > len(made) or not made)


if __name__ == "__main__":
    assert QApplication.instance() is None
    sys.exit(main())
