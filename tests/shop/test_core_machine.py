"""A whole shop without its window, on virtual time: people and other programs sell, and fate plays.

Each history opens a till, a server and a processor. At its end every fault stops, and each wish has
exactly one receipt.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager, suppress
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import httpx
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule, run_state_machine_as_test

from pos_app.adapters.http_exchange import AnswerLost, HttpExchange, NotConnected
from pos_app.adapters.pdf import typeface
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.reports import ReportAsked
from pos_app.domain.receipt.server_status import ReceiptInDoubt
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import RemoteError
from pos_app.fiscalization.refusals import ACT_UNKNOWN
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.selling.sale.state import SaleState
from pos_app.wire.strict_json import dumps, loads
from tests.fakes.power import recorded
from tests.fakes.virtual_time import InlineLoop, VirtualClock
from tests.proofs import Proof
from tests.shop import world as shop
from tests.shop.ledger import (
    Fault,
    Judge,
    given_back_once,
    referent_of,
    turnover,
    waits_for_a_person,
)
from tests.shop.lines import FATES_OF_PROCESSOR, Fate, connection
from tests.shop.name_acts import ELSEWHERE, NameActs
from tests.shop.office_acts import ALL_DAYS, OfficeActs
from tests.shop.paper import addresses_of
from tests.sweep import examples

MANAGER = "Ана"
STEPS = 60
"""The most acts of a history. One of 60 acts sells five times as much as one of 25, in twice the
time."""
REST_SECONDS = 3_000.0
SALE = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": Decimal("58.99")}],
    "receiptDelivery": {"pdf": False},
}
OTHER_SALE = SALE | {"payments": {"cash": 300}}
PAUSES = st.sampled_from((0.0, 0.01, 0.2, 1.0, 5.0, 60.0, 600.0))
RATES = st.sampled_from((0.0, 0.0, 0.1, 0.4, 1.0))
LARGEST, DAY = 1 << 20, 86_400


class ShopClock(VirtualClock):
    """It tells the time of its loop to those who work outside of it, too."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._loop = loop

    def seconds(self) -> float:
        return self._loop.time()


@cache
def _template() -> tuple[tempfile.TemporaryDirectory[str], Path]:
    made = tempfile.TemporaryDirectory(prefix="shop-")
    return made, shop.make_template(Path(made.name) / "new", from_platform=True)


_read_font = cache(typeface._read_font)  # noqa: SLF001 - each server would read the same files


class OneShop(OfficeActs):
    """What people who sell, other programs and fate do to one shop."""

    proof = Proof("histories", "machines")
    """The counts of all histories."""

    def __init__(self) -> None:
        super().__init__()
        self.judge = Judge(proof=self.proof)
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
        clock = ShopClock(loop)
        shutil.copytree(template, self.folder, dirs_exist_ok=True)
        self.world = shop.World(self.folder, clock=clock, server_clock=clock, dice=self._fate)
        patch = self.until_closed.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(typeface, "_read_font", _read_font)
        self.world.disk = self.until_closed.enter_context(recorded())
        self.world.disk.elsewhere = self.folder / ELSEWHERE
        self.run(self._open())

    async def _open(self) -> None:
        self.world.open_processor()
        await self.world.open_server()
        await self._open_till()

    async def _open_till(self) -> None:
        self.world.open_till()
        self.world.start_outbox()

    def _fate(self, method: str) -> Fate | None:
        if self.random.random() >= self.rate:
            return None
        return self.random.choice(FATES_OF_PROCESSOR)

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        done = self.runner.run(work)
        self.judge.hear()
        return done

    # --- people and other programs ---------------------------------------------------------------

    @rule()
    def other_program_sells(self) -> None:
        self.keys.append(f"{len(self.keys):032x}")
        self.run(self._call(self.keys[-1]))

    @rule(number=st.integers(0, 99), is_other=st.booleans())
    def other_program_asks_again(self, number: int, is_other: bool) -> None:
        """is_other: by mistake it sends another sale under the key."""
        if self.keys:
            self.run(self._call(self.keys[number % len(self.keys)], is_other=is_other))

    async def _call(self, key: str, *, is_other: bool = False) -> None:
        """Send a sale once under its key; note what was told. Another sale is sent only where the
        first one arrived for certain: else the key would be that sale's."""
        body = OTHER_SALE if is_other and key in self.judge.called else SALE
        exchange = connection(self.world.call(self.world.server))
        try:
            answer = await _asked(exchange, key, body)
        finally:
            await exchange.close()
        if answer is not None and answer[0] == httpx.codes.OK:
            if body is OTHER_SALE:
                raise Fault(f"another sale under a used key was told {answer[1]}")
            told = answer[1]["invoiceNumber"]
            assert self.judge.called.setdefault(key, told) == told

    @rule()
    def manager_answers(self) -> None:
        self.run(self._answer())

    async def _answer(self) -> None:
        """Answer what is asked, and note about which sales a person goes on being asked."""
        with suppress(RemoteError):
            doubts = await self.core.doubts.doubts()
            self.judge.asked.clear()
            for doubt in doubts:
                if doubt.state == RequestState.NEEDS_HUMAN and not await self._is_answered(doubt):
                    self.judge.asked.add(str(doubt.key))

    async def _is_answered(self, doubt: ReceiptInDoubt) -> bool:
        """Show the paper: of the receipt itself, or of what was done with that on which it acts.
        Where there is none, say so."""
        papers = self._papers(doubt)
        for address in papers:
            with suppress(RemoteError):
                await self.core.doubts.declare_found(
                    doubt.receipt_id, verification_url=address, by=MANAGER
                )
                return True
        if not papers:
            with suppress(RemoteError):
                await self.core.doubts.declare_absent(doubt.receipt_id, by=MANAGER)
                return True
        return False

    def _papers(self, doubt: ReceiptInDoubt) -> list[str]:
        """The addresses of receipts that no sale was told, and that may be the asked one."""
        known = {one.receipt.fiscal_number for one in self.all_sales() if one.receipt is not None}
        known |= set(self.judge.called.values())
        addresses = addresses_of(self.world.ledger)
        return [
            addresses[one.number]
            for one in read_entries(self.world.ledger)
            if one.number not in known
            and (
                referent_of(json.loads(one.request))
                if doubt.code == ACT_UNKNOWN
                else doubt.total is not None and one.total == doubt.total.amount
            )
        ]

    # --- fate ------------------------------------------------------------------------------------

    @rule(seconds=PAUSES)
    def time_passes(self, seconds: float) -> None:
        self.run(asyncio.sleep(seconds))

    @rule(rate=RATES)
    def weather(self, rate: float) -> None:
        self.rate = rate

    @rule(is_open=st.booleans(), whose=st.sampled_from(("server", "processor")))
    def goes_away_or_comes_back(self, is_open: bool, whose: str) -> None:
        getattr(self.world, whose).is_open = is_open
        if self.world.server.is_open:
            self.run(self.world.start_server_again())

    def killed(self, *works: Awaitable[Any]) -> None:
        """Kill a program and open it again; then the till knows of the sales of which it knew."""

        async def act() -> None:
            self.judge.killed(self.all_sales())
            for work in works:
                await work

        self.run(act())
        self.judge.compare(self.all_sales())

    @rule(pause=st.sampled_from((0.0, 3.0)))
    def server_is_killed(self, pause: float) -> None:
        world = self.world
        self.killed(world.close_server(is_killed=True), asyncio.sleep(pause), world.open_server())

    @rule()
    def till_is_killed(self) -> None:
        self.killed(self.world.kill_till(), self._open_till())

    @rule()
    def power_is_cut(self) -> None:
        self.killed(self.world.cut_power(self.random), self._open())

    @rule(seconds=st.sampled_from((-3600, 3600, DAY, DAY)))
    def clock_is_set(self, seconds: int) -> None:
        """By a person; or the machine slept for a day."""
        assert isinstance(self.world.clock, VirtualClock)
        self.world.clock.jump(seconds)

    # --- at rest ---------------------------------------------------------------------------------

    async def _rest(self) -> None:
        self.rate = 0.0
        self.world.server.is_open = self.world.processor.is_open = True
        await self.world.start_server_again()
        loop = asyncio.get_running_loop()
        began = loop.time()
        end = began + REST_SECONDS
        while loop.time() < end:
            await self._answer()
            for key in self.keys:
                if key not in self.judge.called:
                    await self._call(key)
            are_told = len(self.judge.called) == len(self.keys)
            if are_told and all(map(self.judge.has_ended, self.all_sales())):
                if loop.time() > began:
                    self.judge.proof.recovered.append(loop.time() - began)
                return
            await asyncio.sleep(1.0)
        if len(self.judge.called) < len(self.keys):
            raise Fault("another program gets no answer", "stuck")

    async def _judge_report(self) -> None:
        """Compare the report of all days with what was signed, unless a person is still asked
        whether a sale was."""
        if not all(map(waits_for_a_person, self.all_sales())):
            return
        for grouping, sums in turnover(self.world.ledger).items():
            told = await self.reported(ReportAsked(grouping, *ALL_DAYS))
            assert told is not None
            found = {one.key: one.net for one in told.rows if one.net}
            if found != sums:
                raise Fault(f"the report has {found} by {grouping}, and {sums} was signed")

    def judge_all(self) -> None:
        """Let all that is under way end, and judge."""
        self.run(self._rest())
        self.rest_of_drawer()
        self.run(self.rest_of_papers())
        self.run(self._judge_report())
        self.rest_of_office()
        self.judge.judge(self.all_sales(), self.world.ledger)

    def teardown(self) -> None:
        if not hasattr(self, "world"):
            return
        try:
            self.judge_all()
        except Fault as fault:
            fault.count(self.proof)
            raise
        finally:
            if self.world.platform.is_open:
                self.world.platform.close()
            self.runner.run(self.world.close())
            shutil.rmtree(self.folder, ignore_errors=True)
            self.until_closed.close()


S = TypeVar("S", bound=OneShop)


class AnyShop(NameActs, OneShop):
    """Such a shop, whose articles are changed at the till and at its platform."""

    def judge_all(self) -> None:
        super().judge_all()
        self.rest_of_catalogues()


async def _asked(exchange: HttpExchange, key: str, body: dict[str, Any]) -> tuple[int, Any] | None:
    headers = {"Content-Type": "application/json", "Idempotency-Key": key}
    try:
        answer = await exchange.ask(
            "POST", "/fiscalization/receipts", largest=LARGEST, headers=headers, body=dumps(body)
        )
    except (NotConnected, AnswerLost):
        return None
    return answer.status, loads(answer.content)


@pytest.mark.hypothesis
@pytest.mark.deadline(240)
def test_histories_of_a_shop(proof: Proof) -> None:
    AnyShop.proof = proof
    many = settings(max_examples=examples(160, share=16), stateful_step_count=STEPS)
    run_state_machine_as_test(AnyShop, settings=many)


@contextmanager
def opened(machine: S) -> Iterator[S]:
    machine.open(seed=1)
    try:
        yield machine
    finally:
        machine.teardown()


def test_a_paper_too_many_and_one_too_few_are_told() -> None:
    with opened(AnyShop()) as machine:
        machine.sells([shop.BREAD], method="cash", advance=False, pause=60.0, paper="printed")
        came_out = machine.world.papers.device.printed
        paper = list(came_out)
        for papers, told in ((2 * paper, "came out 2 times"), ([], "never came out")):
            came_out[:] = papers
            with pytest.raises(Fault, match=told):
                machine.run(machine.rest_of_papers())
        came_out += paper


def test_a_held_cart_outlives_a_power_cut() -> None:
    with opened(AnyShop()) as machine:
        for name in ("Сто 4", "", "Мира"):
            machine.cart_is_held([shop.BREAD], name=name)
            machine.power_is_cut()
            machine.rest_of_carts()


def test_a_price_that_is_put_back_after_a_cut_run_stays() -> None:
    """The run ended after the platform took the first change, and before its answer came."""
    with opened(AnyShop()) as machine:
        machine.synchronises((), ends_after=0)
        machine.manager_changes_a_price(1, Money("473.72"))
        machine.synchronises((), ends_after=5)
        machine.manager_changes_a_price(1, Money("101.00"))


def test_a_change_that_was_cut_reaches_what_came_back_meanwhile() -> None:
    with opened(AnyShop()) as machine:
        machine.synchronises((), ends_after=0)
        machine.manager_adds(Money("250.00"))
        machine.manager_changes_all_prices("10", ends_after=1)
        machine.manager_deletes(-1)
        assert machine.last_deleted is not None
        machine.deletion_is_taken_back()
        assert machine.last_deleted is None


def test_each_act_on_money_makes_its_document() -> None:
    """The dice would not notice an act that never does anything."""
    with opened(AnyShop()) as machine:
        for advance in (False, True, True):
            machine.sells([shop.BREAD, shop.MILK], method="notes", advance=advance, pause=0.0)
        machine.time_passes(60.0)
        machine.advance_is_paid(0, method="cash", whole=False)
        machine.time_passes(60.0)
        machine.advance_is_paid(0, method="cash", whole=True)
        machine.refunds(3, part=True, method="cash")
        machine.copies(0)
        machine.time_passes(60.0)
        machine.shift_ends(100)
        kinds = {(one.operation, one.state) for one in machine.all_sales()}
        assert kinds == {(one, SaleState.DONE) for one in Operation}


class RestoredShop(OneShop):
    """A shop whose journal, or journal and till, are put back from a copy while people go on.

    They act on receipts that the copy does not know, and on those that were acted on since. A
    manager answers what is asked by looking at the papers. Nothing is signed or given back twice.
    """

    def __init__(self) -> None:
        super().__init__()
        self.has_copy = False
        self.copied = dict[str, Decimal]()
        self.acted_on = ""
        self.judge.expected = (
            "the journal is another one than before",
            "the journal lacks what a till remembers",
        )

    @rule()
    def copy_is_made(self) -> None:
        self.world.make_copy()
        self.has_copy, self.copied = True, dict(self.came_in)

    @precondition(lambda self: self.has_copy)
    @rule(with_till=st.booleans())
    def copy_is_put_back(self, with_till: bool) -> None:
        async def act() -> None:
            self.judge.killed(self.all_sales())
            await self.world.put_back(with_till=with_till)
            await self.world.open_server()
            self.world.open_till()
            self.world.start_outbox()

        self.run(act())
        known = {one.key for one in self.all_sales()}
        if with_till:
            self.came_in = defaultdict(Decimal, self.copied)
        self.judge.wishes = {key: words for key, words in self.judge.wishes.items() if key in known}

    async def _seen(self, number: int) -> ReceiptOverview | None:
        seen = await super()._seen(number)
        if seen is not None:
            self.acted_on = seen.number
        return seen

    @precondition(lambda self: self.has_copy)
    @rule(method=st.sampled_from((None, "cash")))
    def receipt_acted_on_last_is_refunded(self, method: str | None) -> None:
        """A person has its paper in hand, and does not remember that it was refunded."""
        done = [one.receipt for one in self.all_sales() if one.receipt is not None]
        for number, receipt in enumerate(done):
            if receipt.fiscal_number == self.acted_on:
                self.refunds(number, part=False, method=method)
                return

    # --- at rest ---------------------------------------------------------------------------------

    def judge_all(self) -> None:
        self.run(self._rest())
        given_back_once(self.world.ledger)
        self.rest_of_collected()
        self.judge.judge_told(self.all_sales(), self.world.ledger)


@pytest.mark.hypothesis
@pytest.mark.deadline(240)
def test_histories_with_restores(proof: Proof) -> None:
    RestoredShop.proof = proof
    many = settings(max_examples=examples(60, share=15), stateful_step_count=25)
    run_state_machine_as_test(RestoredShop, settings=many)
