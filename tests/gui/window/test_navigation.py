"""Navigation is complete or has not happened, and no exception stops the flow of scans."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from itertools import cycle
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.notices import Bug
from pos_app.cashier.sale.questions import NextQuantity
from pos_app.cashier.scanner.decoder import Family
from pos_app.cashier.scanner.filter import ScanFilter
from pos_app.cashier.services.tasks import Tasks
from pos_app.cashier.window.frame import (
    APPROVAL,
    HOME,
    LOCK,
    AskedAct,
    Change,
    LockedBy,
    Screen,
    ShopChange,
)
from pos_app.cashier.window.screens import (
    CATALOGUE,
    RECEIPTS,
    REFUND,
    REPORTS,
    SCREENS,
    SETTINGS,
    ReceiptPlace,
)
from pos_app.cashier.window.till_window import TICK_MS
from pos_app.errors import DiskFull, PosError, ProgramError
from pos_app.selling.people.rights import Act
from pos_app.settings import ScannerSettings
from tests.gui.parts import pass_time
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD
from tests.gui.window.test_ended_meanwhile import still_sells
from tests.integration.local_api.wires import until
from tests.sweep import each

OPENED = [one.name for one in SCREENS if one.icon or one.key]
STEPS = ("make", "place", "focus", "tick")
BUG = "a screen could not be opened"
BREAD_EAN, MILK_EAN = "8609910700134", "8609951100139"


def screen_class(name: str) -> type[Screen]:
    home = next(one.home for one in SCREENS if one.name == name)
    made: type[Screen] = import_module(home).SCREEN
    return made


def fails(*_: object, **__: object) -> None:
    raise KeyError("catalogue")


def break_at(patch: pytest.MonkeyPatch, name: str, step: str) -> None:
    """Let a screen fail while it is made, told its place, focused or shown its first time."""
    part = {"make": "__init__", "place": "go_to", "focus": "take_focus", "tick": "tick"}[step]
    shown = screen_class(name)
    if step == "make":
        made = shown.__init__

        def half_made(screen: Any, *given: Any) -> None:
            made(screen, *given)  # its listeners are there already
            fails()

        patch.setattr(shown, part, half_made)
    else:
        patch.setattr(shown, part, fails)


@pytest.mark.logs_error(BUG)
@each(("name", "step"), zip(OPENED, cycle(STEPS), strict=False))
def test_a_screen_that_fails_while_it_is_opened_leaves_the_one_before(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, name: str, step: str
) -> None:
    frame = hands.window.frame
    for before in (HOME, RECEIPTS if name != RECEIPTS else CATALOGUE):
        frame.open(before)
        stood = frame.top
        with monkeypatch.context() as broken:
            break_at(broken, name, step)
            frame.open(name, object())
            assert (frame.top_name, frame.top) == (before, stood)
            frame.tick()
        notices = hands.model.context.notices
        assert notices[-1] == Bug("KeyError", is_opening=True)
        assert hands.window.focusWidget() is None or stood.isAncestorOf(hands.window.focusWidget())
    frame.open(name)
    assert frame.top_name == name
    still_sells(hands)
    hands.press("Esc")


@pytest.mark.logs_error(BUG)
@each("name", (LOCK, APPROVAL))
def test_a_cover_that_fails_covers_nothing(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    frame = hands.window.frame
    frame.open(RECEIPTS)
    stood = frame.top
    place = LockedBy(None) if name == LOCK else AskedAct(Act.DRAWER, lambda: None)
    with monkeypatch.context() as broken:
        break_at(broken, name, "make")
        frame.cover(name, place)
    assert (frame.cover_name, frame.top) == ("", stood)
    still_sells(hands)


def test_a_screen_that_a_fault_of_the_machine_keeps_shut_says_so(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise DiskFull("full")

    monkeypatch.setattr(screen_class(CATALOGUE), "__init__", full)
    hands.window.frame.open(CATALOGUE)
    assert hands.window.frame.is_home
    assert "диск" in hands.notice().lower()


@each("name", [CATALOGUE, SETTINGS])
def test_a_screen_left_by_a_bug_is_left(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, name: str
) -> None:
    frame = hands.window.frame
    frame.open(name)
    with monkeypatch.context() as broken, qtbot.capture_exceptions() as caught:
        broken.setattr(type(frame.room(name)), "leave", fails)
        hands.press("Esc")
    assert [kind for kind, *_ in caught] == [KeyError]
    assert frame.is_home
    still_sells(hands)


def test_a_report_that_was_left_for_the_sale_is_forgotten_by_the_receipts(hands: Hands) -> None:
    """An act on a receipt that is opened from elsewhere later leads back to no report."""
    frame = hands.window.frame
    room: Any = frame.room(RECEIPTS)
    for goes_home, back_to in ((False, REPORTS), (True, "")):
        frame.open(RECEIPTS, ReceiptPlace("A-B-1", back_to=REPORTS))
        frame.open(REFUND)
        if goes_home:
            frame.go_home()
            frame.open(REFUND)
        frame.open(RECEIPTS, ReceiptPlace("A-B-2", is_back=True))
        assert room.back_to == back_to
        frame.go_home()


def test_a_screen_opened_by_one_that_is_being_made_follows_it(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, shown = hands.window.frame, screen_class(CATALOGUE)
    made = shown.__init__

    def opens(screen: Any, *given: Any) -> None:
        made(screen, *given)
        frame.announce(Change(ShopChange.CATALOGUE))
        frame.open(RECEIPTS)

    monkeypatch.setattr(shown, "__init__", opens)
    frame.open(CATALOGUE)
    assert frame.top_name == RECEIPTS
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    names = {type(one).__name__ for one in hands.window.findChildren(Screen)}
    assert names == {"SaleScreen", "ReceiptsScreen"}
    still_sells(hands)


@pytest.mark.logs_error("made anew")
@each("name", [HOME, CATALOGUE, RECEIPTS])
def test_a_look_that_can_not_be_made_leaves_the_one_before(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    window = hands.window
    hands.model.entry.enter_code(BREAD)
    window.frame.open(name)
    look, shown = window.theme, screen_class(name)
    made, tries = shown.__init__, []

    def once(screen: Any, *given: Any) -> None:
        tries.append(given)
        if len(tries) == 1:
            fails()
        made(screen, *given)

    with monkeypatch.context() as broken:
        broken.setattr(shown, "__init__", once)
        assert not window.change(theme="dark", language="en")
    assert (window.frame.top_name, window.theme.palette.name) == (name, look.palette.name)
    assert window.texts.language == "sr-Cyrl"
    still_sells(hands)
    assert len(hands.rows()) == 1
    assert window.change(theme="dark")
    window.change(theme="light")


@pytest.mark.logs_error("made anew")
@pytest.mark.logs_error(BUG)
def test_a_screen_that_no_look_can_make_any_more_is_left(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = hands.window
    window.frame.open(CATALOGUE)
    with monkeypatch.context() as broken:
        break_at(broken, CATALOGUE, "make")
        window.change(theme="dark")
        assert window.frame.is_home
    still_sells(hands)


def is_sold(hands: Hands) -> bool:
    return hands.gtins() == [MILK_EAN]


def in_a_tick(hands: Hands, patch: pytest.MonkeyPatch) -> None:
    hands.window.frame.open(RECEIPTS)
    with patch.context() as broken:
        broken.setattr(screen_class(RECEIPTS), "tick", fails)
        pass_time(hands.window, TICK_MS)


def in_a_key(hands: Hands, patch: pytest.MonkeyPatch) -> None:
    with patch.context() as broken:
        broken.setattr(screen_class(HOME), "press", fails)
        hands.press("F9")


def in_the_watch_of_keys(hands: Hands, patch: pytest.MonkeyPatch) -> None:
    watched = ScanFilter(
        hands.window.on_scan,
        ScannerSettings(),
        on_misread=hands.window.on_misread,
        on_key=fails,
        family=Family.X11,
    )
    hands.filter.remove()
    watched.install()
    hands.scan(MILK_EAN)
    watched.remove()
    hands.filter.install()
    assert is_sold(hands)


def in_a_listener(hands: Hands, _: pytest.MonkeyPatch) -> None:
    context = hands.model.context
    called: list[object] = []
    context.forget_listeners()
    context.listen(fails, *SalePart)
    context.listen(called.append, SalePart.CART)
    hands.scan(MILK_EAN)
    assert called, "the listener behind it has its turn"
    hands.window.change(theme="dark")  # its content listens again
    hands.window.change(theme="light")


def in_a_scan(hands: Hands, patch: pytest.MonkeyPatch) -> None:
    hands.press("F9")
    with patch.context() as broken:
        broken.setattr(type(hands.model.entry), "_enter", fails)
        hands.scan(MILK_EAN)


def in_an_answer(hands: Hands, _: pytest.MonkeyPatch) -> None:
    """A scan waits behind the question."""
    model = hands.model
    model.questions.ask(NextQuantity())
    hands.scan(MILK_EAN)
    assert len(model.entry.waiting) == 1
    with pytest.raises(KeyError):
        model.questions.answered(fails)
    sys.excepthook(KeyError, KeyError(), None)  # as Qt reports that of the slot


def in_a_waiting_scan(hands: Hands, patch: pytest.MonkeyPatch) -> None:
    model = hands.model
    model.questions.ask(NextQuantity())
    hands.scan(BREAD_EAN, MILK_EAN)
    enter, seen = vars(type(model.entry))["_enter"], []

    def first_fails(*given: Any, **named: Any) -> bool:
        seen.append(given)
        if len(seen) == 1:
            fails()
        return bool(enter(*given, **named))

    with patch.context() as broken:
        broken.setattr(type(model.entry), "_enter", first_fails)
        model.questions.put_away()
    assert not model.entry.waiting
    assert is_sold(hands), "the scan behind it was entered"


def in_a_screen_that_takes_scans(hands: Hands, patch: pytest.MonkeyPatch) -> None:
    hands.window.frame.open(RECEIPTS)
    with patch.context() as broken:
        broken.setattr(screen_class(RECEIPTS), "scan", fails)
        hands.scan(MILK_EAN)
    assert hands.window.frame.is_home
    assert is_sold(hands)


def in_a_room(hands: Hands, patch: pytest.MonkeyPatch) -> None:
    hands.window.frame.open(RECEIPTS)
    with patch.context() as broken:
        broken.setattr(
            type(hands.window.frame.room(RECEIPTS)), "handle_change", fails, raising=False
        )
        hands.window.frame.announce(Change(ShopChange.SERVER))


def at_escape(hands: Hands, patch: pytest.MonkeyPatch) -> None:
    hands.window.frame.open(RECEIPTS)
    with patch.context() as broken:
        broken.setattr(screen_class(RECEIPTS), "back", fails)
        hands.press("Esc")
    assert hands.window.frame.is_home


WHERE: list[Callable[[Hands, pytest.MonkeyPatch], None]] = [
    in_a_tick, in_a_key, in_the_watch_of_keys, in_a_listener, in_a_scan,
    in_an_answer, in_a_waiting_scan, in_a_screen_that_takes_scans, in_a_room, at_escape,
]  # fmt: skip


@each("where", WHERE)
def test_after_an_exception_the_next_scan_enters(
    anew: Anew,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    where: Callable[[Hands, pytest.MonkeyPatch], None],
) -> None:
    hands = anew.begin()
    with qtbot.capture_exceptions() as caught:
        where(hands, monkeypatch)
    assert {kind for kind, *_ in caught} == {KeyError}
    model = hands.model
    assert (model.entry.waiting, model.questions.answering) == ((), None)
    still_sells(hands)


@pytest.mark.logs_error("a bug ended")
async def test_a_task_that_a_bug_ended_lets_nobody_wait(qapp: QApplication) -> None:
    """A report that failed so was "being read" for ever."""
    told: list[object] = []
    tasks = Tasks(on_error=told.append, on_bug=told.append)

    async def fail() -> None:
        fails()

    failed: list[PosError] = []
    tasks.start(fail(), name="a bug", on_failure=failed.append)
    await until(lambda: bool(failed))
    assert [type(one) for one in (*told, *failed)] == [KeyError, ProgramError]
