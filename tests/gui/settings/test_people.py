"""The page of users and rights."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.people_page import PeoplePage
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.window.frame import LOCK
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.people.rights import Act, Leave, Role
from tests.fakes.people_here import quick
from tests.gui.crawl.painted import painted_by
from tests.gui.inside import inside
from tests.gui.parts import in_front, is_in_front, lines_of, page_shown
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page
from tests.gui.window import real_till
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.real_till import RealTill

PIN = "2580"
BREAD_EAN = "8609910700134"


@pytest.fixture
def real(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[RealTill]:
    def chosen(services: TillServices) -> None:
        services.manager.save_pin(quick(PIN))

    with real_till.opened(tmp_path, template, sell_in, before=chosen) as made:
        yield made


async def at_people(real: RealTill) -> PeoplePage:
    """The page of people; the manager's PIN is typed where it is asked for."""
    inside(real.hands.window).open("settings")
    screen = inside(real.hands.window).settings
    if not screen.model.is_open:
        await real.type(PIN)
        await real.press("Enter")
        await real.until(lambda: screen.model.is_open)
    await real.tap(screen.list.rows[PageName.PEOPLE])
    page: PeoplePage = await page_shown(real.hands.window.frame, "set.page.people")
    return page


async def saved(real: RealTill) -> None:
    """Save by the key, wherever the focus is."""
    place = real.hands.window.focusWidget()
    await real.by_hand(QTest.keyClick, place, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)


async def type_pins(real: RealTill, page: PeoplePage, pin: str, again: str = "") -> None:
    """Replace both PINs of the form."""
    for field, digits in ((page.form.pin, pin), (page.form.again, again or pin)):
        await real.tap(field.edit)
        await real.by_hand(field.edit.selectAll)
        await real.type(digits)


def rows(real: RealTill) -> list[ActRow]:
    now, day = datetime.now(UTC), timedelta(days=1)
    return list(real.services.acts.acts(since=now - day, until=now + day))


@pytest.mark.deadline(120)
async def test_a_second_person_is_added_and_from_then_on_people_sign_in(real: RealTill) -> None:
    """There is none while the manager has no PIN."""
    async with real.at_work():
        page = await at_people(real)
        screen, owner = inside(real.hands.window).settings, real.services.cashier
        assert [card.person.name for card in page.cards] == [owner]
        await without_a_pin_there_is_no_second_person(real, page)
        await a_second_press_of_new_keeps_what_was_typed(real, page)
        await real.by_hand(page.form.name.edit.selectAll)
        await real.type("Mira")
        await type_pins(real, page, "1111", "1112")
        await saved(real)
        await real.until(lambda: "Два уписа нису иста" in lines_of(page.form))
        await type_pins(real, page, "13")
        await saved(real)
        await real.until(lambda: page.form.pin.error() == "Број цифара ПИН-а овде: 4")
        assert len(real.services.people.people()) == 1, "nothing is half saved"
        await real.until(page.form.pin.edit.hasFocus)
        await type_pins(real, page, "1357")
        assert not page.form.pin.error()
        await real.scan(BREAD_EAN)
        await real.until(lambda: "Хлеб" in page.form.why.text())
        await real.scan("MIRA-0001")
        await saved(real)
        await real.until(lambda: len(real.services.people.people()) == 2)
        people = real.services.people.people()
        assert [(one.name, one.role) for one in people] == [
            (owner, Role.MANAGER),
            ("Mira", Role.CASHIER),
        ]
        assert real.services.here.person == people[0], "whoever added her works here"
        await real.until(screen.list.rows[PageName.PIN].isHidden)
        await real.by_hand(screen.finder.focus)
        await real.type("pin")
        pages = {row.accessibleName().rpartition(", ")[2] for row in screen.finder.rows}
        assert pages
        assert "ПИН управника" not in pages
        await real.press("F11")
        frame = real.hands.window.frame
        assert frame.cover_name == LOCK
        await real.scan("MIRA-0001")
        await real.until(lambda: not frame.cover_name)
        assert real.services.cashier == "Mira"
        told = [one.done for one in rows(real)][-3:]
        assert told == [NotedAct.PERSON, NotedAct.LOCKED, NotedAct.SIGNED_IN]


async def without_a_pin_there_is_no_second_person(real: RealTill, page: PeoplePage) -> None:
    screen, owner = inside(real.hands.window).settings, real.services.cashier
    assert not screen.list.rows[PageName.PIN].isHidden()
    await real.tap(screen.list.rows[PageName.PIN])
    pin_page = await page_shown(real.hands.window.frame, "set.page.pin")
    await real.tap(pin_page.panel.fields["old"].edit)
    await real.type(PIN)
    await real.tap(pin_page.remove)
    await real.until(lambda: not real.services.manager.is_set())
    await real.tap(screen.list.rows[PageName.PEOPLE])
    await real.tap_words("Нови")  # the page makes its cards anew when a PIN changed
    await real.tap(page.form.name.edit)
    await real.type("Mira")
    await type_pins(real, page, "1357")
    await saved(real)
    await real.until(lambda: f"Прво изаберите ПИН за: {owner}" in page.form.why.text())
    assert len(real.services.people.people()) == 1
    await real.tap(page.acts.drop)
    await real.tap(page.cards[0])
    await type_pins(real, page, "2468")
    await saved(real)
    await real.until(real.services.manager.is_set)


async def a_second_press_of_new_keeps_what_was_typed(real: RealTill, page: PeoplePage) -> None:
    """It has the caret, as the form of another person has."""
    await real.tap(page.new)
    await real.type("Mira")
    await real.tap(page.new)
    await real.type("n")
    assert page.form.name.text() == "Miran"
    await real.tap(page.cards[0])
    await real.type("x")
    assert "x" in page.form.name.text()
    await real.press("Esc")
    assert not page.form.isVisible()
    await real.tap(page.cards[0])
    assert "x" in page.form.name.text(), "Esc keeps it, a button throws it away"
    await real.tap(page.acts.drop)
    assert "x" not in page.form.name.text()
    await real.tap(page.new)
    assert page.form.name.text() == "Miran"


@pytest.mark.deadline(120)
async def test_what_is_changed_of_a_person_is_one_with_its_row(real: RealTill) -> None:
    async with real.at_work():
        people = real.services.people
        people.change(people.people()[0], name="Ана", role=Role.MANAGER)
        people.add("Мира", Role.CASHIER, pin=quick("1357"), badge="MIRA-0001")
        gone = people.add("Зоран", Role.CASHIER, pin=quick("9753"))
        people.remove(gone, at=datetime.now(UTC))
        real.services.here.person = people.people()[0]
        await nothing_is_saved_where_the_badge_is_somebody_elses(real)
        await a_renamed_person_keeps_the_cart_and_the_name_of_before(real)
        await the_managers_pin_says_how_long_all_are(real)
        await the_last_manager_can_not_go(real)


async def nothing_is_saved_where_the_badge_is_somebody_elses(real: RealTill) -> None:
    people, page = real.services.people, await at_people(real)
    await real.tap(page.cards[0])
    await real.by_hand(page.form.name.edit.selectAll)
    await real.type("Jelena")
    await real.scan("MIRA-0001")
    await saved(real)
    await real.until(lambda: "Мира" in page.form.why.text())
    assert people.people()[0].name == "Ана", "half of it was kept"
    assert rows(real) == []
    await real.tap(page.acts.drop)
    await real.tap(page.cards[1])
    await type_pins(real, page, "4321")
    await saved(real)
    await real.until(lambda: len(rows(real)) == 1)
    await real.tap(page.cards[1])
    await real.tap(page.form.no_badge)
    await saved(real)
    await real.until(lambda: len(rows(real)) == 2)
    assert [one.after for one in rows(real)] == ["Мира, cashier, pin", "Мира, cashier, no_badge"]
    await real.press("Esc")


async def a_renamed_person_keeps_the_cart_and_the_name_of_before(real: RealTill) -> None:
    """Nobody takes the name of somebody who had it."""
    people = real.services.people
    await real.by_hand(inside(real.hands.window).go_home)
    show = real.hands.window.frame.home.hand_over(False)
    await real.by_hand(show)
    await real.scan(BREAD_EAN)
    page = await at_people(real)
    await real.tap(page.cards[0])
    await real.by_hand(page.form.name.edit.selectAll)
    await real.type("Ana K.")
    await saved(real)
    await real.until(lambda: real.services.cashier == "Ana K.")
    await real.press("F11")
    screen = in_front(real.hands.window.frame, "sign.title")
    await real.press("Down")
    while (person := screen.who.person) is not None and person.name != "Ana K.":
        await real.press("Up")
    assert not screen.model.is_of_another(inside(real.hands.window).model.cart.ticket)
    await real.type(PIN)
    await real.until(lambda: not real.hands.window.frame.cover_name)
    assert NotedAct.CART_TAKEN_OVER not in [one.done for one in rows(real)]
    page = await at_people(real)
    for taken in ("zoran", "ana"):
        await real.tap(page.new)
        await real.tap(page.form.name.edit)
        await real.type(taken)
        await type_pins(real, page, "4444")
        await saved(real)
        await real.until(lambda: "звала" in page.form.name.error())
        await real.tap(page.acts.drop)
    assert len(people.people()) == 2
    await real.by_hand(inside(real.hands.window).model.cart.void, "проба")


async def the_managers_pin_says_how_long_all_are(real: RealTill) -> None:
    """The others choose anew."""
    people, page = real.services.people, await at_people(real)
    await real.tap(page.cards[0])
    await type_pins(real, page, "258036")
    await saved(real)
    await real.until(lambda: people.people()[0].pin_length == 6)
    await real.press("F11")
    screen = in_front(real.hands.window.frame, "sign.title")
    await real.press("Down")
    assert screen.who.person is not None
    assert screen.who.person.name == "Мира"
    await real.type("4321")
    await real.until(lambda: screen.who.field.edit.accessibleName().startswith("Нови ПИН"))
    assert real.hands.window.frame.cover_name == LOCK, "the old one opens nothing"
    await real.type("1357")
    await real.press("Enter")
    await real.until(lambda: screen.who.fault.text() == "Број цифара ПИН-а овде: 6")
    await real.type("135700")
    await real.type("135700")
    await real.until(lambda: not real.hands.window.frame.cover_name)
    assert real.services.cashier == "Мира"
    assert people.people()[1].pin_length == 6
    chose = next(one for one in reversed(rows(real)) if one.done is NotedAct.PERSON)
    assert (chose.by, chose.after) == ("Мира", "Мира, cashier, pin")


async def the_last_manager_can_not_go(real: RealTill) -> None:
    """Whoever goes signs out, and what they opened is left."""
    people, frame = real.services.people, real.hands.window.frame
    people.add("Вера", Role.MANAGER, pin=quick("135711"))
    real.services.here.person = people.people()[0]
    page = await at_people(real)
    gone = page.cards[0].person.name
    await real.tap(page.cards[0])
    await real.tap_words("Више не ради овде")
    assert len(people.people()) == 3, "one press asks"
    assert page.form.removal.safe.hasFocus()
    head = inside(real.hands.window).settings.head
    assert "Уклањање корисника" in lines_of(head)
    assert head.button.accessibleName().startswith("Корисник")
    await real.press("Esc")
    await real.until(page.form.removal.key.isVisible)
    await real.until(lambda: head.button.accessibleName().startswith("Корисници"))
    await real.tap_words("Више не ради овде")
    await real.tap_words(f"Уклони: {gone}")
    await real.until(lambda: is_in_front(frame, "sign.title"))
    assert [one.name for one in people.people()] == ["Мира", "Вера"]
    screen = in_front(frame, "sign.title")
    await real.tap(next(one for one in screen.who.cards if one.person.name == "Вера"))
    await real.type("135711")
    await real.until(lambda: not frame.cover_name)
    assert frame.is_home
    page = await at_people(real)
    await real.tap(next(one for one in page.cards if one.person.name == "Вера"))
    await real.tap_words("Више не ради овде")
    await real.tap_words("Уклони: Вера")
    await real.until(lambda: "једини управник" in page.form.why.text())
    assert len(people.people()) == 2


async def a_cell_goes_round_and_counts_once_it_is_saved(real: RealTill, page: PeoplePage) -> None:
    screen = inside(real.hands.window).settings
    model = screen.model.people
    cell = page.table.cells[Act.REFUND, Role.CASHIER]
    await real.tap(cell)
    assert model.rights.leave(Act.REFUND, Role.CASHIER) is Leave.NEVER
    assert real.services.people.rights().leave(Act.REFUND, Role.CASHIER) is Leave.ASKS
    page.table.focus_first()
    await real.type("1")
    await real.type("2")
    assert model.rights.percent(Role.CASHIER) == 12
    kept = page.table.cells[Act.SETTINGS, Role.MANAGER]
    await real.tap(kept)
    assert model.rights.leave(Act.SETTINGS, Role.MANAGER) is Leave.MAY
    assert len(model.changed) == 2
    await saved(real)
    rights = real.services.people.rights()
    assert (rights.leave(Act.REFUND, Role.CASHIER), rights.percent(Role.CASHIER)) == (
        Leave.NEVER,
        12,
    )


async def test_no_right_changes_without_its_row(real: RealTill) -> None:
    """No PIN does either: where the rows can't be stored, nothing changes."""
    async with real.at_work():
        page = await at_people(real)
        await a_cell_goes_round_and_counts_once_it_is_saved(real, page)
        before = real.services.people.rights()
        connection = real.core.database.acts._connection  # noqa: SLF001
        connection.execute(
            "CREATE TEMP TRIGGER no_act BEFORE INSERT ON main.acts"
            " BEGIN SELECT RAISE(ABORT, 'life: no more rows'); END"
        )
        await real.tap(page.table.cells[Act.REFUND, Role.CASHIER])
        await saved(real)
        screen = inside(real.hands.window).settings
        await real.until(lambda: screen.model.people.failure is not None)
        assert real.services.people.rights() == before
        await real.tap(screen.list.rows[PageName.PIN])
        pin_page = await page_shown(real.hands.window.frame, "set.page.pin")
        for name, typed in (("old", PIN), ("pin", "4711"), ("again", "4711")):
            await real.tap(pin_page.panel.fields[name].edit)
            await real.type(typed)
        await real.press("Enter")
        await real.until(lambda: bool(pin_page.panel.fields["old"].error()))
        assert real.services.manager.pin_check()(PIN)
        connection.execute("DROP TRIGGER no_act")


async def test_the_heads_of_the_rights_stay_over_their_columns(hands: Hands) -> None:
    _, page = await at_page(hands, PageName.PEOPLE)
    window, table = hands.window, page.table
    table.focus_first()
    hands.press(*["Down"] * len(Act))
    last = table.cells[list(Act)[-1], Role.CASHIER]
    await until(lambda: not last.visibleRegion().isEmpty())
    in_sight = [one for one in table.findChildren(QWidget) if not one.visibleRegion().isEmpty()]
    painted = [text for part in in_sight for text in painted_by(part)[0]]
    for role in Role:
        words, cell = Texts()(f"role.{role}.title"), table.cells[last.act, role]
        (head,) = [one.in_window(window) for one in painted if one.words == words]
        corner = cell.mapTo(window, QPoint())
        assert (head.bottom() < corner.y(), head.left() // 20) == (True, corner.x() // 20), role
