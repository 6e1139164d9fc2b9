"""The renderer is loaded in a pause, and not while receipts follow each other."""

from __future__ import annotations

import pytest

from pos_app.bootstrap.server.preload import AFTER_MS, PAUSE_SECONDS, warm
from pos_app.errors import MachineError
from pos_app.fiscalization.orphan_server import IdleTime
from tests.integration.test_alone import Hours

BUSY_UNTIL = 60.0


def nothing() -> bool:
    """Say that no receipt is under way."""
    return False


async def test_it_is_loaded_some_seconds_after_a_quiet_start() -> None:
    clock = Hours()
    loaded: list[float] = []
    await warm(
        lambda: loaded.append(clock.seconds()), IdleTime(clock), is_issuing=nothing, clock=clock
    )
    assert loaded == [AFTER_MS / 1000]


async def test_it_waits_until_nobody_asks() -> None:
    clock = Hours()
    silence = IdleTime(clock)
    clock.in_between = lambda: silence.heard() if clock.seconds() < BUSY_UNTIL else None
    loaded: list[float] = []
    await warm(lambda: loaded.append(clock.seconds()), silence, is_issuing=nothing, clock=clock)
    (at,) = loaded
    assert BUSY_UNTIL <= at <= BUSY_UNTIL + PAUSE_SECONDS


async def test_it_waits_for_a_receipt_that_the_processor_has() -> None:
    clock = Hours()
    loaded: list[float] = []
    await warm(
        lambda: loaded.append(clock.seconds()),
        IdleTime(clock),
        is_issuing=lambda: clock.seconds() < BUSY_UNTIL,
        clock=clock,
    )
    (at,) = loaded
    assert BUSY_UNTIL <= at <= BUSY_UNTIL + PAUSE_SECONDS


async def test_a_machine_without_a_font_is_told_and_sells_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def load() -> None:
        raise MachineError(what="No font has Serbian letters.")

    clock = Hours()
    await warm(load, IdleTime(clock), is_issuing=nothing, clock=clock)
    assert "No font has Serbian letters." in caplog.text


async def test_what_nobody_wants_is_not_loaded() -> None:
    clock = Hours()
    loaded: list[float] = []
    await warm(
        lambda: loaded.append(clock.seconds()),
        IdleTime(clock),
        is_issuing=nothing,
        clock=clock,
        is_wanted=lambda: clock.seconds() >= BUSY_UNTIL,
    )
    (at,) = loaded
    assert BUSY_UNTIL <= at <= BUSY_UNTIL + 2.0
