"""The people at the till: signing in, the lock over any screen, acts that another person permits.
By keys, taps and scans at a till with a real server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect

from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.sign_in.view import SignInScreen
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.window.frame import LOCK
from pos_app.cashier.window.pin_gate import PinGate
from pos_app.cashier.window.screens import SETTINGS
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.people.rights import Role
from tests.fakes.people_here import quick, sign_in
from tests.gui.exchange import test_exchange as exchanges
from tests.gui.parts import in_front, is_in_front, notices_in, visible_parts
from tests.gui.refund.opened import ID_CARD
from tests.gui.window import real_till
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill
from tests.gui.window.shop import BREAD, Shop

DRAGANA, MILOS, NENAD = "Драгана Петровић", "Милош Илић", "Ненад Костић"
PINS = {DRAGANA: "1357", MILOS: "2468", NENAD: "2580"}
BREAD_EAN = "8609910700134"
MILK_EAN = "8609951100139"
BADGE = "KOSTIC-01"


def three_people(services: TillServices) -> None:
    people = services.people
    for name, role in ((DRAGANA, Role.CASHIER), (MILOS, Role.CASHIER), (NENAD, Role.MANAGER)):
        people.keep_pin(people.add(name, role), quick(PINS[name]))
    people.keep_badge(people.people()[2], BADGE)


@pytest.fixture
def real(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[RealTill]:
    with real_till.opened(tmp_path, template, sell_in, before=three_people) as made:
        yield made


def screen_of(real: RealTill) -> SignInScreen:
    screen: SignInScreen = in_front(real.hands.window.frame, "sign.title")
    return screen


def told_on(real: RealTill) -> list[str]:
    return [one.text() for one in visible_parts(real.hands.window.frame.top, Label)]


def acts(real: RealTill) -> list[ActRow]:
    now = datetime.now(UTC)
    return list(
        real.services.acts.acts(since=now - timedelta(days=1), until=now + timedelta(days=1))
    )


def is_free(real: RealTill) -> bool:
    return real.hands.window.frame.cover_name == ""


def keys_of(pad: Pad) -> list[QRect]:
    return [QRect(key.mapToGlobal(QPoint()), key.size()) for key in visible_parts(pad, Button)]


async def signed_in(real: RealTill, name: str = DRAGANA) -> None:
    """Sign in by the arrow keys and the PIN, which is tried at its last digit."""
    await real.press(*["Down"] * list(PINS).index(name))
    await real.type(PINS[name])
    await real.until(lambda: is_free(real))


async def test_the_receipt_names_who_confirmed_it(real: RealTill) -> None:
    async with real.at_work():
        assert real.hands.window.frame.cover_name == LOCK
        assert [card.person.name for card in screen_of(real).who.cards] == list(PINS)
        assert {"ДП", "МИ"} <= {card.person.initials for card in screen_of(real).who.cards}
        await real.press("Enter")
        assert "Укуцајте ПИН." in told_on(real)
        await signed_in(real, MILOS)
        assert (await real.sold(BREAD)).cashier == MILOS
        done = [(one.done, one.by) for one in acts(real)]
        assert done == [(NotedAct.SIGNED_IN, MILOS), (NotedAct.SHIFT_OPENED, MILOS)]


async def test_a_wrong_pin_moves_no_key_of_the_pad(real: RealTill) -> None:
    """The next finger is on its way to a digit already."""
    async with real.at_work():
        who = screen_of(real).who
        before = keys_of(who.pad)
        for words in ("ПИН није тачан", ""):
            who.show_fault(words)
            assert keys_of(who.pad) == before, "before anything else is done"
        await real.type("0000")
        await real.until(who.fault.isVisible)
        assert keys_of(who.pad) == before
        await real.type("1")
        await real.until(lambda: not who.fault.isVisible())
        assert keys_of(who.pad) == before


async def test_the_lock_hides_the_cart_and_the_same_person_goes_on_or_another_takes_it(
    real: RealTill,
) -> None:
    """A badge asks about the cart of another before it signs in."""
    async with real.at_work():
        await real.scan("KOSTIC-02")
        assert not is_free(real), "nobody's badge"
        window = real.hands.window
        await real.by_hand(partial(window.change, language="en"))
        await real.until(lambda: "a code that no item has" in " ".join(notices_in(window)))
        await real.by_hand(partial(window.change, language="sr-Cyrl"))
        await signed_in(real)
        await real.scan(BREAD_EAN)
        await real.press("F12")
        await real.type("100")
        await real.press("F11")
        assert any("1 ставка, скривена" in words for words in told_on(real))
        assert not any("Хлеб" in words for words in told_on(real))
        await real.scan(MILK_EAN)
        await real.press("Esc")
        await real.type("1111")
        await real.until(lambda: "ПИН није тачан" in told_on(real))
        assert not is_free(real)
        await real.type(PINS[DRAGANA])
        await real.until(lambda: is_free(real))
        assert real.hands.area.is_paying
        assert str(real.hands.payment.tender.payments.cash) == "100.00"
        assert len(real.hands.model.cart.active_lines) == 1
        assert [one.done for one in acts(real)][1:] == [
            NotedAct.LOCKED,
            NotedAct.PIN_WRONG,
            NotedAct.SIGNED_IN,
        ]
        await real.press("Esc")
        await another_holds_it(real)
        await real.scan(BREAD_EAN)
        await real.press("F11")
        await real.scan(BADGE)
        await real.until(
            lambda: any("скенирајте значку још једном" in one for one in told_on(real))
        )
        assert not is_free(real)
        assert screen_of(real).take is not None
        await real.scan(BADGE)
        await real.until(lambda: is_free(real))
        assert real.services.cashier == NENAD
        assert NotedAct.CART_TAKEN_OVER in [one.done for one in acts(real)]
        assert len(real.hands.model.cart.active_lines) == 1
        await real.press("F11")
        await real.scan(BADGE)
        await real.until(lambda: is_free(real))
        assert real.services.cashier == NENAD


async def another_holds_it(real: RealTill) -> None:
    await real.press("F11")
    await real.press("Down")
    assert screen_of(real).who.person is not None
    assert screen_of(real).take is not None, "somebody else sees the cart and chooses"
    await real.press("Up")
    while (person := screen_of(real).who.person) is not None and person.name != MILOS:
        await real.press("Down")
    await real.press("F6")
    await real.type(PINS[MILOS])
    await real.until(lambda: is_free(real))
    cart = real.hands.model.cart
    assert cart.ticket.cart.is_empty
    assert cart.ticket.cashier == MILOS
    assert len(cart.suspended()) == 1
    assert NotedAct.CART_SUSPENDED in [one.done for one in acts(real)]


def manager_forgot(services: TillServices) -> None:
    """The state that `pos-app forget-pin` leaves."""
    three_people(services)
    people = services.people
    people.keep_badge(people.people()[2], "")
    services.manager.forget()


async def test_who_has_no_pin_chooses_one_before_the_till_opens(
    tmp_path: Path, template: Path, sell_in: SellIn
) -> None:
    with real_till.opened(tmp_path, template, sell_in, before=manager_forgot) as real:
        async with real.at_work():
            await real.press("Down", "Down")
            chosen = screen_of(real).who.person
            assert chosen is not None
            assert chosen.name == NENAD
            await real.press("Enter")
            await real.type("abc")
            assert screen_of(real).who.field.text() == "", "a PIN has digits alone"
            await real.type("98")
            await real.press("Enter")
            assert "Број цифара ПИН-а овде: 4" in told_on(real)
            await real.type("9876")
            assert not is_free(real)
            await real.type("9877")
            assert "Два уписа нису иста" in told_on(real)
            assert not is_free(real)
            await real.type("9876")
            await real.type("9876")
            await real.until(lambda: is_free(real))
            assert real.services.cashier == NENAD
            (chose, _) = acts(real)
            assert (chose.done, chose.by) == (NotedAct.PERSON, NENAD)
            assert chose.after == f"{NENAD}, manager, pin"
            await real.press("F11")
            await real.type("9876")
            await real.until(lambda: is_free(real))


def test_the_till_locks_itself_once_nobody_touched_it(shop: Shop, sell_in: SellIn) -> None:
    """A key begins the minutes again; where nobody has a PIN nothing locks."""
    people = shop.services.settings.people.having(lock_after_minutes=2)
    settings = shop.services.settings.having(people=people)
    shop.services = replace(shop.services, started_with=settings)
    hands = sell_in(shop)
    frame, tick = hands.window.frame, hands.window._tick  # noqa: SLF001
    shop.clock.go_on(200_000)
    tick()
    assert not frame.cover_name
    shop.services.manager.save_pin(quick("2580"))
    tick()
    assert frame.cover_name == LOCK, "a till of one person, who has a PIN"
    frame.uncover(LOCK)
    hands.press("F1")
    sign_in(shop.services)
    shop.clock.go_on(90_000)
    hands.press("Esc")
    shop.clock.go_on(90_000)
    tick()
    assert not frame.cover_name
    shop.clock.go_on(30_000)
    tick()
    assert frame.cover_name == LOCK
    hands.window.close()


async def test_who_lifted_an_exchange_is_written_down_once_it_is_paid(real: RealTill) -> None:
    """The new goods are scanned between the gate and the payment."""
    async with real.at_work():
        await signed_in(real)
        await real.sold(BREAD)
        await real.press("F7")
        await real.until(lambda: inside_receipts(real))
        await real.type("r")
        await real.until(lambda: gate_of(real) is not None)
        await real.scan(BADGE)
        await real.until(lambda: gate_of(real) is None)
        await real.until(screen_of_refund(real).left_side.lines.hasFocus)
        await real.scan(ID_CARD)
        await real.type("x")
        assert real.hands.window.frame.is_home
        await real.scan(MILK_EAN)
        await real.press("F12")
        await real.press("Enter", "Enter")
        await exchanges.done(real)
        (row,) = [one for one in acts(real) if one.done is NotedAct.REFUND]
        assert (row.by, row.lifted_by) == (DRAGANA, NENAD)


def inside_receipts(real: RealTill) -> bool:
    frame = real.hands.window.frame
    if not is_in_front(frame, "receipts.title"):
        return False
    return in_front(frame, "receipts.title").model.opened is not None


def screen_of_refund(real: RealTill) -> RefundScreen:
    screen: RefundScreen = in_front(real.hands.window.frame, "refund.title")
    return screen


def gate_of(real: RealTill) -> PinGate | None:
    top: Any = real.hands.window.frame.top
    return top.gate if is_in_front(real.hands.window.frame, "refund.title") else None


async def test_who_is_alone_has_one_name_everywhere(
    tmp_path: Path, template: Path, sell_in: SellIn
) -> None:
    """A manager who chooses the first PIN is called as the receipts call who works here."""
    with real_till.opened(tmp_path, template, sell_in) as real:
        async with real.at_work():
            frame, services = real.hands.window.frame, real.services
            await real.by_hand(frame.open, SETTINGS)
            await real.type("2580")
            await real.press("Tab")
            await real.type("2580")
            await real.press("Enter")
            await real.until(services.manager.is_set)
            await real.by_hand(frame.go_home)
            sale = await real.sold(BREAD_EAN)
            await real.press("F11")
            await real.until(lambda: frame.cover_name == LOCK)
            chosen = screen_of(real).who.person
            assert chosen is not None
            assert [chosen.name, *(one.name for one in services.people.people())] == [
                sale.cashier
            ] * 2
