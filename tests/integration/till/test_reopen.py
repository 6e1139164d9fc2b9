"""Random acts at the counter: nothing is lost, and a reopened till shows the same cart."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pos_app.adapters.sqlite.till import till as till_module
from pos_app.adapters.sqlite.till.till import open_till
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity
from pos_app.errors import Invalid, MachineError, NotAllowed, NotFound
from pos_app.selling.catalogue.catalogue import FoundArticle
from pos_app.selling.sale import sell
from pos_app.selling.sale.checkout import confirm, exact_card
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.scan import taken_by
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes import faulty_disk, till
from tests.fakes.counter import Counter
from tests.fakes.inner_connection import connection_of
from tests.fakes.power import Disk, recorded
from tests.fakes.ready_tables import open_ready
from tests.fakes.till import BREAD, CASHIER, MILK, till_of
from tests.fakes.till_clock import StandingClock
from tests.proofs import Proof
from tests.sweep import examples

AMOUNTS = st.integers(0, 100_000).map(lambda para: Money(Decimal(para).scaleb(-2)))
QUANTITIES = st.integers(1, 20_000).map(lambda thousandth: Quantity(Decimal(thousandth).scaleb(-3)))
PERCENTS = st.integers(1, 1_000_000).map(lambda value: Percent(Decimal(value).scaleb(-4)))
LINES = st.integers(1, 6)


class AtTheCounter(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.disk = TemporaryDirectory()
        self.clock = StandingClock()
        self.database = open_ready(Path(self.disk.name))
        self.till = till.till_of(self.database.carts, self.clock)
        self.frozen: dict[str, Money] = {}
        self.held = 0
        self.starts = 0

    @initialize()
    def opens(self) -> None:
        self.ticket = sell.start(till=self.till, cashier=till.CASHIER)

    @rule(article=st.sampled_from([till.BREAD, till.MILK, till.BANANA]), quantity=QUANTITIES)
    def adds(self, article, quantity) -> None:  # type: ignore[no-untyped-def]
        before = self.ticket.cart
        try:
            added = sell.add_item(
                till=self.till, ticket=self.ticket, article=article, quantity=quantity
            )
        except Invalid:
            return
        self.ticket = added.ticket
        sold = sum(line.quantity.amount for line in self.ticket.cart.active)
        assert sold == sum(line.quantity.amount for line in before.active) + quantity.amount

    @rule(total=AMOUNTS)
    def adds_by_label(self, total: Money) -> None:
        try:
            added = sell.add_for_total(
                till=self.till, ticket=self.ticket, article=till.BANANA, total=total
            )
        except Invalid:
            return
        self.ticket = added.ticket

    @rule(
        act=st.sampled_from(["quantity", "price", "discount", "remove", "put_back"]),
        line=LINES,
        quantity=QUANTITIES,
        price=AMOUNTS,
        discount=st.none() | PERCENTS | AMOUNTS,
    )
    def changes(self, act, line, quantity, price, discount) -> None:  # type: ignore[no-untyped-def]
        at = {"till": self.till, "ticket": self.ticket, "line_id": line}
        try:
            match act:
                case "quantity":
                    self.ticket = sell.change_quantity(**at, quantity=quantity)
                case "price":
                    self.ticket = sell.change_price(**at, price=price)
                case "discount":
                    self.ticket = sell.discount_line(**at, discount=discount)
                case "remove":
                    self.ticket = sell.remove_line(**at)
                case "put_back":
                    self.ticket = sell.put_back(**at)
        except (NotFound, NotAllowed, Invalid):
            return

    @rule(discount=st.none() | AMOUNTS | PERCENTS)
    def discounts(self, discount) -> None:  # type: ignore[no-untyped-def]
        try:
            self.ticket = sell.discount_receipt(
                till=self.till, ticket=self.ticket, discount=discount
            )
        except Invalid:
            return

    @rule(article=st.sampled_from([till.BREAD, till.MILK, till.BANANA]))
    def takes_off(self, article) -> None:  # type: ignore[no-untyped-def]
        try:
            taken = taken_by(self.ticket.cart, FoundArticle(article), None)
            self.ticket = sell.take_off(till=self.till, ticket=self.ticket, taken=taken)
        except NotFound:
            return

    @rule(kind=st.sampled_from([DocumentKind.SALE, DocumentKind.PROFORMA]))
    def becomes(self, kind: DocumentKind) -> None:
        self.ticket = sell.set_kind(
            till=self.till, ticket=self.ticket, kind=kind, cashier=till.CASHIER
        )

    @rule()
    def holds(self) -> None:
        if not self.ticket.cart.is_empty:
            self.ticket = sell.suspend(till=self.till, ticket=self.ticket)
            self.held += 1

    @rule()
    def recalls(self) -> None:
        waiting = sell.suspended(till=self.till)
        if waiting:
            self.held -= self.ticket.cart.is_empty
            self.ticket = sell.recall(till=self.till, ticket=self.ticket, cart_id=waiting[0].id)

    @rule()
    def pays(self) -> None:
        if self.ticket.cart.total > Money.ZERO:
            done = confirm(
                till=self.till,
                ticket=self.ticket,
                tendered=exact_card(self.ticket.cart.total),
                receipt_details=till.ON_PAPER,
                cashier=till.CASHIER,
                in_whole_dinars=True,
            )
            self.frozen[self.ticket.key] = self.ticket.cart.total
            self.ticket = done.ticket

    @rule()
    def restarts(self) -> None:
        self.database.close()
        self.database = open_till(Path(self.disk.name), till_id="till-1")
        self.starts += 1
        self.till = till.till_of(self.database.carts, self.clock, first_key=self.starts * 1_000)
        found = sell.start(till=self.till, cashier=till.CASHIER)
        left = replace(self.ticket, emptied=None)  # the program's end forgets what can be put back
        assert replace(found, key=left.key) == left, "only its key is of this start"
        self.ticket = found

    @invariant()
    def what_is_shown_is_what_is_stored(self) -> None:
        stored = self.database.carts.open_cart(training=False)
        assert stored == replace(self.ticket, emptied=None)
        assert len(sell.suspended(till=self.till)) == self.held

    @invariant()
    def lines_add_up(self) -> None:
        cart = self.ticket.cart
        assert Money.total(cart.totals) == cart.total >= Money.ZERO
        assert Money.total(item.total or Money.ZERO for item in cart.items()) == cart.total

    @invariant()
    def every_confirmed_sale_is_there_once(self) -> None:
        sales = self.database.sales.last(1_000)
        assert {sale.key: sale.total for sale in sales} == self.frozen
        assert sorted(sale.sequence for sale in sales) == list(range(1, len(sales) + 1))

    def teardown(self) -> None:
        self.database.close()
        self.disk.cleanup()


AtTheCounter.TestCase.settings = settings(max_examples=examples(40), stateful_step_count=40)


# --- the power is cut at any write, and the n-th access fails once ---
TILL = "till-1"
CUTS = 60
"""The number of cuts for each fifty of `--times`."""


@pytest.fixture
def disk() -> Iterator[Disk]:
    with recorded() as made:
        yield made


@dataclass(frozen=True)
class Promise:
    """From this step on the sale is there, in this state or a later one, with that many lines."""

    step: int
    key: str
    state: SaleState
    lines: int


def a_day(folder: Path, disk: Disk) -> list[Promise]:
    """Sell one to five items at a time, some sales sent before the next; return the promises."""
    database = open_till(folder, till_id=TILL)
    counter = Counter(database)
    promises: list[Promise] = []
    counter.outbox.listen(
        on_sale=lambda sale: promises.append(Promise(len(disk.steps), sale.key, sale.state, 0))
    )
    for number in range(1, 9):
        ticket = sell.start(till=counter.till, cashier=CASHIER)
        for article in [MILK, BREAD][: number % 3]:
            added = sell.add_item(till=counter.till, ticket=ticket, article=article)
            ticket = added.ticket
        key = counter.sell().key
        lines = len(database.carts.cart_of(database.sales.sale(key).cart_id).cart.lines)
        promises.append(Promise(len(disk.steps), key, SaleState.FROZEN, lines))
        if number % 2:
            asyncio.run(counter.steps(4))
        if number == 5:
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(till_module, "TIDY_FROM_PAGES", 1)
                patched.setattr(till_module, "QUIET_SECONDS", 0.0)
                database.tidy()
    database.close()
    return promises


ORDER = [SaleState.FROZEN, SaleState.SENDING, SaleState.DONE]


@pytest.mark.faults
def test_what_is_confirmed_survives(disk: Disk, tmp_path: Path, times: int, proof: Proof) -> None:
    promises = a_day(tmp_path / "before", disk)
    disk.is_on = False
    chance = random.Random(7)
    first = promises[0].step
    for number in range(CUTS * max(1, times // 50)):
        at = chance.randint(first, len(disk.steps))
        then = {one.key: one.state for one in promises if one.step <= at}
        proof.killed(in_flight=set(then.values()) != {SaleState.DONE})
        folder = tmp_path / str(number)
        folder.mkdir()
        disk.write_out(folder, at, "till.db", chance)

        database = open_till(folder, till_id=TILL)
        assert connection_of(database).pragma("integrity_check") == "ok"
        for promise in promises:
            if promise.step <= at:
                sale = database.sales.sale(promise.key)
                assert ORDER.index(sale.state) >= ORDER.index(promise.state)
                lines = database.carts.cart_of(sale.cart_id).cart.lines
                assert len(lines) >= promise.lines
        database.close()


# --- the n-th access fails ------------------------------------------------------------------------
ENOUGH = 200


def sold(counter: Counter, told_as_failed: list[str]) -> Sale:
    while True:
        try:
            return counter.sell()
        except MachineError as error:
            told_as_failed.append(error.code)


async def brought_to_its_end(counter: Counter, sale: Sale) -> None:
    for _ in range(100):
        try:
            await counter.until(lambda: counter.state(sale) is SaleState.DONE)
            return
        except MachineError:
            counter.restart()
    raise AssertionError("the sale does not end")


@pytest.mark.faults
@pytest.mark.parametrize("kind", [faulty_disk.READ, faulty_disk.WRITE, faulty_disk.SYNC])
def test_each_access_of_a_till_once(tmp_path: Path, kind: str, times: int, proof: Proof) -> None:
    """With few faults it is every third access."""
    folder = tmp_path / "live"
    with faulty_disk.faulty(folder / "till.db") as disk:
        database = open_till(folder, till_id="till-1")
        counter = Counter(database)
        if kind == faulty_disk.READ:
            connection_of(database.carts).pragma("cache_size", 0)
        for tried, nth in enumerate(range(1, ENOUGH, 1 if times >= 100 else 3), 1):
            counter.till = till_of(database.carts, counter.clock, first_key=1000 * nth)
            before, failures = len(disk.failed), list[str]()
            disk.fail(kind, nth)
            sale = sold(counter, failures)
            asyncio.run(brought_to_its_end(counter, sale))
            disk.mend()
            assert not set(failures) - {"disk_failed"}
            assert [one for one in counter.states() if one is not SaleState.DONE] == []
            assert len(counter.states()) == tried
            assert len(counter.server.ledger) == len(set(counter.server.ledger)) == tried
            if len(disk.failed) == before:
                break
        database.close()
    assert tried > 1
    proof.tried = tried
    again = open_till(faulty_disk.crashed(folder, tmp_path / "after"), till_id="till-1")
    assert len(again.sales.last(ENOUGH)) == tried
    again.close()
