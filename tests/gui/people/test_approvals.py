"""Somebody is asked to approve an act: the panel shows what it approves."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from pathlib import Path

import pytest

from pos_app.cashier.ui.labels import Label
from pos_app.cashier.window.frame import APPROVAL, CLOSING, LOCK
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.people.people import Person
from pos_app.selling.people.rights import Act, Leave, Rights, Role
from tests.gui.parts import is_page_in_front, lines_of, page_in_front
from tests.gui.people.crew import ARTICLE, BADGES, NAMES, PINS, WRONG, Crew, all_may, cell, hire
from tests.gui.people.test_table_of_rights import DEVICES
from tests.gui.people.ways import WAYS, keys, menu
from tests.gui.window import real_till
from tests.gui.window.hands import SellIn

ASKS = (Act.DRAWER, Act.REFUND, Act.SETTINGS)
NO_TRIES = dict.fromkeys(Role, 0)


def person(crew: Crew, role: Role) -> Person:
    return next(one for one in crew.people.people() if one.role is role)


def tries(crew: Crew) -> dict[Role, int]:
    return {role: crew.people.wrong_tries(person(crew, role)).count for role in Role}


def tried_wrong(crew: Crew, role: Role) -> None:
    """Let somebody type the person's PIN wrong at the lock, until the next one has to wait."""
    for _ in range(3):
        now = crew.real.services.till.clock.now()
        crew.people.note_try(person(crew, role), right=False, at=now)


def wrong_rows(rows: list[ActRow]) -> list[tuple[str, str]]:
    return [(one.by, one.subject) for one in rows if one.done is NotedAct.PIN_WRONG]


async def discount_asked(crew: Crew, percent: str) -> None:
    await crew.real.press("F4")
    await crew.real.type(percent)
    await crew.real.press("Enter")
    assert crew.is_asked


async def price_typed(crew: Crew, price: str) -> None:
    await crew.real.press("F4")
    panel = page_in_front(crew.frame, "ask.price_head")
    await crew.real.by_hand(crew.real.hands.choose, panel.segment, 2)
    await keys(price, "Enter")(crew)


async def lifted(crew: Crew, by: Role) -> None:
    """The act is done, and its row names who permitted it."""
    await crew.real.until(lambda: not crew.frame.cover_name)
    row = crew.rows()[-1]
    names = (row.by, row.lifted_by)
    assert (row.done, names) == (NotedAct.DISCOUNT, (NAMES[Role.CASHIER], NAMES[by]))


async def unknown_pin(crew: Crew, many: int) -> None:
    """Type a PIN that nobody has: so many have been typed then."""
    await crew.real.type(WRONG)
    await crew.real.until(lambda: crew.people.wrong_tries(None).count == many)
    await crew.real.until(lambda: "try the PIN" not in crew.frame.tasks.names)


def waits(crew: Crew) -> bool:
    return any("Превише погрешних ПИН-ова" in one for one in lines_of(crew.frame.top))


async def still_waits(crew: Crew) -> None:
    await crew.real.until(lambda: waits(crew))
    assert crew.frame.cover_name == APPROVAL


MILK, MILK_NAME, STRANGE = "8609951100139", "Млеко", "4006381333931"
RECEIPT = "https://sandbox.suf.purs.gov.rs/v/?vl=A1hZWkExMjM0WFlaQTEyMzQAAg"
OWN = "Ово одобрава друга особа. Ко има исти ПИН као особа на каси, показује значку."
BREAD, NUMBER = r"Хлеб бели Сава 500 g", r"\S+-\S+-\d+"
SHOWN = {
    "discount line, key": (r"Попуст 20\N{NO-BREAK SPACE}%", BREAD, r"117,98 → 94,38"),
    "price key": (r"Промена цене: 58,99 → 300,00", BREAD, r"117,98 → 600,00"),
    "remove_paying line, key": (r"Уклањање ставке кад је наплата почела", BREAD, r"117,98 → 0,00"),
    "remove_paying minus, finger": (r"Мања количина кад је .*", BREAD, r"117,98 → 58,99"),
    "remove_paying void, scan": (r"Мања количина кад је .*", BREAD, r"117,98 → 58,99"),
    "drop_cart menu, key": (r"Одбацивање корпе", r"117,98"),
    "drawer key": (r"Фиока без продаје",),
    "training key": (r"Обука",),
    "refund list, key": (r"Рефундација са рачуном", NUMBER, r"\d+,\d\d"),
    "refund correction, key": (r"Исправка рачуна", NUMBER, r"\d+,\d\d"),
    "refund_by_hand list, key": (r"Рефундација без рачуна", NUMBER),
    "reprint copy, key": (r"Издавање копије рачуна", NUMBER, r"\d+,\d\d"),
    "reprint copy, finger": (r"Издавање копије рачуна", NUMBER, r"\d+,\d\d"),
    "reprint mail, key": (r"Копија рачуна имејлом", NUMBER, r"\d+,\d\d"),
    "decide undo, key": (r"Поништавање рефундације продајом", NUMBER, r"−?\d+,\d\d"),
    "decide settled, key": (r"Решено је друкчије", r".* · " + NUMBER),
    "cash_in_out key": (r"Изнеси готовину", r"200,00", r"m12"),
    "x_report key": (r"X извештај",),
    "close_shift key": (r"Закључење смене, Z", r"Отворена .*"),
    "catalogue key": (r"Каталог",),
    "reports key": (r"Извештаји",),
    "settings key": (r"Подешавања",),
}
"""What the panel shows of a way to an act, as regular expressions of whole lines."""


@pytest.mark.deadline(280)
async def test_each_approval_shows_what_it_approves(
    tmp_path: Path, template: Path, sell_in: SellIn
) -> None:
    with real_till.opened(tmp_path, template, sell_in, told=DEVICES, before=hire) as real:
        async with real.at_work():
            crew = Crew(real, Role.CASHIER)
            await crew.arrive()
            faults = []
            for name, expected in SHOWN.items():
                (way,) = [one for one in WAYS if str(one) == name]
                await crew.clear()
                await way.begin(crew)
                crew.people.keep_rights(cell(way.act, Role.CASHIER, Leave.ASKS))
                await way.try_it(crew)
                await real.until(lambda: crew.is_asked)
                said = [one.text() for one in crew.gate().findChildren(Label)]
                faults += [
                    f"{name} lacks {words}: {said}"
                    for words in (*expected, NAMES[Role.CASHIER])
                    if not any(re.fullmatch(words, one) for one in said)
                ]
                await real.press("Esc")
            assert not faults, "\n".join(faults)


async def who_is_refused_an_approval_goes_on_with_what_was_typed(crew: Crew) -> None:
    """The way back has the name of that question, which stands as it was, however often somebody
    asks, and closes with the act."""
    await crew.real.press("F4")
    title = crew.words("ask.price_head")
    panel = page_in_front(crew.frame, "ask.price_head")
    await crew.real.by_hand(crew.real.hands.choose, panel.segment, 1)
    await crew.real.type("20")
    for _ in range(2):
        await crew.real.press("Enter")
        assert crew.is_asked
        assert crew.frame.top.head.button.accessibleName() == title
        await crew.real.scan(ARTICLE)
        await crew.real.press("Esc")
        assert page_in_front(crew.frame, "ask.price_head") is panel
        assert (panel.field.text(), panel.segment.current()) == ("20", 1)
        assert panel.field.edit.hasFocus()
    assert len(crew.model.cart.ticket.cart.lines) == 1, "a scan was entered"
    await crew.real.press("Enter")
    await crew.real.type(PINS[Role.MANAGER])
    await lifted(crew, Role.MANAGER)
    assert not is_page_in_front(crew.frame, "ask.price_head")
    await crew.real.press("F4")
    assert page_in_front(crew.frame, "ask.price_head").field.text() == "", "it was answered"
    await crew.real.press("Esc")


async def a_number_that_was_doubted_is_asked_for_again(crew: Crew) -> None:
    """The approval was asked from the question whether it is right."""
    crew.people.keep_rights(all_may().with_cell(Act.PRICE, Role.CASHIER, Leave.ASKS))
    await price_typed(crew, "2000000")
    await crew.real.press("F12")
    assert crew.is_asked
    assert crew.frame.top.head.button.accessibleName() == crew.words("sure.title")
    await crew.real.press("Esc")
    assert is_page_in_front(crew.frame, "sure.title")
    await crew.real.press("Enter")
    assert page_in_front(crew.frame, "ask.price_head").field.text() == "2000000"
    await crew.real.press("Esc")


async def whoever_types_a_pin_is_found_by_it(crew: Crew) -> None:
    """Nobody chooses a name before: the PIN alone says who approves."""
    for percent, role in (("8", Role.LEAD), ("9", Role.MANAGER)):
        await discount_asked(crew, percent)
        await crew.real.type(PINS[role])
        await lifted(crew, role)
    assert tries(crew) == NO_TRIES


async def a_known_person_without_the_right_tries_nothing_wrong(crew: Crew) -> None:
    """A lead may give 10 %: neither the lead's PIN nor badge, nor the cashier's own, is a wrong try
    of the manager, however often they are given."""
    before = wrong_rows(crew.rows())
    await discount_asked(crew, "20")
    lead, own = f"{NAMES[Role.LEAD]} не сме ово да одобри", OWN
    for role, told in ((Role.LEAD, lead), (Role.CASHIER, own)) * 2:
        await crew.real.type(PINS[role])
        await crew.real.until(lambda: told in lines_of(crew.frame.top))  # noqa: B023
        await crew.real.scan(BADGES[role])
        assert told in lines_of(crew.frame.top)
        assert crew.is_asked
    assert tries(crew) == NO_TRIES
    assert wrong_rows(crew.rows()) == before
    await crew.real.type(PINS[Role.MANAGER])
    await lifted(crew, Role.MANAGER)


async def nobody_approves_an_act_of_her_own(crew: Crew) -> None:
    """Her own PIN does nothing where it is the manager's too, whichever name is chosen."""
    before = len(crew.rows())
    crew.people.keep_pin(person(crew, Role.CASHIER), PINS[Role.MANAGER])
    await discount_asked(crew, "20")
    for _ in range(2):
        await crew.real.type(PINS[Role.MANAGER])
        await crew.real.until(lambda: OWN in lines_of(crew.frame.top))
        await crew.real.until(lambda: "try the PIN" not in crew.frame.tasks.names)
        assert crew.is_asked
        await crew.real.press("Down")
    assert len(crew.rows()) == before
    assert tries(crew) == NO_TRIES
    await crew.real.scan(BADGES[Role.MANAGER])
    await lifted(crew, Role.MANAGER)
    crew.people.keep_pin(person(crew, Role.CASHIER), PINS[Role.CASHIER])


async def an_unknown_pin_is_nobodys_and_slows_down_each_gate(crew: Crew) -> None:
    """It counts for no person, so nobody is kept from signing in by it."""
    before = wrong_rows(crew.rows())
    await discount_asked(crew, "8")
    await unknown_pin(crew, 1)
    await crew.real.press("Esc", "Esc")
    await menu("settings")(crew)
    await unknown_pin(crew, 2)
    assert not waits(crew)
    await unknown_pin(crew, 3)
    await crew.real.until(lambda: waits(crew))
    assert wrong_rows(crew.rows()) == [*before, *[(NAMES[Role.CASHIER], "")] * 3]
    assert tries(crew) == NO_TRIES
    await crew.real.press("Esc")
    await discount_asked(crew, "8")
    await crew.real.type(PINS[Role.MANAGER])
    await still_waits(crew)
    await crew.real.scan(BADGES[Role.MANAGER])
    await lifted(crew, Role.MANAGER)
    await discount_asked(crew, "9")
    await crew.real.type(PINS[Role.MANAGER])
    await still_waits(crew)


async def a_pin_that_two_may_approve_by_needs_the_name(crew: Crew) -> None:
    """Else the row would name the wrong one."""
    crew.people.keep_pin(person(crew, Role.LEAD), PINS[Role.MANAGER])
    await discount_asked(crew, "8")
    await crew.real.type(PINS[Role.MANAGER])
    await crew.real.until(lambda: any("ПИН више људи" in one for one in lines_of(crew.frame.top)))
    assert tries(crew) == NO_TRIES
    await crew.real.press("Down", "Down")
    await crew.real.type(PINS[Role.MANAGER])
    await lifted(crew, Role.MANAGER)
    crew.people.keep_pin(person(crew, Role.LEAD), PINS[Role.LEAD])


async def who_waits_after_wrong_pins_at_the_lock_waits_here_too(crew: Crew) -> None:
    """Beside another who may approve as well: a right PIN is never told as a wrong one."""
    tried_wrong(crew, Role.MANAGER)
    for percent in ("20", "8"):
        await discount_asked(crew, percent)
        await crew.real.type(PINS[Role.MANAGER])
        await crew.real.until(lambda: "try the PIN" not in crew.frame.tasks.names)
        await still_waits(crew)
        assert crew.people.wrong_tries(None).count == 0
        if percent == "20":
            await crew.real.press("Esc", "Esc")
    await crew.real.type(PINS[Role.LEAD])
    await lifted(crew, Role.LEAD)


async def no_approval_of_a_colleague_frees_the_guesses(crew: Crew) -> None:
    """Else somebody guesses the manager's PIN twice, approves by the own one, and guesses on."""
    for guess, by_badge in ((1, True), (2, False)):
        await discount_asked(crew, str(7 + guess))
        await unknown_pin(crew, guess)
        if by_badge:
            await crew.real.scan(BADGES[Role.LEAD])
        else:
            await crew.real.type(PINS[Role.LEAD])
        await lifted(crew, Role.LEAD)
    await discount_asked(crew, "10")
    await unknown_pin(crew, 3)
    await crew.real.until(lambda: waits(crew))


async def unknown_pins_are_forgotten_an_hour_after_the_last(crew: Crew) -> None:
    long_ago = crew.real.services.till.clock.now() - timedelta(minutes=61)
    for _ in range(9):
        crew.people.note_try(None, right=False, at=long_ago)
    await discount_asked(crew, "8")
    await unknown_pin(crew, 1)
    assert not waits(crew)


async def alt_f4(crew: Crew) -> None:
    """Ask to close the till as the window system does."""
    await crew.real.by_hand(crew.real.hands.window.windowHandle().close)
    assert crew.frame.cover_name == CLOSING


async def an_act_that_is_lifted_below_the_question_of_closing_is_done_once(crew: Crew) -> None:
    """The PIN is typed, and the till is to be closed before its hash is done."""
    many = [one.done for one in crew.rows()].count(NotedAct.DISCOUNT)
    await discount_asked(crew, "8")
    await crew.real.type(PINS[Role.MANAGER])
    await alt_f4(crew)
    await crew.real.until(lambda: crew.rows()[-1].done is NotedAct.DISCOUNT)
    await crew.real.until(lambda: "try the PIN" not in crew.frame.tasks.names)
    assert crew.frame.cover_name == CLOSING, "the question was removed unanswered"
    await crew.real.press("Esc")
    assert not crew.frame.cover_name, "the approval stands with an act that is done"
    assert [one.done for one in crew.rows()].count(NotedAct.DISCOUNT) == many + 1


async def plus_pays(crew: Crew) -> None:
    """Press the numeric + once no scan keeps it from paying any more."""
    await asyncio.sleep(0.5)
    await crew.real.by_hand(crew.real.hands.pad, "+")


async def goods_that_are_scanned_while_a_badge_is_awaited_are_told_before_the_receipt(
    crew: Crew,
) -> None:
    """An article, one that no catalogue has and a scan that breaks off are counted; a badge and a
    receipt are not. Both ways to the receipt name the codes."""
    sold = len(crew.real.services.sales.last(100))
    await discount_asked(crew, "20")
    for code in (MILK, STRANGE, MILK, BADGES[Role.CASHIER], RECEIPT):
        await crew.real.scan(code)
        told = any("није додато у рачун" in one for one in lines_of(crew.frame.top))
        assert told == (code != BADGES[Role.CASHIER]), code
        assert crew.is_asked
    await crew.real.by_hand(crew.real.hands.scan_part, BADGES[Role.MANAGER])
    assert any("није прочитан цео" in one for one in lines_of(crew.frame.top))
    await crew.real.type(PINS[Role.MANAGER])
    await lifted(crew, Role.MANAGER)
    assert "Није додато у рачун" in crew.real.hands.notice()
    missed = [one.code for one in crew.model.cart.ticket.missed]
    assert missed == [STRANGE, MILK, ""]
    await crew.real.press("F12")
    (line,) = [one for one in lines_of(crew.frame.top) if "3 кода нису додата" in one]
    assert MILK in line
    assert STRANGE in line
    await crew.real.press("Esc")
    await plus_pays(crew)
    assert f"3 кода нису додата: {STRANGE}, {MILK}" in crew.real.hands.notice()
    assert len(crew.real.services.sales.last(100)) == sold
    await crew.real.scan(MILK)
    assert [one.code for one in crew.model.cart.ticket.missed] == [STRANGE, ""]
    await plus_pays(crew)
    assert len(crew.real.services.sales.last(100)) == sold + 1
    assert not crew.model.cart.ticket.missed


async def goods_that_are_scanned_at_the_lock_are_told_to_who_signs_in(crew: Crew) -> None:
    await crew.real.press("F11")
    await crew.real.scan(MILK)
    assert crew.frame.cover_name == LOCK
    await crew.real.scan(BADGES[Role.CASHIER])
    await crew.real.until(lambda: not crew.frame.cover_name)
    assert f"Није додато у рачун: {MILK_NAME}" in crew.real.hands.notice()
    assert [one.code for one in crew.model.cart.ticket.missed] == [MILK]
    await plus_pays(crew)
    assert f"1 код није додат: {MILK}" in crew.real.hands.notice()
    await crew.real.scan(MILK)
    assert not crew.model.cart.ticket.missed


@pytest.mark.deadline(120)
async def test_who_approves(tmp_path: Path, template: Path, sell_in: SellIn) -> None:
    rights = Rights().with_cell(Act.DRAWER, Role.LEAD, Leave.MAY)
    for act in ASKS:
        rights = rights.with_cell(act, Role.CASHIER, Leave.ASKS)
    with real_till.opened(tmp_path, template, sell_in, before=hire) as real:
        async with real.at_work():
            crew = Crew(real, Role.CASHIER)
            await crew.arrive()
            await real.sold(ARTICLE)  # the shift stands open
            for story in (
                who_is_refused_an_approval_goes_on_with_what_was_typed,
                a_number_that_was_doubted_is_asked_for_again,
                whoever_types_a_pin_is_found_by_it,
                a_known_person_without_the_right_tries_nothing_wrong,
                nobody_approves_an_act_of_her_own,
                an_unknown_pin_is_nobodys_and_slows_down_each_gate,
                a_pin_that_two_may_approve_by_needs_the_name,
                no_approval_of_a_colleague_frees_the_guesses,
                unknown_pins_are_forgotten_an_hour_after_the_last,
                an_act_that_is_lifted_below_the_question_of_closing_is_done_once,
                who_waits_after_wrong_pins_at_the_lock_waits_here_too,
            ):
                await crew.clear()
                crew.people.keep_rights(rights)
                await real.scan(ARTICLE)
                await story(crew)


@pytest.mark.deadline(120)
async def test_no_scan_is_lost_while_a_badge_is_awaited(
    tmp_path: Path, template: Path, sell_in: SellIn
) -> None:
    with real_till.opened(tmp_path, template, sell_in, before=hire) as real:
        async with real.at_work():
            crew = Crew(real, Role.CASHIER)
            await crew.arrive()
            await real.sold(ARTICLE)  # the shift stands open
            for story in (
                goods_that_are_scanned_while_a_badge_is_awaited_are_told_before_the_receipt,
                goods_that_are_scanned_at_the_lock_are_told_to_who_signs_in,
            ):
                await crew.clear()
                crew.people.keep_rights(Rights())
                await real.scan(ARTICLE)
                await story(crew)
