"""Nothing leads past the lock: no key of the till, no tap, no scan, no PIN that is cancelled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import apsw
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit

from pos_app import settings
from pos_app.bootstrap.till.core import open_till_core
from pos_app.bootstrap.till.till import services_of
from pos_app.cashier.commands import TillCommand
from pos_app.cashier.sale import sale_screen
from pos_app.cashier.services.storage_faults import Where
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.window.frame import APPROVAL, LOCK, AskedAct
from pos_app.cashier.window.screens import SCREENS
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.rights import Act, Leave, Role
from tests.fakes.faulty_file import refused
from tests.fakes.inner_connection import connection_of
from tests.fakes.people_here import quick, sign_in
from tests.gui.parts import is_page_in_front, visible_parts
from tests.gui.people import crew
from tests.gui.window import real_till
from tests.gui.window.hands import KEY, PLACES, Hands, SellIn
from tests.gui.window.real_till import RealTill
from tests.gui.window.shop import BANANA, PlayedTones, Shop, give_ean
from tests.gui.window.test_selling import held as file_held
from tests.sweep import each

BREAD_EAN, MILK_EAN, BANANA_EAN = "8609910700134", "8609951100139", "4006381333931"
MILOS, BOSS, CASHIERS = "BADGE-2468", "BADGE-2580", "BADGE-1357"
FULL = apsw.FullError("database or disk is full")
RECEIPT = "https://sandbox.suf.purs.gov.rs/v/?vl=A1hZWkExMjM0WFlaQTEyMzQAAg"
SCANS = (BREAD_EAN, "5901234123457", "2000016015607", "KOSTIC-99", RECEIPT, "1357", "2580")
"""An article, an unknown code, a weight, an unknown badge, a receipt, and PINs."""
HELD = ("Ctrl", "Alt", "Shift")
TYPE = ("Space", "D", "pad plus", "pad -", *"0123456789")


@pytest.fixture
def locked(shop: Shop, sell_in: SellIn) -> Hands:
    """A cashier locked the till, with a cart whose payment was begun."""
    hands = paying(shop, sell_in)
    hands.press("F11")
    assert hands.window.frame.cover_name == LOCK
    return hands


def paying(shop: Shop, sell_in: SellIn) -> Hands:
    """A cashier begins to pay for a bread."""
    sign_in(shop.services)
    hands = sell_in(shop)
    hands.scan(BREAD_EAN)
    hands.press("F12")
    return hands


def still_locked(hands: Hands, tried: object) -> None:
    window = hands.window
    assert window.frame.cover_name == LOCK, tried
    assert window.frame.top_name == "sale", tried
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"], tried
    assert window.services.sales.last(1) == [], tried
    assert window.services.openings.openings(since=window.services.till.clock.now()) == [], tried


def words_of(hands: Hands) -> str:
    return " ".join(one.text() for one in visible_parts(hands.window.frame.top, Label))


def test_what_was_received_for_the_cart_is_told(shop: Shop, sell_in: SellIn) -> None:
    """So the next cashier neither gives it back twice nor takes it twice."""
    hands = paying(shop, sell_in)
    hands.press("Esc", "F11")
    assert "Наплата" not in words_of(hands)
    hands.window.frame.uncover(LOCK)
    hands.press("F12", "F11")
    assert "Наплата је почета и није потврђена." in words_of(hands)
    hands.window.frame.uncover(LOCK)
    hands.type("20")
    hands.press("Enter")
    hands.press("F11")
    assert "За њу је примљено 20,00. Наплата није потврђена." in words_of(hands)


@pytest.mark.parametrize("was_locked", [True, False])
def test_a_till_that_was_killed_at_the_lock_shows_no_cart(
    shop: Shop, sell_in: SellIn, *, was_locked: bool
) -> None:
    """Nobody works here after the start, and the next person is asked who they are."""
    sign_in(shop.services)
    shop.services.note(NotedAct.SIGNED_IN, "Драгана Петровић")
    sell_in(shop).scan(BREAD_EAN)
    if was_locked:
        shop.services.note(NotedAct.LOCKED, "Драгана Петровић")
    shop.services.here.person = None
    hands = sell_in(shop)
    assert hands.window.frame.cover_name == LOCK
    assert ("1 ставка" in words_of(hands)) is was_locked
    assert is_page_in_front(hands.window.frame, "cart.name") is not was_locked


def test_a_file_that_takes_nothing_is_told_with_what_to_do(shop: Shop, sell_in: SellIn) -> None:
    """The bottom line says so too; it would otherwise say that selling works."""
    people = shop.services.people
    people.keep_badge(sign_in(shop.services), "KARTICA-7")
    hands = sell_in(shop)
    hands.press("F11")
    connection_of(shop.database).execute("PRAGMA query_only=1")
    hands.scan("KARTICA-7")
    window = hands.window
    assert window.frame.cover_name == LOCK
    fault = window.services.faults.fault_of(Where.TILL)
    assert fault is not None
    assert fault.fault.do


def test_no_key_leads_past_it(locked: Hands) -> None:
    """Each key alone and with each modifier."""
    for name in [*KEY, *(one for one in PLACES if one not in HELD and one not in TYPE)]:
        locked.press(name)
        still_locked(locked, name)
        for held in HELD:
            if name in PLACES:
                locked.press(f"{held}+{name}")
                still_locked(locked, f"{held}+{name}")
    locked.pad("+")
    locked.pad("-")
    still_locked(locked, "the pad")


@each("command", TillCommand)
def test_no_command_leads_past_it(locked: Hands, command: TillCommand) -> None:
    """The window takes commands from any key that a shop gives them."""
    locked.window.press_key(command)
    still_locked(locked, command)


@each("code", SCANS)
def test_no_scan_leads_past_it(locked: Hands, code: str) -> None:
    locked.scan(code)
    still_locked(locked, code)
    locked.press("Enter")
    still_locked(locked, f"{code}, Enter")


def test_no_finger_leads_past_it(locked: Hands) -> None:
    """All controls there are tapped except the digits of a PIN, and the line below too."""
    window = locked.window
    buttons = [one for one in window.findChildren(QAbstractButton) if one.isVisible()]
    assert len(buttons) > 10
    for number in range(len(buttons)):
        now = [one for one in window.findChildren(QAbstractButton) if one.isVisible()]
        one = now[number] if number < len(now) else None
        if one is not None and one.isEnabled() and not one.accessibleName().isdigit():
            QTest.mouseClick(one, Qt.MouseButton.LeftButton)
            still_locked(locked, "a button")
    QTest.mouseClick(window.status, Qt.MouseButton.LeftButton)
    still_locked(locked, "the line below")


def test_what_goes_on_below_takes_its_place_with_nothing(locked: Hands) -> None:
    """A screen that opens meanwhile opens below the lock; an act that needs a PIN asks nobody."""
    frame = locked.window.frame
    done: list[str] = []
    frame.cover(APPROVAL, AskedAct(Act.DRAWER, lambda: done.append("done")))
    assert frame.cover_name == LOCK
    frame.permit(Act.DRAWER, lambda: done.append("done"))
    assert (frame.cover_name, done) == (LOCK, [])
    for entry in SCREENS:
        if entry.key:
            frame.open(entry.name)
            assert frame.cover_name == LOCK, entry.name
    locked.press("Esc")
    assert frame.cover_name == LOCK


@contextmanager
def opened_again(before: RealTill, sell_in: SellIn) -> Iterator[RealTill]:
    """The till after another start on the same folder."""
    before.hands.filter.remove()
    with open_till_core(settings.load(before.shop.data)) as core:
        services = services_of(core, PlayedTones())
        hands = sell_in(cast("Shop", real_till._Counter(services, core)))  # noqa: SLF001
        yield RealTill(before.shop, core, services, hands)
        hands.window.close()
        hands.filter.remove()


@pytest.mark.deadline(120)
async def test_the_lock_of_one_person_outlives_a_restart(
    tmp_path: Path, template: Path, sell_in: SellIn
) -> None:
    """Only the PIN ends it; without a PIN nothing is asked."""

    def chosen(services: TillServices) -> None:
        services.manager.save_pin(quick("2580"))

    with real_till.opened(tmp_path, template, sell_in, before=chosen) as real:
        async with real.at_work():
            assert real.hands.window.frame.cover_name == "", "nobody locked it"
            await real.scan(BREAD_EAN)
            await real.press("F11")
            assert real.hands.window.frame.cover_name == LOCK
    with opened_again(real, sell_in) as again:
        hands = again.hands
        window = hands.window
        assert window.frame.cover_name == LOCK
        await again.press("Esc")
        await again.scan(BREAD_EAN)
        still_locked(hands, "a restart")
        await again.type("2580")
        await again.until(lambda: not window.frame.cover_name)
        await window.frame.tasks.close()
    with opened_again(real, sell_in) as again:
        hands = again.hands
        assert hands.window.frame.cover_name == ""
        hands.press("F11")
        assert hands.window.frame.cover_name == LOCK
        hands.window.services.manager.forget()
    with opened_again(real, sell_in) as again:
        hands = again.hands
        assert hands.window.frame.cover_name == ""


@pytest.mark.deadline(120)
async def test_wrong_pins_and_a_payment_that_was_begun_are_so_over_a_restart(
    tmp_path: Path, template: Path, sell_in: SellIn
) -> None:
    """Wrong PINs slow the next ones down."""
    person = crew.NAMES[Role.CASHIER]
    with real_till.opened(tmp_path, template, sell_in, before=crew.hire) as real:
        async with real.at_work():
            await crew.Crew(real, Role.CASHIER).arrive()
            await real.scan(BREAD_EAN)
            await real.press("F12", "Esc", "F11")
            people = real.services.people
            for count in range(1, 4):
                await real.type("0000")
                await real.until(
                    lambda: people.wrong_tries(people.people()[0]).count == count  # noqa: B023
                )
            assert real.hands.window.frame.cover_name == LOCK
    with opened_again(real, sell_in) as again:
        hands = again.hands
        assert hands.window.services.people.people()[0].name == person
        told = [one.text() for one in visible_parts(hands.window.frame.top, Label)]
        assert any("Превише погрешних" in words for words in told), told
        services, frame = hands.window.services, hands.window.frame
        services.here.person = services.people.people()[0]
        frame.uncover(LOCK)
        services.people.keep_rights(crew.cell(Act.REMOVE_WHILE_PAYING, Role.CASHIER, Leave.ASKS))
        assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
        hands.press("Del")
        assert frame.cover_name == APPROVAL
        hands.press("Esc")
        assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]


def two_sign_in(shop: Shop, sell_in: SellIn) -> Hands:
    """Драгана works here, with a bread in her cart; Милош has a badge."""
    sign_in(shop.services)
    people = shop.services.people
    people.keep_badge(people.add("Милош Илић", Role.CASHIER), MILOS)
    give_ean(shop.services, BANANA, BANANA_EAN)
    hands = sell_in(shop)
    hands.scan(BREAD_EAN)
    return hands


def take_over_by(hands: Hands, badge: str) -> None:
    hands.press("F11")
    hands.scan(badge, badge)
    assert not hands.window.frame.cover_name


@pytest.mark.parametrize("keys", [("F4",), ("F12", "F4")])
def test_the_discounts_offered_are_those_of_who_took_the_question_over(
    shop: Shop, sell_in: SellIn, keys: tuple[str, ...]
) -> None:
    hands = with_badges(shop, sell_in)
    hands.press(*keys, "#3")
    for badge, offered in ((BOSS, ["5", "10", "15", "20"]), (CASHIERS, ["5"])):
        take_over_by(hands, badge)
        names = [one.accessibleName() for one in visible_parts(hands.window, QAbstractButton)]
        percents = [re.search(r"(\d+)\s%$", name) for name in names]
        assert [one[1] for one in percents if one] == offered
        assert [one.text() for one in visible_parts(hands.window, QLineEdit)].count("3") == 1


def test_an_article_is_offered_to_be_created_to_who_may(shop: Shop, sell_in: SellIn) -> None:
    """In the notice of an unknown code, and in the menu that stands open."""
    hands = with_badges(shop, sell_in)
    for keys in ((), ("F9",)):
        hands.scan("5901234123457")
        hands.press(*keys)
        for badge, is_offered in ((BOSS, True), (CASHIERS, False)):
            take_over_by(hands, badge)
            buttons = visible_parts(hands.window, QAbstractButton)
            names = [one.accessibleName() for one in buttons]
            assert any(name.endswith("Нови артикал") for name in names) is is_offered


def with_badges(shop: Shop, sell_in: SellIn) -> Hands:
    hands, people = two_sign_in(shop, sell_in), shop.services.people
    for person, badge in zip(people.people()[:2], (BOSS, CASHIERS), strict=True):
        people.keep_badge(person, badge)
    people.keep_rights(people.rights().with_cell(Act.CATALOGUE, Role.CASHIER, Leave.NEVER))
    return hands


def milos_holds(hands: Hands) -> None:
    """He scans his badge, chooses to hold the cart of Драгана, and confirms it by his badge."""
    hands.scan(MILOS)
    hands.press("F6")
    hands.scan(MILOS)


@pytest.mark.parametrize("paying", [False, True])
def test_what_waits_for_an_answer_stays_with_the_cart_that_is_held(
    shop: Shop, sell_in: SellIn, *, paying: bool
) -> None:
    """The scans enter it, and what asks how much counts there as not added."""
    hands = two_sign_in(shop, sell_in)
    hands.press(*["F12", "#7"] if paying else [])
    hands.scan(BANANA_EAN, MILK_EAN, BANANA_EAN, MILK_EAN)
    hands.press("F11")
    milos_holds(hands)
    assert not hands.window.frame.cover_name
    hands.press("Esc", "Esc")
    assert (hands.rows(), hands.area.is_paying, hands.notice()) == ([], False, "")
    hands.press("F6", "Enter")
    assert [row[:9] for row in hands.rows()] == ["1 × Хлеб ", "2 × Млеко"]
    assert [one.code for one in hands.ticket.missed] == [BANANA_EAN]
    assert str(hands.ticket.received.total) == ("7.00" if paying else "0.00")


def test_what_waits_for_a_file_stays_with_the_cart_that_is_held(
    shop: Shop, sell_in: SellIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where somebody signs in before the scans are tried again."""
    monkeypatch.setattr(sale_screen, "TRY_AGAIN_MS", 60_000)
    hands = two_sign_in(shop, sell_in)
    with file_held(hands) as hold:
        hands.scan(MILK_EAN)
        hold.let_go()
        hands.press("F11")
    assert hands.model.entry.waiting
    with file_held(hands):
        milos_holds(hands)
        assert "Податке сада користи други програм" in words_of(hands)
    hands.scan(MILOS)
    assert hands.rows() == []
    hands.press("F6", "Enter")
    assert [row[:9] for row in hands.rows()] == ["1 × Хлеб ", "1 × Млеко"]


def test_who_could_not_hold_the_cart_did_not_sign_in(shop: Shop, sell_in: SellIn) -> None:
    """The next try begins as the first one did: at the sale, not on the screen of another."""
    hands = two_sign_in(shop, sell_in)
    hands.press("F7", "F11")
    here, person = shop.services.here, shop.services.here.person
    with file_held(hands):
        milos_holds(hands)
        assert (here.person, here.is_locked) == (person, True)
    full = refused(connection_of(shop.database), FULL, only="UPDATE carts SET kind")
    with full:  # when the cart is held already
        hands.scan(MILOS)
    assert (here.person, here.is_locked) == (person, True)
    hands.scan(MILOS)
    frame = hands.window.frame
    assert (frame.cover_name, frame.top_name, hands.rows()) == ("", "sale", [])
    far, later = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
    done = [(one.done, one.by) for one in shop.services.acts.acts(since=far, until=later)]
    once = [(one, "Милош Илић") for one in (NotedAct.CART_SUSPENDED, NotedAct.SIGNED_IN)]
    assert sorted(done) == [once[0], (NotedAct.LOCKED, "Драгана Петровић"), once[1]]
