"""Pictures of the receipts."""

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
from pos_app.errors import NotDelivered
from tests.fakes.fiscal_server import Fault
from tests.fakes.verification_url import payload, url
from tests.gui import pictures
from tests.gui.attention.cases import sold
from tests.gui.crawl.posing import framed as in_frame
from tests.gui.crawl.posing import named, opened_in, settle
from tests.gui.payment.shop import Shop
from tests.gui.receipts.day import Day, at, copy, number_of, usual_day


async def pause() -> None:
    """Let Qt deliver queued events, and the till read its answers."""
    for _ in range(12):
        await asyncio.sleep(0.01)


async def begin(shop: Shop, screen: ReceiptsScreen, number: int = 8597) -> None:
    """Scan a receipt, once the server has answered."""
    await settle(shop)
    await pause()
    screen.go_to(ReceiptPlace(number_of(number), by_scan=True))
    await pause()


async def list_(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The picture's state: the list, the scanned receipt, and its chain."""
    await begin(shop, screen)


async def newest(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """F7 opens the newest receipt."""
    await pause()


async def nothing(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """A search that no receipt matches."""
    await begin(shop, screen)
    screen.side.filters.search.set_text("чварци")
    await pause()


async def away(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The server is away: the till's own sales are listed, one of which waits."""
    for amount in ("1236.00", "359.98", "58.99"):
        sold(shop, amount)
    await settle(shop)
    await go_away(shop)
    sold(shop, "412.97")
    screen.room.ask_list()
    await pause()


async def go_away(shop: Shop) -> None:
    shop.receipts.fault = NotDelivered(what="nobody there")
    shop.server.running = False
    await settle(shop)


async def away_opened(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """One of the till's own sales is open."""
    await away(shop, screen, day)
    screen.side.step(2)
    await pause()


async def reading(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The server is slow: it has not answered yet."""
    await pause()
    shop.receipts.answers = asyncio.Event()
    screen.go_to(ReceiptPlace(number_of(8597), by_scan=True))
    await asyncio.sleep(0.4)


async def unknown(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """Nobody has a receipt with that number."""
    await begin(shop, screen, 9999)


async def elsewhere(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The code of a receipt that the journal does not hold."""
    await show_code(shop, screen, payload())


async def advance_elsewhere(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The code of another system's advance, which may be closed by hand."""
    await show_code(shop, screen, payload(invoice_type=4))


async def offer(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """A proforma, which can be opened as a sale or as an advance."""
    await begin(shop, screen, 8596)


async def never_refunded(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The code of another system's refund, which nobody may refund."""
    await show_code(shop, screen, payload(transaction_type=1))


async def joined(shop: Shop) -> None:
    """Let a platform connect the shop's tills."""
    shop.server.public_mode = PublicMode(PublicModeState.CONNECTED, shop.clock.now())


async def asking_others(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The shop's other tills are being asked for the receipt."""
    await joined(shop)
    shop.receipts.searching = asyncio.Event()
    await show_code(shop, screen, payload())


async def no_till_has_it(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """One till is not connected, another one did not answer."""
    await joined(shop)
    search = SearchElsewhere(SearchEnd.PARTLY, ("Каса 3 на пијаци",), ("Каса 2",))
    shop.receipts.at_other_tills = ShownElsewhere(search)
    await show_code(shop, screen, payload())


async def at_another_till(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """Another till has the receipt."""
    await joined(shop)
    shop.receipts.at_other_tills = found_at(day)
    await show_code(shop, screen, payload())


def found_at(day: Day) -> ShownElsewhere:
    """Another till's answer about the receipt whose code is scanned in the pictures."""
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
    return ShownElsewhere(search, receipt, next(iter(day.receipts.values())).paper)


async def show_code(shop: Shop, screen: ReceiptsScreen, code: bytes) -> None:
    await settle(shop)
    await pause()
    screen.go_to(scanned_place(ReceiptCode(decode(url(code)))))
    await pause()


async def unread(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The server goes away while a receipt is asked for that the till does not know."""
    await pause()
    await go_away(shop)
    await begin(shop, screen)


async def copy_shown(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """Enter shows the words of the copy."""
    await begin(shop, screen)
    screen.opened.acts.main.click()


async def under_way(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The copy is being issued."""
    await copy_shown(shop, screen, day)
    screen.opened.acts.main.click()
    await pause()


async def issued(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    await under_way(shop, screen, day)
    copy(day, 8641, at("14:32"), day.receipts[8597].book)
    day.tell(shop.receipts)
    await settle(shop)


async def copy_waits(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The processor is away: the copy will be issued by itself."""
    await begin(shop, screen)
    shop.server.processor = ProcessorState.AWAY
    shop.server.faults.extend([Fault.WAIT] * 10)
    shop.clock.go_on(20_000)
    await settle(shop, 3)
    screen.opened.acts.main.click()
    screen.opened.acts.main.click()
    await settle(shop, 3)


async def refused(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    await under_way(shop, screen, day)
    shop.server.faults.append(Fault.FIX)
    await settle(shop)


async def doubt(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    await under_way(shop, screen, day)
    shop.server.faults.append(Fault.IN_DOUBT)
    await settle(shop, 60)


async def send(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """E offers the address that the receipt was sent to before."""
    await begin(shop, screen)
    screen.opened.acts.buttons["E"].click()


async def send_wrong(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The typed text is no address."""
    await send(shop, screen, day)
    screen.opened.doing.address.set_text("kupac@")
    screen.opened.acts.main.click()


async def send_again(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The original waits for the mail server."""
    await begin(shop, screen, 8596)
    screen.opened.acts.buttons["E"].click()


async def verify(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """V shows the verification code."""
    await begin(shop, screen)
    screen.opened.acts.buttons["V"].click()


async def waiting(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The list of receipts that need something, with the first one open."""
    await begin(shop, screen, 8596)
    screen.side.filters.waiting.click()


async def period(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """Days are typed, one of which does not exist."""
    await begin(shop, screen)
    filters = screen.side.filters
    filters.periods[PeriodChoice.DAYS].click()
    filters.days.first.set_text("1.11.")
    filters.days.last.set_text("31.11.")


async def long_chain(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """A chain of more receipts than there is room for, with the open one among them."""
    book = day.receipts[8597].book
    for number in range(8650, 8660):
        copy(day, number, at("14:31"), book)
    day.tell(shop.receipts)
    await begin(shop, screen, 8655)


async def no_refund(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The receipt was refunded whole."""
    await begin(shop, screen, 8540)


async def copied(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """A copy, for which there is no act."""
    await begin(shop, screen, 8601)


async def unprinted(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The receipt's paper was not printed."""
    await begin(shop, screen, 8600)


async def print_shown(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """Enter on the receipt that was not printed."""
    await unprinted(shop, screen, day)
    screen.opened.acts.main.click()


async def being_made(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    """The list is being made from the journal."""
    shop.receipts.state = ListState(12_400, 2_000_000)
    screen.room.ask_list()
    await begin(shop, screen)


async def keys(shop: Shop, screen: ReceiptsScreen, day: Day) -> None:
    await begin(shop, screen)
    screen.toggle_keys()


SCENES = {"list": list_} | named(
    newest, nothing, away, away_opened, reading, unknown, elsewhere, never_refunded, unread,
    advance_elsewhere, offer, asking_others, no_till_has_it, at_another_till, copy_shown,
    under_way, issued, copy_waits, refused, doubt, send, send_wrong, send_again, verify, waiting,
    period, long_chain, no_refund, copied, unprinted, print_shown, being_made, keys,
)  # fmt: skip


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
