"""Only the answer to the last question counts, however far an earlier one has come."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from pos_app.cashier.services.tasks import LastAsked, Tasks
from pos_app.errors import NotDelivered, PosError
from tests.gui.patience import until

AWAY = NotDelivered(what="The server is away.")


class Asker:
    def __init__(self) -> None:
        self.shown: list[object] = []
        self.tasks = Tasks(on_error=self.shown.append, on_bug=self.shown.append)
        self.last = LastAsked(self.tasks)
        self.taken: list[str] = []
        self.failed: list[PosError] = []

    def ask(self, question: Callable[[], Awaitable[str]]) -> None:
        self.last.ask(question, name="asking", take=self.taken.append, fail=self.failed.append)

    async def ended(self) -> None:
        """Wait until nothing runs, and for an answer that is on its way."""
        await until(lambda: not self.tasks.names)
        await asyncio.sleep(0.05)


async def second() -> str:
    return "second"


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("anew", [False, True])
async def test_what_an_earlier_question_comes_to_is_told_to_nobody(anew: bool, fails: bool) -> None:
    asker = Asker()

    async def first() -> str:
        if anew:
            asker.ask(second)
        else:
            asker.last.drop()
        if fails:
            raise AWAY
        return "first"

    asker.ask(first)
    await asker.ended()
    taken = ["second"] if anew else []
    assert (asker.taken, asker.failed, asker.shown) == (taken, [], [])
