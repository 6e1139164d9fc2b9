from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pos_app.cashier.correction.model import METHODS, What
from pos_app.cashier.correction.view import CorrectionScreen
from pos_app.cashier.window.screens import CORRECTION, CorrectionPlace
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.operations import RefundedItem
from pos_app.domain.receipt.request import InvoiceType
from pos_app.selling.sale.receipt_drafts import BuyerDraft
from tests.fakes.fiscal_server import Fault
from tests.gui import pictures
from tests.gui.crawl.posing import (
    Act,
    answered,
    answered_with,
    awaited,
    keys_listed,
    no_receipt,
    no_server,
    opened_in,
    pause,
    receipts_fail,
    refund_issued,
    settle,
)
from tests.gui.crawl.posing import framed as in_frame
from tests.gui.payment.shop import Shop
from tests.gui.refund import screens
from tests.unit.fiscalization.plans.book import Book, line, sale

SEVERAL = len(METHODS)
COFFEE = line("Кафа млевена Златна 200 g/ком", "Ђ", "5", "419.34", sku=20)


def usual(method: str = "cash") -> Book:
    """The picture's sale, which was paid in cash."""
    lines = (*screens.LINES, COFFEE)
    return screens.sold(*lines, **{method: str(Money.total(one.total for one in lines))})


def refunded_partly() -> Book:
    book = usual()
    screens.give_back(book, RefundedItem(Quantity(1), line=0), cash="58.99")
    return book


def proforma() -> Book:
    book, planned = Book(), sale(*screens.LINES, cash="3000.00")
    book.add(
        replace(planned, document=replace(planned.document, invoice_type=InvoiceType.PROFORMA))
    )
    return book


async def begin(shop: Shop, screen: CorrectionScreen, book: Book | None = None) -> None:
    """Open the correction of a receipt, once the server has answered."""
    screens.show(shop, usual() if book is None else book)
    await settle(shop)
    go_to_receipt(shop, screen)
    await pause()


def begun(book: Callable[[], Book]) -> Act:
    return lambda shop, screen: begin(shop, screen, book())


def go_to_receipt(_: Shop, screen: CorrectionScreen) -> None:
    screen.go_to(CorrectionPlace(screens.NUMBER))


def enter(_: Shop, screen: CorrectionScreen) -> None:
    screen.enter()


def several(_: Shop, screen: CorrectionScreen) -> None:
    screen.choose(SEVERAL)
    screen.model.type_amount(PaymentMethod.CARD, "4000")
    screen.model.type_amount(PaymentMethod.CASH, "8x")
    screen.choose(SEVERAL)
    screen.enter()


def buyer(number: str) -> Act:
    def act(_: Shop, screen: CorrectionScreen) -> None:
        screen.choose_what(What.BUYER)
        screen.model.set_buyer(BuyerDraft(value=number))

    return act


async def give_up(shop: Shop, screen: CorrectionScreen) -> None:
    shop.server.running = True
    screen.give_up()
    await answered(shop)


def cancel_new(shop: Shop, screen: CorrectionScreen) -> None:
    shop.outbox.cancel(screen.model.pair.new.key, reason="correction")


def forget(_: Shop, screen: CorrectionScreen) -> None:
    screen.model.reference = ""


PAID_BY_CARD = awaited(begin, lambda _, screen: screen.choose(METHODS.index(PaymentMethod.CARD)))
UNDER_WAY = awaited(PAID_BY_CARD, enter, pause)
HALF = awaited(UNDER_WAY, refund_issued, answered_with(Fault.WAIT))
NEW_REFUSED = awaited(UNDER_WAY, refund_issued, answered_with(Fault.FIX))
NOT_SENT = awaited(UNDER_WAY, no_server, answered_with(steps=60))

SCENES = {
    "correction": PAID_BY_CARD,
    "start": begin,
    "several": awaited(begin, several),
    "buyer": awaited(begin, buyer("106006802"), lambda _, screen: screen.room.changed.emit()),
    "doubted": awaited(begin, buyer("106006803"), enter),  # its check digit does not fit
    "nothing": awaited(begin, enter),
    "by_card": awaited(  # its refund has no copy
        begun(lambda: usual("card")), lambda _, screen: screen.choose(0)
    ),
    "under_way": UNDER_WAY,
    "resumed": awaited(HALF, forget, go_to_receipt, pause),  # the till was closed meanwhile
    "half": HALF,
    "refused_new": NEW_REFUSED,
    "refused": awaited(  # a part was refunded meanwhile
        UNDER_WAY, lambda shop, _: screens.show(shop, refunded_partly()), answered_with(Fault.FIX)
    ),
    "refused_otherwise": awaited(UNDER_WAY, answered_with(Fault.FIX)),
    "not_sent": NOT_SENT,
    "done": awaited(UNDER_WAY, answered),
    "given_up": awaited(NOT_SENT, give_up),
    "given_up_half": awaited(NEW_REFUSED, cancel_new, answered),
    "doubt": awaited(UNDER_WAY, answered_with(Fault.IN_DOUBT, steps=60)),
    "partly": awaited(begun(refunded_partly)),
    "advance_paid": awaited(begun(proforma)),
    "away": awaited(receipts_fail, begin),
    "unknown": awaited(no_receipt, begin),
    "waits": awaited(PAID_BY_CARD, no_server, settle, enter, pause),
    "keys": awaited(begin, keys_listed),
}
framed = in_frame(CORRECTION, "corr.title")
posed = pictures.posed_by(opened_in(framed, SCENES, stock=screens.stock))
