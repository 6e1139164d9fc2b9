"""A whole counter in memory: a till, its outbox and a server, in virtual time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments, cash_owed
from pos_app.domain.receipt.operations import Operation
from pos_app.selling.outbox.outbox import Outbox
from pos_app.selling.sale.checkout import confirm
from pos_app.selling.sale.sale import MoneyTaken, NewSale, Sale
from pos_app.selling.sale.sell import ItemAdded, add_item, new_ticket, start
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from tests.fakes import till
from tests.fakes.fiscal_server import FiscalServerInMemory
from tests.fakes.memory_till import MemoryTill
from tests.fakes.till_clock import StandingClock

MOST_STEPS = 2_000


class Counter:
    """store: anything with `carts` and `sales`; it is kept when the till is restarted."""

    def __init__(self, store: Any = None) -> None:
        self.store = store or MemoryTill()
        self.clock = StandingClock()
        self.server = FiscalServerInMemory()
        self.till = till.till_of(self.store.carts, self.clock)
        self.changes: list[tuple[int, SaleState]] = []
        self.restart()

    def restart(self) -> None:
        self.outbox = Outbox(sales=self.store.sales, server=self.server, clock=self.clock)
        self.outbox.listen(on_sale=lambda sale: self.changes.append((sale.sequence, sale.state)))
        self.outbox.recover()

    def sell(self) -> Sale:
        basket: Ticket = start(till=self.till, cashier=till.CASHIER)
        added = add_item(till=self.till, ticket=basket, article=till.BREAD)
        assert isinstance(added, ItemAdded)
        owed = cash_owed(added.ticket.cart.total, in_whole_dinars=True)
        paid = Payments.of({PaymentMethod.CASH: owed})
        confirmed = confirm(
            till=self.till,
            ticket=added.ticket,
            tendered=paid,
            receipt_details=till.ON_PAPER,
            cashier=till.CASHIER,
            in_whole_dinars=True,
        )
        self.outbox.wake()
        return confirmed.sale

    def act(self, operation: Operation, target: str = "receipt-1") -> Sale:
        new = new_ticket(till=self.till, cashier=till.CASHIER, kind=DocumentKind.SALE)
        nothing = MoneyTaken(Payments.of({}), Payments.of({}))
        asked = NewSale(
            body=b"{}",
            total=Money(100),
            money_taken=nothing,
            cashier=till.CASHIER,
            frozen_at=self.clock.now(),
            operation=operation,
            target=target,
        )
        sale: Sale = self.store.carts.freeze_operation(new, sale=asked)
        self.outbox.wake()
        return sale

    async def until(self, reached: Callable[[], bool]) -> None:
        """Let the outbox work, and time go by as it asks, until `reached` holds."""
        for _ in range(MOST_STEPS):
            if reached():
                return
            self.clock.go_on(await self.outbox.step())
        raise AssertionError(f"not reached in {MOST_STEPS} steps: {self.states()}")

    async def steps(self, count: int) -> None:
        for _ in range(count):
            self.clock.go_on(await self.outbox.step())

    def states(self) -> list[SaleState]:
        return [sale.state for sale in reversed(self.store.sales.last(10_000))]

    def state(self, sale: Sale) -> SaleState:
        now: SaleState = self.store.sales.sale(sale.key).state
        return now

    def handed(self) -> list[int]:
        return [parcel.sequence for parcel in self.server.handed]
