"""The page of users and rights: a second person, a badge, a cell of the table, by keys, taps and
scans; the till applies each change at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.people_page import PeoplePage
from pos_app.cashier.window.frame import LOCK
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.people.rights import Act, Leave, Role
from tests.fakes.people_here import quick
from tests.gui.inside import inside
from tests.gui.parts import in_front, is_in_front, lines_of, page_shown
from tests.gui.window import real_till
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill

PIN = "2580"
BREAD_EAN = "8609910700134"


@pytest.fixture
def real(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[RealTill]:
    def chosen(services: TillServices) -> None:
        services.manager.save_pin(quick(PIN))

    with real_till.opened(tmp_path, template, sell_in, before=chosen) as made:
        yield made


async def at_page(real: RealTill) -> PeoplePage:
    inside(real.hands.window).open("settings")
    await real.type(PIN)
    await real.press("Enter")
    screen = inside(real.hands.window).settings
    assert screen is not None
    await real.until(lambda: screen.model.is_open)
    return await shown_page(real)


async def shown_page(real: RealTill) -> PeoplePage:
    inside(real.hands.window).open("settings")
    screen = inside(real.hands.window).settings
    await real.tap(screen.list.rows[PageName.PEOPLE])
    page: PeoplePage = await page_shown(real.hands.window.frame, "set.page.people")
    return page


async def saved(real: RealTill, page: PeoplePage) -> None:
    """Save by the key, wherever the focus is."""
    place = real.hands.window.focusWidget()
    await real.by_hand(QTest.keyClick, place, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)


async def test_a_second_person_is_added_and_from_then_on_people_sign_in(real: RealTill) -> None:
    async with real.at_work():
        page = await at_page(real)
        owner = real.services.cashier
        assert [card.person.name for card in page.cards] == [owner]
        await real.tap(page.new)
        await real.tap(page.form.name.edit)
        await real.type("Mira")
        await two_pins_that_differ_are_told_in_words(real, page)
        await real.tap(page.form.pin.edit)
        await real.type("13")
        await real.tap(page.form.again.edit)
        await real.type("13")
        await saved(real, page)
        await real.until(lambda: page.form.pin.error() == "Број цифара ПИН-а овде: 4")
        assert len(real.services.people.people()) == 1, "nothing is half saved"
        for field in (page.form.pin, page.form.again):
            await real.tap(field.edit)
            await real.press("Backspace", "Backspace")
            await real.type("1357")
        await real.scan(BREAD_EAN)
        await real.until(lambda: "Хлеб" in page.form.why.text())
        await real.scan("MIRA-0001")
        await saved(real, page)
        await real.until(lambda: len(real.services.people.people()) == 2)
        people = real.services.people.people()
        assert [(one.name, one.role) for one in people] == [
            (owner, Role.MANAGER),
            ("Mira", Role.CASHIER),
        ]
        assert real.services.here.person == people[0], "whoever added her works here"
        await real.press("F11")
        frame = real.hands.window.frame
        assert frame.cover_name == LOCK
        await real.scan("MIRA-0001")
        await real.until(lambda: not frame.cover_name)
        assert real.services.cashier == "Mira"
        day = timedelta(days=1)
        now = datetime.now(UTC)
        told = real.services.acts.acts(since=now - day, until=now + day)
        assert [one.done for one in told] == [NotedAct.PERSON, NotedAct.LOCKED, NotedAct.SIGNED_IN]


async def two_pins_that_differ_are_told_in_words(real: RealTill, page: PeoplePage) -> None:
    for field, digits in ((page.form.pin, "1111"), (page.form.again, "1112")):
        await real.tap(field.edit)
        await real.type(digits)
    await saved(real, page)
    await real.until(lambda: "Два уписа нису иста" in lines_of(page.form))
    assert len(real.services.people.people()) == 1
    for field in (page.form.pin, page.form.again):
        await real.tap(field.edit)
        await real.press("Backspace", "Backspace", "Backspace", "Backspace")


async def test_there_is_no_second_person_while_the_manager_has_no_pin(real: RealTill) -> None:
    """The person who took the manager's name would be the manager."""
    async with real.at_work():
        page = await at_page(real)
        screen = inside(real.hands.window).settings
        assert screen is not None
        assert not screen.list.rows[PageName.PIN].isHidden()
        await real.tap(screen.list.rows[PageName.PIN])
        pin_page = await page_shown(real.hands.window.frame, "set.page.pin")
        await real.tap(pin_page.panel.fields["old"].edit)
        await real.type(PIN)
        await real.tap(pin_page.remove)
        await real.until(lambda: not real.services.manager.is_set())
        await real.tap(screen.list.rows[PageName.PEOPLE])
        await real.tap_words("Нови")  # the page makes its cards anew when a PIN changed
        await mira(real, page)
        owner = real.services.cashier
        await real.until(lambda: f"Прво изаберите ПИН за: {owner}" in page.form.why.text())
        assert len(real.services.people.people()) == 1
        await real.tap(page.form.back)
        await real.tap(page.cards[0])
        for field in (page.form.pin, page.form.again):
            await real.tap(field.edit)
            await real.type("2468")
        await saved(real, page)
        await real.until(real.services.manager.is_set)
        await real.tap(page.new)
        await mira(real, page)
        await real.until(lambda: len(real.services.people.people()) == 2)
        await real.until(screen.list.rows[PageName.PIN].isHidden)
        await real.by_hand(screen.finder.focus)
        await real.type("pin")
        assert screen.finder.rows
        pages = {row.accessibleName().rpartition(", ")[2] for row in screen.finder.rows}
        assert "ПИН управника" not in pages


async def mira(real: RealTill, page: PeoplePage) -> None:
    """Add a second person with a PIN."""
    await real.tap(page.form.name.edit)
    await real.type("Mira")
    for field in (page.form.pin, page.form.again):
        await real.tap(field.edit)
        await real.type("1357")
    await saved(real, page)


async def test_a_renamed_person_keeps_the_cart_and_nobody_takes_a_name_of_before(
    real: RealTill,
) -> None:
    async with real.at_work():
        people = real.services.people
        owner = people.people()[0]
        people.change(owner, name="Ана М.", role=Role.MANAGER)
        gone = people.add("Зоран", Role.CASHIER, pin=quick("9753"))
        people.add("Мира", Role.CASHIER, pin=quick("1357"))
        people.remove(gone, at=datetime.now(UTC))
        real.services.here.person = people.people()[0]
        await real.by_hand(inside(real.hands.window).model.cart.give_to_cashier)
        await real.scan(BREAD_EAN)
        page = await shown_page(real)
        await real.tap(page.cards[0])
        await real.by_hand(page.form.name.edit.selectAll)
        await real.type("Ana K.")
        await saved(real, page)
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
        for taken in ("zoran", "ana m."):
            page = await shown_page(real)
            await real.tap(page.new)
            await real.tap(page.form.name.edit)
            await real.type(taken)
            for field in (page.form.pin, page.form.again):
                await real.tap(field.edit)
                await real.type("4321")
            await saved(real, page)
            await real.until(lambda: "звала" in page.form.name.error())  # noqa: B023
            await real.tap(page.form.back)
        assert len(people.people()) == 2


async def test_the_managers_pin_says_how_long_all_are_and_the_others_choose_anew(
    real: RealTill,
) -> None:
    async with real.at_work():
        people = real.services.people
        people.change(people.people()[0], name="Ана", role=Role.MANAGER)
        people.add("Мира", Role.CASHIER, pin=quick("1357"))
        real.services.here.person = people.people()[0]
        page = await shown_page(real)
        await real.tap(page.cards[0])
        for field in (page.form.pin, page.form.again):
            await real.tap(field.edit)
            await real.type("258036")
        await saved(real, page)
        await real.until(lambda: people.people()[0].pin_length == 6)
        await real.press("F11")
        screen = in_front(real.hands.window.frame, "sign.title")
        await real.press("Down")
        assert screen.who.person is not None
        assert screen.who.person.name == "Мира"
        await real.type("1357")
        await real.until(lambda: screen.who.field.edit.accessibleName().startswith("Нови ПИН"))
        assert real.hands.window.frame.cover_name == LOCK, "the old one opens nothing"
        await real.type("1357")
        await real.press("Enter")
        await real.until(lambda: screen.who.words_label.text() == "Број цифара ПИН-а овде: 6")
        await real.type("135700")
        await real.type("135700")
        await real.until(lambda: not real.hands.window.frame.cover_name)
        assert real.services.cashier == "Мира"
        assert people.people()[1].pin_length == 6
        (chose, _) = rows(real)[-2:]
        assert (chose.done, chose.by, chose.after) == (
            NotedAct.PERSON,
            "Мира",
            "Мира, cashier, pin",
        )


def rows(real: RealTill) -> list[ActRow]:
    now, day = datetime.now(UTC), timedelta(days=1)
    return list(real.services.acts.acts(since=now - day, until=now + day))


async def test_what_is_changed_of_a_person_is_one_with_its_row(real: RealTill) -> None:
    """Name and role are not saved where the badge belongs to somebody else; a row says what was
    changed."""
    async with real.at_work():
        people = real.services.people
        people.change(people.people()[0], name="Ана", role=Role.MANAGER)
        people.add("Мира", Role.CASHIER, pin=quick("1357"), badge="MIRA-0001")
        real.services.here.person = people.people()[0]
        page = await shown_page(real)
        await real.tap(page.cards[0])
        await real.by_hand(page.form.name.edit.selectAll)
        await real.type("Jelena")
        await real.scan("MIRA-0001")
        await saved(real, page)
        await real.until(lambda: "Мира" in page.form.why.text())
        assert people.people()[0].name == "Ана", "half of it was kept"
        assert rows(real) == []
        await real.tap(page.form.back)
        await real.tap(page.cards[1])
        for field in (page.form.pin, page.form.again):
            await real.tap(field.edit)
            await real.type("4321")
        await saved(real, page)
        await real.until(lambda: len(rows(real)) == 1)
        await real.tap(page.cards[1])
        await real.tap(page.form.no_badge)
        await saved(real, page)
        await real.until(lambda: len(rows(real)) == 2)
        assert [one.after for one in rows(real)] == [
            "Мира, cashier, pin",
            "Мира, cashier, no_badge",
        ]


async def a_cell_goes_round_and_counts_once_it_is_saved(real: RealTill, page: PeoplePage) -> None:
    screen = inside(real.hands.window).settings
    assert screen is not None
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
    await saved(real, page)
    rights = real.services.people.rights()
    assert (rights.leave(Act.REFUND, Role.CASHIER), rights.percent(Role.CASHIER)) == (
        Leave.NEVER,
        12,
    )


async def test_no_right_changes_without_its_row(real: RealTill) -> None:
    """No PIN does either: where the rows can't be stored, nothing changes."""
    async with real.at_work():
        page = await at_page(real)
        await a_cell_goes_round_and_counts_once_it_is_saved(real, page)
        before = real.services.people.rights()
        connection = real.core.database.acts._connection  # noqa: SLF001
        connection.execute(
            "CREATE TEMP TRIGGER no_act BEFORE INSERT ON main.acts"
            " BEGIN SELECT RAISE(ABORT, 'life: no more rows'); END"
        )
        await real.tap(page.table.cells[Act.REFUND, Role.CASHIER])
        await saved(real, page)
        screen = inside(real.hands.window).settings
        assert screen is not None
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


async def test_the_last_manager_can_not_go_and_whoever_goes_signs_out(real: RealTill) -> None:
    async with real.at_work():
        people = real.services.people
        second = people.add("Mira", Role.MANAGER, pin=quick("1357"))
        people.change(people.people()[0], name="Ana", role=Role.MANAGER)
        real.services.here.person = people.people()[0]
        page = await shown_page(real)
        people.add("Зоран", Role.CASHIER, pin=quick("9753"))
        page.show_model()
        await real.tap(page.cards[0])
        await real.tap(page.form.remove)
        assert len(people.people()) == 3, "one press asks"
        await real.until(lambda: page.form.remove.spec.words == "Потврди уклањање")
        await real.tap(page.form.remove)
        frame = real.hands.window.frame
        await real.until(lambda: is_in_front(frame, "sign.title"))
        assert people.people()[0].id == second.id
        await real.type("1357")
        await real.until(lambda: not frame.cover_name)
        assert frame.is_home, "what somebody else opened is left"
        page = await shown_page(real)
        await real.tap(page.cards[0])
        await real.tap(page.form.remove)
        await real.tap(page.form.remove)
        await real.until(lambda: "једини управник" in page.form.why.text())
        assert len(people.people()) == 2


async def test_a_second_press_of_new_has_the_caret_and_keeps_what_was_typed(real: RealTill) -> None:
    async with real.at_work():
        page = await at_page(real)
        await real.tap(page.new)
        await real.type("Mira")
        await real.tap(page.new)
        await real.type("n")
        assert page.form.name.text() == "Miran"
        await real.tap(page.cards[0])
        await real.type("x")
        assert "x" in page.form.name.text(), "the form of another person has it too"
