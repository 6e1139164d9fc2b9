"""Nobody does what the table of rights forbids: every act is tried as each role, by key and by tap,
with each word in its cell, in a window over a real core."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from pos_app.cashier.window.frame import LOCK
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.rights import Act, Leave, Role
from tests.gui.people.crew import ARTICLE, BADGES, FINGER, KEY, NAMES, PINS, Crew, cell, hire
from tests.gui.people.ways import WAYS, menu
from tests.gui.window import real_till
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill
from tests.sweep import sampled

DEVICES = (
    '\n[printer]\nkind = "network"\naddress = "127.0.0.1"\ndrawer = "pin2"\n'
    '[mail]\nhost = "127.0.0.1"\nport = 9\nsender = "racuni@primer.rs"\n'
)
"""A drawer and a mail server that do not exist: requests to them have no effect."""
MANAGER_KEEPS = (Act.SETTINGS, Role.MANAGER)


@pytest.fixture
def real(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[RealTill]:
    with real_till.opened(tmp_path, template, sell_in, told=DEVICES, before=hire) as made:
        yield made


PARTS = 32
_TURNS = [
    (role, leave, (place + step) % PARTS)
    for step in range(PARTS)
    for shift in range(len(Leave))
    for place, role in enumerate(Role)
    for leave in [tuple(Leave)[(place + shift + 1) % len(Leave)]]
]
"""Each role with each word and each part of the ways; the first three turns contain every role,
every word, and three parts."""


@pytest.mark.deadline(280)
@pytest.mark.parametrize(("role", "leave", "part"), sampled(_TURNS, few=3))
async def test_each_way_to_each_act(
    real: RealTill, times: int, role: Role, leave: Leave, part: int
) -> None:
    """`make test` cancels or locks in two of the ways in which another person is asked."""
    left = 2 if times <= 50 else len(WAYS)
    async with real.at_work():
        crew = Crew(real, role)
        await crew.arrive()
        faults = []
        for number, way in enumerate(WAYS[part::PARTS]):
            if (way.act, role) == MANAGER_KEEPS and leave is not Leave.MAY:
                continue
            try:
                await crew.tried(way, leave)
                if leave is Leave.ASKS and number < left:
                    await crew.cancelled(way)
                    await crew.locked(way)
            except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - told below
                place = traceback.extract_tb(error.__traceback__)[-1]
                lines = "".join(traceback.format_exception_only(error)).rstrip()
                faults.append(f"- {way}\n  {place.filename}:{place.lineno}: {lines}")
        assert not faults, "\n".join(faults)
        assert crew.raw_words() == []


def test_each_act_of_the_table_is_tried_by_key_and_by_finger() -> None:
    assert {(one.act, one.by) for one in WAYS} >= set(product(Act, (KEY, FINGER)))


async def at_the_settings(crew: Crew) -> None:
    """At the gate of the settings, which asks for another person."""
    crew.people.keep_rights(cell(Act.SETTINGS, crew.role, Leave.ASKS))
    await menu("settings")(crew)
    assert crew.is_asked


async def a_pin_that_is_right_too_late_lifts_nothing(crew: Crew) -> None:
    """The cashier left while the PIN was tried, which takes a thread some 50 ms."""
    real = crew.real
    await at_the_settings(crew)

    def typed_and_left() -> None:
        real.hands.type(PINS[Role.LEAD])
        real.hands.press("Esc")

    await real.by_hand(typed_and_left)
    assert crew.frame.is_home
    await real.until(lambda: "try the PIN" not in crew.frame.tasks.names)
    await at_the_settings(crew)
    await real.press("Esc")


async def a_pin_that_is_right_only_after_the_lock_lifts_nothing(crew: Crew) -> None:
    """F11 is pressed right after its last digit, over an act that waits in place."""
    real = crew.real
    crew.people.keep_rights(cell(Act.DRAWER, crew.role, Leave.ASKS))
    await real.press("F10")
    await real.until(lambda: crew.is_asked)
    gate = crew.gate().who
    assert gate is not None
    assert gate.person is None  # the PIN tells whose it is

    def typed_and_locked() -> None:
        real.hands.type(PINS[Role.LEAD])
        real.hands.press("F11")

    await real.by_hand(typed_and_locked)
    assert crew.frame.cover_name == LOCK
    await real.until(lambda: "try the PIN" not in crew.frame.tasks.names)
    await crew.arrive()
    assert crew.frame.is_home
    assert NotedAct.DRAWER not in [one.done for one in crew.rows()]


async def a_key_that_is_pressed_twice_is_lifted_once(
    crew: Crew, key: str, act: Act, done: NotedAct
) -> None:
    """The same holds for a badge that the scanner reads twice."""
    real = crew.real
    crew.people.keep_rights(cell(act, crew.role, Leave.ASKS))
    rows, lines = crew.rows(), len(crew.model.cart.active_lines)

    def twice(act: Callable[[str], None], what: str) -> None:
        for _ in range(2):
            act(what)

    await real.by_hand(twice, real.hands.press, key)
    await real.until(lambda: crew.is_asked)
    await real.by_hand(twice, real.hands.scan, BADGES[Role.MANAGER])
    await real.until(lambda: crew.frame.is_home)
    await real.until(lambda: bool(crew.new(rows)))
    (row,) = crew.new(rows)
    assert (row.done, row.lifted_by) == (done, NAMES[Role.MANAGER])
    assert len(crew.model.cart.active_lines) == lines - (key == "Del")
    assert crew.model.cart.ticket.missed == ()


async def test_a_pin_or_a_badge_lifts_what_was_asked_and_that_once(real: RealTill) -> None:
    async with real.at_work():
        crew = Crew(real, Role.CASHIER)
        await crew.arrive()
        await a_pin_that_is_right_too_late_lifts_nothing(crew)
        await a_pin_that_is_right_only_after_the_lock_lifts_nothing(crew)
        await real.scan(ARTICLE)
        await real.scan("8609951100139")
        await real.press("F12", "Esc")
        await a_key_that_is_pressed_twice_is_lifted_once(crew, "F10", Act.DRAWER, NotedAct.DRAWER)
        await a_key_that_is_pressed_twice_is_lifted_once(
            crew, "Del", Act.REMOVE_WHILE_PAYING, NotedAct.LINE_REMOVED
        )


async def test_where_a_badge_needs_the_pin_it_only_chooses_the_name(
    tmp_path: Path, template: Path, sell_in: SellIn
) -> None:
    told = "\n[people]\nbadge_needs_pin = true\n"
    with real_till.opened(tmp_path, template, sell_in, told=told, before=hire) as real:
        async with real.at_work():
            crew = Crew(real, Role.CASHIER)
            await crew.arrive()
            await at_the_settings(crew)
            await real.scan(BADGES[Role.MANAGER])
            assert crew.is_asked, "a badge alone lifted it"
            await real.type(PINS[Role.MANAGER])
            await real.until(lambda: not crew.is_asked)
            assert crew.frame.top_name == "settings"
