"""The server's side of public mode: the real local API behind a platform that the test plays."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import PublicModeState
from pos_app.fiscalization.service import Caller
from pos_app.local_api import relay_client
from pos_app.local_api.receipt_door import ReceiptAnswer, ReceiptDoor
from pos_app.local_api.receipt_response import AnswerFiles
from pos_app.wire import relay
from tests.fakes.till_clock import StandingClock

WHO = relay_client.RelayIdentity(
    "till-1", "install-1", "store-1", "Каса 1", "https://platform.example/v2"
)
WELCOME = relay.WelcomeMessage(account_id="a-1", heartbeat_seconds=20)


class Clock(StandingClock):
    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []

    def machine_sleeps(self, seconds: float) -> None:
        """Only the wall clock moves on: the monotonic clock stands still while a machine sleeps."""
        self._now += timedelta(seconds=seconds)

    async def pause(self, milliseconds: int, *, until: asyncio.Event) -> None:
        if milliseconds == 1000:  # the tick
            await until.wait()
        self.pauses.append(milliseconds / 1000)
        await super().pause(milliseconds, until=until)


class Platform:
    """The other end of each dialled connection. refusals: the errors of the next tries."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[relay.FromApplication] = asyncio.Queue()
        self._said: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self.refusals: list[relay_client.LineClosed] = []
        self.dialled = 0
        self.cuts_answers = False
        """If set, no answer to a command arrives; `cut` collects them."""
        self.cut: list[relay.AnswerMessage] = []

    def says(self, message: relay.FromPlatform) -> None:
        self._said.put_nowait(relay.written(message))

    @asynccontextmanager
    async def dial(self) -> AsyncIterator[relay_client.RelayConnection]:
        self.dialled += 1
        if self.refusals:
            raise self.refusals.pop(0)
        self._said = asyncio.Queue()
        yield self
        self._said.put_nowait(None)

    async def send(self, frame: str) -> None:
        message = relay.from_application(frame)
        if self.cuts_answers and isinstance(message, relay.AnswerMessage):
            self.cut.append(message)
            raise relay_client.LineClosed("cut")
        self.heard.put_nowait(message)

    async def receive(self) -> str | bytes:
        frame = await self._said.get()
        if frame is None:
            raise relay_client.LineClosed("cut")
        return frame

    def beat_every(self, seconds: float) -> None:
        assert seconds == WELCOME.heartbeat_seconds

    async def close(self) -> None:
        self._said.put_nowait(None)


class Door(ReceiptDoor):
    def __init__(self) -> None:
        self.cashier, self.heard = "API", lambda: None
        self.asked: list[tuple[Operation, str | None, bytes, Caller]] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def operate(
        self,
        operation: Operation,
        target: str | None,
        body: bytes,
        caller: Caller,
        files: AnswerFiles,
    ) -> ReceiptAnswer:
        self.asked.append((operation, target, body, caller))
        await self.may_answer.wait()
        files.contents["r-1"] = b"%PDF"
        return ReceiptAnswer(200, b'{"id":"r-1"}')


class Connected:
    def __init__(self, door: ReceiptDoor | None = None) -> None:
        self.clock, self.platform, self.door = Clock(), Platform(), Door()
        self.used = door or self.door
        self.client = relay_client.RelayClient(
            identity=WHO, dial=self.platform.dial, clock=self.clock
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.client.run(self.used))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def greeted(self) -> None:
        assert isinstance(await self.heard(), relay.HelloMessage)
        self.platform.says(WELCOME)
        await self.until(lambda: self.client.status.state is PublicModeState.CONNECTED)

    async def heard(self) -> relay.FromApplication:
        return await asyncio.wait_for(self.platform.heard.get(), 5)

    async def answered(self, command: relay.CommandMessage) -> int:
        self.platform.says(command)
        answer = await self.heard()
        assert isinstance(answer, relay.AnswerMessage)
        return answer.status

    async def until(self, reached: Any) -> None:
        async with asyncio.timeout(5):
            while not reached():  # noqa: ASYNC110
                await asyncio.sleep(0)


def command(number: int = 1, **members: Any) -> relay.CommandMessage:
    made = {
        "command_id": f"c-{number}",
        "attempt": 1,
        "operation": "issue",
        "key": f"{number:k>16}",
        "body": json.dumps({"n": number}),
        "remaining_ms": 19_000,
    }
    return relay.CommandMessage.model_validate(made | members)


async def test_what_comes_around_a_sleep_is_dropped_and_its_line_opened_anew() -> None:
    shop = Connected()
    async with shop.running():
        await shop.greeted()
        shop.door.may_answer.clear()
        shop.platform.says(command(1))
        await shop.until(lambda: shop.door.asked)
        shop.clock.machine_sleeps(60)
        shop.platform.says(command(2))
        await shop.greeted()
        shop.door.may_answer.set()
        shop.platform.says(command(3))
        answer = await shop.heard()
    assert isinstance(answer, relay.AnswerMessage)
    assert answer.command_id == "c-3"
    assert [json.loads(body)["n"] for _, _, body, _ in shop.door.asked] == [1, 3]


async def test_a_copy_that_takes_its_place_time_and_again_is_told_and_given_room() -> None:
    """Both computers are the same till to the platform, and would take turns without end."""
    shop = Connected()
    replaced = relay.RefusedMessage(code="replaced", reason="The same installation connected.")
    async with shop.running():
        for times in range(1, 8):
            await shop.greeted()
            status = shop.client.status
            assert (status.cloned_since is None) == (times <= relay_client.CLONED_AFTER), (
                "it stays told"
            )
            shop.platform.says(replaced)
            await shop.until(lambda n=times: len(shop.clock.pauses) == n)
    assert shop.client.status.cloned_since is not None
    once, *others = shop.clock.pauses
    assert relay_client.SLOW_PAUSE <= once <= 1.5 * relay_client.SLOW_PAUSE
    wanted = [300, 600, 1200, 2400, 3600, 3600]
    assert all(least <= one <= 1.5 * least for one, least in zip(others, wanted, strict=True))
    months = Connected()
    gone = relay_client.LineClosed("The same installation connected.", refusal="replaced")
    months.platform.refusals = [gone] * 1100
    async with months.running():
        await months.until(lambda: len(months.clock.pauses) == 1100)
    assert all(3600 <= one <= 1.5 * 3600 for one in months.clock.pauses[-100:])
