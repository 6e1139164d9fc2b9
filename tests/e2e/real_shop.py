"""The till of a shop of real programs, without a window; and a shop whose settings name an L-PFR,
whose programs the environment tells nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

from pos_app import settings
from pos_app.bootstrap.till.core import TillCore, open_till_core
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import Refused
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.e2e import audit, robot
from tests.e2e.restored import served
from tests.e2e.shop import Shop

BY = "Управник"
SETTINGS = """\
# The shop in Novi Sad.
[server]
port = {port}

[processor]
kind = "lpfr"
url = "{url}"
quiet_seconds = 45

[esir]
ib = "1234"
"""


class RealShop(Shop):
    """A shop whose settings name an L-PFR; the environment sets nothing."""

    def env(self) -> dict[str, str]:
        return {}


@contextmanager
def real_shop(folder: Path, catalogue: Path, nursery: Path) -> Iterator[Shop]:
    made = RealShop.make(folder, catalogue, nursery)
    url = f"http://127.0.0.1:{made.processor_port}"
    path = made.data / settings.FILE_NAME
    path.write_text(SETTINGS.format(port=made.port, url=url), encoding="utf-8")
    try:
        yield made
    finally:
        made.close()


class Till:
    def __init__(self, core: TillCore) -> None:
        self.core = core
        self._goods = robot.articles(core)

    def sell(self) -> Sale:
        return robot.sell(self.core, self._goods, items=2)

    def now(self, sale: Sale) -> Sale:
        return self.core.database.sales.sale(sale.key)

    async def done(self, *sales: Sale) -> None:
        await until(lambda: all(self.now(one).state is SaleState.DONE for one in sales))


@asynccontextmanager
async def at_work(shop: Shop) -> AsyncIterator[Till]:
    """The till with its outbox, and a server that it does not keep."""
    with open_till_core(settings.load(shop.data)) as core:
        outbox = asyncio.create_task(core.outbox.run(), name="outbox")
        try:
            yield Till(core)
        finally:
            outbox.cancel()
            await asyncio.gather(outbox, return_exceptions=True)
            await core.let_go()


@asynccontextmanager
async def at_served(shop: Shop) -> AsyncIterator[Till]:
    """The same, with a server that ends with it."""
    with served(shop):
        async with at_work(shop) as till:
            yield till


async def sold_and_waiting(shop: Shop) -> None:
    """Make a sale with a receipt, and one that waits for the processor."""
    processor, server = shop.processor(), shop.server()
    async with at_work(shop) as till:
        await till.done(till.sell())
        processor.stop()
        sale = till.sell()
        await until(lambda: till.now(sale).reason is not None)
    server.stop()


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(30.0):
        while not is_so():  # noqa: ASYNC110 - files change by themselves
            await asyncio.sleep(0.05)


async def brought_to_its_end(till: Till, shop: Shop) -> set[str]:
    """Complete every sale; returns the keys that a manager was asked about."""
    asked = set[str]()
    async with asyncio.timeout(30.0):
        while queued := till.core.database.sales.queue():
            for one in queued:
                sale = till.core.database.sales.sale(one.key)
                is_asked = sale.reason is not None and sale.reason.code == RequestState.NEEDS_HUMAN
                if sale.state is SaleState.DOUBT and is_asked:
                    asked.add(sale.key)
                    await _decide(till, shop, sale)
            await asyncio.sleep(0.05)
    return asked


async def _decide(till: Till, shop: Shop, sale: Sale) -> None:
    """Decide by the papers. A sale that is decided already is refused."""
    (name,) = [one.request_id for one in audit.frozen_sales(shop.data) if one.key == sale.key]
    papers = [audit.url_of(one) for one in audit.ledger(shop) if one.request_id == name]
    assert sale.receipt_id is not None
    with suppress(Refused):
        if papers:
            await till.core.doubts.declare_found(sale.receipt_id, verification_url=papers[0], by=BY)
        else:
            await till.core.doubts.declare_absent(sale.receipt_id, by=BY)
