"""Pictures of the refund."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.window.frame import HOME
from pos_app.cashier.window.screens import REFUND, RefundPlace
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel, TaxRates
from pos_app.domain.receipt.fiscal_document import FiscalLine
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.operations import Operation, RefundedItem, Refunding
from pos_app.domain.receipt.receipt_overview import PaidOfLabel
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.errors import NoSuchReceipt, NotDelivered
from pos_app.fiscalization.plans.advance import advance_lines
from pos_app.fiscalization.plans.refund import plan_refund
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.sale.receipt_drafts import BuyerDraft
from tests.fakes.fiscal_server import SIGNED_AT, Fault
from tests.fakes.people_here import let_in, quick
from tests.gui import pictures
from tests.gui.crawl.posing import answered, named, opened_in, pause, settle
from tests.gui.crawl.posing import framed as in_frame
from tests.gui.payment.shop import Shop
from tests.unit.fiscalization.plans.book import (
    BASIS,
    BUYER,
    PDF,
    Book,
    advance,
    known,
    line,
    number_of,
    payments,
    sale,
)

__all__ = ["pause", "settle"]

NUMBER = number_of(1)
LINES = (
    line("Хлеб бели Сава 500 g/ком", "Е", "2", "58.99", sku=1),
    line("Јогурт 2,8 % 1 l/ком", "Е", "3", "142.99", sku=12),
    line("Банана/kg", "Е", "1.560", "189.99", sku=16, total="296.38"),
    line("Сир млади домаћи/kg", "Е", "0.412", "899.00", sku=13, total="370.39"),
    line("Кафа млевена Златна 200 g/ком", "Ђ", "2", "279.99", sku=20),
    line("Детерџент за веш 3 kg/ком", "Ђ", "1", "1099.00", sku=40),
)
RATES = (TaxRates(SIGNED_AT, {"Ђ": Decimal(20), "Е": Decimal(10)}),)


def sold(*lines: FiscalLine, **paid: str) -> Book:
    book = Book()
    book.add(sale(*lines, **paid))  # type: ignore[arg-type]
    return book


def give_back(book: Book, *items: RefundedItem, cash: str) -> None:
    """Add a refund that was issued elsewhere."""
    asked = Refunding(payments=payments(cash=cash), delivery=PDF, buyer=BUYER, items=items)
    planned = plan_refund(receipt=book.links[0], chain=book.chain, request=asked, basis=BASIS)
    book.add(*planned, operation=Operation.REFUND)


def usual() -> Book:
    """The picture's sale: bread and a yoghurt went back before."""
    book = sold(*LINES, cash=str(Money.total(one.total for one in LINES)))
    give_back(
        book, RefundedItem(Quantity(2), line=0), RefundedItem(Quantity(1), line=1), cash="260.97"
    )
    return book


def show(shop: Shop, book: Book) -> None:
    """Let the server show the first receipt of the book."""
    told = overview_of(book.links[0], book.chain, jobs=(), origin="till")
    shop.receipts.details[NUMBER] = ShownReceipt(told, None)


async def begin(shop: Shop, screen: RefundScreen, book: Book | None = None) -> None:
    """Open the refund of a receipt, once the server has answered."""
    show(shop, usual() if book is None else book)
    await settle(shop)
    screen.go_to(RefundPlace(NUMBER, HOME))
    await pause()


async def asked(
    shop: Shop, screen: RefundScreen, *, code: str = "20", value: str = "008412357"
) -> None:
    """The refund of the picture's sale is confirmed with a document."""
    await begin(shop, screen)
    screen.model.set_document(BuyerDraft(code=code, value=value))
    screen.right_side.main.click()


async def whole(shop: Shop, screen: RefundScreen) -> None:
    """The refund as it is opened: all remaining lines are ticked."""
    await begin(shop, screen)


async def refund(shop: Shop, screen: RefundScreen) -> None:
    """The picture's refund: three lines, one of them in part, and the buyer's identity card."""
    await begin(shop, screen)
    screen.left_side.nothing.click()
    for place in (2, 4, 5):
        screen.model.tick(place)
    screen.model.type_quantity(2, "0,750")
    screen.model.rest_quantity(2)
    screen.model.type_quantity(4, "1")
    screen.model.rest_quantity(4)
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.model.choose(5)
    screen.room.changed.emit()
    await pause()
    screen.right_side.document.focus_number()


async def of_advance(shop: Shop, screen: RefundScreen) -> None:
    """An advance is refunded by amounts of each tax label."""
    order = known(LINES[0], LINES[5])
    book = Book()
    shares = {TaxLabel.DJ: Money("800.00"), TaxLabel.E: Money("100.50")}
    book.add(advance(order, *advance_lines(shares), buyer="20:008412357", cash="900.50"))
    await begin(shop, screen, book)
    screen.model.choose(0)
    screen.left_side.lines.open_field(sign="9")


async def quantity(shop: Shop, screen: RefundScreen) -> None:
    """A quantity above the remainder is typed."""
    await begin(shop, screen)
    screen.model.choose(2)
    screen.left_side.lines.open_field(sign="9")


async def nothing(shop: Shop, screen: RefundScreen) -> None:
    """No line is ticked, and the refund is confirmed."""
    await begin(shop, screen)
    screen.left_side.nothing.click()
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.right_side.main.click()


async def doubted(shop: Shop, screen: RefundScreen) -> None:
    """The check digit of a PIB does not fit."""
    await asked(shop, screen, code="10", value="106543218")
    await pause()


async def no_document(shop: Shop, screen: RefundScreen) -> None:
    """The refund is confirmed without a document."""
    await begin(shop, screen)
    screen.right_side.document.focus_number()
    screen.right_side.main.click()


async def own_error(shop: Shop, screen: RefundScreen) -> None:
    """F5 fills in the shop's own PIB."""
    await begin(shop, screen)
    screen.right_side.others.own_error.click()


async def mixed(shop: Shop, screen: RefundScreen) -> None:
    """The sale was paid by card and cash together."""
    book = sold(*LINES[:3], card="600.00", cash="243.33")
    await begin(shop, screen, book)
    screen.model.choose_way(1)


async def mixed_asked(shop: Shop, screen: RefundScreen) -> None:
    """A document is doubted below five ways of giving back."""
    await mixed(shop, screen)
    screen.right_side.main.click()
    screen.model.set_document(BuyerDraft(code="20", value="12"))
    screen.right_side.main.click()
    await pause()


async def card(shop: Shop, screen: RefundScreen) -> None:
    """The sale was paid by card: no cash is given back."""
    await begin(shop, screen, sold(*LINES[:3], card="843.33"))


async def corporate(shop: Shop, screen: RefundScreen) -> None:
    """The sale was paid by a corporate card: the refund is paid by voucher."""
    paid = sale(*LINES[:3], buyer="10:123456788", voucher="843.33")
    book = Book()
    book.add(replace(paid, document=replace(paid.document, cost_centre="50:1234")))
    await begin(shop, screen, book)


async def long(shop: Shop, screen: RefundScreen) -> None:
    """A sale of forty lines with long names and large amounts."""
    lines = [
        line(f"{number}. {one.name}", one.label.value, "987.123", "98765.43", sku=number)
        for number, one in enumerate(LINES * 7, start=100)
    ]
    total = str(Money.total(one.total for one in lines))
    await begin(shop, screen, sold(*lines, cash=total))


async def less_left(shop: Shop, screen: RefundScreen) -> None:
    """Another till refunded a part of it meanwhile."""
    await asked(shop, screen)
    book = usual()
    give_back(book, RefundedItem(Quantity(1), line=4), cash="279.99")
    show(shop, book)
    shop.server.faults.append(Fault.FIX)
    await answered(shop)


async def refused(shop: Shop, screen: RefundScreen) -> None:
    """The server refused the refund."""
    await asked(shop, screen)
    shop.server.faults.append(Fault.FIX)
    await answered(shop)


async def under_way(shop: Shop, screen: RefundScreen) -> None:
    """The refund is being issued."""
    await asked(shop, screen)
    shop.clock.go_on(9_000)
    await pause()


async def done(shop: Shop, screen: RefundScreen) -> None:
    """The sheet after the refund."""
    await under_way(shop, screen)
    await answered(shop)


async def done_by_card(shop: Shop, screen: RefundScreen) -> None:
    """The sheet after a refund without cash."""
    await card(shop, screen)
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.right_side.main.click()
    await answered(shop)


async def doubt(shop: Shop, screen: RefundScreen) -> None:
    """Nobody knows whether the refund was issued."""
    await under_way(shop, screen)
    shop.server.faults.append(Fault.IN_DOUBT)
    await answered(shop, 60)


async def away(shop: Shop, screen: RefundScreen) -> None:
    """The server does not answer about the receipt."""
    shop.receipts.fault = NotDelivered(what="nobody there")
    await begin(shop, screen)


async def unknown(shop: Shop, screen: RefundScreen) -> None:
    """The server has no such receipt."""
    shop.receipts.fault = NoSuchReceipt(what="Receipt not found", safe="Nothing was changed.")
    await begin(shop, screen)


async def waits(shop: Shop, screen: RefundScreen) -> None:
    """Server and processor are away when the refund is confirmed."""
    await begin(shop, screen)
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    shop.server.running = False
    await settle(shop)
    screen.right_side.main.click()
    await pause()


async def all_gone(shop: Shop, screen: RefundScreen) -> None:
    """The whole receipt was refunded before."""
    book = sold(*LINES[:2], cash="546.95")
    give_back(book, cash="546.95")
    await begin(shop, screen, book)


FOREIGN = ForeignReceipt(
    "XYZA1234-XYZA1234-512",
    "500/512",
    Money("1236.00"),
    SIGNED_AT,
    ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE),
)


async def hand_pin(shop: Shop, screen: RefundScreen) -> None:
    """A receipt of another system: the manager's PIN is asked for."""
    shop.services.manager.save_pin(quick("4711"))
    await settle(shop)
    screen.go_to(RefundPlace(FOREIGN.number, HOME, FOREIGN))
    await pause()


async def filled_by_hand(shop: Shop, screen: RefundScreen) -> None:
    """The contents of its code are filled in, and an amount is typed."""
    await hand_pin(shop, screen)
    let_in(screen.model.lock, "4711")
    await pause()
    screen.hand_page.amounts[TaxLabel.DJ].set_text("349,99")


async def hand_of_other_till(shop: Shop, screen: RefundScreen) -> None:
    """Another till of the shop has the receipt: all that it reported is filled in."""
    shop.services.manager.save_pin(quick("4711"))
    await settle(shop)
    parts = (PaidOfLabel(TaxLabel.DJ, Money("1000.00")), PaidOfLabel(TaxLabel.E, Money("236.00")))
    screen.go_to(RefundPlace(FOREIGN.number, HOME, replace(FOREIGN, till="Каса 2", by_label=parts)))
    await pause()
    let_in(screen.model.lock, "4711")
    await pause()


async def hand_wrong(shop: Shop, screen: RefundScreen) -> None:
    """An amount above the receipt's total is typed."""
    await filled_by_hand(shop, screen)
    screen.hand_page.amounts[TaxLabel.E].set_text("1000")
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.right_side.main.click()


async def hand_typed(shop: Shop, screen: RefundScreen) -> None:
    """The server has no such receipt, and a manager goes on by hand."""
    shop.services.manager.save_pin(quick("4711"))
    await unknown(shop, screen)
    screen.right_side.main.click()
    let_in(screen.model.lock, "4711")
    await pause()


async def hand_done(shop: Shop, screen: RefundScreen) -> None:
    """The refund by hand is issued."""
    await filled_by_hand(shop, screen)
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.right_side.main.click()
    await answered(shop)


REASONS = ("Погрешно откуцано", "Неисправна роба", "Купац се предомислио", "Погрешна величина")


async def reason(shop: Shop, screen: RefundScreen) -> None:
    """The shop's question for the reason, once all else is filled in."""
    await asked(shop, screen)
    await pause()


async def pin(shop: Shop, screen: RefundScreen) -> None:
    """In this shop only a manager refunds."""
    shop.services.manager.save_pin(quick("4711"))
    await begin(shop, screen)


TOLD: dict[str, dict[str, object]] = {
    "reason": {"refund_reasons": REASONS},
    "pin": {"refund_needs_manager": True},
}
"""The till's settings in a state that needs more than the usual ones."""


async def hand_closes(shop: Shop, screen: RefundScreen) -> None:
    """An advance of another system, whose goods are handed over."""
    shop.services.manager.save_pin(quick("4711"))
    await settle(shop)
    advance = replace(
        FOREIGN,
        kind=ReceiptKind(InvoiceType.ADVANCE, TransactionType.SALE),
        buyer_id="10:106543219",
    )
    screen.go_to(RefundPlace(advance.number, HOME, advance, closes=True))
    await pause()
    let_in(screen.model.lock, "4711")
    await pause()
    screen.hand_page.amounts[TaxLabel.DJ].set_text("6000")


async def hand_closes_by_several(shop: Shop, screen: RefundScreen) -> None:
    """The advance was paid by several methods, whose sum is not yet the paid amount."""
    await hand_closes(shop, screen)
    screen.hand_page.paid[PaymentMethod.CASH].set_text("2000")
    screen.hand_page.paid[PaymentMethod.OTHER].set_text("3000")
    screen.right_side.main.click()
    await pause()


async def keys(shop: Shop, screen: RefundScreen) -> None:
    await begin(shop, screen)
    screen.toggle_keys()


SCENES = named(
    refund, whole, of_advance, quantity, nothing, doubted, no_document, own_error, mixed,
    mixed_asked, card, corporate, long, less_left, refused, under_way, done, done_by_card, doubt,
    away, unknown, waits, all_gone, reason, pin, keys, hand_pin, filled_by_hand,
    hand_of_other_till, hand_wrong, hand_typed, hand_done, hand_closes, hand_closes_by_several,
)  # fmt: skip


def stock(shop: Shop) -> tuple[()]:
    shop.server.rates, shop.server.seller_pib = RATES, "106543219"
    return ()


framed = in_frame(REFUND, "refund.title")
posed = pictures.posed_by(opened_in(framed, SCENES, stock=stock, settings=TOLD))
