"""The server's side of public mode: the real local API behind a platform that the test plays."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from pos_app.domain.server_status import PublicModeState
from pos_app.local_api.relay_caller import may_be_relayed, relayed_by
from pos_app.local_api.relay_client import (
    AT_ONCE,
    CLONED_AFTER,
    FIRST_PAUSE,
    MOST_WAITING,
    SLOW_PAUSE,
    Line,
    LineClosed,
    RelayClient,
    RelayIdentity,
)
from pos_app.wire import relay
from tests.sweep import each

WHO = RelayIdentity("till-1", "install-1", "store-1", "Каса 1", "https://platform.example/v2")
WELCOME = relay.WelcomeMessage(account_id="a-1", heartbeat_seconds=20)


class Clock:
    """It moves when the client pauses between two tries, and by hand."""

    def __init__(self) -> None:
        self.at = datetime(2026, 11, 21, 8, tzinfo=UTC)
        self.second = 100.0
        self.pauses: list[float] = []

    def now(self) -> datetime:
        return self.at

    def seconds(self) -> float:
        return self.second

    def ticks(self) -> int:
        return int(self.second * 1000)

    def machine_sleeps(self, seconds: float) -> None:
        """The machine sleeps: the monotonic clock stands still."""
        self.at += timedelta(seconds=seconds)

    async def pause(self, milliseconds: int, *, until: asyncio.Event) -> None:
        if milliseconds == 1000:  # the tick
            await until.wait()
        self.pauses.append(milliseconds / 1000)
        self.at += timedelta(milliseconds=milliseconds)
        self.second += milliseconds / 1000
        await asyncio.sleep(0)


class Platform:
    """The other end of each line that is dialled. refusals: what the next tries end with."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[relay.FromApplication] = asyncio.Queue()
        self._said: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self.refusals: list[LineClosed] = []
        self.dialled = 0

    def says(self, message: relay.FromPlatform) -> None:
        self._said.put_nowait(relay.written(message))

    def says_plainly(self, frame: str | bytes | None) -> None:
        """None: the line is cut."""
        self._said.put_nowait(frame)

    @asynccontextmanager
    async def dial(self) -> AsyncIterator[Line]:
        self.dialled += 1
        if self.refusals:
            raise self.refusals.pop(0)
        self._said = asyncio.Queue()
        yield self
        self._said.put_nowait(None)

    async def send(self, frame: str) -> None:
        self.heard.put_nowait(relay.from_application(frame))

    async def receive(self) -> str | bytes:
        frame = await self._said.get()
        if frame is None:
            raise LineClosed("cut")
        return frame

    def beat_every(self, seconds: float) -> None:
        assert seconds == WELCOME.heartbeat_seconds

    async def close(self) -> None:
        self._said.put_nowait(None)


class Api:
    """An application that keeps what it is asked, and answers when it is let."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.left: list[bool] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, caller = Request(scope, receive), relayed_by(scope)
        assert caller is not None
        told = {"body": (await request.body()).decode(), "caller": caller}
        self.asked.append(told | {"path": scope["path"], "headers": dict(request.headers)})
        await self.may_answer.wait()
        self.left.append(await request.is_disconnected())
        caller.pdfs["r-1"] = b"%PDF"
        body = b'{"id":"r-1"}'
        start: Message = {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-length", str(len(body)).encode())],
        }
        await send(start)
        await send({"type": "http.response.body", "body": body, "more_body": False})


class Connected:
    def __init__(self) -> None:
        self.clock, self.platform, self.api = Clock(), Platform(), Api()
        self.client = RelayClient(identity=WHO, dial=self.platform.dial, clock=self.clock)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.client.run(self.api))
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


async def test_a_command_is_a_request_of_the_relay_s_own_origin() -> None:
    shop = Connected()
    async with shop.running():
        hello = await shop.heard()
        assert hello == relay.HelloMessage(
            version=1, client_id="till-1", install_id="install-1", store_id="store-1", name="Каса 1"
        )
        shop.platform.says(WELCOME)
        shop.platform.says(command(operation="refund", target="A/B-1", keyless=True))
        answer = await shop.heard()
    assert isinstance(answer, relay.AnswerMessage)
    assert (answer.command_id, answer.attempt, answer.status) == ("c-1", 1, 200)
    assert (answer.body, answer.pdf[0].decoded()) == ('{"id":"r-1"}', b"%PDF")
    (asked,) = shop.api.asked
    assert asked["path"] == "/fiscalization/receipts/A/B-1/refund"
    assert asked["headers"]["idempotency-key"] == f"{1:k>16}"
    caller = asked["caller"]
    assert (caller.origin, caller.keyless) == ("relay:a-1:till-1", True)
    assert caller.seconds_left == pytest.approx(19.0)


@each(
    ("method", "path", "allowed"),
    [
        ("POST", "/fiscalization/receipts", True),
        ("POST", "/fiscalization/receipts/A-1/refund", True),
        ("GET", "/fiscalization/receipts/key:abc", True),
        ("GET", "/fiscalization/receipts", False),
        ("POST", "/fiscalization/receipts/A-1", False),
        ("GET", "/till/status", False),
        ("POST", "/till/cancel", False),
        ("GET", "/pdf/secret", False),
        ("GET", "/health", False),
        ("DELETE", "/fiscalization/receipts/A-1", False),
    ],
)
def test_no_other_route_is_reached(method: str, path: str, allowed: bool) -> None:
    assert may_be_relayed(method, path) is allowed


async def test_what_comes_around_a_sleep_is_dropped_and_its_line_opened_anew() -> None:
    shop = Connected()
    async with shop.running():
        await shop.greeted()
        shop.api.may_answer.clear()
        shop.platform.says(command(1))
        await shop.until(lambda: shop.api.asked)
        shop.clock.machine_sleeps(60)
        shop.platform.says(command(2))
        await shop.greeted()
        shop.api.may_answer.set()
        shop.platform.says(command(3))
        answer = await shop.heard()
    assert isinstance(answer, relay.AnswerMessage)
    assert answer.command_id == "c-3"
    assert [json.loads(asked["body"])["n"] for asked in shop.api.asked] == [1, 3]


async def test_a_caller_whose_line_is_cut_is_seen_to_be_gone() -> None:
    """`Caller.waits` asks this before a receipt may be sent."""
    shop = Connected()
    received: list[Receive] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        received.append(receive)
        await asyncio.Event().wait()

    shop.api = app  # type: ignore[assignment]
    async with shop.running():
        await shop.greeted()
        shop.platform.says(command())
        await shop.until(lambda: received)
        request = Request({"type": "http"}, received[0])
        assert not await request.is_disconnected()
        shop.platform.says_plainly(None)
        await shop.greeted()
        assert await Request({"type": "http"}, received[0]).is_disconnected()


async def test_commands_that_can_t_be_begun_in_time_are_declined() -> None:
    shop = Connected()
    async with shop.running():
        await shop.greeted()
        shop.platform.says(command(1, remaining_ms=1_000))
        declined = await shop.heard()
        assert isinstance(declined, relay.DeclinedMessage)
        shop.api.may_answer.clear()
        for number in range(2, MOST_WAITING + 3):
            shop.platform.says(command(number))
        declined = await shop.heard()
        assert isinstance(declined, relay.DeclinedMessage)
        assert declined.command_id == f"c-{MOST_WAITING + 2}"
        assert len(shop.api.asked) == AT_ONCE
        shop.api.may_answer.set()
        for _ in range(MOST_WAITING):
            assert isinstance(await shop.heard(), relay.AnswerMessage)


async def test_a_refusal_is_told_in_words_and_tried_again_slowly() -> None:
    shop = Connected()
    wrong = LineClosed("The platform does not know this key.", refusal="credentials", slow=True)
    many = LineClosed("Fewer tries.", refusal="too_many", slow=True, at_least=300)
    shop.platform.refusals = [wrong, many]
    async with shop.running():
        await shop.greeted()
    slow, slower = shop.clock.pauses
    assert SLOW_PAUSE <= slow <= 1.5 * SLOW_PAUSE
    assert 300 <= slower <= 450


async def test_away_platforms_are_tried_again_with_longer_and_longer_pauses() -> None:
    shop = Connected()
    shop.platform.refusals = [LineClosed("Not there.") for _ in range(6)]
    async with shop.running():
        await shop.until(lambda: len(shop.clock.pauses) == 6)
    assert all(pause >= FIRST_PAUSE for pause in shop.clock.pauses)
    assert shop.clock.pauses[-1] > 4 * shop.clock.pauses[0]


async def test_a_copy_that_takes_its_place_time_and_again_is_told_and_given_room() -> None:
    """Both computers are the same till to the platform: without an end they would take turns."""
    shop = Connected()
    replaced = relay.RefusedMessage(code="replaced", reason="The same installation connected.")
    async with shop.running():
        for times in range(1, 8):
            await shop.greeted()
            status = shop.client.status
            assert (status.cloned_since is None) == (times <= CLONED_AFTER), "it stays told"
            shop.platform.says(replaced)
            await shop.until(lambda n=times: len(shop.clock.pauses) == n)
    assert shop.client.status.cloned_since is not None
    once, *others = shop.clock.pauses
    assert SLOW_PAUSE <= once <= 1.5 * SLOW_PAUSE
    wanted = [300, 600, 1200, 2400, 3600, 3600]
    assert all(least <= one <= 1.5 * least for one, least in zip(others, wanted, strict=True))


async def test_a_copy_that_takes_its_place_for_months_is_still_given_an_hour() -> None:
    shop = Connected()
    replaced = LineClosed("The same installation connected.", refusal="replaced")
    shop.platform.refusals = [replaced] * 1100
    async with shop.running():
        await shop.until(lambda: len(shop.clock.pauses) == 1100)
    assert all(3600 <= one <= 1.5 * 3600 for one in shop.clock.pauses[-100:])


async def test_what_the_platform_tells_is_shown() -> None:
    shop = Connected()
    async with shop.running():
        await shop.greeted()
        told = relay.NoticeMessage(code="taken", reason="Another was refused.", name="Каса 3")
        shop.platform.says(told)
        await shop.until(lambda: shop.client.status.newcomer is not None)
        first = shop.client.status.newcomer
        shop.clock.at += timedelta(minutes=1)
        shop.clock.second += 60
        shop.platform.says(told)  # it tries again every minute
        shop.platform.refusals = [LineClosed("Not there.")] * 2
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
    assert first is not None
    assert (first.code, first.name, first.words) == ("taken", "Каса 3", "Another was refused.")


@each("frame", ["", "{}", b"\x00", relay.written(WELCOME), relay.written(command())[:-9]])
async def test_what_is_no_message_in_turn_ends_the_line(frame: str | bytes) -> None:
    shop = Connected()
    async with shop.running():
        await shop.greeted()
        shop.platform.says_plainly(frame)
        await shop.greeted()
    assert shop.platform.dialled == 2
    assert not shop.api.asked
