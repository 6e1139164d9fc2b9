from __future__ import annotations

from collections.abc import Callable
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
from pos_app.fiscalization.plans.advance import advance_lines
from pos_app.fiscalization.plans.refund import plan_refund
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.sale.receipt_drafts import BuyerDraft
from tests.fakes.fiscal_server import SIGNED_AT, Fault
from tests.fakes.people_here import let_in, quick
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
    settle,
)
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
    told = overview_of(book.links[0], book.chain, jobs=(), origin="till")
    shop.receipts.details[NUMBER] = ShownReceipt(told, None)


async def begin(shop: Shop, screen: RefundScreen, book: Book | None = None) -> None:
    show(shop, usual() if book is None else book)
    await settle(shop)
    screen.go_to(RefundPlace(NUMBER, HOME))
    await pause()


def begun(book: Callable[[], Book]) -> Act:
    return lambda shop, screen: begin(shop, screen, book())


def documented(*, code: str = "20", value: str = "008412357") -> Act:
    return lambda _, screen: screen.model.set_document(BuyerDraft(code=code, value=value))


def enter(_: Shop, screen: RefundScreen) -> None:
    screen.right_side.main.click()


def without_lines(_: Shop, screen: RefundScreen) -> None:
    screen.left_side.nothing.click()


def line_open(place: int) -> Act:
    def act(_: Shop, screen: RefundScreen) -> None:
        screen.model.choose(place)
        screen.left_side.lines.open_field(sign="9")

    return act


async def three_lines(_: Shop, screen: RefundScreen) -> None:
    """Three lines, one of them in part, and the buyer's identity card."""
    without_lines(_, screen)
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


def ordered() -> Book:
    book, order = Book(), known(LINES[0], LINES[5])
    shares = {TaxLabel.DJ: Money("800.00"), TaxLabel.E: Money("100.50")}
    book.add(advance(order, *advance_lines(shares), buyer="20:008412357", cash="900.50"))
    return book


def by_corporate_card() -> Book:
    book, paid = Book(), sale(*LINES[:3], buyer="10:123456788", voucher="843.33")
    book.add(replace(paid, document=replace(paid.document, cost_centre="50:1234")))
    return book


def forty_lines() -> Book:
    lines = [
        line(f"{number}. {one.name}", one.label.value, "987.123", "98765.43", sku=number)
        for number, one in enumerate(LINES * 7, start=100)
    ]
    return sold(*lines, cash=str(Money.total(one.total for one in lines)))


def less_left(shop: Shop, _: RefundScreen) -> None:
    book = usual()
    give_back(book, RefundedItem(Quantity(1), line=4), cash="279.99")
    show(shop, book)


def whole_refunded() -> Book:
    book = sold(*LINES[:2], cash="546.95")
    give_back(book, cash="546.95")
    return book


FOREIGN = ForeignReceipt(
    "XYZA1234-XYZA1234-512",
    "500/512",
    Money("1236.00"),
    SIGNED_AT,
    ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE),
)
ADVANCE = replace(
    FOREIGN, kind=ReceiptKind(InvoiceType.ADVANCE, TransactionType.SALE), buyer_id="10:106543219"
)
OF_OTHER_TILL = replace(
    FOREIGN,
    till="Каса 2",
    by_label=(PaidOfLabel(TaxLabel.DJ, Money("1000.00")), PaidOfLabel(TaxLabel.E, Money("236.00"))),
)


def with_manager(shop: Shop, _: RefundScreen) -> None:
    shop.services.manager.save_pin(quick("4711"))


def by_hand(receipt: ForeignReceipt, *, closes: bool = False) -> Act:
    async def act(shop: Shop, screen: RefundScreen) -> None:
        with_manager(shop, screen)
        await settle(shop)
        screen.go_to(RefundPlace(receipt.number, HOME, receipt, closes=closes))
        await pause()

    return act


async def let_manager_in(_: Shop, screen: RefundScreen) -> None:
    let_in(screen.model.lock, "4711")
    await pause()


def of_label(label: TaxLabel, amount: str) -> Act:
    return lambda _, screen: screen.hand_page.amounts[label].set_text(amount)


def by_method(method: PaymentMethod, amount: str) -> Act:
    return lambda _, screen: screen.hand_page.paid[method].set_text(amount)


REASONS = ("Погрешно откуцано", "Неисправна роба", "Купац се предомислио", "Погрешна величина")
TOLD: dict[str, dict[str, object]] = {
    "reason": {"refund_reasons": REASONS},
    "pin": {"refund_needs_manager": True},
}
"""The till's settings in a state that needs more than the usual ones."""

ASKED = awaited(begin, documented(), enter)
UNDER_WAY = awaited(ASKED, lambda shop, _: shop.clock.go_on(9_000), pause)
MIXED = awaited(
    begun(lambda: sold(*LINES[:3], card="600.00", cash="243.33")),
    lambda _, screen: screen.model.choose_way(1),
)
CARD = awaited(begun(lambda: sold(*LINES[:3], card="843.33")))
UNKNOWN = awaited(no_receipt, begin)
FILLED = awaited(by_hand(FOREIGN), let_manager_in, of_label(TaxLabel.DJ, "349,99"))
CLOSES = awaited(by_hand(ADVANCE, closes=True), let_manager_in, of_label(TaxLabel.DJ, "6000"))

SCENES = {
    "refund": awaited(begin, three_lines),
    "whole": begin,
    "of_advance": awaited(begun(ordered), line_open(0)),
    "quantity": awaited(begin, line_open(2)),  # above the remainder
    "nothing": awaited(begin, without_lines, documented(), enter),
    "doubted": awaited(begin, documented(code="10", value="106543218"), enter, pause),
    "no_document": awaited(
        begin, lambda _, screen: screen.right_side.document.focus_number(), enter
    ),
    "own_error": awaited(begin, lambda _, screen: screen.right_side.others.own_error.click()),
    "mixed": MIXED,
    "mixed_asked": awaited(MIXED, enter, documented(value="12"), enter, pause),
    "card": CARD,
    "by_transfer": awaited(begun(lambda: sold(*LINES[:3], wiretransfer="843.33"))),
    "corporate": awaited(begun(by_corporate_card)),
    "long": awaited(begun(forty_lines)),
    "less_left": awaited(ASKED, less_left, answered_with(Fault.FIX)),
    "refused": awaited(ASKED, answered_with(Fault.FIX)),
    "under_way": UNDER_WAY,
    "done": awaited(UNDER_WAY, answered),
    "done_by_card": awaited(CARD, documented(), enter, answered),
    "doubt": awaited(UNDER_WAY, answered_with(Fault.IN_DOUBT, steps=60)),
    "away": awaited(receipts_fail, begin),
    "unknown": UNKNOWN,
    "waits": awaited(begin, documented(), no_server, settle, enter, pause),
    "all_gone": awaited(begun(whole_refunded)),
    "reason": awaited(ASKED, pause),
    "pin": awaited(with_manager, begin),
    "keys": awaited(begin, keys_listed),
    "hand_pin": by_hand(FOREIGN),
    "filled_by_hand": FILLED,
    "hand_of_other_till": awaited(by_hand(OF_OTHER_TILL), let_manager_in),
    "hand_wrong": awaited(FILLED, of_label(TaxLabel.E, "1000"), documented(), enter),
    "hand_typed": awaited(with_manager, UNKNOWN, enter, let_manager_in),
    "hand_done": awaited(FILLED, documented(), enter, answered),
    "hand_closes": CLOSES,
    "hand_closes_by_several": awaited(  # whose sum is not yet the paid amount
        CLOSES,
        by_method(PaymentMethod.CASH, "2000"),
        by_method(PaymentMethod.OTHER, "3000"),
        enter,
        pause,
    ),
}


def stock(shop: Shop) -> tuple[()]:
    shop.server.rates, shop.server.seller_pib = RATES, "106543219"
    return ()


framed = in_frame(REFUND, "refund.title")
posed = pictures.posed_by(opened_in(framed, SCENES, stock=stock, settings=TOLD))
