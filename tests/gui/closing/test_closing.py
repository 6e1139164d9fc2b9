"""A till that is closed says what stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import apsw
import pytest
from PySide6.QtWidgets import QApplication

from pos_app import settings
from pos_app.bootstrap.till.till import FirstStartHere
from pos_app.cashier.services.long_work import ASK_MS
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.window.frame import CLOSING, HOME, LOCK, Busy, LockedBy
from pos_app.cashier.window.screens import RECEIPTS, SCREENS
from pos_app.selling.catalogue.bulk_act import ActKind, ActState, BulkAct
from pos_app.selling.first_start import FirstStart, ShopChoice
from pos_app.selling.sale.state import SaleState
from tests.fakes.faulty_file import refused
from tests.fakes.fiscal_server import Fault
from tests.fakes.inner_connection import connection_of
from tests.fakes.services_in_memory import WorkInMemory
from tests.gui.parts import lines_of, pass_time
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, MILK, Shop, run
from tests.gui.window.test_ended_meanwhile import WAYS as BEGUN
from tests.gui.window.test_ended_meanwhile import Held
from tests.sweep import each

BREAD_EAN = "8609910700134"
SHIFT = "Смена је отворена: Касир 3"


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


def answer(hands: Hands, words: str) -> None:
    hands.tap_words(words)
    QApplication.processEvents()


@pytest.mark.parametrize("way", WAYS)
def test_paid_sales_without_a_receipt_are_told_apart_with_their_number(
    hands: Hands, way: str
) -> None:
    for fault in (Fault.IN_DOUBT, Fault.FIX, Fault.NONE):
        sell(hands, fault=fault)
        run(hands.shop.serve(2))
    for _ in range(2):
        sell(hands, MILK)
    counts = hands.shop.database.sales.counts()
    WAYS[way](hands)
    for state, text_id in (
        (SaleState.FROZEN, "waiting"),
        (SaleState.DOUBT, "doubtful"),
        (SaleState.REFUSED, "refused"),
    ):
        assert counts[state] > 0, counts
        assert Texts("sr-Cyrl").count(f"closing.{text_id}", counts[state]) in said(hands)
    assert SHIFT in said(hands), "the sale began it"
    answer(hands, "Затвори касу")
    assert not is_open(hands)
    assert hands.shop.database.sales.counts() == counts


@each("way", WAYS)
def test_a_till_on_which_nothing_stands_is_not_asked_about(hands: Hands, way: str) -> None:
    hands.model.entry.enter_code(BREAD)
    session = Session()
    if way == "session":
        hands.window.ways_out.end_session(session)
        assert not session.is_cancelled
        return
    WAYS[way](hands)
    assert not is_open(hands)
    hands.window.show()


@each("way", WAYS)
def test_a_begun_payment_and_the_money_received_for_carts_are_told_and_kept(
    hands: Hands, way: str
) -> None:
    """No shift is open yet: nothing but the cart and the money stands."""
    hands.model.entry.enter_code(BREAD)
    hands.press("F12", "#50")
    if way != "menu":
        WAYS[way](hands)
        assert "Плаћање је почето" in said(hands)
        hands.press("Esc")
        assert hands.area.is_paying
    hands.press("Esc")
    held = hands.model.cart.suspended_count
    WAYS[way](hands)
    assert f"Примљено је {50 * (held + 1)},00" in said(hands)
    assert "враћају при следећем отварању" in said(hands)
    hands.press("Esc", "F12")
    assert hands.area.is_paying
    hands.press("Esc", "F6")


def test_a_file_that_can_t_be_read_neither_hides_that_nor_keeps_the_till_open(hands: Hands) -> None:
    sell(hands)
    unread = apsw.IOError("disk I/O error")
    with refused(connection_of(hands.shop.database.sales), unread, only="waiting_sales"):
        by_desktop(hands)
        assert "не може да се прочита" in said(hands)
        answer(hands, "Затвори касу")
    assert not is_open(hands)


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


def _export(hands: Hands) -> None:
    """Begin to write a file of receipts."""
    hands.window.frame.open(RECEIPTS)
    room: Any = hands.window.frame.room(RECEIPTS)
    room.exporting.begin(WorkInMemory(), Path("r.csv"))


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


def test_the_daily_backup_that_runs_is_told_as_work_under_way(hands: Hands) -> None:
    hands.shop.backups.makes_daily = True
    by_desktop(hands)
    assert Texts("sr-Cyrl")("closing.work.daily") in said(hands)
    assert hands.window.frame.busy_with == (Busy.DAILY,)


@each("state", [ActState.RUNNING, ActState.RESUMED])
def test_a_change_of_many_articles_that_waits_to_be_carried_on_is_told(
    hands: Hands, monkeypatch: pytest.MonkeyPatch, state: ActState
) -> None:
    """The till has just opened, or carrying it on failed: no work runs."""
    act = BulkAct(ActKind.CHANGE, "", "Мира", hands.shop.clock.now(), state, whole=300, reached=231)
    catalogue = hands.shop.services.catalogue
    facts = catalogue.facts
    with monkeypatch.context() as patch:
        patch.setattr(catalogue, "facts", lambda: replace(facts(), bulk_act=act))
        by_desktop(hands)
        assert "231 од 300 артикала" in said(hands)
        assert Texts("sr-Cyrl")("closing.work.act.then") in said(hands)
        hands.press("Esc")


def test_a_demo_that_is_left_and_kept_after_all_is_the_demo_at_the_next_start(
    shop: Shop, sell_in: Callable[..., Hands], tmp_path: Path
) -> None:
    control = FirstStartHere(settings.load(tmp_path))
    control.save(FirstStart(ShopChoice.DEMO))
    shop.services = replace(shop.services, first_start=control)
    hands = sell_in(shop)
    control.close_with(hands.window.ways_out.ask_if_busy)
    _export(hands)
    for key, choice in (("Esc", ShopChoice.DEMO), ("Затвори касу", ShopChoice.SHOP)):
        hands.window.frame.go_home()
        hands.press("F9")
        hands.tap(hands.button("крај пробе"))
        assert is_asked(hands)
        assert control.read().choice is ShopChoice.DEMO
        if key == "Esc":
            hands.press(key)
        else:
            answer(hands, key)
        assert (control.read().choice, control.reopens) == (choice, choice is ShopChoice.SHOP)


@each("way", WAYS)
def test_enter_and_esc_keep_the_till_open(hands: Hands, way: str) -> None:
    sell(hands)
    for key in ("Enter", "Esc"):
        for _ in range(2):  # a second one changes nothing
            WAYS["desktop" if is_asked(hands) else way](hands)
            assert is_asked(hands)
        hands.press(key)
        assert is_open(hands)
        assert hands.window.frame.is_home
    hands.scan(BREAD_EAN)
    assert len(hands.rows()) == 1


def test_other_keys_do_nothing_while_it_is_asked(hands: Hands) -> None:
    sell(hands)
    hands.model.entry.enter_code(BREAD)
    hands.shop.pause()
    sold = hands.shop.database.sales.last(9)
    by_desktop(hands)
    for key in ("F2", "F3", "F7", "F8", "F9", "F10", "F12", "Ctrl+Enter", "Del", "PgUp"):
        hands.press(key)
        assert is_asked(hands), key
    hands.pad("+")
    hands.type("5")
    assert is_asked(hands)
    assert hands.shop.database.sales.last(9) == sold
    hands.press("F1")
    assert is_asked(hands)
    hands.press("Esc")
    assert is_asked(hands), "the keys are put away first"
    hands.press("Esc")
    assert hands.window.frame.is_home


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


def test_a_locked_till_stays_locked(hands: Hands) -> None:
    """One that locks itself puts the question away."""
    sell(hands)
    frame = hands.window.frame
    frame.cover(LOCK, LockedBy(None))
    for leave in (
        lambda: hands.scan(BREAD_EAN),
        lambda: hands.press("Esc"),
        lambda: hands.press("Enter"),
        lambda: frame.cover(LOCK, LockedBy(None)),  # after some minutes
    ):
        by_desktop(hands)
        hands.scan("8600999000014")
        assert is_asked(hands), "a code that nobody knows leaves it"
        hands.press("Esc")
        leave()
        assert frame.cover_name == LOCK
    assert {one.code for one in hands.ticket.missed} == {BREAD_EAN, "8600999000014"}
    assert not hands.rows()
    frame.uncover(LOCK)
    assert frame.is_home


def test_the_session_is_held_up_once_and_the_till_closes_when_it_ends_again(hands: Hands) -> None:
    sell(hands)
    first, second = Session(), Session()
    hands.window.ways_out.end_session(first)
    assert first.is_cancelled
    assert "Рачунар се гаси" in said(hands)
    hands.window.ways_out.end_session(second)
    assert not second.is_cancelled
    assert not is_open(hands)
    assert hands.shop.database.sales.counts()[SaleState.FROZEN] == 1


def test_a_till_that_is_used_after_the_session_was_to_end_asks_again(hands: Hands) -> None:
    """Another program, or a person, cancelled the end of the session, which no program is told."""
    sell(hands)
    for use in (
        lambda: hands.press("Esc"),
        lambda: hands.tap(hands.button("Попуст")),
        lambda: hands.scan(BREAD_EAN),
    ):
        hands.window.ways_out.end_session(Session(asks=False))
        use()
        by_desktop(hands)
        assert is_asked(hands)
        hands.press("Esc")
    hands.window.ways_out.end_session(Session(asks=False))
    by_desktop(hands)
    assert not is_open(hands), "nobody is there to answer"


def test_what_closes_and_opens_the_till_anew_asks_only_where_work_is_cut(hands: Hands) -> None:
    sell(hands)
    done: list[str] = []
    hands.window.ways_out.ask_if_busy(lambda: done.append("at once"))
    assert done == ["at once"]
    _export(hands)
    hands.window.ways_out.ask_if_busy(lambda: done.append("asked"))
    assert Texts("sr-Cyrl")("closing.work.receipts") in said(hands)
    assert done == ["at once"]
    hands.press("Esc")
    assert done == ["at once"]
    hands.window.ways_out.ask_if_busy(lambda: done.append("asked"))
    answer(hands, "Затвори касу")
    assert done == ["at once", "asked"]
    hands.window.frame.uncover(CLOSING)
