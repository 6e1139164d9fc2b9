"""A whole shop without its window, on virtual time: people and other programs sell, and fate plays.

Each history opens a till, a server and a processor. At its end every fault stops, and each wish has
exactly one receipt.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from pos_app.adapters.http_exchange import AnswerLost, HttpExchange, NotConnected
from pos_app.wire.strict_json import dumps, loads
from tests.fakes.virtual_time import VirtualClock, VirtualLoop
from tests.shop import world as shop
from tests.shop.counter import sell_one
from tests.shop.ledger import MOST_SALES, Judge, waits_for_a_person
from tests.shop.lines import FATES_OF_PROCESSOR, Fate, connection
from tests.sweep import examples

REST_SECONDS = 3_000.0
SALE = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": Decimal("58.99")}],
    "receiptDelivery": {"pdf": False},
}
CODES = st.lists(st.sampled_from((shop.BREAD, shop.MILK)), min_size=1, max_size=3)
PAUSES = st.sampled_from((0.0, 0.01, 0.2, 1.0, 5.0, 60.0, 600.0))
RATES = st.sampled_from((0.0, 0.0, 0.1, 0.4, 1.0))
LARGEST = 1 << 20


class InlineLoop(VirtualLoop):
    """Virtual time in which a thread's work is done at once."""

    def run_in_executor(  # type: ignore[override]  # its types are newer than 3.11
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> Any:
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - the caller gets it, as from a thread
            done.set_exception(error)
        return done


@cache
def _template() -> tuple[tempfile.TemporaryDirectory[str], Path]:
    made = tempfile.TemporaryDirectory(prefix="shop-")
    return made, shop.make_template(Path(made.name) / "new")


class AnyShop(RuleBasedStateMachine):
    """What people, other programs and fate do to one shop."""

    def __init__(self) -> None:
        super().__init__()
        self.judge = Judge()
        self.keys: list[str] = []
        self.until_closed = ExitStack()

    @initialize(seed=st.integers(0, 1 << 16))
    def open(self, seed: int) -> None:
        folder, template = _template()
        self.folder = Path(tempfile.mkdtemp(dir=folder.name))
        self.random, self.rate = Random(seed), 0.0
        self.runner = self.until_closed.enter_context(asyncio.Runner(loop_factory=InlineLoop))
        loop = self.runner.get_loop()
        self.until_closed.enter_context(self.judge.listening(loop))
        clock = VirtualClock()
        shutil.copytree(template, self.folder, dirs_exist_ok=True)
        self.world = shop.World(self.folder, clock=clock, server_clock=clock, dice=self._fate)
        self._run(self._open())

    async def _open(self) -> None:
        self.world.open_processor()
        await self.world.open_server()
        self.world.open_till()
        self.world.start_outbox()

    def _fate(self, method: str) -> Fate | None:
        if self.random.random() >= self.rate:
            return None
        return self.random.choice(FATES_OF_PROCESSOR)

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        done = self.runner.run(work)
        self.judge.hear()
        return done

    # --- people and other programs ---------------------------------------------------------------

    @rule(codes=CODES)
    def sells(self, codes: list[str]) -> None:
        async def act() -> None:
            self.judge.wishes[sell_one(self.world, *codes)] = "a sale"

        self._run(act())

    @rule()
    def other_program_sells(self) -> None:
        self.keys.append(f"{len(self.keys):032x}")
        self._run(self._call(self.keys[-1]))

    @rule(number=st.integers(0, 99))
    def other_program_asks_again(self, number: int) -> None:
        if self.keys:
            self._run(self._call(self.keys[number % len(self.keys)]))

    async def _call(self, key: str) -> None:
        """Send a sale once under its key; note what was told."""
        line = self.world.call(self.world.server)
        exchange = connection(line)
        try:
            answer = await _asked(exchange, key)
        finally:
            await exchange.close()
        if answer is not None and answer[0] == httpx.codes.OK:
            told = answer[1]["invoiceNumber"]
            assert self.judge.called.setdefault(key, told) == told

    # --- fate ------------------------------------------------------------------------------------

    @rule(seconds=PAUSES)
    def time_passes(self, seconds: float) -> None:
        self._run(asyncio.sleep(seconds))

    @rule(rate=RATES)
    def weather(self, rate: float) -> None:
        self.rate = rate

    @rule(is_open=st.booleans(), whose=st.sampled_from(("server", "processor")))
    def goes_away_or_comes_back(self, is_open: bool, whose: str) -> None:
        getattr(self.world, whose).is_open = is_open

    @rule(pause=st.sampled_from((0.0, 3.0)))
    def server_is_killed(self, pause: float) -> None:
        async def act() -> None:
            await self.world.close_server(is_killed=True)
            await asyncio.sleep(pause)
            await self.world.open_server()

        self._run(act())

    @rule()
    def till_is_killed(self) -> None:
        async def act() -> None:
            await self.world.close_till(kept=self.world.till_files())
            self.world.open_till()
            self.world.start_outbox()

        self._run(act())
        self.judge.compare(self._sales())

    @rule(seconds=st.sampled_from((-3600, 3600)))
    def clock_is_set(self, seconds: int) -> None:
        assert isinstance(self.world.clock, VirtualClock)
        self.world.clock.jump(seconds)

    # --- at rest ---------------------------------------------------------------------------------

    def _sales(self) -> Any:
        assert self.world.core is not None
        return self.world.core.database.sales.last(MOST_SALES)

    async def _rest(self) -> None:
        self.rate = 0.0
        self.world.server.is_open = self.world.processor.is_open = True
        loop = asyncio.get_running_loop()
        end = loop.time() + REST_SECONDS
        while loop.time() < end:
            for key in self.keys:
                if key not in self.judge.called:
                    await self._call(key)
            are_told = len(self.judge.called) == len(self.keys)
            if are_told and all(waits_for_a_person(one) for one in self._sales()):
                return
            await asyncio.sleep(1.0)
        assert len(self.judge.called) == len(self.keys), "another program gets no answer"

    def teardown(self) -> None:
        try:
            if hasattr(self, "world"):
                self._run(self._rest())
                self.judge.judge(self._sales(), self.world.ledger)
        finally:
            if hasattr(self, "world"):
                self.runner.run(self.world.close())
                shutil.rmtree(self.folder, ignore_errors=True)
            self.until_closed.close()


async def _asked(exchange: HttpExchange, key: str) -> tuple[int, Any] | None:
    headers = {"Content-Type": "application/json", "Idempotency-Key": key}
    try:
        answer = await exchange.ask(
            "POST", "/fiscalization/receipts", largest=LARGEST, headers=headers, body=dumps(SALE)
        )
    except (NotConnected, AnswerLost):
        return None
    return answer.status, loads(answer.content)


AnyShop.TestCase.settings = settings(max_examples=examples(160), stateful_step_count=25)
TestAnyShop = pytest.mark.deadline(240)(AnyShop.TestCase)
