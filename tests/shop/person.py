"""A person at the real window over a whole shop: what is pressed, and what is seen.

It knows no screen by name. It finds what can be pressed among what is visible, and has as much time
between two presses as it says: the window's guards see the times of the presses, not of the
machine.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QTimer
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QWidget

from pos_app.bootstrap.till.till import services_of
from pos_app.cashier.catalogue.work import LongWork
from pos_app.cashier.sale.picker import Picker
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.buttons import SeenButton
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.press_part import REST_MS
from pos_app.cashier.ui.style import apply_style
from pos_app.cashier.ui.views import RowView
from pos_app.cashier.window.frame import CLOSING
from pos_app.cashier.window.screens import SHIFT
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.selling.sale.sale import Sale
from tests.fakes.browser import browser
from tests.fakes.receipt_files import NotingViewer
from tests.gui.crawl import press
from tests.gui.crawl.scenes import Scene
from tests.gui.inside import inside
from tests.gui.pictures import LIGHT, look_of, styled
from tests.gui.scanner.wedge import Keyboards
from tests.gui.taps import moment, strike, tap
from tests.gui.window.hands import KEY, PLACES, Hands, filter_at
from tests.gui.window.shop import PlayedTones
from tests.shop.ledger import MOST_SALES, Fault, Judge, waits_for_a_person
from tests.shop.world import PersonsClock, World

SECOND_MS = 90
"""Between the two taps of a double tap, and the two strokes of a key that is struck twice."""
HAND_MS = 600
"""Between two gestures of a hand in no hurry."""
TURN_SECONDS = 0.004
"""The programs work for so long after each gesture."""
REST_SECONDS = 12.0
LONG_WORK_SECONDS = 5.0
ESCAPES = 8
"""Two notices, a form, an import and a search lead home by seven."""
FEW = 20
"""More sales than one gesture can make."""
KEYS = (*KEY, *(one for one in PLACES if one not in ("Ctrl", "Shift", "Alt")),
        "Ctrl+Enter", "Shift+Enter", "Ctrl+D", "Alt+1", "Alt+2")  # fmt: skip
STAYING = ("settings", "catalogue", "reports")
"""Screens in which a manager has typed what a misread code must not throw away."""
_AMOUNT = re.compile(r"\d[\d.]*,\d\d|\d+")
_SCENE = cast("Scene", SimpleNamespace(room="", name=""))


@dataclass(frozen=True, slots=True)
class Spot:
    """Something visible that can be pressed. label: names it in every run of the same history."""

    label: str
    widget: QWidget
    point: QPoint
    """In the window, or in the menu."""
    size: int = 0


class Person:
    """world: its processor and server run. Every gesture is judged when it has ended."""

    def __init__(
        self, application: QApplication, loop: asyncio.AbstractEventLoop, world: World, judge: Judge
    ) -> None:
        self.application, self.loop = application, loop
        self.world, self.judge = world, judge
        assert isinstance(world.clock, PersonsClock)
        self.clock = world.clock
        self.closed_by_hand = 0
        self._refused = set[str]()
        """What the shift's screen refused since it was opened."""
        self._refused_scans = set[str]()
        """What it refused of the last scan."""
        self._spots: list[Spot] | None = None
        self._until_closed = ExitStack()
        self.open()

    # --- the window ------------------------------------------------------------------------------

    def open(self) -> None:
        """Open the till as its program does, and wait until it stands."""
        self._spots = None
        self._until_closed.enter_context(browser())
        theme = self._until_closed.enter_context(styled(self.application, look_of(LIGHT)))
        core = self.world.open_till()
        services = services_of(core, PlayedTones())
        ui = UiContext(theme, Texts(core.settings.till.language))
        apply_style(self.application, theme)
        self.window = TillWindow(services, ui, viewer=NotingViewer())
        self.window.frame.count()
        self.window.resize(LIGHT.width, LIGHT.height)
        self.window.show()
        self.window.activateWindow()
        self.filter = filter_at(self.window)
        self.world.start_outbox()
        settle()
        self.hands = Hands(self.window, cast("Any", None), self.filter, Keyboards())
        self._turn(0.02)

    def close(self, *, is_killed: bool = False) -> None:
        """Close the till; a killed one leaves its files as they are now."""
        kept = self.world.till_files() if is_killed else None
        for other in self.application.topLevelWidgets():
            if other is not self.window and other.isVisible():
                other.close()
        self.filter.remove()
        self.run(self.window.frame.tasks.close())
        self.window.frame.close()
        self.window.hide()
        self.window.deleteLater()
        self._turn(0.01)
        self.run(self.world.close_till(kept=kept))
        self._until_closed.close()
        self._turn(0.0)

    def run(self, work: Any) -> None:
        self.loop.run_until_complete(work)

    def _turn(self, seconds: float) -> None:
        """Let the programs work, and Qt delete what it was told to."""
        settle()
        self.run(asyncio.sleep(seconds))
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    # --- a gesture and its effect ----------------------------------------------------------------

    def sales(self, last: int = MOST_SALES) -> Sequence[Sale]:
        return self.world.till_core.database.sales.last(last)

    def gesture(self, words: str, act: Callable[[], object], *, is_wish: bool = True) -> None:
        """Do one gesture. is_wish: whether it may mean a document."""
        before = {one.key for one in self.sales(FEW)}
        shift = self._open_shift()
        self.clock.go_on(HAND_MS)
        self._has_waited()
        was_asked = self.window.frame.cover_name == CLOSING
        act()
        self._turn(TURN_SECONDS)
        self._spots = None
        if not self.window.isVisible():
            self.closed_by_hand += 1
            waits = not all(waits_for_a_person(one) for one in self.sales())
            if not was_asked and (waits or shift is not None):
                what = "sales without a receipt" if waits else "the open shift"
                raise Fault(f"the till was closed without a word about {what}")
            self._judge(before, words, is_wish=is_wish)
            self.close()
            self.open()
            return
        if self.menu() is None and self.dialog() is None and not self.window.isActiveWindow():
            self.window.activateWindow()  # a window manager does so after a menu
            settle()
        self._judge_refusals(words, has_changed=self._open_shift() != shift)
        self._judge(before, words, is_wish=is_wish)

    def _open_shift(self) -> int | None:
        shift = self.world.till_core.database.shifts.open_shift()
        return None if shift is None else shift.id

    def _refusals(self) -> set[str]:
        """What is refused in the colour of danger, or under a field, and visible."""
        role, window = QPalette.ColorRole.WindowText, self.window
        labels = {
            one.text()
            for one in window.findChildren(Label)
            if one.isVisible() and one.palette().color(role) == one.theme.colour("danger")
        }
        fields = {one.error() for one in window.findChildren(Field) if one.isVisible()}
        return {words for words in labels | fields if words}

    def _judge_refusals(self, gesture: str, *, has_changed: bool) -> None:
        """A refusal of the shift's screen ends with what it refused; that of a scan stays until it
        is read. has_changed: whether the shift was opened or closed."""
        notice = self.hands.notice()
        for words in self._refused if has_changed else ():
            if words.partition(".")[0] in notice:
                raise Fault(f"a refusal stands after the shift was opened or closed: {words}")
        is_there = self.window.frame.top_name == SHIFT
        refused = self._refused | self._refusals() if is_there else set[str]()
        if gesture.startswith("scan "):
            self._refused_scans = refused - self._refused
        self._refused = refused - self._refused_scans

    def _judge(self, before: set[str], words: str, *, is_wish: bool) -> None:
        self.judge.hear()
        made = [one for one in self.sales(FEW) if one.key not in before]
        self.judge.note(words, made, is_wish=is_wish)

    def _has_waited(self) -> None:
        """End the rests of what has just appeared."""
        for rest in self.window.findChildren(QTimer):
            is_rest = rest.interval() == REST_MS and rest.isActive()
            if is_rest and isinstance(rest.parent(), BigButton | SeenButton | Picker):
                rest.stop()

    # --- what can be pressed ---------------------------------------------------------------------

    def menu(self) -> QMenu | None:
        popup = self.application.activePopupWidget()
        return popup if isinstance(popup, QMenu) else None

    def dialog(self) -> QFileDialog | None:
        for one in self.application.topLevelWidgets():
            if isinstance(one, QFileDialog) and one.isVisible():
                return one
        return None

    def spots(self) -> list[Spot]:
        """All that a finger can press now: an entry of the open menu, or what the window shows."""
        if self._spots is None:
            self._spots = self._seen()
        return self._spots

    def _seen(self) -> list[Spot]:
        menu = self.menu()
        if menu is not None:
            return [
                Spot(f"menu: {_plain(one.text())}", menu, menu.actionGeometry(one).center())
                for one in menu.actions()
                if one.isEnabled() and not one.isSeparator()
            ]
        found = []
        for control, widget in press.controls(self.window, _SCENE).items():
            place = press.spot_in(widget, control.part)
            if place is None:
                continue
            spot = widget.mapTo(self.window, place)
            if press.hidden_at(self.window, widget, spot):
                continue
            page = control.page.rpartition("/")[2]
            number = f" {control.number}" if control.number else ""
            part = f" > {control.part}" if control.part else ""
            label = f"{page}: {control.kind} {_plain(control.name)}{number}{part}"
            found.append(Spot(label, widget, spot, widget.width() * widget.height()))
        return found

    # --- presses ---------------------------------------------------------------------------------

    def tap(self, spot: Spot, *, twice: bool = False) -> None:
        """Tap, or tap twice as fast as a finger that trembles. The second tap means nothing more
        than the first; where that closed a menu, it falls on the window below."""
        menu = spot.widget if isinstance(spot.widget, QMenu) else None
        above = menu or self.window
        below = self.window.mapFromGlobal(above.mapToGlobal(spot.point))

        def act() -> None:
            begins = moment()
            tap(above, spot.point, at=begins)
            if not twice:
                return
            settle()
            is_open = menu is None or self.menu() is menu
            target, point = (above, spot.point) if is_open else (self.window, below)
            again = partial(tap, target, point, at=begins + SECOND_MS, is_second=True)
            self._second(spot.label, again)

        self._is_about_a_row(spot)
        self.gesture(f"{'double ' if twice else ''}tap on {spot.label}", act)

    def _is_about_a_row(self, spot: Spot) -> None:
        """A screen whose lists are empty offers no act with an amount: it would be about a row that
        nobody sees."""
        if self.window.frame.is_home or not isinstance(spot.widget, BigButton):
            return
        screen = cast("QWidget", self.window.frame.top)
        models = [one.model() for one in screen.findChildren(RowView)]
        lists = [one.rowCount() for one in models if one is not None]
        if lists and not any(lists) and "#" in spot.label:
            raise Fault(f"an act on what the list does not show: {spot.label}")

    def tap_named(self, label: str, *, twice: bool = False, ends_so: bool = False) -> None:
        """Tap what has this label, or a label that ends so, if it is there."""
        for spot in self.spots():
            if spot.label == label or (ends_so and spot.label.endswith(label)):
                self.tap(spot, twice=twice)
                return

    def key(self, name: str, how: str = "") -> None:
        """Press a key; how: "twice" or "held"."""

        def act() -> None:
            if name in KEY:
                begins, window = moment(), self.window
                strike(window, KEY[name], at=begins)
                if how:
                    settle()
                    repeat = partial(strike, window, KEY[name], is_repeat=how == "held")
                    self._second(name, partial(repeat, at=begins + SECOND_MS))
                return
            self.hands.press(name)
            if how:
                settle()
                self.hands.keys.now -= 500 - SECOND_MS  # `press` lets half a second pass
                self._second(name, partial(self.hands.press, name))

        self.gesture(f"key {name} {how}".strip(), act)

    def _second(self, words: str, act: Callable[[], object]) -> None:
        """Press again. What the first press did not issue, the second does not issue either."""
        before = {one.key for one in self.sales(FEW)}
        if not self.window.isVisible():
            return
        act()
        settle()
        made = [one for one in self.sales(FEW) if one.key not in before]
        self.judge.note(f"the second press on {words}", made, is_wish=False)

    def type(self, text: str) -> None:
        self.gesture(f"type {text!r}", lambda: self.hands.type(text), is_wish=text.endswith("\r"))

    def search(self, text: str) -> None:
        self.key("F2", "")
        self.type(text)

    def scan(self, code: str, *, cut: int = 0) -> None:
        """Scan a code; cut: it breaks off after so many characters."""
        act = partial(self.hands.scan_part, code[:cut]) if cut else partial(self.hands.scan, code)
        screen = self.window.frame.top_name
        self.gesture(f"scan {code[:cut] if cut else code}", act, is_wish=False)
        if cut and screen in STAYING and self.window.frame.top_name != screen:
            raise Fault(f"a misread code leads away from {screen}")

    def scan_receipt(self, number: int) -> None:
        signed = read_entries(self.world.ledger)
        if len(signed) >= number:
            self.scan(str(json.loads(signed[-number].answer)["verificationUrl"]))

    def choose_file(self, path: Path | None) -> None:
        dialog = self.dialog()
        if dialog is None:
            return

        def act() -> None:
            if path is None:
                dialog.reject()
            else:
                dialog.fileSelected.emit(str(path))
                dialog.close()

        self.gesture("choose a file" if path else "choose no file", act, is_wish=False)

    def wait(self, milliseconds: int) -> None:
        """Wait: the till's clock goes on by so much, and the programs work for a moment. Who waits
        ten seconds sees a file read or an act on many articles end."""

        def act() -> None:
            self.clock.go_on(milliseconds)
            self._turn(min(0.06, milliseconds / 1000))
            latest = time.monotonic() + LONG_WORK_SECONDS
            works = self.window.frame.findChildren(LongWork) if milliseconds >= 10_000 else ()
            while any(one.work for one in works) and time.monotonic() < latest:
                self._turn(0.06)

        self.gesture(f"wait {milliseconds} ms", act, is_wish=False)

    # --- what people see -------------------------------------------------------------------------

    @property
    def screen_name(self) -> str:
        """Where the window stands, for the figures of a run."""
        area = inside(self.window).work_area
        panel = area.panel
        open_panel = type(panel).__name__ if panel is not None else ""
        paying = "paying" if area.is_paying else ""
        return f"{self.window.frame.top_name}/{open_panel or paying}".rstrip("/")

    def pieces(self) -> dict[str, Decimal]:
        found: dict[str, Decimal] = {}
        for line in inside(self.window).model.cart.ticket.cart.lines:
            if not line.removed:
                article = line.article.article_id
                found[article] = found.get(article, Decimal(0)) + line.quantity.amount
        return found

    def go_home(self) -> bool:
        """Press Esc `ESCAPES` times, which is enough from anywhere; returns whether the sale stands
        there. It does not where somebody has to sign in first."""
        for _ in range(ESCAPES):
            if (dialog := self.dialog()) is not None:
                dialog.reject()
            self.gesture("Esc", lambda: self.hands.press("Esc"), is_wish=False)
        frame = self.window.frame
        if frame.cover_name:
            return False
        if self.screen_name != "sale":
            raise Fault(f"{ESCAPES} Esc end at {self.screen_name}")
        return True

    def scan_at_home(self, code: str, amount: int) -> None:
        """Go home and scan: it adds exactly that article in that amount."""
        if not self.go_home():
            return
        article = self._sold_by(code)
        before = self.pieces()
        self.scan(code)
        after = self.pieces()
        added = {one: after.get(one, Decimal(0)) - before.get(one, Decimal(0))
                 for one in before.keys() | after.keys()
                 if after.get(one) != before.get(one)}  # fmt: skip
        if article and added != {article: Decimal(amount)}:
            notice = self.hands.notice()
            raise Fault(f"a scan of {amount} pieces at home changed the cart by {added}: {notice}")

    def _sold_by(self, code: str) -> str:
        """Name the article that a code sells without a question: the one that has it, else of a
        label the one of its number; "" where a manager has changed that."""
        by_code = self.world.till_core.catalogue.by_code
        found = by_code(ArticleCode(code)) or by_code(ArticleCode(code[2:7].lstrip("0")))
        sold = [one.article for one in found if not one.article.asks_price]
        if len(sold) != 1 or len(found) != 1:
            return ""
        is_counted = sold[0].label_step == 1 and not sold[0].by_weight  # grams have that step, too
        return sold[0].id if is_counted else ""

    def close_by(self, name: str) -> None:
        """Close the till by the menu, where the window speaks as at the beginning."""
        self.key("F9")
        self.tap_named(name, ends_so=True)

    def take_off_at_home(self, code: str, amount: int) -> None:
        """Scan at home, and take the same code off again by "Скини артикал" of the menu, where the
        window speaks as at the beginning: the cart is as before."""
        if not self.go_home():
            return
        before = self.pieces()
        self.scan_at_home(code, amount)
        self.key("F9")
        if not any(one.label.endswith(": Скини артикал") for one in self.spots()):
            return
        self.tap_named(": Скини артикал", ends_so=True)
        self.scan(code)
        if (after := self.pieces()) != before:
            raise Fault(f"a scan that takes off left {after} of {before}: {self.hands.notice()}")

    def rest(self) -> None:
        left = REST_SECONDS
        while left > 0 and not all(waits_for_a_person(one) for one in self.sales()):
            self.clock.go_on(500)
            self._turn(0.05)
            left -= 0.05
        self._turn(0.05)
        self.judge.hear()


def settle() -> None:
    QApplication.processEvents()
    QApplication.processEvents()


def _plain(words: str) -> str:
    """Leave amounts and counts out of a name, which differ from run to run."""
    return _AMOUNT.sub("#", words)
