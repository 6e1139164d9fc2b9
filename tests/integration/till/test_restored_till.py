"""A `till.db` that was really put back from a copy, at a server with a whole journal."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.till.till import TillDatabase, open_till
from pos_app.selling.sale import sell
from pos_app.selling.sale.sell import ItemAdded
from pos_app.selling.sale.state import SaleState
from tests.fakes import till
from tests.fakes.counter import Counter
from tests.fakes.fiscal_server import FiscalServerInMemory

_FIRST_KEYS = count(1_000, 1_000)


@contextmanager
def started(folder: Path, server: FiscalServerInMemory) -> Iterator[Counter]:
    """Open a till of that folder, and close it at the end."""
    database: TillDatabase = open_till(folder, till_id="till-1")
    counter = Counter(database)
    counter.server = server
    counter.till = till.till_of(database.carts, counter.clock, first_key=next(_FIRST_KEYS))
    counter.restart()
    yield counter
    database.close()


@pytest.fixture
def server() -> FiscalServerInMemory:
    return FiscalServerInMemory()


async def copied_with_an_open_cart(folder: Path, server: FiscalServerInMemory) -> Path:
    """Copy a till with bread in the open cart; then sell that cart and two more. Return the
    copy."""
    with started(folder, server) as counter:
        counter.sell()
        await counter.until(lambda: set(counter.states()) == {SaleState.DONE})
        basket = sell.start(till=counter.till, cashier=till.CASHIER)
        assert isinstance(
            sell.add_item(till=counter.till, ticket=basket, article=till.BREAD), ItemAdded
        )
    copy = folder.parent / "copy"
    shutil.copytree(folder, copy)
    with started(folder, server) as counter:
        for _ in range(3):
            counter.sell()
        await counter.until(lambda: set(counter.states()) == {SaleState.DONE})
        basket = sell.start(till=counter.till, cashier=till.CASHIER)
    return copy


async def test_a_copys_cart_takes_nobodys_receipt(
    folder: Path, server: FiscalServerInMemory
) -> None:
    """It is confirmed with another customer's milk before the till has asked the server."""
    copy = await copied_with_an_open_cart(folder / "till", server)
    signed = list(server.ledger)
    with started(copy, server) as counter:
        basket = sell.start(till=counter.till, cashier=till.CASHIER)
        sell.add_item(till=counter.till, ticket=basket, article=till.MILK)
        sold = counter.sell()
        await counter.until(lambda: set(counter.states()) == {SaleState.DONE})
        done = counter.store.sales.sale(sold.key)
        assert server.ledger == [*signed, sold.key]
        assert done.receipt.fiscal_number.endswith(f"-{len(server.ledger)}")
        assert done.sequence > len(signed)
        assert counter.store.sales.done_to_be_seen() == []


async def test_a_copys_cart_is_set_aside(folder: Path, server: FiscalServerInMemory) -> None:
    """The journal grows by other programs' receipts before this till's next sale is accepted."""
    copy = await copied_with_an_open_cart(folder / "till", server)
    again = shutil.copytree(copy, folder / "again")
    told: list[bool] = []
    for times, place in enumerate((copy, again), 1):
        with started(place, server) as counter:
            counter.outbox.listen(on_restored=lambda: told.append(True))
            await counter.steps(3)
            (aside,) = counter.store.carts.suspended_by_restore()
            assert [line.article.frozen for line in aside.cart.active] == [till.BREAD.frozen]
            assert aside.key not in server.kept
            basket = sell.start(till=counter.till, cashier=till.CASHIER)
            assert basket.cart.is_empty
            sell.add_item(till=counter.till, ticket=basket, article=till.MILK)
            for _ in range(5):
                await journal_moves(counter, server)
                basket = sell.start(till=counter.till, cashier=till.CASHIER)
                assert [line.article.frozen for line in basket.cart.active] == [till.MILK.frozen]
            assert told == [True] * times
            assert len(counter.store.carts.suspended_by_restore()) == 1


async def test_numbers_that_met_are_found_once(folder: Path, server: FiscalServerInMemory) -> None:
    """Till and journal were put back and sold on; then the newer journal came back, in which the
    same numbers are other sales."""
    first = folder / "till"
    with started(first, server) as counter:
        counter.sell()
        await counter.until(lambda: set(counter.states()) == {SaleState.DONE})
    copy, older = folder.parent / "copy", server.copy()
    shutil.copytree(first, copy)
    with started(first, server) as counter:
        counter.sell()
        await counter.until(lambda: set(counter.states()) == {SaleState.DONE})
    newer = server.copy()
    server.put_back(older)
    with started(copy, server) as counter:
        counter.sell()
        await counter.until(lambda: set(counter.states()) == {SaleState.DONE})
    server.put_back(newer)
    with started(copy, server) as counter:
        await counter.steps(3)
        basket = sell.start(till=counter.till, cashier=till.CASHIER)
        sell.add_item(till=counter.till, ticket=basket, article=till.MILK)
        for _ in range(3):
            await journal_moves(counter, server)
        assert not sell.start(till=counter.till, cashier=till.CASHIER).cart.is_empty


async def journal_moves(counter: Counter, server: FiscalServerInMemory) -> None:
    """Let another program get a receipt signed, and wait until the till knows it."""
    server.grow(1)
    counter.clock.go_on(10_000)
    await counter.until(lambda: counter.store.sales.remembered().journal == server.mark())
