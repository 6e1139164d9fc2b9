"""A till without a window: sells until its data folder holds so many confirmed sales.

    python -m tests.e2e.robot --data DIR --total 30 [--own-server]

It prints a line as soon as the thing has happened, and durably so:

    key 4f0c…           a sale was confirmed
    sending 4f0c…       it was handed over (also refused, frozen, doubt, cancelling, cancelled)
    done 4f0c… NUMBER   its receipt is known
    server 1234         the server's process, when it has changed

and ends with 0 when every sale of the folder has ended. Killed at any moment, it goes on when it
is started again with the same words.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Coroutine, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from pos_app import log, settings
from pos_app.bootstrap.till.core import TillCore, open_till_core
from pos_app.domain.article.article import Article
from pos_app.domain.money.payment import PaymentMethod, Payments, cash_owed
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.errors import PosError
from pos_app.selling.sale.checkout import ReceiptDetails, confirm
from pos_app.selling.sale.sale import UNCONFIRMED, Sale
from pos_app.selling.sale.sell import ItemAdded, add_item, start
from pos_app.selling.sale.state import ENDED, SaleState

CASHIER = "Робот"
NO_PAPER = ReceiptDetails(ReceiptDelivery())
ITEMS = 3
MOST_WAITING = 3
"""Confirmed sales that may wait for their receipt before the robot pauses."""
_SHOWN = 200


def tell(*words: object) -> None:
    """Write one line and flush it before anything else happens."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def articles(core: TillCore) -> Iterator[Article]:
    """Articles of the demo shop that are sold by the piece at their own price, over and over."""
    rows = core.catalogue.page("", offset=0, limit=_SHOWN)
    found = (core.catalogue.article(row.article_id) for row in rows if row.article_id)
    usual = [one for one in found if one and one.price and not (one.by_weight or one.asks_price)]
    if not usual:
        raise SystemExit("the catalogue has nothing to sell")
    return cycle(usual)


def sell(core: TillCore, goods: Iterator[Article], *, items: int) -> Sale:
    """Enter and confirm one sale for exact cash, as a cashier would."""
    ticket = start(till=core.till, cashier=CASHIER)
    for article in islice(goods, items - len(ticket.cart.active)):
        added = add_item(till=core.till, ticket=ticket, article=article)
        assert isinstance(added, ItemAdded)
        ticket = added.ticket
    owed = cash_owed(ticket.cart.total, in_whole_dinars=True)
    confirmed = confirm(
        till=core.till,
        ticket=ticket,
        tendered=Payments.of({PaymentMethod.CASH: owed}),
        receipt_details=NO_PAPER,
        cashier=CASHIER,
        in_whole_dinars=True,
    )
    tell("key", confirmed.sale.key)
    core.outbox.wake()
    return confirmed.sale


class Robot:
    """Sells and waits; `run` returns when all sales have ended."""

    def __init__(self, core: TillCore, total: int) -> None:
        self._core, self._total = core, total
        self._changed = asyncio.Event()
        self._server: int | None = None
        core.outbox.listen(on_sale=self._moved)

    async def run(self) -> None:
        for sale in self._core.database.sales.waiting():
            tell("key", sale.key)
            send_unconfirmed(self._core, sale)  # it was killed before it could
        await self._work()

    async def _work(self) -> None:
        goods = articles(self._core)
        while not self._is_done():
            if self._may_sell():
                sell(self._core, goods, items=ITEMS)
            await self._next_change()

    def _count(self) -> int:
        last = self._core.database.sales.last(1)
        return last[0].sequence if last else 0

    def _waiting(self) -> int:
        return sum(self._core.database.sales.counts().values())

    def _may_sell(self) -> bool:
        return self._count() < self._total and self._waiting() < MOST_WAITING

    def _is_done(self) -> bool:
        return self._count() >= self._total and not self._waiting()

    async def _next_change(self) -> None:
        pid = self._core.server.pid
        if pid is not None and pid != self._server:
            self._server = pid
            tell("server", pid)
        self._changed.clear()
        if self._may_sell():
            await asyncio.sleep(0)
            return
        try:
            async with asyncio.timeout(0.05):
                await self._changed.wait()
        except TimeoutError:
            return

    def _moved(self, sale: Sale) -> None:
        self._changed.set()
        if sale.state is SaleState.DONE and sale.receipt is not None:
            tell("done", sale.key, sale.receipt.fiscal_number)
        elif sale.state not in ENDED:
            tell(sale.state, sale.key)
        send_unconfirmed(self._core, sale)


def send_unconfirmed(core: TillCore, sale: Sale) -> None:
    """Send a sale that was killed within its confirm, as the person at the till does."""
    is_refused = sale.state is SaleState.REFUSED and not sale.is_kept_in_front
    if is_refused and sale.reason and sale.reason.code == UNCONFIRMED:
        asyncio.get_running_loop().call_soon(core.outbox.try_again, sale.key)


async def work_beside(core: TillCore, work: Coroutine[Any, Any, None], *, own_server: bool) -> None:
    """Do the work beside the outbox and, if the till has its own server, the server's keeper."""
    keepers = [core.outbox.run(), *([core.server.run()] if own_server else [])]
    tasks = [asyncio.create_task(one) for one in (work, *keepers)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            if task.done():
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await core.let_go()


def run(words: list[str] | None, worker: type[Robot]) -> int:
    """Open the till of these words, and let it work."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--total", type=int, required=True)
    parser.add_argument("--own-server", action="store_true")
    given = parser.parse_args(words)
    log.configure(level="WARNING")
    try:
        with open_till_core(settings.load(given.data)) as core:
            work = worker(core, given.total).run()
            asyncio.run(work_beside(core, work, own_server=given.own_server))
    except PosError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def main(words: list[str] | None = None) -> int:
    return run(words, Robot)


if __name__ == "__main__":
    sys.exit(main())
