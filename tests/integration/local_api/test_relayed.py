"""The server's side of public mode: the real local API behind a platform that the test plays."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import PublicModeState
from pos_app.fiscalization.service import Caller
from pos_app.local_api import relay_client
from pos_app.local_api.receipt_door import ReceiptAnswer, ReceiptDoor
from pos_app.local_api.receipt_response import AnswerFiles
from pos_app.wire import relay
from tests.fakes.till_clock import StandingClock
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import running
from tests.sweep import each

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

    def says_plainly(self, frame: str | bytes | None) -> None:
        self._said.put_nowait(frame)

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


async def test_a_caller_whose_line_is_cut_is_seen_to_be_gone() -> None:
    """`Caller.waits` asks this before a receipt may be sent."""
    shop = Connected()
    shop.door.may_answer.clear()
    async with shop.running():
        await shop.greeted()
        shop.platform.says(command())
        await shop.until(lambda: shop.door.asked)
        caller = shop.door.asked[0][3]
        assert await caller.waits()
        shop.platform.says_plainly(None)
        await shop.greeted()
        assert not await caller.waits()


async def test_another_key_that_the_platform_made_is_another_sale(folder: Path) -> None:
    """The platform alone knows who was answered, so it decides what is a repetition."""
    async with running(folder) as server:
        shop = Connected(server.door)
        sale = json.dumps(SALE)
        async with shop.running():
            await shop.greeted()
            assert await shop.answered(command(1, has_new_key=True, body=sale)) == 200
            shop.platform.cuts_answers = True
            shop.platform.says(command(2, has_new_key=True, body=sale))
            await shop.until(lambda: shop.platform.cut)
            shop.platform.cuts_answers = False
            shop.platform.says_plainly(None)
            await shop.greeted()
            assert await shop.answered(command(3, has_new_key=True, body=sale)) == 200
            assert len(server.shop.ledger()) == 3
            large = '"' + "\u0416" * (relay.MOST_BODY - 2) + '"'
            assert [
                await shop.answered(command(4, body=large)),
                await shop.answered(command(5, operation="copy", target="none", body="{}")),
                await shop.answered(command(6, operation="look_up", target="none")),
                await shop.answered(command(7, body="{")),
            ] == [413, 404, 404, 400]


async def test_commands_that_can_t_be_begun_in_time_are_declined() -> None:
    shop = Connected()
    async with shop.running():
        await shop.greeted()
        shop.platform.says(command(1, remaining_ms=1_000))
        declined = await shop.heard()
        assert isinstance(declined, relay.DeclinedMessage)
        shop.door.may_answer.clear()
        for number in range(2, relay_client.MOST_WAITING + 3):
            shop.platform.says(command(number))
        declined = await shop.heard()
        assert isinstance(declined, relay.DeclinedMessage)
        assert declined.command_id == f"c-{relay_client.MOST_WAITING + 2}"
        assert len(shop.door.asked) == relay_client.AT_ONCE
        shop.door.may_answer.set()
        for _ in range(relay_client.MOST_WAITING):
            assert isinstance(await shop.heard(), relay.AnswerMessage)


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


async def test_what_the_platform_tells_is_shown() -> None:
    shop = Connected()
    async with shop.running():
        await shop.greeted()
        told = relay.NoticeMessage(code="taken", reason="Another was refused.", name="Каса 3")
        shop.platform.says(told)
        await shop.until(lambda: shop.client.status.newcomer is not None)
        first = shop.client.status.newcomer
        shop.clock.go_on(60_000)
        shop.platform.says(told)  # the newcomer tries again every minute
        shop.platform.refusals = [relay_client.LineClosed("Not there.")] * 2
        shop.platform.says(
            relay.RefusedMessage(code="taken", reason="Another is open.", name="Каса 2")
        )
        await shop.until(lambda: shop.client.status.state is PublicModeState.REFUSED)
        status = shop.client.status
        assert (status.code, status.words, status.by) == ("taken", "Another is open.", "Каса 2")
        assert (status.newcomer, status.client_id) == (first, "till-1")
        await shop.greeted()
        await shop.until(lambda: shop.client.status.state is PublicModeState.CONNECTED)
        assert (shop.client.status.newcomer, shop.client.status.by) == (None, ""), "a new welcome"
    assert (first.code, first.name, first.words) == ("taken", "Каса 3", "Another was refused.")


@each("frame", ["", "{}", b"\x00", relay.written(WELCOME), relay.written(command())[:-9]])
async def test_what_is_no_message_in_turn_ends_the_line(frame: str | bytes) -> None:
    shop = Connected()
    async with shop.running():
        await shop.greeted()
        shop.platform.says_plainly(frame)
        await shop.greeted()
    assert shop.platform.dialled == 2
    assert not shop.door.asked


async def test_refusals_and_platforms_that_are_away_are_tried_again_more_and_more_slowly() -> None:
    shop = Connected()
    wrong = relay_client.LineClosed(
        "The platform does not know this key.", refusal="credentials", slow=True
    )
    many = relay_client.LineClosed("Fewer tries.", refusal="too_many", slow=True, at_least=300)
    shop.platform.refusals = [wrong, many]
    async with shop.running():
        await shop.greeted()
    slow, slower = shop.clock.pauses
    assert relay_client.SLOW_PAUSE <= slow <= 1.5 * relay_client.SLOW_PAUSE
    assert 300 <= slower <= 450
    away = Connected()
    away.platform.refusals = [relay_client.LineClosed("Not there.") for _ in range(6)]
    async with away.running():
        await away.until(lambda: len(away.clock.pauses) == 6)
    assert all(pause >= relay_client.FIRST_PAUSE for pause in away.clock.pauses)
    assert away.clock.pauses[-1] > 4 * away.clock.pauses[0]
