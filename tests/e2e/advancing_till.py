"""A till without a window that begins advances, takes a further payment on each and closes it.

    python -m tests.e2e.advancing_till --data DIR --total 3

What comes next is what the server tells of the open advances, as it is at a screen, so that a till
that was killed goes on. It prints a line as soon as the thing has happened, and durably so, in the
words of `robot`, and ends with 0 once so many advances are closed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

from pos_app import log, settings
from pos_app.bootstrap.till.core import TillCore, open_till_core
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.errors import PosError, RemoteError
from pos_app.selling.receipts.advance_draft import ClosingDraft, FurtherPayment
from pos_app.selling.receipts.confirm import confirm_advance_payment, confirm_closing
from pos_app.selling.sale import sell
from pos_app.selling.sale.checkout import confirm
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from tests.e2e import robot

FIRST, NEXT = Money(10), Money(5)


class Cashier:
    """Makes one advance after the other; `run` returns when `total` are closed."""

    def __init__(self, core: TillCore, *, total: int) -> None:
        self._core = core
        self._total = total
        self._changed = asyncio.Event()
        core.outbox.listen(on_sale=self._moved)

    async def run(self) -> None:
        for sale in self._core.database.sales.waiting():
            robot.tell("key", sale.key)
            robot.send_unconfirmed(self._core, sale)  # it was killed before it could
        while True:
            await self._settled()
            if await self._is_done():
                return
            await self._act()

    async def _is_done(self) -> bool:
        sales = self._core.database.sales.last(10_000)
        closed = [one for one in sales if one.operation is Operation.CLOSE]
        return sum(one.state is SaleState.DONE for one in closed) >= self._total

    async def _settled(self) -> None:
        """Wait until no sale is under way or in doubt; an act that surely was not sent is done
        anew."""
        waiting = self._core.database.sales.waiting
        while any(
            sale.state is not SaleState.REFUSED or not sale.is_kept_in_front for sale in waiting()
        ):
            self._changed.clear()
            await self._changed.wait()

    async def _act(self) -> None:
        try:
            listed = await self._core.receipts.advances()
            if not listed.is_whole:
                return
            if not listed.advances:
                self._begin()
                return
            number = listed.advances[0].number
            shown = await self._core.receipts.receipt(number)
        except RemoteError:
            await self._rest()
            return
        self._go_on(shown.overview)

    async def _rest(self) -> None:
        """Pause while the server is away."""
        await asyncio.sleep(0.05)

    def _begin(self) -> None:
        core = self._core
        ticket = sell.start(till=core.till, cashier=robot.CASHIER)
        if ticket.kind is not DocumentKind.ADVANCE:
            ticket = sell.set_kind(
                till=core.till, ticket=ticket, kind=DocumentKind.ADVANCE, cashier=robot.CASHIER
            )
        for article in islice(robot.articles(core), 1 - len(ticket.cart.active)):
            added = sell.add_item(till=core.till, ticket=ticket, article=article)
            assert isinstance(added, sell.ItemAdded)
            ticket = added.ticket
        done = confirm(
            till=core.till,
            ticket=ticket,
            tendered=Payments.of({PaymentMethod.CASH: FIRST}),
            receipt_details=replace(robot.NO_PAPER, advance=FIRST),
            cashier=robot.CASHIER,
            in_whole_dinars=False,
        )
        self._sent(done.sale)

    def _go_on(self, overview: ReceiptOverview) -> None:
        till, advance = self._core.till, overview.advance
        assert advance is not None
        if advance.paid == FIRST:
            paid = Payments.of({PaymentMethod.CASH: NEXT})
            payment = FurtherPayment(overview, paid, in_whole_dinars=False)
            sale = confirm_advance_payment(
                till=till, payment=payment, details=robot.NO_PAPER, cashier=robot.CASHIER
            )
        else:
            draft = ClosingDraft.of(overview, in_whole_dinars=False)
            rest = Payments.of({PaymentMethod.CARD: draft.due})
            closing = replace(draft, tendered=rest)
            sale = confirm_closing(
                till=till, closing=closing, details=robot.NO_PAPER, cashier=robot.CASHIER
            )
        self._sent(sale)

    def _sent(self, sale: Sale) -> None:
        robot.tell("key", sale.key)
        self._core.outbox.wake()

    def _moved(self, sale: Sale) -> None:
        self._changed.set()
        if sale.state is SaleState.DONE and sale.receipt is not None:
            robot.tell("done", sale.key, sale.receipt.fiscal_number)
        else:
            robot.tell(sale.state, sale.key)
        robot.send_unconfirmed(self._core, sale)


async def work(core: TillCore, cashier: Cashier) -> None:
    tasks = [
        asyncio.create_task(cashier.run(), name="cashier"),
        asyncio.create_task(core.outbox.run(), name="outbox"),
    ]
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


def main(words: list[str] | None = None, *, cashier: type[Cashier] = Cashier) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--total", type=int, required=True)
    given = parser.parse_args(words)
    log.configure(level="WARNING")
    try:
        with open_till_core(settings.load(given.data)) as core:
            asyncio.run(work(core, cashier(core, total=given.total)))
    except PosError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
