"""A till that is closed says what stands."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

import pytest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.services.long_work import ASK_MS
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.window.frame import CLOSING, HOME
from pos_app.cashier.window.screens import SCREENS
from tests.fakes.fiscal_server import Fault
from tests.gui.parts import lines_of, pass_time
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD
from tests.gui.window.test_ended_meanwhile import WAYS as BEGUN
from tests.gui.window.test_ended_meanwhile import Held
from tests.sweep import each

BREAD_EAN = "8609910700134"


class Session:
    """The end of a desktop session, as the system tells it. asks: whether the till may ask."""

    def __init__(self, *, asks: bool = True) -> None:
        self.asks, self.is_cancelled, self.is_released = asks, False, False

    def allowsInteraction(self) -> bool:
        return self.asks

    def cancel(self) -> None:
        self.is_cancelled = True

    def release(self) -> None:
        self.is_released = True


def by_menu(hands: Hands) -> None:
    hands.window.frame.go_home()
    hands.press("F9")
    hands.tap_words("корпа остаје сачувана: Затвори касу")


def by_desktop(hands: Hands) -> None:
    """Alt+F4, or the button of the window: what the window system sends for both."""
    hands.window.windowHandle().close()


def by_session(hands: Hands) -> None:
    hands.window.ways_out.end_session(Session())


WAYS: dict[str, Callable[[Hands], None]] = {
    "menu": by_menu,
    "desktop": by_desktop,
    "session": by_session,
}


def sell(hands: Hands, code: str = BREAD, *, fault: Fault = Fault.NONE) -> None:
    hands.model.entry.enter_code(code)
    hands.shop.pause()
    hands.shop.server.faults.append(fault)
    hands.pad("+")


def is_open(hands: Hands) -> bool:
    return hands.window.isVisible()


def is_asked(hands: Hands) -> bool:
    return is_open(hands) and hands.window.frame.cover_name == CLOSING


def said(hands: Hands) -> str:
    QApplication.processEvents()  # Qt shows what was added to a layout a moment later
    assert is_asked(hands)
    return " ".join(lines_of(hands.window.frame.top))


@pytest.mark.logs_error("a screen could not be opened")
def test_a_till_whose_question_has_a_bug_closes(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("a bug")

    sell(hands)
    monkeypatch.setattr("pos_app.cashier.closing.view.ClosingScreen.__init__", fails)
    by_desktop(hands)
    assert not is_open(hands)


WORKS = {
    "read": "read", "plan": "import", "export": "export", "labels": "labels",
    "picture": "pictures", "receipts": "receipts", "report": "report", "backup": "backup",
}  # fmt: skip
"""Work as the question calls it, and how it is begun."""


@each(("name", "way"), zip(WORKS, cycle(WAYS), strict=False))
def test_each_work_under_way_is_told_with_what_becomes_of_it(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, name: str, way: str
) -> None:
    work, begun = Held(), BEGUN[WORKS[name]]
    with monkeypatch.context() as ports:
        begun.begin(hands, ports, work)
    hands.window.frame.go_home()
    WAYS[way](hands)
    texts = Texts("sr-Cyrl")
    assert texts(f"closing.work.{name}") in said(hands)
    assert texts(f"closing.work.{name}.then") in said(hands)
    assert hands.window.frame.busy_with == (hands.window.frame.busy,)
    assert hands.buttons("Затвори касу")
    hands.press("Enter")
    assert not is_asked(hands)
    assert is_open(hands)
    assert not work.is_stopped
    work.came = begun.done  # type: ignore[assignment]
    pass_time(hands.window, ASK_MS)
    assert not hands.window.frame.busy_with


@each("screen", [HOME, *(one.name for one in SCREENS if one.icon or one.key)])
def test_a_scan_sells_on_from_each_screen(hands: Hands, screen: str) -> None:
    sell(hands)
    hands.window.frame.open(screen)
    by_desktop(hands)
    assert is_asked(hands)
    hands.scan(BREAD_EAN)
    assert not is_asked(hands)
    assert hands.window.frame.is_home
    assert hands.gtins() == [BREAD_EAN]
