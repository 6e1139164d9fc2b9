from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

from pos_app.cashier.receipts.filters import PeriodChoice
from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.cashier.window.screens import RECEIPTS, ReceiptPlace, scanned_place
from pos_app.documents.shown_receipt import ShownElsewhere
from pos_app.domain.article.barcodes import ReceiptCode
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_elsewhere import SearchElsewhere, SearchEnd
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.domain.receipt.receipt_overview import PaidBy, PaidOfLabel
from pos_app.domain.receipt.server_status import ProcessorState, PublicMode, PublicModeState
from pos_app.domain.receipt.verification import decode
from tests.fakes.fiscal_server import Fault
from tests.fakes.verification_url import payload, url
from tests.gui import pictures
from tests.gui.attention.cases import sold
from tests.gui.crawl.posing import (
    Act,
    awaited,
    keys_listed,
    no_server,
    opened_in,
    receipts_fail,
    settle,
)
from tests.gui.crawl.posing import framed as in_frame
from tests.gui.payment.shop import Shop
from tests.gui.receipts.day import Day, at, copy, number_of, usual_day


async def pause(*__: object) -> None:
    """Let Qt deliver queued events, and the till read its answers."""
    for _ in range(12):
        await asyncio.sleep(0.01)


def scanned(number: int = 8597) -> Act:
    async def act(shop: Shop, screen: ReceiptsScreen, _: Day) -> None:
        await settle(shop)
        await pause()
        screen.go_to(ReceiptPlace(number_of(number), by_scan=True))
        await pause()

    return act


def code_scanned(code: bytes) -> Act:
    """Scan the code of a receipt that the journal does not hold."""

    async def act(shop: Shop, screen: ReceiptsScreen, _: Day) -> None:
        await settle(shop)
        await pause()
        screen.go_to(scanned_place(ReceiptCode(decode(url(code)))))
        await pause()

    return act


def searched(_: Shop, screen: ReceiptsScreen, __: Day) -> None:
    screen.side.filters.search.set_text("чварци")


async def own_sales(shop: Shop, screen: ReceiptsScreen, _: Day) -> None:
    for amount in ("1236.00", "359.98", "58.99"):
        sold(shop, amount)
    await settle(shop)
    await go_away(shop)
    sold(shop, "412.97")
    screen.room.ask_list()
    await pause()


async def go_away(shop: Shop, *_: object) -> None:
    receipts_fail(shop)
    no_server(shop)
    await settle(shop)


async def reading(shop: Shop, screen: ReceiptsScreen, _: Day) -> None:
    await pause()
    shop.receipts.answers = asyncio.Event()
    screen.go_to(ReceiptPlace(number_of(8597), by_scan=True))
    await asyncio.sleep(0.4)


def joined(shop: Shop, *_: object) -> None:
    shop.server.public_mode = PublicMode(PublicModeState.CONNECTED, shop.clock.now())


def asked_for_ever(shop: Shop, *_: object) -> None:
    shop.receipts.searching = asyncio.Event()


def no_till_has_it(shop: Shop, *_: object) -> None:
    search = SearchElsewhere(SearchEnd.PARTLY, ("Каса 3 на пијаци",), ("Каса 2",))
    shop.receipts.at_other_tills = ShownElsewhere(search)


def another_has_it(shop: Shop, _: ReceiptsScreen, day: Day) -> None:
    """Another till has the receipt whose code is scanned."""
    foreign = ForeignReceipt.of(decode(url(payload())))
    paid = (PaidBy(PaymentMethod.CASH, foreign.total),)
    parts = (PaidOfLabel(TaxLabel.E, foreign.total),)
    search = SearchElsewhere(
        SearchEnd.FOUND,
        till="Каса 2",
        verification_url=url(payload()),
        payments=paid,
        by_label=parts,
    )
    receipt = replace(foreign, till="Каса 2", payments=paid, by_label=parts)
    paper = next(iter(day.receipts.values())).paper
    shop.receipts.at_other_tills = ShownElsewhere(search, receipt, paper)


def enter(_: Shop, screen: ReceiptsScreen, __: Day) -> None:
    screen.opened.acts.main.click()


def letter(name: str) -> Act:
    return lambda _, screen, __: screen.opened.acts.buttons[name].click()


async def issued(shop: Shop, _: ReceiptsScreen, day: Day) -> None:
    copy(day, 8641, at("14:32"), day.receipts[8597].book)
    day.tell(shop.receipts)
    await settle(shop)


async def processor_away(shop: Shop, *_: object) -> None:
    shop.server.processor = ProcessorState.AWAY
    shop.server.faults.extend([Fault.WAIT] * 10)
    shop.clock.go_on(20_000)
    await settle(shop, steps=3)


def faulty(fault: Fault, steps: int = 12) -> Act:
    async def act(shop: Shop, *_: object) -> None:
        shop.server.faults.append(fault)
        await settle(shop, steps=steps)

    return act


def two_days(_: Shop, screen: ReceiptsScreen, __: Day) -> None:
    filters = screen.side.filters
    filters.periods[PeriodChoice.DAYS].click()
    filters.days.first.set_text("1.11.")
    filters.days.last.set_text("31.11.")


def long_chain(shop: Shop, _: ReceiptsScreen, day: Day) -> None:
    for number in range(8650, 8660):
        copy(day, number, at("14:31"), day.receipts[8597].book)
    day.tell(shop.receipts)


def being_made(shop: Shop, screen: ReceiptsScreen, _: Day) -> None:
    shop.receipts.state = ListState(12_400, 2_000_000)
    screen.room.ask_list()


BEGUN, SOLD_ELSEWHERE = scanned(), code_scanned(payload())
UNDER_WAY = awaited(BEGUN, enter, enter, pause)
UNPRINTED = scanned(8600)
SEND = awaited(BEGUN, letter("E"))  # it offers the address that the receipt was sent to before
SCENES = {
    "list": BEGUN,
    "newest": pause,
    "nothing": awaited(BEGUN, searched, pause),
    "away": own_sales,
    "away_opened": awaited(own_sales, lambda _, screen, __: screen.side.step(2), pause),
    "reading": reading,
    "unknown": scanned(9999),
    "elsewhere": SOLD_ELSEWHERE,
    "never_refunded": code_scanned(payload(transaction_type=1)),
    "unread": awaited(pause, go_away, BEGUN),
    "advance_elsewhere": code_scanned(payload(invoice_type=4)),  # it may be closed by hand
    "offer": scanned(8596),
    "asking_others": awaited(joined, asked_for_ever, SOLD_ELSEWHERE),
    "no_till_has_it": awaited(joined, no_till_has_it, SOLD_ELSEWHERE),
    "at_another_till": awaited(joined, another_has_it, SOLD_ELSEWHERE),
    "copy_shown": awaited(BEGUN, enter),
    "under_way": UNDER_WAY,
    "issued": awaited(UNDER_WAY, issued),
    "copy_waits": awaited(
        BEGUN, processor_away, enter, enter, lambda shop, *_: settle(shop, steps=3)
    ),
    "refused": awaited(UNDER_WAY, faulty(Fault.FIX)),
    "doubt": awaited(UNDER_WAY, faulty(Fault.IN_DOUBT, 60)),
    "send": SEND,
    "send_wrong": awaited(
        SEND, lambda _, screen, __: screen.opened.doing.address.set_text("kupac@"), enter
    ),
    "send_again": awaited(scanned(8596), letter("E")),  # the original waits for the mail server
    "verify": awaited(BEGUN, letter("V")),
    "waiting": awaited(scanned(8596), lambda _, screen, __: screen.side.filters.waiting.click()),
    "period": awaited(BEGUN, two_days),
    "long_chain": awaited(long_chain, scanned(8655)),
    "no_refund": scanned(8540),  # the receipt was refunded whole
    "copied": scanned(8601),  # a copy, for which there is no act
    "unprinted": UNPRINTED,
    "print_shown": awaited(UNPRINTED, enter),
    "being_made": awaited(being_made, BEGUN),
    "keys": awaited(BEGUN, keys_listed),
}


def stock(shop: Shop) -> tuple[Day]:
    day = usual_day()
    shop.clock.go_on((at("14:32") - shop.clock.now()) // timedelta(milliseconds=1))
    day.tell(shop.receipts)
    settings = shop.services.settings
    settings = settings.having(mail=settings.mail.having(host="posta.primer.rs"))
    shop.services = replace(shop.services, started_with=settings)
    return (day,)


framed = in_frame(RECEIPTS, "receipts.title")
posed = pictures.posed_by(opened_in(framed, SCENES, stock=stock))
