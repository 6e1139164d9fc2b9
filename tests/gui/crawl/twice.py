"""Every control of every scene is pressed twice, and every key is struck twice and held in every
scene; each acts once.

`python -m tests.gui.crawl.twice [--only SCENE] [--jobs 2]` ends with 1 where the second
press, 80 to 250 ms after the first, changes anything: at the same point of the window, or with the
same key, whatever lies there and whatever has the focus by then. A control is pressed by mouse in
each scene that shows it, and by keyboard in the first one. The keys of the till are struck where
the focus is as the scene opens, then struck again, and held. `REPEATED` names what is made for
repeating.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from zlib import crc32

from PySide6.QtCore import QKeyCombination, QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QTableView,
    QWidget,
)
from shiboken6 import isValid

from pos_app.cashier import commands
from pos_app.cashier.sale.cart_list import CartList
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.press_guard import PressGuard, guard_opened
from pos_app.cashier.window.screens import SCREENS
from tests.gui.crawl import press
from tests.gui.crawl.floating import open_menus
from tests.gui.crawl.press import ENTRY, KEY, MOUSE, Control, Press, begin
from tests.gui.crawl.state import TYPED, look, state
from tests.gui.crawl.walk import as_done, workers
from tests.gui.patience import waited
from tests.gui.taps import moment, strike, tap

Act = Callable[[int, bool], None]
"""A press at a time in ms; told that it is the second one."""
STRUCK = "Key"
"""The kind of a control that is a key, struck where the focus is."""
HELD_MS = (600, 630, 660)
"""Times after the second strike at which the key, which is held by then, comes again by itself."""
Asked = tuple[Control, str]
SETTLES = 1.5
"""Seconds in which the effect of the first press must have ended; later changes are others'."""
QUIET_ROUNDS = 2
REPEATED = (
    ("*: Button “?”", MOUSE, "a key of a numeric pad types its sign each time"),
    ("*: Button “00”", MOUSE, "a key of a numeric pad types its sign each time"),
    ("*: Button “Обриши знак”", MOUSE, "a key of a numeric pad rubs out each time"),
    ("*: KeyButton *", MOUSE, "a key of the on-screen keyboard types its sign each time"),
    ("*/ValueRow/Titled: IconButton *", MOUSE, "a number goes one step at each press"),
    ("*: CartList * › plus", "*", "plus adds one at each press"),
    ("*: CartList * › minus", "*", "minus takes one off at each press"),
    ("*: ProductTable * › *", MOUSE, "a double tap on a cell edits it"),
    ("*: TileView *", MOUSE, "a tile sells one at each press"),
    ("*/Picker: RowView *", MOUSE, "a row of the picker sells one at each press"),
    ("*: Key “[7,*]”", KEY, "a sign of an amount is typed each time"),
    ("*: Key “PgUp”", KEY, "the mark moves by one at each press"),
    ("*: Key “PgDown”", KEY, "the mark moves by one at each press"),
    ("*: Key “Up”", KEY, "the mark moves by one at each press"),
    ("*: Key “Down”", KEY, "the mark moves by one at each press"),
    ("*: Key “Backspace”", KEY, "one sign is rubbed out each time"),
)
"""Patterns of control and means, and why each press acts."""


_LATE = re.compile(
    r"^file |_generation = |\.fetched = |\._?counted(\[\d+\])? = |_retrial\._since = "
    r"|_faults\._met\[|_sources\[\d+\]\._latest|^Label .* \d\d:\d\d$|још око \d+ s"
    r"|screen\.rows\._pages|\.is_outdated = |context\.store\.|Каса \d · "
    r"|ticket\.revision = |ticket\.typed_details|\.ticket_saved = |\.tones\.played"
)
"""What is read or written anew some time after a press, however often it came; and the tone that
refuses a key."""


def _keys() -> dict[str, tuple[Qt.Key, Qt.KeyboardModifier, str]]:
    """Each key of the till by its name, with what is held and the text that it types."""
    of_table = [name for key in commands.KEYS for name in key.sequences]
    of_screens = [entry.key for entry in SCREENS if entry.key]
    of_rooms = [commands.EXPORT, commands.SAVE, commands.UNDO, "Shift+Return"]
    numbered = [commands.method_cap(number) for number in range(10)]
    letters = [chr(code) for code in range(ord("A"), ord("Z") + 1)]
    names = [*of_table, *of_screens, *of_rooms, *numbered, *letters, "Space", "7", ",", "*"]
    return {name: _key(name) for name in dict.fromkeys(names)}


def _key(name: str) -> tuple[Qt.Key, Qt.KeyboardModifier, str]:
    sequence = QKeySequence(name.removeprefix(commands.KEYPAD))
    made = QKeyCombination(sequence[0])  # type: ignore[index]
    key, held = made.key(), made.keyboardModifiers()
    text = _TEXTS.get(key, "") if held is _NOTHING_HELD else ""
    if held is _NOTHING_HELD and not text and len(sequence.toString()) == 1:
        text = sequence.toString().lower()
    if name.startswith(commands.KEYPAD):
        held |= Qt.KeyboardModifier.KeypadModifier
    return key, held, text


def struck(room: str) -> list[Control]:
    return [Control(room, "", STRUCK, name) for name in _keys()]


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
            for menu in open_menus():
                guard_opened(menu)
        for _ in range(3):  # what a screen reads when it opens comes a little later
            self._settle(window, window, set())
        return window

    def _press(self, window: QWidget, control: Control, means: str) -> str:
        if control.kind == STRUCK:
            return self._strike(window, control)
        wanted = press.without_entry(control)
        if (widget := self._reached(window, wanted, means)) is None:
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
            told = _changed(before ^ self._state(window, widget), noise)
            self._put_away(window, wanted, means)
        return "; ".join(watch.faults) or _twice(told)

    def _strike(self, window: QWidget, control: Control) -> str:
        """Strike a key, strike it again, and hold it, wherever the focus is then. A key that did
        nothing, or that typed into a field, is not struck again."""
        key, held, text = _keys()[control.name]
        was_shown = set(press.controls(window, self._scene))
        with press.Watch() as watch:
            last, at = self._state(window, window), moment()
            strike_once = partial(strike, window, key, text, held=held)
            _run(lambda when, _: strike_once(at=when), at, is_second=False)
            if not _changed(last ^ self._state(window, window), set()) or _has_typed(key, text):
                return "; ".join(watch.faults)
            noise = self._settle(window, window, set())
            before = self._state(window, window)
            second = at + 80 + crc32(str(control).encode()) % 171
            _run(lambda when, _: strike_once(at=when), second, is_second=True)
            is_held = partial(strike_once, is_repeat=True)
            for later in HELD_MS:
                _run(lambda when, _: is_held(at=when), second + later, is_second=True)
            press.let_work()
            told = _changed(before ^ self._state(window, window), noise)
            self._put_away(window, control, KEY)
        if set(press.controls(window, self._scene)) != was_shown:
            self.close()  # the next key is struck where the scene begins
        return "; ".join(watch.faults) or _twice(told)

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
            told = _changed(last ^ now, noise)
            quiet = 0 if told else quiet + 1
            last = now
        return told if quiet < QUIET_ROUNDS else set()

    def _state(self, window: QWidget, widget: QWidget) -> set[str]:
        lines = state(window, widget) | self.heard()
        if isValid(widget) and not isinstance(widget, TYPED):
            lines.add(f"pressed = {look(widget)}")
        return lines


_TEXTS = {Qt.Key.Key_Space: " ", Qt.Key.Key_Return: "\r", Qt.Key.Key_Enter: "\r"}
_NOTHING_HELD = Qt.KeyboardModifier.NoModifier


def _twice(told: set[str]) -> str:
    return "acts twice: " + "; ".join(sorted(told)[:4]) if told else ""


def _changed(lines: set[str], noise: set[str]) -> set[str]:
    return {one for one in press.changed(lines, noise) if not _LATE.search(one)}


def _has_typed(key: Qt.Key, text: str) -> bool:
    """Whether a key typed, or deleted, in the field that has the focus."""
    focus = QApplication.focusWidget()
    if isinstance(focus, QPlainTextEdit) and not focus.isReadOnly():
        return bool(text) or key is Qt.Key.Key_Delete
    if not isinstance(focus, QLineEdit) or focus.isReadOnly():
        return False
    before = focus.text()[: focus.cursorPosition()]
    if key is Qt.Key.Key_Delete:
        return focus.isModified()
    return text.isprintable() and bool(text) and before.endswith(text)


def _run(act: Act, at: int, *, is_second: bool) -> None:
    """Press while the loop runs, as in the till, so that work may be started."""
    asyncio.get_event_loop().call_later(0, act, at, is_second)
    press.let_work()


def _tap(window: QWidget, spot: QPoint, at: int, is_second: bool) -> None:
    tap(window, spot, at=at, is_second=is_second)


def _strike(window: QWidget, key: Qt.Key, at: int, _: bool) -> None:
    strike(window, key, _TEXTS.get(key, ""), at=at)


def press_twice_in(title: str, asked: Sequence[tuple[Control, str]]) -> list[Press]:
    with press.hand_in(title, Twice) as hand:
        made = [hand.press(control, means) for control, means in asked]
        entries = [one for one in hand.entries if one[1] == MOUSE]
        return made + [hand.press(control, means) for control, means in entries]


def _wanted(shown: Mapping[str, Sequence[Control]], share: int) -> dict[str, list[Asked]]:
    """The presses to be made in each scene. share: every so many-th of them."""
    wanted: dict[str, list[Asked]] = {title: [] for title in shown}
    for (control, means), titles in press.asked_in(shown).items():
        for title in titles if means == MOUSE else titles[:1]:
            wanted[title].append((control, means))
    for title in shown:
        room = title.partition("-")[0]
        wanted[title] += [(key, KEY) for key in struck(room)]
    return {
        title: [
            one
            for one in asked
            if crc32(f"{one[0]}{one[1]}{title}".encode()) % share == 0 and not reason(*one)
        ]
        for title, asked in wanted.items()
    }


def all_twice(only: Sequence[str], jobs: int, *, share: int = 1) -> list[Press]:
    """Press and strike everything twice in the scenes with one of these names. share: every so
    many-th control and key."""
    titles = press.titles_of(*only)
    made: list[Press] = []
    with workers(jobs, begin) as pool:
        shown = dict(zip(titles, pool.map(press.shown_in, titles), strict=True))
        by_scene = _wanted(shown, share)
        works = as_done(pool, press_twice_in, by_scene.items())
        for done, presses in enumerate(works, start=1):
            made += presses
            wrong = "".join(map(_told, filter(_is_wrong, presses)))
            sys.stderr.write(f"{done} of {len(by_scene)} scenes\n{wrong}")
    return made


def _is_wrong(made: Press) -> bool:
    return bool(made.fault) and made.fault not in press.REFUSALS


def _told(made: Press) -> str:
    return f"{made.fault}: {made.control} by {made.means} [{made.scene}]\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Every control is pressed twice.")
    parser.add_argument("--only", default=[""], nargs="+", help="parts of scenes' names")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--share", type=int, default=1, help="press every so many-th control")
    asked = parser.parse_args()
    made = all_twice(asked.only, asked.jobs, share=asked.share)
    wrong = sorted(filter(_is_wrong, made), key=lambda one: (one.scene, str(one.control)))
    sys.stdout.writelines(map(_told, wrong))
    unseen = sum(one.fault in press.REFUSALS for one in made)
    sys.stdout.write(f"{len(made)} double presses, {unseen} out of reach, {len(wrong)} wrong\n")
    return int(bool(wrong) or unseen * 4 > len(made) or not made)


if __name__ == "__main__":
    assert QApplication.instance() is None
    sys.exit(main())
