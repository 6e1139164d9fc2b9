"""A till to be killed: forks one for each line it reads, so that each starts in milliseconds.

A line is `FOLDER PORT SALES HOW`. SALES is the number of sales, or one of three: `correct` corrects
a receipt, `exchange` exchanges the goods of a receipt, `close` closes an advance of another system
by hand and sells its goods. HOW: `before:N` and `after:N` kill it around its Nth commit, `wait:MS`
kills it from outside after so many milliseconds, `end` lets it bring everything to its end. It
writes `confirmed KEY` for each confirm that returned, and `over STATUS`.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp, WireCodec
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.sqlite.till.till import TillDatabase, open_till
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments, cash_owed
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import InvoiceType
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.outbox.outbox import Outbox
from pos_app.selling.receipts.correction import CorrectionDraft, confirm_correction, paid_by
from pos_app.selling.receipts.frozen_pair import PairStage, stage_of, unfinished_pairs
from pos_app.selling.receipts.refund_by_hand import HandDraft, confirm_refund_by_hand, open_goods
from pos_app.selling.sale.checkout import confirm
from pos_app.selling.sale.exchange import confirm_exchange
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.sale import UNCONFIRMED, Sale
from pos_app.selling.sale.sell import ItemAdded, add_item, add_items, begin_exchange, start
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_app import INSTALL
from tests.fakes.inner_connection import connection_of
from tests.fakes.till import BREAD, CASHIER, MILK, ON_PAPER, till_of
from tests.unit.fiscalization.plans.book import SELLER, Book, line
from tests.unit.fiscalization.plans.book import sale as planned_sale


def say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def kill_around(database: TillDatabase, how: str) -> None:
    """Kill this process just before or just after its Nth commit."""
    side, _, number = how.partition(":")
    left = int(number)

    def count(*_: object) -> int:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    if side == "before":
        connection_of(database).set_commit_hook(lambda: bool(count()))
    if side == "after":
        connection_of(database).set_wal_hook(count)


def sell(till: Till) -> Sale:
    ticket = start(till=till, cashier=CASHIER)
    for article in (BREAD, MILK):
        added = add_item(till=till, ticket=ticket, article=article)
        assert isinstance(added, ItemAdded)
        ticket = added.ticket
    owed = cash_owed(ticket.cart.total, in_whole_dinars=True)
    paid = Payments.of({PaymentMethod.CASH: owed})
    done = confirm(
        till=till,
        ticket=ticket,
        tendered=paid,
        receipt_details=ON_PAPER,
        cashier=CASHIER,
        in_whole_dinars=True,
    )
    return done.sale


def correct(database: TillDatabase, till: Till) -> None:
    """Correct a receipt in cash that was really paid by card."""
    book = Book()
    book.add(planned_sale(line("Хлеб/ком", "Е", "2", "500.00"), cash="1000.00"))
    told = overview_of(book.links[0], book.chain, jobs=(), origin="till")
    draft = CorrectionDraft.of(told, in_whole_dinars=True)
    right = paid_by(told, PaymentMethod.CARD, in_whole_dinars=True)
    begun = confirm_correction(
        till=till,
        sales=database.sales,
        draft=replace(draft, tendered=right),
        seller=SELLER,
        delivery=ON_PAPER.delivery,
        cashier=CASHIER,
        in_whole_dinars=True,
    )
    say(f"confirmed {begun.refund.key}")
    say(f"confirmed {begun.new.key}")


def exchange(database: TillDatabase, till: Till) -> None:
    """Exchange bread for bread and milk."""
    goods = GoodsBack(
        "receipt-1",
        "AAAA1111-AAAA1111-7",
        {0: Decimal(1)},
        is_whole=False,
        total=Money("58.99"),
        payments=Payments.of({PaymentMethod.CASH: Money("58.99")}),
        buyer_code=SELLER.code,
        buyer_value=SELLER.value,
    )
    ticket = start(till=till, cashier=CASHIER)
    ticket = begin_exchange(till=till, ticket=ticket, goods=goods)
    items = [(BREAD, Quantity.ONE, None), (MILK, Quantity.ONE, None)]
    ticket = add_items(till=till, ticket=ticket, items=items)
    done = confirm_exchange(
        till=till,
        ticket=ticket,
        goods=goods,
        tendered=Payments.of({PaymentMethod.CASH: Money(140)}),
        receipt_details=ON_PAPER,
        cashier=CASHIER,
        in_whole_dinars=True,
    )
    say(f"confirmed {done.sale.follows}")
    say(f"confirmed {done.sale.key}")


def go_on(database: TillDatabase, outbox: Outbox) -> None:
    """Have the rest of a correction, an exchange or a closing sent, as a person at the till does,
    once till and server know which part is issued."""
    for left in unfinished_pairs(database.sales):
        if stage_of(left) in {PairStage.NOT_BEGUN, PairStage.HALF}:
            outbox.try_again(left.next_part.key)
    for refused in database.sales.waiting(SaleState.REFUSED):
        if refused.closes_elsewhere:
            outbox.try_again(refused.key)


ELSEWHERE = HandDraft(
    number="XYZW1234-XYZW1234-8652",
    day="20.11.2025.",
    time="11:42",
    goods="-",
    kind=InvoiceType.ADVANCE,
    amounts={TaxLabel.E: "10,00"},
    method=PaymentMethod.CARD,
    with_goods=True,
)


def close(_: TillDatabase, till: Till) -> None:
    """Refund an advance of another system; no money goes back."""
    sale = confirm_refund_by_hand(
        till=till,
        draft=ELSEWHERE,
        buyer=SELLER,
        delivery=ON_PAPER.delivery,
        cashier=CASHIER,
        in_whole_dinars=True,
        is_own=True,
    )
    say(f"confirmed {sale.key}")


def hand_over(database: TillDatabase, till: Till, outbox: Outbox) -> None:
    """Sell the goods of a closed advance, as a person at the till does, from the open cart or from
    Attention."""
    ticket = till.carts.open_cart(training=False)
    for refund in database.sales.closed_without_goods():
        begun = start(till=till, cashier=CASHIER)
        ticket = open_goods(till=till, sales=database.sales, ticket=begun, refund=refund)
    if ticket is None or not ticket.paid_before:
        return
    if ticket.cart.is_empty:
        added = add_item(till=till, ticket=ticket, article=BREAD)
        assert isinstance(added, ItemAdded)
        ticket = added.ticket
    referent, due = ticket.typed_details.referent, ticket.cart.total - ticket.paid_before
    assert referent is not None
    told = replace(ON_PAPER, referent_number=referent.number, referent_time=referent.time)
    done = confirm(
        till=till,
        ticket=ticket,
        tendered=Payments.of({PaymentMethod.CARD: due}),
        receipt_details=told,
        cashier=CASHIER,
        in_whole_dinars=True,
    )
    say(f"confirmed {done.sale.key}")
    outbox.wake()


def is_left_unconfirmed(sale: Sale) -> bool:
    """Tell whether it was killed within its confirm and `go_on` does not handle it."""
    is_told = sale.reason is not None and sale.reason.code == UNCONFIRMED
    return is_told and not sale.target and not sale.closes_elsewhere


def plain_sale(_: TillDatabase, till: Till) -> None:
    say(f"confirmed {sell(till).key}")


BEGUN = {"correct": correct, "exchange": exchange, "close": close}


async def sell_and_send(folder: str, port: str, sales: str, how: str) -> None:
    clock = SystemClock()
    database = open_till(Path(folder), till_id=INSTALL.till_id)
    if how.startswith(("before", "after")):
        kill_around(database, how)
    till = replace(
        till_of(database.carts, clock), codec=WireCodec(), new_key=lambda: secrets.token_hex(16)
    )
    async with LocalApi(f"http://127.0.0.1:{port}", INSTALL) as api:
        outbox = Outbox(sales=database.sales, server=FiscalHttp(api), clock=clock)
        ended = asyncio.Event()

        def check(sale: Sale | None = None) -> None:
            if database.sales.closed_without_goods():
                asyncio.get_running_loop().call_soon(hand_over, database, till, outbox)
                return
            if how == "end" and sale and sale.state in {SaleState.REFUSED, SaleState.DONE}:
                asyncio.get_running_loop().call_soon(go_on, database, outbox)
            if sale and is_left_unconfirmed(sale):
                # It was killed within its confirm: a person at the till has it sent.
                asyncio.get_running_loop().call_soon(outbox.try_again, sale.key)
            elif not database.sales.queue():
                ended.set()

        outbox.listen(on_sale=check)
        outbox.recover()
        running = asyncio.create_task(outbox.run())
        if how.startswith("wait:"):
            # Nothing handles this signal: the kernel ends the process between two instructions.
            signal.setitimer(signal.ITIMER_REAL, int(how.partition(":")[2]) / 1000)
        for begun in [BEGUN[sales]] if sales in BEGUN else [plain_sale] * int(sales):
            begun(database, till)
            ended.clear()
            outbox.wake()
            await asyncio.sleep(0.001)
        hand_over(database, till, outbox)
        check()
        if how == "end":
            go_on(database, outbox)
        await ended.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    states = {sale.state for sale in database.sales.last(1_000)}
    assert states <= {SaleState.DONE}, states
    database.close()


async def _warm_up() -> None:
    """Load what httpx loads with its first request, once for all forks."""
    async with LocalApi("http://127.0.0.1:9", INSTALL) as api:
        await FiscalHttp(api).prove()


def main() -> None:
    asyncio.run(_warm_up())
    say("ready")
    for told in sys.stdin:
        folder, port, sales, how = told.split()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                asyncio.run(sell_and_send(folder, port, sales, how))
                status = 0
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        say(f"over {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main()
