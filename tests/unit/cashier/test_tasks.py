"""The bridge to coroutines: they are named and cancelled, and their failures are shown."""

from __future__ import annotations

import asyncio
import logging

import pytest

from pos_app.cashier.services.tasks import Tasks
from pos_app.errors import NotDelivered, PosError


class Shown:
    """The errors that were shown to the cashier."""

    def __init__(self) -> None:
        self.errors: list[PosError] = []
        self.bugs: list[BaseException] = []
        self.tasks = Tasks(on_error=self.errors.append, on_bug=self.bugs.append)


async def fails(error: Exception) -> None:
    await asyncio.sleep(0)
    raise error


async def until_done(task: asyncio.Task[None] | None) -> None:
    assert task is not None
    await asyncio.wait({task})
    await asyncio.sleep(0)


async def test_an_error_is_shown_and_a_bug_is_logged_with_its_cause(
    caplog: pytest.LogCaptureFixture,
) -> None:
    shown, bug = Shown(), KeyError("nobody")
    await until_done(shown.tasks.start(fails(bug), name="counting"))
    assert (shown.errors, shown.bugs) == ([], [bug])
    error = NotDelivered(what="The server is away.")
    await until_done(shown.tasks.start(fails(error), name="asking"))
    assert (shown.errors, shown.bugs) == ([error], [bug])
    record = next(one for one in caplog.records if one.levelno == logging.ERROR)
    assert "counting" in record.getMessage()
    assert record.exc_info is not None
    assert record.exc_info[1] is bug


async def test_closing_cancels_all_and_waits_until_they_let_go() -> None:
    shown, let_go = Shown(), list[str]()

    async def works(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            let_go.append(name)

    for name in ("b", "a"):
        shown.tasks.start(works(name), name=name)
    await asyncio.sleep(0)
    assert shown.tasks.names == ("a", "b")
    await shown.tasks.close()
    assert sorted(let_go) == ["a", "b"]
    assert shown.tasks.start(works("late"), name="late") is None
    await asyncio.sleep(0)
    assert (shown.errors, shown.bugs, shown.tasks.names) == ([], [], ())
