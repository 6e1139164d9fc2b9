"""Every control of every screen is pressed once with the mouse and once by keyboard.

`python -m tests.gui.crawl.press [--only SCENE] [--jobs 2]` ends with 1 when a press does nothing,
raises in a slot or is logged as an error. A control is identified by its screen, page,
kind and name; the parts of a segment, the buttons painted in a row and the entries of a menu are
controls, too. It is pressed in the first scene that shows it, and after a press without effect in
some others. An effect is a change elsewhere on the page, in a model, in a file, in the requests to
a server, or on the clipboard: that the control itself looks pressed, ticked or focused is none.
`EXCEPTIONS` names the controls that have no effect on purpose.
"""

from __future__ import annotations

import argparse
import asyncio
import atexit
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QTableView,
    QWidget,
)
from shiboken6 import isValid

from pos_app.cashier.attention.case_list import CaseRow
from pos_app.cashier.catalogue.cell_editors import CellList
from pos_app.cashier.catalogue.photos import PhotoButton
from pos_app.cashier.payment.lines_view import PaymentLine
from pos_app.cashier.sale.cart_list import CartList
from pos_app.cashier.sale.last_sale import LastLarge
from pos_app.cashier.ui import press_guard
from pos_app.cashier.ui.buttons import SeenButton
from pos_app.cashier.ui.choices import ChipRow, Segment
from pos_app.cashier.ui.page_list import PageRow
from pos_app.cashier.ui.paint_cart import cart_hits
from pos_app.cashier.ui.views import ROW
from pos_app.cashier.window.till_window import TillWindow
from pos_app.errors import MachineError
from tests.gui.crawl.floating import open_menus
from tests.gui.crawl.scenes import SCENES, Scene
from tests.gui.crawl.state import NOT_OURS, state
from tests.gui.crawl.walk import LOOK, as_done, workers
from tests.gui.crawl.walk import begin as begin_pictures
from tests.gui.patience import waited
from tests.gui.pictures import LIGHT, settle
from tests.gui.taps import SlowHand
from tests.gui_loop import TestLoop

MOUSE, KEY = "mouse", "key"
ROUNDS = 3
"""The number of scenes in which a press is tried before it counts as without effect."""
PATIENCE = 2.0
"""Seconds that the effect of a press may take."""
MOST_ENTRIES = 12
"""A menu with more entries has entries that all do the same: the first and the last are pressed."""
ENTRY = "entry "
"""The beginning of the name of a part that is an entry of the menu behind a control."""

REFUSALS = ("nothing happens", "is not there again", "out of sight", "takes no focus")
"""Faults of a press that may not occur in another scene."""
CART_KEYS = MappingProxyType({"plus": Qt.Key.Key_F3, "remove": Qt.Key.Key_Delete})
"""The keys with the same effect as buttons in a row of the cart. F3 stands for "minus" too, and is
pressed once; "restore" has no key."""

EXCEPTIONS = (
    (
        "attention wrong: Button “Скенирајте QR код”", "*",
        "what is wrong with the receipt stands below its field already",
    ),
    (
        "attention lines: RowView “Ставке продаје”", MOUSE,
        "the lines of a sale are read there, and scrolled",
    ),
    (
        "refund RefundScreen/RightSide: BigButton “Покушај поново”", "*",
        "a server that is away is asked again, and is away again",
    ),
    (
        "closing TillWindow: StatusLine “Стање касе”", KEY,
        "the question whether the till is closed keeps the keyboard, as the lock does",
    ),
    (
        "catalogue TillWindow/CatalogueScreen/PinGate/PinPanel: BigButton “Отвори”", "*",
        "why the last PIN was refused stands at the field, which gets the focus",
    ),
    (
        "correction CorrectionScreen/PaymentPart: Button “Готовина”", "*",
        "the method that is chosen is chosen again",
    ),
    (
        "receipts ReceiptsScreen/ReceiptListSide/ReceiptFilters: Button “Данас”", "*",
        "the period that is shown is chosen again",
    ),
    (
        "settings TillWindow/SettingsScreen: FoundRow *", KEY,
        "the arrows and Enter choose one while the field above has the focus",
    ),
    (
        "settings TillWindow/SettingsScreen: FoundRow “Готовина: нови ред, Продавница”", MOUSE,
        "the page with that box is shown already",
    ),
)  # fmt: skip
"""Patterns of control and means, and the reason why the press has no effect. A whole run reports an
exception whose control is gone."""


@dataclass(frozen=True, slots=True)
class Control:
    """A control to press. page: the parts of the screen around it. number: which of those of the
    same name on the page it is. part: the pressed part, "" for the whole."""

    room: str
    page: str
    kind: str
    name: str
    number: int = 0
    part: str = ""
    has_keys: bool = True
    """Whether it takes the focus, and the part has a key; otherwise it is pressed by mouse
    alone."""

    def __str__(self) -> str:
        told = f"{self.room} {self.page}: {self.kind} “{self.name}”"
        return f"{told}{f' #{self.number}' if self.number else ''}{self.part and f' › {self.part}'}"


@dataclass(frozen=True, slots=True)
class Press:
    """The result of a press. fault: "" where its effect was seen."""

    scene: str
    control: Control
    means: str
    fault: str = ""


# --- what can be pressed -------------------------------------------------------------------------


def controls(window: QWidget, scene: Scene) -> dict[Control, QWidget]:
    """The controls that can be pressed or typed into now, by name, with their widgets."""
    seen: Counter[tuple[str, str, str]] = Counter()
    found: dict[Control, QWidget] = {}
    for one in window.findChildren(QWidget):
        if one.window() is not window or not one.isVisible() or not _is_control(one):
            continue
        if not (page := _page(one)):
            continue  # an example in the frame of the scene; the real one stands elsewhere
        if scene.room == "attention":
            page = scene.name  # each kind of case has its own acts under the same words
        kind, name = type(one).__name__, one.accessibleName() or one.objectName()
        place = seen[page, kind, name]
        seen[page, kind, name] += 1
        if one.isEnabled() and not _is_chosen(one):
            for part in _parts(one):
                made = Control(scene.room, page, kind, name, place, part, _has_keys(one, part))
                found[made] = one
    return found


def _page(widget: QWidget) -> str:
    """The parts of the product's screen that a control stands in."""
    parts: list[str] = []
    above = widget.parentWidget()
    while above is not None:
        room = type(above).__module__
        if room.startswith("pos_app.cashier.") and not room.startswith(NOT_OURS):
            parts.append(type(above).__name__)
        above = above.parentWidget()
    return "/".join(reversed(parts))


def _is_control(widget: QWidget) -> bool:
    if widget.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents):
        return False
    match widget:
        case QAbstractItemView():
            return widget.model() is not None and widget.model().rowCount() > 0
        case QLineEdit() | QPlainTextEdit():
            return not widget.isReadOnly()
        case PaymentLine():
            return widget.field is None
        case LastLarge():
            return widget.focusPolicy() is not Qt.FocusPolicy.NoFocus
    return isinstance(widget, QAbstractButton | Segment)


def _is_chosen(widget: QWidget) -> bool:
    """Whether it is the chosen one of several: pressing it again changes nothing."""
    if not isinstance(widget, QAbstractButton) or not widget.isChecked():
        return False
    if isinstance(widget, PageRow | CaseRow | PhotoButton) or isinstance(
        widget.parentWidget(), ChipRow
    ):
        return True
    return widget.autoExclusive() or widget.group() is not None


def _parts(widget: QWidget) -> list[str]:
    """The parts of a control with an effect of their own: each part of a segment that is not
    chosen, the cells of a table, the buttons painted in a row."""
    match widget:
        case Segment():
            every = range(len(widget.part_rects()))
            return [str(number) for number in every if number != widget.current()]
        case CartList():
            return ["", *_buttons_in(widget)]
        case QTableView():
            every = range(1, widget.model().columnCount())
            return ["", *(str(number) for number in every if not widget.isColumnHidden(number))]
    return [""]


def _has_keys(widget: QWidget, part: str) -> bool:
    if isinstance(widget, CartList) and part and part not in CART_KEYS:
        return False
    return widget.focusPolicy() is not Qt.FocusPolicy.NoFocus


def _buttons_in(cart: CartList) -> dict[str, QPoint]:
    """The visible buttons in the rows of a cart, with their positions."""
    found: dict[str, QPoint] = {}
    for number in range(cart.model().rowCount()):
        index = cart.model().index(number, 0)
        rect = cart.visualRect(index)
        hits = cart_hits(rect, cart.theme, index.data(ROW), cart.cart_delegate.words)
        for name in ("minus", "plus", "remove", "restore"):
            place: QRect = getattr(hits, name)
            if not place.isEmpty() and cart.viewport().rect().contains(place):
                found.setdefault(name, place.center())
    return found


# --- pressed -------------------------------------------------------------------------------------


def by_mouse(window: QWidget, widget: QWidget, part: str = "") -> str:
    """Click through the window at the widget's position; returns why not, or "" after a click."""
    place = spot_in(widget, part)
    if place is None:
        return "is not there again"
    spot = widget.mapTo(window, place)
    if refused := hidden_at(window, widget, spot):
        return refused
    waited(widget)
    handle = window.windowHandle()
    QTest.mouseClick(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, spot)
    if isinstance(widget, QLineEdit | QPlainTextEdit):
        QTest.keyClicks(widget, "7")
    return ""


def hidden_at(window: QWidget, widget: QWidget, spot: QPoint) -> str:
    """Why a widget can't be pressed at a point of the window; "" where it can."""
    if not window.rect().contains(spot):
        return "out of sight"
    under = window.childAt(spot)
    if under is None or not (under is widget or widget.isAncestorOf(under)):
        return f"covered by {type(under).__name__}"
    return ""


def by_key(window: QWidget, widget: QWidget, part: str = "") -> str:
    """Press Space, or the widget's own key, with the focus on it; returns why not, or "" after a
    press."""
    if window.focusWidget() is not widget:
        return "takes no focus"
    waited(widget)
    match widget:
        case Segment():
            steps = int(part) - widget.current()
            for _ in range(abs(steps)):
                _click(window, Qt.Key.Key_Left if steps < 0 else Qt.Key.Key_Right)
        case CartList():
            _click(window, CART_KEYS.get(part, Qt.Key.Key_PageUp))
        case QTableView():
            if widget.currentIndex().column() != int(part or 0):
                return "takes no focus"
            _click(window, Qt.Key.Key_Return if part else Qt.Key.Key_Space)
        case QAbstractItemView():
            _click(window, Qt.Key.Key_Down)
            _click(window, Qt.Key.Key_Return)
        case QLineEdit() | QPlainTextEdit():
            QTest.keyClick(window.windowHandle(), Qt.Key.Key_7)
        case _:
            _click(window, Qt.Key.Key_Space)
    return ""


def focus(widget: QWidget) -> None:
    """Move the focus to the widget before it is pressed: effects of the focus are no effect of the
    press."""
    _scroll_to(widget)
    if widget.focusPolicy() is not Qt.FocusPolicy.NoFocus:
        widget.setFocus(Qt.FocusReason.TabFocusReason)
    settle()


def reach(window: QWidget, widget: QWidget, part: str) -> None:
    """Go by arrows to the cell of a table that is pressed by keyboard: the way there is no
    effect."""
    if not isinstance(widget, QTableView) or window.focusWidget() is not widget:
        return
    if not widget.currentIndex().isValid():
        _click(window, Qt.Key.Key_Down)
    for _ in range(widget.model().columnCount()):
        steps = int(part or 0) - widget.currentIndex().column()
        if steps == 0:
            break
        _click(window, Qt.Key.Key_Left if steps < 0 else Qt.Key.Key_Right)
    settle()


def entries_of(menu: QMenu) -> list[str]:
    every = [
        one.text()
        for one in menu.actions()
        if one.isEnabled() and not one.isSeparator() and not one.isChecked()
    ]
    return every if len(every) <= MOST_ENTRIES else [every[0], every[-1]]


def choose_in(menu: QMenu, words: str, means: str) -> str:
    """Choose an entry of an open menu, by mouse or by keys; returns why not, or "" after a
    choice."""
    every = [one for one in menu.actions() if one.isEnabled() and not one.isSeparator()]
    wanted = next((one for one in every if one.text() == words), None)
    if wanted is None:
        return "is not there again"
    if means == MOUSE:
        place = menu.actionGeometry(wanted).center()
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        return ""
    for _ in every:
        if menu.activeAction() is wanted:
            break
        QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    return ""


def _click(window: QWidget, key: Qt.Key) -> None:
    QTest.keyClick(window.windowHandle(), key)


def spot_in(widget: QWidget, part: str) -> QPoint | None:
    """The point of a widget that a finger presses: a part, or a row of a list. It is None when the
    part is gone."""
    match widget:
        case Segment():
            return widget.part_rects()[int(part)].center()
        case CartList() if part:
            place = _buttons_in(widget).get(part)
            return place and widget.viewport().mapTo(widget, place)
        case QAbstractItemView():
            model, column = widget.model(), int(part or 0)
            place = widget.visualRect(model.index(model.rowCount() - 1, column)).center()
            inside = place if widget.viewport().rect().contains(place) else None
            first = widget.visualRect(model.index(0, column)).center()
            return widget.viewport().mapTo(widget, inside or first)
        case PaymentLine():
            return QPoint(widget.width() // 2, widget.height() // 2)
    return widget.rect().center()


def _scroll_to(widget: QWidget) -> None:
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget, 0, widget.height())
        above = above.parentWidget()
    settle()


# --- what came of it -----------------------------------------------------------------------------


class Watch:
    """Exceptions that a slot raised, and logged errors, while the watch is open."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self._hook = sys.excepthook
        self._handler = _Errors(self.faults)

    def __enter__(self) -> Watch:
        sys.excepthook = self._note
        self._disabled = logging.root.manager.disable
        logging.disable(logging.NOTSET)
        logging.getLogger().addHandler(self._handler)
        return self

    def _note(self, kind: type[BaseException], error: BaseException, _: object) -> None:
        if not issubclass(kind, MachineError):  # the till tells it, and nothing is half open
            self.faults.append(f"{kind.__name__}: {error}")

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self._handler)
        logging.disable(self._disabled)
        sys.excepthook = self._hook


class _Errors(logging.Handler):
    def __init__(self, faults: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        self._faults.append(f"logged: {record.getMessage()}")


class Ear:
    """The requests of a screen that stands in a scene without its window, as rows like those of the
    state, so that requests without a press are subtracted like other noise."""

    def __init__(self) -> None:
        self._heard: Counter[str] = Counter()

    def lines(self) -> set[str]:
        return {f"signal {name} = {times}" for name, times in self._heard.items()}

    def listen(self, window: QWidget) -> None:
        for screen in (window, *window.findChildren(QWidget)):
            room = type(screen).__module__
            is_screen = room.startswith("pos_app.cashier.") and not room.startswith(NOT_OURS)
            if _page(screen) or not is_screen:
                continue
            for name, what in vars(type(screen)).items():
                if isinstance(what, Signal):
                    told = f"{type(screen).__name__}.{name}"
                    getattr(screen, name).connect(partial(self._hear, told))

    def _hear(self, name: str, *_: object) -> None:
        self._heard[name] += 1


# --- one scene -----------------------------------------------------------------------------------


class Hand:
    """Presses the controls of a scene, one after the other in one window as long as that still has
    them. A press without effect is repeated in a new window.

    A screen that stands in a scene without its window is heard: its requests to the window are
    effects.
    """

    def __init__(self, application: QApplication, scene: Scene) -> None:
        self._application, self._scene = application, scene
        self._open = ExitStack()
        self._window: QWidget | None = None
        self.entries: list[tuple[Control, str]] = []
        """The entries of the menus that were opened."""
        self._ear = Ear()

    def press(self, control: Control, means: str) -> Press:
        is_new = self._window is None
        fault = self._press(self._window or self._anew(), control, means)
        if fault and not is_new:
            fault = self._press(self._anew(), control, means)
        return Press(self._scene.title, control, means, fault)

    def all_controls(self) -> list[Control]:
        return list(controls(self._window or self._anew(), self._scene))

    def heard(self) -> set[str]:
        return self._ear.lines()

    def close(self) -> None:
        self._window = None
        self._open.close()

    def _anew(self) -> QWidget:
        self.close()
        asyncio.set_event_loop(_loops[0])
        shape = replace(LIGHT, as_list=self._scene.as_list)
        posed = self._scene.posed(self._application, shape, self._scene.name)
        self._window = window = self._open.enter_context(posed)
        if isinstance(window, TillWindow):
            vars(window.tasks).pop("start", None)  # waiting work may wait
        else:
            self._ear = Ear()
            self._ear.listen(window)
        let_work()
        return window

    def _press(self, window: QWidget, control: Control, means: str) -> str:
        wanted = without_entry(control)
        if (widget := self._reached(window, wanted, means)) is None:
            return "is not there again"
        QApplication.clipboard().clear()
        noise = state(window, widget) | self._ear.lines()
        let_work()
        before = state(window, widget) | self._ear.lines()
        if not isValid(widget):  # it was made anew meanwhile, as what stands on it was read
            return "is not there again"
        noise ^= before
        with Watch() as watch:
            if refused := self._act(window, widget, control, means):
                return refused
            deadline = time.monotonic() + PATIENCE
            is_changed = False
            while not is_changed and not watch.faults and time.monotonic() < deadline:
                let_work()
                after = state(window, widget) | self._ear.lines()
                is_changed = bool(changed(before ^ after, noise))
            self._put_away(window, wanted, means)
        return "; ".join(watch.faults) or ("" if is_changed else "nothing happens")

    def _reached(self, window: QWidget, wanted: Control, means: str) -> QWidget | None:
        """The widget of a control with the focus on it; None where it is not there again."""
        if (widget := controls(window, self._scene).get(wanted)) is None:
            return None
        focus(widget)
        if means == KEY and isValid(widget):
            reach(window, widget, wanted.part)
        return widget if isValid(widget) and widget.isVisible() else None

    def _act(self, window: QWidget, widget: QWidget, control: Control, means: str) -> str:
        press = by_mouse if means == MOUSE else by_key
        if not control.part.startswith(ENTRY):
            return press(window, widget, control.part)
        if refused := press(window, widget):
            return refused
        let_work()
        if not (menus := open_menus()):
            return "is not there again"
        refused = choose_in(menus[0], control.part.removeprefix(ENTRY), means)
        for menu in open_menus():
            menu.close()
        return refused

    def _put_away(self, window: QWidget, control: Control, means: str) -> None:
        """Close windows that opened; the entries of a menu are pressed later."""
        for top in QApplication.topLevelWidgets():
            if top is window or not top.isVisible():
                continue
            if isinstance(top, QMenu) and not isinstance(top, CellList):  # it hangs on a cell
                made = ((replace(control, part=f"{ENTRY}{one}"), means) for one in entries_of(top))
                self.entries += [one for one in made if one not in self.entries]
            top.close()


def without_entry(control: Control) -> Control:
    """The control behind which the menu of an entry opens; any other control itself."""
    return replace(control, part="") if control.part.startswith(ENTRY) else control


def changed(lines: set[str], noise: set[str]) -> set[str]:
    """The rows that differ from before, except those that changed without a press."""
    unrest = {line.partition(" = ")[0] for line in noise}
    return {line for line in lines if line.partition(" = ")[0] not in unrest}


def let_work() -> None:
    """Let started work go on, on the loop of the scene."""
    settle()
    asyncio.get_event_loop().run_until_complete(asyncio.sleep(0.03))
    settle()


def excepted(press: Press) -> str:
    """Why a press may do nothing; "" where it may not."""
    told = (str(press.control), press.means)
    for name, means, why in EXCEPTIONS:
        if all(map(fnmatchcase, told, (name, means))):
            return why
    return ""


def needless_exceptions(made: Sequence[Press]) -> list[str]:
    """The exceptions by name whose control is on no page any more."""
    names = [str(one.control) for one in made]
    return [name for name, *_ in EXCEPTIONS if not any(fnmatchcase(one, name) for one in names)]


# --- in processes of their own -------------------------------------------------------------------

_loops: list[TestLoop] = []
Made = TypeVar("Made", bound=Hand)


def begin() -> None:
    """Prepare a worker: it needs a loop for the work that a scene starts."""
    begin_pictures()
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    press_guard.stamp_of = SlowHand().stamp_of
    SeenButton.rests = False  # type: ignore[assignment, method-assign]
    _loops.append(TestLoop(application))
    atexit.register(_loops[0].close)  # its threads end before Qt does


@contextmanager
def hand_in(title: str, kind: type[Made]) -> Iterator[Made]:
    asyncio.set_event_loop(_loops[0])
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    hand = kind(application, next(one for one in SCENES if one.title == title))
    try:
        yield hand
    finally:
        hand.close()


def shown_in(title: str) -> list[Control]:
    with hand_in(title, Hand) as hand:
        return hand.all_controls()


def press_in(title: str, asked: Sequence[tuple[Control, str]]) -> list[Press]:
    with hand_in(title, Hand) as hand:
        made = [hand.press(control, means) for control, means in asked]
        return made + [hand.press(control, means) for control, means in list(hand.entries)]


def asked_in(shown: Mapping[str, Sequence[Control]]) -> dict[tuple[Control, str], list[str]]:
    asked: dict[tuple[Control, str], list[str]] = {}
    for title, every in shown.items():
        for one in every:
            for means in (MOUSE, KEY) if one.has_keys else (MOUSE,):
                asked.setdefault((one, means), []).append(title)
    return asked


def titles_of(*only: str) -> list[str]:
    """The scenes with one of these in their names; nobody presses a display or a sheet."""
    every = (one.title for one in SCENES if one.room not in (LOOK, "display"))
    return [title for title in every if any(name in title for name in only)]


def press_all(only: str, jobs: int) -> list[Press]:
    """The result of every press; for one without effect in several scenes, the last result."""
    titles = titles_of(only)
    with workers(jobs, begin) as pool:
        shown = dict(zip(titles, pool.map(shown_in, titles), strict=True))
        left = asked_in(shown)
        made: dict[tuple[Control, str], Press] = {}
        for number in range(ROUNDS):
            by_scene: dict[str, list[tuple[Control, str]]] = {}
            for wanted, scenes in left.items():
                if number < len(scenes):
                    by_scene.setdefault(scenes[number], []).append(wanted)
            works = as_done(pool, press_in, by_scene.items())
            for done, presses in enumerate(works, start=1):
                made |= {(one.control, one.means): one for one in presses}
                sys.stderr.write(f"round {number + 1}: {done} of {len(by_scene)} scenes\n")
            left = {
                one: scenes
                for one, scenes in left.items()
                if made[one].fault in REFUSALS and not excepted(made[one])
            }
    return list(made.values())


def main() -> int:
    parser = argparse.ArgumentParser(description="Every control is pressed once.")
    parser.add_argument("--only", default="", help="a part of a scene's name")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    asked = parser.parse_args()
    made = press_all(asked.only, asked.jobs)
    wrong = [one for one in made if one.fault and not excepted(one)]
    spared = sum(bool(one.fault) for one in made) - len(wrong)
    needless = [] if asked.only else needless_exceptions(made)
    controls_pressed = len({one.control for one in made})
    report = "".join(
        f"{one.fault}: {one.control} by {one.means} [{one.scene}]\n"
        for one in sorted(wrong, key=lambda one: (one.scene, str(one.control)))
    )
    report += "".join(f"no control has the exception {one}\n" for one in needless)
    report += (
        f"{controls_pressed} controls, {len(made)} presses: {len(made) - len(wrong) - spared} with"
        f" an effect, {spared} excepted, {len(wrong)} wrong\n"
    )
    sys.stdout.write(report)
    return int(bool(wrong or needless) or not made)


if __name__ == "__main__":
    sys.exit(main())
