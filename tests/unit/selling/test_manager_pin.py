"""The manager's PIN: how wrong ones slow down, and that nobody can read it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest

from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.sqlite.till.till import TillDatabase, open_till
from pos_app.bootstrap.commands.forget_pin import forget_pin
from pos_app.errors import AlreadyRunning, Invalid, NotAllowed
from pos_app.selling.people.manager_pin import check_pin, choose_pin, new_pin
from pos_app.selling.people.wrong_pins import FREE_TRIES, WrongTries, wait_left
from pos_app.settings import Settings
from tests.fakes.till_clock import StandingClock

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


def at(seconds: int) -> StandingClock:
    return StandingClock(NOW + timedelta(seconds=seconds))


@pytest.fixture
def till(tmp_path: Path) -> Iterator[TillDatabase]:
    made = open_till(tmp_path, till_id="till-1")
    yield made
    made.close()


def test_wrong_pins_slow_down() -> None:
    waits = {0: 0, 2: 0, 3: 30, 4: 60, 5: 120, 9: 1800, 500: 1800}

    for tries, seconds in waits.items():
        left = wait_left(WrongTries(tries, NOW), at=NOW)
        assert left == timedelta(seconds=seconds), tries
    assert wait_left(WrongTries(4, NOW), at=NOW + timedelta(seconds=45)) == timedelta(seconds=15)
    assert wait_left(WrongTries(3, NOW), at=NOW - timedelta(days=1)) == timedelta(seconds=30)


async def test_a_restart_shortens_no_wait_and_the_right_pin_forgets(tmp_path: Path) -> None:
    first = open_till(tmp_path, till_id="till-1")
    await choose_pin(first.manager, pin="2580", again="2580")
    for wrong in ("0000", "1111", "2222"):
        with pytest.raises(NotAllowed):
            await check_pin(first.manager, pin=wrong, clock=at(0))
    first.close()
    second = open_till(tmp_path, till_id="till-1")
    try:
        with pytest.raises(NotAllowed) as refused:
            await check_pin(second.manager, pin="2580", clock=at(10))
        assert refused.value.values["seconds"] == 20
        await check_pin(second.manager, pin="2580", clock=at(31))
        assert second.manager.wrong_tries() == WrongTries()
    finally:
        second.close()


async def test_another_one_takes_its_place_or_none(till: TillDatabase) -> None:
    store = till.manager
    for pin, again, field in (
        ("123", "123", "pin"),
        ("12a4", "12a4", "pin"),
        ("1234", "1", "again"),
    ):
        with pytest.raises(Invalid) as refused:
            await choose_pin(store, pin=pin, again=again)
        assert refused.value.field == field
    await choose_pin(store, pin="2580", again="2580")
    with pytest.raises(NotAllowed):
        await choose_pin(store, pin="1111", again="1111")
    for pin, again in (("43", "43"), ("4321", "1")):
        with pytest.raises(Invalid):
            store.save_pin(await new_pin(store, pin=pin, again=again))
        assert store.pin_check()("2580")
    store.save_pin(await new_pin(store, pin="4321", again="4321"))
    assert (store.pin_check()("4321"), store.pin_check()("2580")) == (True, False)
    for _ in range(FREE_TRIES):
        with pytest.raises(NotAllowed):
            await check_pin(store, pin="2580", clock=at(0))
    with pytest.raises(NotAllowed, match="Too many"):
        await check_pin(store, pin="4321", clock=at(0))
    store.forget()
    assert (store.is_set(), store.wrong_tries().count) == (False, 0)


async def test_a_forgotten_one_is_forgotten_by_a_command_while_no_till_runs(tmp_path: Path) -> None:
    settings, told = Settings(data=tmp_path), StringIO()
    assert forget_pin(settings, out=told) == 1
    install = open_install(tmp_path, environment=settings.environment)
    with closing(open_till(tmp_path / "till", till_id=install.till_id)) as till:
        await choose_pin(till.manager, pin="2580", again="2580")
        with pytest.raises(AlreadyRunning):
            forget_pin(settings, out=told)
        assert till.manager.pin_check()("2580")
    assert forget_pin(settings, out=told) == 0
    with closing(open_till(tmp_path / "till", till_id=install.till_id)) as till:
        assert not till.manager.is_set()
    assert "asks for a new one" in told.getvalue()
