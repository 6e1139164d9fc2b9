"""Random acts at the counter: nothing is lost, and a reopened till shows the same cart."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pos_app.adapters.sqlite.till.till import open_till
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity
from pos_app.errors import Invalid, NotAllowed, NotFound
from pos_app.selling.catalogue.catalogue import FoundArticle
from pos_app.selling.sale import sell
from pos_app.selling.sale.checkout import confirm, exact_card
from pos_app.selling.sale.scan import taken_by
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes import till
from tests.fakes.ready_tables import open_ready
from tests.fakes.till_clock import StandingClock
from tests.sweep import examples

AMOUNTS = st.integers(0, 100_000).map(lambda para: Money(Decimal(para).scaleb(-2)))
QUANTITIES = st.integers(1, 20_000).map(lambda thousandth: Quantity(Decimal(thousandth).scaleb(-3)))
PERCENTS = st.integers(1, 1_000_000).map(lambda value: Percent(Decimal(value).scaleb(-4)))
LINES = st.integers(1, 6)


class AtTheCounter(RuleBasedStateMachine):
    """A till on a real database, with every act in any order."""

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
TestAtTheCounter = AtTheCounter.TestCase
