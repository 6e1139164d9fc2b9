"""A real shop of real programs: its settings name an L-PFR, and the environment sets nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from pos_app import settings
from pos_app.bootstrap.till.core import open_till_core
from tests.e2e.shop import Shop
from tests.e2e.test_faults import Till
from tests.integration.local_api.wires import until

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


async def sold_and_waiting(shop: Shop) -> str:
    """Make a sale that has its receipt; returns the key of one that was confirmed after the
    processor went away."""
    processor, server = shop.processor(), shop.server()
    async with at_work(shop) as till:
        await till.done(till.sell())
        processor.stop()
        sale = till.sell()
        await until(lambda: till.now(sale).reason is not None)
    server.stop()
    return sale.key
