"""Somebody is asked to approve an act: the panel shows what it approves, and finds whoever types a
PIN or shows a badge. By keys and scans at a till with a real server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pos_app.cashier.gate.about_rows import ActRows
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.window.frame import APPROVAL, CLOSING
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.people.people import Person
from pos_app.selling.people.rights import Act, Leave, Role
from tests.gui.parts import lines_of, visible_parts
from tests.gui.people.crew import ARTICLE, BADGES, NAMES, PINS, WRONG, Crew, cell, hire
from tests.gui.people.test_table_of_rights import DEVICES
from tests.gui.people.ways import WAYS, menu
from tests.gui.window import real_till
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill

ASKS = (Act.DRAWER, Act.REFUND, Act.SETTINGS)


@pytest.fixture
def real(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[RealTill]:
    with real_till.opened(tmp_path, template, sell_in, before=hire) as made:
        yield made


async def arrived(real: RealTill) -> Crew:
    """A cashier at work, who has to ask for some acts; the lead may not change settings."""
    crew = Crew(real, Role.CASHIER)
    await crew.arrive()
    rights = crew.people.rights()
    for act in ASKS:
        rights = rights.with_cell(act, Role.CASHIER, Leave.ASKS)
    crew.people.keep_rights(rights.with_cell(Act.DRAWER, Role.LEAD, Leave.MAY))
    return crew


def person(crew: Crew, role: Role) -> Person:
    return next(one for one in crew.people.people() if one.role is role)


def tries(crew: Crew) -> dict[Role, int]:
    return {role: crew.people.wrong_tries(person(crew, role)).count for role in Role}


NO_TRIES = dict.fromkeys(Role, 0)


async def discount_asked(crew: Crew, percent: str) -> None:
    await crew.real.press("F4")
    await crew.real.type(percent)
    await crew.real.press("Enter")
    assert crew.is_asked


def wrong_rows(rows: list[ActRow]) -> list[tuple[str, str]]:
    return [(one.by, one.subject) for one in rows if one.done is NotedAct.PIN_WRONG]


async def test_an_approval_shows_act_article_amount_and_who_asks(real: RealTill) -> None:
    async with real.at_work():
        crew = await arrived(real)
        await real.scan(ARTICLE)
        await discount_asked(crew, "8")
        said = lines_of(crew.frame.top)
        assert "Попуст 8\N{NO-BREAK SPACE}%" in said
        assert "Хлеб бели Сава 500 g" in said
        assert "58,99 → 54,27" in said
        assert NAMES[Role.CASHIER] in said


BREAD, NUMBER = r"Хлеб бели Сава 500 g", r"\S+-\S+-\d+"
SHOWN = {
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
    "reprint mail, key": (r"Копија рачуна поштом", NUMBER, r"\d+,\d\d"),
    "decide undo, key": (r"Поништавање рефундације продајом", NUMBER, r"−?\d+,\d\d"),
    "decide settled, key": (r"Решено је друкчије", r".* · " + NUMBER),
    "cash_in_out key": (r"Изнеси готовину", r"200,00", r"123"),
    "x_report key": (r"Пресек X",),
    "close_shift key": (r"Затварање смене, Z", r"Отворена .*"),
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
                said = [
                    one.text() for one in visible_parts(crew.gate(), ActRows)[0].findChildren(Label)
                ]
                faults += [
                    f"{name} lacks {words}: {said}"
                    for words in (*expected, NAMES[Role.CASHIER])
                    if not any(re.fullmatch(words, one) for one in said)
                ]
                await real.press("Esc")
            assert not faults, "\n".join(faults)


@pytest.mark.parametrize("role", [Role.LEAD, Role.MANAGER])
async def test_whoever_types_a_pin_is_found_by_it(real: RealTill, role: Role) -> None:
    """Nobody chooses a name before: the PIN alone says who approves."""
    async with real.at_work():
        crew = await arrived(real)
        await real.scan(ARTICLE)
        await discount_asked(crew, "8")
        await real.type(PINS[role])
        await real.until(lambda: not crew.frame.cover_name)
        row = crew.rows()[-1]
        assert (row.done, row.by, row.lifted_by) == (
            NotedAct.DISCOUNT,
            NAMES[Role.CASHIER],
            NAMES[role],
        )
        assert tries(crew) == NO_TRIES
        assert wrong_rows(crew.rows()) == []


async def refused_by_name(crew: Crew, role: Role) -> None:
    told = f"{NAMES[role]} не сме ово да одобри"
    await crew.real.type(PINS[role])
    await crew.real.until(lambda: told in lines_of(crew.frame.top))
    await crew.real.scan(BADGES[role])
    assert told in lines_of(crew.frame.top)
    assert crew.is_asked


async def test_a_known_person_without_the_right_is_named_and_tries_nothing_wrong(
    real: RealTill,
) -> None:
    """A lead may give 10 %: neither the lead's PIN nor badge, nor the cashier's own, is a wrong try
    of the manager, however often they are given."""
    async with real.at_work():
        crew = await arrived(real)
        await real.scan(ARTICLE)
        await discount_asked(crew, "20")
        for role in (Role.LEAD, Role.CASHIER) * 2:
            await refused_by_name(crew, role)
        assert tries(crew) == NO_TRIES
        assert wrong_rows(crew.rows()) == []
        await real.type(PINS[Role.MANAGER])
        await real.until(lambda: not crew.frame.cover_name)
        assert crew.rows()[-1].lifted_by == NAMES[Role.MANAGER]


async def unknown_pin(crew: Crew, many: int) -> None:
    """Type a PIN that nobody has, until the row of the act is there."""
    await crew.real.type(WRONG)
    await crew.real.until(lambda: len(wrong_rows(crew.rows())) == many)
    await crew.real.until(lambda: "try the PIN" not in crew.frame.tasks.names)


def waits(crew: Crew) -> bool:
    return any("Превише погрешних ПИН-ова" in one for one in lines_of(crew.frame.top))


async def test_an_unknown_pin_is_nobodys_and_slows_down_each_gate(real: RealTill) -> None:
    """It counts for no person, so nobody is kept from signing in by it; the count is one for all
    places where somebody approves. A badge is taken meanwhile, and only time ends the wait."""
    async with real.at_work():
        crew = await arrived(real)
        await real.scan(ARTICLE)
        await discount_asked(crew, "8")
        await unknown_pin(crew, 1)
        await real.press("Esc")
        await menu("settings")(crew)
        await unknown_pin(crew, 2)
        assert not waits(crew)
        await unknown_pin(crew, 3)
        await real.until(lambda: waits(crew))
        assert wrong_rows(crew.rows()) == [(NAMES[Role.CASHIER], "")] * 3
        assert tries(crew) == NO_TRIES
        await real.press("Esc")
        await discount_asked(crew, "8")
        await real.type(PINS[Role.MANAGER])
        await real.until(lambda: waits(crew))
        assert crew.frame.cover_name == APPROVAL
        await real.scan(BADGES[Role.MANAGER])
        await real.until(lambda: not crew.frame.cover_name)
        assert crew.rows()[-1].lifted_by == NAMES[Role.MANAGER]
        await discount_asked(crew, "9")
        await real.type(PINS[Role.MANAGER])
        await real.until(lambda: waits(crew))
        assert crew.frame.cover_name == APPROVAL


async def test_a_pin_that_two_may_approve_by_needs_the_name(real: RealTill) -> None:
    """Else the row would name the wrong one."""
    async with real.at_work():
        crew = await arrived(real)
        crew.people.keep_pin(person(crew, Role.LEAD), PINS[Role.MANAGER])
        await real.scan(ARTICLE)
        await discount_asked(crew, "8")
        await real.type(PINS[Role.MANAGER])
        await real.until(lambda: any("ПИН више људи" in one for one in lines_of(crew.frame.top)))
        assert tries(crew) == NO_TRIES
        await real.press("Down", "Down")
        await real.type(PINS[Role.MANAGER])
        await real.until(lambda: not crew.frame.cover_name)
        assert crew.rows()[-1].lifted_by == NAMES[Role.MANAGER]


async def test_who_waits_after_wrong_pins_at_the_lock_waits_here_too(real: RealTill) -> None:
    async with real.at_work():
        crew = await arrived(real)
        now = real.services.till.clock.now()
        for _ in range(3):
            crew.people.note_try(person(crew, Role.MANAGER), right=False, at=now)
        await real.scan(ARTICLE)
        await discount_asked(crew, "20")
        await real.type(PINS[Role.MANAGER])
        await real.until(lambda: waits(crew))
        assert crew.frame.cover_name == APPROVAL


async def test_who_waits_is_told_so_beside_another_who_may_approve(real: RealTill) -> None:
    """A right PIN is never told as a wrong one, and is no try of nobody."""
    async with real.at_work():
        crew = await arrived(real)
        now = real.services.till.clock.now()
        for _ in range(3):
            crew.people.note_try(person(crew, Role.MANAGER), right=False, at=now)
        await real.scan(ARTICLE)
        await discount_asked(crew, "8")
        await real.type(PINS[Role.MANAGER])
        await real.until(lambda: "try the PIN" not in crew.frame.tasks.names)
        await real.until(lambda: waits(crew))
        assert crew.people.wrong_tries(None).count == 0
        assert crew.frame.cover_name == APPROVAL
        await real.type(PINS[Role.LEAD])
        await real.until(lambda: not crew.frame.cover_name)
        assert crew.rows()[-1].lifted_by == NAMES[Role.LEAD]


@pytest.mark.parametrize("by_badge", [False, True])
async def test_no_approval_of_a_colleague_frees_the_guesses(real: RealTill, by_badge: bool) -> None:
    """Else somebody guesses the manager's PIN twice, approves by the own one, and guesses on."""
    async with real.at_work():
        crew = await arrived(real)
        await real.scan(ARTICLE)
        for percent, guesses in (("8", (1, 2)), ("9", (3,))):
            await discount_asked(crew, percent)
            for many in guesses:
                await unknown_pin(crew, many)
            if percent == "8" and by_badge:
                await real.scan(BADGES[Role.LEAD])
            elif percent == "8":
                await real.type(PINS[Role.LEAD])
            if percent == "8":
                await real.until(lambda: not crew.frame.cover_name)
        await real.until(lambda: waits(crew))
        assert crew.people.wrong_tries(None).count == 3


async def test_unknown_pins_are_forgotten_an_hour_after_the_last(real: RealTill) -> None:
    async with real.at_work():
        crew = await arrived(real)
        long_ago = real.services.till.clock.now() - timedelta(minutes=61)
        for _ in range(9):
            crew.people.note_try(None, right=False, at=long_ago)
        await real.scan(ARTICLE)
        await discount_asked(crew, "8")
        await unknown_pin(crew, 10)
        assert crew.people.wrong_tries(None).count == 1
        assert not waits(crew)


async def alt_f4(real: RealTill) -> None:
    """Ask to close the till as the window system does."""
    await real.by_hand(real.hands.window.windowHandle().close)
    assert real.hands.window.frame.cover_name == CLOSING


async def test_an_act_that_is_lifted_below_the_question_of_closing_is_done_once(
    real: RealTill,
) -> None:
    """The PIN is typed, and the till is to be closed before its hash is done."""
    async with real.at_work():
        crew = await arrived(real)
        await real.sold(ARTICLE)  # the shift stands open
        await real.scan(ARTICLE)
        await discount_asked(crew, "8")
        await real.type(PINS[Role.MANAGER])
        await alt_f4(real)
        await real.until(lambda: crew.rows()[-1].done is NotedAct.DISCOUNT)
        await real.until(lambda: "try the PIN" not in crew.frame.tasks.names)
        assert crew.frame.cover_name == CLOSING, "the question was removed unanswered"
        await real.press("Esc")
        assert not crew.frame.cover_name, "the approval stands with an act that is done"
        assert [one.done for one in crew.rows()].count(NotedAct.DISCOUNT) == 1


async def test_a_right_pin_opens_the_lock_below_the_question_of_closing(real: RealTill) -> None:
    async with real.at_work():
        crew = await arrived(real)
        await real.sold(ARTICLE)  # the shift stands open
        await real.scan(ARTICLE)
        await real.press("F11")
        await real.type(PINS[Role.CASHIER])
        await alt_f4(real)
        await real.until(lambda: crew.rows()[-1].done is NotedAct.SIGNED_IN)
        assert crew.frame.cover_name == CLOSING
        await real.press("Esc")
        assert not crew.frame.cover_name
        assert real.hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
