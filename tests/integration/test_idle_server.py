"""A server that nobody asks: one whose till was killed ends by itself once nothing is open, and the
renderer is loaded in a pause, not while receipts follow each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.server_process.address import last_server
from pos_app.bootstrap.server.preload import warm
from pos_app.bootstrap.server.server import run_server
from pos_app.errors import MachineError
from pos_app.fiscalization import orphan_server
from pos_app.fiscalization.orphan_server import ALONE_SECONDS, IdleTime, stop_when_alone
from tests.fakes.till_clock import StandingClock
from tests.integration.local_api.wires import until


class Hours(StandingClock):
    """A clock whose pauses are over at once; `in_between` runs in each."""

    def __init__(self, in_between: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self._ticks = 0
        self.in_between = in_between

    async def pause(self, milliseconds: int, *, until: asyncio.Event) -> None:
        self.go_on(milliseconds)
        self.in_between()


async def test_it_ends_after_some_minutes_of_silence() -> None:
    clock, stop = Hours(), asyncio.Event()
    await stop_when_alone(IdleTime(clock), has_work=lambda: False, clock=clock, stop=stop)
    assert stop.is_set()
    assert clock.seconds() == ALONE_SECONDS


@pytest.mark.parametrize("for_till", [True, False])
async def test_only_the_till_s_own_server_ends_by_itself(
    folder: Path, monkeypatch: pytest.MonkeyPatch, for_till: bool
) -> None:
    monkeypatch.setattr(orphan_server, "ALONE_SECONDS", 0.3)
    monkeypatch.setattr(orphan_server, "_LOOK_MS", 50)
    shop = settings.load(folder, server={"port": 0})
    watched = set[str]()

    def on_ready(address: str) -> None:
        watched.update(task.get_name() for task in asyncio.all_tasks())

    running = asyncio.create_task(run_server(shop, ready=on_ready, for_till=for_till))
    await until(lambda: bool(watched))
    assert ("end when alone" in watched) is for_till
    if not for_till:
        running.cancel()
    await asyncio.wait({running}, timeout=20)
    assert running.cancelled() is not for_till
    assert last_server(folder) is None


async def test_a_machine_without_a_font_sells_on(caplog: pytest.LogCaptureFixture) -> None:
    def load() -> None:
        raise MachineError(what="No font has Serbian letters.")

    clock = Hours()
    await warm(load, IdleTime(clock), is_issuing=lambda: False, clock=clock)
    assert "No font has Serbian letters." in caplog.text
