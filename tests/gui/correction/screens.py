"""Pictures of the correction."""

from __future__ import annotations

from dataclasses import replace

from pos_app.cashier.correction.model import METHODS, What
from pos_app.cashier.correction.view import CorrectionScreen
from pos_app.cashier.window.screens import CORRECTION, CorrectionPlace
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.operations import RefundedItem
from pos_app.domain.receipt.request import InvoiceType
from pos_app.errors import NoSuchReceipt, NotDelivered
from pos_app.selling.sale.receipt_drafts import BuyerDraft
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.gui import pictures
from tests.gui.crawl.posing import answered, named, opened_in, pause, settle
from tests.gui.crawl.posing import framed as in_frame
from tests.gui.payment.shop import Shop
from tests.gui.refund import screens
from tests.unit.fiscalization.plans.book import Book, line, sale

CARD = METHODS.index(PaymentMethod.CARD)
SEVERAL = len(METHODS)
COFFEE = line("Кафа млевена Златна 200 g/ком", "Ђ", "5", "419.34", sku=20)


def usual(method: str = "cash") -> Book:
    """The picture's sale, which was paid in cash."""
    lines = (*screens.LINES, COFFEE)
    return screens.sold(*lines, **{method: str(Money.total(one.total for one in lines))})


async def begin(shop: Shop, screen: CorrectionScreen, book: Book | None = None) -> None:
    """Open the correction of a receipt, once the server has answered."""
    screens.show(shop, usual() if book is None else book)
    await settle(shop)
    screen.go_to(CorrectionPlace(screens.NUMBER))
    await pause()


async def start(shop: Shop, screen: CorrectionScreen) -> None:
    """The screen as it is opened: the payment is wrong, and nothing is chosen."""
    await begin(shop, screen)


async def correction(shop: Shop, screen: CorrectionScreen) -> None:
    """The picture's correction: the sale was really paid by card."""
    await begin(shop, screen)
    screen.choose(CARD)


async def several(shop: Shop, screen: CorrectionScreen) -> None:
    """Several methods, whose amounts do not add up to the total yet."""
    await begin(shop, screen)
    screen.choose(SEVERAL)
    screen.model.type_amount(PaymentMethod.CARD, "4000")
    screen.model.type_amount(PaymentMethod.CASH, "8x")
    screen.choose(SEVERAL)
    screen.enter()


async def buyer(shop: Shop, screen: CorrectionScreen) -> None:
    """The buyer wants a tax number on the receipt."""
    await begin(shop, screen)
    screen.choose_what(What.BUYER)
    screen.model.set_buyer(BuyerDraft(value="106006802"))
    screen.room.changed.emit()


async def doubted(shop: Shop, screen: CorrectionScreen) -> None:
    """The check digit of a PIB does not fit."""
    await begin(shop, screen)
    screen.choose_what(What.BUYER)
    screen.model.set_buyer(BuyerDraft(value="106006803"))
    screen.enter()


async def nothing(shop: Shop, screen: CorrectionScreen) -> None:
    """Enter was pressed before anything is chosen."""
    await begin(shop, screen)
    screen.enter()


async def by_card(shop: Shop, screen: CorrectionScreen) -> None:
    """The receipt was paid by card: its refund has no copy."""
    await begin(shop, screen, usual("card"))
    screen.choose(0)


async def under_way(shop: Shop, screen: CorrectionScreen) -> None:
    """The refund is being issued."""
    await correction(shop, screen)
    screen.enter()
    await pause()


async def resumed(shop: Shop, screen: CorrectionScreen) -> None:
    """The picture's other state: the till was closed between the two receipts."""
    await half(shop, screen)
    screen.model.reference = ""
    screen.go_to(CorrectionPlace(screens.NUMBER))
    await pause()


async def half(shop: Shop, screen: CorrectionScreen) -> None:
    """The refund is issued; the processor is away for the new receipt."""
    await under_way(shop, screen)
    job = screen.model.pair
    assert job is not None
    while shop.store.sales.sale(job.refund.key).state is not SaleState.DONE:
        shop.clock.go_on(await shop.outbox.step())
    shop.server.faults.append(Fault.WAIT)
    await answered(shop)


async def refused_new(shop: Shop, screen: CorrectionScreen) -> None:
    """The server refused the new receipt."""
    await under_way(shop, screen)
    job = screen.model.pair
    assert job is not None
    while shop.store.sales.sale(job.refund.key).state is not SaleState.DONE:
        shop.clock.go_on(await shop.outbox.step())
    shop.server.faults.append(Fault.FIX)
    await answered(shop)


async def refused(shop: Shop, screen: CorrectionScreen) -> None:
    """The refund was refused, because a part was refunded meanwhile: nothing happened."""
    await under_way(shop, screen)
    book = usual()
    screens.give_back(book, RefundedItem(Quantity(1), line=0), cash="58.99")
    screens.show(shop, book)
    shop.server.faults.append(Fault.FIX)
    await answered(shop)


async def refused_otherwise(shop: Shop, screen: CorrectionScreen) -> None:
    """The refund was refused, and the receipt is as it was."""
    await under_way(shop, screen)
    shop.server.faults.append(Fault.FIX)
    await answered(shop)


async def not_sent(shop: Shop, screen: CorrectionScreen) -> None:
    """The server was away for too long."""
    await under_way(shop, screen)
    shop.server.running = False
    await answered(shop, 60)


async def done(shop: Shop, screen: CorrectionScreen) -> None:
    """Both receipts are issued."""
    await under_way(shop, screen)
    await answered(shop)


async def given_up(shop: Shop, screen: CorrectionScreen) -> None:
    """The correction could not be sent, and was given up."""
    await not_sent(shop, screen)
    shop.server.running = True
    screen.give_up()
    await answered(shop)


async def given_up_half(shop: Shop, screen: CorrectionScreen) -> None:
    """The refund is issued, and the new receipt was given up."""
    await refused_new(shop, screen)
    assert screen.model.pair is not None
    shop.outbox.cancel(screen.model.pair.new.key, reason="correction")
    await answered(shop)


async def doubt(shop: Shop, screen: CorrectionScreen) -> None:
    """Nobody knows whether the refund was issued."""
    await under_way(shop, screen)
    shop.server.faults.append(Fault.IN_DOUBT)
    await answered(shop, 60)


async def partly(shop: Shop, screen: CorrectionScreen) -> None:
    """A part of the receipt was refunded before."""
    book = usual()
    screens.give_back(book, RefundedItem(Quantity(1), line=0), cash="58.99")
    await begin(shop, screen, book)


async def advance_paid(shop: Shop, screen: CorrectionScreen) -> None:
    """The receipt is no sale but a proforma."""
    book = Book()
    planned = sale(*screens.LINES, cash="3000.00")
    book.add(
        replace(planned, document=replace(planned.document, invoice_type=InvoiceType.PROFORMA))
    )
    await begin(shop, screen, book)


async def away(shop: Shop, screen: CorrectionScreen) -> None:
    """The server does not answer about the receipt."""
    shop.receipts.fault = NotDelivered(what="nobody there")
    await begin(shop, screen)


async def unknown(shop: Shop, screen: CorrectionScreen) -> None:
    """The server has no such receipt."""
    shop.receipts.fault = NoSuchReceipt(what="Receipt not found", safe="Nothing was changed.")
    await begin(shop, screen)


async def waits(shop: Shop, screen: CorrectionScreen) -> None:
    """Server and processor are away when the correction is issued."""
    await correction(shop, screen)
    shop.server.running = False
    await settle(shop)
    screen.enter()
    await pause()


async def keys(shop: Shop, screen: CorrectionScreen) -> None:
    await begin(shop, screen)
    screen.toggle_keys()


SCENES = named(
    correction, start, several, buyer, doubted, nothing, by_card, under_way, resumed, half,
    refused_new, refused, refused_otherwise, not_sent, done, given_up, given_up_half, doubt,
    partly, advance_paid, away, unknown, waits, keys,
)  # fmt: skip
framed = in_frame(CORRECTION, "corr.title")
posed = pictures.posed_by(opened_in(framed, SCENES, stock=screens.stock))
